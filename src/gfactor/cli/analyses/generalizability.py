"""gfactor analyze generalizability: how much of a score is the item, the occasion, the prompt.

gfactor analyze generalizability c.db --facets item,occasion --d-study item=50,100,200
gfactor analyze generalizability ratings.csv --object person --facets task,rater \\
  --nested rater:task
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gfactor.cli.deriving import derived
from gfactor.cli.printing import PAGE_OPTION, exit_code, function_of, put_parts
from gfactor.cli.values import Numbers, Pair


@derived(
    __doc__,
    "gtheory",
    {
        "data": "JOURNAL|DATA.csv",
        "facets": "--facets A,...",
        "value": "--value COLUMN",
        "nested": "--nested A:B...",
        "omit": "--omit EFFECT",
        "grid": "--d-study FACET=N,N...",
        "fixed": "--fixed FACET",
        "cut": "--cut SCORE",
    },
    reads={"grid": Pair("FACET=N,N", Numbers(whole=False))},
    without=["level"],
    options=[PAGE_OPTION],
    about="docs/planning.md says how everything is computed.",
)
def command(
    data: str, page: Path | None, grid: Mapping[str, Sequence[float]] | None = None,
    fixed: Sequence[str] = (), cut: float | None = None, *, as_json: bool, **given: Any,
) -> int:  # fmt: skip
    """Print variance components, and what other designs reach.

    Parameters
    ----------
    grid : mapping, optional
        Numbers of conditions to be tried: item=50,100,200.
    fixed : sequence of str
        Fixed facet: its conditions are all that exist, not a sample.
    cut : float, optional
        Cut score for which the dependability Phi(lambda) is reported, too.
    """
    from gfactor.reports.pages import write_page

    result = function_of("gtheory")(data, **given)
    tried = result.d_study(grid, fixed=fixed) if grid else None
    facts = {} if cut is None else {f"phi_lambda({cut:g})": result.phi_lambda(cut)}
    further = {} if tried is None else {"d_study": tried}
    written = None if page is None else write_page(result, page, further, facts)
    document = {"data": data, **result.to_dict()}
    document["d_study"] = [] if tried is None else tried.to_dict("records")
    parts = [result.summary()]
    if tried is not None:
        parts.append("d study\n" + tried.to_string(index=False, float_format="%.3f"))
    if cut is not None:
        document["phi_lambda"] = {"cut": cut, "estimate": result.phi_lambda(cut)}
        parts.append(f"Phi({cut:g})  {result.phi_lambda(cut):.3f}")
    put_parts(document, parts, as_json, written)
    return exit_code(result)
