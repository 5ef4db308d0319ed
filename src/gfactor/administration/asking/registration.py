"""Registration of a campaign in a journal: its items and the prompts with which they are asked."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import pandas as pd

from gfactor import __version__
from gfactor.administration.packs.pack import ANSWERED, GENERIC
from gfactor.administration.presenting.condition import DESCRIBED, Condition
from gfactor.administration.presenting.materials import Materials
from gfactor.administration.storing.journal import Journal
from gfactor.administration.storing.keys import check_keys, key_rows
from gfactor.errors import JournalError
from gfactor.examinees import RenderedItem
from gfactor.frames import pick, row_tuples
from gfactor.items import Item, ItemBank, canonical_json, text_hash
from gfactor.items.gaps import is_question

MADE_WHILE_ASKING = "made while asking"
"""Name in place of a bank if an adaptive test chooses or makes the items by the answers."""


def register_bank(
    journal: Journal,
    bank: ItemBank,
    examinee: str,
    condition: Condition,
    occasions: int,
    materials: Materials | None = None,
    frame: pd.DataFrame | None = None,
    samples: Sequence[RenderedItem] = (),
) -> None:
    """Store a campaign and, unless an earlier one did, the items of its bank, in one transaction.

    `frame` is the result of `ItemBank.frame`, if the caller has it already; `samples` are sample
    items of the tasks. Raises JournalError if the prompts of this condition are not those of the
    journal's earlier campaigns.
    """
    frame = bank.frame() if frame is None else frame
    campaigns = journal.meta()["campaigns"]
    packs = _packs_checked(journal.name, campaigns, frame, condition, materials or Materials())
    columns = (frame[name].tolist() for name in ("content_hash", "id", "benchmark"))
    identities = list(zip(*columns, strict=True))
    digest, unknown = digest_in(journal, bank.scene_digest, identities, campaigns)
    if not unknown:
        # The digest is that of the contents; keys may differ from those of an earlier campaign.
        with journal.transaction() as connection:
            check_keys(connection, journal.name, [*key_rows(frame)])
    call = campaign_row(str(bank.path), digest, len(bank), examinee, condition.key, occasions)
    call["packs"] = json.dumps(packs)
    journal.register([call], bank if unknown else None, frame, samples, digest)


def digest_in(
    journal: Journal,
    digest: str,
    items: Iterable[tuple[str, str, str]],
    campaigns: Sequence[Mapping[str, Any]],
) -> tuple[str, bool]:
    """Return the digest that names a bank in a journal, and True if its items have to be stored.

    It is the digest of the contents, unless the journal has the same contents under other ids or
    for another benchmark, which are different items.

    Parameters
    ----------
    journal : Journal
    digest : str
        Digest of the contents.
    items : iterable of tuple
        Content hash, id and benchmark of each item.
    campaigns : sequence of mapping
        The campaigns of the journal.
    """
    registered = {campaign["digest"] for campaign in campaigns}
    if digest not in registered:
        return digest, True
    wanted = set(items)
    if journal.bank_items(digest) == wanted:
        return digest, False
    digest = f"{digest}+{text_hash(canonical_json(sorted(map(list, wanted))))[:12]}"
    return digest, digest not in registered


def register_made(
    journal: Journal,
    digest: str,
    examples: Sequence[Item],
    examinee: str,
    condition: Condition,
    materials: Materials,
    show: Callable[[Item], RenderedItem],
) -> None:
    """Store a campaign whose items are made during the run, and samples of its tasks.

    Parameters
    ----------
    digest: digest under which the items will be stored.
    examples: an item of every kind, at least one of each task.
    show: renders an example as a sample; called for journals that have none.

    Raises JournalError as `register_bank` does.
    """
    columns = ("benchmark", "language", "answer_type", "images")
    kinds = [(one.benchmark, one.language, one.answer_type, len(one.images)) for one in examples]
    frame, campaigns = pd.DataFrame(kinds, columns=columns), journal.meta()["campaigns"]
    packs = _packs_checked(journal.name, campaigns, frame, condition, materials)
    unknown = digest not in {campaign["digest"] for campaign in campaigns}
    call = campaign_row(MADE_WHILE_ASKING, digest, 0, examinee, condition.key, 1)
    call["packs"] = json.dumps(packs)
    journal.register([call], samples=list(map(show, examples)) if unknown else ())


def campaign_row(
    bank: str, digest: str, items: int, examinee: str, condition: str, occasions: int
) -> dict[str, Any]:
    """Return the journal's row for a campaign that begins now, without its prompt packs."""
    return {
        "bank": bank, "digest": digest, "items": items, "examinee": examinee,
        "condition": condition, "occasions": occasions,
        "version": __version__, "started": datetime.now(UTC).isoformat(timespec="seconds"),
    }  # fmt: skip


