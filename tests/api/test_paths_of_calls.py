"""A value that is no path, and a name that is no parameter, are refused in a sentence."""

from __future__ import annotations

import inspect
import pickle
import re
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, cast

import pytest

import gfactor as gf
from gfactor.errors import GfactorError, ParameterError, UnknownNameError


def functions(module: ModuleType, before: str = "gf") -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every public function by its name."""
    for name in module.__all__:
        found = getattr(module, name)
        if inspect.ismodule(found):
            yield from functions(found, f"{before}.{name}")
        elif inspect.isfunction(found):
            yield f"{before}.{name}", found


def paths() -> Iterator[tuple[str, Callable[..., Any], str, set[str]]]:
    """Every parameter of a public function that is a path, and the words of its annotation."""
    for name, function in functions(gf):
        for parameter in inspect.signature(function).parameters.values():
            words = set(re.findall(r"\w+", str(parameter.annotation)))
            single = parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
            if "Path" in words and single:
                yield name, function, parameter.name, words


def required(function: Callable[..., Any], without: str) -> dict[str, Any]:
    """Something for each parameter that has no default."""
    return {
        name: "no such file" for name, one in inspect.signature(function).parameters.items()
        if one.default is one.empty and name != without
        and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
    }  # fmt: skip


WRONG: tuple[tuple[Any, set[str]], ...] = (
    ({"a": {"input": 3}}, {"Mapping", "dict"}),
    (3, {"int"}),
    (["a.toml"], {"Sequence", "Iterable", "list"}),
)
"""A value that is no path, and the words of an annotation that allow it."""


def test_no_path_may_be_a_dict_a_number_or_a_list() -> None:
    tried, loose = 0, []
    for name, function, parameter, words in paths():
        for value, allowed in WRONG:
            if words & allowed:
                continue
            tried += 1
            try:
                function(**{**required(function, parameter), parameter: value})
            except GfactorError:
                continue
            except Exception as error:
                loose.append(f"{name}({parameter}={value!r}): {type(error).__name__}: {error}")
            else:
                loose.append(f"{name}({parameter}={value!r}) is accepted")
    assert not loose
    assert tried > 300


def test_the_refusal_says_what_the_path_is() -> None:
    with pytest.raises(ParameterError) as refused:
        gf.run("b.parquet", ["openai:x"], journal="c.db", prices={"x": {}})  # type: ignore[arg-type]
    assert str(refused.value).startswith(
        'prices of run is a path, not a dict: TOML file of prices per million tokens: a table ["MOD'
    )
    with pytest.raises(ParameterError, match="packs of run is a path, not an int"):
        gf.run("b.parquet", ["openai:x"], journal="c.db", packs=3)  # type: ignore[arg-type]


def test_a_wrong_name_is_answered_with_the_closest_parameter_of_the_function() -> None:
    calls: tuple[tuple[Any, str, str], ...] = (
        (gf.leaderboard, "bank", "banks"), (gf.leaderboard, "https_", "https"),
        (gf.score, "examinee", "examinees"), (gf.score, "price", "prices"),
        (gf.profile, "calibrations", "calibration"), (gf.place_examinee, "bank", "banks"),
    )  # fmt: skip
    for function, given, meant in calls:
        with pytest.raises(UnknownNameError, match=f"'{given}'; did you mean '{meant}'"):
            cast(Any, function)("c.db", **{given: 1})


def test_a_checked_function_can_be_sent_to_another_process() -> None:
    assert pickle.loads(pickle.dumps(gf.score)) is gf.score
    assert gf.score.__name__ == "score"
    assert gf.score.__doc__
