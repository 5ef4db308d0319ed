"""The leaderboard's numbers are those of score and compare; its files say all and hide nobody."""

from __future__ import annotations

import base64
import gzip
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.boards import COT, MODELS, UNREADABLE, add_answers, board_journal

import gfactor as gf
from gfactor.administration import Journal
from gfactor.errors import JournalError, ParameterError, UnknownNameError
from gfactor.items import ItemBank
from gfactor.psychometrics.irt.scales.calibration import Calibration, Entry
from gfactor.reports.leaderboard import drawings, item_pages, plan
from gfactor.reports.leaderboard.answers import broken_down
from gfactor.reports.leaderboard.replies import MarkedReply, excerpt
from gfactor.reports.leaderboard.site import STEPS


@pytest.fixture(scope="module")
def trial(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ItemBank]:
    return board_journal(tmp_path_factory.mktemp("trial"))


@pytest.fixture(scope="module")
def site(trial: tuple[Path, ItemBank], tmp_path_factory: pytest.TempPathFactory) -> Path:
    journal, bank = trial
    return gf.leaderboard(journal, tmp_path_factory.mktemp("site"), banks=[bank]).path.parent


def table(site: Path, name: str) -> pd.DataFrame:
    return pd.read_csv(site / "tables" / f"{name}.csv")


def board_of(site: Path, condition: str = "default") -> pd.DataFrame:
    """The table of the board of a condition; they are in alphabetical order."""
    number = 1 + sorted(["default", COT]).index(condition)
    return table(site, f"board-{number}").set_index("name")


def test_accuracies_and_intervals_are_those_of_score(
    site: Path, trial: tuple[Path, ItemBank]
) -> None:
    scores = gf.score(trial[0]).table.set_index(["examinee", "condition"])
    for condition in ("default", COT):
        board = board_of(site, condition)
        for name in ("openai:lab/alpha", "openai:lab/beta"):
            expected = scores.loc[(name, condition)]
            row = board.loc[name.split(":")[1]]
            assert row["accuracy"] == pytest.approx(expected["accuracy"], abs=1e-4)
            assert row["lenient"] == pytest.approx(expected["lenient"], abs=1e-4)
            assert row["n"] == expected["n"]
            assert row["chance"] == pytest.approx(expected["chance"], abs=1e-4)


@pytest.mark.thorough
def test_rank_sets_are_those_of_compare(site: Path, trial: tuple[Path, ItemBank]) -> None:
    names = list(MODELS)
    ranks = gf.compare(trial[0], examinees=names, condition="default").ranks
    board = board_of(site)
    for name in names:
        found = board.loc[name.split(":")[1]]
        assert [found["best"], found["worst"]] == ranks.loc[name, ["best", "worst"]].tolist()


@pytest.mark.thorough
def test_rank_sets_of_a_label_are_those_of_compare_by_it(
    site: Path, trial: tuple[Path, ItemBank]
) -> None:
    parts = gf.compare(trial[0], examinees=list(MODELS), condition="default", by="size").parts
    one = 1 + sorted(["default", COT]).index("default")
    found = table(site, f"board-{one}-size").set_index(["value", "name"])
    for value, part in parts.items():
        for name, row in part.ranks.table.iterrows():
            cell = found.loc[(int(value), str(name).split(":")[1])]
            assert [cell["best"], cell["worst"]] == [row["best"], row["worst"]]
            assert cell["accuracy"] == pytest.approx(row["mean"], abs=1e-4)


@pytest.mark.thorough
def test_comparisons_are_those_of_compare(site: Path, trial: tuple[Path, ItemBank]) -> None:
    expected = gf.compare(trial[0], examinees=list(MODELS), condition="default").differences
    found = table(site, f"comparisons-{1 + sorted(['default', COT]).index('default')}")
    rows = {frozenset((r["first"], r["second"])): r for r in found.to_dict("records")}
    assert len(rows) == 3
    for pair in expected.to_dict("records"):
        names = [pair[k].split(":")[1] for k in ("first", "second")]
        row = rows[frozenset(names)]
        sign = 1 if row["first"] == names[0] else -1
        ends = sorted([sign * pair["ci_lower"], sign * pair["ci_upper"]])
        assert row["estimate"] == pytest.approx(sign * pair["estimate"], abs=1e-4)
        assert [row["low"], row["high"]] == pytest.approx(ends, abs=1e-4)
        assert row["p_holm"] == pytest.approx(pair["p_holm"], abs=1e-4)
        assert row["n"] == pair["n"]


