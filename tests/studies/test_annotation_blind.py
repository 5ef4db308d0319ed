"""Two people annotate without seeing each other; what differs is then shown word by word."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.served import serving_app
from support.studies import accessibility_problems, browser_page, exam_bank, exam_items
from support.visitors import Visitor

from gfactor.studies.annotation import (
    AnnotationDraft,
    DraftQuestion,
    Project,
    draft_of,
    grades,
    states,
)
from gfactor.studies.annotation.difference import compared, differences

MARK = "onlyinthefirstdraft"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project.make(tmp_path / "workspace", exam_bank(tmp_path, count=3), "Round one", "multi")


def log_in(visitor: Visitor, name: str, password: str) -> None:
    hidden = visitor.form("/login", "/login").hidden
    visitor.post("/login", {**hidden, "name": name, "password": password})


def draft(visitor: Visitor, number: int, made: AnnotationDraft, kind: str = "draft") -> int:
    token = visitor.form(f"/item/{number}").hidden["form_token"]
    fields = {"form_token": token, "kind": kind, "draft": made.to_json()}
    return visitor.post(f"/item/{number}", fields).status_code


def test_what_an_adjudicator_drafts_after_reading_others_is_no_agreement(project: Project) -> None:
    for name, role in (("ada", "annotator"), ("ben", "annotator"), ("judge", "adjudicator")):
        project.invite(name, role)
    project.assign(["ada", "ben"], 2)
    store = project.store()
    was = draft_of(exam_items(3)[1])
    for name, difficulty in (("ada", 2), ("judge", 2), ("ben", 5)):
        store.add("q01", name, "draft", replace(was, difficulty=difficulty).to_json())
    assert grades(store, "difficulty").loc["q01"].to_dict() == {"ada": 2, "ben": 5}
    store.close()


@pytest.mark.slow
def test_nobody_peeks_at_a_draft_before_all_are_in(project: Project) -> None:
    passwords = {name: project.invite(name) for name in ("ada", "ben", "cy")}
    passwords["judge"] = project.invite("judge", "adjudicator")
    passwords["both"] = project.invite("both", "adjudicator")
    project.assign(["ada", "ben", "both"], 3)
    was = draft_of(exam_items(3)[1])
    with ExitStack() as stack:
        base = stack.enter_context(serving_app("gfactor.studies.annotation", project.path))
        people = {name: stack.enter_context(Visitor(base)) for name in passwords}
        for name, visitor in people.items():
            log_in(visitor, name, passwords[name])
        assert draft(people["ada"], 1, replace(was, general=MARK)) == 200

        def seen(name: str) -> bool:
            paths = ["/", "/item/1", "/item/1/history", "/adjudicate/1", "/adjudicate/1?from=ada",
                     "/agreement", "/responses", "/item/1/preview"]  # fmt: skip
            return any(MARK in people[name].get(path).text for path in paths)

        assert seen("ada")
        assert [name for name in ("ben", "both", "cy") if seen(name)] == []
        assert people["both"].get("/adjudicate/1").status_code == 403
        assert draft(people["both"], 1, was, "adjudication") == 403
        assert draft(people["cy"], 1, was) == 403
        assert draft(people["judge"], 1, was) == 200  # not assigned: it opens nothing
        assert not seen("ben")
        assert not seen("judge"), "half of the drafts are nobody's to read"
        page = people["judge"].get("/adjudicate/1")
        assert page.status_code == 403
        assert "Missing: ben, both." in page.text
        assert draft(people["judge"], 1, was, "adjudication") == 403
        assert draft(people["ben"], 1, was) == 200
        assert not seen("ben")
        assert draft(people["both"], 1, was) == 200
        assert [name for name in ("ada", "ben", "both", "judge") if not seen(name)] == []
        assert not seen("cy")


def test_agreement_counts_what_was_said_before_anything_was_seen(project: Project) -> None:
    for name in ("ada", "ben"):
        project.invite(name)
    project.assign(["ada", "ben"], 2)
    was = draft_of(exam_items(3)[1])
    store = project.store()
    for who, grade in (("ada", 1), ("ada", 2), ("ben", 5), ("ada", 5), ("ben", 4)):
        store.add("q01", who, "draft", replace(was, difficulty=grade).to_json())
    table = grades(store, "difficulty")
    state = states(store, ["q01"])["q01"]
    store.close()
    assert table.loc["q01"].to_dict() == {"ada": 2, "ben": 5}
    assert state.status == "to adjudicate"  # on what they say now


def test_drafts_differ_field_by_field_and_word_by_word() -> None:
    first = AnnotationDraft(
        "The red circle [IMAGE_1]", (DraftQuestion("Which?", "choice", ("a", "b"), "A"),)
    )
    second = AnnotationDraft(
        "The blue circle [IMAGE_2]",
        (DraftQuestion("Which?", "choices", ("a", "c"), "A, B"),),
        quality=3,
    )
    found = {row.field: row for row in differences(first, second, "ada", "ben")}
    assert list(found) == ["What all questions share", "Type", "Option B", "Answer", "Quality"]
    shared = found["What all questions share"]
    assert [piece.text for piece in shared.before if piece.changed] == ["red", "[IMAGE_1]"]
    assert [piece.text for piece in shared.after if piece.changed] == ["blue", "[IMAGE_2]"]
    assert found["Quality"].before == ()
    assert differences(first, first) == []
    dropped = differences(first, replace(first, dropped="It is unclear."))
    assert [row.field for row in dropped] == ["Drop it, because"]
    split = replace(first, parts=first.parts * 2)
    assert {row.field for row in differences(first, split)} >= {"Question 2: Text"}


def test_chinese_is_compared_sign_by_sign() -> None:
    before, after = compared("下面哪个图形是红色的", "下面哪个图形是蓝色的")
    assert [piece.text for piece in before if piece.changed] == ["红"]
    assert [piece.text for piece in after if piece.changed] == ["蓝"]


@given(st.text(max_size=40), st.text(max_size=40))
def test_pieces_make_up_the_texts(before: str, after: str) -> None:
    left, right = compared(before, after)
    assert "".join(piece.text for piece in left) == before
    assert "".join(piece.text for piece in right) == after
    same = ["".join(p.text for p in pieces if not p.changed) for pieces in (left, right)]
    assert same[0] == same[1]


@pytest.mark.slow
def test_an_adjudicator_sees_the_difference_and_no_json(project: Project) -> None:
    passwords = {"judge": project.invite("judge", "adjudicator")}
    for name in ("ada", "ben"):
        project.invite(name)
    project.assign(["ada", "ben"], 2)
    was = draft_of(exam_items(3)[1])
    store = project.store()
    store.add("q01", "ada", "draft", replace(was, general="A red one [IMAGE_1]").to_json())
    store.add("q01", "ben", "draft", replace(was, general="A blue one [IMAGE_1]").to_json())
    store.close()
    with serving_app("gfactor.studies.annotation", project.path) as base, browser_page() as page:
        page.goto(f"{base}/login")
        page.locator("#name").fill("judge")
        page.locator("#password").fill(passwords["judge"])
        page.keyboard.press("Enter")
        page.wait_for_selector("nav[aria-label=Workspace]")
        page.goto(f"{base}/adjudicate/1")
        assert page.locator(".differences del").all_inner_texts() == ["red"]
        assert page.locator(".differences ins").all_inner_texts() == ["blue"]
        assert not accessibility_problems(page)
        page.goto(f"{base}/item/1/history")
        assert "{" not in page.locator(".history").inner_text()
        assert page.locator(".history ins").count() >= 2
        assert not accessibility_problems(page)
