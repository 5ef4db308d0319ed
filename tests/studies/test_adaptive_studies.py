"""A study chooses each person's next item by their answers, and never asks anything else."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.adaptive_studies import calibrated, ready, replayed, table
from support.studies import (
    PASSWORD,
    accessibility_problems,
    browser_page,
    client_of,
    exam_bank,
)

import gfactor as gf
from gfactor.errors import ParameterError
from gfactor.psychometrics.irt.scales.calibration import Calibration, Entry
from gfactor.psychometrics.irt.scales.calibration_files import write_calibration
from gfactor.studies.questionnaires import Study, StudyFolder, application, export_study
from gfactor.studies.questionnaires.simulating import serving, simulate
from gfactor.studies.questionnaires.simulating.form import Form, forms

SERVER = (
    "import sys; from pathlib import Path\n"
    "from gfactor.studies.questionnaires import application\n"
    "from gfactor.studies.web import serve\n"
    "serve(application(Path(sys.argv[1])), port=int(sys.argv[2]),"
    " ready=lambda a: print(a, flush=True))"
)


def adaptive_study(folder: Path, count: int = 60, **settings: Any) -> tuple[StudyFolder, Any]:
    """An adaptive study, and its calibration."""
    folder.mkdir(parents=True, exist_ok=True)
    bank = exam_bank(folder, count)
    known = calibrated(bank)
    how = {"title": "Trial", "seed": 3, "max_items": 20, "se": 0.01, "checks": 0, **settings}
    made = gf.study.new(bank, folder / "study", password=PASSWORD, calibration=known, **how)
    return StudyFolder.open(made.folder), known


def begin(client: Any) -> None:
    [form] = [f for f in forms(client.get("/").text) if f.action == "/start"]
    client.post("/start", data={**form.hidden, "agree": "yes"})


def question(page: str) -> Form:
    return next(f for f in forms(page) if f.action == "/task")


def answer(client: Any, label: str) -> Any:
    """The response to the next question's answer."""
    form = question(client.get("/task").text)
    sent = {**form.hidden, "seconds": "2", "option": label}
    return client.post("/task", data=sent, headers={"x-fragment": "1"})


class Server:
    """A study's server that can be killed and started again at the same address."""

    def __init__(self, folder: StudyFolder) -> None:
        self._folder = folder
        self.base = self._start(0)

    def _start(self, port: int) -> str:
        words = [sys.executable, "-c", SERVER, str(self._folder.path), str(port)]
        self._process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.communicate()

    def restart(self) -> None:
        self.kill()
        assert self._start(int(self.base.rsplit(":", 1)[1])) == self.base


def check_a_reload_and_another_tab(page: Any) -> None:
    before = page.locator(".stem").inner_text()
    page.reload()
    ready(page)
    other = page.context.new_page()
    other.goto(page.url)
    assert page.locator(".stem").inner_text() == before
    assert other.locator(".stem").inner_text() == before
    assert not accessibility_problems(page)
    other.close()


def take_twenty_by_keyboard(page: Any, server: Server) -> None:
    page.goto(server.base)
    for key in ("Tab", "Space", "Tab", "Enter"):
        page.keyboard.press(key)
    page.wait_for_url("**/instructions")
    assert "at most 20 questions" in page.content()
    page.keyboard.press("Enter")
    for k in range(20):
        page.wait_for_url("**/task*")
        ready(page)
        assert page.locator("h1").inner_text() == f"Question {k + 1} of at most 20"
        if k == 9:
            server.restart()
        if k == 12:
            check_a_reload_and_another_tab(page)
        page.keyboard.press(str(1 + k % 4))
        page.keyboard.press("Enter")
        page.wait_for_function(
            "k => document.querySelector('input[name=position]')?.value !== String(k)", arg=k
        )
    page.wait_for_url("**/results")


