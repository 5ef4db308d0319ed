"""gfactor extract: what the rules read in replies, and how often they are right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import click

from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import PATH
from gfactor.scoring.extraction import EXTRACTION_VERSION
from gfactor.scoring.extraction.cases import Case, plain, read_cases
from gfactor.scoring.extraction.result import Extraction

_VERDICTS = ("right", "wrong", "invented", "missed")


@click.command(name="extract")
@click.argument("cases", type=PATH, metavar="CASES.jsonl")
@json_option
def command(cases: Path, as_json: bool) -> None:
    """Read the answers in replies by rules alone; null where there is none.

    Each line of the file is a JSON object with `id`, `kind` (SA one option, MA several, FB blanks,
    PV a Percept-V format) and `response`; SA and MA with `options`, FB with `blanks` (their
    number), PV with `format` and `answer_type`. Where lines have `expected`, the share of right,
    wrong, invented (an answer where none is) and missed readings is shown.

    \b
    Example:
      gfactor extract replies.jsonl --json
    """
    read = [(case, case.read()) for case in read_cases(cases)]
    if as_json:
        put_json([_row(case, extraction) for case, extraction in read])
        return
    say(_aligned([("id", "answer", "stage", "rule"), *(_cells(c, f) for c, f in read)]))
    say(f"\n{len(read)} replies, reading version {EXTRACTION_VERSION}")
    judged = [(case, case.verdict(extraction)) for case, extraction in read if case.judged]
    if judged:
        say("\n" + _aligned(_shares(judged)))


def _row(case: Case, extraction: Extraction) -> dict[str, object]:
    return {
        "id": case.id,
        "answer": plain(extraction.answer) if extraction.has_answer else None,
        "stage": extraction.stage,
        "rule": extraction.rule,
    }


def _cells(case: Case, extraction: Extraction) -> tuple[str, ...]:
    answer = plain(extraction.answer) if extraction.has_answer else "-"
    shown = ", ".join(map(str, answer)) if isinstance(answer, list) else str(answer)
    safe = "".join(c if c.isprintable() else " " for c in f"{shown:.60}")
    name = "".join(c if c.isprintable() else " " for c in f"{case.id:.40}")
    return name, safe, extraction.stage, extraction.rule


def _shares(judged: list[tuple[Case, str]]) -> list[tuple[str, ...]]:
    """One row per kind and language, and one for all."""
    groups: dict[tuple[str, str], Counter[str]] = {}
    for case, verdict in judged:
        groups.setdefault((case.kind, case.language), Counter())[verdict] += 1
    rows = [(kind, language, groups[kind, language]) for kind, language in sorted(groups)]
    rows.append(("all", "", sum(groups.values(), Counter())))
    head = ("kind", "language", "n", *_VERDICTS)
    return [head, *((k, lang, str(n.total()), *_percent(n)) for k, lang, n in rows)]


def _percent(counts: Counter[str]) -> Iterable[str]:
    return (f"{100 * counts[verdict] / counts.total():.1f}%" for verdict in _VERDICTS)


def _aligned(rows: list[tuple[str, ...]]) -> str:
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )
