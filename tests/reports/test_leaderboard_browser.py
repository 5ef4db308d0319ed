"""The leaderboard in a browser: from disk, by keyboard, on a phone, in print, without script."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.boards import board_journal
from support.studies import accessibility_problems, browser_page

import gfactor as gf
from gfactor.reports.leaderboard import plan


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A site whose pages hold their replies, and one whose items share pages without."""
    folder = tmp_path_factory.mktemp("boards")
    journal, bank = board_journal(folder)
    found = {"small": gf.leaderboard(journal, folder / "small", banks=[bank]).path.parent}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plan, "ITEMS_OF_THEIR_OWN", 5)
        patch.setattr(plan, "STATIC_BYTES", 0)
        found["large"] = gf.leaderboard(journal, folder / "large").path.parent
    return found


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser_page() as page:
        yield page.context.browser


def opened(chromium: Any, **settings: Any) -> Any:
    """A page in a context of its own; what it asks for and says is in `asked` and `said`."""
    page = chromium.new_context(**settings).new_page()
    page.asked, page.said = [], []
    page.on("request", lambda request: page.asked.append(request.url))
    page.on("console", lambda message: page.said.append(message.text))
    page.on("pageerror", lambda error: page.said.append(str(error)))
    return page


def address(site: Path, name: str) -> str:
    (path,) = site.glob(name)
    return path.as_uri()


PAGES = ("index.html", "board-2-domain.html", "models/lab-gamma-*.html", "items/sums-01-i*.html",
         "items.html", "compare.html", "search.html", "about.html")  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (360, "dark")])
def test_pages_are_accessible_narrow_and_ask_nobody(
    sites: dict[str, Path], chromium: Any, width: int, scheme: str
) -> None:
    page = opened(chromium, viewport={"width": width, "height": 800}, color_scheme=scheme)
    for name in PAGES:
        page.goto(address(sites["small"], name))
        page.wait_for_load_state("networkidle")
        assert page.said == [], name
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), name
        assert accessibility_problems(page) == [], name
        page.said.clear()  # the checker itself asks for style sheets, which files refuse
    assert all(url.startswith(("file:", "data:")) for url in page.asked)
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, paper[4:-1].split(","))) > 380) == (scheme == "light")
    page.context.close()


@pytest.mark.slow
def test_a_phone_shows_accuracies_captions_and_legible_figures(
    sites: dict[str, Path], chromium: Any
) -> None:
    page = opened(chromium, viewport={"width": 390, "height": 800})
    page.goto(address(sites["small"], "index.html"))
    page.wait_for_load_state("networkidle")
    right_edge = "e => e.getBoundingClientRect().right"
    for table in page.locator("table.grid").all():
        region = table.locator("xpath=..").evaluate(right_edge)
        assert table.locator("caption").evaluate(right_edge) <= region
    board = page.locator("#board-2")
    region = board.locator("xpath=..").evaluate(right_edge)
    assert board.locator("thead th", has_text="accuracy").evaluate(right_edge) <= region
    assert board.locator("td.kind:visible").count() == 0
    below = "e => getComputedStyle(e, '::after').content"
    constant = board.locator("tbody th", has_text="constant")
    assert constant.evaluate(below) == '"trivial baseline"'
    figure = page.locator("figure img").first
    figure.scroll_into_view_if_needed()
    page.wait_for_load_state("networkidle")
    share = figure.evaluate("i => i.getBoundingClientRect().width / i.naturalWidth")
    assert 13.5 * share >= 9.5
    assert figure.evaluate(right_edge) <= 390
    page.context.close()


def first_names(page: Any, table: str) -> list[str]:
    rows = page.locator(f"#{table} tbody tr:visible th")
    return [text.strip() for text in rows.all_inner_texts()]


