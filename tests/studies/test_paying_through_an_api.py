"""Approval, rejection and bonuses through Prolific's API: whom the rule says, and once."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from support.prolific_server import TOKEN, ProlificServer, prolific_server
from support.studies import client_of, make_study

import gfactor as gf
from gfactor.cli import cli
from gfactor.errors import ParameterError
from gfactor.studies.questionnaires import Pay, StudyFolder, application
from gfactor.studies.questionnaires.paying import prolific_api
from gfactor.studies.questionnaires.paying.payment_api import ServiceError
from gfactor.studies.questionnaires.simulating.form import forms
from gfactor.studies.questionnaires.storing import transfers

PEOPLE = ("good", "same", "fast", "blind", "fake")
PAID, REJECTED = {"good", "same"}, {"fast", "blind"}


def take(study: StudyFolder, who: str, *, seconds: float = 5.0, checks: bool = True) -> None:
    """Take the study as a bot whose clock is believed."""
    query = f"/?PROLIFIC_PID={who}&STUDY_ID=s1&SESSION_ID={who}session"
    with client_of(application(study, simulated=True)) as client:
        hidden = forms(client.get(query).text)[-1].hidden
        client.post("/start", data={**hidden, "agree": "yes"})
        for k in range(100):
            page = client.get("/task").text
            if 'id="question"' not in page:
                return
            asked = re.search(r"select option (\w)", page)
            option = "ABCD"[k % 4]
            if asked:
                option = asked[1] if checks else "ABCD"[("ABCD".index(asked[1]) + 1) % 4]
            form = next(f for f in forms(page) if f.action == "/task")
            client.post("/task", data={**form.hidden, "option": option, "seconds": str(seconds)})
    raise AssertionError("the study does not end")


@pytest.fixture(scope="module")
def taken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study that `PEOPLE` have finished; the rule does not pay `fast` and `blind`, and Prolific
    knows no submission of `fake`."""
    study = make_study(
        tmp_path_factory.mktemp("paid"), count=12, checks=3, service="prolific",
        pay=Pay("GBP", base=2.0, per_right=0.25),
    )  # fmt: skip
    for who in PEOPLE:
        take(study, who, seconds=0.05 if who == "fast" else 5.0, checks=who != "blind")
    return study.path


@pytest.fixture
def study(taken: Path, tmp_path: Path) -> StudyFolder:
    shutil.copytree(taken, tmp_path / "study")
    return StudyFolder.open(tmp_path / "study")


@pytest.fixture
def prolific(monkeypatch: pytest.MonkeyPatch) -> Iterator[ProlificServer]:
    monkeypatch.setattr(prolific_api, "_PAUSES_S", (0.0, 0.0, 0.0))
    monkeypatch.setenv(prolific_api.TOKEN, TOKEN)
    with prolific_server() as server:
        for who in PEOPLE[:-1]:
            server.add(who)
        monkeypatch.setenv(prolific_api.ADDRESS, server.url)
        yield server


def owed(study: StudyFolder) -> dict[str, int]:
    """What right answers earned those whom the rule pays, in cents."""
    with closing(study.store()) as store:
        answers = store.frame("answers")
        who = {code: store.contact(code)[0] for code in set(answers["code"])}
    right = Counter(answers.loc[(answers["kind"] == "item") & (answers["right"] == 1), "code"])
    return {who[str(code)]: 25 * n for code, n in right.items() if who[str(code)] in PAID}


def uphold_a_challenge(study: StudyFolder, who: str) -> None:
    """One more right answer, worth 25 cents."""
    with closing(study.store()) as store:
        code = store.code_of(who)
        assert code is not None
        wrong = [row for row in store.answers(code) if row["kind"] == "item" and not row["right"]]
        store.challenge(code, wrong[0]["item"], "because")
        store.decide(code, wrong[0]["item"], "accept", "yes", wrong[0]["text"])


def a_day_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transfers, "SETTLED_AFTER_S", 0.0)


@pytest.mark.thorough
def test_the_rule_is_carried_out_once(study: StudyFolder, prolific: ProlificServer) -> None:
    due = owed(study)
    planned = gf.study.pay(study.path)
    assert (planned.sent, planned.approved, planned.rejected) == (False, 3, 2)
    assert prolific.requests == []
    done = gf.study.pay(study.path, send=True)
    assert (done.approved, done.rejected, done.bonuses, done.unmatched) == (2, 2, 2, 1)
    assert done.amount == sum(due.values()) / 100 > 0
    assert dict(prolific.bonuses) == due
    assert dict(prolific.rewards) == dict.fromkeys(PAID, 1)
    assert {who: given[0] for who, given in prolific.rejections.items()} == {
        "fast": "TOO_QUICKLY", "blind": "FAILED_CHECK",
    }  # fmt: skip
    again = gf.study.pay(study.path, send=True)
    assert (again.approved, again.rejected, again.bonuses, again.earlier) == (0, 0, 0, 2)
    assert (dict(prolific.bonuses), again.waiting) == (due, 0)


