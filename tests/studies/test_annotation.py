"""Items edited by several people: checked, decided, exported with their history; agreement."""

from __future__ import annotations

import json
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import sqlalchemy as sa
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy.exc import IntegrityError
from support.studies import client_of, exam_bank, exam_items

import gfactor as gf
from gfactor.benchmarks.selection.parsing import quotas
from gfactor.cli import cli
from gfactor.errors import GfactorError, ParameterError
from gfactor.items import Image, ItemBank
from gfactor.studies.annotation import (
    AnnotationDraft,
    DraftQuestion,
    Project,
    application,
    draft_of,
    export_bank,
    from_label_studio,
    items_of,
    problems,
    sampled,
    states,
    to_label_studio,
)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project.make(tmp_path / "workspace", exam_bank(tmp_path, count=6), "Round one", "multi")
    return made


def edited(item_id: str, **changes: Any) -> AnnotationDraft:
    item = next(i for i in exam_items(6) if i.id == item_id)
    return AnnotationDraft(**{**vars(draft_of(item)), **changes})


def say(project: Project, who: str, item: str, draft: AnnotationDraft, kind: str = "draft") -> None:
    store = project.store()
    store.add(item, who, kind, draft.to_json())
    store.close()


def status(project: Project, item: str) -> str:
    store = project.store()
    found = states(store, project.bank.ids)[item].status
    store.close()
    return found


def test_an_item_becomes_a_draft_and_the_same_item_again() -> None:
    for item in exam_items(6):
        (back,) = items_of(draft_of(item), item, "somebody")
        assert [c if isinstance(c, str) else c.sha256 for c in back.content] == [
            c if isinstance(c, str) else c.sha256 for c in item.content
        ]
        assert [c.label for c in back.choices] == [c.label for c in item.choices]
        assert back.target == item.target
        assert back.labels["edited_from"] == item.provenance.content_hash
        assert back.provenance.pixel_hashes == item.provenance.pixel_hashes


def test_sub_questions_become_items_that_share_text_and_pictures() -> None:
    item = exam_items(2)[1]
    parts = (
        DraftQuestion("First?", "choice", ("a", "b"), "B"),
        DraftQuestion("Second: [MASK] and [MASK]", "blanks", (), "one\ntwo"),
        DraftQuestion("Why? [IMAGE_1]", "open", (), "Because."),
        DraftQuestion("Which?", "choices", ("[IMAGE_1]", "b", "c"), "A, C"),
    )
    draft = AnnotationDraft(
        "Look at [IMAGE_1].", parts, difficulty=4, quality=2, knowledge=("optics",)
    )
    assert not problems(draft, item)
    made = items_of(draft, item, "first")
    assert [i.id for i in made] == ["q01-1", "q01-2", "q01-3", "q01-4"]
    assert [i.target for i in made] == ["B", ("one", "two"), "Because.", ("A", "C")]
    assert all(len(i.images) >= 1 for i in made)
    assert isinstance(made[3].choices[0].content, Image)
    assert made[0].labels["difficulty"] == 4
    assert len({i.provenance.content_hash for i in made}) == 4


@pytest.mark.parametrize(
    ("part", "said"),
    [
        (DraftQuestion("", "choice", ("a", "b"), "A"), "no text"),
        (DraftQuestion("?", "choice", ("a",), "A"), "at least two"),
        (DraftQuestion("?", "choice", ("a", "a"), "A"), "the same"),
        (DraftQuestion("?", "choice", ("a", "b"), "C"), "not there"),
        (DraftQuestion("?", "choice", ("a", "b"), "AB"), "several options"),
        (DraftQuestion("?", "blanks", (), " "), "answer is empty"),
        (DraftQuestion("$x", "open", (), "x"), "not closed"),
        (DraftQuestion("[IMAGE_3]", "open", (), "x"), "no image 3"),
        (DraftQuestion("?", "essay", (), "x"), "no type"),
    ],
)
def test_what_is_wrong_with_a_draft_is_one_sentence(part: DraftQuestion, said: str) -> None:
    item = exam_items(2)[1]
    assert said in " ".join(p.sentence for p in problems(AnnotationDraft("", (part,)), item))
    with pytest.raises(ParameterError, match="q01"):
        items_of(AnnotationDraft("", (part,)), item, "x")