@pytest.mark.slow
def test_twenty_items_by_keyboard_with_the_server_killed_in_the_middle(tmp_path: Path) -> None:
    folder, known = adaptive_study(tmp_path)
    server = Server(folder)
    try:
        with browser_page() as page:
            take_twenty_by_keyboard(page, server)
    finally:
        server.kill()
    answers = table(folder, "answers")
    assert list(answers["position"]) == list(range(20))
    assert answers["item"].is_unique
    cat = replayed(known, answers, max_items=20)
    assert cat.next() is None
    export_study(folder, tmp_path / "out")
    data = tmp_path / "out" / "psych_ds" / "data"
    [row] = pd.read_csv(data / "study-trial_abilities_data.csv").to_dict("records")
    assert row["theta"] == pytest.approx(cat.theta, abs=1e-12)
    assert row["se"] == pytest.approx(cat.se, abs=1e-12)
    assert (row["items"], row["stop"]) == (20, "items")
    steps = pd.read_csv(data / "study-trial_adaptive_data.csv")
    assert list(steps["item"]) == list(answers["item"])
    assert list(steps["theta_before"][1:]) == list(steps["theta"][:-1])
    scored = gf.score(tmp_path / "out" / "journal.db", calibration=known).abilities
    assert scored["n"].tolist() == [20]
    assert scored["theta"].tolist() == pytest.approx([row["theta"]], abs=0.01)


@pytest.mark.slow
def test_nothing_that_a_browser_gets_tells_whether_an_answer_was_right(tmp_path: Path) -> None:
    folder, _ = adaptive_study(tmp_path, count=30)
    headers = set()
    with client_of(application(folder)) as client:
        for label in "ABCD":
            client.cookies.clear()
            begin(client)
            replies = [answer(client, label) for _ in range(3)]
            page = client.get("/task")
            assert 'data-ahead=""' in page.text, "no picture of an item not chosen yet"
            path = next(word for word in page.text.split('"') if word.startswith("/image/"))
            there, _, _ = path.rsplit("/", 2)
            assert client.get(f"{there}/4/0").status_code == 404
            assert "theta" not in page.text
            for reply in replies:
                text = reply.text.replace(question(reply.text).stem, "")
                sent = {
                    n: v for n, v in reply.headers.items() if n not in ("content-length", "date")
                }
                headers.add(tuple(sorted(sent.items())))
                assert not any(word in text.lower() for word in ("right", "correct", "wrong"))
    assert set(table(folder, "answers")["right"]) == {True, False}
    assert len(headers) == 1
    assert client.get("/owner", follow_redirects=False).status_code != 200


def asked_of(folder: StudyFolder, number: int) -> list[str]:
    """What the participant of this number is asked who gets every second item right."""
    form, answers = list(folder.plan.start(number)), []
    while len(answers) < len(form):
        step = form[len(answers)]
        answers.append({"kind": step.kind, "item": step.item, "right": len(answers) % 2 == 0})
        if len(answers) == len(form):
            form += folder.plan.after(number, form, answers)
    return [step.item for step in form]


@pytest.mark.slow
def test_the_same_seed_asks_the_same_and_a_draw_spreads_first_items(tmp_path: Path) -> None:
    asked = []
    for run, seed in (("a", 3), ("b", 3), ("c", 4)):
        how = {"among": 5, "checks": 2, "max_items": 6, "seed": seed}
        folder, _ = adaptive_study(tmp_path / run, count=40, **how)
        asked.append([asked_of(folder, number) for number in range(6)])
    assert asked[0] == asked[1] != asked[2]
    assert all(sum(item in "ABCD" for item in form) == 2 for form in asked[0])
    assert all(len(set(form) - set("ABCD")) == 6 for form in asked[0])
    assert len({next(item for item in form if item not in "ABCD") for form in asked[0]}) > 1


