"""Storing the answers that a format reads in a journal, once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from gfactor.administration.asking.questions import middle_of
from gfactor.administration.asking.registration import campaign_row, digest_in
from gfactor.administration.imports.base import (
    IMPORTS,
    JUDGE_CONDITION,
    Answered,
    Flaw,
    JournalFile,
    LeftOut,
    Naming,
    Remark,
    Verdict,
    judge_name,
    traits_of,
)
from gfactor.administration.imports.items import with_one_type_per_label
from gfactor.administration.imports.one_key import (
    Counted,
    other_items,
    to_items_of,
    with_one_key,
)
from gfactor.administration.presenting.condition_text import read_key
from gfactor.administration.presenting.examples import task_of
from gfactor.administration.storing.imported_runs import note_imports
from gfactor.administration.storing.journal import Journal
from gfactor.administration.storing.keys import stored_keys
from gfactor.administration.storing.merging import merge
from gfactor.administration.storing.response import Response
from gfactor.administration.storing.rows import attempt_row
from gfactor.errors import ParameterError
from gfactor.examinees import RenderedItem, Reply
from gfactor.items import Item, canonical_json
from gfactor.items.hashing import digest_of
from gfactor.items.schema import row_of
from gfactor.items.validation import image_flaw, row_flaw
from gfactor.results import number_of

Key = tuple[str, str, str, int]
"""Examinee, item hash, condition, occasion."""


@dataclass(frozen=True)
class ImportResult:
    """Result of an import.

    Parameters
    ----------
    file: the file's path.
    examinees: examinees that answered, in alphabetical order.
    items: number of items in the file.
    added: responses that are new in the journal; `known` were there before.
    failed: failed attempts that are new in the journal: missing, not wrong. completed: truncated
    responses that are now complete.
    verdicts: verdicts of the harness's judge that are new in the journal.
    left_out: reason why nothing of the file is to be imported, "" for any other file.
    flaws: sentences about parts that could not be imported, with file and row.
    replaced: keys of the journal that were replaced.
    notes: sentences about parts that were imported, but perhaps not as intended.
    """

    file: str
    examinees: tuple[str, ...]
    items: int
    added: int
    known: int
    failed: int
    flaws: tuple[str, ...]
    completed: int = 0
    verdicts: int = 0
    left_out: str = ""
    replaced: int = 0
    notes: tuple[str, ...] = ()


def import_file(
    name: str,
    path: Path | str,
    journal: Journal,
    *,
    examinee: str = "",
    examinee_column: str = "",
    condition: str = "",
    first_occasion: int = 0,
    bank: Mapping[str, Item] | None = None,
    replace_keys: bool = False,
    counted: Counted | None = None,
    beside: Sequence[Path] = (),
) -> ImportResult:
    """Import a log of another harness into a journal; the same file again changes nothing.

    Responses that the journal has already (examinee, item, condition, occasion) stay as they are,
    but a truncated reply is completed by one that begins with all of it. The items of a file are
    held in memory together, images included.

    Parameters
    ----------
    name: the format ("inspect").
    path: the file; of a format that takes folders also a folder of such files.
    examinee: name of the examinee; if "", that of the file's content or name.
    examinee_column: column that names the examinee of each row of a table of replies.
    condition: the key of the condition; if "", a key that names the harness in the place of a
    prompt pack, so that answers to different prompts are never pooled by accident.
    first_occasion: number of the file's first occasion; give 1 for a second run of the same test.
    bank: items of a bank by id, to which the replies are taken as answers, since most files hold
        no pictures; an item that the bank lacks, or has with another key, is a flaw.
    replace_keys: True if a key of the journal that differs from that of the file (or of the bank,
        which then counts for the file, too) is replaced. Otherwise, answers to such an item are a
        flaw.
    counted: keys that files of the same import gave before, which no later file replaces; those of
        this file are added.
    beside: all files of the same import, whose names may tell where a model's name ends.

    Raises UnknownNameError for an unknown format, ParameterError if the file does not have the
    format or the condition is invalid, MissingExtraError if the format needs an optional
    dependency, and JournalError if the journal fails.
    """
    path = Path(path)
    if first_occasion < 0:
        raise ParameterError(f"the first occasion is numbered from 0, got {first_occasion}")
    traits = traits_of(name)
    if not (path.is_file() or (path.is_dir() and traits.takes_folders)):
        raise ParameterError(f"there is no file {str(path)!r}")
    if examinee_column and not traits.examinee_column:
        raise ParameterError(f"--examinee-column is for tables of replies, not for {name}")
    key = read_key(condition).key if condition else ""
    naming = Naming(examinee, key, bank, examinee_column, tuple(beside))
    parts = IMPORTS[name](path, naming)
    first = next(parts, None)
    if isinstance(first, JournalFile):
        return _whole_journal(path, journal, first_occasion, replace_keys)
    every = chain(() if first is None else (first,), parts)
    read, verdicts, flaws, remarks, left_out = _read(every, path)
    if bank is not None:
        read, others = to_items_of(bank, read, any_key=replace_keys)
        flaws += [f"{path.name}: {what}" for what in others]
    with journal.transaction() as connection:
        stored = stored_keys(connection, (answered.item.benchmark for answered in read))
    notes = [*remarks, *other_items(path, stored, read)]
    read, corrected, others = with_one_key(
        path, read, stored, {} if counted is None else counted,
        replace_keys=replace_keys, from_bank=bank is not None,
    )  # fmt: skip
    replaced = journal.replace_keys(corrected)
    flaws += [f"{path.name}: {what}" for what in others]
    items = _register(journal, path, read) if read else 0
    note_imports(journal, {(one.examinee, one.condition) for one in read}, name)
    responses, second = _one_answer_each(read, first_occasion)
    flaws += [f"{path.name}: {what}" for what in second]
    new = _unknown(journal, responses)
    journal.add(new)
    completed = journal.complete(r for r in responses.values() if not r.failed)
    other = _answered_otherwise(journal, responses)
    if other:
        flaws.append(
            f"{path.name}: {other:,} answers to items to which the journal has another answer of "
            "the same examinee, condition and occasion, which stays; import this file alone, if it "
            "is of a second run, with --first-occasion 1"
        )
    judged = journal.add(_judgment(verdict, name, first_occasion) for verdict in verdicts)
    return ImportResult(
        file=str(path),
        examinees=tuple(sorted({a.examinee for a in read})),
        items=items,
        added=sum(not r.failed for r in new),
        known=len(responses) - len(new) - other,
        failed=sum(r.failed for r in new),
        flaws=tuple(flaws),
        completed=completed,
        verdicts=judged,
        left_out=left_out,
        replaced=replaced,
        notes=tuple(notes),
    )


def _one_answer_each(
    read: Iterable[Answered], first_occasion: int
) -> tuple[dict[Key, Response], list[str]]:
    """Return the first answer to each question, and sentences about further, different ones."""
    responses: dict[Key, Response] = {}
    ids: dict[Key, str] = {}
    second: list[str] = []
    copies: list[tuple[str, str]] = []
    for answered in read:
        response, item_id = _response(answered, first_occasion), answered.item.id
        taken = responses.setdefault(key := _key(response), response)
        first = ids.setdefault(key, item_id)
        if taken.reply.text != response.reply.text:
            if first == item_id:
                second.append(repr(item_id))
            else:
                copies.append((first, item_id))
    sentences = []
    if second:
        sentences.append(
            f"{number_of(len(second), 'answer')} to an item that was answered before in this "
            f"file, the first {second[0]}; the first answer counts"
        )
    if copies:
        sentences.append(f"{_on_copies(copies)}. Drop one of the two items ({_AUDIT})")
    return responses, sentences


_AUDIT = "`gfactor audit BANK` lists copies"


def _on_copies(copies: Sequence[tuple[str, str]]) -> str:
    """Return a sentence about answers to copies of items, given as pairs of an item and its
    copy."""
    (first, copy), several = copies[0], len(copies) > 1
    what = "the same question, options, key and pictures"
    counted = "counts for both, so that scores differ from those of the file"
    if several:
        return (
            f"{len(copies):,} answers to copies of other items ({what}) are not used, such as "
            f"that to {copy!r}; the answer to the other item ({first!r}) {counted}"
        )
    return (
        f"the answer to {copy!r}, a copy of {first!r} ({what}), is not used; the answer to "
        f"{first!r} {counted}"
    )


def _whole_journal(
    path: Path, journal: Journal, first_occasion: int, replace_keys: bool
) -> ImportResult:
    if first_occasion:
        raise ParameterError(
            "--first-occasion is for logs; leave it out, as a journal numbers its occasions itself"
        )
    if Path(journal.address).resolve() == path.resolve():
        raise ParameterError(
            f"{str(path)!r} is both the file to import and the journal to write; name another file "
            "after --journal"
        )
    with Journal.open(path, create=False) as source:
        merged = merge(journal, source, replace=replace_keys)
    return ImportResult(
        str(path), merged.examinees, merged.items, merged.added, merged.repeated, merged.failed,
        tuple(f"{path.name}: {flaw}" for flaw in merged.flaws), replaced=merged.replaced,
    )  # fmt: skip


def _judgment(verdict: Verdict, name: str, first_occasion: int) -> Response:
    occasion = first_occasion + verdict.occasion
    key = replace(verdict, occasion=occasion).key
    text = canonical_json(dict(verdict.said))
    who = judge_name(name, verdict.judge)
    return Response(who, key, JUDGE_CONDITION, occasion, Reply(text, "ok", ""), verdict.created)


def _read(
    parts: Iterable[Answered | Verdict | LeftOut | Flaw | Remark | JournalFile], path: Path
) -> tuple[list[Answered], list[Verdict], list[str], list[str], str]:
    read: list[Answered] = []
    verdicts: list[Verdict] = []
    flaws: list[str] = []
    remarks: list[str] = []
    left_out = ""
    for part in parts:
        flaw = _flaw(part) if isinstance(part, Answered) else part
        if isinstance(flaw, Flaw):
            flaws.append(f"{path.name}, {flaw.where}: {flaw.what}")
        elif isinstance(part, Remark):
            remarks.append(f"{path.name}, {part.where}: {part.what}")
        elif isinstance(part, Answered):
            read.append(part)
        elif isinstance(part, Verdict):
            verdicts.append(part)
        elif isinstance(part, LeftOut):
            left_out = part.why
    return read, verdicts, flaws, remarks, left_out


def _flaw(answered: Answered) -> Flaw | None:
    """Return the reason why an item cannot be used, by the rules for items of a bank."""
    item = answered.item
    what = row_flaw(row_of(item), len(item.images)) or next(
        (f"image {i.path!r} {flaw}" for i in item.images if (flaw := image_flaw(i.data))), None
    )
    return Flaw(f"item {item.id!r}", what) if what else None


def _response(answered: Answered, first_occasion: int) -> Response:
    return Response(
        answered.examinee,
        answered.item.provenance.content_hash,
        answered.condition,
        first_occasion + answered.occasion,
        answered.reply,
        answered.created,
    )


def _key(response: Response) -> Key:
    return response.examinee, response.item_hash, response.condition, response.occasion


def _unknown(journal: Journal, responses: Mapping[Key, Response]) -> list[Response]:
    """The responses and failed attempts that the journal does not hold."""
    answered: set[Key] = {
        (examinee, item_hash, condition, occasion)
        for examinee, condition in {(key[0], key[2]) for key in responses}
        for item_hash, occasion in journal.answered(examinee, condition)
    }
    columns = ["examinee", "item_hash", "condition", "occasion", "outcome", "detail"]
    failures = set(journal.failures()[columns].itertuples(index=False, name=None))
    return [
        response
        for key, response in responses.items()
        if key not in answered
        and (*key, response.reply.outcome, response.reply.detail) not in failures
    ]


def _answered_otherwise(journal: Journal, responses: Mapping[Key, Response]) -> int:
    """Count the replies that differ from those that the journal has under their keys.

    A reply that was cut off is the same as one that begins with it.
    """
    other = 0
    for examinee in sorted({key[0] for key in responses}):
        columns = ["examinee", "item_hash", "condition", "occasion", "text", "outcome"]
        stored = journal.responses(examinee)[columns].itertuples(index=False, name=None)
        for *key, text, outcome in stored:
            response = responses.get((key[0], key[1], key[2], key[3]))
            if response is None or response.failed:
                continue
            given = attempt_row(response)
            cut = "truncated" in (outcome, given["outcome"])
            shorter, longer = sorted((text, given["text"]), key=len)
            other += not longer.startswith(shorter) if cut else text != given["text"]
    return other


def _register(journal: Journal, path: Path, read: Sequence[Answered]) -> int:
    """Store the items, a sample of each task and the examinees, each once; return the number of
    items."""
    first: dict[tuple[str, str, str], Item] = {}
    for answered in read:
        item = answered.item
        first.setdefault((item.provenance.content_hash, item.id, item.benchmark), item)
    items = with_one_type_per_label(first.values())
    before = journal.meta()["campaigns"]
    contents = digest_of(content for content, _, _ in first)
    digest, is_new = digest_in(journal, contents, first, before)
    registered = {(c["digest"], c["examinee"], c["condition"]) for c in before}
    occasions = 1 + max(a.occasion for a in read)
    calls = [
        campaign_row(str(path), digest, len(items), examinee, condition, occasions)
        for examinee, condition in sorted({(a.examinee, a.condition) for a in read})
        if (digest, examinee, condition) not in registered
    ]
    journal.register(calls, items if is_new else (), samples=_samples(items), digest=digest)
    return len(items)


def _samples(items: Sequence[Item]) -> list[RenderedItem]:
    """Return an item of each task as the harness asked it, not as gfactor would render it."""
    by_benchmark: dict[str, list[Item]] = {}
    for item in items:
        by_benchmark.setdefault(item.benchmark, []).append(item)
    return [
        RenderedItem(item.id, item.benchmark, task_of(item), item.content)
        for group in by_benchmark.values()
        for item in middle_of((item, item.labels) for item in group).values()
    ]
