"""Nothing answered is lost; marks find who did not read; people meet models in a journal."""

from __future__ import annotations

import asyncio
import json
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from support.studies import client_of, exam_items, make_study

from gfactor.administration import Journal
from gfactor.cli import cli
from gfactor.errors import ParameterError
from gfactor.items import ItemBank
from gfactor.scoring import matrix, scored
from gfactor.scoring.questions import question_about
from gfactor.scoring.replies import read_reply
from gfactor.studies.questionnaires import (
    Pay,
    Rules,
    StudyFolder,
    application,
    export_study,
    marks,
)
from gfactor.studies.questionnaires.pages.marking import mark
from gfactor.studies.questionnaires.simulating import Simulation, serving, simulate
from gfactor.studies.questionnaires.simulating.bot import Bot
from gfactor.studies.questionnaires.simulating.form import forms


def crowd(folder: StudyFolder, seed: int = 1, **kinds: int) -> Simulation:
    with serving(folder, simulated=True) as base:
        return asyncio.run(simulate(base, folder, kinds, seed=seed))


@pytest.mark.slow
def test_the_same_seed_gives_the_same_people_whichever_request_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = Bot._read
    told = []
    for run in ("first", "second"):
        delays = random.Random(run)

        async def late(bot: Bot, *words: Any, delays: random.Random = delays, **more: Any) -> bytes:
            await asyncio.sleep(0.02 * delays.random())
            return await read(bot, *words, **more)

        monkeypatch.setattr(Bot, "_read", late)
        (tmp_path / run).mkdir()
        folder = make_study(tmp_path / run, checks=1)
        crowd(folder, seed=5, person=4, clicker=4)
        export_study(folder, tmp_path / run / "export")
        with Journal.open(tmp_path / run / "export" / "journal.db") as journal:
            rows = journal.responses()
        people = [
            sorted(zip(part["item_hash"], part["text"], strict=True))
            for _, part in rows.groupby("examinee")
        ]
        told.append(sorted(people))
    assert len(told[0]) == 8
    assert told[0] == told[1]