def test_only_models_are_ranked_and_references_say_what_they_are(site: Path) -> None:
    board = board_of(site)
    ranked = board[board["best"].notna()]
    assert set(ranked["role"]) == {"model"}
    assert len(ranked) == 3
    assert board.loc["people", "persons"] == 5
    assert (
        board.loc["people", "low"] < board.loc["people", "accuracy"] < board.loc["people", "high"]
    )
    first = (site / "index.html").read_text()
    for text in ("ideal observer", "trivial baseline", "people, 5 persons", "trial.db",
                 "most frequent answer of each domain"):  # fmt: skip
        assert text in first
    majority = board.loc["most frequent answer of each domain"]
    # 12 sums with four keys, as often each; shapes have 12 keys, four of them twice.
    assert majority["accuracy"] == pytest.approx((3 + 2) / 28, abs=1e-4)


def test_the_note_on_the_other_claim_names_its_column(site: Path) -> None:
    page = (site / "index.html").read_text()
    (column,) = set(re.findall(r"The column “(.+?)” has interval and rank set", page))
    assert page.count(column) > page.count(f"“{column}”")


def test_labels_languages_and_conditions_are_broken_down(site: Path) -> None:
    one = 1 + sorted(["default", COT]).index("default")
    for label, values in (("domain", {"shapes", "sums"}), ("ability", {"Gv", "Gq"}),
                          ("language", {"en", "de"})):  # fmt: skip
        found = table(site, f"board-{one}-{label}")
        assert set(found["value"]) == values
        assert (site / f"board-{one}-{label}.html").exists()
    sizes = table(site, f"board-{one}-size")["value"].tolist()
    assert sorted(set(sizes)) == [1, 2, 3]
    assert sizes == sorted(sizes)


def test_a_label_that_divides_the_items_as_another_does_has_no_table_of_its_own() -> None:
    items = pd.DataFrame({
        "content_hash": list("abcdef"), "id": list("abcdef"), "benchmark": "b", "language": "en",
        "domain": ["x", "x", "y", "y", "z", "z"], "category": ["X", "X", "Y", "Y", "Z", "Z"],
        "ability": ["g", "g", "h", "h", "i", "i"], "level": [1, 2, 1, 2, 1, 2],
    })  # fmt: skip
    assert broken_down(items) == ("domain", "ability", "level")


def test_people_who_answered_under_another_condition_than_the_models_have_a_table(
    trial: tuple[Path, ItemBank], tmp_path: Path
) -> None:
    with Journal.open(tmp_path / "people.db") as people, Journal.open(tmp_path / "m.db") as models:
        add_answers(people, trial[1], "person:a", 0.7)
        add_answers(models, trial[1], "openai:lab/delta", 0.7, condition=COT)
    gf.leaderboard([tmp_path / "m.db", tmp_path / "people.db"], tmp_path / "site")
    assert board_of(tmp_path / "site").loc["people", "n"] == len(trial[1])


def test_tables_are_the_same_as_csv_and_json(site: Path) -> None:
    names = sorted(path.stem for path in (site / "tables").glob("*.csv"))
    assert names == sorted(path.stem for path in (site / "tables").glob("*.json"))
    for name in names:
        held, read = json.loads((site / "tables" / f"{name}.json").read_text()), table(site, name)
        assert held["columns"] == list(read.columns)
        assert len(held["rows"]) == len(read)


