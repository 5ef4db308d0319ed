"""Every kind through every function, and what came of it.

    PYTHONPATH=src:tests python -m support.corridors.product          # writes the lists
    PYTHONPATH=src:tests python -m support.corridors.product WORD ..  # prints what some kinds do

The list (`tests/corridors/refusals.jsonl`) is read by people before it is committed: each sentence
has to be true of all kinds beside it, and has to say what to do.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import tempfile
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from gfactor.errors import GfactorError
from support.corridors.banks import bank_kinds, bank_of
from support.corridors.calls import BANK, JOURNAL, Call, Given
from support.corridors.journals import journal_kinds, journal_of

REFUSALS = Path(__file__).parents[2] / "corridors" / "refusals.jsonl"
OPEN = REFUSALS.with_name("open.jsonl")
"""What is known to be broken or wrong, and is not repaired yet; to be empty."""

OK, REFUSED, BROKEN, WRONG = "ok", "refused", "broken", "wrong"


@dataclass(frozen=True)
class Outcome:
    """What came of one kind in one function: `result` is one of the four above."""

    side: str
    kind: str
    call: str
    result: str
    sentence: str = ""

    def __str__(self) -> str:
        return f"{self.side}: {self.kind} -> {self.call}: {self.result}: {self.sentence}"


@dataclass(frozen=True)
class Side:
    """The banks, or the journals: their kinds, how one is made, and the functions."""

    name: str
    kinds: Callable[[], Mapping[str, object]]
    make: Callable[[str, Path], Path]
    calls: Mapping[str, list[tuple[str, Call]]]


SIDES = {
    "banks": Side("banks", bank_kinds, bank_of, BANK),
    "journals": Side("journals", journal_kinds, journal_of, JOURNAL),
}


def outcomes(
    side: Side, kind: str, root: Path, only: Collection[str] | None = None
) -> Iterator[Outcome]:
    """Every function (or `only` these) with one kind; `root` keeps what is made once."""
    path = side.make(kind, root / side.name)
    for name, uses in side.calls.items():
        if only is not None and name not in only:
            continue
        for label, call in uses:
            scratch = root / "scratch" / kind
            given = Given(path, scratch)
            result, sentence = _outcome(call, given, root)
            yield Outcome(side.name, kind, f"{name} {label}".strip(), result, sentence)
            shutil.rmtree(scratch, ignore_errors=True)


def _outcome(call: Call, given: Given, root: Path) -> tuple[str, str]:
    """The result of one use of a function, and the sentence that goes with it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            result = call.act(given)
        wrong = list(call.check(given, result)) if call.check else []
        came, sentence = WRONG if wrong else OK, "; ".join(wrong)
    except GfactorError as error:
        came, sentence = REFUSED, str(error)
    except Exception as error:
        frames = [f for f in traceback.extract_tb(error.__traceback__) if "/gfactor/" in f.filename]
        where = f" in {Path(frames[-1].filename).name}" if frames else ""
        came, sentence = BROKEN, f"{type(error).__name__}: {error}{where}"
    return came, plain(sentence, given.path, root)


def plain(sentence: str, path: Path, root: Path) -> str:
    """A sentence without what differs between runs: folders, ports, and codes of people."""
    sentence = re.sub(rf"{re.escape(str(root))}(?:/[^/'\n;]+)*/", "", sentence)
    sentence = sentence.replace(path.name, "FILE")
    sentence = re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:PORT", sentence)
    sentence = re.sub(r"person:p[a-z0-9]{9}", "person:CODE", sentence)
    # Codes decide who stands first, and so which answers are missing.
    sentence = re.sub(r"(row 'person:CODE', column) '[^']+'", r"\1 'COLUMN'", sentence)
    sentence = re.sub(
        r"('person:CODE' has) \d+ (answers to public and) \d+", r"\1 N \2 N", sentence
    )
    return re.sub(r"out-\d+", "out", sentence)


Key = tuple[str, str, str]
"""The side (banks and journals have kinds of the same name), the function and the sentence."""


def key(outcome: Outcome) -> Key:
    return outcome.side, outcome.call, outcome.sentence


def listed(file: Path = REFUSALS) -> dict[Key, set[str]]:
    """The reviewed refusals: side, function and sentence, and the kinds that meet it."""
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    return {(row["side"], row["call"], row["sentence"]): set(row["kinds"]) for row in rows}


def write_list(file: Path, found: list[Outcome]) -> None:
    kinds: dict[Key, set[str]] = {}
    for outcome in found:
        kinds.setdefault(key(outcome), set()).add(outcome.kind)
    rows = [
        {"side": side, "call": call, "sentence": sentence, "kinds": sorted(of)}
        for (side, call, sentence), of in sorted(kinds.items())
    ]
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    file.write_text("".join(f"{line}\n" for line in lines), "utf-8")


def main(words: list[str]) -> None:
    found: list[Outcome] = []
    with tempfile.TemporaryDirectory() as folder:
        for side in SIDES.values():
            for kind in side.kinds():
                if words and not any(word in f"{side.name} {kind}" for word in words):
                    continue
                for outcome in outcomes(side, kind, Path(folder)):
                    found.append(outcome)
                    if outcome.result in (BROKEN, WRONG) or words:
                        print(outcome, flush=True)
    print(Counter(outcome.result for outcome in found))
    if not words:
        write_list(REFUSALS, [one for one in found if one.result == REFUSED])
        write_list(OPEN, [one for one in found if one.result in (BROKEN, WRONG)])


if __name__ == "__main__":
    main(sys.argv[1:])
