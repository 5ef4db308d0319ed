"""Noting in a journal what is going to be administered: the items, and a sample of each task."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pandas as pd

from gfactor import __version__
from gfactor.administration.condition import Condition
from gfactor.administration.journal import Journal
from gfactor.administration.materials import Materials
from gfactor.administration.rendering import needs_pack, render
from gfactor.errors import JournalError
from gfactor.items import Item, ItemBank, canonical_json, text_hash


def register_bank(
    journal: Journal,
    bank: ItemBank,
    examinee: str,
    condition: Condition,
    occasions: int,
    materials: Materials | None = None,
    frame: pd.DataFrame | None = None,
) -> None:
    """Note a campaign, and the bank's items and samples unless an earlier campaign did.

    `frame` is what `ItemBank.frame` gives, for callers who have it at hand.
    Samples show items as they are, whatever the condition. Raises JournalError where the prompts
    of this condition are not those of the journal's earlier campaigns.
    """
    digest, materials = bank.scene_digest, materials or Materials()
    frame = bank.frame() if frame is None else frame
    packs = _packs_checked(journal, frame, condition, materials)
    if digest not in {campaign["digest"] for campaign in journal.meta()["campaigns"]}:
        journal.add_items(bank, frame)
        known = {sample.task for sample in journal.samples()}
        for task, item_id in middle_items(bank).items():
            if task not in known:
                _add_sample(journal, bank.item(item_id), condition, materials)
    journal.add_campaign(
        bank=str(bank.path), digest=digest, items=len(bank), examinee=examinee,
        condition=condition.key, occasions=occasions, packs=json.dumps(packs), **_now(),
    )  # fmt: skip


def register_made(
    journal: Journal,
    digest: str,
    examples: Sequence[Item],
    examinee: str,
    condition: Condition,
    materials: Materials,
) -> None:
    """Note a campaign whose items are made while it goes on, and samples of its tasks.

    Parameters
    ----------
    digest: under which the items will be stored.
    examples: an item of every kind, at least one of each task.

    Raises JournalError as `register_bank` does.
    """
    columns = ("benchmark", "language", "answer_type", "images")
    kinds = [(one.benchmark, one.language, one.answer_type, len(one.images)) for one in examples]
    packs = _packs_checked(journal, pd.DataFrame(kinds, columns=columns), condition, materials)
    if digest not in {campaign["digest"] for campaign in journal.meta()["campaigns"]}:
        for item in examples:
            _add_sample(journal, item, condition, materials)
    journal.add_campaign(
        bank="made while asking", digest=digest, items=0, examinee=examinee,
        condition=condition.key, occasions=1, packs=json.dumps(packs), **_now(),
    )  # fmt: skip


def _now() -> dict[str, str]:
    return {
        "version": __version__, "started": datetime.now(UTC).isoformat(timespec="seconds"),
    }  # fmt: skip


def _packs_checked(
    journal: Journal, frame: pd.DataFrame, condition: Condition, materials: Materials
) -> dict[str, str]:
    """The packs in use; JournalError where earlier campaigns under this condition had others."""
    packs = packs_used(frame, condition, materials)
    for campaign in journal.meta()["campaigns"]:
        if campaign["condition"] == condition.key:
            _check_same(json.loads(campaign["packs"]), packs, journal.name, campaign["version"])
    return packs


def _add_sample(journal: Journal, item: Item, condition: Condition, materials: Materials) -> None:
    plain = replace(Condition(), prompt_language=condition.prompt_language)
    journal.add_sample(render(item, plain, Materials(packs=materials.packs)))


def packs_used(frame: pd.DataFrame, condition: Condition, materials: Materials) -> dict[str, str]:
    """The prompt packs that rendering a bank takes sentences from: name to hash."""
    names = ("benchmark", "language", "answer_type", "images")
    kinds = set(zip(*(frame[name].to_numpy(dtype=object) for name in names), strict=True))
    used: dict[str, str] = {}
    for benchmark, language, answer_type, images in kinds:
        if needs_pack(condition, answer_type, several_images=images > 1):
            pack = materials.packs.find(benchmark, condition.prompt_language or language)
            used[pack.name] = pack.hash
            if condition.decline:
                used[f"{pack.name} decline"] = text_hash(pack.declining())[:12]
            if condition.background and pack.words:
                used[f"{pack.name}{WORDS}"] = text_hash(canonical_json(dict(pack.words)))[:12]
            if condition.presentation == "image-per-turn" and images > 1:
                used[ROUNDS] = "2"
    return dict(sorted(used.items()))


ROUNDS = "rounds"
"""Stands among the packs with the way in which turns are put: 2 has the examinee's replies between
them, which journals that name none do not."""


WORDS = " words"
"""Stands behind a pack's name with the hash of its words for values of labels, which journals that
have none of it were asked without."""


def _check_same(before: dict[str, str], now: dict[str, str], journal: str, version: str) -> None:
    if ROUNDS in now and before and ROUNDS not in before:
        raise JournalError(
            f"journal {journal!r}: gfactor {version} put the turns of presentation=image-per-turn "
            "without the replies between them; this is another measurement, keep it in another "
            "journal"
        )
    for name in now:
        if name.endswith(WORDS) and name not in before and name.removesuffix(WORDS) in before:
            raise JournalError(
                f"journal {journal!r}: gfactor {version} asked under this condition with subjects "
                "and levels untranslated; other prompts are another measurement, keep them in "
                "another journal"
            )
    for name in before.keys() & now.keys():
        if before[name] != now[name]:
            raise JournalError(
                f"journal {journal!r}: prompt pack {name} was {before[name]} when gfactor "
                f"{version} asked under this condition and is {now[name]} now; other prompts are "
                "another measurement, keep them in another journal"
            )


def middle_items(bank: ItemBank) -> dict[str, str]:
    """For each task the id of its first item of middle size: neither trivial nor crowded."""
    by_task: dict[str, list[tuple[int, str]]] = {}
    for item_id, labels in bank.labels().items():
        size = labels.get("size", 0)
        task = str(labels.get("domain", ""))
        by_task.setdefault(task, []).append((size if isinstance(size, int) else 0, item_id))
    chosen = {}
    for task, items in by_task.items():
        sizes = sorted(size for size, _ in items)
        middle = sizes[(len(sizes) - 1) // 2]
        chosen[task] = next(item_id for size, item_id in items if size == middle)
    return chosen
