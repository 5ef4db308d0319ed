"""Warnings about the answers behind scores: replies that hold none, and items without one."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import cycle
from typing import Any

import numpy as np
import pandas as pd

from gfactor.administration import Journal, RunResult
from gfactor.administration.asking.registration import MADE_WHILE_ASKING
from gfactor.administration.storing.deviations import failed_answers, run_deviations
from gfactor.administration.storing.marked_people import invalid_people
from gfactor.administration.storing.who_answered import model_changes
from gfactor.api.inputs.matrix_files import TABLE_OF_ANSWERS
from gfactor.api.scores.item_versions import several_contents
from gfactor.frames import pick, row_tuples
from gfactor.items import OutputFormat
from gfactor.items.formats import readable_turns
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.results import number_of
from gfactor.scoring import scored
from gfactor.scoring.sampling import ITEM
from gfactor.scoring.score import ScoredJournal
from gfactor.scoring.summaries import ENOUGH_ITEMS, groups_of
from gfactor.scoring.unread import SIMULATED, unread_shares

_REFUSED = "refused"
_UNREAD = {
    "no_answer": ("hold no answer", "hold none"),
    "truncated": ("end before an answer", "end before one"),
    "off_format": ("do not keep to the format", "hold one that only the lenient reading reads"),
    _REFUSED: ("decline to answer", "decline"),
}
"""Readings of replies that earn nothing, in words, alone and in a list.

