"""Run the commands of pages and store what they print under them.

    python docs/console.py                # run all pages, write what has changed
    python docs/console.py cfa irt        # these pages only
    python docs/console.py --check cfa    # change nothing; exit code 1 if an output differs

A `console` block holds commands behind `$ `; a backslash continues a line. All other lines are
output. The commands of a page run in their order in one empty folder. A `toml` block whose first
line is `# NAME.toml` is a file that they read, and `docs/examples/` lies there, too. Commands print
to one stream here, as on a terminal. `# exit code 1` behind a command is the code that is expected.

A long output is cut and ends with `[... N more lines]`. Whoever edits a page may cut it elsewhere,
with the number of lines that are left out in that mark: the next run cuts at the same line.

`LOCAL_SERVER` in a command is the address of a server that this program starts: it answers as an
OpenAI-compatible endpoint, with what a simulated observer reads from the pixels.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import math
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "tests"))

from support.warm import Warm  # noqa: E402  (stands in tests/)

PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs" / "evidence").glob("*.md")),
]
EXAMPLES = Path("docs") / "examples"
LOCAL_SERVER = "http://localhost:8000/v1"

LONGEST, KEPT = 24, 20
"""An output of more than LONGEST lines is cut to its first KEPT, or as its page cuts it already."""
SHORTER = {"README.md": (10, 7)}
"""LONGEST and KEPT of pages that show less."""
WIDEST = 180
"""A longer line is cut to this number of characters."""
TERMINAL = "100"
"""Width of the terminal, in characters, that commands are told of."""

MASKS = [
    (r"\bgfactor \d+\.\d+\.\d+\S*", "gfactor VERSION"),
    (r"\b\d+(\.\d+)? s$", "N s"),
    (r"\b[\d.]+ answers/s; median wait [\d.]+ ms, 99th percentile [\d.]+ ms",
     "N answers/s; median wait N ms, 99th percentile N ms"),
    (r"\b[a-z2-9]{5}(-[a-z2-9]{5}){3}$", "PASS-WORD"),
    (r"\b20\d{6}T\d+Z", "DATE-TIME"),
    (r"\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d", "DATE-TIME"),
    (r"(?<=Declared: )20[\d-]+, [0-9a-f]{12}", "DATE, DIGEST"),
    (r"^\d\d:\d\d:\d\d(?= \d)", "HH:MM:SS"),
    (r"(?<=%\)), [\d.]+/s(?=, )", ""),
    (r"\d+ GB free", "N GB free"),
    (r"\S+ (?=\(command line\))", "USER "),
    (r"(?<=enough answers) +hours +chosen", " hours chosen"),
    (r"(\d) +(0\.00\d\d+|\d[.\d]*e-\d+) *(?=( <- chosen)?$)", r"\1 HOURS"),
    (r"(?<=max_gradient)( +)[\d.e-]+", r"\1N"),
    (r'("seconds": )[\d.e-]+', r"\1N"),
]  # fmt: skip
"""What differs from run to run, as (regular expression, text that the page has in its place)."""

VARIES = {
    "gfactor score adaptive-people/": "participants get new names, which give the order of rows",
    "gfactor study status": "the time on each page is that of this run",
}
"""Commands whose stored output is an example, with the reason: it is not compared."""

PICTURES = {"README.md": {"site/figures/board-1.svg": "docs/leaderboard-example.svg"}}
"""Files that the commands of a page write, and where the repository keeps them."""

CONSOLE = re.compile(r"```console\n(.*?)```", re.DOTALL)
FILE = re.compile(r"```toml\n# (\w+\.toml)\n(.*?)```", re.DOTALL)
NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[-+]?\d+)?")
CUT = re.compile(r"\[\.\.\. \d+ more lines\]")
"""Last line of an output that is cut."""


@dataclass
class Step:
    """A command of a page as it is written, and the output below it."""

    lines: list[str]
    output: list[str]

    @property
    def command(self) -> str:
        """The command in one line."""
        return "\n".join(self.lines)[2:].replace("\\\n", " ")

    @property
    def expected_code(self) -> int:
        """The exit code that the page announces."""
        return 1 if self.command.endswith("# exit code 1") else 0


class PageError(Exception):
    """A command of a page did not end as the page says."""


def steps(block: str) -> list[Step]:
    """Return the commands of a `console` block with their outputs.

    Parameters
    ----------
    block : str
        Text between the fences.

    Returns
    -------
    list of Step
        In their order; an empty line that separates two commands belongs to no output.
    """
    found: list[Step] = []
    continued = False
    for line in block.splitlines():
        if continued:
            found[-1].lines.append(line)
        elif line.startswith("$ "):
            found.append(Step([line], []))
        elif found:
            found[-1].output.append(line)
        continued = (continued or line.startswith("$ ")) and line.endswith("\\")
    for step in found:
        while step.output and not step.output[-1].strip():
            step.output.pop()
    return found


def commands(page: Path) -> list[Step]:
    """Return all commands of a page, in their order."""
    text = page.read_text("utf-8")
    return [step for block in CONSOLE.findall(text) for step in steps(block)]


def block_text(block: list[Step]) -> str:
    """Return the text of a block: an empty line separates an output from the next command."""
    parts = []
    for step in block:
        if parts and parts[-1].output:
            parts.append(Step([""], []))
        parts.append(step)
    return "".join(f"{line}\n" for part in parts for line in (*part.lines, *part.output))


def stored_form(
    output: str,
    folder: Path,
    address: str | None = None,
    limits: tuple[int, int] = (LONGEST, KEPT),
) -> list[str]:
    """Return the lines that a page stores of an output.

    Parameters
    ----------
    output : str
        What a command printed.
    folder : path
        Folder in which it ran; its name is left out.
    address : str, optional
        Address of the local server.
    limits : tuple of int
        Lines of the longest output that is stored whole, and lines that are kept of a longer one.

    Returns
    -------
    list of str
        Lines with `MASKS` applied, cut where they are long.
    """
    for name in (str(folder.resolve()), str(folder)):
        output = output.replace(f"{name}/", "").replace(name, ".")
    if address:
        output = output.replace(address, LOCAL_SERVER)
    for pattern, text in MASKS:
        output = re.sub(pattern, text, output, flags=re.MULTILINE)
    # A reader of the page would take such a line for a command, or for the end of the block.
    lines = [re.sub(r"^(\$ |```)", r" \1", line.rstrip()) for line in output.splitlines()]
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        lines.pop(0)
    lines = [line if len(line) <= WIDEST else f"{line[:WIDEST].rstrip()} [...]" for line in lines]
    longest, kept = limits
    if len(lines) > longest:
        lines = [*lines[:kept], f"[... {len(lines) - kept} more lines]"]
    return lines


def limits_of(step: Step) -> tuple[int, int] | None:
    """Return the limits at which a page cuts an output by hand; None if it does not."""
    if step.output and CUT.fullmatch(step.output[-1]):
        lines = len(step.output) - 1
        return (LONGEST, KEPT) if lines == KEPT else (lines, lines)
    return None


def agree(stored: list[str], printed: list[str]) -> bool:
    """Return True if two outputs are equal but for the last digits of decimal fractions.

    Processors differ in the last bit of a product, which can turn the last digit of a rounded
    number; numbers of full precision may differ by one millionth. Whole numbers and all other text
    must be equal.
    """
    if len(stored) != len(printed):
        return False
    for first, second in zip(stored, printed, strict=True):
        if first == second:
            continue
        if NUMBER.split(first) != NUMBER.split(second):
            return False
        pairs = zip(NUMBER.findall(first), NUMBER.findall(second), strict=True)
        if not all(_close(*pair) for pair in pairs):
            return False
    return True


def _close(first: str, second: str) -> bool:
    if first == second:
        return True
    places = [len(text.partition("e")[0].partition(".")[2]) for text in (first, second)]
    if not all(places):
        return False
    values = float(first), float(second)
    if min(places) > 9:
        return math.isclose(*values, rel_tol=1e-6, abs_tol=1e-12)
    if places[0] != places[1] or ("e" in first) != ("e" in second):
        return False
    unit = 10.0 ** (int(first.partition("e")[2] or 0) - places[0])
    return math.isclose(*values, rel_tol=0, abs_tol=1.01 * unit)


@contextlib.contextmanager
def local_server() -> Iterator[str]:
    """Serve a limited observer as an OpenAI-compatible endpoint until the block ends."""
    from support.chat_server import chat_server  # noqa: PLC0415
    from support.observed import observed_reply  # noqa: PLC0415

    from gfactor.examinees.observer.limited import Limited  # noqa: PLC0415

    observer = Limited(acuity=0.5, contrast=0.3, capacity=5.0, seed=1)
    with chat_server(observed_reply(observer), keep=False) as server:
        yield server.url


def run_page(page: Path, warm: Warm, folder: Path) -> list[Step]:
    """Run the commands of a page.

    Parameters
    ----------
    page : path
        Markdown file.
    warm : Warm
        Process that runs them.
    folder : path
        An empty folder in which they run.

    Returns
    -------
    list of Step
        The commands with the output that they printed now, in the form in which it is stored.

    Raises
    ------
    PageError
        If a command ends with another exit code than the page says.
    """
    text = page.read_text("utf-8")
    for name, content in FILE.findall(text):
        (folder / name).write_text(content, "utf-8")
    if (ROOT / EXAMPLES).is_dir() and f"{EXAMPLES.as_posix()}/" in text:
        shutil.copytree(ROOT / EXAMPLES, folder / EXAMPLES)
    ran = []
    with contextlib.ExitStack() as stack, tempfile.TemporaryDirectory() as logs:
        steps_of_page = commands(page)
        asks = any(LOCAL_SERVER in step.command for step in steps_of_page)
        served = stack.enter_context(local_server()) if asks else None
        for step in steps_of_page:
            command = step.command.replace(LOCAL_SERVER, served) if served else step.command
            words = shlex.split(command, comments=True)
            if words[0] != "gfactor":
                raise PageError(f"{page.name}: only gfactor commands are run: {step.command}")
            done = warm.gfactor(words[1:], folder, Path(logs), one_stream=True)
            if done.code != step.expected_code:
                raise PageError(
                    f"{page.name}: exit code {done.code}, not {step.expected_code}:\n"
                    f"{step.command}\n{done.out[-2000:]}"
                )
            limits = limits_of(step) or SHORTER.get(page.name, (LONGEST, KEPT))
            ran.append(Step(step.lines, stored_form(done.out, folder, served, limits)))
    return ran


def refreshed(page: Path, ran: list[Step]) -> str:
    """Return a page's text with new outputs; one that agrees keeps its digits."""
    remaining = iter(ran)

    def renew(match: re.Match[str]) -> str:
        block = []
        for step in steps(match[1]):
            new = next(remaining)
            varies = bool(step.output) and step.command.startswith(tuple(VARIES))
            block.append(step if varies or agree(step.output, new.output) else new)
        return f"```console\n{block_text(block)}```"

    return CONSOLE.sub(renew, page.read_text("utf-8"))


