"""Noting in a journal what is going to be administered: the items, and a sample of each task."""

from __future__ import annotations

from datetime import UTC, datetime

from gfactor import __version__
from gfactor.administration.condition import Condition
from gfactor.administration.journal import Journal
from gfactor.administration.rendering import render
from gfactor.items import ItemBank


def register_bank(
    journal: Journal, bank: ItemBank, examinee: str, condition: Condition, occasions: int
) -> None:
    """Note a campaign, and the bank's items and samples unless an earlier campaign did."""
    digest = bank.metadata["scene_digest"]
    if digest not in {campaign["digest"] for campaign in journal.meta()["campaigns"]}:
        journal.add_items(bank)
        known = {sample.task for sample in journal.samples()}
        for task, item_id in middle_items(bank).items():
            if task not in known:
                journal.add_sample(render(bank.item(item_id), condition))
    journal.add_campaign(
        bank=str(bank.path),
        digest=digest,
        items=len(bank),
        examinee=examinee,
        condition=condition.key,
        occasions=occasions,
        version=__version__,
        started=datetime.now(UTC).isoformat(timespec="seconds"),
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
