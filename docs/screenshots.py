"""Retake the pictures of the pages of studies, workspace and leaderboard, in headless Chromium.

    python docs/screenshots.py

Needs Chromium and playwright; the pages are served here, over a bank that is built here.
"""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import gfactor as gf
from gfactor.benchmarks.chc import build
from gfactor.items import ItemBank, write_bank
from gfactor.studies.annotation import Project, draft_of
from gfactor.studies.questionnaires import Pay, Study, StudyFolder
from gfactor.studies.questionnaires.simulating import serving, simulate

HERE = Path(__file__).parent
PASSWORD = "a password for pictures"
WORKSPACE = """
import sys; from pathlib import Path
from gfactor.studies.annotation import application
from gfactor.studies.web import serve
serve(application(Path(sys.argv[1])), port=0, ready=lambda a: print(a, flush=True))
"""


def bank_in(folder: Path) -> ItemBank:
    path = folder / "bank.parquet"
    words = ["build", "percept-v", "--seed", "7", "--instances", "1", "--sizes", "2-5", "-o", path]
    domains = ["--domains", "counting_circles,sort_lines,list_shapes"]
    program = "from gfactor.cli import main; main()"
    subprocess.run([sys.executable, "-c", program, *map(str, words), *domains], check=True)
    return ItemBank.open(path)


def visited(base: str, folder: StudyFolder) -> None:
    """Simulated people; in a thread, since playwright has an event loop of its own."""
    for seed, kinds, most in ((3, {"person": 24, "clicker": 3}, None), (4, {"person": 2}, 5)):
        visits = partial(asyncio.run, simulate(base, folder, kinds, seed=seed, most=most))
        with ThreadPoolExecutor() as threads:
            threads.submit(visits).result()