@pytest.mark.slow
def test_tables_are_sorted_and_filtered_by_keyboard(sites: dict[str, Path], chromium: Any) -> None:
    page = opened(chromium)
    page.goto(address(sites["small"], "index.html"))
    before = first_names(page, "board-2")
    head = page.locator("#board-2 thead th", has_text="accuracy")
    head.locator("button").focus()
    page.keyboard.press("Enter")
    assert head.get_attribute("aria-sort") == "ascending"
    values = page.locator("#board-2 tbody tr td:nth-child(4)").all_inner_texts()
    shares = [float(text.split()[0]) for text in values]
    assert shares == sorted(shares)
    page.keyboard.press("Enter")
    assert head.get_attribute("aria-sort") == "descending"
    assert first_names(page, "board-2") != before
    page.keyboard.press("Shift+Tab")
    field = page.locator("section.board:has(#board-2) input[type=search]")
    field.focus()
    page.keyboard.type("beta")
    assert first_names(page, "board-2") == ["lab/beta"]
    assert "1 of" in page.locator("section.board:has(#board-2) output").inner_text()
    field.fill("")
    page.locator("section.board:has(#board-2) .controls select").select_option("ranked")
    assert sorted(first_names(page, "board-2")) == ["lab/alpha", "lab/beta", "lab/gamma"]
    boards = page.locator("main > .controls select").first
    boards.select_option("default")
    assert page.locator("section.board:visible").count() == 1
    page.context.close()


@pytest.mark.slow
def test_everything_is_there_without_the_script(sites: dict[str, Path], chromium: Any) -> None:
    page = opened(chromium, java_script_enabled=False)
    page.goto(address(sites["small"], "index.html"))
    assert page.locator("#board-2 tbody tr").count() >= 6
    page.locator("#board-2 a", has_text="lab/gamma").click()
    assert "openai:lab/gamma" in page.locator("main").inner_text()
    page.goto(address(sites["small"], "items/shapes-00-i*.html"))
    assert page.locator("table.replies tbody tr").count() >= 6
    assert "wrong: read 99" in page.locator("table.replies").inner_text()
    assert page.locator(".item > img").evaluate("i => i.complete && i.naturalWidth > 0") is True
    page.goto(address(sites["large"], "items.html"))
    page.locator("tbody a").first.click()
    assert "replies" in page.locator("noscript").first.inner_text()
    page.context.close()


@pytest.mark.slow
def test_hostile_replies_run_nothing_in_pages_and_in_data(
    sites: dict[str, Path], chromium: Any
) -> None:
    page = opened(chromium)
    for name, ready in (("small", "table.replies"), ("large", "#words")):
        page.goto(address(sites[name], "items/shapes-00-i*.html" if name == "small"
                          else "search.html"))  # fmt: skip
        page.wait_for_selector(ready)
        if name == "large":
            page.fill("#words", "onerror")
            page.keyboard.press("Enter")
            page.wait_for_selector("[data-done]")
            assert page.locator("table.replies tbody tr").count() == 1
        assert "<script>window.taken" in page.locator("table.replies").text_content()
        assert page.evaluate("window.taken") is None
        assert "\u202e" not in page.content()
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert page.said == []
    page.context.close()


@pytest.mark.slow
def test_replies_of_a_large_site_come_from_data_files(
    sites: dict[str, Path], chromium: Any
) -> None:
    page = opened(chromium)
    page.goto(address(sites["large"], "items.html"))
    page.locator("tbody a", has_text="sums-01").first.click()
    page.wait_for_selector("table.replies")
    assert page.locator("section.item:visible h2").all_inner_texts() == ["sums-01"]
    assert "(B)" in page.locator("table.replies mark").all_inner_texts()
    assert accessibility_problems(page) == []
    page.context.close()


@pytest.mark.slow
def test_replies_without_a_readable_answer_are_found(sites: dict[str, Path], chromium: Any) -> None:
    page = opened(chromium)
    page.goto(address(sites["small"], "search.html"))
    page.wait_for_selector("#words")
    page.locator("#search input[type=checkbox]").check()
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-done]")
    found = page.locator("table.replies tbody tr").all_inner_texts()
    assert any("cannot tell" in row for row in found)
    assert all("gamma" in row for row in found)
    page.context.close()


