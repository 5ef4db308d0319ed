"""How much processor time and memory do `score` and `report` take for 100,000 stored answers?

A journal is written: 20 models, 5,000 items in 30 domains (half of them ask for a line COUNT:x,
half are multiple choice with the options in the text), each answered once. Half of the replies
(`--thoughts`) think aloud in some lines of their own before they answer, so that no two are the
same; the others are short. Each command is a process of its own, measured by what the system says
it took, after a run that is not measured: as with users, Python then has all modules compiled.

    python benchmarks/many_answers.py [--models 20] [--items 5000] [--thoughts 0.5] \
        [--write docs/evidence/benchmarks.md] [--keep FILE] [--commands score report] \
        [--before SRC]

`--before` names the folder src of an earlier version, which is measured in turns with this one: a
busy machine adds to processor time.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from big_bank import synthetic_item
from pages import replace_section

from gfactor.administration import Journal
from gfactor.administration.storing.response import Response
from gfactor.examinees import Reply
from gfactor.items import Choice, Item, Provenance, text_hash

MARKER = "## 100,000 stored answers"
GOALS = {"score": (12, 500), "report": (10, 500)}
"""Seconds of processor time and MiB that the project has set itself."""

WORDS = ("the", "circle", "figure", "left", "of", "right", "two", "count", "again", "small", "gray")


def choice_item(number: int) -> Item:
    """A question with four options in its text."""
    name = f"choice-{number:06d}"
    texts = [f"option {number % 97} {word}" for word in ("red", "green", "blue", "gray")]
    return Item(
        id=name,
        benchmark="synthetic",
        content=(f"Which of them belongs to picture {number}?",),
        answer_type="choice",
        target="ABCD"[number % 4],
        labels={"domain": f"domain-{number % 30:02d}", "size": 1 + number % 20},
        provenance=Provenance("benchmarks", "1", text_hash(name), scene=f'{{"n":{number}}}'),
        choices=tuple(Choice(label, text) for label, text in zip("ABCD", texts, strict=True)),
    )


def items_of(count: int) -> list[Item]:
    """Return the items, half of each kind."""
    return [choice_item(n) if n % 2 else synthetic_item(n, 0) for n in range(count)]


def reply(item: Item, right: bool, lot: random.Random, thoughts: float) -> Reply:
    """A reply, short or with thoughts before it."""
    target = item.target if right else None
    if item.answer_type == "choice":
        said = f"The answer is ({target or lot.choice('ABCD')})."
    else:
        said = f"COUNT:{target if right else lot.randrange(10)}"
    if lot.random() < thoughts:
        lines = [" ".join(lot.choices(WORDS, k=12)).capitalize() + "." for _ in range(4)]
        said = "\n".join([*lines, said])
    usage = {"prompt_tokens": 90, "completion_tokens": len(said) // 4}
    return Reply(said, usage=usage, latency_s=lot.random(), answered_by="m-2026-08-06")


def write_journal(path: Path, models: int, items: list[Item], thoughts: float = 0.5) -> None:
    """Write a journal of so many models; model k has an ability of its own."""
    with Journal.open(path) as journal:
        campaigns = [
            {"bank": "synthetic.parquet", "digest": "0" * 16, "items": len(items),
             "examinee": f"openai:m{k:02d}", "condition": "default", "occasions": 1,
             "packs": "{}", "version": "0", "started": "2026-11-01T00:00:00+00:00"}
            for k in range(models)
        ]  # fmt: skip
        journal.register(campaigns, items, digest="0" * 16)
        for k in range(models):
            journal.add(answers(f"openai:m{k:02d}", (k + 1) / (models + 1), items, k, thoughts))


def answers(
    name: str, ability: float, items: list[Item], seed: int, thoughts: float
) -> Iterator[Response]:
    """The answers of a model."""
    lot = random.Random(seed)
    for number, item in enumerate(items):
        right = lot.random() < ability ** (0.5 + number % 20 / 10)
        key = name, item.provenance.content_hash, "default", 0
        yield Response.now(*key, reply(item, right, lot, thoughts))


def taken(words: tuple[str, ...], source: Path | None = None) -> tuple[float, float]:
    """Seconds of processor time and MiB at the peak of a command of gfactor, with its children.

    `source` is the folder src of another version.
    """
    environment = {**os.environ} if source is None else {**os.environ, "PYTHONPATH": str(source)}
    # Without compiled modules, every command would spend seconds on compiling them.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    child = os.posix_spawn(
        sys.executable, [sys.executable, "-m", "gfactor", *words], environment,
        file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)],
    )  # fmt: skip
    _, status, usage = os.wait4(child, 0)
    if os.waitstatus_to_exitcode(status):
        raise SystemExit(f"gfactor {' '.join(words)} failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def report(
    models: int, count: int, thoughts: float, keep: Path | None,
    commands: Sequence[str] = tuple(GOALS), before: Path | None = None,
) -> str:  # fmt: skip
    """The section of docs/evidence/benchmarks.md."""
    with tempfile.TemporaryDirectory() as folder:
        path = keep or Path(folder) / "j.db"
        if not path.exists():
            write_journal(path, models, items_of(count), thoughts)
        words = {
            "score": ("score", str(path)),
            "report": ("report", str(path), "-o", str(Path(folder) / "r")),
        }
        found = {name: figures_of(words[name], before) for name in commands}
        size = path.stat().st_size / 1e6
    load = os.getloadavg()[0]
    earlier = " Before: an earlier version, measured in turns with this one." if before else ""
    lines = [
        f"{MARKER}\n",
        f"`python benchmarks/many_answers.py`; Python {platform.python_version()}; {models} models "
        f"and {count:,} items, half of them multiple choice, {thoughts:.0%} of the replies with "
        f"thoughts before the answer; a journal of {size:.0f} MB. Processor time and largest "
        f"resident set of the whole command, starting included, after a first run that compiles "
        f"Python's modules; {os.cpu_count()} cores shared with "
        f"other work (load {load:.1f}).{earlier}\n",
        "| command | processor time, s | MiB | before, s | before, MiB | goals |",
        "|---|---:|---:|---:|---:|---|",
    ]
    for name, row in found.items():
        goal = "{} s, {} MiB".format(*GOALS[name])
        lines.append(f"| `gfactor {name}` | {' | '.join(row)} | {goal} |")
    return "\n".join(lines) + "\n"


def figures_of(words: tuple[str, ...], before: Path | None) -> list[str]:
    """Seconds and MiB of a command, now and before, as cells of a table; "-" if not measured."""
    for source in (None,) if before is None else (None, before):
        taken(words, source)
    old = None if before is None else taken(words, before)
    pairs = [taken(words), old]
    return [cell for one in pairs for cell in (
        ("-", "-") if one is None else (f"{one[0]:.1f}", f"{one[1]:.0f}")
    )]  # fmt: skip


def main() -> None:
    """Measure, print, and write the section where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=int, default=20)
    parser.add_argument("--items", type=int, default=5000)
    parser.add_argument("--thoughts", type=float, default=0.5)
    parser.add_argument("--write", type=Path)
    parser.add_argument("--keep", type=Path, help="a journal to write, or to use if it is there")
    parser.add_argument("--commands", nargs="+", choices=list(GOALS), default=list(GOALS))
    parser.add_argument("--before", type=Path, help="the folder src of an earlier version")
    given = parser.parse_args()
    text = report(
        given.models, given.items, given.thoughts, given.keep, given.commands, given.before
    )
    print(text)
    if given.write:
        replace_section(given.write, MARKER, text)


if __name__ == "__main__":
    main()
