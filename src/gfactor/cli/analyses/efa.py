"""gfactor analyze efa: how many factors, and which indicators belong together.

gfactor analyze efa scores.csv
gfactor analyze efa c.db --by domain
gfactor analyze efa scores.csv --factors 3 --method minres --rotation geomin --general -o efa/
"""

from __future__ import annotations

from typing import Any

from gfactor.cli.deriving import derived
from gfactor.cli.printing import function_of
from gfactor.cli.tables import ABOUT, ALL_BENCHMARKS, TABLE, Analyzed, put_groups

NAMES = ("factors", "n", "method", "rotation", "starts", "seed")


@derived(
    __doc__,
    "efa",
    {"method": "--method NAME", "rotation": "--rotation NAME"},
    without=["scores", "kaiser", "delta", "gamma", "power", "benchmark"],
    options=[TABLE],
    about=ABOUT,
)
def command(general: bool = False, **given: Any) -> None:
    """Print the factors of each group.

    Parameters
    ----------
    general : bool
        Add Schmid-Leiman's general factor and omega.
    """
    how = {name: given.pop(name) for name in NAMES}

    def analyze(scores: Any) -> Analyzed:
        from gfactor.psychometrics.factor.exploratory import schmid_leiman
        from gfactor.reports.pages import write_page

        result = function_of("efa")(scores, **how, benchmark=ALL_BENCHMARKS)
        document, parts, further = result.to_dict(), [result.summary()], {}
        if result.parallel is not None:
            parts.append(result.parallel.summary())
            further["parallel"] = result.parallel
        if general:
            omega = schmid_leiman(result)
            printed = set(map(str, result.diagnostics))
            lines = [line for line in omega.summary().splitlines() if line not in printed]
            parts.append("\n".join(["Schmid-Leiman solution", *lines]))
            document |= {"general": omega.to_dict()}
            further["general"] = omega
        return Analyzed(
            document, "\n\n".join(parts), lambda folder: write_page(result, folder, further)
        )

    put_groups(**given, analyze=analyze)