@pytest.mark.slow
def test_two_models_are_compared_as_the_table_says(sites: dict[str, Path], chromium: Any) -> None:
    page = opened(chromium)
    (gamma,) = (sites["small"] / "models").glob("lab-gamma-*.html")
    (alpha,) = (sites["small"] / "models").glob("lab-alpha-*.html")
    link = f"#board=2&a={gamma.name}&b={alpha.name}"
    page.goto(address(sites["small"], "compare.html") + link)
    page.wait_for_selector("#difference")
    told = page.locator("#difference").inner_text()
    assert told.startswith("lab/gamma [default] - lab/alpha [default]: -")
    row = page.locator("#comparisons-2 tbody tr", has_text="gamma")
    row = row.filter(has_text="alpha").first
    number, interval = row.locator("td").nth(1).inner_text().split(" ", 1)
    assert f": -{number} points" in told
    low, high = (float(end) for end in interval.strip("[]").split(", "))
    assert f"[{-high:.1f}, {-low:.1f}]" in told
    page.locator("select").nth(1).focus()
    page.keyboard.press("ArrowUp")
    page.wait_for_function("!document.querySelector('#difference').textContent.startsWith('lab/g')")
    assert gamma.name not in page.url.split("&b=")[0]
    page.context.close()


@pytest.mark.slow
def test_the_numbers_of_a_pair_lead_to_the_items_on_which_it_differs(
    sites: dict[str, Path], chromium: Any
) -> None:
    page = opened(chromium)
    page.goto(address(sites["small"], "compare.html"))
    page.wait_for_selector("#difference")
    row = page.locator("#comparisons-2 tbody tr").last
    first, second = row.locator("th, td").nth(0).inner_text(), row.locator("td").nth(0).inner_text()
    better, worse = (int(row.locator("td").nth(k).inner_text()) for k in (4, 5))
    row.locator("td a").last.click()
    page.wait_for_function(
        "start => document.querySelector('#difference').textContent.startsWith(start)",
        arg=f"{first} [default] - {second} [default]:",
    )
    lists = page.locator("#compare details[open] ul")
    assert [lists.nth(k).locator("li a").count() for k in (0, 1)] == [better, worse]
    page.context.close()


@pytest.mark.slow
def test_a_permanent_link_tells_of_another_state(sites: dict[str, Path], chromium: Any) -> None:
    page = opened(chromium)
    page.goto(address(sites["small"], "index.html"))
    page.locator("footer a").click()
    assert page.locator("#notice").count() == 0
    assert "?journal=" in page.url
    page.goto(page.url.split("?")[0] + "?journal=0123456789ab")
    page.wait_for_selector("#notice")
    assert "made for journal 0123456789ab" in page.locator("#notice").inner_text()
    page.context.close()


@pytest.mark.slow
def test_print_has_tables_and_no_controls(sites: dict[str, Path], chromium: Any) -> None:
    page = opened(chromium)
    page.goto(address(sites["small"], "index.html"))
    page.emulate_media(media="print")
    assert page.locator("#board-2").is_visible()
    assert page.locator(".controls:visible").count() == 0
    assert page.locator("nav:visible").count() == 0
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.pdf(format="A4").startswith(b"%PDF")
    page.context.close()


@pytest.mark.slow
def test_a_table_of_thirty_columns_fits_a_page_in_print(
    sites: dict[str, Path], chromium: Any
) -> None:
    landscape = round((297 - 2 * 11) / 25.4 * 96)
    page = opened(chromium, viewport={"width": landscape, "height": 700})
    page.goto(address(sites["small"], "board-2-domain.html"))
    page.evaluate("""document.querySelectorAll("table.grid tr").forEach(row => {
        while (row.cells.length < 32) row.append(row.cells[2].cloneNode(true));
    })""")
    width = "document.querySelector('table.grid').scrollWidth"
    assert page.evaluate(width) > landscape
    page.emulate_media(media="print")
    assert page.evaluate(width) <= landscape
    assert page.locator("table.grid td i:visible").count() > 0
    page.context.close()