def test_files_do_not_repeat_what_was_sent_nor_the_api_what_is_in_files(
    study: StudyFolder, prolific: ProlificServer, tmp_path: Path
) -> None:
    prolific.submissions["samesession"]["status"] = "RETURNED"
    assert gf.study.pay(study.path, send=True).elsewhere == 1
    bonus = gf.study.payments(study.path, tmp_path / "bonus.csv")
    assert (bonus.people, bonus.paid) == (2, 1)  # who returned, and who is no submission
    assert "good" not in (tmp_path / "bonus.csv").read_text()
    prolific.submissions["samesession"]["status"] = "APPROVED"
    assert gf.study.pay(study.path, send=True).bonuses == 0
    assert set(prolific.bonuses) == {"good"}


@pytest.mark.thorough
def test_an_upheld_challenge_pays_the_difference(
    study: StudyFolder, prolific: ProlificServer
) -> None:
    due = owed(study)
    gf.study.pay(study.path, send=True)
    uphold_a_challenge(study, "good")
    gf.study.pay(study.path, send=True)
    assert prolific.bonuses["good"] == due["good"] + 25


def test_a_difference_waits_until_what_was_ordered_before_has_arrived(
    study: StudyFolder, prolific: ProlificServer
) -> None:
    """Else the first bonus, coming late, could be taken for the second."""
    due, prolific.slow = owed(study), True
    assert gf.study.pay(study.path, send=True).waiting == 2
    uphold_a_challenge(study, "good")
    done = gf.study.pay(study.path, send=True)
    assert (done.bonuses, done.waiting, len(prolific.orders)) == (0, 2, 1)
    prolific.arrive()
    done = gf.study.pay(study.path, send=True)
    prolific.arrive()
    assert (done.bonuses, done.earlier, done.waiting) == (1, 2, 1)
    assert prolific.bonuses["good"] == due["good"] + 25


@pytest.mark.thorough
def test_ids_of_somebody_elses_submission_are_not_paid(
    study: StudyFolder, prolific: ProlificServer
) -> None:
    prolific.submissions["goodsession"]["participant"] = "other"
    prolific.submissions["samesession"]["study_id"] = "s2"
    done = gf.study.pay(study.path, send=True)
    assert (done.approved, done.bonuses, done.unmatched) == (0, 0, 3)
    assert not prolific.rewards
    assert not prolific.bonuses


@pytest.mark.parametrize("name", ["x,99.00\ngoodsession", "../users/me", "", "a b", "x/transition"])
def test_what_can_be_no_id_is_never_sent(name: str, prolific: ProlificServer) -> None:
    assert prolific_api.ProlificApi.of_environment().submission(name) is None
    assert prolific.requests == []


