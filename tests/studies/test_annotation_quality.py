"""Guidelines, comments, known responses, queues, time, consensus, and records of other programs."""

from __future__ import annotations

import json
import uuid
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from support.studies import client_of, exam_bank, exam_items

import gfactor as gf
from gfactor.cli import cli
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics import wilson
from gfactor.studies.annotation import AnnotationDraft, Project, application, draft_of, workspace
from gfactor.studies.annotation.project import response_unit

CATEGORIES = ("alignment", "text", "image", "reasoning", "knowledge", "system")


def make(folder: Path, responses: int = 0) -> Project:
    folder.mkdir(exist_ok=True)
    project = Project.make(folder / "workspace", exam_bank(folder, count=6), "Round", "multi")
    store = project.store()
    store.add_responses(
        {"id": 100 + k, "item": f"q{k % 6:02}", "examinee": f"m:{k}", "condition": "default",
         "text": f"I say {k}.", "answer": "B"}
        for k in range(responses)
    )  # fmt: skip
    store.close()
    return project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return make(tmp_path, responses=12)


def log_in(client: Any, name: str, password: str) -> None:
    fields = {"form_token": token_of(client, "/login"), "name": name, "password": password}
    assert "Log out" in client.post("/login", data=fields).text


def token_of(client: Any, path: str) -> str:
    return client.get(path).text.split('name="form_token" value="')[1].split('"')[0]


def label(client: Any, number: int, category: str, **more: Any) -> Any:
    fields = {"form_token": token_of(client, f"/responses/{number}"), "category": category, **more}
    return client.post(f"/responses/{number}", data=fields)


def put(project: Project, rows: list[tuple[str, int, str]]) -> None:
    """Labels (who, response, category) straight into the history."""
    store = project.store()
    for who, number, category in rows:
        content = {"category": category, "abilities": [], "note": ""}
        store.add(str(number), who, "label", json.dumps(content))
    store.close()


