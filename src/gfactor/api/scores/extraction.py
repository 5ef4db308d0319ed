"""Answers that the rules read in replies, and how often they are right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from gfactor.scoring.extraction import EXTRACTION_VERSION
from gfactor.scoring.extraction.cases import ReplyCase, as_cases, plain, read_cases
from gfactor.scoring.extraction.result import Extraction

VERDICTS = ("right", "wrong", "invented", "missed")
"""Verdicts on a reading, compared with the expected answer; invented: an answer that is not there.
"""


@dataclass(frozen=True)
class Extracted:
    """Replies with the answers that were read in them.

    Parameters
    ----------
    readings: each reply with the answer that the rules found.
    """

    readings: tuple[tuple[ReplyCase, Extraction], ...]

    @property
    def table(self) -> pd.DataFrame:
        """A row per reply: `id`, `answer` (None if none was found), `stage`, `rule`."""
        return pd.DataFrame(self.to_dict(), columns=["id", "answer", "stage", "rule"], dtype=object)

    @property
    def judged(self) -> list[tuple[ReplyCase, str]]:
        """Replies whose expected answer is given, each with a verdict (`VERDICTS`)."""
        return [
            (case, case.verdict(extraction)) for case, extraction in self.readings if case.judged
        ]

    @property
    def shares(self) -> pd.DataFrame:
        """A row per kind and language, and a last row for all: `n` and the share of each
        verdict."""
        groups: dict[tuple[str, str], Counter[str]] = {}
        for case, verdict in self.judged:
            groups.setdefault((case.kind, case.language), Counter())[verdict] += 1
        rows = [(kind, language, groups[kind, language]) for kind, language in sorted(groups)]
        rows.append(("all", "", sum(groups.values(), Counter())))
        return pd.DataFrame(
            [
                {"kind": kind, "language": language, "n": counts.total()}
                | {name: counts[name] / max(counts.total(), 1) for name in VERDICTS}
                for kind, language, counts in rows
            ]
        )

    def summary(self) -> str:
        """Return a text with a line per reply, and the shares of right answers if expected answers
        are given."""
        rows = [("id", "answer", "stage", "rule"), *(_cells(*one) for one in self.readings)]
        count = f"{len(self.readings)} replies, reading version {EXTRACTION_VERSION}"
        parts = [_aligned(rows), count]
        if self.judged:
            head = ("kind", "language", "n", *VERDICTS)
            shares = [
                (row["kind"], row["language"], str(row["n"]), *(f"{row[v]:.1%}" for v in VERDICTS))
                for row in self.shares.to_dict("records")
            ]
            parts.append(_aligned([head, *shares]))
        return "\n\n".join(parts)

    def to_dict(self) -> list[dict[str, Any]]:
        """Return the document of `gfactor extract --json`: a mapping per reply."""
        return [
            {
                "id": case.id,
                "answer": plain(extraction.answer) if extraction.has_answer else None,
                "stage": extraction.stage,
                "rule": extraction.rule,
            }
            for case, extraction in self.readings
        ]

    def _repr_html_(self) -> str:
        return self.table.to_html(index=False)


def _cells(case: ReplyCase, extraction: Extraction) -> tuple[str, ...]:
    answer = plain(extraction.answer) if extraction.has_answer else "-"
    text = ", ".join(map(str, answer)) if isinstance(answer, list) else str(answer)
    safe = "".join(c if c.isprintable() else " " for c in f"{text:.60}")
    name = "".join(c if c.isprintable() else " " for c in f"{case.id:.40}")
    return name, safe, extraction.stage, extraction.rule


def _aligned(rows: list[tuple[str, ...]]) -> str:
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def extract(cases: Path | str | Iterable[ReplyCase | Mapping[str, object]]) -> Extracted:
    """Extract the answers from replies by rules alone; the answer is None if a reply gives none.

    Parameters
    ----------
    cases : path or list of dict
        File with a JSON object per line (in Python also a list of dicts). Each has `id`, `kind`
        and `response` (the reply). `kind` is "SA" (one option), "MA" (several options), "FB"
        (blanks) or "PV" (a format of Percept-V). SA and MA also need `options`, FB needs `blanks`
        (their number), and PV `format` and `answer_type`. `expected`, if given, is the answer that
        a careful reader finds.

    Returns
    -------
    Extracted
        `table` (a row per reply) and, if expected answers are given, `shares` of right, wrong,
        invented and missed answers.

    Raises
    ------
    ParameterError
        If the file or one of its lines cannot be used; the message has the line's number.

    Examples
    --------
    >>> import gfactor as gf, json
    >>> case = {"id": "q1", "kind": "SA", "response": "The answer is (B).",
    ...         "options": {"A": "red", "B": "blue"}, "expected": "B"}
    >>> with open("replies.jsonl", "w") as file:
    ...     _ = file.write(json.dumps(case))
    >>> answers = gf.extract("replies.jsonl")
    >>> answers.table["answer"].tolist(), float(answers.shares["right"].iloc[0])
    (['B'], 1.0)
    """
    given = read_cases(Path(cases)) if isinstance(cases, Path | str) else as_cases(cases)
    return Extracted(tuple((case, case.read()) for case in given))
