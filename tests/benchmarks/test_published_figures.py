"""The papers' figures: all there, recomputed where they can be, misprints known and no others."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import fmean
from typing import Any

import pandas as pd
import pytest
from support.cli import run_cli

from gfactor.benchmarks.gold import GOLD_TASKS
from gfactor.benchmarks.m3gia import TYPES, items_per_cluster
from gfactor.benchmarks.mm_iq import PARADIGMS
from gfactor.benchmarks.published import PAPERS, misprints, published, published_tables
from gfactor.errors import UnknownNameError

SHARED = Path(__file__).parents[3] / "shared" / "data" / "published"
FILES = {"m3gia": "m3gia", "mm-iq": "mmiq", "multi": "multi", "gold": "gold"}
CLOSED = "closed"

Wrong = dict[tuple[str, str], float]


def rows(name: str) -> list[dict[str, Any]]:
    return published(name).to_dict()["rows"]


def known(kind: str, paper: str = "") -> Wrong:
    frame = misprints(paper)
    own = frame.loc[frame["kind"] == kind]
    columns = (own[c] for c in ("table", "place", "correct"))
    return {(t, p): float(c) for t, p, c in zip(*columns, strict=True)}


def numbers_in(value: Any, skip: tuple[str, ...] = ()) -> Iterator[float]:
    if isinstance(value, Mapping):
        for name, part in value.items():
            if name not in skip:
                yield from numbers_in(part, skip)
    elif isinstance(value, list):
        for part in value:
            yield from numbers_in(part, skip)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield round(float(value), 6)


@pytest.mark.thorough
@pytest.mark.skipif(not SHARED.exists(), reason="the collected figures are not in this checkout")
def test_every_number_that_was_collected_is_in_a_table() -> None:
    missing = {}
    for paper, name in FILES.items():
        # `printed_diffs` of table 8 are its `diffs` once more.
        collected = json.loads((SHARED / f"{name}.json").read_text(encoding="utf-8"))
        for row in collected.get("table8_image_information", []):
            row.pop("printed_diffs")
        wanted = Counter(numbers_in(collected, ("checks",)))
        tables = [n for n, about in published_tables().items() if about["paper"] == paper]
        ours = Counter(number for table in tables for number in numbers_in(rows(table)))
        missing[paper] = wanted - ours
    assert missing == {paper: Counter() for paper in FILES}


@pytest.mark.thorough
def test_every_table_names_its_source() -> None:
    for name, about in published_tables().items():
        found = published(name)
        assert len(found.frame), name
        assert found.source.startswith(PAPERS[about["paper"]].rstrip("."))


def test_percentages_of_multi_table_1() -> None:
    table = {r["statistic"]: r for r in rows("multi-1")}
    wrong: Wrong = {}
    for statistic, row in table.items():
        for what, whole in (("number", "Total Questions"), ("points", "Total Points")):
            if row[f"{what}_percent"] is not None and row[what] is not None:
                right = round(100 * row[what] / table[whole]["number"] + 1e-9, 2)
                if right != row[f"{what}_percent"]:
                    wrong["multi-1", f"{statistic}: {what}_percent"] = right
    assert wrong == known("ratio", "multi")


def test_totals_of_multi_tables_1_and_2() -> None:
    table = {r["statistic"]: r["number"] for r in rows("multi-1")}
    wrong: Wrong = {}
    choices = table["Single Answer"] + table["Multiple Answers"]
    if choices != table["Multiple Choices"]:
        wrong["multi-1", "Multiple Choices: number"] = choices
    kinds = ("Multiple Choices", "Fill in the Blank", "Open Ended Writing", "Others")
    assert sum(table[kind] for kind in kinds) == table["Total Questions"]
    assert table["Single Image"] + table["Multiple Images"] == table["Question with Images"]
    frequencies = rows("multi-2")
    for letter in ("A", "B", "C", "D", "E_and_more"):
        *parts, total = (row[letter] or 0 for row in frequencies)
        if sum(parts) != total:
            wrong["multi-2", f"Total: {letter}"] = sum(parts)
    assert wrong == known("sum", "multi")


def test_gains_and_their_means_of_multi_tables_8_and_9() -> None:
    wrong: Wrong = {}
    eighth = rows("multi-8")
    score = {(r["model"], r["image_type"], r["input"]): r["score"] for r in eighth}
    for row in eighth:
        if row["printed_gain"] is not None:
            gain = row["score"] - score[row["model"], row["image_type"], "no_image"]
            assert round(gain, 1) == row["printed_gain"]
    for row in rows("multi-8-averages"):
        of = tuple(row["gain"].split())
        own = [r for r in eighth if (r["image_type"], r["input"]) == of]
        gains = [r["printed_gain"] for r in own if r["group"] == row["group"]]
        mean = fmean(gain for gain in gains if gain is not None)
        assert mean == pytest.approx(row["recomputed"], abs=0.0051)
        if abs(mean - row["printed"]) > 0.0051:
            wrong["multi-8-averages", f"{row['group']}: {row['gain']}"] = row["recomputed"]
    ninth = rows("multi-9")
    base = {r["model"]: r["score"] for r in ninth if r["prompt"] == "base"}
    for row in rows("multi-9-averages"):
        own = [r for r in ninth if r["prompt"] == row["prompt"]]
        assert all(round(r["score"] - base[r["model"]], 1) == r["printed_gain"] for r in own)
        mean = fmean(r["printed_gain"] for r in own)
        if round(mean, 1) != row["printed"]:
            wrong["multi-9-averages", row["prompt"]] = round(mean, 1)
    assert wrong == known("mean", "multi")


@pytest.mark.thorough
def test_conflicts_between_multi_tables() -> None:
    table = {r["statistic"]: r for r in rows("multi-1")}
    letters = {"SA": 0, "MA": 0}
    for row in rows("multi-2")[:-1]:
        counts = (row[c] or 0 for c in ("A", "B", "C", "D", "E_and_more"))
        letters[row["type"]] += sum(counts)
    claims = {r["claim"]: r["value"] for r in rows("multi-claims")}
    elite = {r["model"]: r["Overall"] for r in rows("multi-7")}
    base = {r["model"]: r["score"] for r in rows("multi-9") if r["prompt"] == "base"}
    found = {
        ("multi-1", "Single Answer: points"): (
            table["Single Answer"]["points"], table["Single Answer"]["number"]),
        ("multi-2", "SA: all letters"): (letters["SA"], table["Single Answer"]["number"]),
        ("multi-2", "MA: all letters"): (letters["MA"], table["Multiple Answers"]["points"]),
        ("multi-claims", "questions text"): (
            claims["questions text"], table["Total Questions"]["number"]),
        ("multi-claims", "points text"): (claims["points text"], table["Total Points"]["number"]),
        ("multi-claims", "images text"): (claims["images text"], table["Total Images"]["number"]),
        ("multi-claims", "knowledge text [2]"): (
            claims["knowledge text [2]"], table["Total Knowledge"]["number"]),
        **{("multi-9", f"{m}: base"): (base[m], elite[m]) for m in base if base[m] != elite[m]},
    }  # fmt: skip
    assert all(one != other for one, other in found.values())
    assert {key: float(other) for key, (_, other) in found.items()} == known("conflict", "multi")
    assert sum(r["percent"] for r in rows("multi-errors")) == pytest.approx(100)


def test_m3gia_table_3_exactly() -> None:
    table = rows("m3gia-3")
    assert [r["type"] for r in table] == list(TYPES)
    for row in table:
        kind = TYPES[row["type"]]
        marked = row["factors"].split()
        assert [f for f in kind.factors if f in marked] == [f for f in kind.factors if f != "Gf"]
        assert (row["cluster"], row["per_language"]) == (kind.cluster, kind.per_language)
        assert row["total"] == 6 * row["per_language"]
    assert sum(r["total"] for r in table) == 1800


@pytest.mark.thorough
def test_m3gia_ratios_means_and_conflicts() -> None:
    gia = {(r["model"], r["language"]): r for r in rows("m3gia-2")}
    wrong: Wrong = {}
    for (model, language), row in gia.items():
        people = gia["Human", language]["gia"]
        off = 100 * row["gia"] / people - row["normalized"]
        # Scores have two decimals, ratios one: so much may come of rounding.
        assert abs(off) <= 0.05 + 100 * 0.005 / people * (1 + row["gia"] / people)
        if abs(off) > 0.06:
            wrong["m3gia-2", f"{model}: {language}"] = round(100 * row["gia"] / people, 1)
    assert wrong == known("rounding", "m3gia")
    sizes = items_per_cluster()
    for row in rows("m3gia-4"):
        mean = sum(row[c.replace("Visual-spatial", "Visual-Spatial")] * n for c, n in sizes.items())
        assert mean / 300 == pytest.approx(row["Overall"], abs=0.05)
    overall = {r["model"]: r["overall"] for r in rows("m3gia-1")}
    claims = {r["claim"]: r["value"] for r in rows("m3gia-claims")}
    assert known("conflict", "m3gia") == {
        ("m3gia-1", "GPT-4v: overall"): rows("m3gia-4")[0]["Overall"],
        ("m3gia-claims", "n models claimed"): len(overall) - 1,
    }
    assert overall["GPT-4v"] != rows("m3gia-4")[0]["Overall"]
    assert claims["n models claimed"] != len(overall) - 1


def test_m3gia_number_series_that_the_factors_imply() -> None:
    # Of 125 items for Gf, I, RG and RQ have 50, 40 and 55; Number Series (20) is in I and RQ.
    for row in rows("m3gia-1"):
        right = 50 * row["I"] + 40 * row["RG"] + 55 * row["RQ"] - 125 * row["Gf"]
        assert right / 20 == pytest.approx(row["implied_number_series"], abs=0.06)


@pytest.mark.thorough
def test_mm_iq_means() -> None:
    counts = {p.short: p.released for p in PARADIGMS.values()}
    assert {r["paradigm"]: r["released"] for r in rows("mm-iq-counts")} == counts
    assert sum(counts.values()) == 2710
    wrong: Wrong = {}
    for row in rows("mm-iq-2"):
        mean = sum(row[p] * n for p, n in counts.items()) / 2710
        assert mean == pytest.approx(row["mean_by_released_counts"], abs=0.006)
        if abs(mean - row["Mean"]) > 0.006:
            wrong["mm-iq-2", f"{row['model']}: Mean"] = row["mean_by_released_counts"]
    assert wrong == known("mean", "mm-iq")
    claims = {r["claim"]: r["value"] for r in rows("mm-iq-claims")}
    means = {r["model"]: r["Mean"] for r in rows("mm-iq-2")}
    own = [m for r in rows("mm-iq-2") if r["group"] == "Proprietary LMMs"
           for m in [means[r["model"]]]]  # fmt: skip
    assert sum(own) / len(own) == pytest.approx(claims["mean proprietary"], abs=0.005)


def test_gold_sums_and_formulas() -> None:
    figure = published("gold-figure-7").frame
    loading = figure.loc[figure["quantity"] == "outer loading"]
    vif = figure.loc[figure["quantity"] == "VIF", "value"]
    htmt = figure.loc[figure["quantity"] == "HTMT", "value"]
    path = figure.loc[figure["quantity"] == "path to Gold"].set_index("construct")["value"]
    tasks = list(GOLD_TASKS.values())
    assert [t.loading for t in tasks] == list(loading["value"])
    claims = {r["claim"]: r["value"] for r in rows("gold-claims")}
    memory = [t.loading**2 for t in tasks if t.layer == "Memory"]
    correlation = (1 - 1 / 1.248) ** 0.5
    wrong = {
        ("gold-claims", "D valid: GOLD"): round(float(1 / vif.prod() ** (1 / len(vif))), 3),
        ("gold-claims", "TC: GOLD"): round(float(loading["value"].mean()), 3),
        ("gold-claims", "D div: GOLD"): round(1 / (2 * float(htmt.max())), 3),
        ("gold-5", "BLINK low-level: cronbach_alpha"): round(
            2 * correlation / (1 + correlation), 3
        ),
        ("gold-8", "Convergent validity: Memory"): round(sum(memory) / 3, 3),
    }
    for row in rows("gold-9"):
        total = sum(t.loading * path[t.layer] * row[h] for h, t in GOLD_TASKS.items())
        assert total == pytest.approx(row["overall_recomputed"], abs=0.011)
        if abs(total - row["Overall"]) > 0.1:
            wrong["gold-9", f"{row['model']}: Overall"] = round(total, 1)
    assert wrong == known("formula", "gold")
    parts = ("D div: GOLD", "TC: GOLD", "D valid: GOLD")
    assert known("sum", "gold") == {
        ("gold-claims", "n pool tasks"): 14 + 30 + 14 + 20,
        ("gold-claims", "overall score GOLD"): round(sum(claims[p] for p in parts), 3),
    }


def test_every_misprint_stands_in_a_table_that_exists() -> None:
    frame = misprints()
    assert set(frame["table"]) <= set(published_tables())
    assert set(frame["kind"]) == {
        "sum", "ratio", "rounding", "mean", "formula", "conflict", "text"
    }  # fmt: skip
    assert len(frame) == len(set(zip(frame["table"], frame["place"], strict=True)))


def test_an_unknown_table_gets_the_closest_name() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'multi-6'"):
        published("multi6")


def test_the_command_lists_and_prints(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    listed = run_cli(monkeypatch, capsys, "published").out.splitlines()
    assert [line.split()[0] for line in listed] == list(published_tables())
    ran = run_cli(monkeypatch, capsys, "published", "multi-8-averages")
    assert "Misprint: closed: SI caption is printed 5.96, and 8.04 is right" in ran.out
    told = json.loads(run_cli(monkeypatch, capsys, "published", "multi-2", "--json").out)
    assert told["rows"][0] == {
        "type": "SA", "options": 2, "A": 1813, "B": 1370, "C": None, "D": None,
        "E_and_more": None,
    }  # fmt: skip
    assert [m["correct"] for m in told["misprints"]] == ["4487", "3690", "13949", "5954"]
    for form, start in (
        ("csv", "model,SA"),
        ("markdown", "**Score"),
        ("latex", "% needs \\usepackage{booktabs}\n\\begin{table}"),
    ):
        out = run_cli(monkeypatch, capsys, "published", "multi-6", "--format", form).out
        assert out.startswith(start)
    assert run_cli(monkeypatch, capsys, "published", "multi-66").code == 2


def test_frames_hold_numbers_as_numbers() -> None:
    frame = published("m3gia-1").frame
    assert all(pd.api.types.is_numeric_dtype(frame[c]) for c in ("I", "Gf", "overall"))
