"""A condition that changes no item is refused before anything is asked or paid for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from support.chat_server import chat_server
from support.profiles import calibrations

import gfactor as gf
from gfactor.administration import Condition, Files, Journal, Materials
from gfactor.administration.presenting.unchanged import check_changes
from gfactor.api.asking.administering import Campaign, Presentation
from gfactor.api.inputs.reach import reach_of
from gfactor.errors import ParameterError
from gfactor.items import ItemBank

ONE_EACH = {"sizes": [1, 2], "instances": 1}


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> ItemBank:
    """Four items, two of which have two images and all of which contain their prompt."""
    path = tmp_path_factory.mktemp("bank") / "pv.parquet"
    return gf.build("percept-v", domains=["change_colour", "counting_circles"], path=path,
                    **ONE_EACH)  # fmt: skip


def test_a_condition_that_changes_no_item_is_refused_and_nothing_is_asked(
    bank: ItemBank, tmp_path: Path
) -> None:
    with chat_server() as server, pytest.raises(ParameterError) as error:
        gf.run(bank, "openai:m", base_url=server.url, journal=tmp_path / "c.db",
               condition="prompt_language=zh")  # fmt: skip
    assert server.served == 0
    assert not (tmp_path / "c.db").exists()
    assert str(error.value) == (
        "the condition prompt_language=zh changes nothing: all 4 items would be put as under "
        "default (items with an output format of their own contain their prompt); leave it out, "
        "or the same is paid for twice"
    )


def test_the_parameters_of_generation_beside_it_do_not_hide_that_nothing_changes(
    bank: ItemBank,
) -> None:
    how = Condition(prompt_language="zh", decoding=(("temperature", 0),))
    with pytest.raises(ParameterError, match="would be put as under temperature=0"):
        check_changes(bank, how, Materials())


@pytest.mark.parametrize(
    "how",
    [
        Condition(),
        Condition(cot=True),
        Condition(images="blank"),
        Condition(decoding=(("temperature", 0),)),
        # What a model needs is given whether or not an item of this bank has to be changed.
        Condition(image_limit="4096"),
        Condition(images="blank-if-needed"),
        Condition(images="first"),
    ],
)
def test_conditions_that_change_all_items_or_that_models_need_are_taken(
    bank: ItemBank, how: Condition
) -> None:
    assert check_changes(bank, how, Materials()) == ""


@pytest.mark.thorough
def test_a_condition_that_changes_some_items_is_taken_with_a_note(
    bank: ItemBank, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = gf.run(bank, "observer:ideal", journal=tmp_path / "c.db", jobs=1,
                     condition="presentation=image-per-turn")  # fmt: skip
    assert journal.results[0].asked == 4
    assert (
        "note: presentation=image-per-turn changes only a part of the items: of 4 looked at, 2 "
        "have the same prompt as under default"
    ) in capsys.readouterr().err


def test_an_item_beyond_those_that_are_looked_at_first_is_found(
    bank: ItemBank, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two of four items are looked at first, both of one image; another one has two."""
    labels = bank.labels()
    one_image = [name for name in bank.ids if labels[name]["domain"] == "counting_circles"]
    two_images = [name for name in bank.ids if name not in one_image]
    mixed = bank.select([one_image[0], two_images[0], one_image[1], two_images[1]])
    monkeypatch.setattr("gfactor.administration.presenting.unchanged._SPREAD", 2)
    note = check_changes(mixed, Condition(presentation="image-per-turn"), Materials())
    assert "of 2 looked at, 2 have the same prompt as under default" in note


def test_a_batch_of_a_longer_run_is_asked_though_nothing_changes_in_it(
    bank: ItemBank, tmp_path: Path
) -> None:
    given = Presentation(Condition(prompt_language="zh"), Files(), None)
    plan = Campaign.plan(bank, ("observer:ideal",), given, reach_of({}), jobs=1)
    with Journal.open(tmp_path / "c.db") as journal:
        with pytest.raises(ParameterError, match="changes nothing"):
            plan.ask(journal)
        assert replace(plan, batch=True).ask(journal)[0].asked == 4


def test_a_profile_under_a_condition_that_changes_no_item_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="all items of a profile would be put as under defa"):
        gf.profile("observer:ideal", condition="prompt_language=zh", journal=tmp_path / "p.db",
                   calibration=calibrations(("number_series",)), jobs=1)  # fmt: skip
