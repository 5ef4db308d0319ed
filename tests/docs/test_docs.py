"""Every command in the documentation runs and prints what its page shows."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import console
import pytest
from support.tiers import left_out
from support.warm import Here, Warm

ROOT = Path(__file__).parents[2]
PAGES = console.PAGES
PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)
QUICK = {"published.md"}
"""Pages that `make test` runs; the others wait for `make test-all`."""


@pytest.fixture(scope="module")
def warm(request: pytest.FixtureRequest) -> Iterator[Warm]:
    """What runs the commands; a process that forks, where there are more than a few."""
    few = "slow" in left_out(request.config)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", console.TERMINAL)
        process = Here() if few else Warm()
        yield process
    process.close()


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=() if page.name in QUICK else pytest.mark.slow, id=page.name)
        for page in PAGES
        if console.commands(page) or PYTHON.search(page.read_text("utf-8"))
    ],
)
def test_a_page_shows_what_its_commands_print(
    page: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, warm: Warm
) -> None:
    now = console.refreshed(page, console.run_page(page, warm, tmp_path))
    assert not console.difference(page, now), (
        f"{console.difference(page, now)}\n"
        f"if the new output is right: python docs/console.py {page.stem}"
    )
    assert not console.changed_pictures(page, tmp_path)
    logs = tmp_path_factory.mktemp("logs")
    for code in PYTHON.findall(page.read_text("utf-8")):
        done = warm.script(code, tmp_path, logs)
        assert done.code == 0, f"{page.name}: {done.err[-1500:]}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_of_a_page_has_its_output_below_it(page: Path) -> None:
    assert not [step.command for step in console.commands(page) if not step.output]


PAGE = """# A page

```console
$ gfactor published mm-iq-2 \\
    --format csv
old
$ gfactor list nothing  # exit code 1
```
"""


def test_a_page_whose_outputs_have_changed_is_refreshed_and_then_agrees(
    tmp_path: Path, warm: Warm
) -> None:
    page, folder = tmp_path / "page.md", tmp_path / "folder"
    folder.mkdir()
    page.write_text(PAGE.replace("list nothing  # exit code 1", "published mm-iq-counts"))
    text = console.refreshed(page, console.run_page(page, warm, folder))
    assert "-old" in console.difference(page, text)
    page.write_text(text)
    first, second = console.commands(page)
    assert first.command == "gfactor published mm-iq-2      --format csv"
    assert first.output[0].startswith("group,")
    assert second.output
    again = console.refreshed(page, console.run_page(page, warm, folder))
    assert not console.difference(page, again)
    generated = re.sub(r"(?m)^(?!\$|    --|```|# ).*\n", "", text)
    assert "group," not in generated
    assert console.commands(page)[1].output[0] in console.with_stored_outputs(generated, page)


def test_a_command_that_ends_otherwise_than_its_page_says_fails(tmp_path: Path, warm: Warm) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE.replace("list nothing", "published mm-iq-2"))
    with pytest.raises(console.PageError, match="exit code 0, not 1"):
        console.run_page(page, warm, tmp_path)
    page.write_text(PAGE.replace("gfactor list nothing", "rm -r ."))
    with pytest.raises(console.PageError, match="only gfactor commands"):
        console.run_page(page, warm, tmp_path)


def test_outputs_are_stored_without_paths_times_and_versions_and_are_cut(tmp_path: Path) -> None:
    def stored(text: str) -> list[str]:
        return console.stored_form(text, tmp_path, "http://127.0.0.1:4711/v1")

    assert stored(f"\n{tmp_path}/c.db: 3 asked, in 12.5 s\n\n") == ["c.db: 3 asked, in N s"]
    assert stored(f"in {tmp_path}: gfactor 1.2.0") == ["in .: gfactor VERSION"]
    assert stored("asks http://127.0.0.1:4711/v1/chat") == [f"asks {console.LOCAL_SERVER}/chat"]
    assert stored("$ price\n``` fence") == [" $ price", " ``` fence"]
    lines = "\n".join(map(str, range(console.LONGEST + 1)))
    assert stored(lines)[-2:] == [str(console.KEPT - 1), "[... 5 more lines]"]
    assert len(stored(lines.rpartition("\n")[0])) == console.LONGEST
    assert stored("x" * 200) == ["x" * console.WIDEST + " [...]"]


@pytest.mark.parametrize(
    ("stored", "printed", "same"),
    [
        ("0.125 of 3", "0.126 of 3", True),  # the last digit of a fraction may turn
        ("0.125 of 3", "0.127 of 3", False),
        ("0.125 of 3", "0.125 of 4", False),
        ("0.125 of 3", "0.13 of 3", False),
        ("p 1.2e-07", "p 1.3e-07", True),
        ("p 1.2e-07", "p 1.2e-08", False),
        ("mean 0.5", "median 0.5", False),
        ("se: 0.15438728", "se: 0.15438788", False),
        ("se: 0.15438727706640987", "se: 0.1543872770664099", True),
        ("se: 0.15438727706640987", "se: 0.15438788706640987", False),
    ],
)
def test_outputs_agree_up_to_the_last_digit_of_a_fraction(
    stored: str, printed: str, same: bool
) -> None:
    assert console.agree([stored], [printed]) is same
    assert not console.agree([stored], [stored, ""])


def test_the_readme_fits_two_screens_and_names_both_commands_at_its_top() -> None:
    lines = (ROOT / "README.md").read_text("utf-8").splitlines()
    assert len(lines) <= 120
    assert {"make demo", "make test"} <= {line.partition("  #")[0].strip() for line in lines[:12]}


@pytest.mark.thorough
def test_the_example_data_are_what_their_program_writes(tmp_path: Path) -> None:
    examples = ROOT / console.EXAMPLES
    runpy.run_path(str(examples / "make.py"))["main"](tmp_path)
    files = sorted(path.relative_to(examples) for path in examples.rglob("*.csv"))
    assert len(files) == 9
    for file in files:
        assert (tmp_path / file).read_bytes() == (examples / file).read_bytes(), file


@pytest.mark.slow
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
    pages = [ROOT / "ARCHITECTURE.md", *(ROOT / "docs" / "decisions").glob("*.md")]
    text = "\n".join(page.read_text() for page in pages)
    package = ROOT / "src" / "gfactor"
    rooms = {path.name for path in package.iterdir() if path.is_dir()}
    named = [name for name in re.findall(r"`([a-z_0-9]+(?:/[a-z_0-9]+)+)/?`", text)
             if name.split("/")[0] in rooms]  # fmt: skip
    assert len(named) > 30
    missing = [name for name in named if not any(
        (package / name).with_suffix(suffix).exists() for suffix in ("", ".py"))]  # fmt: skip
    assert not missing


def test_the_architecture_is_one_page_with_every_room() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text()
    assert text.count("\n") <= 80
    tree = text.split("```")[1]
    for room in sorted((ROOT / "src" / "gfactor").glob("*/__init__.py")):
        assert f"\n  {room.parent.name}/ " in tree, f"the tree does not show {room.parent.name}/"


def test_no_page_names_a_machines_path() -> None:
    for page in [*PAGES, ROOT / "ARCHITECTURE.md", ROOT / "CHANGELOG.md"]:
        assert not re.search(r"/(work|root|home|tmp)/", page.read_text()), page.name
