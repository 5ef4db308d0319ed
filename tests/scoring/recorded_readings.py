"""What the rules read in the replies of `replies/` and `phrasings/`, as they are and changed.

Every reply is read as it is, every third one in eight other settings, every fifth one edited.

`recorded/readings_SETTING.json` holds what is read, not whether it is right. A change that alters
a reading raises EXTRACTION_VERSION:

    PYTHONPATH=src:tests python tests/scoring/recorded_readings.py     # records the readings again
    PYTHONPATH=src:tests python tests/scoring/recorded_readings.py de german-1     # two files alone
"""

from __future__ import annotations

import json
import random
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from support.records import read_records, write_records

from gfactor.items import OutputFormat
from gfactor.scoring.extraction import extract
from gfactor.scoring.extraction.cases import format_from, plain, read_cases
from gfactor.scoring.extraction.cleaning import cleaned
from gfactor.scoring.extraction.conforming import strict
from gfactor.scoring.extraction.formatted import lenient
from gfactor.scoring.extraction.numerals import number_in_words
from gfactor.scoring.extraction.result import Extraction
from gfactor.scoring.rouge import rouge_l
from gfactor.scoring.text_rules import TEXT_RULES
from gfactor.scoring.texts import comparable, same_text
from gfactor.scoring.vlmevalkit.texts import boxed_letter, count_in, option_in, yes_or_no

HERE = Path(__file__).parent
RECORDED = HERE / "recorded"
KINDS = {"SA": "choice", "MA": "choices", "FB": "blanks", "PV": "value"}


@dataclass(frozen=True)
class Reply:
    """A reply and what is needed to read it."""

    name: str
    text: str
    kind: str
    options: dict[str, str]
    blanks: int
    output_format: OutputFormat | None

    def read(self, **other: object) -> Extraction:
        """The reading, with a part of the reply or the item replaced."""
        one = replace(self, **other)  # type: ignore[arg-type]
        return extract(
            one.text, one.kind, one.options, blanks=one.blanks, output_format=one.output_format
        )


def stems() -> list[str]:
    """The files, by name."""
    return sorted(p.stem for folder in ("replies", "phrasings") for p in (HERE / folder).iterdir())


def replies(stem: str) -> Iterator[Reply]:
    """The replies of one file."""
    path = HERE / "replies" / f"{stem}.jsonl"
    if path.exists():
        for c in read_cases(path):
            yield Reply(c.id, c.response, KINDS[c.kind], c.options, c.blanks, c.output_format)
        return
    kind, options = "", {}
    lines = (HERE / "phrasings" / f"{stem}.txt").read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, start=1):
        if line.startswith("# "):
            kind, _, given = line[2:].partition(" ")
            options = json.loads(given) if given else {}
        elif line:
            expected, text = line.split(" | ", 1)
            text = text.replace("\\n", "\n")
            yield Reply(str(number), text, KINDS[kind], options, 1 + expected.count(";"), None)


def _whole(reply: Reply, _: Reply) -> Extraction:
    return reply.read()


