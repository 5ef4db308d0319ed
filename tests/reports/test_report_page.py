"""The report folder: complete, the same every time, and a page that needs nothing but itself."""

from __future__ import annotations

import csv
import json
import re
import shutil
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from support.made_up_results import TABLES_OF_MORE, made_up_answers, made_up_results

from gfactor.errors import ParameterError
from gfactor.reports import FIGURES, TABLES, Written, write_report
from gfactor.reports.writing.report_folder import SECTIONS

OWN_TABLES = {name for name, maker in TABLES.items() if maker.suits("percept-v")} - TABLES_OF_MORE
FEW_ALONE = {"accuracy_by_domain"}
"""Figures of reports on few examinees; those made up here are more."""
OWN_FIGURES = {name for name, maker in FIGURES.items() if maker.suits("percept-v")} - FEW_ALONE
"""All but those of other benchmarks' papers (test_paper_*.py)."""
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    results = made_up_results(made_up_answers(edition="paper"))
    return write_report(results, tmp_path_factory.mktemp("report"))


@pytest.fixture(scope="module")
def html(written: Written) -> str:
    return written.path.read_text(encoding="utf-8")


@pytest.mark.slow
def test_every_table_lies_beside_the_page_in_three_formats(written: Written) -> None:
    assert set(written.tables) == OWN_TABLES
    files = {path.name for path in (written.path.parent / "tables").iterdir()}
    assert files == {f"{name}.{end}" for name in OWN_TABLES for end in ("csv", "md", "tex")}
    for name in written.tables:
        with (written.path.parent / "tables" / f"{name}.csv").open(encoding="utf-8") as file:
            rows = list(csv.reader(file))
        assert len(rows) > 1
        assert all(len(row) == len(rows[0]) for row in rows)


@pytest.mark.slow
def test_every_figure_lies_beside_the_page_in_two_formats(written: Written) -> None:
    assert set(written.figures) == OWN_FIGURES
    folder = written.path.parent / "figures"
    for name in written.figures:
        assert (folder / f"{name}.png").read_bytes().startswith(b"\x89PNG")
        assert b"</svg>" in (folder / f"{name}.svg").read_bytes()
    assert len(list(folder.iterdir())) == 2 * len(OWN_FIGURES)


def test_tables_and_figures_have_a_section_and_figures_their_tables() -> None:
    sections = {section.name for section in SECTIONS}
    for maker in (*TABLES.values(), *FIGURES.values()):
        assert maker.section in sections
    for maker in FIGURES.values():
        assert maker.needs
        assert set(maker.needs) <= set(TABLES)


@pytest.mark.slow
def test_a_second_report_has_the_same_bytes(written: Written, tmp_path: Path) -> None:
    again = write_report(made_up_results(made_up_answers(edition="paper")), tmp_path)
    first, second = written.path.parent, again.path.parent
    files = sorted(path.relative_to(first) for path in first.rglob("*") if path.is_file())
    assert files == sorted(p.relative_to(second) for p in second.rglob("*") if p.is_file())
    assert all((first / name).read_bytes() == (second / name).read_bytes() for name in files)


@pytest.mark.slow
def test_what_an_earlier_report_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    answers = made_up_answers(domains=("grid_path", "sort_lines"), sizes=4, edition="paper")
    write_report(made_up_results(answers, n_bootstrap=5), tmp_path)
    (tmp_path / "tables" / "mine.csv").write_text("mine")
    write_report(made_up_results(answers.assign(edition="audited"), n_bootstrap=5), tmp_path)
    assert not (tmp_path / "tables" / "published_by_domain.csv").exists()
    assert (tmp_path / "tables" / "mine.csv").read_text() == "mine"


def test_the_page_says_what_was_measured_and_on_which_assumptions(html: str) -> None:
    for text in (
        "percept-v, paper edition", "percept_v.parquet", "00ff", "1 ideal observer, 1 model, 5 ",
        "upper bounds", "fixed at chance: of the size where the benchmark knows it",
        "Wilson, E. B. (1927)",
    ):  # fmt: skip
        assert text in html


