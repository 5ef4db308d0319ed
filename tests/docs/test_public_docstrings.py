"""Every public name of the packages in the reference is described, with an example that runs."""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.examples import Examples
from support.tiers import slow

ROOT = Path(__file__).parents[2]
HEADING = re.compile(r"^([A-Z]\w+)\n-{3,}$", re.MULTILINE)
ENTRY = re.compile(r"^(\**\w+(?:, \**\w+)*) : (\S.*)\n    \S", re.MULTILINE)
SAID_BY_GF = {"gfactor", "gfactor.api.study", "gfactor.api.annotate", "gfactor.api.datasets"}
"""tests/api/test_public_names.py holds what is said of these."""


def public() -> tuple[str, ...]:
    """The tuple `PUBLIC` of docs/api_pages.py, read without the extra `docs`."""
    tree = ast.parse((ROOT / "docs" / "api_pages.py").read_text("utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "PUBLIC":
            return ast.literal_eval(node.value)
    raise AssertionError("docs/api_pages.py has no PUBLIC")


def names() -> Iterator[tuple[str, str]]:
    """Package and name of every public function, and of every class outside psychometrics, once.

    Result classes of psychometrics follow one protocol, `gfactor.results.Result`.
    """
    seen = set()
    for package in sorted(set(public()) - SAID_BY_GF):
        for name in importlib.import_module(package).__all__:
            thing = getattr(importlib.import_module(package), name)
            kind = inspect.isfunction(thing) or (
                inspect.isclass(thing) and "psychometrics" not in package
            )
            if kind and (thing.__module__, name) not in seen:
                seen.add((thing.__module__, name))
                yield package, name


NAMES = list(names())


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Examples:
    return Examples(tmp_path_factory.mktemp("examples"))


def sections(thing: Any) -> dict[str, str]:
    first, *parts = HEADING.split(inspect.getdoc(thing) or "")
    return {"": first, **dict(zip(parts[::2], parts[1::2], strict=True))}


def arguments(thing: Any) -> list[str]:
    """What a caller can give: a function's parameters, a class's public fields."""
    if inspect.isclass(thing) and dataclasses.is_dataclass(thing):
        names = [one.name for one in dataclasses.fields(thing)]
        return [name for name in names if not name.startswith("_")]
    if inspect.isclass(thing) and getattr(thing, "_is_protocol", False):
        return list(thing.__annotations__)
    return [one for one in inspect.signature(thing).parameters if one != "self"]


LONG = {
    "Audit", "audit_bank", "bootstrap_efa", "check_domain", "make_tables", "sympson_hetter",
    "write_report",
}  # fmt: skip
"""Names with examples that wait for `make test-all`: simulations, audits and whole reports."""


def test_there_are_names_enough_for_a_reference() -> None:
    assert len(NAMES) > 110


@pytest.mark.thorough
@pytest.mark.parametrize(("package", "name"), NAMES, ids=lambda one: one)
def test_a_public_name_is_described(package: str, name: str) -> None:
    thing = getattr(importlib.import_module(package), name)
    said = sections(thing)
    assert said[""].split("\n", 1)[0].strip()
    described = [
        one.strip("* ") for match in ENTRY.finditer(said.get("Parameters", ""))
        for one in match[1].split(",")
    ]  # fmt: skip
    assert described == arguments(thing)
    if inspect.isfunction(thing) and thing.__annotations__.get("return") != "None":
        assert re.match(r"\s*\S.*\n    \S", said["Returns"])
    if "Raises" in said:
        assert re.match(r"\s*\w+Error.*\n    \S", said["Raises"])
    assert ">>> " in said["Examples"]


@pytest.mark.parametrize(
    ("package", "name"),
    [pytest.param(*one, marks=[slow] * (one[1] in LONG)) for one in NAMES],
    ids=lambda one: one,
)
def test_the_example_of_a_public_name_runs(
    package: str, name: str, tmp_path: Path, examples: Examples
) -> None:
    text = inspect.getdoc(getattr(importlib.import_module(package), name)) or ""
    outcome, told = examples.run(examples.parsed(text, name), tmp_path)
    assert outcome.attempted
    assert outcome.failed == 0, told
