"""What is not needed is not loaded: help and the version come at once."""

from __future__ import annotations

import ast
import importlib
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import get_args

import pytest

import gfactor.cli
from gfactor.cli import cli
from gfactor.cli.constants import declared
from gfactor.cli.plug_ins import plugged

COMMANDS = Path(gfactor.cli.__file__).parent
FOLDERS = ("verbs", "analyses", "studies", "annotations", "campaigns")
FILES = sorted(
    path for name in FOLDERS for path in (COMMANDS / name).glob("*.py") if path.stem != "__init__"
)
HEAVY = (
    "aiohttp", "cv2", "joblib", "matplotlib", "numpy", "pandas", "pyarrow", "scipy", "sqlalchemy",
    "starlette", "gfactor.items", "gfactor.psychometrics",
)  # fmt: skip


def loaded_by(code: str, *words: str) -> set[str]:
    """The modules that a process has loaded after `code`."""
    code += "\nimport sys; print('\\n' + ' '.join(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, check=True
    )
    return set(done.stdout.splitlines()[-1].split())


HELP = """
import json, sys
from gfactor.cli import main
for words in json.loads(sys.argv[1]):
    sys.argv = ["gfactor", *words]
    try: main()
    except SystemExit: pass
"""
GROUPS = ("analyze", "study", "annotate", "campaign")


@pytest.mark.thorough
def test_help_and_version_load_nothing_heavy() -> None:
    calls = [["--help"], ["--version"], *([group, "--help"] for group in GROUPS)]
    loaded = loaded_by(HELP, json.dumps(calls))
    assert "gfactor.cli.folder" in loaded
    assert not loaded & set(HEAVY)


RENDER = """
import importlib, sys, click
for home, name in [word.rsplit(".", 1) for word in sys.argv[1:]]:
    command = importlib.import_module(f"{home}.{name}").command
    assert command.get_help(click.Context(command)).startswith("Usage: ")
"""


@pytest.mark.thorough
def test_the_help_of_a_command_loads_nothing_heavy() -> None:
    assert len(FILES) > 70
    loaded = loaded_by(RENDER, *(f"gfactor.cli.{p.parent.name}.{p.stem}" for p in FILES))
    assert "gfactor.cli.verbs.run" in loaded
    assert "gfactor.benchmarks" not in loaded
    assert not loaded & (set(HEAVY) - {"gfactor.psychometrics"})
    assert not [name for name in loaded if name.startswith("gfactor.psychometrics.")]


def declarations() -> list[tuple[str, str]]:
    """The calls of `declared` in the command line."""
    calls = [
        node
        for path in sorted(COMMANDS.rglob("*.py"))
        if path.stem != "constants"
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "declared"
    ]
    return [tuple(ast.literal_eval(word) for word in call.args) for call in calls]


def test_what_is_read_in_a_file_is_what_its_module_has() -> None:
    assert len(declarations()) > 3
    for module, name in declarations():
        value = getattr(importlib.import_module(module), name)
        words = get_args(value) or (tuple(value) if isinstance(value, Mapping) else value)
        assert declared(module, name) == words, (module, name)
    with pytest.raises(LookupError, match="declares no NOWHERE"):
        declared("gfactor.cli.constants", "NOWHERE")
    with pytest.raises(LookupError, match="is not a constant"):
        declared("gfactor.benchmarks.selection.method", "METHODS")


REGISTRIES = [
    ("gfactor.administration.imports.base", "IMPORTS"),
    ("gfactor.benchmarks.benchmark", "BENCHMARKS"),
    ("gfactor.benchmarks.postprocess.transformation", "TRANSFORMATIONS"),
    ("gfactor.benchmarks.selection.method", "METHODS"),
]


@pytest.mark.parametrize(("module", "name"), REGISTRIES, ids=lambda word: word)
def test_what_files_declare_of_plug_ins_is_what_they_register(module: str, name: str) -> None:
    registered = getattr(importlib.import_module(module), name)
    listed = plugged(module, name)
    assert [one.name for one in listed] == list(registered)
    for one, thing in zip(listed, registered.values(), strict=True):
        field = {"BENCHMARKS": "description", "IMPORTS": "__doc__"}.get(name, "about")
        assert one.about == getattr(thing, field)
        if name == "METHODS":
            options = [(o.name, o.default, o.metavar, o.help) for o in thing.options]
            assert list(one.options) == options


