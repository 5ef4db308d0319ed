"""gfactor analyze generalizability: how much of a score is the item, the occasion, the prompt.

gfactor analyze generalizability c.db --facets item,occasion --d-study item=50,100,200
gfactor analyze generalizability ratings.csv --object person --facets task,rater \\
  --nested rater:task
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import PAGE_OPTION, derived
from gfactor.cli.scoring import SCORED, scoring_options
from gfactor.errors import ParameterError

if TYPE_CHECKING:
    import pandas as pd

    from gfactor.api.scoring import Scoring


def _pair(text: str) -> tuple[str, str]:
    inner, colon, outer = text.partition(":")
    if not colon or not inner or not outer:
        raise ParameterError(f"--nested is written FACET:FACET, as item:template; got {text!r}")
    return inner.strip(), outer.strip()


def _sizes(text: str) -> tuple[str, list[float]]:
    name, _, numbers = text.partition("=")
    try:
        return name.strip(), [float(number) for number in numbers.split(",")]
    except ValueError:
        raise ParameterError(
            f"--d-study is written FACET=N,N, as item=50,100; got {text!r}"
        ) from None


OPTIONS = [
    click.option(
        "--d-study",
        "grid",
        multiple=True,
        metavar="FACET=N,N",
        help="Numbers of conditions to be tried: item=50,100,200. May be given several times.",
    ),
    click.option(
        "--fixed",
        multiple=True,
        metavar="FACET",
        help="Fixed facet: its conditions are all that exist, not a sample.",
    ),
    click.option(
        "--cut",
        type=float,
        metavar="SCORE",
        help="Cut score for which the dependability Phi(lambda) is reported, too.",
    ),
]


@derived(
    __doc__,
    "gtheory",
    {
        "data": "JOURNAL|DATA.csv",
        "facets": "--facets A,...",
        "value": "--value COLUMN",
        "nested": "--nested A:B...",
        "omit": "--omit EFFECT",
        "benchmark": "--benchmark NAME",
    },
    reads={"nested": lambda texts: dict(map(_pair, texts))},
    without=["level", *SCORED],
    options=[*OPTIONS, PAGE_OPTION, scoring_options],
    about="docs/planning.md says how everything is computed.",
)
def command(
    data: str,
    object: str,
    facets: tuple[str, ...],
    value: str | None,
    nested: dict[str, str] | tuple[()],
    grid: tuple[str, ...],
    fixed: tuple[str, ...],
    cut: float | None,
    benchmark: str | None,
    page: Path | None,
    as_json: bool,
    scoring: Scoring,
    **given: Any,
) -> int:
    from gfactor.administration.opening import is_journal
    from gfactor.api.evidence import facet_table
    from gfactor.api.taking import opened as opened_journal
    from gfactor.items.table_files import read_frame
    from gfactor.psychometrics.generalizability import gtheory

    if is_journal(data):
        with opened_journal(data) as journal:
            table = facet_table(
                journal, scoring, [object, *facets], value or "points", benchmark
            )  # fmt: skip
        value = "score"
    else:
        named = [*scoring.named, *(["--benchmark"] if benchmark is not None else [])]
        if named:
            raise ParameterError(f"{named[0]} is for a journal; {data!r} is a table")
        table = read_frame(data)
    result = gtheory(
        table,
        object=object,
        facets=facets,
        value=value or "score",
        nested=nested or {},
        **given,
    )
    tried = result.d_study(dict(_sizes(text) for text in grid), fixed=fixed) if grid else None
    written = None if page is None else _page(page, result, tried, cut)
    if as_json:
        document = {"data": data, **result.to_dict()}
        document["d_study"] = [] if tried is None else tried.to_dict("records")
        if cut is not None:
            document["phi_lambda"] = {"cut": cut, "estimate": result.phi_lambda(cut)}
        put_json(document)
        return scoring.code
    say(result.summary())
    if tried is not None:
        say("\nd study\n" + tried.to_string(index=False, float_format="%.3f"))
    if cut is not None:
        say(f"\nPhi({cut:g})  {result.phi_lambda(cut):.3f}")
    if written is not None:
        say(f"open {written.path}")
    return scoring.code


def _page(folder: Path, result: Any, tried: pd.DataFrame | None, cut: float | None) -> Any:
    from gfactor.reports.pages import write_page

    further = {} if tried is None else {"d_study": tried}
    facts = {} if cut is None else {f"phi_lambda({cut:g})": result.phi_lambda(cut)}
    return write_page(result, folder, further, facts)
