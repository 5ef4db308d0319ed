"""A run in which the model behind a name changed is reported wherever its scores are."""

from __future__ import annotations

from pathlib import Path

import pytest
from aiohttp import web
from support.banks import make_item
from support.chat_server import Body, chat_server, completion

import gfactor as gf
from gfactor.administration.storing.who_answered import answering_models, model_changes
from gfactor.items import ItemBank, write_bank

ITEMS = 24
OLD, NEW = "m-2026-01-01", "m-2026-08-01"


def bank_at(folder: Path) -> ItemBank:
    items = [
        make_item(f"i{n:02d}", content=(f"Say {n}.",), target=n, labels={"domain": f"d{n % 3}"})
        for n in range(ITEMS)
    ]
    return gf.open_bank(write_bank(items, folder / "b.parquet"))


def administered(
    folder: Path, name: str, *, changes_at: int = ITEMS, first: str = OLD, second: str = NEW,
    wrong: int = 0, print_changes: bool = False,
) -> Path:  # fmt: skip
    """A journal of answers of which those from `changes_at` on come from another model."""
    asked = 0

    def reply(body: Body) -> Body:
        nonlocal asked
        asked += 1
        number = int(body["messages"][-1]["content"].partition("Say ")[2].partition(".")[0])
        model = first if asked <= changes_at else second
        right = number if number >= wrong else number + 1
        fingerprint = f"fp_{asked > ITEMS / 2}" if print_changes else "fp_1"
        return {**completion(f"COUNT:{right}"), "model": model, "system_fingerprint": fingerprint}

    path = folder / name
    with chat_server(reply) as server:
        gf.run(bank_at(folder), ["openai:m"], journal=path, base_url=server.url, max_in_flight=1)
    return path


def test_a_model_that_changed_within_a_run_is_counted_and_reported(tmp_path: Path) -> None:
    path = administered(tmp_path, "c.db", changes_at=10)
    with gf.open_journal(path) as journal:
        table = answering_models(journal)
        (change,) = model_changes(journal)
        assert model_changes(journal, {"somebody:else"}) == ()
    counts = dict(zip(table["answered_by"], table["answers"], strict=True))
    assert counts == {OLD: 10, NEW: ITEMS - 10}
    assert (change.code, change.severity) == ("model_changed", "warning")
    assert f"was answered by 2 models: {OLD} (10 answers, " in change.sentence
    assert change.values == {OLD: 10, NEW: ITEMS - 10}
    scores = gf.score(path)
    assert scores.to_dict()["diagnostics"][0]["code"] == "model_changed"
    assert scores.summary().startswith("warning: openai:m")


def test_another_fingerprint_of_the_same_model_is_a_note(tmp_path: Path) -> None:
    with gf.open_journal(administered(tmp_path, "c.db", print_changes=True)) as journal:
        (change,) = model_changes(journal)
    assert (change.code, change.severity) == ("fingerprint_changed", "note")
    assert "fp_False, fp_True" in change.sentence


@pytest.mark.thorough
def test_a_run_of_one_model_says_nothing(tmp_path: Path) -> None:
    path = administered(tmp_path, "c.db")
    scores = gf.score(path)
    assert scores.diagnostics == ()
    assert "diagnostics" not in scores.to_dict()


@pytest.mark.thorough
def test_compare_and_leaderboard_and_report_say_that_the_model_changed(tmp_path: Path) -> None:
    path = administered(tmp_path, "c.db", changes_at=10)
    gf.run(bank_at(tmp_path), ["baseline:constant"], journal=path)
    assert "model_changed" in {note.code for note in gf.compare(path).diagnostics}
    pytest.importorskip("jinja2")
    pytest.importorskip("matplotlib")
    gf.leaderboard(path, tmp_path / "site")
    assert "was answered by 2 models" in (tmp_path / "site" / "index.html").read_text("utf-8")
    written = gf.report(path, tmp_path / "report")
    page = written.path.read_text("utf-8")
    assert "The model changed within a run" in page
    assert NEW in page


