"""gfactor analyze irt: difficulties of items and abilities of examinees on one scale.

gfactor analyze irt c.db --model rasch --guess format --cluster family
gfactor analyze irt c.db --model rasch --groups kind --dif
gfactor analyze irt responses.csv --model 2pl --cluster family --json
gfactor analyze irt responses.csv --model 2pl --groups kind --dif -o irt/
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from gfactor.cli.constants import declared
from gfactor.cli.declarations import declaration, group_of
from gfactor.cli.deriving import derived
from gfactor.cli.groups import scoring_options, table_options
from gfactor.cli.printing import PAGE_OPTION, put
from gfactor.cli.spelling import options_of
from gfactor.cli.values import NAME
from gfactor.errors import ParameterError

if TYPE_CHECKING:
    from gfactor.api.scoring import Scoring

MODELS = declared("gfactor.psychometrics.irt", "MODELS")
HOME = "gfactor.api.item_analysis"
SOURCES = [
    one for one in group_of(HOME, "Source") if one.name not in ("data", "scoring", "selection")
]
SPELLED = {"model": "--model NAME", "data": "JOURNAL|DATA.csv", "clusters": "--cluster COLUMN"}
BESIDE = {"groups": "--groups,--group COLUMN", "reference": "--reference GROUP",
          "options_file": "--irt-options FILE"}  # fmt: skip
FURTHER = {"guess": "--guess N", "design": "--design FORMULA",
           "slope_design": "--slope-design FORMULA",
           "dif_anchors": "--dif-anchors ITEM,..."}  # fmt: skip

ABOUT = """Of a journal, whole items or points are scored as in gfactor score; baselines and the
ideal observer are left out unless --examinee names them. Diagnostics are printed first. docs/irt.md
says how everything is computed."""


@derived(
    __doc__,
    "irt",
    SPELLED | BESIDE,
    reads={"model": str, "data": NAME, "clusters": str},
    helps={
        "model": f"One of {', '.join(MODELS)}.",
        "data": "A journal, or a table with a row per examinee and a column per item; its first "
        "column may name the examinees, and an empty cell is an item that was not asked.",
        "clusters": "Families of examinees that resemble each other; standard errors allow for it.",
    },
    without=[
        one.name for one in declaration("irt").parameters if one.name not in (*SPELLED, "force")
    ],
    optional=["model"],
    options=[options_of(group_of(HOME, "Wanted"), FURTHER), options_of(SOURCES), PAGE_OPTION,
             table_options, scoring_options],
    about=ABOUT,
)  # fmt: skip
def command(
    data: str, force: bool, seed: int, selection: Any, scoring: Scoring, page: Path | None,
    as_json: bool, model: str | None, clusters: str | None, groups: str | None = None,
    reference: str | None = None, options_file: Path | None = None, **given: Any,
) -> int:  # fmt: skip
    """Fit a model, and what was asked for beside it.

    Parameters
    ----------
    groups : str, optional
        Examinees of several populations; of a journal kind (person, model ...), condition,
        language, family, a parameter of examinees, or a column of --examinee-table.
    reference : str, optional
        The group whose mean ability is 0; by default the first in the data.
    options_file : path, optional
        More options as JSON: {"quadpts": 61, "priors": {"slope": ["lognormal", 0, 0.5]}}.
    """
    if "://" not in data and not Path(data).exists():
        raise ParameterError(f"{data!r}: there is no such file")
    from gfactor.api.irt_files import read_options
    from gfactor.api.item_analysis import Source, Wanted, analyze_items, set_option
    from gfactor.psychometrics.irt.request import named_model

    options = read_options(options_file)
    if "model" in options:
        options["model"] = named_model(options["model"])
    for name, value in (
        ("model", named_model(model)),
        ("groups", groups),
        ("reference", reference),
        ("clusters", clusters),
        ("force", force or None),
        ("seed", seed or None),
    ):
        set_option(options, name, value)
    if "model" not in options:
        raise ParameterError(f"--model is missing; it is one of {', '.join(MODELS)}")
    sources = {one.name: given.pop(one.name) for one in SOURCES}
    source = Source(data, scoring, selection, **sources)
    analysis = analyze_items(source, options, Wanted(seed=seed, **given))
    return put(analysis, as_json, page, judged=True)