def _cut(reply: Reply, _: Reply) -> Extraction:
    """Broken off after three fifths."""
    return reply.read(text=reply.text[: 3 * len(reply.text) // 5])


def _followed(reply: Reply, other: Reply) -> Extraction:
    """With the reply to another item behind it: contradictions, corrections, lists."""
    return reply.read(text=reply.text + "\n" + other.text)


def _one_line(reply: Reply, other: Reply) -> Extraction:
    """The same in one line, the other reply first."""
    return reply.read(text=" ".join((other.text + " But " + reply.text).split()))


def _other_kind(reply: Reply, _: Reply) -> Extraction:
    """One label where several may be right, several where one is; a text with a blank more."""
    kind = {"choice": "choices", "choices": "choice"}.get(reply.kind, reply.kind)
    return reply.read(kind=kind, blanks=reply.blanks + 1)


def _bare(reply: Reply, _: Reply) -> Extraction:
    """Options that are pictures: labels without texts."""
    return reply.read(options=dict.fromkeys(reply.options, ""))


def _turned(reply: Reply, _: Reply) -> Extraction:
    """Each label has the text of the next one; no punctuation at the reply's end."""
    texts = [*reply.options.values()]
    options = dict(zip(reply.options, [*texts[1:], *texts[:1]], strict=True))
    return reply.read(options=options, text=re.sub(r"[\s.!。]+$", "", reply.text))


FORMATS = {
    name: format_from(template, kind)
    for name, template, kind in (
        ("number", "COUNT:x", "value"), ("word", "YES | NO", "value"), ("pair", "x y", "pair"),
        ("cells", "CELLS: (row,column) or None", "set"), ("colors", "COLORS: red,blue", "list"),
    )
}  # fmt: skip


def _formatted(reply: Reply, _: Reply) -> object:
    """Strictly and leniently by formats of other items."""
    found = {
        f"{way} {name}": reader(reply.text, one)
        for name, one in FORMATS.items()
        for way, reader in (("strict", strict), ("lenient", lenient))
    }
    texts = {name: (as_text(one), one.stage) for name, one in found.items()}
    return "; ".join(f"{name}: {text} ({stage})" for name, (text, stage) in texts.items()
                     if text != "nothing" or stage != "none")  # fmt: skip


def _scored(reply: Reply, other: Reply) -> object:
    """As a text: cleaned, compared with another one, and scored by every rule for texts."""
    text, key = reply.text[-80:], other.text[-80:]
    words = reply.text.split()[:12]
    part, some = " ".join(words[:3]), " ".join(words[1:4])
    return {
        "cleaned": _unless(cleaned(reply.text), reply.text),
        "cells": _unless(cleaned(text, cells=True, numbered=True), text),
        "comparable": _unless(comparable(text), text),
        "same": [same_text(part, some), same_text(part.lower() + ".", part)],
        "rouge": rouge_l(text, key), "number": number_in_words(part),
        "rules": [rule(text, [key, part]) for rule in TEXT_RULES.values()],
        "option": option_in(text, reply.options) if reply.options else "",
        "yes or no": yes_or_no(text), "count": count_in(text), "boxed": boxed_letter(reply.text),
    }  # fmt: skip


def _unless(text: str, usual: str) -> str | None:
    return None if text == usual else text


INSERTED = (
    " not", " B", " (C)", " and D", " or A", ", no", " maybe", " actually", " only", " both", ":",
    " because", " except", " 2", " -", "**", "\n", "\n\n", "\n- ", ". ", "; ", "? ", " 不", "或",
    " ni", " pas", " não", " 아니", " two", "%", " \\boxed{B}", " A:", " sí", " neither",
)  # fmt: skip


def _edited(reply: Reply, _: Reply) -> Extraction:
    """With three edits such as people make: a word more or less, another label, another mark."""
    rng = random.Random(reply.text)
    parts = re.findall(r"[A-Za-zÀ-ɏ']+|\d+|\s+|.", reply.text, re.DOTALL)
    for _edit in range(3):
        k = rng.randrange(len(parts)) if parts else 0
        labels = [n for n, part in enumerate(parts) if part in reply.options]
        match rng.randrange(6):
            case 0:
                parts[k : k + 1] = []
            case 1:
                parts.insert(k, rng.choice(INSERTED))
            case 2 if labels:
                parts[rng.choice(labels)] = rng.choice([*reply.options])
            case 3:
                parts[k : k + 1] = [part.swapcase() for part in parts[k : k + 1]]
            case 4:
                parts.append(rng.choice(INSERTED))
            case _:
                parts[k : k + 3] = parts[k : k + 3][::-1]
    return reply.read(text="".join(parts))


SETTINGS: dict[str, Callable[[Reply, Reply], object]] = {
    "whole": _whole, "cut": _cut, "followed": _followed, "one line": _one_line,
    "other kind": _other_kind, "bare": _bare, "turned": _turned, "formatted": _formatted,
    "scored": _scored, "edited": _edited,
}  # fmt: skip


def readings(stem: str, setting: str) -> dict[str, str]:
    """Name of each reply to what is read in it; of settings but "whole" a part of the replies."""
    every = list(replies(stem))
    first = [*SETTINGS].index(setting)
    step = {"whole": 1, "edited": 5}.get(setting, 3)
    pairs = list(zip(every, [*every[1:], every[0]], strict=True))[first % step :: step]
    return {one.name: as_text(SETTINGS[setting](one, other)) for one, other in pairs}


def as_text(value: Any) -> str:
    """Return what is read in one line: the answer, the rule, and where it stands."""
    if isinstance(value, Extraction):
        answer = _json(plain(value.answer)) if value.has_answer else "nothing"
        where = "" if value.span is None else " {}-{}".format(*value.span)
        return f"{answer} {value.rule}{where}".strip()
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        texts = {name: as_text(part) for name, part in value.items()}
        empty = ("nothing", "null", '""')
        return "; ".join(f"{name}: {text}" for name, text in texts.items() if text not in empty)
    return _json(value)


def _json(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_json, value))}]"
    if isinstance(value, float):
        return f"{value:.6g}"
    return json.dumps(value, ensure_ascii=False, default=str)


def file(setting: str) -> Path:
    """Return the file of the readings in a setting."""
    return RECORDED / f"readings_{setting.replace(' ', '_')}.json"


def recorded(setting: str) -> dict[str, dict[str, str]]:
    """Return the readings of each file of replies that are recorded in a setting."""
    return read_records(file(setting))


def main(chosen: list[str]) -> None:
    """Record the readings of the chosen files of replies, of all without a choice."""
    count = 0
    for setting in SETTINGS:
        before = recorded(setting) if chosen else {}
        every = {
            stem: readings(stem, setting) if stem in chosen or not chosen else before[stem]
            for stem in stems()
        }
        write_records(file(setting), every)
        count += sum(map(len, every.values()))
    sys.stdout.write(f"{count} readings\n")


if __name__ == "__main__":
    main(sys.argv[1:])
