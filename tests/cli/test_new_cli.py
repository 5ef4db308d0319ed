"""`gfactor new` creates packages that work as they are: their tests pass, gfactor finds them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from support.cli import run_cli
from support.tiers import few

import gfactor
from gfactor.api.scaffolding import KINDS, SCAFFOLDS

NAMES = {
    "domain": "count_squares",
    "family": "count_forms",
    "benchmark": "street-signs",
    "import": "tiny_log",
    "estimator": "hedges_g",
}
"""A name for each kind."""
LISTED = {kind: f"{kind}s" for kind in NAMES} | {"family": "families"}


def create(kind: str, tmp_path: Path, patch: Any, capsys: Any) -> Path:
    """The folder of a new package of a kind."""
    folder = tmp_path / "package"
    done = run_cli(patch, capsys, "new", kind, NAMES[kind], "-o", str(folder), "--json")
    assert done.code == 0, done.err
    made = json.loads(done.out)
    assert (made["kind"], made["name"], made["folder"]) == (kind, NAMES[kind], str(folder))
    assert made["files"] == sorted(path.name for path in folder.iterdir())
    return folder


def as_installed(folder: Path) -> dict[str, str]:
    """An environment in which the package's entry points are those of an installed one."""
    project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
    info = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Name: {project['name']}\nVersion: {project['version']}\n")
    lines = []
    for group, entries in project.get("entry-points", {}).items():
        lines += [f"[{group}]", *(f"{name} = {target}" for name, target in entries.items())]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
    source = Path(gfactor.__file__).parents[1]
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(source)])}


def ran(*words: str, folder: Path, env: dict[str, str]) -> str:
    """What a Python process prints; it has to end well."""
    done = subprocess.run(
        [sys.executable, *words], cwd=folder, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-1500:] + done.stderr[-1500:]
    return done.stdout


def test_there_is_a_scaffold_of_every_kind() -> None:
    assert set(KINDS) == set(NAMES) == {path.name for path in SCAFFOLDS.iterdir()}


@pytest.mark.slow
@pytest.mark.parametrize("kind", few(KINDS, 1))
def test_the_test_of_a_new_package_passes(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = create(kind, tmp_path, monkeypatch, capsys)
    env = as_installed(folder)
    told = ran("-m", "pytest", "-q", "-p", "no:cacheprovider", folder=folder, env=env)
    assert " passed" in told
    assert "skipped" not in told


COMMANDS = """
import json, sys
from gfactor.cli import main
for words in json.loads(sys.argv[1]):
    sys.argv = ["gfactor", *words]
    try:
        main()
    except SystemExit as end:
        assert not end.code
"""
"""A process that runs several commands."""


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("kind", "listed"),
    few([(kind, LISTED[kind]) for kind in ("domain", "family", "benchmark", "import")], 1),
)
def test_gfactor_finds_a_new_package_by_its_entry_point(
    kind: str,
    listed: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    env = as_installed(create(kind, tmp_path, monkeypatch, capsys))
    build = {
        "domain": ("percept-v", "--domains", NAMES[kind], "--sizes", "3", "--instances", "1"),
        "family": ("chc", "--families", NAMES[kind], "--per-cell", "1", "--language", "ko"),
    }
    calls: list[tuple[str, ...]] = [("list", listed, "--json")]
    if kind in build:
        calls.append(("build", *build[kind], "-o", "bank.parquet"))
    told, _ = json.JSONDecoder().raw_decode(
        ran("-c", COMMANDS, json.dumps(calls), folder=tmp_path, env=env)
    )
    assert NAMES[kind] in {entry["family" if kind == "family" else "name"] for entry in told}
    assert (tmp_path / "bank.parquet").exists() == (kind in build)


@pytest.mark.thorough
@pytest.mark.parametrize("kind", KINDS)
def test_a_new_package_is_clean_and_has_its_own_name_everywhere(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = create(kind, tmp_path, monkeypatch, capsys)
    for file in folder.iterdir():
        text = f"{file.name}\n{file.read_text('utf-8')}".lower()
        assert not [word for word in ("plugin_name", "plugin-name", "pluginname") if word in text]
    env = dict(os.environ)
    ran("-m", "ruff", "check", "--no-cache", "--select", "E,F,I,B", ".", folder=folder, env=env)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("domane", "stars"), "unknown kind of thing to create 'domane'; did you mean 'domain'?"),
        (
            ("domain", "Stars"),
            "'Stars' cannot be the name of this domain; use at most 40",
        ),
        (("domain", "street-signs"), "small letters, digits, underscores, a letter first"),
        (("benchmark", "../signs"), "small letters, digits, hyphens, underscores, a letter"),
        (("benchmark", "a" * 41), "use at most 40 small letters"),
        (("estimator", "_g"), "'_g' cannot be the name of this estimator"),
        (("domain", "lambda"), "is the name of another Python module"),
        (("domain", "statistics"), "is the name of another Python module"),
        (("estimator", "scipy"), "is the name of another Python module"),
        (("estimator", "np"), "'np' is already a name in the module"),
        (("estimator", "diagnostic"), "'diagnostic' is already a name in the module"),
        (("estimator", "any"), "'any' is already a name in the module"),
        (("estimator", "testlet_effect"), "pytest takes a function of this name for a test"),
        (("domain", "sort_lines"), "there is a domain 'sort_lines' already"),
        (("family", "matrices"), "there is a family 'matrices' already"),
        (("benchmark", "percept_v"), "there is a benchmark 'percept_v' already"),
        (("import", "lm_eval"), "there is an import 'lm_eval' already"),
        (("domain", "stars", "-o", "here"), "'here' exists; name another folder"),
        (("domain", "stars", "-o", "file"), "'file' exists; name another folder"),
        (("domain", "stars", "-o", "file/under"), "'file/under' cannot be used: Not a directory"),
    ],
)
def test_a_name_or_folder_that_cannot_be_used_is_refused_in_a_sentence(
    words: tuple[str, ...],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here").mkdir()
    (tmp_path / "file").touch()
    done = run_cli(monkeypatch, capsys, "new", *words)
    assert done.code == 2
    assert said in done.err
    assert done.err.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "here"]
    assert not list((tmp_path / "here").iterdir())


def test_the_folder_is_called_after_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run_cli(monkeypatch, capsys, "new", "estimator", "hedges_g")
    assert (tmp_path / "gfactor-hedges-g" / "hedges_g.py").exists()
    assert "cd gfactor-hedges-g && pip install -e '.[dev]' && pytest" in done.out
    assert "no registry of estimators" in done.out
