"""gfactor analyze adequacy: is there anything for a factor analysis to find?

gfactor analyze adequacy scores.csv
gfactor analyze adequacy correlations.csv --n 301 --json
gfactor analyze adequacy survey.sav --columns 'item*' --where 'age>=18' --group country
"""

from __future__ import annotations

from typing import Any

from gfactor.cli.deriving import derived
from gfactor.cli.printing import function_of
from gfactor.cli.tables import ABOUT, ALL_BENCHMARKS, TABLE, Analyzed, put_groups


@derived(__doc__, "adequacy", without=["scores", "benchmark"], options=[TABLE], about=ABOUT)
def command(n: int | None, anti_image: bool = False, **table: Any) -> None:
    """Print the adequacy of each group.

    Parameters
    ----------
    anti_image : bool
        Also print the anti-image correlations.
    """

    def analyze(scores: Any) -> Analyzed:
        result = function_of("adequacy")(scores, n, benchmark=ALL_BENCHMARKS)
        text = result.summary()
        if anti_image:
            text += "\n\nanti-image correlations, KMO on the diagonal\n"
            from gfactor.results import rounded

            text += rounded(result.anti_image, 3).to_string(na_rep="-")
        return Analyzed(result.to_dict(), text, result.report)

    put_groups(**table, analyze=analyze)
