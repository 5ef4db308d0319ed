"""Every bank that can be built is annotated: edited, saved, agreed on, decided, exported."""

from __future__ import annotations

import html
import json
import re
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.corridors.banks import bank_kinds, bank_of
from support.studies import client_of, every_type_bank
from support.tiers import few

import gfactor as gf
from gfactor.benchmarks.for_people import content_for_people
from gfactor.items import Item, ItemBank
from gfactor.studies.annotation import (
    AnnotationDraft,
    Project,
    application,
    draft_of,
    items_of,
    problems,
)
from gfactor.studies.answers import printed, read_answer

KINDS = [kind for kind in bank_kinds() if kind != "every answer type"]
PEOPLE = ("ada", "ben")


@pytest.fixture(scope="module")
def banks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("banks")


def project_of(bank: Path, folder: Path) -> tuple[Project, dict[str, str]]:
    gf.annotate.new(bank, folder, title="Every bank")
    passwords = dict(gf.annotate.invite(folder, PEOPLE))
    gf.annotate.assign(folder, PEOPLE, per_item=2)
    return Project.open(folder), passwords


def log_in(client: Any, name: str, password: str) -> None:
    client.cookies.clear()
    token = token_in(client.get("/login").text)
    client.post("/login", data={"form_token": token, "name": name, "password": password})


def token_in(page: str) -> str:
    return re.findall(r'name="form_token" value="([^"]*)"', page)[0]


def shown_keys(page: str) -> list[str]:
    """The keys that a page shows, the original's first."""
    return [html.unescape(key) for key in re.findall(r'<bdi class="answer">([^<]*)</bdi>', page)]


def changed(draft: AnnotationDraft, number: int) -> AnnotationDraft:
    """What an annotator does to any item: a sentence at the end of the text, and grades."""
    text = f"{draft.general}\n\nLook twice."
    return replace(draft, general=text, difficulty=1 + number % 5, quality=4)


def same_question(item: Item, other: Item) -> bool:
    names = ("content", "answer_type", "target", "accepted", "choices", "output_format", "turns")
    return all(_plain(getattr(item, name)) == _plain(getattr(other, name)) for name in names)


def _plain(value: Any) -> Any:
    """Images by their bytes."""
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    if hasattr(value, "sha256"):
        return value.sha256
    return (value.label, _plain(value.content)) if hasattr(value, "content") else value


def goes_all_the_way(bank: Path, folder: Path) -> None:
    """From `annotate new` to the exported bank, with every item edited by two people."""
    project, passwords = project_of(bank, folder)
    items = list(project.bank)
    with client_of(application(project)) as client:
        for name in PEOPLE:
            log_in(client, name, passwords[name])
            for number, item in enumerate(items):
                page = client.get(f"/item/{number}").text
                key = printed(item.target, item) or "no answer"
                assert shown_keys(page)[0] == key, item.id
                for segment in content_for_people(item):
                    if isinstance(segment, str) and re.fullmatch(r"[\w ,.?]+", segment):
                        assert html.escape(segment.strip()) in page
                assert not problems(draft_of(item), item)
                draft = draft_of(item) if number % 2 else changed(draft_of(item), number)
                fields = {"form_token": token_in(page), "kind": "draft", "draft": draft.to_json()}
                reply = client.post(f"/item/{number}", data=fields)
                assert reply.status_code == 200, (item.id, reply.text)
    agreement = gf.annotate.agreement(folder).set_index("what")["said"]
    assert "1.000" in agreement["Difficulty"]
    consensus = gf.annotate.consensus(folder, "difficulty", n_bootstrap=20)
    graded_as = {item.id: 1 + k % 5 for k, item in enumerate(items) if not k % 2}
    assert consensus.units["majority"].loc[list(graded_as)].astype(int).to_dict() == graded_as
    counts = gf.annotate.export(folder, folder / "edited.parquet")
    edited = (len(items) + 1) // 2
    assert (counts["edited"], counts["untouched"]) == (edited, len(items) - edited)
    exported = ItemBank.open(folder / "edited.parquet")
    for number, item in enumerate(items):
        new = exported.item(item.id)
        assert printed(new.target, new) == printed(item.target, item)
        assert new.target == item.target
        assert set(new.accepted) == set(item.accepted)
        assert new.output_format == item.output_format
        assert len(new.turns) == len(item.turns)
        assert {k: new.labels[k] for k in item.labels if not graded(item, k)} == {
            k: v for k, v in item.labels.items() if not graded(item, k)
        }
        if number % 2:
            assert same_question(new, item)
            assert new.provenance.content_hash == item.provenance.content_hash
        else:
            assert new.text.endswith("Look twice.")
            assert new.provenance.content_hash != item.provenance.content_hash
    assert same_bank_again(folder / "edited.parquet")


def graded(item: Item, label: str) -> bool:
    return label in ("difficulty", "quality") and isinstance(item.labels[label], int)


