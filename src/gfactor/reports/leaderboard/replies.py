"""Replies on a leaderboard: the text, what was read where, and why it counted so."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from gfactor.escaping import visible
from gfactor.scoring.judgment import MISSING_OUTCOMES
from gfactor.scoring.questions import PutItem
from gfactor.scoring.replies import Readings, read_reply

REASONS: Mapping[str, str] = {
    "empty": "the reply is empty",
    "refusal": "the reply declines to answer",
    "truncated": "the reply is cut off before its answer",
    "none": "the reply says that no option is right",
    "ambiguous": "the reply leaves open which answer it means",
    "contradiction": "the reply contradicts itself",
    "retracted": "the reply takes its answer back",
    "outside": "the reply names no option that there is",
    "nothing": "no rule read an answer in the reply",
    "content_filter": "a filter withheld the reply",
}
"""Why no answer was read, by the rule that says so (`gfactor.scoring.extraction.extract`)."""

_MARK = "\N{HORIZONTAL ELLIPSIS}"


class MarkedReply(NamedTuple):
    """A reply as it is shown; all texts are harmless (`gfactor.escaping.visible`).

    `before`, `read` and `after` are the reply, divided at the answer ("" if none was read). `why`
    is the judgment with its reason. `mark` is 1 if the reply is right, 0 if it is wrong, and -1 if
    it does not count. `cut` is the number of characters left out (`LEFT_OUT` for all).
    """

    before: str
    read: str
    after: str
    why: str
    mark: int
    cut: int = 0


def shown_reply(row: Mapping[Any, Any], question: PutItem) -> MarkedReply:
    """Return the reply of a row of a scored table."""
    text = str(row["text"])
    start = end = 0
    if row["outcome"] not in MISSING_OUTCOMES:
        start, end = _span(read_reply(text, row["outcome"], question), text)
    mark = -1 if row["missing"] else int(row["correct"] == 1)
    start, end = (start, end) if end else (len(text), len(text))
    before, read, after = map(visible, (text[:start], text[start:end], text[end:]))
    reason = why(row, question)
    if question.options_seed is not None and read:
        reason += " (labels as in the item; the options were shown in another order)"
    return MarkedReply(before, read, after, visible(reason), mark)


def _span(readings: Readings, text: str) -> tuple[int, int]:
    """Return the span of the answer in the reply, without spaces around it; (0, 0) if not there."""
    one = readings.strict if readings.strict.has_answer else readings.lenient
    if not one.has_answer or one.span is None:
        return 0, 0
    start, end = one.span
    part = text[start:end]
    return start + len(part) - len(part.lstrip()), end - len(part) + len(part.rstrip())


def why(row: Mapping[Any, Any], question: PutItem) -> str:
    """Return the judgment on a reply, and the reason, in a sentence without its full stop."""
    rule = "truncated" if row["status"] == "truncated" else str(row["rule"])
    none = REASONS.get(rule, REASONS["nothing"])
    answer, key = _plain(row["answer_lenient"]), key_text(question)
    if row["missing"]:
        if row["status"] == "failed":
            return f"not counted: the attempt failed ({row['outcome']})"
        return f"not counted: {none}"
    if row["policy"] and row["stage"] == "policy":
        return (
            f"{'right' if row['correct'] == 1 else 'wrong'}: no answer was read; the policy "
            f"{row['policy']} took {answer or 'none'}, the key is {key}"
        )
    if row["correct"] == 1:
        judge = ", read by the judge" if row["stage"] == "judge" else ""
        return f"right: read {_plain(row['answer'])}{judge}"
    if row["status"] == "refused":
        return "wrong: the reply declines to answer"
    if row["answer_lenient"] is None:
        by_rules = none == REASONS["nothing"]
        return f"wrong: {none}" if by_rules else f"wrong: no answer could be read; {none}"
    if row["format_error"]:
        right = "which is right" if row["correct_lenient"] == 1 else f"the key is {key}"
        return (
            f"wrong: a format error, no line is in the output format; leniently it says {answer}, "
            f"{right}"
        )
    judge = " by the judge" if row["stage"] == "judge" else ""
    earned, possible = float(row["points"]), float(row["points_possible"])
    part = f"; {earned:g} of {possible:g} points" if 0 < earned < possible else ""
    return f"wrong: read{judge} {_plain(row['answer'])}, the key is {key}{part}"


def key_text(question: PutItem) -> str:
    """Return the right answer in words, with the answers that are accepted beside it."""
    keys = [_words(one) for one in (question.target, *question.accepted)]
    return " or ".join(dict.fromkeys(keys))


def _plain(answer: Any) -> str:
    """An answer in canonical JSON as words."""
    return "" if not isinstance(answer, str) else _words(json.loads(answer))


def _words(answer: Any) -> str:
    if answer is None:
        return "none"
    if isinstance(answer, frozenset | set):
        return ", ".join(sorted(map(_words, answer)))
    if isinstance(answer, tuple | list):
        return ", ".join(f"({_words(a)})" if isinstance(a, tuple | list) else _words(a)
                         for a in answer)  # fmt: skip
    return str(answer)


def excerpt(reply: MarkedReply, most: int) -> MarkedReply:
    """Cut the reply to `most` characters around the part that was read as the answer.

    `cut` is the number of characters that were left out.
    """
    if len(reply.before) + len(reply.read) + len(reply.after) <= most:
        return reply
    read = reply.read[:most]
    left = most - len(read)
    if not reply.read:
        half = left // 2
        before = reply.before[: left - half] + _MARK * bool(most)
        after = reply.before[len(reply.before) - half :] if half else ""
    else:
        ahead = min(len(reply.before), max(left // 2, left - len(reply.after)))
        start = reply.before[len(reply.before) - ahead :]
        before = (_MARK if ahead < len(reply.before) else "") + start
        after = reply.after[: left - ahead]
        after += _MARK if len(after) < len(reply.after) else ""
    whole = len(reply.before) + len(reply.read) + len(reply.after)
    return MarkedReply(before, read, after, reply.why, reply.mark, whole - most)


@dataclass
class Spool:
    """Temporary file of replies, appended run by run and read shard by shard.

    Memory holds the replies of only one run while writing, and of one shard while reading.

    Parameters
    ----------
    folder : Path
        Folder for temporary files.
    per_shard : int
        Items of a shard, by their numbers.
    """

    folder: Path
    per_shard: int
    size: int = 0
    answers: int = 0
    _shards: set[int] = field(default_factory=set)

    def add(self, run: int, replies: Iterable[tuple[int, MarkedReply]]) -> None:
        """Keep the replies of a run, with the number of the item of each."""
        lines: dict[int, list[str]] = {}
        for item, reply in replies:
            line = json.dumps([item, run, *reply], ensure_ascii=False)
            lines.setdefault(item // self.per_shard, []).append(line)
            self.size += len(line)
            self.answers += 1
        for shard, texts in lines.items():
            with (self.folder / f"{shard}.jsonl").open("a", encoding="utf-8") as file:
                file.write("\n".join(texts) + "\n")
        self._shards |= set(lines)

    @property
    def shards(self) -> list[int]:
        """The numbers of shards that are not empty."""
        return sorted(self._shards)

    def of(self, shard: int) -> dict[int, list[tuple[int, MarkedReply]]]:
        """Run and reply, by item, of one shard."""
        by_item: dict[int, list[tuple[int, MarkedReply]]] = {}
        with (self.folder / f"{shard}.jsonl").open(encoding="utf-8") as file:
            for line in file:
                item, run, *reply = json.loads(line)
                by_item.setdefault(item, []).append((run, MarkedReply(*reply)))
        return by_item


LENGTHS = (100_000, 4_000, 1_000, 400, 160, 60, 0)
"""Lengths of the kept part of a reply, from everything to nothing but what was read and why."""


LEFT_OUT = -1
"""In the place of the number of characters, where a reply is left out as a whole: replies that came
to the same are then one."""


def packed(name: str, document: Any) -> bytes:
    """Return a JSON document as a script that hands it to the page: compressed, since a page from a
    disk may load scripts and nothing else."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    # No time and no file name, so that the same document gives the same bytes.
    data = gzip.compress(text.encode(), 9, mtime=0)
    return f'board.take({json.dumps(name)},"{base64.b64encode(data).decode()}")\n'.encode()


