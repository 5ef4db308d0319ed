"""Who is not paid follows from a rule that was declared; files, pages and appeals agree with it."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from support.studies import PASSWORD, client_of, make_study
from support.tiers import few

import gfactor as gf
from gfactor.administration.storing.marked_people import noted_invalid
from gfactor.cli import cli
from gfactor.errors import ParameterError
from gfactor.studies.questionnaires import (
    LANGUAGES,
    Pay,
    Payment,
    Rules,
    Study,
    StudyFolder,
    application,
)
from gfactor.studies.questionnaires.results.exclusion import exclusions
from gfactor.studies.questionnaires.results.labels import marks, marks_of
from gfactor.studies.questionnaires.simulating.form import forms

PAY = Pay("GBP", base=2.0, per_right=0.25)
OBJECTION = "write to lab@x.example"


def take(
    study: StudyFolder, who: str, *, seconds: float = 5.0, checks: bool = True, spread: bool = True,
    language: str = "en",
) -> str:  # fmt: skip
    """Take the study as a bot whose clock is believed; the last page."""
    query = f"/?PROLIFIC_PID={who}&STUDY_ID=s1&SESSION_ID=t-{who}&language={language}"
    with client_of(application(study, simulated=True)) as client:
        hidden = forms(client.get(query).text)[-1].hidden
        client.post("/start", data={**hidden, "agree": "yes"})
        for k in range(100):
            page = client.get("/task").text
            if 'id="question"' not in page:
                return client.get("/done").text
            asked = re.search(r"select option (\w)", page)
            option = "ABCD"[k % 4] if spread else "A"
            if asked:
                option = asked[1] if checks else "ABCD"[("ABCD".index(asked[1]) + 1) % 4]
            form = next(f for f in forms(page) if f.action == "/task")
            fields = {**form.hidden, "option": option, "seconds": str(seconds)}
            client.post("/task", data=fields)
    raise AssertionError("the study does not end")


def rows_of(study: StudyFolder, path: Path, kind: str) -> list[list[str]]:
    """The rows of a payment file, which is written anew."""
    written = gf.study.payments(study.path, path, kind=kind)
    if written.path is None:
        return []
    with path.open(encoding="utf-8") as file:
        return list(csv.reader(file))


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> StudyFolder:
    """Finished by `good`, by `fast` in no time, by `blind` who fails every check, and by `same` who
    always chooses the first option; `left` has begun."""
    made = make_study(
        tmp_path_factory.mktemp("paid"), count=12, checks=3, service="prolific", pay=PAY,
        completion_code="C1", codes={"failed_checks": "F1"}, contact="lab@x.example",
    )  # fmt: skip
    pages = {
        "good": take(made, "good"),
        "fast": take(made, "fast", seconds=0.05),
        "blind": take(made, "blind", checks=False),
        "same": take(made, "same", spread=False),
    }
    with client_of(application(made)) as client:
        hidden = forms(client.get("/?PROLIFIC_PID=left&SESSION_ID=t").text)[0].hidden
        client.post("/start", data={**hidden, "agree": "yes"})
    assert {who: re.findall(r"cc=(\w+)", page) for who, page in pages.items()} == {
        "good": ["C1"], "fast": ["F1"], "blind": ["F1"], "same": ["C1"],
    }  # fmt: skip
    return made


def test_files_of_approval_rejection_and_bonus_agree_with_the_rule(
    study: StudyFolder, tmp_path: Path
) -> None:
    approved = [row[0] for row in rows_of(study, tmp_path / "approve.csv", "approve")]
    header, *rejected = rows_of(study, tmp_path / "reject.csv", "reject")
    bonus = [row[0] for row in rows_of(study, tmp_path / "bonus.csv", "bonus")]
    assert sorted(approved) == ["good", "same"]
    assert set(bonus) <= {"good", "same"}
    assert header == ["participant_id", "submission_id", "category", "message"]
    assert {row[0]: row[1:3] for row in rejected} == {
        "fast": ["t-fast", "TOO_QUICKLY"], "blind": ["t-blind", "FAILED_CHECK"],
    }  # fmt: skip
    said = {row[0]: row[3] for row in rejected}
    assert "100 % of your answers were given within 1 seconds" in said["fast"]
    assert "3 of 3 questions that check attention" in said["blind"]
    for text in said.values():
        assert OBJECTION in text
        assert len(text) >= 100  # Prolific takes no shorter one
    assert rows_of(study, tmp_path / "again.csv", "reject") == []


def test_the_export_and_the_owners_page_agree_with_the_rule(
    study: StudyFolder, tmp_path: Path
) -> None:
    gf.study.export(study.path, tmp_path / "out", identifiers=True)
    table = pd.read_csv(tmp_path / "out" / "bonus.csv", keep_default_na=False)
    held = table.set_index("external_id")
    assert held["excluded"].to_dict() == {
        "good": "", "fast": "speeding", "blind": "attention", "same": "", "left": "",
    }  # fmt: skip
    assert (held["total"] > 0).to_dict() == {
        "good": True, "fast": False, "blind": False, "same": True, "left": False,
    }  # fmt: skip
    with client_of(application(study)) as client:
        hidden = forms(client.get("/owner/login").text)[0].hidden
        client.post("/owner/login", data={**hidden, "password": PASSWORD})
        page = client.get("/owner/pay").text
    assert f"{held['total'].sum():.2f} GBP" in page
    assert "speeding" in page


def test_an_appeal_pays_somebody_and_stands_in_the_log_without_them(tmp_path: Path) -> None:
    study = make_study(tmp_path, count=4, checks=0, service="prolific", pay=PAY)
    take(study, "fast", seconds=0.05)
    assert len(rows_of(study, tmp_path / "r1.csv", "reject")) == 2
    assert rows_of(study, tmp_path / "a1.csv", "approve") == []
    words = ["study", "appeal", str(study.path), "fast", "--reason", "knew the questions"]
    done = CliRunner().invoke(cli, [*words, "--json"])
    assert json.loads(done.output) == {
        "person": "fast", "paid": True, "excluded_by_rule": ["speeding"],
    }  # fmt: skip
    assert "is already paid on appeal" in str(CliRunner().invoke(cli, words).exception)
    assert rows_of(study, tmp_path / "a2.csv", "approve") == [["fast"]]
    log = gf.study.log(study.path)
    assert log.problem == ""
    last = log.actions.iloc[-1]
    assert (last["action"], last["detail"]) == ("appeal upheld: paid", "knew the questions")
    assert "fast" not in log.actions.to_csv()
    # Who was approved is rejected by no later file, whatever is decided then.
    gf.study.appeal(study.path, "fast", "a mistake", uphold=False)
    assert rows_of(study, tmp_path / "r2.csv", "reject") == []
    assert rows_of(study, tmp_path / "b.csv", "bonus") == []
    with pytest.raises(ParameterError, match="no participant has the code or id 'slow'"):
        gf.study.appeal(study.path, "slow", "because")


def test_owners_decide_appeals_on_the_participants_page_and_viewers_do_not(tmp_path: Path) -> None:
    study = make_study(tmp_path, count=4, checks=0, service="prolific", pay=PAY)
    take(study, "fast", seconds=0.05)
    gf.study.owners(study.path, add="anna", role="viewer", password="a long password")
    with closing(study.store()) as store:
        (code,) = store.codes()
    path = f"/owner/person/{code}"

    def as_somebody(name: str, password: str, act: Callable[[Any], None]) -> None:
        with client_of(application(study)) as client:
            hidden = forms(client.get("/owner/login").text)[0].hidden
            client.post("/owner/login", data={**hidden, "name": name, "password": password})
            act(client)

    def viewer(client: Any) -> None:
        page = client.get(path).text
        assert "Not paid, by the study" in page
        assert "/owner/appeal" not in page
        token = re.search(r'name="form_token" value="([^"]+)"', page)
        assert token is not None
        data = {"form_token": token[1], "code": code, "reason": "x", "verdict": "uphold"}
        assert client.post("/owner/appeal", data=data).status_code == 403

    def owner(client: Any) -> None:
        form = next(f for f in forms(client.get(path).text) if f.action == "/owner/appeal")
        data = {**form.hidden, "reason": "slow line", "verdict": "uphold"}
        assert "Give the reason" in client.post("/owner/appeal", data={**data, "reason": ""}).text
        assert "Paid on appeal" in client.post("/owner/appeal", data=data).text

    as_somebody("anna", "a long password", viewer)
    as_somebody("owner", PASSWORD, owner)
    with closing(study.store()) as store:
        assert store.paid_on_appeal() == {code}
        store.withdraw(code)
        assert not len(store.frame("appeals"))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("exclude", "expected"),
    [
        ((), set()),
        (("straightlining",), {"same"}),
        (("attention", "speeding", "straightlining"), {"same", "fast", "blind"}),
    ],
)
def test_the_study_says_which_marks_exclude(
    study: StudyFolder, exclude: tuple[str, ...], expected: set[str], tmp_path: Path
) -> None:
    ruled = replace(study.study, payment=Payment(exclude))
    with closing(study.store()) as store:
        marked = marks(store.frame("answers"), store.frame("participants"), ruled.rules)
        known = {store.external_id(code) for code in exclusions(ruled, marked)}
    assert known == expected


def test_the_vocabulary_is_closed_and_the_usual_rule_is_written_out(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="attention, speeding, straightlining"):
        Payment(("fast",))
    with pytest.raises(ParameterError, match="each reason once"):
        Payment(("attention", "attention"))
    (tmp_path / "study.toml").write_text(
        'id = "s"\ntitle = "S"\n[payment]\nexclude = ["attention", "boredom"]\n'
    )
    with pytest.raises(ParameterError, match=r"boredom"):
        Study.from_toml(tmp_path / "study.toml")
    # A study that was declared before this setting keeps its digest, and has the usual rule.
    assert Study("s", "S").excludes == ("attention", "speeding")
    assert "payment" not in Study("s", "S").to_json()
    made = make_study(tmp_path / "bank", count=4)
    built = gf.study.new(made.bank, tmp_path / "new", title="T")
    assert '[payment]\nexclude = ["attention", "speeding"]' in (
        built.folder / "study.toml"
    ).read_text("utf-8")
    check = gf.study.check(built.folder).table.set_index("name").loc["payment"]
    assert check["state"] == "ok"
    assert "speeding (more than 10% of answers faster than 1 s)" in check["says"]


@pytest.mark.thorough
@pytest.mark.parametrize("language", few(LANGUAGES, 3))
def test_everybody_can_be_told_the_reason_in_their_language(language: str, tmp_path: Path) -> None:
    study = make_study(
        tmp_path, count=2, checks=0, languages=LANGUAGES, service="prolific", pay=PAY,
        payment=Payment(("speeding",)),
    )  # fmt: skip
    take(study, "fast", seconds=0.05, language=language)
    (_, row) = rows_of(study, tmp_path / "reject.csv", "reject")
    assert "100" in row[3]
    assert "{" not in row[3]
    assert len(row[3]) >= 100


@pytest.mark.parametrize("same_option", [0, 3])
def test_one_participant_is_marked_as_in_the_table_of_all(same_option: int) -> None:
    """The last page marks one person by rows, exports and payment files mark all by tables."""
    rng, rules = np.random.default_rng(5), Rules(0, 2.0, 0.5, same_option)

    def some(value: float) -> float | None:
        return None if rng.random() < 0.2 else value

    kinds = ("item", "item", "check", "page")
    rows = [
        {"code": f"p{who:02}", "position": k, "kind": kinds[rng.integers(4)],
         "right": bool(rng.integers(2)), "place": some(int(rng.integers(who % 3 + 1))),
         "seconds": some(rng.uniform(0, 4)), "server_seconds": some(rng.uniform(1, 5)),
         "away_seconds": 0.0}
        for who in range(60)
        for k in range(rng.integers(1, 9))
    ]  # fmt: skip
    people = pd.DataFrame({"code": sorted({row["code"] for row in rows}), "finished": "now"})
    table = marks(pd.DataFrame(rows), people, rules)
    names = ("invalid", "speeding", "straight_lining")
    expected = {row["code"]: {name for name in names if row[name]}
                for row in table.to_dict("records")}  # fmt: skip
    found = {code: set(marks_of([row for row in rows if row["code"] == code], rules))
             for code in expected}  # fmt: skip
    assert found == expected
    counts = [sum(name in one for one in found.values()) for name in names]
    assert all(5 < count < 55 for count in counts[: 3 if same_option else 2])


def test_an_export_says_how_many_of_the_people_are_marked_invalid(tmp_path: Path) -> None:
    study = make_study(tmp_path, count=4, checks=4, ids="optional", external_id="PROLIFIC_PID")
    for who, attentive in (("p1", True), ("p2", False)):
        take(study, who, checks=attentive)
    exported = gf.study.export(study.path, tmp_path / "all")
    assert (
        "warning: 1 of 2 people are marked invalid by the rules of the study; --without-invalid "
        "(in Python: keep_invalid=False) leaves them out"
    ) in exported.summary()
    assert exported.to_dict()["invalid"] == 1
    with gf.open_journal(tmp_path / "all" / "journal.db") as journal:
        assert len(noted_invalid(journal)) == 1
    without = gf.study.export(study.path, tmp_path / "valid", keep_invalid=False)
    assert "warning" not in without.summary()
    assert "1 person is left out of the journal: 1 invalid" in without.summary()
