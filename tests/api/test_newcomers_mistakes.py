"""What a newcomer mistypes is refused in one sentence that names the remedy, or understood."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.banks import make_items

import gfactor as gf
from gfactor.administration import Condition, Journal
from gfactor.administration.presenting.condition_text import condition_named
from gfactor.api.inputs.scoring import scoring_of
from gfactor.errors import BankError, ParameterError, UnknownNameError
from gfactor.items import write_bank

KEYS = {"default", "examples=ba287d140c94,shots=1", "images=blank"}


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    with Journal.open(tmp_path / "c.db"):
        return tmp_path / "c.db"


def test_a_condition_may_be_named_as_pages_show_it() -> None:
    assert condition_named("shots=1", KEYS) == "examples=ba287d140c94,shots=1"
    both = {"cot=on,shots=1"}
    assert condition_named("shots=1,cot=on", both) == "cot=on,shots=1"


def test_a_short_name_of_two_conditions_is_refused_with_both() -> None:
    both = {"examples=aaa,shots=1", "examples=bbb,shots=1"}
    with pytest.raises(ParameterError, match=r"2 conditions are called 'shots=1'.*aaa.*bbb"):
        condition_named("shots=1", both)


def test_an_unknown_condition_lists_those_that_there_are() -> None:
    with pytest.raises(UnknownNameError, match=r"known: default, examples=.*, images=blank"):
        condition_named("temperature=0", KEYS)


def test_several_conditions_in_python_are_refused_in_one_sentence() -> None:
    several: Any = ["default", "images=blank"]
    with pytest.raises(ParameterError, match="leave it out for all"):
        scoring_of((), several, None, "own", {})


def test_a_condition_of_python_is_taken_as_its_key() -> None:
    given: Any = Condition(images="blank")
    assert scoring_of((), given, None, "own", {}).condition == "images=blank"


def test_a_mistyped_option_of_run_is_recognized(tmp_path: Path) -> None:
    bank = write_bank(make_items(), tmp_path / "b.parquet")
    mistyped: Any = {"conditon": "images=blank"}
    with pytest.raises(UnknownNameError, match="did you mean 'condition'"):
        gf.run(bank, ["baseline:random"], journal=tmp_path / "c.db", **mistyped)


def test_replies_are_read_from_mappings_and_what_is_none_is_refused() -> None:
    case: Any = {"id": "q", "kind": "SA", "response": "(B).", "options": {"A": "red", "B": "blue"}}
    assert gf.extract([case]).table["answer"].tolist() == ["B"]
    with pytest.raises(ParameterError, match="case 2"):
        gf.extract([case, {"id": "q"}])
    unfit: Any = [{1, 2}]
    with pytest.raises(ParameterError, match="case 1 must be a mapping"):
        gf.extract(unfit)


def test_a_journal_in_the_place_of_replies_or_of_a_bank_is_recognized(journal: Path) -> None:
    with pytest.raises(ParameterError, match="gfactor score JOURNAL -o FILE"):
        gf.extract(journal)
    with pytest.raises(BankError, match="such as a journal, not a bank"):
        gf.run(journal, ["baseline:random"], journal="other.db")


def test_the_word_of_the_command_line_is_recognized_where_python_has_another(
    journal: Path,
) -> None:
    mistyped: Any = {"examinee": ["openai:m"]}
    with pytest.raises(UnknownNameError, match="of plan 'examinee'; did you mean 'examinees'"):
        gf.plan(journal, aim="se", target=0.03, **mistyped)
    assert gf.plan.__name__ == "plan"


def test_a_baseline_is_refused_by_a_profile_with_what_to_name_instead() -> None:
    with pytest.raises(ParameterError, match=r"a profile .* has none: name a model or an observer"):
        gf.profile("baseline:random", abilities=["EF"], max_items=4)


def test_more_answers_for_an_ability_than_items_are_refused() -> None:
    with pytest.raises(ParameterError, match="20 answers need 20 items, but at most 3"):
        gf.profile("observer:ideal", abilities=["EF"], min_items=20, max_items=3)
