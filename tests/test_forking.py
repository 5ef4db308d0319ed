"""Processes that are forked after collecting run every test once and say what happened in it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support.forking import groups

TESTS = Path(__file__).parent
CONFTEST = """
import os
import pytest
from support.forking import Forking

def pytest_configure(config):
    config.pluginmanager.register(Forking(2, lambda file: "both" if "_b" in file else file))

@pytest.fixture(scope="session")
def made():
    yield os.getpid()
    open("cleared", "a").write("x")
"""
FILES = {
    "test_a.py": """
import os, signal

def test_first():
    pass

def test_killed():
    os.kill(os.getpid(), signal.SIGKILL)

def test_after(tmp_path):
    assert not list(tmp_path.iterdir())
""",
    "test_b1.py": """
import os

def test_made(made):
    open("number", "w").write(str(made))

def test_failing(made, tmp_path):
    print("what it printed")
    assert os.getpid() == 0
""",
    "test_b2.py": """
def test_same_process(made):
    assert open("number").read() == str(made)
""",
}


def test_files_that_share_are_one_group_and_large_groups_come_first() -> None:
    names = ["a.py::x", "b.py::x[::1]", "b.py::y", "c.py::x", "d.py::z"]
    shared = {"c.py": "b.py"}
    assert groups(names, lambda file: shared.get(file, file)) == [[1, 2, 3], [0], [4]]


def run(folder: Path, *words: str) -> str:
    """Write the files above into a folder, run their tests, and return what is printed."""
    for name, text in {"conftest.py": CONFTEST, **FILES}.items():
        (folder / name).write_text(text, "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-c", os.devnull, "--rootdir", ".", "-p",
         "no:cacheprovider", "-q", *words],
        cwd=folder, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(TESTS), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """What a run of the files above says, and its folder."""
    folder = tmp_path_factory.mktemp("forking")
    return run(folder, "-rA"), folder


def test_a_run_that_ends_at_the_first_failure_waits_for_its_processes(tmp_path: Path) -> None:
    assert "stopping after 1 failures" in run(tmp_path, "-x", "test_b1.py", "test_b2.py")
    assert (tmp_path / "cleared").read_text() == "x"


def test_every_test_runs_once_and_a_killed_process_fails_its_test_alone(
    said: tuple[str, Path],
) -> None:
    found = sorted(re.findall(r"^(PASSED|FAILED) (\S+)", said[0], re.MULTILINE))
    assert found == [
        ("FAILED", "test_a.py::test_killed"), ("FAILED", "test_b1.py::test_failing"),
        ("PASSED", "test_a.py::test_after"), ("PASSED", "test_a.py::test_first"),
        ("PASSED", "test_b1.py::test_made"), ("PASSED", "test_b2.py::test_same_process"),
    ]  # fmt: skip
    assert "the process of this test was ended by signal 9" in said[0]


def test_what_a_failing_test_printed_is_shown(said: tuple[str, Path]) -> None:
    assert said[0].count("what it printed") >= 1
    assert "assert os.getpid() == 0" in said[0]


def test_what_tests_of_a_process_share_is_cleared_once_at_its_end(said: tuple[str, Path]) -> None:
    assert (said[1] / "cleared").read_text() == "x"