A refusal counts only for callers that say so: if an image is left out, it is the right reply.
"""
_SHARE = 0.5
"""Share of replies without an answer from which a score says little."""
_FEWEST = 3
"""So few replies are no sign of a prompt or a model that does not fit."""
_READ_AFTER_RUN = 500
_LONGEST = 80
"""Characters of a reply that a warning shows."""


def notes_on_answers(
    journal: Journal, read: ScoredJournal, names: Sequence[str],
    deviations: Iterable[Diagnostic] | None = None,
) -> Iterator[Diagnostic]:  # fmt: skip
    """Yield what limits the scores of a journal: replies without an answer, runs not answered as
    asked, ids with several contents, copies among the items, items not yet asked.

    Parameters
    ----------
    journal : Journal
        The journal.
    read : ScoredJournal
        Its scored responses and items.
    names : list of str
        The examinees that are scored.
    deviations : iterable of Diagnostic, optional
        Result of `run_deviations` for these examinees, if the caller already has it.
    """
    table = read.responses
    yield from invalid_people(journal, names)
    yield from unread_replies(table, read.items, journal=journal)
    yield from unread_shares(table, read.items, journal.name)
    yield from chosen_items(journal, table)
    yield from several_contents(pick(table, ~table["missing"].to_numpy(bool)))
    yield from copied_items(table)
    yield from run_deviations(journal, set(names)) if deviations is None else deviations
    yield from failed_answers(journal, set(names))
    unasked = tuple(unasked_items(journal.name, read.administered, table))
    yield from unasked
    yield from fewer_items(table, {note.values["examinee"] for note in unasked})


def readings(replies: pd.DataFrame) -> list[str]:
    """Return the status of each scored reply, "off_format" if only the lenient reading reads it.

    Parameters
    ----------
    replies : DataFrame
        Scored responses.
    """
    outside = (replies["status"] == "answered") & replies["format_error"].astype(bool)
    return replies["status"].mask(outside, "off_format").tolist()


def mostly_unread(read: Sequence[str], *, refusals: bool = False) -> bool:
    """Return True if so many replies hold no answer that the score says little about ability.

    Parameters
    ----------
    read : sequence of str
        `readings` of the replies that count.
    refusals : bool
        True to count replies that decline.
    """
    counts = Counter(read)
    unread = sum(counts[name] for name in _UNREAD if refusals or name != _REFUSED)
    return len(read) >= _FEWEST and unread >= _SHARE * len(read)


def unread_replies(
    table: pd.DataFrame, items: pd.DataFrame, which: str = "", *, journal: Journal | None = None,
    name_default: bool = False, refusals: bool = False,
) -> Iterator[Diagnostic]:  # fmt: skip
    """Yield a warning for every examinee of whose replies half or more hold no readable answer.

    Parameters
    ----------
    table : DataFrame
        Scored responses.
    items : DataFrame
        Items of the journal.
    which : str
        Words for the items if they are a part of those that were asked: " to the first 500 items".
    journal : Journal, optional
        Journal of the replies, for the thoughts of those that are empty.
    name_default : bool
        True to name the condition "default", too.
    refusals : bool
        True to count replies that decline.
    """
    stored = journal is not None and journal.name != TABLE_OF_ANSWERS
    named = shlex.quote(journal.name) if journal is not None and stored else "JOURNAL"
    benchmarks = table["benchmark"].nunique() if len(table) else 0
    replied = pick(table, ~table["missing"].to_numpy(bool))
    runs = replied.groupby(list(_RUN)).indices.values()
    read = np.array(readings(replied), dtype=object)
    if not any(mostly_unread(read[rows].tolist(), refusals=refusals) for rows in runs):
        return
    for (who, benchmark, condition), replies in groups_of(replied):
        read = readings(replies)
        if not mostly_unread(read, refusals=refusals):
            continue
        whose = (
            f"{who}{f' to {benchmark}' * (benchmarks > 1)}"
            f"{f' under {condition}' * (name_default or condition != 'default')}{which}"
        )
        counts = {
            name: n for name in _UNREAD
            if (refusals or name != _REFUSED) and (n := read.count(name))
        }  # fmt: skip
        unread = pick(replies.assign(read=read), [one in counts for one in read])
        # A refusal is a format error in the tables, so that their count is larger by these.
        declined = 0 if refusals else read.count(_REFUSED)
        more = f" ({declined:,} more decline{'s' * (declined == 1)} to answer)" * (declined > 0)
        yield Diagnostic(
            "no_answers", "warning",
            f"{len(unread):,} of {len(replies):,} replies of {whose} {_in_words(counts)}{more}.",
            f"{_thoughts(unread, journal)}See them with gfactor score {named} -o replies.csv "
            "(in Python: .responses)."
            + " Longer replies: --condition max_tokens=N." * ("truncated" in counts),
            values={"examinee": who, "benchmark": benchmark, "condition": condition,
                    "unread": len(unread), **counts, "replies": len(replies)},
            example=_first_of(unread, items),
        )  # fmt: skip


def _in_words(counts: Mapping[str, int]) -> str:
    """Return why replies earn nothing: "hold no answer", or the number for each reason."""
    if len(counts) == 1:
        return _UNREAD[next(iter(counts))][0]
    each = ", ".join(f"{n:,} {_UNREAD[name][1]}" for name, n in counts.items())
    return f"hold no answer that counts: {each}"


def _order(read: pd.Series) -> pd.Series:
    """Return the rank of readings: replies that hold nothing, those cut off, those off format."""
    return read.map(list(_UNREAD).index)


def _first_of(unread: pd.DataFrame, items: pd.DataFrame) -> str:
    """Return a sentence with the first reply that cannot be read, a whole one if there is one."""
    first = unread.sort_values("read", key=_order, kind="stable").iloc[0]
    wanted = _format(str(first["item_hash"]), items)
    asked_for = f", where {wanted} was asked for," if wanted else ""
    return f"The first{asked_for} is {_shortened(str(first['text']))!r}."


def _thoughts(unread: pd.DataFrame, journal: Journal | None) -> str:
    """Return a sentence on empty replies whose thoughts hold words; "" if there are none."""
    empty = pick(unread, [not str(text).strip() for text in unread["text"]])
    if journal is None or empty.empty:
        return ""
    key = ["item_hash", "condition", "occasion"]
    stored = journal.responses(str(empty["examinee"].iloc[0]), (*key, "reasoning"))
    thoughts = pick(empty, key).merge(stored, on=key)["reasoning"]
    words = [count for text in thoughts if (count := len(str(text).split()))]
    if not words:
        return ""
    return (
        f"{len(words):,} of {number_of(len(empty), 'empty reply', 'empty replies')} have thoughts "
        f"({number_of(words[0], 'word')} in the first): does the server take answers for thoughts? "
    )


def unread_replies_of_run(
    journal: Journal, results: Iterable[RunResult], ids: Sequence[str]
) -> Iterator[Diagnostic]:
    """Yield the warning of `unread_replies` for every model that a run has asked something, under
    the condition of the run alone.

    Simulated examinees are left out: observers that see little do not answer, as they should.

    Parameters
    ----------
    journal : Journal
        Journal of the run.
    results : iterable of RunResult
        Results of the run.
    ids : sequence of str
        Ids of its items; the replies to the first 500 are read.
    """
    for result in results:
        if result.asked and not result.examinee.startswith(SIMULATED):
            replies = scored(journal, examinee=result.examinee, items=set(ids[:_READ_AFTER_RUN]))
            several = len(set(replies["condition"])) > 1
            replies = pick(replies, (replies["condition"] == result.condition).to_numpy(bool))
            part = f" to the first {_READ_AFTER_RUN} items" * (len(ids) > _READ_AFTER_RUN)
            yield from unread_replies(
                replies, journal.items(), part, journal=journal, name_default=several
            )


def deviations_of_run(journal: Journal, results: Sequence[RunResult]) -> Iterator[Diagnostic]:
    """Yield what `model_changes` reports of the examinees and conditions of a run, and the reasons
    of its failed attempts if there are several.

    Parameters
    ----------
    journal : Journal
        Journal of the run.
    results : list of RunResult
        Results of the run.
    """
    runs = {(one.examinee, one.condition) for one in results}
    names = {examinee for examinee, _ in runs}
    yield from (change for change in model_changes(journal, names) if change.where in runs)
    if any(one.failed for one in results):
        for one in failed_answers(journal, names):
            if one.where in runs and len(one.values) > 1:
                yield one


def unasked_items(
    journal: str, administered: pd.DataFrame, table: pd.DataFrame
) -> Iterator[Diagnostic]:
    """Yield a note for every examinee that was not asked all items of its run.

    Persons and tables of answers are left out: no run asks the rest.

    Parameters
    ----------
    journal : str
        Name of the journal.
    administered : DataFrame
        Items given to each examinee, as `Journal.administered` returns them.
    table : DataFrame
        Scored responses of the journal.
    """
    if journal == TABLE_OF_ANSWERS:
        return
    planned = _counts_by_run(administered)
    tries = _counts_by_run(table.drop_duplicates([*_RUN, *ITEM]))
    several = [len(set(values)) > 1 for values in zip(*planned, strict=True)]
    for (who, condition, benchmark), items in sorted(planned.items()):
        tried = tries.get((who, condition, benchmark), 0)
        if who.startswith("person:") or not 0 < tried < items:
            continue
        of = f" of {benchmark}" * several[2]
        under = f" under {condition}" * several[1]
        yield Diagnostic(
            "unasked_items", "note", f"{who}: {tried:,} of {items:,} items{of} asked{under}.",
            "The same gfactor run asks the rest, unless a rule of --until has stopped it.",
            values={"examinee": who, "condition": condition, "benchmark": benchmark,
                    "asked": tried, "items": items},
        )  # fmt: skip


_RUN = ("examinee", "condition", "benchmark")


def _counts_by_run(rows: pd.DataFrame) -> dict[tuple[str, str, str], int]:
    """Return the number of rows of every examinee, condition and benchmark."""
    counts: Any = rows.groupby(list(_RUN)).size()
    return counts.to_dict()


def chosen_items(journal: Journal, table: pd.DataFrame) -> Iterator[Diagnostic]:
    """Yield a warning for every examinee whose items were chosen by an adaptive test.

    Parameters
    ----------
    journal : Journal
        The journal.
    table : DataFrame
        Its scored responses.
    """
    chosen = {
        (run["examinee"], run["condition"])
        for run in journal.meta()["campaigns"]
        if run["bank"] == MADE_WHILE_ASKING
    }
    answered = set(row_tuples(table, ("examinee", "condition"))) if chosen else set()
    for who, condition in sorted(chosen & answered):
        yield Diagnostic(
            "chosen_items", "warning",
            f"The items of {who} were chosen by its answers (an adaptive test), so that its share "
            "of right answers is not that of the bank.",
            "Read its ability, which takes account of the items: gfactor profile, or gfactor "
            "score with --calibration FILE.",
            values={"examinee": who, "condition": condition},
        )  # fmt: skip


def copied_items(table: pd.DataFrame) -> Iterator[Diagnostic]:
    """Yield a note for every benchmark of which some items are the same question under another id.

    Parameters
    ----------
    table : DataFrame
        Scored responses.
    """
    items = table.drop_duplicates(["benchmark", *ITEM])
    copied = pick(items, items.duplicated(["benchmark", "item_hash"], keep=False))
    for benchmark, rows in copied.groupby("benchmark", sort=True):
        ids = list(rows["item_id"].astype(str))
        alike = [ids[0], *rows.loc[rows["item_hash"] == rows["item_hash"].iloc[0], "item_id"][1:]]
        extra = len(ids) - len(set(rows["item_hash"]))
        same = "1 item asks" if extra == 1 else f"{extra:,} items ask"
        yield Diagnostic(
            "copied_items", "note",
            f"{same} the same as an earlier item of {benchmark}, such as "
            f"{' and '.join(map(str, alike[:2]))}. n and accuracy count every copy; intervals "
            "count a question once.",
            "To count it once, leave the copies out of the bank; gfactor audit BANK lists them.",
            values={"benchmark": str(benchmark), "copies": extra, "items": ids},
        )  # fmt: skip


def with_answers(rows: pd.DataFrame) -> tuple[pd.DataFrame, list[Diagnostic]]:
    """Return the rows of the runs that have an answer, and a warning for every other run.

    A run without answers has no rank. If fewer than two runs have answers, all rows are returned.

    Parameters
    ----------
    rows : DataFrame
        Scored responses to a benchmark with the columns `run` and `score`.
    """
    answers: Any = rows.groupby("run", sort=True)["score"].count()
    if (answers > 0).sum() < 2 or (answers > 0).all():
        return rows, []
    warnings = [
        Diagnostic(
            "no_answer_at_all", "warning",
            f"{run} has no answer that counts, so that it is not compared.",
            "Ask it again with the same gfactor run; gfactor score says what became of its items.",
            values={"run": str(run)},
        )
        for run in answers.index[answers == 0]
    ]  # fmt: skip
    return pick(rows, rows["run"].isin(answers.index[answers > 0]).to_numpy()), warnings


def fewer_items(table: pd.DataFrame, noted: Container[str] = ()) -> Iterator[Diagnostic]:
    """Yield a warning for every examinee that answered only some of the answered items of a
    benchmark, or none that another examinee answered.

    Persons are left out, since a study may give everybody a part of its items.

    Parameters
    ----------
    table : DataFrame
        Scored responses.
    noted : container of str
        Examinees of whom another note says it.
    """
    counted: Any = pick(table, ~table["missing"].to_numpy(bool))
    numbered = counted.assign(_number=counted.groupby(ITEM).ngroup())
    by_run = numbered.groupby(["benchmark", "condition", "examinee"])["_number"]
    answered: dict[tuple[str, str], dict[str, set[int]]] = {}
    for (benchmark, condition, who), items in by_run:
        answered.setdefault((benchmark, condition), {})[who] = set(items)
    for (benchmark, condition), items in answered.items():
        times = Counter(item for one in items.values() for item in one)
        alone = [
            who for who, one in items.items()
            if len(items) > 1 and all(times[item] == 1 for item in one)
        ]  # fmt: skip
        every = len({item for who, one in items.items() if who not in alone for item in one})
        for who, one in items.items():
            if who in noted or who.startswith("person:"):
                continue
            about = {"examinee": who, "benchmark": benchmark, "condition": condition}
            if who in alone:
                yield other_items(who, benchmark, len(one), about)
            elif len(one) <= ENOUGH_ITEMS * every:
                yield Diagnostic(
                    "fewer_items", "warning",
                    f"{who} has answers to {len(one):,} of {every:,} items, and its mean is of "
                    "these alone.",
                    "Take differences from gfactor compare, which uses the items that both "
                    "answered.",
                    values={**about, "answered": len(one), "items": every},
                )  # fmt: skip


def other_items(who: str, benchmark: str, items: int, about: dict[str, str]) -> Diagnostic:
    """Return the warning on an examinee whose items nobody else answered.

    Parameters
    ----------
    who, benchmark : str
        Examinee and benchmark.
    items : int
        Number of its items.
    about : dict
        Values of the diagnostic that identify the examinee.
    """
    return Diagnostic(
        "other_items", "warning",
        f"{who} has no item of {benchmark} in common with any other examinee: nobody else answered "
        f"its {number_of(items, 'item')}, and its score cannot be compared.",
        "If the items are the same, make ids and texts equal in all files, and import again.",
        values={**about, "items": items},
    )  # fmt: skip


def _format(content_hash: str, items: pd.DataFrame) -> str:
    """Return the line in which an item wants its answer: "ABOVE:x BELOW:y"; "" if it names none."""
    texts = items.loc[items["content_hash"] == content_hash, "output_format"]
    text = texts.iloc[0] if len(texts) else None
    if not isinstance(text, str) or not text:
        return ""
    labels = OutputFormat.from_json(text).labels
    return " ".join(f"{label}:{value}" for label, value in zip(labels, cycle("xyz"), strict=False))


def _shortened(text: str) -> str:
    line = " ".join(readable_turns(text).split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]} ..."