def shard_document(replies: Mapping[int, Sequence[tuple[int, MarkedReply]]], most: int) -> Any:
    """Return the replies by item: each different reply once, and the reply of each run.

    If a reply is left out, the answer that was read from it is left out, too; `why` contains it.
    """
    document = {}
    for item, given in sorted(replies.items()):
        numbers: dict[MarkedReply, int] = {}
        pairs = []
        for run, reply in given:
            short = excerpt(reply, most) if most else reply._replace(
                before="", read="", after="", cut=LEFT_OUT
            )  # fmt: skip
            pairs.append((run, numbers.setdefault(short, len(numbers))))
        runs = [run for run, _ in pairs]
        steps = [b - a for a, b in zip([0, *runs], runs, strict=False)]
        document[item] = [[list(one) for one in numbers], steps, [number for _, number in pairs]]
    return document


def fitting_length(spool: Spool, room: int) -> int:
    """Return the longest of `LENGTHS` at which all shards fit into the given number of bytes,
    estimated from four shards; the shortest if none fits."""
    shards = spool.shards
    looked = shards[:: max(1, len(shards) // 4)]
    sizes = dict.fromkeys(LENGTHS, 0)
    for part in map(spool.of, looked):
        for most in LENGTHS:
            sizes[most] += len(packed("", shard_document(part, most)))
    share = len(shards) / max(len(looked), 1)
    fitting = (most for most, size in sizes.items() if size * share * 1.05 <= room)
    return next(fitting, LENGTHS[-1])


def written_shards(spool: Spool, most: int) -> Iterator[tuple[int, bytes]]:
    """Yield number and content of every shard's script."""
    for shard in spool.shards:
        yield shard, packed(f"replies-{shard}", shard_document(spool.of(shard), most))