def _packs_checked(
    journal: str,
    campaigns: Sequence[Mapping[str, Any]],
    frame: pd.DataFrame,
    condition: Condition,
    materials: Materials,
) -> dict[str, str]:
    """The packs in use; JournalError if earlier campaigns under this condition had others."""
    packs = packs_used(frame, condition, materials)
    for campaign in campaigns:
        if campaign["condition"] == condition.key:
            _check_same(json.loads(campaign["packs"]), packs, journal, campaign["version"])
    return packs


def _needs_pack(condition: Condition, answer_type: str, *, several_images: bool) -> bool:
    """Return True if rendering an item of this answer type may need sentences of a prompt pack."""
    turns = several_images and condition.presentation == "image-per-turn"
    return (
        answer_type in ANSWERED
        or condition.adds_sentences
        or condition.images in DESCRIBED
        or turns
    )


def packs_used(frame: pd.DataFrame, condition: Condition, materials: Materials) -> dict[str, str]:
    """Return the hash, by name, of each prompt pack that is used to render a bank."""
    names = ("benchmark", "language", "answer_type", "images")
    kinds = set(row_tuples(frame, names))
    used: dict[str, str] = {}
    for benchmark, language in _with_questions(frame):
        pack = materials.packs.find(benchmark, condition.prompt_language or language)
        used |= {QUESTIONS: "1"} if pack.benchmark == GENERIC else {}
    for benchmark, language, answer_type, images in kinds:
        if _needs_pack(condition, answer_type, several_images=images > 1):
            pack = materials.packs.find(benchmark, condition.prompt_language or language)
            used[pack.name] = pack.hash
            if condition.decline:
                used[f"{pack.name} decline"] = text_hash(pack.declining())[:12]
            if condition.background and pack.words:
                used[f"{pack.name}{WORDS}"] = text_hash(canonical_json(dict(pack.words)))[:12]
            if condition.presentation == "image-per-turn" and images > 1:
                used[ROUNDS] = "2"
    return dict(sorted(used.items()))


def _with_questions(frame: pd.DataFrame) -> set[tuple[str, str]]:
    """Return benchmark and language of the items with one free answer and no gap."""
    if "target" not in frame:  # Generated while they are asked, with formats of their own.
        return set()
    blanks = pick(frame, (frame["answer_type"] == "blanks").to_numpy(bool))
    rows = row_tuples(blanks, ("benchmark", "language", "target", "text"))
    return {
        (benchmark, language) for benchmark, language, target, text in rows
        if is_question("blanks", _number_of_texts(target), [text])
    }  # fmt: skip


def _number_of_texts(target: str | None) -> int:
    """Return the number of texts of a key, written as JSON."""
    texts = json.loads(target) if target else None
    return len(texts) if isinstance(texts, list) else 1


QUESTIONS = "questions"
"""Entry among the packs for items with one free answer and no gap, which are put as questions;
journals without the entry called them texts with blanks."""

ROUNDS = "rounds"
"""Entry among the packs for the way in which turns are asked: 2 has the examinee's replies between
turns; journals without the entry do not."""


WORDS = " words"
"""Suffix of a pack's name for the hash of its words for values of labels; journals without it were
asked without these words."""


def _check_same(before: dict[str, str], now: dict[str, str], journal: str, version: str) -> None:
    if ROUNDS in now and before and ROUNDS not in before:
        raise JournalError(
            f"journal {journal!r}: gfactor {version} put the turns of presentation=image-per-turn "
            "without the replies between them; this is another measurement, keep it in another "
            "journal"
        )
    if QUESTIONS in now and before and QUESTIONS not in before:
        raise JournalError(
            f"journal {journal!r}: gfactor {version} put items with one free answer and no [MASK] "
            "as texts with blanks, and they are put as questions now; different prompts measure "
            "something different: use another journal"
        )
    for name in now:
        if name.endswith(WORDS) and name not in before and name.removesuffix(WORDS) in before:
            raise JournalError(
                f"journal {journal!r}: gfactor {version} asked under this condition with subjects "
                "and levels untranslated; different prompts measure something different: use "
                "another journal"
            )
    for name in before.keys() & now.keys():
        if before[name] != now[name]:
            raise JournalError(
                f"journal {journal!r}: prompt pack {name} was {before[name]} when gfactor "
                f"{version} asked under this condition and is {now[name]} now; different "
                "prompts measure something different: use another journal"
            )
