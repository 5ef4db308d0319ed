"""Warning about replies that no rule reads, by examinee and by language of the items."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from gfactor.administration.storing.marked_people import PERSON
from gfactor.frames import column, mapped, row_tuples
from gfactor.listing import first_few
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.scoring.judge import JUDGED

_SHARE = 0.05
"""Share of replies that no rule reads from which on a figure is too low by more than a little."""
_FEWEST = 5
"""So few replies are no sign that the rules do not know a form of answers."""
_LISTED = 3
SIMULATED = ("observer:", "baseline:")
"""Schemes of examinees whose replies without an answer say that they see too little."""
NO_MODELS = (*SIMULATED, PERSON)
"""Schemes of simulated examinees and of people."""


@dataclass
class UnreadCounts:
    """Numbers of replies that a judge can read, and of those in which no rule read an answer.

    Parameters
    ----------
    replies, unread : Counter
        Numbers by examinee and language of the items.
    """

    replies: Counter[tuple[str, str]] = field(default_factory=Counter)
    unread: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, table: pd.DataFrame) -> None:
        """Count the replies of a scored table with the column `language`."""
        judged = table["answer_type"].isin(JUDGED) & ~table["missing"].to_numpy(bool)
        counted: Any = table.loc[judged]
        keys = ["examinee", "language", "status", "rule"]
        groups = counted.groupby(keys, dropna=False).size()
        for (who, language, status, rule), replies in groups.items():
            if not who.startswith(NO_MODELS):
                self.replies[who, language] += replies
                if status == "no_answer" and rule == "nothing":
                    self.unread[who, language] += replies

    def warning(self, journal: str, below: float = 1.0) -> Iterator[Diagnostic]:
        """Yield a warning if more than 5 % of the replies of an examinee or language are unread.

        Parameters
        ----------
        journal : str
            Name of the journal, for the command that shows the replies.
        below : float
            Largest share of an examinee that is counted here: one with more has its own warning.
        """
        totals, totals_unread = _summed(self.replies, 0), _summed(self.unread, 0)
        others = {who for who, n in totals.items() if totals_unread[who] > below * n}
        replies = Counter({key: n for key, n in self.replies.items() if key[0] not in others})
        unread = Counter({key: n for key, n in self.unread.items() if key[0] not in others})
        examinees = _many(_summed(replies, 0), _summed(unread, 0))
        of_languages = _summed(replies, 1)
        languages = _many(of_languages, _summed(unread, 1)) if len(of_languages) > 1 else {}
        if not examinees and not languages:
            return
        groups = {f"to items in {code}": counts for code, counts in languages.items()}
        groups |= {f"of {who}": counts for who, counts in examinees.items()}
        each = [f"{a:,} of {b:,} {name}" for name, (a, b) in groups.items()]
        yield Diagnostic(
            "unread_share", "warning",
            f"No rule read an answer in {unread.total():,} of {replies.total():,} replies "
            f"({first_few(each, _LISTED, between='; ')}). They count as wrong, also if they are "
            "right in words that the rules do not know.",
            f"See them with gfactor score {shlex.quote(journal)} -o replies.csv; with --judge NAME "
            "a model reads them.",
            values={"unread": unread.total(), "replies": replies.total(),
                    "examinees": examinees, "languages": languages},
        )  # fmt: skip


def unread_shares(table: pd.DataFrame, items: pd.DataFrame, journal: str) -> Iterator[Diagnostic]:
    """Yield the warning of `UnreadCounts` about scored responses.

    Parameters
    ----------
    table : DataFrame
        Scored responses.
    items : DataFrame
        Items of the journal, for their languages.
    journal : str
        Name of the journal.
    """
    counts = UnreadCounts()
    languages = dict(row_tuples(items, ("content_hash", "language")))
    of_items = mapped(column(table, "item_hash"), languages).fillna("")
    counts.add(table.assign(language=of_items))
    yield from counts.warning(journal, below=0.5)


def _summed(counts: Counter[tuple[str, str]], part: int) -> Counter[str]:
    """Return the counts by examinee (0) or by language (1)."""
    sums: Counter[str] = Counter()
    for key, n in counts.items():
        sums[key[part]] += n
    return sums


def _many(replies: Mapping[str, int], unread: Mapping[str, int]) -> dict[str, tuple[int, int]]:
    """Return unread and all replies of groups with too many unread ones, the largest share
    first."""
    shares = {
        name: unread[name] / n for name, n in replies.items()
        if unread[name] >= _FEWEST and unread[name] > _SHARE * n
    }  # fmt: skip
    return {
        name: (unread[name], replies[name])
        for name in sorted(shares, key=lambda one: (-shares[one], one))
    }