class Links(HTMLParser):
    """Where a page's links, pictures and scripts lead."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.targets += [v for k, v in attrs if k in ("href", "src") and v]


def pages(site: Path) -> Iterator[tuple[Path, str]]:
    for path in sorted(site.rglob("*.html")):
        yield path, path.read_text(encoding="utf-8")


def test_every_link_leads_to_a_file_of_the_site(site: Path) -> None:
    for path, html in pages(site):
        for target in Links(html).targets:
            name = target.partition("#")[0].partition("?")[0]
            if target.startswith("data:") or not name:
                continue
            assert "://" not in target
            assert (path.parent / name).is_file(), f"{path.name}: {target}"


def test_people_are_never_shown_one_by_one(site: Path) -> None:
    for path in site.rglob("*"):
        if path.is_file() and path.suffix != ".png":
            assert "QX0Z" not in path.read_text(encoding="utf-8"), path
    for data in (site / "data").glob("*.js"):
        assert "QX0Z" not in json.dumps(unpacked(data))


def unpacked(path: Path) -> Any:
    found = re.fullmatch(r'board\.take\("[\w-]+","([A-Za-z0-9+/=]+)"\)\n', path.read_text())
    assert found is not None
    return json.loads(gzip.decompress(base64.b64decode(found[1])))


def test_an_item_has_its_picture_its_twin_and_every_reply_with_what_was_read(site: Path) -> None:
    (page,) = (site / "items").glob("shapes-00-i*.html")
    html = page.read_text()
    assert '<img loading="lazy" src="../pictures/' in html
    assert "There are 1 shapes &amp; a dot." in html
    assert "<mark>COUNT:1</mark>" in html
    assert "right: read 1" in html
    assert "wrong: read 99, the key is 1" in html
    assert "characters left out" in html
    assert re.search(r"right by [23] of 3 ranked examinees", html)
    (sums,) = (site / "items").glob("sums-01-i*.html")
    assert "The answer is <mark>(B)</mark>." in sums.read_text()


def test_what_could_not_be_read_is_told_with_its_reason(site: Path) -> None:
    text = "".join(html for _, html in pages(site))
    for reason in (
        "wrong: no answer could be read; the reply states no answer",
        "wrong: the reply declines to answer",
        "no answer could be read; the reply is cut off before its answer",
        "not counted: the attempt failed (timeout)",
    ):
        assert reason in text
    assert UNREADABLE in text
    (gamma,) = (site / "models").glob("lab-gamma-*.html")
    assert "status: no answer" in gamma.read_text()
    first = (site / "index.html").read_text()
    assert re.search(r"<dt>Without a readable answer</dt><dd>\d+ \(", first)


def test_failed_attempts_are_counted_apart_from_answers(
    site: Path, trial: tuple[Path, ItemBank]
) -> None:
    with Journal.open(trial[0]) as journal:
        responses, failures = journal.responses(), journal.failures()
    answers = int((~responses["examinee"].str.startswith("person:")).sum())
    first = (site / "index.html").read_text()
    assert len(failures) > 0
    assert f"<dt>Answers</dt><dd>{answers:,}</dd>" in first
    assert f"<dt>Failed attempts</dt><dd>{len(failures):,}</dd>" in first


def test_hostile_replies_are_text(site: Path) -> None:
    for path, html in pages(site):
        assert html.count("<script") == 1, path
        assert "onerror='window" not in html
        assert "\u202e" not in html
        assert "\x1b" not in html
    (page,) = (site / "items").glob("shapes-00-i*.html")
    assert "&lt;script&gt;" in page.read_text()


@pytest.mark.slow
def test_the_same_journal_gives_the_same_bytes_and_old_files_go(
    site: Path, trial: tuple[Path, ItemBank], tmp_path: Path
) -> None:
    again = gf.leaderboard(trial[0], tmp_path, banks=[trial[1]])
    files = {p.relative_to(site) for p in site.rglob("*") if p.is_file()}
    assert files == {p.relative_to(tmp_path) for p in tmp_path.rglob("*") if p.is_file()}
    assert all((site / f).read_bytes() == (tmp_path / f).read_bytes() for f in files)
    size = sum((tmp_path / f).stat().st_size for f in files)
    assert again.bytes + again.picture_bytes == size
    assert again.pages == sum(f.suffix == ".html" for f in files)
    (tmp_path / "notes.txt").write_text("somebody's")
    (tmp_path / "items" / "old.html").write_text("of an earlier journal")
    gf.leaderboard(trial[0], tmp_path, banks=[trial[1]])
    assert not (tmp_path / "items" / "old.html").exists()
    assert (tmp_path / "notes.txt").exists()


@pytest.mark.slow
def test_a_second_journal_adds_examinees_and_repeats_nothing(
    trial: tuple[Path, ItemBank], tmp_path: Path
) -> None:
    with Journal.open(tmp_path / "more.db") as more:
        add_answers(more, trial[1], "openai:lab/delta", 0.7)
        add_answers(more, trial[1], "openai:lab/alpha", 0.1)
    done = gf.leaderboard([trial[0], tmp_path / "more.db"], tmp_path / "site")
    board = board_of(tmp_path / "site")
    assert "lab/delta" in board.index
    alone = gf.score(trial[0], examinees=["openai:lab/alpha"], condition="default").table
    assert board.loc["lab/alpha", "accuracy"] == pytest.approx(alone["accuracy"][0], abs=1e-4)
    about = (tmp_path / "site" / "about.html").read_text()
    assert "28 answers that an earlier journal holds too" in about
    assert done.models == 6
    assert not list((tmp_path / "site" / "pictures").glob("*.png"))


@pytest.mark.slow
def test_many_items_share_pages_and_replies_go_to_data_files(
    trial: tuple[Path, ItemBank], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "ITEMS_OF_THEIR_OWN", 5)
    monkeypatch.setattr(plan, "STATIC_BYTES", 0)
    gf.leaderboard(trial[0], tmp_path, banks=[trial[1]])
    names = unpacked(tmp_path / "data" / "names.js")
    assert len(names["items"]) == 28
    for address in names["itemPages"]:
        name, _, anchor = address.partition("#")
        assert f'id="{anchor}"' in (tmp_path / "items" / name).read_text()
    item = names["items"].index("sums-01")
    (held,) = [
        d for p in (tmp_path / "data").glob("replies-*.js") if str(item) in (d := unpacked(p))
    ]
    entries, steps, places = held[str(item)]
    runs = [names["runs"][k] for k in np.cumsum(steps)]
    told = {run: entries[k] for run, k in zip(runs, places, strict=True)}
    assert told["ideal observer [default]"][:3] == ["The answer is ", "(B)", "."]
    assert not (tmp_path / "items" / "sums").exists()
    for text, page in pages(tmp_path / "items"):
        assert "<mark>" not in page, text


@pytest.mark.slow
def test_replies_are_cut_to_the_room_that_is_left(
    trial: tuple[Path, ItemBank], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "STATIC_BYTES", 0)
    whole = gf.leaderboard(trial[0], tmp_path / "whole")
    less = gf.leaderboard(trial[0], tmp_path / "less", megabytes=0.1)
    assert less.bytes < whole.bytes
    about = (tmp_path / "less" / "about.html").read_text()
    assert "Of replies only what was read in them and what they came to is there." in about
    assert "Replies are there as a whole." in (tmp_path / "whole" / "about.html").read_text()
    shown = [e for p in (tmp_path / "less" / "data").glob("replies-*.js")
             for cell in unpacked(p).values() for e in cell[0]]  # fmt: skip
    assert all(entry[:3] == ["", "", ""] for entry in shown)
    assert {entry[5] for entry in shown} == {-1}
    assert {entry[4] for entry in shown} == {-1, 0, 1}


@pytest.mark.parametrize("most", [0, 1, 7, 40, 200])
@pytest.mark.parametrize("parts", [("a" * 100, "READ", "b" * 90), ("a" * 100, "", ""),
                                   ("", "R" * 60, ""), ("ab", "R", "c" * 99)])  # fmt: skip
def test_an_excerpt_is_short_and_holds_what_was_read(parts: Any, most: int) -> None:
    before, read, after = parts
    reply = MarkedReply(before, read, after, "why", 1)
    short = excerpt(reply, most)
    length = sum(len(part.replace("…", "")) for part in short[:3])
    whole = sum(map(len, parts))
    assert length == min(most, whole)
    assert short.cut == max(0, whole - most)
    if most >= len(parts[1]):
        assert short.read == parts[1]


@pytest.mark.slow
def test_a_calibration_adds_abilities_and_curves(
    trial: tuple[Path, ItemBank], tmp_path: Path
) -> None:
    entries = tuple(
        Entry(item.id, "2pl", (0.0, 1.0), (1.2, 0.3),
              facts={"content_hash": item.provenance.content_hash, "n": 100})
        for item in trial[1]
    )  # fmt: skip
    known = Calibration("item", "2PL", entries, (), np.zeros((0, 0)), about={"scoring": {}})
    gf.leaderboard(trial[0], tmp_path, calibration=known)
    assert re.search(r"<th[^>]*>ability</th>", (tmp_path / "index.html").read_text())
    curves = list((tmp_path / "figures").glob("item-*.svg"))
    assert len(curves) == 28
    assert "a 1.20, b -0.25" in next((tmp_path / "items").glob("sums-00-*.html")).read_text()


def test_figures_are_whole_whatever_the_names() -> None:
    lines = [drawings.FigureLine("<b>&\u202e" + "x" * 99, 0.5, 0.4, 0.6, "1-2"),
             drawings.FigureLine("nothing", float("nan"), float("nan"), float("nan"))]  # fmt: skip
    for svg in (drawings.intervals("<&>", lines, chance=0.25, band=(0.7, 0.9)),
                drawings.curve("t", [-2.0, 0.0, 2.0], [0.1, 0.5, 0.9], [(0.0, 1.0)])):  # fmt: skip
        root = ET.fromstring(svg)
        assert root.tag.endswith("svg")
        assert "\u202e" not in svg.decode()


def test_a_figure_takes_no_more_room_for_names_than_the_longest_one_needs() -> None:
    widths = []
    for name in ("P1", "a-name-that-has-thirty-letters", "x" * 99, "가나다라"):
        root = ET.fromstring(drawings.intervals("t", [drawings.FigureLine(name, 0.5, 0.4, 0.6)]))
        left, _, width, _ = map(float, root.attrib["viewBox"].split())
        assert left + width == drawings.NAMES + drawings.PLOT + drawings.MARGIN
        assert float(root.attrib["width"]) == width
        widths.append(drawings.NAMES - left)
    short, long, longer, korean = widths
    assert (short, korean) == (36, 79)
    assert drawings.NAMES - 12 < min(long, longer) <= max(long, longer) <= drawings.NAMES


@pytest.mark.parametrize(("letter", "width"), [("W", 11.9), ("m", 11.7), ("x", 7.1), ("i", 3.3)])
def test_a_long_name_of_any_letters_stands_whole_beside_the_plot(letter: str, width: float) -> None:
    """The widths are those of DejaVu Sans with 12 pixels; phones show letters of 13.5 pixels."""
    svg = drawings.intervals("t", [drawings.FigureLine(letter * 60, 0.5, 0.4, 0.6)])
    name = next(text for text in re.findall(r">([^<]+)</text>", svg.decode()) if letter in text)
    assert name.endswith(7 * letter)
    needed = 13.5 / 12 * (width * (len(name) - 1) + 12)
    assert needed < drawings.NAMES - drawings.PAD


@pytest.mark.slow
def test_a_page_that_no_leaderboard_wrote_is_left_alone(
    trial: tuple[Path, ItemBank], tmp_path: Path
) -> None:
    (tmp_path / "index.html").write_text("mine")
    with pytest.raises(ParameterError, match=r"holds a page index\.html that no leaderboard"):
        gf.leaderboard(trial[0], tmp_path)
    assert [one.name for one in tmp_path.iterdir()] == ["index.html"]
    assert (tmp_path / "index.html").read_text() == "mine"


@pytest.mark.slow
def test_what_a_stopped_call_leaves_is_written_again(
    trial: tuple[Path, ItemBank], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(making: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setitem(STEPS, "search and methods", stop)  # pyright: ignore[reportArgumentType]
        with pytest.raises(KeyboardInterrupt):
            gf.leaderboard(trial[0], tmp_path)
    assert (tmp_path / "index.html").exists()
    gf.leaderboard(trial[0], tmp_path)
    assert (tmp_path / "search.html").exists()


@pytest.mark.slow
def test_what_cannot_be_made_is_told(trial: tuple[Path, ItemBank], tmp_path: Path) -> None:
    Journal.open(tmp_path / "empty.db").close()
    with pytest.raises(JournalError, match=r"holds no answers; have the items asked first"):
        gf.leaderboard(tmp_path / "empty.db", tmp_path / "site")
    with pytest.raises(ParameterError, match="name the folder"):
        gf.leaderboard(trial[0])
    with pytest.raises(ParameterError, match="needs a journal"):
        gf.leaderboard([], tmp_path)
    with pytest.raises(UnknownNameError, match="judge"):
        gf.leaderboard(trial[0], tmp_path / "site", judge="openai:nobody")
    (tmp_path / "file").write_text("")
    with pytest.raises(ParameterError, match="you may write to"):
        gf.leaderboard(trial[0], tmp_path / "file")
    assert item_pages.STATIC_TEXT > 100