@contextmanager
def served_workspace(project: Project) -> Iterator[str]:
    command = [sys.executable, "-c", WORKSPACE, str(project.path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.terminate()


def study_pictures(page: Any, bank: ItemBank, folder: Path) -> None:
    pay = Pay("EUR", 2.0, 0.05)
    study = Study("shapes", "Shapes and numbers", checks=2, pay=pay, shuffle=False)
    made = StudyFolder.make(folder / "study", study, bank, PASSWORD)
    with serving(made, simulated=True) as base:
        visited(base, made)
        page.goto(base)
        page.locator("#agree").check()
        page.locator("main button").click()
        page.goto(f"{base}/task")
        for _ in range(len(bank) + 2):
            page.wait_for_selector("form:not([data-waiting])")
            if page.locator(".places.order").count():
                for k, text in enumerate("352"):
                    page.locator(f"[name=part-{k}]").fill(text)
                page.screenshot(path=HERE / "study-en.png")
            place = page.locator("input[name=position]").get_attribute("value")
            for field in page.locator(".places li:first-child input").all():
                field.fill("1")
            for choice in page.locator("fieldset input[type=radio], .words input").all()[:1]:
                choice.check()
            page.locator("#question button[type=submit]").click()
            page.wait_for_function(
                "was => document.querySelector('input[name=position]')?.value !== was", arg=place
            )
        page.wait_for_url("**/results")
        page.locator("details").nth(5).locator("summary").click()
        page.locator("textarea").nth(5).fill("On my screen I cannot make out all of the shapes.")
        page.locator("details").nth(5).locator("button").click()
        page.wait_for_load_state()
        page.goto(f"{base}/owner")
        page.locator("#password").fill(PASSWORD)
        page.keyboard.press("Enter")
        page.wait_for_url("**/owner")
        page.screenshot(path=HERE / "study-owner.png", full_page=True)
        page.goto(f"{base}/owner/challenges")
        page.screenshot(path=HERE / "study-challenge.png", full_page=True)
        page.goto(f"{base}/owner/answers")
        page.locator("td.n a").nth(3).click()
        page.wait_for_load_state()
        page.screenshot(path=HERE / "study-shown.png", full_page=True)
        with closing(made.store()) as store:
            store.owners.add("anna", "viewer", PASSWORD, "owner")
            store.pause("We are back on Monday.", "owner")
            store.resume("owner")
        page.set_viewport_size({"width": 860, "height": 480})
        page.goto(f"{base}/owner/log")
        page.screenshot(path=HERE / "study-log.png", full_page=True)


def battery_pictures(page: Any, folder: Path) -> None:
    """A generated battery on a phone: an item whose options stand in its picture, an open number,
    and a turn of a conversation."""
    names = ("matrices", "number_series", "updating")
    parts = build.plan(seed=7, families=names, difficulty=["easy"], per_cell=1).parts
    items: list[Any] = [item for part in parts for item in part.make()]
    bank = ItemBank.open(write_bank(items, folder / "battery.parquet"))
    study = Study("battery", "Battery", checks=0, shuffle=False)
    with serving(StudyFolder.make(folder / "battery", study, bank, PASSWORD)) as base:
        page.goto(base)
        page.locator("#agree").check()
        page.locator("main button").click()
        page.wait_for_url("**/instructions")
        page.goto(f"{base}/task")
        for name, keys in (("matrices", "3"), ("number_series", "12"), ("updating", "")):
            page.wait_for_selector("#question:not([data-waiting])")
            field = page.locator(".places input")
            if field.count():
                field.fill(keys)
            elif keys:
                page.keyboard.press(keys)
            page.screenshot(path=HERE / f"study-{name}.png", full_page=True)
            if keys:
                place = page.locator("input[name=position]").get_attribute("value")
                page.locator("#question button[type=submit]").click()
                page.wait_for_function(
                    "was => document.querySelector('input[name=position]')?.value !== was",
                    arg=place,
                )


PERCEPTION = """
id = "glances"
title = "Glances"
bank = "bank.parquet"
pages = [
    {kind = "screen"},
    {kind = "color_vision"},
    {kind = "block", name = "short", exposure_ms = 100, mask = "rectangles"},
]
"""


def perception_pictures(page: Any, bank: ItemBank, folder: Path) -> None:
    """The card on a page about the screen, plates, and the mask after a picture."""
    file = folder / "glances.toml"
    file.write_text(PERCEPTION.replace("bank.parquet", str(bank.path)), "utf-8")
    gf.study.new(file, folder / "glances", password=PASSWORD)
    with serving(StudyFolder.open(folder / "glances")) as base:
        page.goto(base)
        page.locator("#agree").check()
        page.locator("main button").click()
        page.wait_for_selector("#question:not([data-waiting])")
        for slider in page.locator("input[type=range]").all():
            slider.fill("300")
            slider.dispatch_event("input")
        page.locator("#f-distance").fill("40")
        page.screenshot(path=HERE / "perception-card.png", full_page=True)
        page.locator("#question button[type=submit]").click()
        page.wait_for_selector(".plate")
        page.wait_for_function("() => [...document.images].every((i) => i.complete)")
        page.locator(".plate").nth(1).scroll_into_view_if_needed()
        page.screenshot(path=HERE / "perception-plates.png")
        for plate in page.locator(".plate").all():
            plate.locator("input").first.check()
        page.locator("#question button[type=submit]").click()
        page.wait_for_selector("#show-picture:enabled").click()
        page.wait_for_selector(".timed[data-shows=mask]")
        page.wait_for_function("() => !document.querySelector('.timed .target')")
        page.screenshot(path=HERE / "perception-mask.png")


def workspace_pictures(page: Any, bank: ItemBank, folder: Path) -> None:
    project = Project.make(folder / "workspace", bank, "Round one", "multi")
    password = project.invite("third", "adjudicator")
    for name in ("first", "second"):
        project.invite(name)
    project.assign(["first", "second"], 2)
    item = bank.item(bank.ids[5])
    was = draft_of(item)
    store = project.store()
    for who, text, grade in (("first", "lengths", 2), ("second", "heights", 4)):
        shared = was.general.replace("[IMAGE_1]", f"The {text} differ clearly. [IMAGE_1]")
        changed = replace(was, general=shared, difficulty=grade)
        store.add(item.id, who, "draft", changed.to_json())
    store.close()
    with served_workspace(project) as base:
        page.goto(f"{base}/login")
        page.locator("#name").fill("third")
        page.locator("#password").fill(password)
        page.keyboard.press("Enter")
        page.wait_for_selector("nav[aria-label=Workspace]")
        page.goto(f"{base}/adjudicate/5")
        page.screenshot(path=HERE / "annotation-difference.png")


def leaderboard_pictures(page: Any, folder: Path) -> None:
    """The first page of a leaderboard, and the replies to an item that few solved."""
    domains = ["counting_circles", "sort_lines", "inside_circles"]
    path = folder / "board.parquet"
    bank = gf.build(
        "percept-v", seed=7, domains=domains, sizes=[1, 2, 4, 6, 8, 12], instances=5, path=path
    )
    limits = [(1.0, 12), (0.5, 3), (0.4, 5), (0.3, 4), (0.2, 4)]
    who = ["observer:ideal", "baseline:size-aware", "baseline:constant"]
    who += [f"observer:limited?acuity={a}&capacity={c}&seed={k}" for k, (a, c) in enumerate(limits)]
    gf.run(bank, who, journal=folder / "board.db").close()
    site = gf.leaderboard(folder / "board.db", folder / "site", banks=[bank]).path.parent
    page.set_viewport_size({"width": 1200, "height": 1000})
    page.goto((site / "index.html").as_uri())
    page.screenshot(path=HERE / "leaderboard.png")
    (item,) = (site / "items").glob("sort-lines-06-0-*.html")
    page.goto(item.as_uri())
    page.set_viewport_size({"width": 1200, "height": 1100})
    page.screenshot(path=HERE / "leaderboard-item.png")


def main() -> None:
    from playwright.sync_api import sync_playwright  # noqa: PLC0415

    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 860, "height": 900})
        folder = Path(name)
        bank = bank_in(folder)
        study_pictures(page, bank, folder)
        phone = browser.new_page(viewport={"width": 390, "height": 780})
        battery_pictures(phone, folder)
        perception_pictures(phone, bank, folder)
        page.set_viewport_size({"width": 1240, "height": 760})
        workspace_pictures(page, bank, folder)
        leaderboard_pictures(page, folder)
        browser.close()


if __name__ == "__main__":
    main()
