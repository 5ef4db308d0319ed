"""Short replies in every language, each by the categories that replies fall into.

`phrasings/LANGUAGE.txt` holds them: a line `# KIND OPTIONS` (options as JSON), then lines
`EXPECTED | REPLY`, where "-" expects none, several letters are a set, semicolons divide blanks, and
"\\n" is a new line. They were written to find what the rules lack, so they say nothing about how
often replies are read; they guard against steps backwards.
"""

from __future__ import annotations

import json
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from gfactor.items import Answer
from gfactor.scoring.extraction import extract, languages

FOLDER = Path(__file__).parent / "phrasings"
KINDS = {"SA": "choice", "MA": "choices", "FB": "blanks"}


def phrasings(path: Path) -> Iterator[tuple[str, dict[str, str], str, str]]:
    """Kind, options, expected answer as written, and reply."""
    kind, options = "", {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            kind, _, given = line[2:].partition(" ")
            options = json.loads(given) if given else {}
        elif line:
            expected, reply = line.split(" | ", 1)
            yield kind, options, expected, reply.replace("\\n", "\n")


def answer(kind: str, expected: str) -> object:
    if expected == "-":
        return None
    if kind == "FB":
        return tuple(expected.split(";"))
    return frozenset(expected) if kind == "MA" else expected


def read(kind: str, options: dict[str, str], expected: str, reply: str) -> Answer | None:
    return extract(reply, KINDS[kind], options, blanks=1 + expected.count(";")).answer


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_nearly_all_phrasings_are_read_and_none_is_read_as_something_else(path: Path) -> None:
    cases = list(phrasings(path))
    found = [(*case, read(*case)) for case in cases]
    differ = [case for case in found if case[4] != answer(case[0], case[2])]
    assert [case for case in differ if case[4] is not None] == []
    assert len(differ) <= 0.02 * len(cases), differ


SHIPPED = ("en", "zh", "fr", "es", "pt", "ko", "de")
"""The languages of the first versions; one that is new may begin with fewer replies."""


def test_phrasings_cover_every_language_and_replies_without_an_answer() -> None:
    counts = {path.stem: list(phrasings(path)) for path in FOLDER.glob("*.txt")}
    assert counts.keys() >= {*SHIPPED}
    assert len(counts) == len(list(pkgutil.iter_modules(languages.__path__)))
    for name, cases in counts.items():
        assert len(cases) >= (250 if name in SHIPPED else 30), name
        without = sum(expected == "-" for _, _, expected, _ in cases)
        assert without >= (40 if name in SHIPPED else 5), name
