"""What there is to decide, how people work and agree, and what they agree on, as pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.annotated import busy_project
from support.served import serving_app
from support.studies import accessibility_problems, browser_page, client_of, exam_bank

import gfactor as gf
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.studies.annotation import AnnotationDraft, Project, application, draft_of, states

PAGES = ("/", "/review", "/people", "/agreement", "/consensus", "/consensus?of=difficulty")


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, dict[str, str]]:
    """Read by the tests, changed by none."""
    return busy_project(tmp_path_factory.mktemp("busy"))


@contextmanager
def client_for(project: Project, name: str, password: str) -> Iterator[Any]:
    with client_of(application(project)) as client:
        token = re.findall(r'name="form_token" value="([^"]*)"', client.get("/login").text)[0]
        client.post("/login", data={"form_token": token, "name": name, "password": password})
        yield client


def number_of(project: Project, status: str) -> int:
    store = project.store()
    found = states(store, project.bank.ids)
    store.close()
    return next(k for k, state in enumerate(found.values()) if state.status == status)


def text_of(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def test_the_review_queue_has_what_is_to_decide_and_what_waits(
    busy: tuple[Project, dict[str, str]],
) -> None:
    project, passwords = busy
    with client_for(project, "cy", passwords["cy"]) as client:
        page = client.get("/review").text
    store = project.store()
    found = states(store, project.bank.ids).values()
    store.close()
    undecided = [state.item for state in found if state.status == "to adjudicate"]
    waiting = [state.item for state in found if state.status == "half done"]
    assert len(undecided) > 2
    assert len(waiting) > 2
    decide, rest = page.split('id="h-waiting"')
    assert re.findall(r'<th scope="row">([^<]+)</th>', decide) == undecided
    assert re.findall(r'<th scope="row">([^<]+)</th><td>ben</td>', rest) == waiting
    assert "What all questions share, Difficulty" in decide


def test_an_adjudicator_who_is_not_assigned_sees_no_half_of_the_drafts(
    busy: tuple[Project, dict[str, str]],
) -> None:
    project, passwords = busy
    half, whole = number_of(project, "half done"), number_of(project, "to adjudicate")
    with client_for(project, "cy", passwords["cy"]) as client:
        page = client.get(f"/adjudicate/{half}")
        assert page.status_code == 403
        assert "Missing: ben." in page.text
        assert "assign FOLDER NAME --take-back" in page.text
        assert "What others drafted is shown" in client.get(f"/item/{half}/history").text
        assert "Draft of ada" in client.get(f"/adjudicate/{whole}").text


def test_what_is_taken_back_is_waited_for_no_longer(tmp_path: Path) -> None:
    project, _ = busy_project(tmp_path)
    half = project.bank.ids[number_of(project, "half done")]
    count = gf.annotate.assign(project.path, ["ben"], take_back=True)
    store = project.store()
    found, given = states(store, project.bank.ids), store.assignments()
    store.close()
    assert found[half].status == "alike"
    assert found[half].assigned == ("ada",)
    assert count == 2 * len(project.bank) - len(given)
    assert all((item, "ben") in given for item in found if "ben" in found[item].drafts)
    with pytest.raises(UnknownNameError, match="did you mean 'ben'"):
        gf.annotate.assign(project.path, ["bem"], take_back=True)


def test_people_see_their_own_work_and_adjudicators_everybodys(
    busy: tuple[Project, dict[str, str]],
) -> None:
    project, passwords = busy
    rows = r'<th scope="row">([^<]+)</th>'
    with client_for(project, "ada", passwords["ada"]) as client:
        assert re.findall(rows, client.get("/people").text) == ["ada"]
        assert client.get("/review").status_code == 403
        assert client.get("/consensus").status_code == 403
    with client_for(project, "cy", passwords["cy"]) as client:
        page = client.get("/people").text
    assert re.findall(rows, page) == ["ada", "ben", "cy"]
    table = gf.annotate.annotators(project.path).set_index("annotator")
    assert f"{table.loc['ben', 'drafts']} of {len(project.bank)}" in text_of(page)
    assert "62 %, n = 8" in text_of(page)  # five of eight labels alike


@pytest.mark.slow
def test_agreement_and_consensus_are_those_of_the_commands(
    busy: tuple[Project, dict[str, str]],
) -> None:
    project, passwords = busy
    table = gf.annotate.agreement(project.path).set_index("what")
    with client_for(project, "cy", passwords["cy"]) as client:
        agreement = text_of(client.get("/agreement").text)
        page = text_of(client.get("/consensus?of=difficulty").text)
        keys = text_of(client.get("/consensus?of=key").text)
    row = table.loc["Difficulty"]
    interval = f"{row['estimate']:.3f} {row['low']:.3f} to {row['high']:.3f}"
    assert f"{interval} {row['units']}" in agreement
    assert list(table.loc["Whether the key is right", "alike"]) == [1.0, 1.0]  # alpha and kappa
    result = gf.annotate.consensus(project.path, "difficulty")
    rows = result.units.reset_index().to_dict("records")
    judged_twice = [row for row in rows if row["ratings"] > 1]
    assert judged_twice
    for row in judged_twice:
        said = "undecided" if row["consensus"] is None else row["consensus"]
        assert f"{row['item']} {said} {row['probability']:.2f}" in page
    assert "so no consensus has to be estimated" in keys


def test_a_consensus_hides_what_its_reader_is_still_to_judge(tmp_path: Path) -> None:
    project, passwords = busy_project(tmp_path)
    project.assign(["cy"], 1, responses=True)
    with client_for(project, "cy", passwords["cy"]) as client:
        page = text_of(client.get("/consensus").text)
    assert "8 more are hidden from you" in page
    assert "reasoning" not in page


@pytest.mark.parametrize(
    ("what", "sentence"),
    [
        ("category", "nobody has labeled a response yet; assign the responses to two or more with "
         "`gfactor annotate assign` and --responses"),
        ("difficulty", "nobody has labeled an item (difficulty) yet; assign the items to two"),
    ],
)  # fmt: skip
def test_what_a_consensus_lacks_is_said_with_what_to_do(
    tmp_path: Path, what: str, sentence: str
) -> None:
    gf.annotate.new(exam_bank(tmp_path, 2).path, tmp_path / "workspace")
    with pytest.raises(ParameterError, match=re.escape(sentence)):
        gf.annotate.consensus(tmp_path / "workspace", what)


def log_in(page: Any, base: str, name: str, password: str) -> None:
    page.goto(f"{base}/login")
    page.locator("#name").fill(name)
    page.locator("#password").fill(password)
    page.keyboard.press("Enter")
    page.wait_for_selector("nav[aria-label=Workspace]")


def overflow(page: Any) -> int:
    """Pixels by which a page is wider than its window."""
    return page.evaluate("document.documentElement.scrollWidth - window.innerWidth")


@pytest.mark.slow
def test_no_page_is_wider_than_a_phone_and_all_can_be_read_aloud(
    busy: tuple[Project, dict[str, str]],
) -> None:
    project, passwords = busy
    whole = number_of(project, "to adjudicate")
    more = [f"/adjudicate/{whole}", f"/item/{whole}/history"]
    with serving_app("gfactor.studies.annotation", project.path) as base:
        with browser_page(viewport={"width": 390, "height": 844}) as page:
            page.goto(f"{base}/login")
            assert overflow(page) <= 0
            log_in(page, base, "cy", passwords["cy"])
            for path in (*PAGES, *more, *(f"/item/{k}" for k in range(len(project.bank)))):
                page.goto(f"{base}{path}")
                assert overflow(page) <= 0, path
            for path in (*PAGES, *more, "/item/0"):
                page.goto(f"{base}{path}")
                assert not accessibility_problems(page), path
        with browser_page(viewport={"width": 390, "height": 844}) as page:
            log_in(page, base, "ada", passwords["ada"])
            page.goto(f"{base}/responses")
            assert overflow(page) <= 0
            assert not accessibility_problems(page)


@pytest.mark.slow
def test_every_key_of_a_page_is_shown_in_its_list_of_keys(
    busy: tuple[Project, dict[str, str]],
) -> None:
    project, passwords = busy
    paths = {"cy": [f"/adjudicate/{number_of(project, 'to adjudicate')}"],
             "ada": ["/item/1", "/responses"]}  # fmt: skip
    with serving_app("gfactor.studies.annotation", project.path) as base:
        for name, own in paths.items():
            with browser_page() as page:
                log_in(page, base, name, passwords[name])
                for path in own:
                    page.goto(f"{base}{path}")
                    shown = " ".join(page.locator(".shortcuts kbd").all_inner_texts())
                    keys = page.evaluate(
                        "[...document.querySelectorAll('[data-key]')].map(e => e.dataset.key)"
                    )
                    spoken = shown.replace("1 - 6", "1 2 3 4 5 6").replace("...", "8 9")
                    assert [key for key in keys if key not in spoken.split()] == [], path
                    assert page.locator(".shortcuts").is_visible()


@pytest.mark.slow
def test_every_item_is_saved_in_a_browser_as_it_is_and_with_another_key(tmp_path: Path) -> None:
    """What the form sends of an item that nobody changed is the item: nothing is lost on the way
    through options, pictures, turns, keys and lines."""
    project, _ = busy_project(tmp_path)
    passwords = project.invite_all(["eve"])
    with project_store(project) as store:
        store.assign((item, "eve") for item in project.bank.ids)
    with serving_app("gfactor.studies.annotation", project.path) as base, browser_page() as page:
        log_in(page, base, "eve", passwords["eve"])
        for number, item in enumerate(project.bank):
            page.goto(f"{base}/item/{number}")
            page.keyboard.press("s")
            page.wait_for_function(
                "() => document.getElementById('status').textContent.startsWith('Saved')"
            )
            with project_store(project) as store:
                entry = store.latest("draft")[item.id, "eve"]
            assert AnnotationDraft.from_json(entry.content) == draft_of(item), item.id
        ids = list(project.bank.ids)
        page.goto(f"{base}/item/{ids.index('order')}")
        page.locator("[data-field=answer]").fill("4 3 two 1")
        page.keyboard.press("Alt+s")
        page.wait_for_function(
            "() => document.getElementById('status').textContent.includes(\"'two' cannot stand\")"
        )
        page.locator("[data-field=answer]").fill("4 3 2 1")
        page.get_by_role("button", name="Add another right answer").click()
        page.keyboard.type("4 3 1 2")
        page.keyboard.press("Alt+s")
        page.wait_for_function(
            "() => document.getElementById('status').textContent.startsWith('Saved')"
        )
        page.wait_for_function(
            "() => document.querySelector('#preview .answer').textContent === '4, 3, 2, 1'"
        )
        page.goto(f"{base}/item/{ids.index('one')}")
        page.get_by_role("button", name="Add option").click()
        page.keyboard.type("a fifth")
        page.locator("[data-field=answer]").fill("E")
        page.keyboard.press("Alt+s")
        page.wait_for_function(
            "() => document.getElementById('status').textContent.startsWith('Saved')"
        )
    with project_store(project) as store:
        drafts = store.latest("draft")
    order = AnnotationDraft.from_json(drafts["order", "eve"].content).parts[0]
    assert (order.answer, order.accepted) == ("4, 3, 2, 1", ("4, 3, 1, 2",))
    one = AnnotationDraft.from_json(drafts["one", "eve"].content).parts[0]
    assert (one.answer, one.choices[4]) == ("E", "a fifth")


@contextmanager
def project_store(project: Project) -> Iterator[Any]:
    store = project.store()
    try:
        yield store
    finally:
        store.close()
