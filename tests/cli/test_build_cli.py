"""gfactor build, audit and list, as they are typed."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from support.banks import make_items
from support.cli import Ran, run_cli

from gfactor.api.banks.auditing import answer_ideally
from gfactor.benchmarks import BENCHMARKS
from gfactor.benchmarks.percept_v.domain import DOMAINS
from gfactor.items import ItemBank, write_bank

Run = Callable[..., Ran]
SMALL = ("--seed", "7", "--domains", "change_colour", "--sizes", "2,4-5", "--instances", "2")


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return lambda *words: run_cli(monkeypatch, capsys, *map(str, words))


@pytest.fixture
def bank(run: Run, tmp_path: Path) -> Path:
    path = tmp_path / "bank.parquet"
    assert run("build", "percept-v", *SMALL, "-o", path).code == 0
    return path


def test_build_prints_json_for_machines(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "bank.parquet"
    ran = run("build", "percept-v", *SMALL, "-o", path, "--json")
    made = json.loads(ran.out)
    assert list(made) == [
        "path", "benchmark", "edition", "seed", "items", "images", "scene_digest", "pixel_digest",
        "seconds",
    ]  # fmt: skip
    assert (made["items"], made["images"], made["edition"]) == (6, 12, "audited")
    assert ItemBank.open(path).metadata["sizes"] == [2, 4, 5]
    assert (tmp_path / "bank.croissant.json").exists()


def test_build_says_in_words_what_it_made(run: Run, tmp_path: Path) -> None:
    ran = run("build", "percept-v", *SMALL, "-o", tmp_path / "b.parquet")
    assert "6 items with 12 images of percept-v (audited, seed 7)" in ran.out


def test_build_makes_the_paper_edition_on_demand(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "b.parquet"
    run("build", "percept-v", *SMALL, "--edition", "paper", "-o", path)
    assert {item.provenance.edition for item in ItemBank.open(path)} == {"paper"}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--seed", "-1"), "seed: must be 0 or more, not -1"),
        (("--seed", "many"), "seed: 'many' is not a whole number"),
        (("--sizes", "0"), "sizes: must be 1 or more, not 0"),
        (("--sizes", "0-3"), "sizes: must be 1 or more, not 0"),
        (("--sizes", "5-3"), "sizes: must be 5 or more, not 3"),
        (("--sizes", "19-21"), "sizes must be from 1 to 20"),
        (("--instances", "0"), "instances: must be 1 or more"),
        (("--domains", "change_color"), "did you mean 'change_colour'"),
        (("--edition", "papers"), "did you mean 'paper'"),
        (("--jobs", "0"), "--jobs"),
        (("--sede", "1"), "--sede"),
    ],
)
def test_a_bad_option_is_one_sentence_and_exit_code_2(
    run: Run, tmp_path: Path, words: tuple[str, ...], told: str
) -> None:
    ran = run("build", "percept-v", *words, "-o", tmp_path / "b.parquet")
    assert ran.code == 2
    assert told in ran.err
    assert ran.err.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("place", ["nowhere/b.parquet", "file/b.parquet", "."])
def test_a_path_that_cannot_be_written_is_refused_before_any_work(
    run: Run, tmp_path: Path, place: str
) -> None:
    (tmp_path / "file").touch()
    ran = run("build", "percept-v", "-o", tmp_path / place)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "cannot write" in ran.err
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


def test_an_unknown_benchmark_gets_the_closest_one(run: Run, tmp_path: Path) -> None:
    ran = run("build", "percept", "-o", tmp_path / "b.parquet")
    assert ran.code == 2
    assert "did you mean 'percept-v'" in ran.err


@pytest.mark.thorough
def test_audit_prints_every_domain_as_json(run: Run, bank: Path) -> None:
    ran = run("audit", bank, "--json")
    found = json.loads(ran.out)["change_colour"]
    assert ran.code == 0
    assert found["ideal_observer"] == 1
    for name in ("constant", "size_aware", "min_object_px", "min_gap_px", "min_delta_e"):
        assert isinstance(found[name], float), name
    assert found["duplicates"] == 0


def test_audit_prints_an_aligned_table_and_a_verdict(run: Run, bank: Path) -> None:
    ran = run("audit", bank, "--no-ideal")
    head, row, verdict = ran.out.splitlines()
    assert head.split()[:3] == ["domain", "n", "constant"]
    assert "ideal" not in head
    assert row.startswith("change_colour")
    assert len(head) == len(row)
    assert "no limit is broken" in verdict


def test_audit_ends_with_1_where_a_limit_is_broken(run: Run, bank: Path) -> None:
    items = list(ItemBank.open(bank))
    write_bank([*items, replace(items[0], id="again")], bank, ItemBank.open(bank).metadata)
    ran = run("audit", bank, "--no-ideal")
    assert ran.code == 1
    assert "change_colour: duplicates 1 is over 0" in ran.out


def test_audit_refuses_a_bank_that_is_cut_off(run: Run, bank: Path) -> None:
    bank.write_bytes(bank.read_bytes()[:-100])
    ran = run("audit", bank)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "cut off" in ran.err


def test_audit_of_another_benchmark_leaves_the_observer_out(run: Run, tmp_path: Path) -> None:
    path = write_bank(make_items(), tmp_path / "toy.parquet")
    ran = run("audit", path, "--json")
    assert ran.code == 0
    assert json.loads(ran.out)["a"]["ideal_observer"] is None
    assert answer_ideally("a", ()) is None


@pytest.mark.parametrize(
    ("kind", "names"), [("benchmarks", list(BENCHMARKS)), ("domains", list(DOMAINS))]
)
def test_list_has_a_line_for_each(run: Run, kind: str, names: list[str]) -> None:
    lines = run("list", kind).out.splitlines()
    assert [line.split()[0] for line in lines] == names
    assert all(len(line.split()) > 1 for line in lines)
    assert [one["name"] for one in json.loads(run("list", kind, "--json").out)] == names


def test_list_names_the_examinee_schemes(run: Run) -> None:
    assert "observer" in {one["name"] for one in json.loads(run("list", "examinees", "--json").out)}


def test_list_of_an_unknown_kind_gets_the_closest_one(run: Run) -> None:
    ran = run("list", "domain")
    assert ran.code == 2
    assert "did you mean 'domains'" in ran.err


@pytest.mark.parametrize("words", [("build",), ("build", "percept-v"), ("audit",), ("list",)])
def test_help_has_an_example(run: Run, words: tuple[str, ...]) -> None:
    ran = run(*words, "--help")
    assert ran.code == 0
    assert "Example:" in ran.out
    assert f"gfactor {words[0]}" in ran.out
