"""Groups of options that a command's body gets as one object: each is declared once, in Python."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gfactor.cli.declarations import Parameter, declaration, group_of
from gfactor.cli.options import Decorator
from gfactor.cli.spelling import options_of, reach_names, scored_names

CONDITIONS = ("condition", "packs", "captions", "captions_by", "shots_from", "knowledge")
"""Parameters of functions that ask items; `condition_options` are their options."""


def composed(
    name: str,
    parameters: Callable[[], Sequence[Parameter]],
    make: Callable[[dict[str, Any]], Any],
    spelled: Mapping[str, str] | None = None,
) -> Decorator:
    """Return options of which a command's body gets one object.

    Parameters
    ----------
    name : str
        The body's parameter.
    parameters : function
        Returns the options; it is called by the commands that have them.
    make : function
        Makes the object of their values by name.
    spelled : mapping, optional
        As in `gfactor.cli.deriving.Verb`.
    """

    def added(command: Any) -> Any:
        options = parameters()

        @functools.wraps(command)
        def composing(**given: Any) -> Any:
            values = {one.name: given.pop(one.name) for one in options}
            return command(**{name: make(values)}, **given)

        return options_of(options, spelled or {})(composing)

    return added


def _reach(values: Mapping[str, Any]) -> Any:
    from gfactor.api.reach import reach_of

    return reach_of(values)


def _scoring(values: dict[str, Any]) -> Any:
    from gfactor.api.scoring import Scoring
    from gfactor.scoring.policies import BENCHMARKS_POLICY

    reach = _reach({name: values.pop(name) for name in reach_names()})
    given = {"--examinee": values["examinees"], "--condition": values["condition"],
             "--judge": values["judge"], "--policy": values["policy"] != BENCHMARKS_POLICY,
    }  # fmt: skip
    named = tuple(name for name, value in given.items() if value)
    return Scoring.checked(values.pop("examinees"), **values, reach=reach, named=named)


def _given(values: Mapping[str, Any]) -> Any:
    from gfactor.administration.condition_text import read_condition
    from gfactor.administration.preparing import Files
    from gfactor.api.administering import Given

    names = ("packs", "captions", "knowledge", "shots_from")
    packs, captions, knowledge, shots = (values[name] for name in names)
    files = Files(packs, captions, None, knowledge, shots)
    return Given(read_condition(values["condition"]), files, values["captions_by"])


def _selection(values: Mapping[str, Any]) -> Any:
    from gfactor.api.table_selection import TableSelection

    return TableSelection(**values)


endpoint_options = composed("reach", lambda: group_of("gfactor.api.reach", "ReachOptions"), _reach)
scoring_options = composed(
    "scoring",
    lambda: [one for one in declaration("score").parameters if one.name in scored_names()],
    _scoring,
)
condition_options = composed(
    "given",
    lambda: [one for one in declaration("run").parameters if one.name in CONDITIONS],
    _given,
    {
        "condition": "--condition NAME=VALUE,...", "packs": "--pack FILE",
        "captions_by": "--captions-by SPEC", "shots_from": "--shots-from BANK",
    },
)  # fmt: skip
table_options = composed(
    "selection",
    lambda: group_of("gfactor.api.table_selection", "TableSelection"),
    _selection,
    {
        "columns": "--columns NAMES", "drop": "--drop NAMES", "identifier": "--id COLUMN",
        "where": "--where CONDITION",
    },
)  # fmt: skip