@pytest.mark.slow
def test_no_answer_is_lost_when_the_server_is_killed_at_random_moments(tmp_path: Path) -> None:
    folder = make_study(tmp_path, checks=1, practice=("q19",))
    program = (
        "import sys; from pathlib import Path\n"
        "from gfactor.studies.questionnaires import application\n"
        "from gfactor.studies.web import serve\n"
        "serve(application(Path(sys.argv[1])), port=int(sys.argv[2]),"
        " ready=lambda a: print(a, flush=True))"
    )

    def start(port: int) -> tuple[subprocess.Popen[str], str]:
        command = [sys.executable, "-c", program, str(folder.path), str(port)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        return process, process.stdout.readline().strip()

    def stop(process: subprocess.Popen[str]) -> None:
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert process.stdout is not None
        process.stdout.close()

    process, base = start(0)
    port = int(base.rsplit(":", 1)[1])
    source = random.Random(4)

    async def kill_now_and_then() -> int:
        nonlocal process
        kills = 0
        while kills < 4:
            await asyncio.sleep(0.15 + 0.5 * source.random())
            stop(process)
            process, _ = await asyncio.to_thread(start, port)
            kills += 1
        return kills

    async def both() -> tuple[Simulation, int]:
        bots = simulate(base, folder, {"person": 25}, seed=2)
        return tuple(await asyncio.gather(bots, kill_now_and_then()))  # pyright: ignore[reportReturnType]

    try:
        made, kills = asyncio.run(both())
    finally:
        stop(process)
    assert kills == 4
    assert all(visit.finished for visit in made.visits)
    store = folder.store()
    answers = store.frame("answers")
    store.close()
    each = [list(own["position"]) for _, own in answers.groupby("code")]
    assert each == [list(range(21))] * 25


@pytest.mark.slow
def test_marks_find_those_who_do_not_read(tmp_path: Path) -> None:
    folder = make_study(tmp_path, checks=5)
    crowd(folder, seed=3, person=40, clicker=15, drowsy=10, **{"straight-liner": 10})
    store = folder.store()
    answers, people = store.frame("answers"), store.frame("participants")
    store.close()
    found = marks(answers, people, folder.study.rules)
    middle = found["median_seconds"].to_numpy()
    clickers, liners = found.loc[middle < 1.0], found.loc[middle == 2.0]
    assert len(clickers) == 15
    assert len(liners) == 10
    assert clickers["speeding"].all()
    assert liners["straight_lining"].all()
    # Of five check questions blind answering fails more than two with probability 0.90.
    assert clickers["invalid"].mean() > 0.6
    marked = found[["speeding", "straight_lining", "invalid"]].to_numpy(bool).any(axis=1)
    assert 40 <= np.count_nonzero(~marked) <= 40 + 4
    assert len(found) == 75


@pytest.mark.thorough
@pytest.mark.parametrize(("checks", "found"), [(3, 0.42), (4, 0.74), (5, 0.90)])
def test_checks_find_blind_answers_as_often_as_the_docs_say(checks: int, found: float) -> None:
    """2,000 persons who choose at random, and 2,000 who slip once in fifty."""
    source = np.random.default_rng(checks)
    shares = []
    for right in (0.25, 0.98):
        codes = [f"p{k}" for k in range(2000)]
        answers = pd.DataFrame(
            {
                "code": np.repeat(codes, checks),
                "position": np.tile(np.arange(checks), 2000),
                "kind": "check",
                "right": source.random(2000 * checks) < right,
                "seconds": 5.0,
                "server_seconds": 5.0,
                "place": np.nan,
                "away_seconds": 0.0,
            }
        )
        people = pd.DataFrame({"code": codes, "finished": "now"})
        shares.append(np.mean(marks(answers, people, Rules())["invalid"].to_numpy(bool)))
    assert shares[0] == pytest.approx(found, abs=0.033)  # three standard errors
    assert shares[1] <= 0.001


@pytest.mark.slow
def test_people_and_models_meet_in_one_journal(tmp_path: Path) -> None:
    folder = make_study(tmp_path, checks=2, per_person=12, blocks="type")
    crowd(folder, person=8)
    out = tmp_path / "people"
    done = export_study(folder, out)
    assert (done.people, done.answers) == (8, 96)
    run = CliRunner().invoke(
        cli,
        ["run", str(folder.bank.path), "--examinee", "baseline:random", "--journal",
         str(out / "journal.db")],
    )  # fmt: skip
    assert run.exit_code == 0, run.output
    with Journal.open(out / "journal.db", create=False) as journal:
        table = scored(journal)
        scores = matrix(table, "type").scores
    assert len(scores) == 9
    people = table.loc[[name.startswith("person:") for name in table["examinee"]]]
    store = folder.store()
    answers = store.frame("answers")
    store.close()
    own = answers[answers["kind"] == "item"]
    kept = dict(
        zip(zip("person:" + own["code"], own["item"], strict=True), own["right"], strict=True)
    )
    read = dict(
        zip(zip(people["examinee"], people["item_id"], strict=True), people["correct"], strict=True)
    )
    assert {key: bool(value) for key, value in read.items()} == {
        key: bool(value) for key, value in kept.items()
    }
    assert export_study(folder, out).answers == 96  # exporting again adds nothing twice
    with Journal.open(out / "journal.db", create=False) as journal:
        assert len(journal.responses()) == 96 + len(folder.bank)


@pytest.mark.thorough
def test_an_export_notes_its_items_and_people_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_study(tmp_path, checks=0, per_person=2)
    crowd(folder, person=3)
    noted: list[int] = []
    register = Journal.register

    def watched(journal: Journal, campaigns: list, bank: ItemBank) -> None:
        noted.append(len({one["examinee"] for one in campaigns}))
        register(journal, campaigns, bank)

    monkeypatch.setattr(Journal, "register", watched)
    for _ in range(2):
        export_study(folder, tmp_path / "people")
    assert noted == [3, 0]  # whoever was noted before is not noted again


@pytest.mark.slow
def test_the_matrix_of_people_goes_into_an_analysis(tmp_path: Path) -> None:
    folder = make_study(tmp_path, checks=0)
    crowd(folder, person=40)
    export_study(folder, tmp_path)
    runner = CliRunner()
    journal, table = str(tmp_path / "journal.db"), str(tmp_path / "scores.csv")
    made = runner.invoke(cli, ["matrix", journal, "--by", "type", "-o", table])
    assert made.exit_code == 0, made.output
    analyzed = runner.invoke(cli, ["analyze", "adequacy", table, "--json"])
    assert analyzed.exit_code == 0, analyzed.output
    assert json.loads(analyzed.output)


def test_a_psych_ds_export_holds_everybody_with_marks(tmp_path: Path) -> None:
    folder = make_study(tmp_path, count=4, checks=3)
    crowd(folder, person=3, clicker=3)
    done = export_study(folder, tmp_path / "out", keep_invalid=False)
    written = tmp_path / "out" / "psych_ds"
    description = json.loads((written / "dataset_description.json").read_text())
    assert description["@type"] == "Dataset"
    people = pd.read_csv(next((written / "data").glob("*participants*")))
    answers = pd.read_csv(next((written / "data").glob("*answers*")))
    assert len(people) == 6
    assert done.people == 6 - np.count_nonzero(people["invalid"].to_numpy(bool))
    assert set(people.columns) | set(answers.columns) <= {
        *description["variableMeasured"], "participant_id",
    }  # fmt: skip


def test_who_withdraws_is_gone_and_old_exports_say_so(tmp_path: Path) -> None:
    folder = make_study(tmp_path, count=3, checks=0)
    crowd(folder, person=2)
    with client_of(application(folder)) as client:
        page = client.get("/?PROLIFIC_PID=abc123").text
        form = forms(page)[0]
        client.post("/start", data={**form.hidden, "agree": "yes"})
        task = forms(client.get("/task").text)[0]
        client.post("/task", data={**task.hidden, "option": "A"})
        export_study(folder, tmp_path / "out")
        leave = forms(client.get("/withdraw").text)[0]
        assert "deleted" in client.post("/withdraw", data=leave.hidden).text
    store = folder.store()
    for name in ("participants", "answers", "shown"):
        assert store.frame(name)["code"].nunique() == 2
    assert len(store.frame("contacts")) == 0
    assert store.counters()["withdrawn"] == 1
    store.close()
    with pytest.raises(ParameterError, match="1 persons who are not in this export"):
        export_study(folder, tmp_path / "out")


@pytest.mark.thorough
def test_one_recruited_person_takes_part_once_and_the_link_to_them_ends(tmp_path: Path) -> None:
    folder = make_study(tmp_path, count=3, checks=0, pay=Pay("EUR", 1.0, 0.5))
    app = application(folder)
    for expected in ("instructions", ""):
        with client_of(app) as client:
            page = client.get("/?PROLIFIC_PID=abc123").text
            reply = client.post("/start", data={**forms(page)[0].hidden, "agree": "yes"})
            assert ("/instructions" in str(reply.url)) is bool(expected)
            if expected:
                task = forms(client.get("/task").text)[0]
                client.post("/task", data={**task.hidden, "option": "A"})
    export_study(folder, tmp_path)
    assert "abc123" not in (tmp_path / "bonus.csv").read_text()  # ids only where they are asked for
    export_study(folder, tmp_path, identifiers=True)
    assert list(pd.read_csv(tmp_path / "bonus.csv")["external_id"]) == ["abc123"]
    store = folder.store()
    assert store.purge(0) == 1
    store.close()
    export_study(folder, tmp_path, identifiers=True)
    assert np.all(pd.read_csv(tmp_path / "bonus.csv")["external_id"].isna().to_numpy())


def test_a_full_quota_turns_people_away(tmp_path: Path) -> None:
    folder = make_study(tmp_path, count=3, checks=0, quota=2)
    crowd(folder, person=2)
    with client_of(application(folder)) as client:
        page = client.get("/").text
        reply = client.post("/start", data={**forms(page)[0].hidden, "agree": "yes"})
        assert "full" in reply.text


def test_without_consent_there_is_no_participant(tmp_path: Path) -> None:
    folder = make_study(tmp_path, count=3)
    with client_of(application(folder)) as client:
        page = client.get("/").text
        again = client.post("/start", data=forms(page)[0].hidden)
        assert "tick" in again.text
        assert str(client.get("/task").url).endswith("/")
    store = folder.store()
    assert len(store.frame("participants")) == 0
    store.close()


@pytest.mark.slow
def test_simulated_abilities_are_found_again(tmp_path: Path) -> None:
    """Persons of the model answer as it says: more able ones earn more (n = 60, 20 items)."""
    folder = make_study(tmp_path, checks=0)
    crowd(folder, seed=5, person=60)
    store = folder.store()
    answers = store.frame("answers")
    store.close()
    shares = [float(np.mean(own["earned"])) for _, own in answers.groupby("code")]
    assert 0.5 < np.mean(shares) < 0.85  # mean ability 0.5, difficulty 0, one in four by guessing
    assert np.std(shares) > 0.08  # sampling alone would give 0.1 * sqrt(.21 / .2)


def test_a_label_earns_what_reading_it_as_a_reply_earns() -> None:
    for item in exam_items(8):
        question = question_about(item, "default")
        for label in "ABCD":
            read = read_reply(label, "ok", question).lenient
            assert read.answer == label
            assert mark(item, label, 0).earned == question.points(read.answer).earned
        assert mark(item, "E", None).earned == 0
        assert mark(item, "", None).earned == 0
