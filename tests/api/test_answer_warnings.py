"""Scores warn of replies that hold no answer, and of items that were not asked."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from support.profiles import calibrations

import gfactor as gf
from gfactor.administration import Condition, Journal, Response, RunResult
from gfactor.administration.asking.registration import register_bank
from gfactor.api.inputs.score_tables import as_table
from gfactor.api.scores.answer_warnings import unread_replies_of_run
from gfactor.errors import ParameterError
from gfactor.examinees import Outcome, Reply
from gfactor.items import ItemBank, write_bank
from gfactor.reports.answers.model_names import names_for_print, with_names

WHO = "openai:model"


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> ItemBank:
    path = tmp_path_factory.mktemp("bank") / "pv.parquet"
    return gf.build("percept-v", domains=["counting_circles"], sizes=[1, 2, 3, 4], path=path)


def scores_of(bank: ItemBank, path: Path, *replies: str) -> Any:
    """Scores of a run that gave these replies to the first items."""
    hashes = bank.frame()["content_hash"].tolist()
    with Journal.open(path) as journal:
        register_bank(journal, bank, WHO, Condition(), 1)
        journal.add(
            Response(WHO, one, "default", 0, Reply(text, "ok", "stop"), "2026-01-01")
            for one, text in zip(hashes, replies, strict=False)
        )
    return gf.score(path)


@pytest.mark.thorough
def test_replies_without_an_answer_are_counted_and_the_first_is_shown(
    bank: ItemBank, tmp_path: Path
) -> None:
    unread = ["I cannot be sure about any."] * len(bank)
    scores = scores_of(bank, tmp_path / "a.db", *unread)
    text, n = scores.summary(), len(bank)
    (found,) = scores.diagnostics
    assert found.sentence == f"{n} of {n} replies of {WHO} hold no answer."
    assert found.to_dict()["example"].endswith("is 'I cannot be sure about any.'.")
    assert "cannot be sure" in scores._repr_html_()
    assert text.startswith(
        f"warning: {n} of {n} replies of {WHO} hold no answer. The first, where COUNT:x was asked "
        "for, is 'I cannot be sure about any.'. See them with gfactor score "
        f"{tmp_path / 'a.db'} -o replies.csv (in Python: .responses)."
    )


def test_replies_that_earn_nothing_are_one_number_and_each_reason_adds_to_it(
    bank: ItemBank, tmp_path: Path
) -> None:
    """The number of the warning is that of the column `errors`, whatever the reasons."""
    n = len(bank)
    replies = ["No idea."] * 10 + ["The count is 7."] * 6 + ["COUNT:1"] * (n - 16)
    few = scores_of(bank, tmp_path / "few.db", *replies)
    assert few.results[0]["errors"] == 16
    assert not few.diagnostics
    replies = ["No idea."] * (n - 16) + ["The count is 7."] * 6 + ["COUNT:1"] * 10
    many = scores_of(bank, tmp_path / "many.db", *replies)
    (found,) = many.diagnostics
    assert f"gfactor score {tmp_path / 'many.db'} -o replies.csv" in found.remedy
    assert many.results[0]["errors"] == n - 10 == found.values["unread"]
    assert (
        f"{n - 10} of {n} replies of {WHO} hold no answer that counts: {n - 16} hold none, 6 hold "
        "one that only the lenient reading reads."
    ) in found.sentence


@pytest.mark.thorough
def test_refusals_complete_the_count_of_format_errors_in_the_table(
    bank: ItemBank, tmp_path: Path
) -> None:
    off_format = len(bank) - 3
    replies = ["The count is 7."] * off_format + ["I'm sorry, but I can't help with that."] * 3
    scores = scores_of(bank, tmp_path / "refused.db", *replies)
    (found,) = scores.diagnostics
    assert f"{off_format} of {len(bank)} replies" in found.sentence
    assert "do not keep to the format (3 more decline to answer)." in found.sentence
    assert scores.results[0]["errors"] == off_format + 3


@pytest.mark.thorough
def test_the_parts_of_a_format_have_letters_of_their_own(tmp_path: Path) -> None:
    domains = ["counting_locations"]
    bank = gf.build("percept-v", domains=domains, sizes=[1], path=tmp_path / "l.parquet")
    (found,) = scores_of(bank, tmp_path / "l.db", *["No idea."] * len(bank)).diagnostics
    assert "where ABOVE:x BELOW:y was asked for" in found.example


def test_replies_that_are_cut_off_are_a_reason_with_its_own_remedy(
    bank: ItemBank, tmp_path: Path
) -> None:
    hashes = bank.frame()["content_hash"].tolist()
    path = tmp_path / "cut.db"
    with Journal.open(path) as journal:
        register_bank(journal, bank, WHO, Condition(), 1)
        journal.add(
            Response(WHO, one, "default", 0, Reply("First, I", "truncated", "length"), "2026-01-01")
            for one in hashes
        )
    (found,) = gf.score(path).diagnostics
    assert f"replies of {WHO} end before an answer." in found.sentence
    assert found.remedy.endswith("Longer replies: --condition max_tokens=N.")


def test_the_table_of_replies_says_what_its_columns_mean(bank: ItemBank, tmp_path: Path) -> None:
    replies = ["No idea."] * 4 + ["COUNT:1"] * (len(bank) - 4)
    lines = scores_of(bank, tmp_path / "t.db", *replies).summary().splitlines()
    at = lines.index("replies by what became of them; policy: how those without an answer count")
    assert lines[at + 1].split() == ["answered", "no_answer", "policy:error", "examinee"]
    assert lines[at + 2].split() == [str(len(bank) - 4), "4", "4", WHO]


@pytest.mark.thorough
def test_warnings_of_two_conditions_name_the_one_that_is_not_the_default(
    bank: ItemBank, tmp_path: Path
) -> None:
    path = tmp_path / "two.db"
    scores_of(bank, path, *["No idea."] * len(bank))
    with Journal.open(path) as journal:
        register_bank(journal, bank, WHO, Condition(cot=True), 1)
        journal.add(
            Response(WHO, one, "cot=on", 0, Reply("No idea.", "ok", "stop"), "2026-01-01")
            for one in bank.frame()["content_hash"]
        )
    reasoned, plain = (one.sentence for one in gf.score(path).diagnostics)
    assert f"replies of {WHO} under cot=on hold no answer" in reasoned
    assert f"replies of {WHO} hold no answer" in plain


def test_a_journal_without_answers_says_what_to_do(bank: ItemBank, tmp_path: Path) -> None:
    text = scores_of(bank, tmp_path / "empty.db").summary()
    assert text.rstrip().endswith(
        "0 examinees; nothing was answered yet: have the items asked with gfactor run"
    )


@pytest.mark.thorough
def test_readable_replies_raise_no_warning(bank: ItemBank, tmp_path: Path) -> None:
    replies = ["COUNT:1"] * (len(bank) - 1) + ["I cannot be sure about any."]
    assert not scores_of(bank, tmp_path / "b.db", *replies).diagnostics


@pytest.mark.thorough
def test_a_stopped_run_says_how_many_of_its_items_were_asked(
    bank: ItemBank, tmp_path: Path
) -> None:
    (note,) = scores_of(bank, tmp_path / "c.db", *["COUNT:1"] * 3).diagnostics
    assert note.sentence == f"{WHO}: 3 of {len(bank)} items asked."


@pytest.mark.thorough
def test_items_that_were_not_asked_are_counted_in_each_benchmark(
    bank: ItemBank, tmp_path: Path
) -> None:
    other = [replace(one, benchmark="own", id=f"own-{one.id}") for one in bank]
    path = tmp_path / "d.db"
    scores_of(bank, path, *["COUNT:1"] * 3)
    with Journal.open(path) as journal:
        own = ItemBank.open(write_bank(other, tmp_path / "own.parquet", {"benchmark": "own"}))
        register_bank(journal, own, WHO, Condition(), 1)
    sentences = [one.sentence for one in gf.score(path).diagnostics]
    # Items of the same content share their answers.
    assert sentences == [f"{WHO}: 3 of {len(bank)} items of {name} asked."
                         for name in ("own", "percept-v")]  # fmt: skip


def test_a_share_of_items_that_the_answers_chose_is_no_share_of_the_bank(tmp_path: Path) -> None:
    who = "observer:limited?acuity=0.5&capacity=4&seed=2"
    known = calibrations(["number_series"])
    gf.profile(who, calibration=known, max_items=4, journal=tmp_path / "p.db")
    (found,) = [one for one in gf.score(tmp_path / "p.db").diagnostics
                if one.code == "chosen_items"]  # fmt: skip
    assert found.severity == "warning"
    assert "were chosen by its answers" in found.sentence


def test_a_run_without_an_answer_has_no_rank(bank: ItemBank, tmp_path: Path) -> None:
    path = tmp_path / "e.db"
    scores_of(bank, path, *["COUNT:1"] * len(bank))
    outcomes: dict[str, Outcome] = {"openai:b": "ok", "openai:c": "timeout"}
    with Journal.open(path) as journal:
        for who, outcome in outcomes.items():
            register_bank(journal, bank, who, Condition(), 1)
            journal.add(
                Response(who, one, "default", 0, Reply("COUNT:2", outcome, "stop"), "2026-01-01")
                for one in bank.frame()["content_hash"]
            )
        found = gf.compare(journal)
    assert sorted(set(found.differences["first"]) | set(found.differences["second"])) == [
        "openai:b", WHO,
    ]  # fmt: skip
    assert "openai:c has no answer that counts, so that it is not compared." in [
        one.sentence for one in found.diagnostics
    ]


@pytest.mark.thorough
def test_one_whose_attempts_all_failed_adds_no_claim_of_its_own(tmp_path: Path) -> None:
    domains = ["change_colour", "counting_circles"]
    bank = gf.build("percept-v", domains=domains, sizes=[1], path=tmp_path / "two.parquet")
    path = tmp_path / "d.db"
    scores_of(bank, path, *["COUNT:1"] * len(bank))
    with Journal.open(path) as journal:
        register_bank(journal, bank, "openai:dead", Condition(), 1)
        journal.add(
            Response("openai:dead", one, "default", 0, Reply("", "transport_error"), "2026-01-01")
            for one in bank.frame()["content_hash"]
        )
    text = gf.score(path).summary()
    assert text.count("percept-v: generalizes to ") == 1
    assert "percept-v: generalizes to other items of these 2 domains" in text


def test_whoever_answered_fewer_items_than_the_others_is_named_and_ranked_on_common_ones(
    tmp_path: Path,
) -> None:
    """`b` has the seven easy items of ten, all right; on these, `a` is right everywhere as well."""
    rows = [
        {"index": k, "question": f"Question {k}?", "A": "x", "B": "y", "answer": "A", "prediction":
         "A" if k < 7 or name == "c" else "B"}
        for name in "abc" for k in range(10) if not (name == "b" and k > 6)
    ]  # fmt: skip
    for name, part in (("a", rows[:10]), ("b", rows[10:17]), ("c", rows[17:])):
        folder = tmp_path / name
        folder.mkdir()
        (folder / f"{name}_Ten.json").write_text(json.dumps(part))
    path = tmp_path / "c.db"
    gf.import_logs("vlmevalkit", tmp_path, journal=path)
    (found,) = [one for one in gf.score(path).diagnostics if one.code == "fewer_items"]
    assert found.sentence.startswith("vlmevalkit:b has answers to 7 of 10 items")
    compared = gf.compare(path)
    (found,) = [one for one in compared.diagnostics if one.code == "fewer_items"]
    assert found.remedy.startswith("Order, ranks and differences rest on the items that both")
    text = compared.summary()
    assert all(pair in text for pair in ("#1 - #2", "#1 - #3", "#2 - #3"))
    page = gf.leaderboard(path, tmp_path / "site").path.read_text()
    assert "Answers to fewer than the 10 items: b (7)." in page


@pytest.mark.thorough
def test_a_run_warns_of_models_whose_replies_hold_no_answer_and_not_of_observers(
    bank: ItemBank, tmp_path: Path
) -> None:
    path = tmp_path / "e.db"
    scores_of(bank, path, *["I cannot be sure about any."] * len(bank))
    results = [RunResult(WHO, len(bank), 0, 0, 1.0), RunResult("observer:ideal", 1, 0, 0, 1.0)]
    known = RunResult(WHO, 0, 0, len(bank), 1.0)
    with Journal.open(path) as journal:
        (warning,) = unread_replies_of_run(journal, results, bank.ids)
        assert not list(unread_replies_of_run(journal, [known], bank.ids))
    assert warning.values["unread"] == len(bank)


@pytest.mark.thorough
def test_a_run_warns_of_its_own_condition_alone_and_names_it_beside_others(
    bank: ItemBank, tmp_path: Path
) -> None:
    path = tmp_path / "conditions.db"
    scores_of(bank, path, *["I cannot be sure about any."] * len(bank))
    cot = Condition(cot=True)
    with Journal.open(path) as journal:
        register_bank(journal, bank, WHO, cot, 1)
        journal.add(
            Response(WHO, one, cot.key, 0, Reply("COUNT:1", "ok", "stop"), "2026-01-01")
            for one in bank.frame()["content_hash"]
        )
        asked = RunResult(WHO, len(bank), 0, 0, 1.0)
        under_cot = replace(asked, condition=cot.key)
        assert not list(unread_replies_of_run(journal, [under_cot], bank.ids))
        (warning,) = unread_replies_of_run(journal, [asked], bank.ids)
    assert f"replies of {WHO} under default hold no answer" in warning.sentence


@pytest.mark.thorough
def test_a_comparison_warns_of_unread_replies_as_scores_do(bank: ItemBank, tmp_path: Path) -> None:
    path = tmp_path / "f.db"
    scores_of(bank, path, *["I cannot be sure about any."] * len(bank))
    gf.run(bank, "observer:ideal", journal=path)
    (of_scores,), (of_comparison,) = (
        [one for one in result.diagnostics if one.code == "no_answers"]
        for result in (gf.score(path), gf.compare(path))
    )
    assert of_comparison.sentence == of_scores.sentence


def test_tokens_of_responses_are_numbers_beside_what_the_server_counted(tmp_path: Path) -> None:
    counted = Reply("A", "ok", "stop", {"prompt_tokens": 30, "completion_tokens": 4})
    with Journal.open(tmp_path / "g.db") as journal:
        journal.add(
            Response(WHO, name, "default", 0, reply, "2026-01-01")
            for name, reply in (("h1", counted), ("h2", Reply("A", "ok", "stop")))
        )
        table: Any = journal.responses()
        assert list(journal.responses(columns=["tokens"])) == ["tokens"]
    assert table["tokens_read"].tolist() == [30, pd.NA]
    assert table["tokens_written"].sum() == 4


@pytest.mark.thorough
def test_the_level_of_a_comparison_is_that_of_intervals_and_rank_sets(tmp_path: Path) -> None:
    bank = gf.build("percept-v", domains=["counting_circles"], sizes=[1, 5], path=tmp_path / "b")
    journal = gf.run(bank, ["observer:ideal", "baseline:random"], journal=tmp_path / "f.db")
    wide, narrow = gf.compare(journal, level=0.999), gf.compare(journal, level=0.5)
    ends = [one.differences.iloc[0][["ci_lower", "ci_upper"]] for one in (wide, narrow)]
    assert ends[0]["ci_lower"] < ends[1]["ci_lower"]
    assert wide.whole.ranks.level == 0.999
    assert "all together at 99.9%" in wide.summary()
    with pytest.raises(ParameterError, match="between 0 and 1"):
        gf.compare(journal, level=1.2)


def test_tasks_of_a_journal_are_means_of_its_items(bank: ItemBank, tmp_path: Path) -> None:
    models = [f"baseline:random?seed={seed}" for seed in range(3)]
    journal = gf.run(bank, models, journal=tmp_path / "g.db")
    table = as_table(journal, tasks="(counting)_circles-0([12])")
    assert list(table.scores.columns) == ["counting"]
    assert len(table.scores) == 3


def test_a_profile_that_needs_no_item_has_no_claim(tmp_path: Path) -> None:
    who = "observer:limited?acuity=0.5&capacity=4&seed=2"
    found = gf.profile(who, abilities=["Gf"], se=1.0, min_items=0, journal=tmp_path / "p.db")
    assert "0 items" in found.summary()
    assert "Too few answers for a claim" in found.summary()


def test_empty_replies_with_thoughts_are_said_to_have_them(bank: ItemBank, tmp_path: Path) -> None:
    hashes = bank.frame()["content_hash"].tolist()
    for name, thoughts in (("with", "I count three circles."), ("without", "")):
        path = tmp_path / f"{name}.db"
        with Journal.open(path) as journal:
            register_bank(journal, bank, WHO, Condition(), 1)
            journal.add(
                Response(
                    WHO, one, "default", 0,
                    Reply("", "empty", "stop", reasoning=thoughts if k else ""), "2026-01-01",
                )
                for k, one in enumerate(hashes)
            )  # fmt: skip
        n = len(hashes)
        sentence = f"{n - 1} of {n} empty replies have thoughts (4 words in the first)"
        assert (sentence in gf.score(path).summary()) is (name == "with")


def test_scores_refuse_a_page_with_the_function_that_writes_it(
    bank: ItemBank, tmp_path: Path
) -> None:
    scores = scores_of(bank, tmp_path / "page.db", *["COUNT:1"] * len(bank))
    with pytest.raises(ParameterError, match=r"gf\.report\('.*page\.db', 'pages'\)"):
        scores.report("pages")


def test_a_paragraph_names_models_without_their_address_and_quotes_no_reply(
    bank: ItemBank, tmp_path: Path
) -> None:
    path, address = tmp_path / "named.db", "?base_url=http://localhost:8000/v1"
    with Journal.open(path) as journal:
        for who, reply in (("openai:b", "The count is 7."), ("openai:b-2", "COUNT:1")):
            register_bank(journal, bank, who + address, Condition(), 1)
            journal.add(
                Response(who + address, one, "default", 0, Reply(reply, "ok", "stop"), "2026-01-01")
                for one in bank.frame()["content_hash"]
            )
    text = gf.compare(path).paragraph()
    n = len(bank)
    assert "localhost" not in text
    assert "The count is 7." not in text
    assert "b-2 minus b = " in text
    assert text.endswith(f"Limits: {n} of {n} replies of b do not keep to the format.")


def test_a_name_that_two_examinees_would_share_stays_whole() -> None:
    here, there = "openai:m?base_url=http://a/v1", "openai:m?base_url=http://b/v1"
    observer = "observer:limited?seed=1"
    names = names_for_print([here, there, "gemini:x", observer])
    assert names == {here: here, there: there, "gemini:x": "x", observer: observer}
    assert with_names("gemini:x, gemini:x-2 and gemini:x.", names) == "x, gemini:x-2 and x."
