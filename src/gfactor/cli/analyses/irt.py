"""gfactor analyze irt: estimate difficulties of items and abilities of examinees.

gfactor analyze irt c.db --model rasch --guess format --cluster family
gfactor analyze irt c.db --model rasch --group kind --dif
gfactor analyze irt responses.csv --model 2pl --cluster family --json
gfactor analyze irt responses.csv --model 2pl --group kind --dif -o irt/

The items of a journal are scored as in gfactor score; baselines and the ideal observer are left
out unless --examinee names them. The output begins with diagnostics. docs/irt.md describes the
computations.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gfactor.cli.constants import declared
from gfactor.cli.declarations import declaration, group_of
from gfactor.cli.deriving import derived
from gfactor.cli.printing import PAGE_OPTION, put
from gfactor.cli.spelling import TABLE_OPTIONS, options_of, reach_names, scored_names
from gfactor.cli.values import NAME

MODELS = declared("gfactor.psychometrics.irt", "MODELS")
HOME = "gfactor.api.analyses.item_analysis"
SOURCES = [
    one for one in group_of(HOME, "Source") if one.name not in ("data", "scoring", "selection")
]
SPELLED = {"model": "--model NAME", "data": "JOURNAL|DATA.csv", "clusters": "--cluster COLUMN"}
BESIDE = {"groups": "--group,--groups COLUMN", "reference": "--reference GROUP",
          "options_file": "--irt-options FILE"}  # fmt: skip
FURTHER = {"slope_design": "--slope-design FORMULA", "dif_anchors": "--dif-anchors ITEM,..."}


@derived(
    __doc__,
    "irt",
    SPELLED | BESIDE,
    reads={"model": str, "data": NAME, "clusters": str},
    helps={
        "model": f"One of {', '.join(MODELS)}.",
        "data": "Journal, or table with a row per examinee and a column per item. The first "
        "column may name the examinees; an empty cell is an item that was not asked.",
        "clusters": "Column with families of examinees, such as 'family'. Standard errors then "
        "allow for the resemblance of examinees within a family.",
    },
    without=[
        one.name for one in declaration("irt").parameters if one.name not in (*SPELLED, "force")
    ],
    optional=["model"],
    options=[
        options_of(group_of(HOME, "Wanted"), FURTHER),
        options_of(SOURCES, {"bank": "--bank"}), PAGE_OPTION,
        options_of(group_of("gfactor.api.inputs.table_selection", "TableOptions"), TABLE_OPTIONS),
        options_of([one for one in declaration("score").parameters if one.name in scored_names()]),
    ],
)  # fmt: skip
def command(
    data: str, force: bool, seed: int, page: Path | None, as_json: bool, model: str | None,
    clusters: str | None, groups: str | None = None, reference: str | None = None,
    options_file: Path | None = None, **given: Any,
) -> int:  # fmt: skip
    """Fit a model, and run the requested further analyses.

    Parameters
    ----------
    groups : str, optional
        Column that divides examinees into groups (populations). For a journal it is kind (person,
        model ...), condition, language, family, a parameter of examinees, or a column of
        --examinee-table. "gender=woman,man" analyzes these two groups only.
    reference : str, optional
        Group whose mean ability is 0; by default the first in the data.
    options_file : path, optional
        JSON file with further options of the model (docs/irt.md), such as {"quadpts": 61,
        "priors": {"slope": ["lognormal", 0, 0.5]}}.
    """
    from gfactor.api.analyses.item_analysis import Source, Wanted, analyze_items
    from gfactor.api.inputs.scoring import scoring_of
    from gfactor.api.inputs.table_selection import selection_of

    table = selection_of({name: given.pop(name) for name in TABLE_OPTIONS})
    reach = {name: given.pop(name) for name in reach_names()}
    scoring = {name: given.pop(name) for name in ("examinees", "condition", "judge", "policy")}
    sources = {one.name: given.pop(one.name) for one in SOURCES}
    source = Source(data, scoring_of(**scoring, reach=reach), table, **sources)
    named = {"model": model, "groups": groups, "reference": reference, "clusters": clusters,
             "force": force or None, "seed": seed or None}  # fmt: skip
    analysis = analyze_items(source, options_file, named, Wanted(seed=seed, **given))
    return put(analysis, as_json, page, judged=True)