def test_another_model_than_the_asked_one_is_reported_wherever_scores_are(tmp_path: Path) -> None:
    path = administered(tmp_path, "c.db", first="tiny-model-3b")
    gf.run(bank_at(tmp_path), ["baseline:constant"], journal=path)
    (note,) = [one for one in gf.score(path).diagnostics if one.code == "other_model"]
    assert note.severity == "warning"
    assert note.where[0].startswith("openai:m")
    assert note.sentence.endswith(f"answered: tiny-model-3b ({ITEMS} answers).")
    assert "other_model" in {note.code for note in gf.compare(path).diagnostics}
    pytest.importorskip("jinja2")
    pytest.importorskip("matplotlib")
    gf.leaderboard(path, tmp_path / "site")
    assert "tiny-model-3b" in (tmp_path / "site" / "index.html").read_text("utf-8")
    page = gf.report(path, tmp_path / "report").path.read_text("utf-8")
    assert "Another model answered" in page
    assert "The model changed within a run" not in page


def test_a_run_says_that_another_model_answered(tmp_path: Path) -> None:
    def reply(_: Body) -> Body:
        return {**completion("COUNT:1"), "model": "tiny-model-3b"}

    with chat_server(reply) as server:
        done = gf.run(
            bank_at(tmp_path), ["openai:m"], journal=tmp_path / "c.db", base_url=server.url
        )
    assert [one.code for one in done.diagnostics] == ["other_model"]
    assert "tiny-model-3b" in done.summary()


def test_a_run_and_its_scores_list_all_reasons_of_failures(tmp_path: Path) -> None:
    async def fail(number: int, request: web.Request) -> web.StreamResponse | None:
        if number % 3:
            return None
        told = {"error": {"message": "too long" if number % 2 else "no such picture"}}
        return web.json_response(told, status=400)

    path = tmp_path / "c.db"
    with chat_server(fault=fail) as server, pytest.warns(RuntimeWarning, match="failed"):
        done = gf.run(bank_at(tmp_path), ["openai:m"], journal=path, base_url=server.url)
    for diagnostics in (done.diagnostics, gf.score(path).diagnostics):
        (note,) = [one for one in diagnostics if one.code == "failed_answers"]
        assert set(note.values) == {"HTTP 400: too long", "HTTP 400: no such picture"}
        assert sum(note.values.values()) == ITEMS // 3
        assert f"HTTP 400: too long ({note.values['HTTP 400: too long']})" in note.sentence


@pytest.mark.thorough
def test_answers_without_a_refused_parameter_are_counted_wherever_scores_are(
    tmp_path: Path,
) -> None:
    async def refuse(number: int, request: web.Request) -> web.StreamResponse | None:
        if "temperature" in await request.json():
            told = {"error": {"message": "Unsupported value: 'temperature'"}}
            return web.json_response(told, status=400)
        return None

    path = tmp_path / "c.db"
    with chat_server(fault=refuse) as server:
        gf.run(
            bank_at(tmp_path), ["openai:m"], journal=path, base_url=server.url,
            condition="temperature=0",
        )  # fmt: skip
    gf.run(bank_at(tmp_path), ["baseline:constant"], journal=path, condition="temperature=0")
    (note,) = [one for one in gf.score(path).diagnostics if one.code == "parameter_left_out"]
    assert f"{ITEMS} of {ITEMS} answers were given without temperature" in note.sentence
    assert "parameter_left_out" in {note.code for note in gf.compare(path).diagnostics}
    pytest.importorskip("jinja2")
    pytest.importorskip("matplotlib")
    page = gf.report(path, tmp_path / "report").path.read_text("utf-8")
    assert "Parameters that were left out" in page


def test_explain_difference_counts_the_model_version_as_a_cause(tmp_path: Path) -> None:
    first = administered(tmp_path, "a.db")
    second = administered(tmp_path, "b.db", first=NEW, wrong=6)
    explanation = gf.explain_difference(first, second)
    row = explanation.shares.loc["model version"]
    assert row["estimate"] == pytest.approx(6 / ITEMS)
    assert (row["first"], row["second"]) == (OLD, NEW)
    again = gf.explain_difference(first, administered(tmp_path, "d.db", wrong=6))
    assert "model version" not in again.shares.index


def test_a_model_that_the_journal_holds_at_another_address_is_named_before_it_is_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bank, path = bank_at(tmp_path).sample(per=(), n=3), tmp_path / "c.db"
    told: list[str] = []
    with chat_server() as server:
        other = server.url.replace("127.0.0.1", "localhost")
        for address in (server.url, other, other):
            gf.run(bank, ["openai:m"], journal=path, base_url=address).close()
            told.append(capsys.readouterr().err)
    assert "another address" not in told[0] + told[2]
    assert f"has no answer in {path}, but the same model has at {server.url}: another" in told[1]
    assert server.served == 6