@settings(max_examples=30, deadline=None)
@given(st.text(max_size=80))
def test_only_drafts_are_read_as_drafts(text: str) -> None:
    with suppress(ParameterError):  # and no other error
        draft = AnnotationDraft.from_json(text)
        assert AnnotationDraft.from_json(draft.to_json()) == draft


def test_every_item_gets_its_annotators_and_everybody_as_many(project: Project) -> None:
    names = ["ada", "ben", "cy"]
    for name in names:
        project.invite(name)
    assert project.assign(names, 2, seed=3) == 12
    assert project.assign(names, 2, seed=3) == 0
    store = project.store()
    pairs = pd.DataFrame(store.assignments(), columns=["item", "who"])
    store.close()
    assert set(pairs["item"].value_counts()) == {2}
    assert set(pairs["who"].value_counts()) == {4}
    with pytest.raises(GfactorError, match="did you mean 'ben'"):
        project.assign(["benn"], 1)


def test_two_drafts_are_alike_or_wait_for_a_decision(project: Project) -> None:
    for name in ("ada", "ben"):
        project.invite(name)
    project.assign(["ada", "ben"], 2)
    assert status(project, "q01") == "open"
    say(project, "ada", "q01", edited("q01", difficulty=3))
    assert status(project, "q01") == "half done"
    say(project, "ben", "q01", edited("q01", difficulty=3))
    assert status(project, "q01") == "alike"
    say(project, "ben", "q01", edited("q01", difficulty=5))
    assert status(project, "q01") == "to adjudicate"
    say(project, "cy", "q01", edited("q01", difficulty=4), "adjudication")
    assert status(project, "q01") == "adjudicated"
    say(project, "ada", "q01", edited("q01", difficulty=1))
    assert status(project, "q01") == "to adjudicate"


def test_the_history_is_only_added_to(project: Project) -> None:
    say(project, "ada", "q01", edited("q01", difficulty=3))
    engine = sa.create_engine(f"sqlite:///{project.path / 'history.db'}")
    for statement in ("UPDATE history SET annotator = 'x'", "DELETE FROM history"):
        with engine.connect() as connection, pytest.raises(IntegrityError, match="only"):
            connection.execute(sa.text(statement))
    engine.dispose()


