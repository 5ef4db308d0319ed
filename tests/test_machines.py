"""`.ci/machines.py` compares what machines make, and its lowest versions are the promised ones."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parents[1]


def load() -> Any:
    """Load the program, which is in no package."""
    spec = importlib.util.spec_from_file_location("machines", ROOT / ".ci" / "machines.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


machines = load()


def requirements(project: dict[str, Any], extra: str) -> list[Requirement]:
    """Return the requirements of an extra and of those that it is made of."""
    found = []
    for line in project["optional-dependencies"][extra]:
        one = Requirement(line)
        if one.name == project["name"]:
            found += [inner for name in one.extras for inner in requirements(project, name)]
        else:
            found.append(one)
    return found


def test_the_lowest_versions_that_are_tested_are_those_of_pyproject() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    tested = dict(
        re.findall(r"^([a-z0-9-]+)==(\S+)$", (ROOT / ".ci/lowest.txt").read_text("utf-8"), re.M)
    )
    wanted = [*map(Requirement, project["dependencies"]), *requirements(project, "dev")]
    assert len(wanted) > 30
    for one in wanted:
        (floor,) = (Version(s.version) for s in one.specifier if s.operator == ">=")
        version = Version(tested[one.name.lower().replace("_", "-")])
        assert version.release[: len(floor.release)] == floor.release, one


def test_no_line_of_the_lowest_versions_names_a_host() -> None:
    lines = (ROOT / ".ci/lowest.txt").read_text("utf-8").splitlines()
    assert all(re.fullmatch(r"[a-z0-9-]+==[0-9][\w.]*", line) for line in lines)


def test_the_passes_differ_in_every_setting() -> None:
    passes = machines.PASSES
    assert {one.kernel for one in passes} >= {"Nehalem", "Haswell", "Zen", "SkylakeX"}
    assert {one.threads for one in passes} == {1, 2}
    assert {one.venv for one in passes} == {".venv", ".venv-lowest", ".venv-newest"}
    assert sum(one.simd == machines.PLAIN for one in passes) == 1
    assert len({one.hash_seed for one in passes}) > 2


def test_a_pass_sets_what_it_names_and_nothing_of_the_caller_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Prescott")
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "7")
    monkeypatch.setenv("PYTHONPATH", "elsewhere")
    found = machines.environment(machines.Pass("p", kernel="Zen", threads=2, hash_seed=5))
    assert found["OPENBLAS_CORETYPE"] == "Zen"
    assert found["OPENBLAS_NUM_THREADS"] == "2"
    assert found["PYTHONHASHSEED"] == "5"
    assert "PYTHONPATH" not in found
    assert "OPENBLAS_CORETYPE" not in machines.environment(machines.Pass("p"))


def test_a_pass_that_needs_another_processor_is_left_out_with_the_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one = machines.Pass("p", needs="avx512f")
    monkeypatch.setattr(machines, "processor_flags", lambda: {"sse4_2", "avx2"})
    assert machines.left_out(one) == "this processor has no avx512f"
    monkeypatch.setattr(machines, "processor_flags", lambda: {"avx512f"})
    assert machines.left_out(one) == ""


def test_without_a_newer_python_its_pass_has_the_one_of_make_test(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    one = machines.Pass("p", venv=".venv-newest")
    monkeypatch.setattr(machines, "ROOT", tmp_path)
    (tmp_path / ".venv-newest").mkdir()
    assert one.python == tmp_path / ".venv-newest" / "bin" / "python"
    (tmp_path / ".venv-newest" / ".none").write_text(
        "no Python newer than 3.11 is installed here\n"
    )
    assert one.python == tmp_path / ".venv" / "bin" / "python"
    assert one.without_newest == "no Python newer than 3.11 is installed here"
    assert machines.left_out(one) == ""


@pytest.mark.thorough
def test_processor_features_are_names_that_numpy_takes() -> None:
    names = machines.processor_features(Path(sys.executable))
    assert all(re.fullmatch(r"[A-Z0-9_]+", name) for name in names)


@pytest.mark.parametrize(
    ("one", "two", "found"),
    [
        ("a,b\n1,0.25\n", "a,b\n1,0.25000000001\n", ""),
        ("a,b\n1,0.25\n", "a,b\n1,0.25001\n", "row 1 has '0.25' and '0.25001'"),
        ("a,b\nx,1\n", "a,b\ny,1\n", "row 1 has 'x' and 'y'"),
        ("a\n\n1e-300\n", "a\n\n0.0\n", ""),
        ("a\n1\n", "a\n1\n2\n", "2 rows and 3 rows, or other columns"),
        ("a\nnan\n", "a\n1\n", "row 1 has 'nan' and '1'"),
    ],
)
def test_numbers_may_differ_by_rounding_and_words_not_at_all(
    tmp_path: Path, one: str, two: str, found: str
) -> None:
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder, text in zip(folders, (one, two), strict=True):
        (folder / "numbers").mkdir(parents=True)
        (folder / "numbers" / "t.csv").write_text(text)
        (folder / "digests.json").write_text(json.dumps({"items": "a1"}))
    expected = [f"numbers/t.csv: {found}"] if found else []
    assert list(machines.differences(*folders)) == expected


def test_other_bytes_and_missing_tables_are_named(tmp_path: Path) -> None:
    for name, digests in (("one", {"items": "a1", "x": "b"}), ("two", {"items": "a2"})):
        (tmp_path / name / "numbers").mkdir(parents=True)
        (tmp_path / name / "digests.json").write_text(json.dumps(digests))
    (tmp_path / "one" / "numbers" / "t.csv").write_text("a\n")
    assert list(machines.differences(tmp_path / "one", tmp_path / "two")) == [
        "items: other bytes",
        "x: other bytes",
        "numbers/t.csv: only one of the two has it",
    ]


@pytest.mark.thorough
def test_the_python_that_is_found_has_the_version_that_is_wanted() -> None:
    assert machines.starts(sys.executable, f"{sys.version_info.major}.{sys.version_info.minor}")
    assert not machines.starts(sys.executable, "2.0")
    assert not machines.starts(str(ROOT / "README.md"), "3.11")
    assert machines.find_python("2.0") == ""