@pytest.mark.slow
def test_bots_end_and_the_owner_sees_abilities(tmp_path: Path) -> None:
    folder, _ = adaptive_study(tmp_path, count=40, checks=2, max_items=6)
    with serving(folder, simulated=True) as base:
        done = asyncio.run(simulate(base, folder, {"person": 4}, seed=4))
    assert sum(visit.finished for visit in done.visits) == 4
    kinds = table(folder, "answers")["kind"].value_counts().to_dict()
    assert kinds == {"item": 24, "check": 8}
    assert gf.study.status(folder.path).people[0]["abilities"][""]["se"] < 1


def test_a_block_ends_at_its_standard_error_and_voided_items_count_for_nobody(
    tmp_path: Path,
) -> None:
    folder, known = adaptive_study(tmp_path, se=0.6, max_items=50)
    with client_of(application(folder)) as client:
        begin(client)
        while "at most" in client.get("/task").text:
            answer(client, "A")
        assert "Your answers" in client.get("/results").text
    answers = table(folder, "answers")
    cat = replayed(known, answers, se=0.6)
    assert cat.finished == "se"
    assert len(answers) < 30
    [code] = set(answers["code"])
    voided = str(answers["item"].tolist()[2])
    store = folder.store()
    store.challenge(code, voided, "unclear")
    store.decide(code, voided, "void", "", "")
    store.close()
    export_study(folder, tmp_path / "out")
    data = tmp_path / "out" / "psych_ds" / "data"
    abilities = pd.read_csv(data / "study-trial_abilities_data.csv")
    assert abilities["items"].tolist() == [len(answers) - 1]
    steps = pd.read_csv(data / "study-trial_adaptive_data.csv")
    assert list(steps["item"]) == list(answers["item"]), "what was asked stays what was asked"


def test_cells_of_a_design_calibration_give_items_of_theirs(tmp_path: Path) -> None:
    bank = exam_bank(tmp_path, 24)
    entries = tuple(
        Entry(f"type={name}", "2pl", (0.0, 1.0), (1.0, 0.5 * k), 0.4, {"labels": {"type": name}})
        for k, name in enumerate(f"type {n}" for n in range(4))
    )
    known = Calibration("design", "rasch", entries, (), np.zeros((0, 0)))
    made = gf.study.new(bank, tmp_path / "study", title="T", checks=0, calibration=known,
                        max_items=24, se=0.01, password=PASSWORD)  # fmt: skip
    folder = StudyFolder.open(made.folder)
    first = [folder.plan.start(number)[0].item for number in range(12)]
    assert len(set(first)) > 1, "people get different clones of the same cell"
    assert len({bank.labels()[item]["type"] for item in first}) == 1
    with client_of(application(folder)) as client:
        begin(client)
        for _ in range(24):
            answer(client, "B")
        assert "Your answers" in client.get("/results").text
    assert sorted(table(folder, "answers")["item"]) == sorted(bank.ids)


def test_another_calibration_is_refused_and_what_does_not_fit_is_told(tmp_path: Path) -> None:
    folder, known = adaptive_study(tmp_path)
    assert "adaptive" not in Study("s", "S").to_json(), "digests of other studies stay"
    write_calibration(calibrated(folder.bank, mean=0.9), folder.path / "calibration.json")
    with pytest.raises(ParameterError, match="of the study has the digest"):
        _ = StudyFolder.open(folder.path).plan
    bank = folder.bank
    with pytest.raises(ParameterError, match="leave out per_person"):
        gf.study.new(bank, tmp_path / "x", title="T", calibration=known, per_person=5)
    other = exam_bank(tmp_path / "study", 5, "zh")
    with pytest.raises(ParameterError, match="contains none of the 5 items"):
        gf.study.new(other, tmp_path / "y", title="T", calibration=known)
    again, _ = adaptive_study(tmp_path / "again", count=8)
    with pytest.raises(ParameterError, match="which static pages"):
        gf.study.jspsych(again.path, tmp_path / "static")
