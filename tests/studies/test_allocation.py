"""Which items people get: the same for a seed, each item equally often, checks spread out."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.studies import exam_bank

from gfactor.errors import ParameterError
from gfactor.items import ItemBank
from gfactor.studies.questionnaires import ItemAllocation, Study
from gfactor.studies.questionnaires.order.allocation import from_json, to_json


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> ItemBank:
    return exam_bank(tmp_path_factory.mktemp("bank"))


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 1000),
    per_person=st.integers(0, 20),
    people=st.integers(1, 23),
    blocks=st.sampled_from(["", "type"]),
)
def test_every_item_is_given_equally_often_and_to_nobody_twice(
    bank: ItemBank, seed: int, per_person: int, people: int, blocks: str
) -> None:
    dealer = ItemAllocation(
        Study("s", "S", seed=seed, per_person=per_person, blocks=blocks, checks=2), bank
    )
    given_to = Counter[str]()
    for number in range(people):
        form = dealer.form(number)
        items = [step.item for step in form if step.kind == "item"]
        assert len(items) == len(set(items)) == (per_person or 20)
        assert sum(step.kind == "check" for step in form) == 2
        given_to.update(items)
    types = {item_id: labels["type"] for item_id, labels in bank.labels().items()}
    for block in set(types.values()) if blocks else {""}:
        counts = [given_to[i] for i in bank.ids if not blocks or types[i] == block]
        assert max(counts) - min(counts) <= 1


def test_a_form_depends_on_study_seed_and_number_alone(bank: ItemBank) -> None:
    study = Study("s", "S", seed=5, per_person=7)
    forms = [ItemAllocation(study, bank).form(k) for k in range(4)]
    assert forms == [ItemAllocation(study, bank).form(k) for k in range(4)]
    assert len(set(forms)) == 4
    assert ItemAllocation(Study("s", "S", seed=6, per_person=7), bank).form(0) != forms[0]
    assert from_json(to_json(forms[0])) == forms[0]


def test_blocks_stay_together(bank: ItemBank) -> None:
    form = ItemAllocation(Study("s", "S", blocks="type", checks=0), bank).form(3)
    types = [bank.item(step.item).labels["type"] for step in form]
    changes = sum(one != other for one, other in pairwise(types))
    assert changes == len(set(types)) - 1


def test_practice_comes_first_and_is_not_asked_again(bank: ItemBank) -> None:
    form = ItemAllocation(Study("s", "S", practice=("q03",), checks=0), bank).form(0)
    assert (form[0].kind, form[0].item) == ("practice", "q03")
    assert [step.item for step in form].count("q03") == 1


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"practice": ("q99",)}, "practice item 'q99' is not in the bank"),
        ({"per_person": 21}, "has only 20 items"),
        ({"blocks": "subject"}, "no label 'subject'"),
    ],
)
def test_settings_that_do_not_fit_the_bank_are_one_sentence(
    bank: ItemBank, settings: dict[str, object], said: str
) -> None:
    with pytest.raises(ParameterError, match=said):
        ItemAllocation(Study("s", "S", **settings), bank)  # pyright: ignore[reportArgumentType]