def with_stored_outputs(text: str, page: Path) -> str:
    """Return the text of a generated page with the outputs that the page on disk has.

    Parameters
    ----------
    text : str
        The page as its generator makes it, with commands alone.
    page : path
        The page on disk; a command that it does not have stays without an output.

    Returns
    -------
    str
    """
    outputs = {step.command: step.output for step in commands(page)} if page.exists() else {}

    def fill(match: re.Match[str]) -> str:
        block = [Step(step.lines, outputs.get(step.command, [])) for step in steps(match[1])]
        return f"```console\n{block_text(block)}```"

    return CONSOLE.sub(fill, text)


def changed_pictures(page: Path, folder: Path) -> dict[Path, Path]:
    """Return the pictures that the commands of a page drew otherwise, and where they are kept."""
    pairs = {folder / made: ROOT / kept for made, kept in PICTURES.get(page.name, {}).items()}
    return {
        made: kept
        for made, kept in pairs.items()
        if not agree(kept.read_text("utf-8").split(">"), made.read_text("utf-8").split(">"))
    }


def difference(page: Path, text: str) -> str:
    """Return the lines in which a page and its new text differ, as a unified difference."""
    lines = difflib.unified_diff(
        page.read_text("utf-8").splitlines(), text.splitlines(),
        f"{page.name} (stored)", f"{page.name} (now)", lineterm="", n=2,
    )  # fmt: skip
    return "\n".join(lines)


def main() -> int:
    """Refresh or check the pages named on the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("pages", nargs="*", help="names of pages, as cfa; all if none is given")
    parser.add_argument("--check", action="store_true", help="change nothing")
    given = parser.parse_args()
    by_name = {page.stem: page for page in PAGES if CONSOLE.search(page.read_text("utf-8"))}
    unknown = set(given.pages) - set(by_name)
    if unknown:
        print(f"no page with commands: {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    failures = 0
    os.environ["COLUMNS"] = TERMINAL
    warm = Warm()
    for name in given.pages or by_name:
        page = by_name[name]
        with tempfile.TemporaryDirectory() as folder:
            try:
                text = refreshed(page, run_page(page, warm, Path(folder)))
            except PageError as error:
                print(error, file=sys.stderr)
                failures += 1
                continue
            for made, kept in changed_pictures(page, Path(folder)).items():
                print(f"{'other' if given.check else 'refreshed'} {kept.name}")
                failures += given.check
                if not given.check:
                    shutil.copyfile(made, kept)
        changes = difference(page, text)
        if changes and given.check:
            print(changes)
            failures += 1
        elif changes:
            page.write_text(text, "utf-8")
            print(f"refreshed {page.name}", flush=True)
    warm.close()
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
