"""A conversation in a study: turn by turn, with no way back, marked as a model's is."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from support.studies import PASSWORD, client_of

from gfactor.administration import Journal
from gfactor.benchmarks.chc import build
from gfactor.benchmarks.for_people import content_for_people
from gfactor.errors import ParameterError
from gfactor.items import Item, ItemBank, write_bank
from gfactor.scoring import scored
from gfactor.studies.questionnaires import Study, StudyFolder, application, export_study
from gfactor.studies.questionnaires.pages.views import asks, turn_pictures, turns_of
from gfactor.studies.questionnaires.results.jspsych import export_jspsych
from gfactor.studies.questionnaires.simulating import serving, simulate
from gfactor.studies.questionnaires.simulating.form import Form, forms


@pytest.fixture(scope="module")
def items() -> list[Item]:
    """A conversation in which every turn but the first ones is asked, and a single question."""
    parts = build.plan(
        seed=3, families=["updating", "number_series"], difficulty=["easy"], per_cell=1
    ).parts
    found: list[Any] = [item for part in parts for item in part.make()]
    return sorted(found, key=lambda item: not item.turns)


def study_of(folder: Path, items: list[Item], **settings: Any) -> StudyFolder:
    folder.mkdir(parents=True, exist_ok=True)
    bank = ItemBank.open(write_bank(items, folder / "bank.parquet"))
    study = Study("talk", "Talk", checks=0, shuffle=False, **settings)
    return StudyFolder.make(folder / "study", study, bank, PASSWORD)


def question(client: Any) -> Form:
    return next(f for f in forms(client.get("/task").text) if f.action == "/task")


def begin(client: Any) -> None:
    form = forms(client.get("/").text)[0]
    client.post("/start", data={**form.hidden, "agree": "yes"})


def reply(item: Item, turn: int) -> dict[str, str]:
    """The right fields of a turn."""
    assert isinstance(item.target, tuple)
    asked = turn - turns_of(item) + len(item.target)
    return {"part-0": str(item.target[asked])} if asked >= 0 else {}


def test_turns_come_one_by_one_and_the_answer_is_a_models(
    tmp_path: Path, items: list[Item]
) -> None:
    talk, single = items
    folder = study_of(tmp_path, items)
    with client_of(application(folder)) as client:
        begin(client)
        for turn in range(turns_of(talk)):
            form = question(client)
            assert (form.hidden["position"], form.hidden["turn"]) == ("0", str(turn))
            assert form.texts == (["part-0"] if asks(talk, turn) else [])
            text = " ".join(s for s in _shown(talk, turn) if isinstance(s, str))
            assert " ".join(text.split())[:40] in " ".join(form.stem.split())
            client.post("/task", data={**form.hidden, "seconds": "2", **reply(talk, turn)})
        form = question(client)
        assert (form.hidden["position"], form.hidden["turn"]) == ("1", "0")
        client.post("/task", data={**form.hidden, "part-0": str(single.target)})
    export_study(folder, tmp_path / "out")
    turns = pd.read_csv(tmp_path / "out" / "psych_ds" / "data" / "study-talk_turns_data.csv")
    assert list(turns["turn"]) == list(range(turns_of(talk)))
    with Journal.open(tmp_path / "out" / "journal.db", create=False) as journal:
        table = scored(journal).set_index("item_id")
    assert table.loc[talk.id, "points"] == len(talk.target)  # pyright: ignore[reportArgumentType]
    assert all(table["correct"])


def _shown(item: Item, turn: int) -> tuple[Any, ...]:
    starts = (0, *item.turns, len(item.content))
    return content_for_people(item)[starts[turn] : starts[turn + 1]]


@pytest.mark.thorough
def test_there_is_no_way_back(tmp_path: Path, items: list[Item]) -> None:
    """Neither a second reply, nor a reload, nor the address of a picture shows an earlier turn."""
    talk = items[0]
    folder = study_of(tmp_path, items)
    with client_of(application(folder)) as client:
        begin(client)
        first = question(client)
        page = client.get("/task").text
        images = page.split('src="')[-1].split('"')[0].rsplit("/", 1)[0]
        assert client.get(f"{images}/{turn_pictures(talk, 0)[0]}").status_code == 200
        beyond = turn_pictures(talk, 2)[0]
        assert client.get(f"{images}/{beyond}").status_code == 404, "not reached yet"
        for turn in (0, 1):
            client.post("/task", data={**question(client).hidden, **reply(talk, turn)})
        assert question(client).hidden["turn"] == "2"
        client.post("/task", data={**first.hidden, "part-0": "9"})
        assert question(client).hidden["turn"] == "2"
        assert client.get(f"{images}/{beyond}").status_code == 200
        assert client.get(f"{images}/{turn_pictures(talk, 0)[0]}").status_code == 404
    store = folder.store()
    stored = store.frame("turns")
    assert list(stored["turn"]) == [0, 1]
    with client_of(application(folder)) as again:  # another process, the same database
        assert again.get("/task").status_code == 200
    store.close()


@pytest.mark.thorough
def test_a_turn_that_asks_is_not_left_empty(tmp_path: Path, items: list[Item]) -> None:
    talk = items[0]
    folder = study_of(tmp_path, items)
    with client_of(application(folder)) as client:
        begin(client)
        while not asks(talk, int(question(client).hidden["turn"])):
            client.post("/task", data=question(client).hidden)
        before = question(client).hidden["turn"]
        client.post("/task", data=question(client).hidden)
        assert question(client).hidden["turn"] == before


def test_when_time_is_over_turns_without_reply_earn_nothing(
    tmp_path: Path, items: list[Item], monkeypatch: pytest.MonkeyPatch
) -> None:
    talk = items[0]
    assert isinstance(talk.target, tuple)
    folder = study_of(tmp_path, items, time_limit_s=60.0)
    clock = [1_000_000.0]
    monkeypatch.setattr("time.time", lambda: clock[0])
    with client_of(application(folder)) as client:
        begin(client)
        for turn in range(turns_of(talk) - len(talk.target) + 1):
            client.post("/task", data={**question(client).hidden, **reply(talk, turn)})
        clock[0] += 61
        client.post("/task", data={**question(client).hidden, "over": "1"})
        assert question(client).hidden["position"] == "1"
    store = folder.store()
    answers = store.frame("answers")
    store.close()
    assert list(answers["earned"]) == [1.0]
    assert list(answers["possible"]) == [float(len(talk.target))]


@pytest.mark.thorough
def test_whoever_withdraws_takes_the_turns_along(tmp_path: Path, items: list[Item]) -> None:
    folder = study_of(tmp_path, items)
    with client_of(application(folder)) as client:
        begin(client)
        client.post("/task", data=question(client).hidden)
        store = folder.store()
        assert len(store.frame("turns")) == 1
        store.withdraw(str(store.frame("participants")["code"][0]))
        assert len(store.frame("turns")) == 0
        store.close()


def test_a_static_page_refuses_conversations(tmp_path: Path, items: list[Item]) -> None:
    folder = study_of(tmp_path, items)
    with pytest.raises(ParameterError, match="is a conversation"):
        export_jspsych(folder, tmp_path / "static", 1)


def test_simulated_people_take_conversations(tmp_path: Path, items: list[Item]) -> None:
    folder = study_of(tmp_path, items)
    with serving(folder, simulated=True) as base:
        asyncio.run(simulate(base, folder, {"person": 6}, seed=2))
    store = folder.store()
    answers, turns = store.frame("answers"), store.frame("turns")
    store.close()
    assert len(answers) == 6 * len(items)
    assert len(turns) == 6 * turns_of(items[0])
    assert set(answers["earned"][answers["item"] == items[0].id]) > {0.0}