class KilledError(BaseException):
    """The end of a process: nothing after it is done."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "slow"),
    [("killed before", False), ("killed after", True), ("before", False), ("after", True),
     ("closed", False)],
)  # fmt: skip
def test_nobody_is_paid_twice_or_not_at_all_wherever_it_fails(
    fault: str, slow: bool, taken: Path, prolific: ProlificServer, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """Every request of a run fails once, in a run of its own: the process ends before or after it,
    or the reply is 500 or none."""
    first, ask = StudyFolder.open(taken), prolific_api.ProlificApi._once
    due = owed(first)

    def run(folder: Path, number: int = -1) -> bool:
        """Whether the run came as far as this request."""
        asked = iter(range(10**6))

        def once(self: Any, *given: Any) -> Any:
            here = next(asked) == number
            if here and fault == "killed before":
                raise KilledError
            prolific.fault = lambda *_: None
            if here and not fault.startswith("killed"):
                prolific.fault = lambda *_: {
                    "before": ("before", 500), "after": ("after", 500), "closed": ("after", 0),
                }[fault]  # fmt: skip
            reply = ask(self, *given)
            if here and fault == "killed after":
                raise KilledError
            return reply

        with monkeypatch.context() as patch:
            patch.setattr(prolific_api.ProlificApi, "_once", once)
            with suppress(KilledError, ServiceError):
                gf.study.pay(folder, send=True)
        return next(asked) > number

    number = 0
    while True:
        folder = tmp_path / f"study-{number}"
        shutil.copytree(taken, folder)
        for store in (prolific.rewards, prolific.bonuses, prolific.rejections):
            store.clear()
        prolific.on_the_way.clear()
        prolific.slow = slow
        for who in PEOPLE[:-1]:
            prolific.add(who)
        reached = run(folder, number)
        for _ in range(2):  # at once, and again when everything on its way has arrived
            run(folder)
            assert all(prolific.bonuses[who] <= due[who] for who in due)
            prolific.arrive()
        with monkeypatch.context() as patch:
            a_day_later(patch)
            for _ in range(2):
                run(folder)
                prolific.arrive()
        assert dict(prolific.bonuses) == due, number
        assert dict(prolific.rewards) == dict.fromkeys(PAID, 1), number
        assert set(prolific.rejections) == REJECTED
        if not reached:
            break
        number += 1
    assert number > 12


@pytest.mark.slow
def test_a_process_that_is_killed_while_it_pays_pays_nobody_twice(
    study: StudyFolder, prolific: ProlificServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    due, processes = owed(study), []

    def kill(number: int, path: str) -> tuple[str, int] | None:
        if path.endswith("/pay/"):
            processes[0].kill()
            return "after", 0
        return None

    prolific.fault = kill
    command = [sys.executable, "-m", "gfactor", "study", "pay", str(study.path), "--send"]
    processes.append(subprocess.Popen(command, env={**os.environ}))
    assert processes[0].wait() == -9
    prolific.fault = lambda number, path: None
    assert dict(prolific.bonuses) == due
    for later in (False, True):
        if later:
            a_day_later(monkeypatch)
        done = gf.study.pay(study.path, send=True)
        assert (done.bonuses, done.waiting) == (0, 0)
        assert dict(prolific.bonuses) == due


def test_without_the_money_nothing_is_noted_as_paid(
    study: StudyFolder, prolific: ProlificServer
) -> None:
    prolific.balance = 1
    with pytest.raises(ServiceError, match=r"refuses to pay .* look at the balance"):
        gf.study.pay(study.path, send=True)
    prolific.balance = 10**6
    assert gf.study.pay(study.path, send=True).bonuses == 2
    assert dict(prolific.bonuses) == owed(study)


def test_a_sum_that_the_service_counts_otherwise_is_not_paid(
    study: StudyFolder, prolific: ProlificServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = prolific_api.ProlificApi.order
    monkeypatch.setattr(
        prolific_api.ProlificApi, "order",
        lambda self, *given: (order(self, *given)[0], 100 * order(self, *given)[1]),
    )  # fmt: skip
    with pytest.raises(ServiceError, match="nothing was paid"):
        gf.study.pay(study.path, send=True)
    assert not prolific.bonuses


def test_the_key_is_needed_goes_to_nobody_else_and_is_told_to_nobody(
    study: StudyFolder, prolific: ProlificServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(prolific_api.TOKEN, "another-key")
    done = CliRunner().invoke(cli, ["study", "pay", str(study.path), "--send"])
    assert done.exit_code != 0
    assert "refuses the key in PROLIFIC_TOKEN" in str(done.exception)
    assert "another-key" not in f"{done.exception} {done.output}"
    monkeypatch.delenv(prolific_api.TOKEN)
    with pytest.raises(ParameterError, match=r"no key of Prolific is set.*study payments"):
        gf.study.pay(study.path, send=True)
    monkeypatch.setenv(prolific_api.TOKEN, TOKEN)
    monkeypatch.setenv(prolific_api.ADDRESS, "http://api.prolific.example")
    with pytest.raises(ParameterError, match="https://"):
        gf.study.pay(study.path, send=True)
    with pytest.raises(ParameterError, match="Sona is paid by files"):
        gf.study.pay(study.path, service="sona", send=True)
    with pytest.raises(ParameterError, match="'credit' is no kind of payment"):
        gf.study.pay(study.path, kinds=["credit"])


def test_a_reply_does_not_send_the_key_elsewhere(
    study: StudyFolder, prolific: ProlificServer
) -> None:
    prolific.fault = lambda number, path: ("before", 302)
    with pytest.raises(ServiceError, match="replied 302"):
        gf.study.pay(study.path, send=True)
    assert not any("elsewhere" in request for request in prolific.requests)


def test_the_command_and_the_log_say_what_was_done(
    study: StudyFolder, prolific: ProlificServer
) -> None:
    command = ["study", "pay", str(study.path)]
    assert "due, not sent (--send sends it): 3 approved" in CliRunner().invoke(cli, command).output
    done = CliRunner().invoke(cli, [*command, "--send", "--json"])
    assert json.loads(done.output)["bonuses"] == 2
    with closing(study.store()) as store:
        actions, problem = store.log.read()
    assert problem == ""
    (ordered,) = [one for one in actions if one.action == "bonuses ordered"]
    assert "2 people" in ordered.detail
    assert not any(who in ordered.detail for who in PEOPLE)


def test_after_the_retention_no_id_of_the_service_is_left(
    study: StudyFolder, prolific: ProlificServer
) -> None:
    gf.study.pay(study.path, send=True)
    with closing(study.store()) as store:
        assert set(store.frame("transfers")["submission"]) == {"goodsession", "samesession"}
        store.purge(0)
        assert set(store.frame("transfers")["submission"]) == {""}
    data = b"".join(file.read_bytes() for file in study.path.glob("answers.db*"))
    assert b"goodsession" not in data
