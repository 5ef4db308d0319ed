"""Every command in the documentation runs, and the generated pages are up to date."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
CONSOLE = re.compile(r"```console\n(.*?)```", re.DOTALL)
PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)


def commands(page: Path) -> list[str]:
    """The lines behind `$ ` in a page's console blocks; a backslash continues a line."""
    text = "\n".join(CONSOLE.findall(page.read_text())).replace("\\\n", " ")
    return [line[2:] for line in text.splitlines() if line.startswith("$ ")]


def run(command: str, folder: Path) -> None:
    words = shlex.split(command, comments=True)
    assert words[0] == "gfactor", f"only gfactor commands are run: {command}"
    expected = 1 if command.endswith("# exit code 1") else 0
    done = subprocess.run(
        [sys.executable, "-c", "from gfactor.cli import main; main()", *words[1:]],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == expected, f"{command}\n{done.stdout[-500:]}\n{done.stderr[-1500:]}"


@pytest.mark.parametrize(
    "page", [p for p in PAGES if CONSOLE.search(p.read_text())], ids=lambda p: p.name
)
def test_the_commands_of_a_page_run_in_their_order(page: Path, tmp_path: Path) -> None:
    for command in commands(page):
        run(command, tmp_path)
    for code in PYTHON.findall(page.read_text()):
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{page.name}: {done.stderr[-1500:]}"


def test_the_generated_pages_are_up_to_date() -> None:
    # In a process of its own: other tests register examinees and domains of theirs in this one.
    done = subprocess.run(
        [sys.executable, str(ROOT / "docs" / "generate.py"), "--check"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_links_between_pages_lead_somewhere() -> None:
    for page in [*PAGES, ROOT / "ARCHITECTURE.md"]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_no_page_names_a_machines_path() -> None:
    for page in [*PAGES, ROOT / "ARCHITECTURE.md", ROOT / "CHANGELOG.md"]:
        assert not re.search(r"/(work|root|home|tmp)/", page.read_text()), page.name