@pytest.mark.slow
def test_without_the_paper_edition_the_page_says_why_nothing_is_compared(tmp_path: Path) -> None:
    answers = made_up_answers(domains=("grid_path",), sizes=4)
    html = write_report(made_up_results(answers, n_bootstrap=5), tmp_path).path.read_text()
    assert "No published figures are shown" in html


def test_prompts_are_shown_as_text_not_as_markup(html: str) -> None:
    assert "- Write &lt;COUNT:x&gt; &amp; nothing else." in html


class Outline(HTMLParser):
    """The elements of a page that accessibility hangs on."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.seen if name == tag]


def test_the_page_can_be_read_without_eyes_and_without_a_mouse(html: str) -> None:
    outline = Outline(html)
    assert outline.all("html")[0]["lang"] == "en"
    assert all(image["alt"] for image in outline.all("img"))
    assert len(outline.all("table")) == len(outline.all("caption")) == len(OWN_TABLES)
    assert all(header["scope"] in ("col", "row") for header in outline.all("th"))
    ids = [a["id"] for _, a in outline.seen if a.get("id")]
    assert len(ids) == len(set(ids))
    links = {str(a["href"]) for a in outline.all("a")}
    assert {link[1:] for link in links if link.startswith("#")} <= set(ids)
    scrolled = [a for a in outline.all("div") if a.get("class") in ("scroll", "paper")]
    assert scrolled
    assert all(a.get("tabindex") == "0" and a.get("role") == "region" for a in scrolled)


def test_every_link_to_a_file_leads_to_one_and_nothing_is_fetched(
    html: str, written: Written
) -> None:
    outline = Outline(html)
    for link in outline.all("a"):
        target = str(link["href"])
        assert target.startswith("#") or (written.path.parent / target).is_file()
    sources = [str(a["src"]) for _, a in outline.seen if "src" in a]
    sources += [str(a["href"]) for a in outline.all("link")]
    assert all(source.startswith("data:") for source in sources)
    assert not outline.all("script")
    style = re.sub(r"data:[^\"')]*", "", html[html.index("<style>") : html.index("</style>")])
    assert not re.search(r"url\(|@import", style)


@pytest.mark.thorough
def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ParameterError, match="name a folder"):
        write_report(made_up_results(), tmp_path / "file")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.skip("chromium is not installed (apt-get install chromium)")
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield running
        running.close()


@pytest.mark.slow
@pytest.mark.parametrize(("width", "scheme"), [(1300, "light"), (390, "dark")])
def test_the_page_renders_without_a_request_or_an_error(
    browser: Any, written: Written, width: int, scheme: str
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page = context.new_page()
    requests: list[str] = []
    errors: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("console", lambda message: errors.append(message.text))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(written.path.as_uri())
    assert [url for url in requests if not url.startswith("data:")] == [written.path.as_uri()]
    assert errors == []
    broken = "[...document.images].filter(i => !i.complete || i.naturalWidth === 0).length"
    assert page.evaluate(broken) == 0
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    paper, ink = json.loads(page.evaluate(_COLORS))
    assert (sum(paper) > sum(ink)) == (scheme == "light")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.locator("summary").first.focus()
    page.keyboard.press("Enter")
    assert page.locator("details").first.get_attribute("open") is not None
    context.close()


_COLORS = """() => {
  const style = getComputedStyle(document.body);
  const numbers = text => text.match(/\\d+/g).slice(0, 3).map(Number);
  return JSON.stringify([numbers(style.backgroundColor), numbers(style.color)]);
}"""


_HINTS = """boxes => boxes.map(box => {
  const hint = box.querySelector('.hint'), place = box.getBoundingClientRect();
  const at = hint.getBoundingClientRect();
  return {
    cut: box.scrollWidth - box.clientWidth > 1,
    said: at.height > 10 && Number(getComputedStyle(hint).opacity) > 0.9,
    inside: at.left >= place.left - 1 && at.right <= place.right + 1,
    focus: box.tabIndex === 0, down: box.scrollHeight - box.clientHeight > 1,
    long: box.classList.contains('long'),
  };
})"""
"""Of every box that scrolls: is it cut, and does its hint say so."""


def opened(browser: Any, written: Written, width: int) -> Any:
    """The page, with everything unfolded."""
    page = browser.new_context(viewport={"width": width, "height": 740}).new_page()
    page.goto(written.path.as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    page.wait_for_timeout(100)
    return page


@pytest.mark.slow
def test_on_a_phone_nothing_is_cut_off_without_saying_so(browser: Any, written: Written) -> None:
    page = opened(browser, written, 360)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    boxes = page.locator(".scroll, .paper").evaluate_all(_HINTS)
    assert sum(box["cut"] for box in boxes) > 5
    for box in boxes:
        assert box["focus"]
        assert box["said"] == box["cut"]
        assert box["inside"] or not box["cut"]
        assert not box["down"] or box["long"]
    assert page.locator(".hint-down").count() == page.locator(".scroll.long").count() > 0
    page.context.close()


_BROKEN_WORDS = """cells => cells.filter(cell => {
  const range = document.createRange(), text = cell.firstChild;
  if (!text || text.nodeType !== Node.TEXT_NODE || !text.data.trim()) return false;
  const start = text.data.search(/\\S/), word = text.data.slice(start).match(/^[\\w.]+/);
  if (!word) return false;
  range.setStart(text, start); range.setEnd(text, start + word[0].length);
  return new Set([...range.getClientRects()].map(box => Math.round(box.top))).size > 1;
}).map(cell => cell.textContent)"""
"""Cells whose first word or number is broken into two lines."""


@pytest.mark.slow
def test_in_print_no_number_is_broken_and_tables_fit_the_paper(
    browser: Any, written: Written
) -> None:
    portrait, landscape = (round((side - 2 * 11) / 25.4 * 96) for side in (210, 297))
    page = opened(browser, written, portrait)
    page.emulate_media(media="print")
    tables = page.locator("table")
    assert tables.locator("th, td").evaluate_all(_BROKEN_WORDS) == []
    widths = tables.evaluate_all("""tables => tables.map(table =>
        [getComputedStyle(table.parentElement).page, table.scrollWidth])""")
    assert {sheet for sheet, _ in widths} == {"auto", "wide"}
    assert max(width for sheet, width in widths if sheet == "auto") <= portrait
    assert max(width for sheet, width in widths if sheet == "wide") <= landscape
    page.context.close()


@pytest.mark.slow
def test_the_keys_move_a_cut_table_and_at_its_end_the_hint_is_gone(
    browser: Any, written: Written
) -> None:
    page = opened(browser, written, 360)
    boxes = page.locator(".scroll").evaluate_all(_HINTS)
    box = page.locator(".scroll").nth([b["cut"] for b in boxes].index(True))
    box.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("box => box.scrollLeft > 0", arg=box.element_handle())
    box.evaluate("box => box.scrollLeft = box.scrollWidth")
    page.wait_for_timeout(100)
    opacity = "hint => Number(getComputedStyle(hint).opacity)"
    assert box.locator(".hint").evaluate(opacity) < 0.1
    page.context.close()


@pytest.mark.slow
def test_on_a_wide_screen_what_fits_has_no_hint(browser: Any, written: Written) -> None:
    page = opened(browser, written, 1400)
    boxes = page.locator(".scroll, .paper").evaluate_all(_HINTS)
    assert any(not box["cut"] for box in boxes)
    assert all(box["said"] == box["cut"] for box in boxes)
    page.context.close()
