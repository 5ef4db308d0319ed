"""Public functions name what they take, so that completion in a notebook shows it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import fields
from types import ModuleType
from typing import Any

import pytest

import gfactor as gf
from gfactor.api.inputs.reach import ReachOptions
from gfactor.api.inputs.serving import LoggedServingOptions, ServingOptions
from gfactor.api.inputs.table_selection import TableOptions
from gfactor.errors import UnknownNameError
from gfactor.psychometrics.irt import fit_irt
from gfactor.psychometrics.sem import Options
from gfactor.studies.questionnaires import Study


def functions(module: ModuleType) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every public function by its name in `gf`."""
    for name in module.__all__:
        found = getattr(module, name)
        if inspect.ismodule(found):
            yield from ((f"{name}.{inner}", one) for inner, one in functions(found))
        elif inspect.isfunction(found):
            yield name, found


def names(function: Callable[..., Any]) -> list[str]:
    return list(inspect.signature(function).parameters)


def test_no_public_function_takes_anything() -> None:
    loose = [
        f"{name}({parameter.name})"
        for name, function in functions(gf)
        for parameter in inspect.signature(function).parameters.values()
        if "Any" in str(parameter.annotation).replace("NDArray[Any]", "")
    ]
    assert not loose


def test_only_what_plugs_in_has_options_of_its_own() -> None:
    """Benchmarks and clusters declare theirs; models and tables have groups of options."""
    loose = {
        name
        for name, function in functions(gf)
        for parameter in inspect.signature(function).parameters.values()
        if parameter.kind is parameter.VAR_KEYWORD
    }
    assert loose == {"build", "backend"}


def test_a_notebook_completes_every_option_of_a_group() -> None:
    for function, group in (
        (gf.score, ReachOptions),
        (gf.run, ReachOptions),
        (gf.cfa, TableOptions),
        (gf.leaderboard, ServingOptions),
        (gf.study.serve, LoggedServingOptions),
    ):
        shown = inspect.signature(function).parameters
        assert group.__annotations__.keys() <= shown.keys()
        assert not {"reach", "table", "web"} & shown.keys()
        options = [shown[name] for name in group.__annotations__]
        assert all((one.kind, one.default) == (one.KEYWORD_ONLY, ...) for one in options)
    assert str(inspect.signature(gf.run).parameters["max_cost"]) == "max_cost: 'Money' = Ellipsis"
    assert "options" in inspect.signature(gf.build).parameters


def test_models_and_studies_have_the_options_of_what_they_make() -> None:
    # `gf.irt` shows the progress itself, and takes from the table the items of one benchmark, and
    # the column `group` for the `groups` of persons.
    shared = set(names(gf.irt)) - {"benchmark", "group"}
    assert set(names(fit_irt)) - {"progress", "groups"} == shared
    for name in shared - {"data", "model"}:
        assert (
            inspect.signature(gf.irt).parameters[name].default
            == inspect.signature(fit_irt).parameters[name].default
        )
    taken = inspect.signature(gf.sem).parameters
    for field in fields(Options):
        assert taken[field.name].default == field.default
    elsewhere = {"time_limit_s", "pay", "adaptive", "media"}
    assert {field.name for field in fields(Study)} - elsewhere <= set(names(gf.study.new))


@pytest.mark.parametrize(
    "serve",
    [
        lambda **web: gf.study.serve("none", **web),
        lambda **web: gf.annotate.serve("none", **web),
        lambda **web: gf.campaign.view("none", **web),
        lambda **web: gf.leaderboard("none.db", "site", **web),
    ],
)
def test_functions_that_serve_refuse_an_option_that_they_do_not_have(
    serve: Callable[..., Any],
) -> None:
    with pytest.raises(UnknownNameError, match=r"option of \w+ 'http'; did you mean 'https'"):
        serve(http=True)


@pytest.mark.parametrize(
    "serve",
    [
        lambda **web: gf.campaign.view("none", **web),
        lambda **web: gf.leaderboard("none.db", "site", **web),
    ],
)
def test_sites_that_log_no_requests_refuse_a_log(serve: Callable[..., Any]) -> None:
    with pytest.raises(UnknownNameError, match="unknown option 'log'"):
        serve(log="requests.jsonl")
