"""Every command in the documentation runs, and the generated pages are up to date."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.warm import Warm

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
CONSOLE = re.compile(r"```console\n(.*?)```", re.DOTALL)
FILE = re.compile(r"```toml\n# (\w+\.toml)\n(.*?)```", re.DOTALL)
"""A file that the commands of a page read: its first line names it."""
PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)


def commands(page: Path) -> list[str]:
    """The lines behind `$ ` in a page's console blocks; a backslash continues a line."""
    text = "\n".join(CONSOLE.findall(page.read_text())).replace("\\\n", " ")
    return [line[2:] for line in text.splitlines() if line.startswith("$ ")]


@pytest.fixture(scope="module")
def warm() -> Iterator[Warm]:
    process = Warm()
    yield process
    process.close()


def run(command: str, folder: Path, logs: Path, warm: Warm) -> None:
    words = shlex.split(command, comments=True)
    assert words[0] == "gfactor", f"only gfactor commands are run: {command}"
    expected = 1 if command.endswith("# exit code 1") else 0
    done = warm.gfactor(words[1:], folder, logs)
    assert done.code == expected, f"{command}\n{done.out[-500:]}\n{done.err[-1500:]}"


@pytest.mark.slow
@pytest.mark.parametrize(
    "page",
    [p for p in PAGES if CONSOLE.search(p.read_text()) or PYTHON.search(p.read_text())],
    ids=lambda p: p.name,
)
def test_the_commands_of_a_page_run_in_their_order(
    page: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, warm: Warm
) -> None:
    logs = tmp_path_factory.mktemp("logs")
    for name, text in FILE.findall(page.read_text()):
        (tmp_path / name).write_text(text, "utf-8")
    for command in commands(page):
        run(command, tmp_path, logs, warm)
    for code in PYTHON.findall(page.read_text()):
        done = warm.script(code, tmp_path, logs)
        assert done.code == 0, f"{page.name}: {done.err[-1500:]}"


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


def test_the_architecture_names_what_exists() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text()
    package = ROOT / "src" / "gfactor"
    rooms = {path.name for path in package.iterdir() if path.is_dir()}
    named = [name for name in re.findall(r"`([a-z_0-9]+(?:/[a-z_0-9]+)+)/?`", text)
             if name.split("/")[0] in rooms]  # fmt: skip
    assert len(named) > 30
    missing = [name for name in named if not any(
        (package / name).with_suffix(suffix).exists() for suffix in ("", ".py"))]  # fmt: skip
    assert not missing


def test_no_page_names_a_machines_path() -> None:
    for page in [*PAGES, ROOT / "ARCHITECTURE.md", ROOT / "CHANGELOG.md"]:
        assert not re.search(r"/(work|root|home|tmp)/", page.read_text()), page.name
