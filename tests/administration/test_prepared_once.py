"""A run prepares every item once: for the journal's sample, the check of images and asking."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.batch_server import batch_server
from support.exam import image, question

import gfactor as gf
from gfactor.administration import Condition, Journal, read_condition, run
from gfactor.administration.asking import cost_estimates, questions
from gfactor.administration.asking.cells import BankCell, administer_cells
from gfactor.administration.asking.interrupting import completed
from gfactor.administration.asking.stages import run_in_stages
from gfactor.administration.presenting import rendering
from gfactor.administration.presenting.materials import Materials
from gfactor.administration.storing import journal
from gfactor.errors import JournalError, ParameterError
from gfactor.examinees import RenderedItem, Reply
from gfactor.examinees.image_limits import ImageLimit
from gfactor.items import Item, ItemBank, write_bank

Rendered = Counter[tuple[str, str]]
"""How often each item was rendered under each condition."""

LIMIT = ImageLimit.parse("60")


class Fixed:
    """An examinee that always says the same; with a limit of images where it is given one."""

    def __init__(self, limit: ImageLimit | None = None, reads: bool = True) -> None:
        self.name = "test:fixed"
        self.in_flight = 4
        self.image_limit, self.reads = limit, reads

    async def __call__(self, item: RenderedItem) -> Reply:
        return Reply("COUNT:1")

    async def close(self) -> None:
        """Nothing is held."""


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> Rendered:
    counts: Rendered = Counter()
    real: Callable[..., RenderedItem] = rendering.render

    def counting(item: Item, condition: Condition, *materials: Any) -> RenderedItem:
        counts[item.id, condition.key] += 1
        return real(item, condition, *materials)

    for module in (questions, rendering):
        monkeypatch.setattr(module, "render", counting)
    # A projection of costs renders texts of its own; loaded now, it is not counted.
    monkeypatch.setattr(cost_estimates, "render", real)
    return counts


def once(bank: ItemBank, *keys: str) -> Rendered:
    return Counter((item, key) for item in bank.ids for key in keys)


@pytest.mark.thorough
@pytest.mark.parametrize("occasions", [1, 3])
@pytest.mark.parametrize("limit", [None, LIMIT], ids=["unlimited", "limited"])
@pytest.mark.parametrize("key", ["default", "temperature=0", "prompt_language=zh"])
def test_an_item_put_as_it_is_is_rendered_once_in_a_whole_run(
    bank: ItemBank, path: Path, rendered: Rendered, key: str, limit: ImageLimit | None,
    occasions: int,
) -> None:  # fmt: skip
    with Journal.open(path) as kept:
        condition = read_condition(key)
        examinee = Fixed(limit, reads=key != "prompt_language=zh")
        result = run(bank, examinee, kept, condition, occasions)
        assert result.asked == len(bank) * occasions
        assert rendered == once(bank, condition.key)
        assert len(kept.samples()) == 2
        # What is answered is not rendered again.
        assert run(bank, examinee, kept, condition, occasions).asked == 0
    assert rendered == once(bank, condition.key)


@pytest.mark.thorough
@pytest.mark.parametrize("limit", [None, LIMIT], ids=["unlimited", "limited"])
def test_other_words_are_rendered_once_and_the_samples_once_as_they_are(
    bank: ItemBank, path: Path, rendered: Rendered, limit: ImageLimit | None
) -> None:
    with Journal.open(path) as kept:
        run(bank, Fixed(limit), kept, Condition(cot=True), occasions=2)
        samples = kept.samples()
    assert rendered == once(bank, "cot=on") + Counter((s.item_id, "default") for s in samples)
    assert len(samples) == 2
    assert not any("step by step" in str(part) for s in samples for part in s.content)


@pytest.mark.thorough
def test_stages_cells_and_batches_render_once_too(
    bank: ItemBank, tmp_path: Path, rendered: Rendered
) -> None:
    with Journal.open(tmp_path / "stages.db") as kept:
        run_in_stages(bank, [Fixed(LIMIT)], kept, Condition(), 2, lambda: False, order_seed=3)
    assert rendered == once(bank, "default")
    rendered.clear()
    cells = [BankCell(bank, Condition(decoding=(("seed", n),)), Materials(), 2) for n in (1, 2)]
    with Journal.open(tmp_path / "cells.db") as kept:
        completed(administer_cells(Fixed(), cells, kept))
    assert rendered == once(bank, "seed=1", "seed=2")


def test_a_batch_is_submitted_as_it_was_measured(
    bank: ItemBank, tmp_path: Path, rendered: Rendered
) -> None:
    with batch_server() as server:
        (tmp_path / "c.toml").write_text(
            f'[[banks]]\npath = "{bank.path.name}"\n[servers.lab]\nbase_url = "{server.url}"\n'
            'batch = "openai"\nbatch_size = 7\npoll = 0.01\n'
            '[[models]]\nspec = "openai:m"\nserver = "lab"\n',
            encoding="utf-8",
        )
        assert gf.campaign.run(tmp_path / "c.toml").code == 0
        assert server.submitted == 3
    assert rendered == once(bank, "default")


def test_images_beyond_the_room_are_rendered_again_and_samples_are_not(
    tmp_path: Path, path: Path, rendered: Rendered, monkeypatch: pytest.MonkeyPatch
) -> None:
    items = [question(f"q{n}", content=("Look:", image(n, 20, 10))) for n in range(3)]
    bank = ItemBank.open(write_bank(items, tmp_path / "bank.parquet"))
    size = len(items[0].images[0].data)
    monkeypatch.setattr(questions, "KEPT_BYTES", 2 * size)
    with Journal.open(path) as kept:
        run(bank, Fixed(LIMIT), kept)
    assert sorted(rendered.values()) == [1, 1, 2]


def test_what_cannot_be_asked_leaves_nothing_in_the_journal(tmp_path: Path, path: Path) -> None:
    items = [question("small"), question("wide", content=("Look:", image(2, 70, 30)))]
    bank = ItemBank.open(write_bank(items, tmp_path / "bank.parquet"))
    with Journal.open(path) as kept:
        with pytest.raises(ParameterError, match="is 70 x 30 pixels, more than 60"):
            run(bank, Fixed(LIMIT), kept)
        assert (kept.size(), kept.samples(), kept.meta()["campaigns"]) == ((0, 0, 0), [], [])


def test_a_campaign_is_noted_whole_or_not_at_all(
    bank: ItemBank, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(rendered: RenderedItem) -> list[dict[str, Any]]:
        return [{"benchmark": rendered.benchmark, "no_such_column": 1}]

    with Journal.open(path) as kept:
        with monkeypatch.context() as during:
            during.setattr(journal, "sample_rows", broken)
            with pytest.raises(JournalError, match="no_such_column"):
                run(bank, Fixed(), kept)
        assert (kept.size(), kept.samples(), kept.meta()["campaigns"]) == ((0, 0, 0), [], [])
        assert run(bank, Fixed(), kept).asked == len(bank)
        assert len(kept.samples()) == 2
