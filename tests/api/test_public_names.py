"""`import gfactor as gf` offers everything, loads nothing, and describes every name."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest
from support.examples import Examples
from support.warm_servers import CHEAP

import gfactor as gf
from gfactor.studies.web import secrets

PACKAGES = ("annotate", "campaign", "datasets", "study")
OFFERED: list[str] = vars(gf)["__all__"]
NAMES = [name for name in OFFERED if name not in PACKAGES]
FUNCTIONS = NAMES + [
    f"{package}.{name}" for package in PACKAGES for name in getattr(gf, package).__all__
]
WITHOUT_RETURN = {"annotate.serve", "campaign.view", "study.serve"}
"""They serve until they are interrupted, which no example can wait for."""
LONG = {
    "annotate.gold", "annotate.responses", "audit", "calibrate", "calibrate_each",
    "campaign.CampaignStatus", "campaign.run", "compare", "compare_sequentially", "demo", "dif",
    "explain_difference", "form", "gap", "gtheory", "leaderboard", "matrix", "norms", "place",
    "plan_calibration", "profile", "profile_each", "rank_abilities", "report", "run_adaptive",
    "study.preview", "study.result_links", "study.simulate", "update_calibration", "variants",
}  # fmt: skip
"""Their examples take more than a quarter of a second."""
HEAVY = (
    "aiohttp", "click", "cv2", "joblib", "matplotlib", "numpy", "pandas", "pyarrow", "scipy",
    "sqlalchemy", "tqdm", "gfactor.api", "gfactor.errors", "gfactor.items",
    "gfactor.psychometrics",
)  # fmt: skip
SOURCE = Path(gf.__file__)
HEADING = re.compile(r"^(\w+)\n-+$", re.MULTILINE)
PARAMETER = re.compile(r"^(\**\w+) : (\S.*)$", re.MULTILINE)


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Examples]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(secrets._COST, "n", CHEAP)
        yield Examples(tmp_path_factory.mktemp("examples"))


def offered(name: str) -> Any:
    """What `gf` has under a name, with a dot for what is in a package."""
    found: Any = gf
    for part in name.split("."):
        found = getattr(found, part)
    return found


def sections(documented: Any) -> dict[str, str]:
    """A docstring's sections by their headings, "" for what stands above the first."""
    first, *parts = HEADING.split(inspect.getdoc(documented) or "")
    return {"": first, **dict(zip(parts[::2], parts[1::2], strict=True))}


def test_the_import_loads_nothing_else() -> None:
    code = "import gfactor, sys; dir(gfactor); print(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "gfactor" in loaded
    assert not loaded & set(HEAVY)


@pytest.mark.slow
def test_a_model_of_scores_waits_for_no_journal_and_no_page() -> None:
    code = "import gfactor, sys; gfactor.sem, gfactor.reliability; print(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "gfactor.psychometrics.sem.fitted" in loaded
    assert not loaded & {"gfactor.administration", "gfactor.items", "gfactor.reports", "sqlalchemy"}


@pytest.mark.slow
def test_scoring_waits_for_no_model_of_abilities_and_no_plan() -> None:
    code = "import gfactor, sys; gfactor.score, gfactor.report; print(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "gfactor.scoring.score" in loaded
    assert not loaded & {
        "gfactor.api.scales.calibrated", "gfactor.psychometrics.irt.fit",
        "gfactor.psychometrics.planning", "scipy.stats",
    }  # fmt: skip


def test_every_name_is_there_and_listed() -> None:
    assert sorted(OFFERED) == OFFERED
    assert set(OFFERED) <= set(dir(gf))
    assert all(name.startswith("__") for name in set(dir(gf)) - set(OFFERED))
    for name in NAMES:
        assert getattr(gf, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'buidl'"):
        gf.buidl  # noqa: B018  # pyright: ignore[reportAttributeAccessIssue]


def test_type_checkers_see_the_same_names() -> None:
    assert SOURCE.with_name("py.typed").exists()
    tree = ast.parse(SOURCE.read_text("utf-8"))
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    seen = {
        alias.name: node.module
        for node in ast.walk(block) if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }  # fmt: skip
    packages = dict.fromkeys(PACKAGES, "gfactor.api")
    assert seen == packages | {name: getattr(gf, name).__module__ for name in NAMES}


def as_written(function: Any) -> Any:
    """The function with the signature of its source: a group of options as `**reach`."""
    function = inspect.unwrap(function)
    if "__signature__" not in vars(function):
        return function
    copy = FunctionType(function.__code__, function.__globals__, function.__name__)
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_name_is_described(name: str) -> None:
    documented = sections(offered(name))
    assert documented[""].split("\n", 1)[0].rstrip()[-1] in ".?"
    if inspect.isclass(offered(name)):
        assert {"Parameters", "Examples"} <= set(documented)
        return
    needed = {"Parameters", "Raises", "Examples"}
    if name not in WITHOUT_RETURN:
        needed.add("Returns")
    assert needed <= set(documented)
    assert set(documented) <= {"", "Parameters", "Returns", "Raises", "References", "Examples"}
    signature = inspect.signature(as_written(offered(name)))
    stars = {inspect.Parameter.VAR_KEYWORD: "**", inspect.Parameter.VAR_POSITIONAL: "*"}
    wanted = [stars.get(p.kind, "") + p.name for p in signature.parameters.values()]
    assert [m[0] for m in PARAMETER.findall(documented["Parameters"])] == wanted
    if "Returns" in needed:
        assert re.search(r"^\w.*\n    \S", documented["Returns"], re.MULTILINE)
    assert re.search(r"^\w*Error\n    \S", documented["Raises"], re.MULTILINE)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] if name in LONG else [])
        for name in sorted(set(FUNCTIONS) - WITHOUT_RETURN)
    ],
)
def test_the_example_of_every_name_runs(name: str, tmp_path: Path, examples: Examples) -> None:
    test = examples.parsed(inspect.getdoc(offered(name)) or "", name)
    assert any(f"gf.{name}" in example.source for example in test.examples)
    assert not any("+SKIP" in example.source for example in test.examples)
    outcome, told = examples.run(test, tmp_path)
    assert outcome.failed == 0, told


def test_one_word_for_one_thing() -> None:
    """Models come first, then data; resamples are `n_bootstrap`, generators `seed`."""
    for name in FUNCTIONS:
        words = list(inspect.signature(offered(name)).parameters)
        assert not set(words) & {"draws", "resamples", "random_state"}, name
        if "model" in words and "data" in words:
            assert words[:2] == ["model", "data"], name
        by_position = [
            one for one in inspect.signature(offered(name)).parameters.values()
            if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)
        ]  # fmt: skip
        optional = [one.name for one in by_position[2:] if one.default is not one.empty]
        assert not optional or inspect.isclass(offered(name)), name
        if "n_bootstrap" in words:
            assert "seed" in words, name