def same_bank_again(path: Path) -> bool:
    """Whether what was exported can be opened, and its items be drafts and items again."""
    for item in ItemBank.open(path):
        (back,) = items_of(draft_of(item), item, "nobody")
        if not same_question(back, item):
            return False
    return True


@pytest.mark.parametrize("kind", few(KINDS, 1))
def test_a_bank_of_every_kind_is_annotated_with_its_keys_as_they_are(
    kind: str, banks: Path, tmp_path: Path
) -> None:
    goes_all_the_way(bank_of(kind, banks), tmp_path / "workspace")


@pytest.mark.thorough
def test_every_answer_type_is_annotated_with_its_key_as_it_is(tmp_path: Path) -> None:
    goes_all_the_way(every_type_bank(tmp_path).path, tmp_path / "workspace")


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "answer", "target"),
    [
        ("count", "9", 9), ("word", "circle", "circle"), ("pair", "(4, 5)", (4, 5)),
        ("pair", "None", None), ("order", "4, 1, 2, 3", (4, 1, 2, 3)),
        ("ticks", "square", frozenset({"square"})), ("cells", "(0, 1)", frozenset({(0, 1)})),
        ("labelled", "ABOVE: 3, BELOW: 2", (3, 2)), ("path", "S, 3, 1, E", ("S", 3, 1, "E")),
        ("each", "yes, yes, no", ("yes", "yes", "no")), ("blanks", "1\ntwo", ("1", "two")),
        ("several", "B, D", ("B", "D")), ("essay", "So it is.", "So it is."), ("one", "D", "D"),
    ],
)  # fmt: skip
def test_a_key_of_every_type_can_be_changed(
    tmp_path: Path, name: str, answer: str, target: Any
) -> None:
    item = every_type_bank(tmp_path).item(name)
    draft = draft_of(item)
    other = replace(draft, parts=(replace(draft.parts[0], answer=answer),))
    (made,) = items_of(other, item, "ada")
    assert made.target == target
    assert made.output_format == item.output_format
    assert made.content == item.content
    assert made.provenance.content_hash != item.provenance.content_hash


def test_a_wrong_key_of_any_type_is_refused_with_what_to_write(tmp_path: Path) -> None:
    bank = every_type_bank(tmp_path)
    for name, answer, sentence in (
        ("order", "2, three", "'three' cannot stand in the answer: write a whole number."),
        ("each", "no", "The answer has 1 part, and the item asks for 3."),
        ("ticks", "hexagon", "write circle, square or star."),
        ("one", "F", "write A, B, C or D."),
    ):
        item = bank.item(name)
        draft = draft_of(item)
        wrong = replace(draft, parts=(replace(draft.parts[0], answer=answer),))
        (problem,) = problems(wrong, item)
        assert problem.sentence.endswith(sentence)


def test_only_the_items_own_type_needs_an_output_format(tmp_path: Path) -> None:
    item = every_type_bank(tmp_path).item("one")
    part = replace(draft_of(item).parts[0], answer_type="list", answer="1, 2")
    (problem,) = problems(replace(draft_of(item), parts=(part,)), item)
    assert "is read by an output format, which this item does not have" in problem.sentence
    assert "make it a question with blanks, or an open one" in problem.sentence


def test_label_studio_gets_keys_in_their_order_and_questions_without_the_form(
    tmp_path: Path, banks: Path
) -> None:
    bank = bank_of("percept-v", banks)
    gf.annotate.new(bank, tmp_path / "workspace")
    gf.annotate.label_studio(tmp_path / "workspace", write=tmp_path / "tasks.json")
    items = {item.id: item for item in ItemBank.open(bank)}
    for task in json.loads((tmp_path / "tasks.json").read_text("utf-8")):
        data, item = task["data"], items[task["data"]["item"]]
        if item.answer_type == "list":
            assert isinstance(item.target, tuple)
            assert data["key"] == ", ".join(map(str, item.target))
        assert "Answer in one line" not in data["question"]
        assert "Answer in one line" in data["format"]


@pytest.mark.thorough
def test_what_was_read_in_a_reply_is_printed_as_keys_are(tmp_path: Path) -> None:
    bank = gf.build(
        "percept-v", domains=["sort_lines", "list_shapes"], sizes=[4], instances=2,
        path=tmp_path / "bank.parquet",
    )  # fmt: skip
    journal = gf.run(bank, ["baseline:random"], journal=tmp_path / "c.db")
    project = gf.annotate.new(bank, tmp_path / "workspace")
    gf.annotate.responses(project.path, journal)
    with closing(project.store()) as store:
        rows = store.responses()
    assert len(rows) > 1
    for row in rows.to_dict("records"):
        answer, item = row["answer"], bank.item(row["item"])
        assert not set('[](){}"') & set(answer), answer
        assert answer == printed(read_answer(answer, item), item)