def test_an_exported_bank_is_as_decided_with_its_history_beside(
    project: Project, tmp_path: Path
) -> None:
    say(project, "ada", "q00", edited("q00", dropped="It has two right answers."))
    split = edited("q01")
    say(
        project, "ada", "q01", AnnotationDraft("Shared [IMAGE_1]", (split.parts[0], split.parts[0]))
    )
    say(project, "ada", "q02", edited("q02", general="New text\n\n[IMAGE_1]"))
    counts = export_bank(project, tmp_path / "edited.parquet")
    assert counts == {"edited": 1, "split": 1, "dropped": 1, "untouched": 3}
    bank = ItemBank.open(tmp_path / "edited.parquet", decode=True)
    assert list(bank.ids) == ["q01-1", "q01-2", "q02", "q03", "q04", "q05"]
    assert bank.item("q02").text == "New text"
    was = project.bank.item("q02").provenance.content_hash
    assert bank.item("q02").labels["edited_from"] == was
    lines = (tmp_path / "edited.history.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["item"] for line in lines] == ["q00", "q01", "q02"]


def test_label_studio_and_back(project: Project, tmp_path: Path) -> None:
    assert to_label_studio(project, tmp_path / "tasks.json") == 6
    tasks = json.loads((tmp_path / "tasks.json").read_text("utf-8"))
    assert tasks[0]["data"]["images"][0].startswith("data:image/png;base64,")
    assert "<Rating" in (tmp_path / "tasks.xml").read_text("utf-8")
    tasks[2]["annotations"] = [
        {
            "completed_by": {"id": 4, "email": "ada"},
            "result": [
                {"from_name": "difficulty", "type": "rating", "value": {"rating": 5}},
                {"from_name": "draft", "value": {"text": [edited("q02", general="x").to_json()]}},
            ],
        }
    ]
    (tmp_path / "done.json").write_text(json.dumps(tasks), "utf-8")
    assert from_label_studio(project, tmp_path / "done.json") == 1
    store = project.store()
    (entry,) = store.history()
    store.close()
    assert (entry.item, entry.annotator) == ("q02", "label-studio:ada")
    assert AnnotationDraft.from_json(entry.content).difficulty == 5
    tasks[2]["data"]["item"] = "nowhere"
    (tmp_path / "done.json").write_text(json.dumps(tasks), "utf-8")
    with pytest.raises(ParameterError, match="task 3: there is no item 'nowhere'"):
        from_label_studio(project, tmp_path / "done.json")


def log_in(client: Any, name: str, password: str) -> Any:
    token = client.get("/login").text.split('name="form_token" value="')[1].split('"')[0]
    fields = {"form_token": token, "name": name, "password": password}
    return client.post("/login", data=fields)


def test_only_those_invited_see_anything_and_forged_posts_do_nothing(project: Project) -> None:
    password = project.invite("ada")
    project.assign(["ada"], 1)
    with client_of(application(project)) as client:
        for path in ("/", "/item/0", "/image/0/0", "/responses", "/agreement", "/adjudicate/0"):
            assert "Log in" in client.get(path).text
        assert "do not belong" in log_in(client, "ada", "wrong").text
        assert "do not belong" in log_in(client, "nobody", password).text
        assert "q00" in log_in(client, "ada", password).text
        token = client.get("/item/0").text.split('name="form_token" value="')[1].split('"')[0]
        draft = {"draft": edited("q00", difficulty=2).to_json(), "kind": "draft"}
        assert client.post("/item/0", data=draft).status_code == 403
        elsewhere = {"origin": "https://elsewhere.example"}
        with_token = {**draft, "form_token": token}
        assert client.post("/item/0", data=with_token, headers=elsewhere).status_code == 403
        decided = {**with_token, "kind": "adjudication"}
        assert client.post("/item/0", data=decided).status_code == 403
        assert client.post("/item/0", data={**with_token, "draft": "{"}).status_code == 400
        assert client.post("/item/0", data=with_token).json()["saved"]
        for path in ("/image/0/99", "/image/../../etc/passwd", "/static/../app.py", "/item/77"):
            assert client.get(path).status_code == 404
    store = project.store()
    assert len(store.history()) == 1
    store.close()


MANY = "9" * 5_000


@pytest.mark.parametrize(
    "bad",
    [
        edited("q00").to_json().replace('"difficulty": 0', '"difficulty": 1e999'),
        edited("q00").to_json().replace('"general": "', '"general": "\\ud800 '),
        edited("q00", general=f"[IMAGE_{MANY}]").to_json(),
        "[" * 100_000 + "]" * 100_000,
    ],
    ids=["infinite", "half a character", "an image's number", "depth"],
)
def test_what_is_no_draft_is_refused_with_a_sentence(project: Project, bad: str) -> None:
    password = project.invite("ada")
    project.assign(["ada"], 1)
    with client_of(application(project)) as client:
        log_in(client, "ada", password)
        token = client.get("/item/0").text.split('name="form_token" value="')[1].split('"')[0]
        reply = client.post("/item/0", data={"form_token": token, "draft": bad})
        assert reply.status_code == 400
        assert reply.json()["error"]
        assert client.post("/item/0/preview", data={"form_token": token, "draft": bad}).text
        for path in (f"/item/{MANY}", f"/image/{MANY}/0", f"/responses/{MANY}"):
            assert client.get(path).status_code == 404


@pytest.mark.slow
def test_responses_are_sampled_labeled_and_counted(project: Project, tmp_path: Path) -> None:
    runner = CliRunner()

    def gfactor(*words: object) -> str:
        done = runner.invoke(cli, list(map(str, words)))
        assert done.exit_code == 0, done.output
        return done.output

    journal = tmp_path / "c.db"
    gfactor("run", project.path / "bank.parquet", "--examinee", "baseline:random", "--journal",
            journal)  # fmt: skip
    made = gfactor("annotate", "responses", project.path, "--from", journal, "--by", "type",
                   "--per-examinee", 3, "--json")  # fmt: skip
    assert json.loads(made)["added"] == 3
    store = project.store()
    numbers = list(store.responses()["id"])
    store.close()
    passwords = json.loads(gfactor("annotate", "invite", project.path, "ada", "ben", "--json"))
    with pytest.raises(ParameterError, match="'ben' was invited before and has a password"):
        gf.annotate.invite(project.path, ["new", "ben"])
    with closing(project.store()) as store:
        assert sorted(store.annotators()) == ["ada", "ben"]  # nobody was invited
    given = gf.annotate.invite(project.path, "ben", again=True)
    assert given["ben"] != passwords["ben"]
    passwords |= given
    with client_of(application(project)) as client:
        for name, labels in (
            ("ada", ["image", "image", "text"]),
            ("ben", ["image", "text", "text"]),
        ):
            log_in(client, name, passwords[name])
            for number, category in zip(numbers, labels, strict=True):
                page = client.get(f"/responses/{number}").text
                assert "Key" in page
                token = page.split('name="form_token" value="')[1].split('"')[0]
                fields = {"form_token": token, "category": category, "ability": "knowledge"}
                client.post(f"/responses/{number}", data=fields)
        assert "Cohen" in client.get("/agreement").text
    gfactor("annotate", "responses", project.path, "-o", tmp_path / "labels.csv")
    table = pd.read_csv(tmp_path / "labels.csv")
    assert list(table["category"]) == ["image", "image", "text", "image", "text", "text"]
    assert set(table["abilities"]) == {"knowledge"}
    assert set(table["examinee"]) == {"baseline:random?seed=0"}
    rows = json.loads(gfactor("annotate", "agreement", project.path, "--json"))
    said = [row["said"] for row in rows if row["what"] == "Category of error"]
    # Three units, values i,i / i,t / t,t: observed agreement 2/3, expected 1/2 of pairs.
    assert said[0].startswith("Krippendorff's alpha (nominal) = 0.444")
    assert said[1].startswith("Cohen's kappa = 0.400")


def cli_json(*words: object) -> Any:
    done = CliRunner().invoke(cli, [*map(str, words), "--json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.output)


def run_two(project: Project, journal: Path) -> None:
    for name in ("baseline:random", "baseline:random?seed=1", "baseline:constant"):
        done = CliRunner().invoke(cli, ["run", str(project.path / "bank.parquet"), "--examinee",
                                        name, "--journal", str(journal)])  # fmt: skip
        assert done.exit_code == 0, done.output


@pytest.mark.slow
def test_labels_are_blind_until_all_are_in(project: Project, tmp_path: Path) -> None:
    journal, out = tmp_path / "c.db", tmp_path / "labels.csv"
    run_two(project, journal)
    workspace = ("annotate", "responses", project.path)
    # One examinee after the other: neither number nor order tells which.
    for who in ("baseline:constant", "baseline:random?seed=1", "baseline:random?seed=0"):
        cli_json(*workspace, "--from", journal, "--examinee", who)
    store = project.store()
    rows: Any = store.responses()
    store.close()
    numbers = list(rows["id"])
    assert len(numbers) >= 6
    assert list(rows["examinee"]) != sorted(rows["examinee"])
    blocks = (rows["examinee"] != rows["examinee"].shift()).sum()
    assert blocks > rows["examinee"].nunique()
    password = cli_json("annotate", "invite", project.path, "ada")["ada"]
    with client_of(application(project)) as client:
        log_in(client, "ada", password)
        for place, number in enumerate(numbers):
            shown = client.get(f"/responses/{number}")
            everything = shown.text + str(shown.url) + str(shown.headers)
            assert "baseline" not in everything
            assert "seed=" not in everything
            if place == len(numbers) - 1:
                told = cli_json(*workspace, "-o", out)
                assert (told["blind"], told["waiting"]) == (True, 1)
                kept: Any = pd.read_csv(out)
                assert kept[["examinee", "condition"]].isna().to_numpy().all()
                assert list(kept["response"]) == numbers[:-1]
                assert cli_json(*workspace, "-o", out, "--unblind")["blind"] is False
                assert len(pd.read_csv(out)["examinee"].dropna()) == len(numbers) - 1
            token = shown.text.split('name="form_token" value="')[1].split('"')[0]
            client.post(f"/responses/{number}", data={"form_token": token, "category": "text"})
    assert cli_json(*workspace, "-o", out)["blind"] is False
    kept = pd.read_csv(out).set_index("response")["examinee"]
    assert kept.to_dict() == rows.set_index("id")["examinee"].to_dict()


@pytest.mark.thorough
def test_conditions_of_a_journal_are_not_mixed_in_silence(project: Project, tmp_path: Path) -> None:
    journal, bank = tmp_path / "c.db", project.path / "bank.parquet"
    for condition in ("default", "images=removed"):
        done = CliRunner().invoke(cli, ["run", str(bank), "--examinee", "baseline:random",
                                        "--journal", str(journal), "--condition",
                                        condition])  # fmt: skip
        assert done.exit_code == 0, done.output
    workspace = ["annotate", "responses", str(project.path), "--from", str(journal)]
    mixed = CliRunner().invoke(cli, workspace)
    assert mixed.exit_code != 0
    assert isinstance(mixed.exception, ParameterError) or mixed.output
    said = str(mixed.exception) + mixed.output
    assert "2 conditions (default; images=removed)" in said
    assert cli_json(*workspace, "--condition", "images=removed")["added"] > 0
    store = project.store()
    assert set(store.responses()["condition"]) == {"images=removed"}
    store.close()


def test_a_quota_takes_so_many_of_each_value_of_every_examinee(
    project: Project, tmp_path: Path
) -> None:
    table = pd.DataFrame(
        [
            {"examinee": who, "condition": "default", "item_id": f"{kind}{k}", "kind": kind}
            for who in ("m:a", "m:b")
            for kind, n in (("LO", 30), ("Math", 50), ("CO", 4))
            for k in range(n)
        ]
    )
    made = sampled(table, 90, 7, "kind", quotas("10,Math=20"))
    counts = made.rows.groupby(["examinee", "kind"]).size().to_dict()
    assert counts == {(who, kind): n for who in ("m:a", "m:b")
                      for kind, n in (("LO", 10), ("Math", 20), ("CO", 4))}  # fmt: skip
    assert made.short == ("m:a: 4 of 10 of CO", "m:b: 4 of 10 of CO")
    again = sampled(table.sample(frac=1, random_state=1), 90, 7, "kind", quotas("10,Math=20"))
    assert set(again.rows["item_id"]) == set(made.rows["item_id"])
    assert set(sampled(table, 90, 8, "kind", quotas("10")).rows.index) != set(made.rows.index)
    with pytest.raises(GfactorError, match="did you mean 'Math'"):
        sampled(table, 90, 7, "kind", quotas("10,Maths=20"))
    workspace = ["annotate", "responses", str(project.path), "--from", "c.db", "--quota", "10"]
    assert "--by" in str(CliRunner().invoke(cli, workspace).exception)