def gfactor(*words: object) -> Any:
    done = CliRunner().invoke(cli, [*map(str, words), "--json"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return json.loads(done.output)


def test_guidelines_stand_beside_every_item_as_safe_html(tmp_path: Path) -> None:
    text = "# Keep to this\n\nGrade **quality**. <script>alert(1)</script>"
    (tmp_path / "g.md").write_text(text, "utf-8")
    exam_bank(tmp_path, count=2)
    folder = tmp_path / "w"
    gfactor("annotate", "new", tmp_path / "bank.parquet", "-o", folder, "--guidelines",
            tmp_path / "g.md")  # fmt: skip
    project = Project.open(folder)
    store = project.store()
    store.add_responses([{"id": 7, "item": "q00", "examinee": "m", "condition": "default",
                          "text": "x", "answer": ""}])  # fmt: skip
    store.close()
    password = project.invite("ada")
    project.assign(["ada"], 1)
    with client_of(application(project)) as client:
        log_in(client, "ada", password)
        for path in ("/item/0", "/responses/7"):
            page = client.get(path).text
            assert "<strong>quality</strong>" in page
            assert "alert(1)" not in page
        (folder / "guidelines.md").unlink()
        assert "Guidelines" not in client.get("/item/0").text
    with pytest.raises(ParameterError, match=r"none\.md"):
        gf.annotate.new(tmp_path / "bank.parquet", tmp_path / "v", guidelines=tmp_path / "none.md")


@pytest.mark.slow
def test_comments_keep_author_and_time_and_are_hidden_as_long_as_work_is_blind(
    project: Project, tmp_path: Path
) -> None:
    passwords = {name: project.invite(name) for name in ("ada", "ben", "cy")}
    project.assign(["ada", "ben"], 2)
    app = application(project)
    with client_of(app) as ada, client_of(app) as ben, client_of(app) as cy:
        for name, client in (("ada", ada), ("ben", ben), ("cy", cy)):
            log_in(client, name, passwords[name])
        note = {"form_token": token_of(ada, "/item/0"), "comment": "Is the *key* right? <script>"}
        assert "Is the <em>key</em> right?" in ada.post("/item/0/comment", data=note).text
        assert "key</em> right" not in ben.get("/item/0").text
        refused = {"form_token": token_of(cy, "/item/0"), "comment": "me too"}
        assert cy.post("/item/0/comment", data=refused).status_code == 403
        assert ada.post("/item/0/comment", data={"comment": "forged"}).status_code == 403
        for name in ("ada", "ben"):
            store = project.store()
            store.add("q00", name, "draft", draft_of(exam_items(6)[0]).to_json())
            store.close()
        assert "key</em> right" in ben.get("/item/0").text
        assert "<script>" not in ben.get("/item/0").text.split('id="comments"')[1]
        said = {"form_token": token_of(ada, "/responses/100"), "comment": "A joke"}
        ada.post("/responses/100/comment", data=said)
        ada.post("/responses/100/comment", data={**said, "comment": "  "})
        assert "A joke" not in ben.get("/responses/100").text
        label(ben, 100, "text")
        assert "A joke" in ben.get("/responses/100").text
        assert ada.get("/item/0/history").status_code == 200
    table = gf.annotate.comments(project.path)
    assert table["on"].tolist() == ["item", "response"]
    assert table["item"].tolist() == ["q00", "q00"]
    assert table["annotator"].tolist() == ["ada", "ada"]
    assert table["created"].str.startswith("20").all()
    gfactor("annotate", "comments", project.path, "-o", tmp_path / "c.csv")
    assert pd.read_csv(tmp_path / "c.csv")["comment"].tolist()[1] == "A joke"
    gf.annotate.export(project.path, tmp_path / "out.parquet")
    assert '"kind":"comment"' in (tmp_path / "out.history.jsonl").read_text()


def test_known_responses_give_feedback_and_only_the_first_label_counts(
    project: Project, tmp_path: Path
) -> None:
    known = pd.DataFrame({"response": [101, 102, 103], "category": ["image", "text", "text"],
                          "why": ["The **rings**.", None, None]})  # fmt: skip
    known.to_csv(tmp_path / "known.csv", index=False)
    assert gfactor("annotate", "gold", project.path, tmp_path / "known.csv") == {"gold": 3}
    password = project.invite("ada")
    with client_of(application(project)) as client:
        log_in(client, "ada", password)
        before = client.get("/responses/101").text
        plain = client.get("/responses/104").text
        assert "known" not in before
        assert before.replace("101", "104").count("<form") == plain.count("<form")
        assert client.get("/responses/101/feedback").status_code == 404
        reply = label(client, 101, "reasoning")
        assert "Known otherwise" in reply.text
        assert "<strong>rings</strong>" in reply.text
        assert "/responses/102" in reply.text
        label(client, 101, "image")  # too late to count
        assert "As known" in label(client, 102, "text").text
        assert "feedback" not in str(label(client, 104, "text").url)
    (row,) = gfactor("annotate", "annotators", project.path)
    low, high = wilson(1, 2)
    assert (row["gold"], row["gold_accuracy"]) == (2, 0.5)
    assert [row["gold_low"], row["gold_high"]] == pytest.approx([float(low), float(high)])
    assert (row["labels"], row["responses"]) == (3, 12)


def test_without_annotators_the_command_says_so(project: Project) -> None:
    ran = CliRunner().invoke(cli, ["annotate", "annotators", str(project.path)])
    assert (ran.exit_code, ran.output) == (0, "Nobody is invited yet: gfactor annotate invite.\n")


def test_known_responses_are_checked_row_by_row(project: Project) -> None:
    by_name = pd.DataFrame({"item": ["q01"], "examinee": ["m:1"], "condition": ["default"],
                            "category": ["text"]})  # fmt: skip
    assert gf.annotate.gold(project.path, by_name) == 1
    with pytest.raises(ParameterError, match="row 3: there is no such response"):
        gf.annotate.gold(project.path, pd.DataFrame({"response": [101, 5], "category": "text"}))
    with pytest.raises(UnknownNameError, match=r"category \(row 2\) 'vision'"):
        gf.annotate.gold(project.path, pd.DataFrame({"response": [102], "category": ["vision"]}))
    with pytest.raises(ParameterError, match="need the columns"):
        gf.annotate.gold(project.path, pd.DataFrame({"response": [101]}))
    store = project.store()
    assert list(store.gold()) == [101]
    store.close()


@pytest.mark.slow
def test_queues_give_everybody_as_many_and_nothing_else(project: Project, tmp_path: Path) -> None:
    names = ["ada", "ben", "cy"]
    passwords = {name: project.invite(name) for name in names}
    gf.annotate.gold(project.path, pd.DataFrame({"response": [100], "category": ["text"]}))
    given = gfactor("annotate", "assign", project.path, *names, "--responses", "--per-item", 2)
    assert given == {"assignments": 24}
    again = gfactor("annotate", "assign", project.path, *names, "--responses", "--per-item", 2)
    assert again == {"assignments": 0}
    store = project.store()
    pairs = store.assignments()
    store.close()
    assert Counter(who for _, who in pairs) == dict.fromkeys(names, 8)
    assert set(Counter(unit for unit, _ in pairs).values()) == {2}
    mine = sorted(int(unit.split(":")[1]) for unit, who in pairs if who == "ada")
    other = next(n for n in range(101, 112) if n not in mine)
    with client_of(application(project)) as client:
        log_in(client, "ada", passwords["ada"])
        assert client.get(f"/responses/{other}").status_code == 403
        token = token_of(client, f"/responses/{mine[0]}")
        refused = client.post(f"/responses/{other}", data={"form_token": token, "category": "text"})
        assert refused.status_code == 400
        assert client.get("/responses/100").status_code == 200  # known ones are everybody's
        seen = []
        while "Nothing to label" not in (page := client.get("/responses")).text:
            seen.append(int(str(page.url).rsplit("/", 1)[1]))
            label(client, seen[-1], "text")
        assert seen == sorted({100, *mine})
    table, waiting = gf.annotate.labels(project.path)
    assert set(table["examinee"]) == {""}
    everybody = sum(len({100, *(int(u.split(":")[1]) for u, w in pairs if w == name)})
                    for name in names)  # fmt: skip
    assert waiting == everybody - len(seen)
    assert response_unit(100) in {unit for unit, _ in pairs}


@pytest.mark.thorough
def test_time_is_counted_from_the_page_shown_to_the_entry_saved(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [1000.0]
    monkeypatch.setattr(workspace, "clock", lambda: clock[0])
    password = project.invite("ada")
    project.assign(["ada"], 1)
    with client_of(application(project)) as client:
        log_in(client, "ada", password)
        for number, seconds in ((100, 12.0), (101, 20.0), (102, 4.0)):
            token = token_of(client, f"/responses/{number}")
            clock[0] += seconds
            client.post(f"/responses/{number}", data={"form_token": token, "category": "text"})
        token = token_of(client, "/item/0")
        clock[0] += 90.0
        draft = {"form_token": token, "draft": draft_of(exam_items(6)[0]).to_json()}
        assert client.post("/item/0", data=draft).json()["saved"]
    row = gf.annotate.annotators(project.path).iloc[0]
    assert (row["label_seconds"], row["draft_seconds"]) == (12.0, 90.0)
    assert (row["drafts"], row["items"]) == (1, 6)


def test_the_consensus_trusts_those_who_are_reliable(tmp_path: Path) -> None:
    project = make(tmp_path, responses=60)
    rng, true = np.random.default_rng(5), {}
    rows = []
    for k in range(60):
        true[100 + k] = CATEGORIES[k % 3]
        for who, share in (("ada", 0.97), ("ben", 0.95), ("cy", 0.3), ("di", 0.3), ("ed", 0.3)):
            said = true[100 + k] if rng.random() < share else CATEGORIES[rng.integers(3)]
            rows.append((who, 100 + k, said))
    put(project, rows)
    result = gf.annotate.consensus(project.path, n_bootstrap=20)
    units: Any = result.units
    right = [c == true[int(n)] for n, c in units["consensus"].items()]
    majority = [c == true[int(n)] for n, c in units["majority"].items()]
    assert np.mean(right) > max(0.93, np.mean(majority) + 0.05)
    accuracy: Any = result.raters.set_index("rater")["accuracy"]
    assert accuracy[["ada", "ben"]].min() > accuracy[["cy", "di", "ed"]].max()
    told = gfactor("annotate", "consensus", project.path, "--draws", 20, "-o", tmp_path / "c.csv")
    assert told == json.loads(json.dumps(result.to_dict()))
    table = pd.read_csv(tmp_path / "c.csv")
    assert list(table)[:6] == [
        "response", "ratings", "majority", "share", "consensus", "probability"]  # fmt: skip
    alike: Any = gf.annotate.annotators(project.path).set_index("annotator")
    assert alike.loc["ada", "pairs"] == 240
    assert alike.loc["ada", "alike"] > alike.loc["cy", "alike"]
    with pytest.raises(UnknownNameError, match="color"):
        gf.annotate.consensus(project.path, "color")


def check_by_interface(tasks: list[dict[str, Any]], xml: Path) -> None:
    """The rules by which label-studio-sdk 2.1.2 takes tasks and annotations (its own verdict on
    our files, by benchmarks/record_oracles.py: all valid): every object's data are there, every
    result names a control and the object that it is of, by its kind, and chooses among its values.
    """
    tags = {tag.get("name"): tag for tag in ElementTree.parse(xml).getroot().iter()}
    objects = {name for name, tag in tags.items() if tag.get("value", "").startswith("$")}
    assert objects == {"question", "options", "key", "format", "text"}
    results = [r for task in tasks for one in task["annotations"] for r in one["result"]]
    assert results
    for task in tasks:
        assert all(task["data"][tags[name].get("value", "").removeprefix("$")] for name in objects)
    for result in results:
        control = tags[result["from_name"]]
        assert control.get("toName") == result["to_name"]
        assert control.tag.lower() == result["type"]
        if result["type"] == "choices":
            known = {choice.get("value") for choice in control.iter("Choice")}
            assert set(result["value"]["choices"]) <= known


def test_label_studio_gets_every_label_and_gives_every_one_back(
    project: Project, tmp_path: Path
) -> None:
    project.invite("ada")
    put(project, [("ada", 100, "text"), ("ada", 100, "image"), ("ada", 100, "text"),
                  ("ben", 100, "knowledge"), ("ben", 105, "system")])  # fmt: skip
    path = tmp_path / "tasks.json"
    done = gfactor("annotate", "records", project.path, "--format", "label-studio", "-o", path)
    assert done == {"records": 12}
    tasks = json.loads(path.read_text())
    assert "m:" not in path.read_text()  # blind
    first = tasks[0]["annotations"]
    assert [a["result"][0]["value"]["choices"] for a in first] == [
        ["text"], ["image"], ["text"], ["knowledge"]]  # fmt: skip
    assert first[0]["result"][0]["type"] == "choices"
    assert '<Choice value="knowledge"/>' in path.with_suffix(".xml").read_text()
    check_by_interface(tasks, path.with_suffix(".xml"))
    assert gf.annotate.records(project.path, "label-studio", read=path) == 0
    other = make(tmp_path / "other", responses=12)
    other.invite("ada")
    assert gf.annotate.records(other.path, "label-studio", read=path) == 5
    stores = project.store(), other.store()
    histories = [[(e.item, e.annotator, e.content, e.created) for e in s.history()] for s in stores]
    for store in stores:
        store.close()
    here, there = histories
    renamed = [(i, w if w == "ada" else f"label-studio:{w}", c, t) for i, w, c, t in here]
    assert sorted(renamed) == sorted(there)
    assert gf.annotate.records(other.path, "label-studio", read=path) == 0
    tasks[3]["data"]["response"] = "9"
    tasks[3]["annotations"] = first
    path.write_text(json.dumps(tasks))
    with pytest.raises(ParameterError, match="no response 9 in the project"):
        gf.annotate.records(other.path, "label-studio", read=path)


def test_argilla_records_have_users_with_ids_and_come_back(
    project: Project, tmp_path: Path
) -> None:
    put(project, [("ada", 100, "text"), ("ada", 100, "image"), ("ben", 100, "knowledge"),
                  ("ben", 105, "system")])  # fmt: skip
    path = tmp_path / "records.json"
    assert gf.annotate.records(project.path, "argilla", write=path) == 12
    records = json.loads(path.read_text())
    assert set(records[0]) == {
        "id", "fields", "metadata", "suggestions", "responses", "vectors"}  # fmt: skip
    said = records[0]["responses"]["category"]
    assert [one["value"] for one in said] == ["image", "knowledge"]
    assert len({uuid.UUID(one["user_id"]) for one in said}) == 2
    assert "m:" not in path.read_text()
    assert gf.annotate.records(project.path, "argilla", read=path) == 0
    other = make(tmp_path / "other", responses=12)
    assert gf.annotate.records(other.path, "argilla", read=path) == 3
    table, _ = gf.annotate.labels(other.path)
    assert sorted(zip(table["annotator"], table["category"], strict=True)) == [
        ("argilla:ada", "image"), ("argilla:ben", "knowledge"), ("argilla:ben", "system"),
    ]  # fmt: skip
    # As argilla 2.8.0 gives our records back (benchmarks/record_oracles.py).
    theirs = [{**record, "status": "pending", "_server_id": None} for record in records]
    path.write_text(json.dumps(theirs))
    assert gf.annotate.records(other.path, "argilla", read=path) == 0
    assert gf.annotate.records(project.path, "argilla", read=path) == 0
    del records[0]["metadata"]  # Argilla may leave it out: ids stay for names
    path.write_text(json.dumps(records))
    third = make(tmp_path / "third", responses=12)
    assert gf.annotate.records(third.path, "argilla", read=path) == 3
    path.write_text('{"a": 1}')
    with pytest.raises(ParameterError, match="holds no records of argilla"):
        gf.annotate.records(third.path, "argilla", read=path)


def test_drafts_go_to_label_studio_and_come_back(project: Project, tmp_path: Path) -> None:
    project.invite("ada")
    was = draft_of(exam_items(6)[2])
    store = project.store()
    for difficulty in (2, 4):
        draft = AnnotationDraft(**{**vars(was), "difficulty": difficulty})
        store.add("q02", "ada", "draft", draft.to_json(), seconds=30.0)
    store.close()
    path = tmp_path / "tasks.json"
    assert gf.annotate.label_studio(project.path, write=path) == 6
    assert gf.annotate.label_studio(project.path, read=path) == 0
    other = make(tmp_path / "other")
    other.invite("ada")
    assert gf.annotate.label_studio(other.path, read=path) == 2
    store = other.store()
    entries, seconds = store.history(), store.spent()
    store.close()
    assert [AnnotationDraft.from_json(e.content).difficulty for e in entries] == [2, 4]
    assert {e.annotator for e in entries} == {"ada"}
    assert set(seconds.values()) == {30.0}