OTHER = """
from gfactor.benchmarks.selection import METHODS, Method, register
register(Method(**{"name": "first", "about": "The first item.", "source": "", "options": (),
                   "choose": None}))
"""


@pytest.mark.thorough
def test_help_names_the_plug_in_of_another_package(tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text(OTHER, "utf-8")
    entries = tmp_path / "other-1.dist-info" / "entry_points.txt"
    entries.parent.mkdir()
    entries.write_text("[gfactor.selections]\nfirst = other\n", "utf-8")
    (entries.parent / "METADATA").write_text("Name: other\nVersion: 1\n", "utf-8")
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from gfactor.cli import main; main()"
    )
    words = [sys.executable, "-c", code, "select", "--help"]
    shown = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert "first: The first item." in shown
    assert "stratified: A random sample of every combination of labels." in shown


@pytest.mark.slow
def test_an_interval_waits_for_no_path_model() -> None:
    loaded = loaded_by("from gfactor.psychometrics import wilson, reliability, rank_sets")
    assert "gfactor.psychometrics.inference.intervals" in loaded
    assert not loaded & {
        "gfactor.psychometrics.pls", "gfactor.psychometrics.sem", "scipy.stats",
        "gfactor.psychometrics.factor.exploratory",
    }  # fmt: skip


@pytest.mark.slow
def test_a_plain_fit_waits_for_nothing_that_it_does_not_need(tmp_path: Path) -> None:
    """Nor do its text, reliability and modification indices."""
    rows = "\n".join(f"{k % 7},{(k * 3) % 11},{(k * k) % 5},{(k * 7) % 13}" for k in range(60))
    (tmp_path / "d.csv").write_text("a,b,c,d\n" + rows + "\n", "utf-8")
    words = ("analyze", "cfa", str(tmp_path / "d.csv"), "--model", "f =~ a + b + c + d")
    code = "from gfactor.cli import main\ntry: main()\nexcept SystemExit: pass"
    loaded = loaded_by(code, *words)
    assert "gfactor.psychometrics.sem.fitting" in loaded
    sem = ("batches", "bootstrapping", "comparison", "measurement_invariance", "ordinal", "scores",
           "simulation")  # fmt: skip
    unwanted = {f"gfactor.psychometrics.sem.{name}" for name in sem}
    unwanted |= {
        "gfactor.administration", "gfactor.psychometrics.inference.differences", "gfactor.reports",
        "gfactor.scoring", "matplotlib", "scipy.optimize", "scipy.stats", "sqlalchemy",
    }  # fmt: skip
    assert not loaded & unwanted


@pytest.mark.slow
def test_importing_the_models_loads_none_of_them() -> None:
    loaded = loaded_by("from gfactor.psychometrics import sem; assert sem.fit and sem.bootstrap")
    assert "gfactor.psychometrics.sem.fitting" in loaded
    assert "gfactor.psychometrics.sem.ordinal.fit" not in loaded_by(
        "from gfactor.psychometrics.sem import fit, Options"
    )
    loaded = loaded_by("import gfactor.psychometrics.sem")
    assert not [name for name in loaded if name.startswith("gfactor.psychometrics.sem.")]


def test_what_is_loaded_later_is_the_same_object() -> None:
    from gfactor import psychometrics  # noqa: PLC0415
    from gfactor.psychometrics.pls import fit_pls  # noqa: PLC0415

    assert psychometrics.fit_pls is fit_pls
    assert set(vars(psychometrics)["__all__"]) <= set(dir(psychometrics))
    with pytest.raises(AttributeError, match="no attribute 'fit_plz'"):
        psychometrics.fit_plz  # noqa: B018  # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.thorough
@pytest.mark.parametrize("path", FILES, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_a_command_is_told_by_the_line_its_file_begins_with(path: Path) -> None:
    name = path.stem.removesuffix("_").replace("_", "-")
    group = {"analyses": "analyze ", "studies": "study ", "annotations": "annotate ",
             "campaigns": "campaign "}  # fmt: skip
    line = (ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "").partition("\n")[0]
    assert line.startswith(f"gfactor {group.get(path.parent.name, '')}{name}: ")
    assert line[-1] in ".?"


def test_the_line_is_the_one_that_help_shows(capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(["--help"], standalone_mode=False)
    text = " ".join(capsys.readouterr().out.split())
    assert "audit Find defects of an item bank: leaks, cues, wrong keys, duplicates." in text
    assert "import Import items and answers from the logs of another harness." in text
    assert "..." not in text.partition("Banks:")[2]
