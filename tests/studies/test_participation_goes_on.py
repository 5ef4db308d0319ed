"""A participation goes on by its own address, on any device, whoever else uses the browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from support.browsers import server
from support.studies import browser_page, make_study
from support.tiers import few, slow

import gfactor as gf
from gfactor.cli import cli
from gfactor.errors import ParameterError
from gfactor.studies.questionnaires import StudyFolder
from gfactor.studies.questionnaires.pages.receipts import receipt_of
from gfactor.studies.questionnaires.simulating import serving
from gfactor.studies.questionnaires.study.languages import preferred

PROLIFIC = "/?PROLIFIC_PID={0}&STUDY_ID=s1&SESSION_ID={0}-session-0123456789"


def answers_by_id(study: StudyFolder) -> dict[str, int]:
    """How many answers are stored of everybody who was sent."""
    with closing(study.store()) as store:
        contacts = store.frame("contacts").to_dict("records")
        return {row["external_id"]: len(store.answers(row["code"])) for row in contacts}


@pytest.fixture(scope="module")
def browsers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], Any]]:
    """New browsers at a study that nobody has begun."""
    with server(make_study(tmp_path_factory.mktemp("open"), count=2)) as new:
        yield new


@pytest.mark.parametrize("address", few([PROLIFIC, "signed", "/?PROLIFIC_PID={0}"], 2))
def test_another_persons_link_leaves_who_takes_part_here_alone(
    address: str, tmp_path: Path
) -> None:
    study = make_study(tmp_path, count=6, checks=0)
    one, two = (
        study.link(who) if address == "signed" else address.format(who) for who in ("one", "two")
    )
    with server(study) as new:
        browser = new()
        browser.begin(one)
        browser.answer()
        browser.answer()
        consent = browser.get(two)  # opened, and not agreed to
        assert "Before you begin" in consent.text
        assert browser.where() == "3"
        assert "Question 3" in browser.get(one).text
        browser.send(browser.get(two), agree="yes")  # now somebody else takes part here
        browser.answer("B")
        assert browser.where() == "2"
        assert "Question 3" in browser.get(one).text  # and both go on by their own address
        browser.answer()
        assert "Question 2" in browser.get(two).text
        browser.answer("B")
        assert "Question 4" in browser.get(one).text
    assert answers_by_id(study) == {"one": 3, "two": 2}


@pytest.mark.parametrize(
    ("signed", "lost"),
    [(False, False), (True, True), pytest.param(False, True, marks=slow),
     pytest.param(True, False, marks=slow)],
)  # fmt: skip
def test_the_same_link_continues_the_same_participation_on_any_device(
    signed: bool, lost: bool, tmp_path: Path
) -> None:
    study = make_study(tmp_path, count=6, checks=0)
    link = study.link("one") if signed else PROLIFIC.format("one")
    with server(study) as new:
        first, second = new(), new()
        first.begin(link)
        first.answer()
        first.answer()
        if lost:
            first.cookies = {}
            second = first
        asked = second.get(link)
        assert "Before you begin" not in asked.text
        if not lost:
            assert first.where() == "3"  # looking at the link moves nothing
        assert "Question 3" in second.send(asked).text
        second.answer()
        if not lost:
            assert "Question 4" in first.send(first.get(link)).text  # and back again
    assert answers_by_id(study) == {"one": 3}
    with closing(study.store()) as store:
        assert store.counters()["started"] == 1


@pytest.mark.parametrize(
    "address", ["/?PROLIFIC_PID=7", "/?PROLIFIC_PID=7&SESSION_ID=guessed-0123456789-guessed"]
)
def test_who_guesses_an_id_does_not_get_its_participation(address: str, tmp_path: Path) -> None:
    study = make_study(tmp_path, count=4, checks=0)
    own = "/?PROLIFIC_PID=7" if "SESSION" not in address else PROLIFIC.format("7")
    with server(study) as new:
        owner, other = new(), new()
        owner.begin(own)
        owner.answer()
        page = other.begin(address)
        assert "taken part already" in page.text
        assert owner.where() == "2"
        assert other.send(page, receipt="22222-22222-22222-22222").status_code == 404
        with closing(study.store()) as store:
            (code,) = store.codes()
        assert "Question 2" in other.send(page, receipt=receipt_of(study.secrets, code)).text
        assert owner.where() == ""


def test_owners_make_links_to_go_on(tmp_path: Path) -> None:
    study = make_study(tmp_path, count=3, checks=0)
    with server(study) as new:
        people = [new() for _ in range(3)]
        for k, browser in enumerate(people):
            browser.begin(f"/?PROLIFIC_PID=p{k}")
            browser.answer()
        for _ in range(2):
            people[2].answer()
        table = gf.study.resume_links(study.path, ["p0"])
        done = CliRunner().invoke(cli, ["study", "links", str(study.path), "--resume", "all"])
        assert len(done.output.split()) == 2  # who has finished has nothing to go on with
        link = table["link"].iloc[0]
        fresh = new()
        asked = fresh.get(link)
        assert people[0].where() == "2"
        assert "Question 2 of 3" in fresh.send(asked).text
        assert fresh.get(f"{link}x").status_code == 400
    assert gf.study.log(study.path).actions["action"].tolist() == ["links to go on made"] * 2
    assert "p0" not in gf.study.log(study.path).actions.to_csv()
    with pytest.raises(ParameterError, match="'p9'"):
        gf.study.resume_links(study.path, ["p9"])


@pytest.mark.parametrize(
    ("query", "refused"),
    [
        ("PROLIFIC_PID={{%25PROLIFIC_PID%25}}", True),
        ("PROLIFIC_PID=a&SESSION_ID={{%25SESSION_ID%25}}", True),
        ("PROLIFIC_PID=${workerId}", True),
        ("PROLIFIC_PID=%25SURVEY_CODE%25", True),
        ("PROLIFIC_PID=50%25", False),
        ("PROLIFIC_PID={a}", False),
    ],
)
def test_a_placeholder_that_nobody_replaced_is_no_id(
    query: str, refused: bool, browsers: Callable[[], Any]
) -> None:
    page = browsers().get(f"/?{query}")
    assert (page.status_code == 400) is refused
    assert ("placeholder" in page.text) is refused


@pytest.mark.parametrize(
    ("accepted", "expected"),
    [
        ("ar-EG,ar;q=0.9,en;q=0.8", "ar"), ("en-US,en;q=0.9,ar;q=0.8", "en"),
        ("fr,de;q=0.5", ""), ("ar;q=0,en;q=0.1", "en"), ("ar;q=0", ""), ("", ""),
        ("AR", "ar"), ("*", ""), ("en;q=x,ar;q=0.9", "en"), (",;=,", ""),
    ],
)  # fmt: skip
def test_a_browsers_languages_are_weighed(accepted: str, expected: str) -> None:
    assert preferred(accepted, ("en", "ar")) == expected


def test_a_study_in_two_languages_opens_in_the_browsers(tmp_path: Path) -> None:
    study = make_study(tmp_path, count=2, languages=("en", "ar"))
    with server(study) as new:
        arabic = {"accept-language": "ar-EG,ar;q=0.9,en;q=0.8"}
        for path in ("/", "/privacy", "/receipt"):
            assert '<html lang="ar" dir="rtl">' in new().get(path, headers=arabic).text
            assert '<html lang="en"' in new().get(path, headers={"accept-language": "de"}).text
        assert '<html lang="en"' in new().get("/?language=en", headers=arabic).text
        browser = new()
        browser.send(browser.get("/", headers=arabic), agree="yes")
        assert '<html lang="ar"' in browser.get("/task", headers={"accept-language": "en"}).text


@pytest.mark.slow
def test_two_people_at_one_browser_and_one_on_two_devices(tmp_path: Path) -> None:
    """As a laboratory meets it: a real browser, cookies, back to the first person's link."""
    study = make_study(tmp_path, count=5, checks=0)
    one, two = PROLIFIC.format("one"), PROLIFIC.format("two")

    def answer(page: Any) -> None:
        page.wait_for_selector("form:not([data-waiting])")
        before = page.locator("input[name=position]").get_attribute("value")
        page.keyboard.press("1")
        page.keyboard.press("Enter")
        page.wait_for_function(
            "before => document.querySelector('input[name=position]')?.value !== before", arg=before
        )

    def begin(page: Any, address: str) -> None:
        page.goto(address)
        page.locator("#agree").check()
        page.locator("main button").click()
        page.wait_for_url("**/instructions")
        page.locator("main button").click()
        page.wait_for_url("**/task*")

    def number(page: Any) -> str:
        return page.locator("h1").first.inner_text()

    with serving(study) as base, browser_page() as page:
        begin(page, base + one)
        answer(page)
        answer(page)
        page.goto(base + two)
        assert page.locator("#agree").is_visible()
        page.goto(base + one)
        assert number(page) == "Question 3 of 5"
        begin(page, base + two)
        answer(page)
        page.goto(base + one)
        assert number(page) == "Question 3 of 5"
        device = page.context.browser.new_context().new_page()
        device.goto(base + one)
        device.get_by_role("button", name="Go on here").click()
        device.wait_for_url("**/task*")
        assert number(device) == "Question 3 of 5"
        answer(device)
        page.goto(base + two)
        assert number(page) == "Question 2 of 5"
        page.context.clear_cookies()
        page.goto(base + one)
        page.get_by_role("button", name="Go on here").click()
        page.wait_for_url("**/task*")
        assert number(page) == "Question 4 of 5"
    assert answers_by_id(study) == {"one": 3, "two": 1}
