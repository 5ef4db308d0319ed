"""What is not needed is not loaded: help and the version come at once."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import gfactor.cli
from gfactor.cli import cli

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


@pytest.mark.parametrize(
    "words",
    [("--help",), ("--version",), ("analyze", "--help"), ("study", "--help"),
     ("annotate", "--help"), ("campaign", "--help")],
    ids=" ".join,
)  # fmt: skip
def test_help_and_version_load_nothing_heavy(words: tuple[str, ...]) -> None:
    code = "from gfactor.cli import main\ntry: main()\nexcept SystemExit: pass"
    assert not loaded_by(code, *words) & set(HEAVY)


def test_an_interval_waits_for_no_path_model() -> None:
    loaded = loaded_by("from gfactor.psychometrics import wilson, reliability, rank_sets")
    assert "gfactor.psychometrics.inference.intervals" in loaded
    assert not loaded & {
        "gfactor.psychometrics.pls", "gfactor.psychometrics.sem", "scipy.stats",
        "gfactor.psychometrics.factor.exploratory",
    }  # fmt: skip


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
    assert set(psychometrics.__all__) <= set(dir(psychometrics))
    with pytest.raises(AttributeError, match="no attribute 'fit_plz'"):
        psychometrics.fit_plz  # noqa: B018  # pyright: ignore[reportAttributeAccessIssue]


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
    shown = " ".join(capsys.readouterr().out.partition("Commands:")[2].split())
    assert "audit What is wrong with an item bank, or with the rows of score matrices." in shown
    assert "import Take the items and answers in logs" in shown
    assert "..." not in shown
