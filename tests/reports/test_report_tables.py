"""Tables: every number has its n and interval, roles are kept apart, missing labels do no harm."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.made_up_results import DOMAINS, TABLES_OF_MORE, made_up_answers, made_up_results

from gfactor.psychometrics import wilson
from gfactor.reports import TABLES, Results, Table, make_tables
from gfactor.reports.answers import group_rates
from gfactor.reports.answers.group_rates import rows_of
from gfactor.reports.answers.results import POOLED, short_labels
from gfactor.reports.tables import summary
from gfactor.reports.tables.accuracy import by_label
from gfactor.reports.tables.curves import guesses
from gfactor.reports.tables.published import percept_v_level, percept_v_skills
from gfactor.reports.writing.formatting import formatted, to_csv, to_latex, to_markdown

OWN_TABLES = [
    name
    for name, maker in TABLES.items()
    if maker.suits("percept-v") and name not in TABLES_OF_MORE
]
"""All but those of other benchmarks' papers (test_paper_*.py)."""
PAPER: Any = made_up_answers(edition="paper")


def frame_of(made: Mapping[str, Table], name: str) -> Any:
    """A table's frame; typed Any because pandas leaves the types of its operations open."""
    return made[name].frame


@pytest.fixture(scope="module")
def results() -> Results:
    return made_up_results(PAPER)


@pytest.fixture(scope="module")
def tables(results: Results) -> dict[str, Table]:
    return make_tables(results)


@pytest.mark.thorough
def test_the_answers_are_counted_once_for_all_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[int] = []

    def counting(answers: pd.DataFrame) -> pd.DataFrame:
        counted.append(len(answers))
        return rows_of(answers)

    monkeypatch.setattr(group_rates, "rows_of", counting)
    names = ("summary", "accuracy_by_domain", "accuracy_by_size", "reliability", "format_errors")
    assert set(make_tables(made_up_results(PAPER), names)) == set(names)
    assert counted == [len(PAPER)]


@pytest.mark.slow
def test_every_registered_table_can_be_made(tables: dict[str, Table]) -> None:
    assert set(tables) == set(OWN_TABLES)


@pytest.mark.thorough
@pytest.mark.parametrize("name", OWN_TABLES)
def test_every_accuracy_has_its_n_and_interval(name: str, tables: dict[str, Table]) -> None:
    frame = frame_of(tables, name)
    for column in ("accuracy", "lenient", "rate", "format_errors", "over_domains"):
        if column in frame:
            assert "n" in frame
            assert {f"{column}_low", f"{column}_high"} <= set(frame)
            known = frame[frame["n"] > 0]
            assert (known[f"{column}_low"] <= known[column] + 1e-9).all()
            assert (known[column] <= known[f"{column}_high"] + 1e-9).all()
    for column in ("threshold", "alpha"):
        if column in frame:
            assert {"n", f"{column}_low", f"{column}_high"} <= set(frame)


def _summary(answers: pd.DataFrame) -> Any:
    table = summary.summary(made_up_results(answers))
    assert table is not None
    return table.frame


@pytest.mark.thorough
def test_the_summary_makes_no_mean_of_two_benchmarks() -> None:
    other = PAPER["domain"] == DOMAINS[0]
    answers = PAPER.assign(benchmark=np.where(other, "b", "a"))
    together = _summary(answers)
    assert together["benchmark"].is_monotonic_increasing
    for name, own in answers.groupby("benchmark"):
        alone = _summary(own).set_index("label")
        found = together[together["benchmark"] == name].set_index("label")
        columns = ["n", "accuracy", "accuracy_low", "accuracy_high", "chance", "answers"]
        pd.testing.assert_frame_equal(found[columns], alone[columns])


@pytest.mark.thorough
def test_one_domain_gives_no_column_about_other_domains() -> None:
    one = _summary(PAPER[PAPER["domain"] == DOMAINS[0]])
    assert not [name for name in one if name.startswith("over_domains")]
    assert "over_domains" in _summary(PAPER)


def test_an_examinees_accuracy_has_wilsons_interval(tables: dict[str, Table]) -> None:
    own = PAPER[(PAPER["examinee"] == "openai:gpt-4o") & (PAPER["domain"] == DOMAINS[0])]
    low, high = wilson(own["correct"].sum(), len(own))
    frame = frame_of(tables, "accuracy_by_domain")
    row = frame[(frame["label"] == "gpt-4o") & (frame["domain"] == DOMAINS[0])].iloc[0]
    assert row["n"] == len(own)
    assert np.allclose([row["accuracy_low"], row["accuracy_high"]], [low, high])


def test_the_pooled_populations_interval_knows_that_observers_differ(
    tables: dict[str, Table],
) -> None:
    frame = frame_of(tables, "accuracy_by_domain")
    pooled = frame[frame["label"] == POOLED]
    low, high = wilson(np.rint(pooled["accuracy"] * pooled["n"]), pooled["n"])
    assert (pooled["accuracy_low"] <= low + 1e-9).all()
    assert (pooled["accuracy_high"] >= high - 1e-9).all()
    assert (pooled["accuracy_high"] - pooled["accuracy_low"] > 1.2 * (high - low)).any()


def test_chance_and_every_trivial_baseline_stand_beside_the_accuracies(
    tables: dict[str, Table],
) -> None:
    for name in ("accuracy_by_domain", "accuracy_by_skill", "accuracy_by_answer_type"):
        frame = frame_of(tables, name)
        assert {"chance", "random", "constant", "size-aware"} <= set(frame)
        assert frame[["chance", "random", "constant", "size-aware"]].notna().all(axis=None)
    own = PAPER[(PAPER["examinee"] == "baseline:constant") & (PAPER["domain"] == DOMAINS[1])]
    frame = frame_of(tables, "accuracy_by_domain")
    row = frame[frame["domain"] == DOMAINS[1]].iloc[0]
    assert row["constant"] == pytest.approx(own["correct"].mean())


@pytest.mark.slow
def test_strict_and_lenient_accuracy_and_format_errors_are_all_told(
    tables: dict[str, Table],
) -> None:
    row = frame_of(tables, "summary").set_index("label").loc["gpt-4o"]
    own = PAPER[PAPER["examinee"] == "openai:gpt-4o"]
    assert row["accuracy"] == pytest.approx(own["correct"].mean())
    assert row["lenient"] == pytest.approx(own["correct_lenient"].mean())
    assert row["format_errors"] == pytest.approx(own["format_error"].mean())
    assert row["lenient"] > row["accuracy"]


@pytest.mark.slow
def test_failed_attempts_are_missing_and_never_wrong() -> None:
    answers = PAPER.copy()
    failed = (answers["examinee"] == "openai:gpt-4o") & (answers["size"] == 1)
    answers.loc[failed, ["correct", "correct_lenient"]] = np.nan
    answers.loc[failed, "missing"] = True
    row = (
        frame_of(make_tables(made_up_results(answers)), "summary").set_index("label").loc["gpt-4o"]
    )
    own = answers[(answers["examinee"] == "openai:gpt-4o") & ~failed]
    assert row["missing"] == failed.sum()
    assert row["n"] == len(own)
    assert row["accuracy"] == pytest.approx(own["correct"].mean())


@pytest.mark.slow
def test_an_examinee_of_whom_every_attempt_failed_is_listed_without_numbers() -> None:
    answers = PAPER.copy()
    failed = answers["examinee"] == "openai:gpt-4o"
    answers.loc[failed, ["correct", "correct_lenient"]] = np.nan
    answers.loc[failed, "missing"] = True
    row = (
        frame_of(make_tables(made_up_results(answers)), "summary").set_index("label").loc["gpt-4o"]
    )
    assert row["n"] == 0
    assert np.isnan([row["accuracy"], row["accuracy_low"], row["accuracy_high"]]).all()


@pytest.mark.slow
@pytest.mark.parametrize("absent", [["skills"], ["size"], ["domain", "size", "skills", "edition"]])
def test_benchmarks_without_these_labels_get_the_tables_they_can_have(absent: list[str]) -> None:
    answers = PAPER.drop(columns=absent)
    made = make_tables(made_up_results(answers))
    assert {"summary", "accuracy_by_answer_type", "format_errors"} <= set(made)
    for name, maker in TABLES.items():
        if set(maker.needs) & set(absent):
            assert name not in made


@pytest.mark.slow
def test_conditions_are_never_mixed() -> None:
    other = PAPER.assign(condition="images=removed", correct=0.0, correct_lenient=0.0)
    made = make_tables(made_up_results(pd.concat([PAPER, other], ignore_index=True)))
    alone = frame_of(make_tables(made_up_results(PAPER)), "summary").set_index("label")
    both = frame_of(made, "summary").set_index("label")
    assert both.loc["gpt-4o [default]", "accuracy"] == alone.loc["gpt-4o", "accuracy"]
    assert both.loc["gpt-4o [images=removed]", "accuracy"] == 0
    labels = set(frame_of(made, "accuracy_by_domain")["label"])
    assert {f"{POOLED} [default]", f"{POOLED} [images=removed]"} <= labels
    assert POOLED not in labels


def test_only_baselines_give_a_summary_and_no_crash() -> None:
    answers = PAPER[PAPER["examinee"].str.startswith("baseline:")]
    made = make_tables(made_up_results(answers))
    kept = {
        "summary",
        "reading",
        "examinees",
        "accuracy_of_each_by_domain",
        "published_human_study",
    }
    assert set(made) == kept


@pytest.mark.slow
def test_reliability_is_of_groups_and_needs_three_examinees(tables: dict[str, Table]) -> None:
    frame = frame_of(tables, "reliability")
    assert list(frame["group"]) == ["population"]  # a single model is no group
    assert frame["n"].iloc[0] == 5
    assert "fewer than 10" in frame["warnings"].iloc[0]
    two = made_up_results(made_up_answers(people=2, models=()))
    assert "reliability" not in make_tables(two)


@pytest.mark.slow
def test_published_figures_come_with_the_paper_edition_only(tables: dict[str, Table]) -> None:
    frame = frame_of(tables, "published_by_domain").set_index("domain")
    assert frame.loc["grid_path", "GPT-5-mini"] == pytest.approx(0.545)
    assert frame.loc["colours_present", "published_valid"] == "no"
    assert frame.loc["grid_path", "published_valid"] == "yes"
    audited = make_tables(made_up_results(made_up_answers(edition="audited")))
    assert not [name for name in audited if name.startswith("published")]


def test_whose_prompts_were_asked_stands_beside_every_published_figure() -> None:
    answers = made_up_answers(domains=("grid_path", "sort_lines"), sizes=4, edition="paper")
    names = ("published_by_domain", "published_by_skill", "published_human_study")
    for prompts, said in (
        (None, "prompts written by gfactor"),
        ("0123456789ab", "prompts from a file (SHA-256 0123456789ab)"),
    ):
        results = made_up_results(answers.assign(prompts=prompts), n_bootstrap=5)
        made = {name: TABLES[name].make(results) for name in names}
        for found in made.values():
            assert found is not None
            assert sum(said in note for note in found.notes) == 1


def test_chance_of_each_size_goes_into_the_curves() -> None:
    frame = pd.DataFrame({"domain": ["circle_boxes", "inside_circles", "sort_lines", "other"]})
    rows = frame.assign(benchmark="percept-v", chance=0.2)
    sizes = np.array([1.0, 2.0, 20.0])
    guess = guesses(rows, list(frame["domain"]), sizes)
    assert guess[0].tolist() == [1 / 2, 1 / 3, 1 / 21]
    assert guess[1].tolist() == [0.5] * 3
    assert guess[2, 0] == 1  # one line has one order: such a size is left out of the fit
    assert guess[3].tolist() == [0.2] * 3
    assert guesses(rows.assign(benchmark="else"), ["circle_boxes"], sizes).tolist() == [[0.2] * 3]


def test_the_published_skill_means_are_those_of_the_published_domains() -> None:
    domains: Any = percept_v_level("domain")
    assert len(domains) == 30 * 8
    means: Any = (
        domains.merge(percept_v_skills().rename(columns={"domain": "name"}), on="name")
        .groupby(["skill", "model"])["percent"]
        .mean()
    )
    stated: Any = percept_v_level("skill").set_index(["name", "model"])["percent"]
    assert len(stated) == 7 * 8
    for key, value in stated.items():
        assert means.loc[key] == pytest.approx(value, abs=0.02)


def test_labels_are_short_and_unique() -> None:
    names = [
        "observer:ideal", "observer:limited?seed=1", "observer:limited?seed=2",
        "openai:a", "vllm:a", "baseline:random?seed=0", "odd",
    ]  # fmt: skip
    labels = short_labels(names)
    assert len(set(labels.values())) == len(names)
    assert labels["observer:limited?seed=1"] == "P01"
    assert labels["openai:a"] == "openai:a"  # "a" alone would be two examinees
    assert labels["baseline:random?seed=0"] == "random"


def table(**columns: Any) -> Table:
    return Table("A & B", pd.DataFrame(columns), percent=("p",), notes=("Note.",))


def test_numbers_are_written_as_people_read_them() -> None:
    made = table(who=["x|y", "z_1"], n=[1200, 3], p=[0.1234, np.nan], p_low=[0.1, np.nan],
                 p_high=[0.2, np.nan], v=[1.234, 2.0])  # fmt: skip
    cells = [[cell.whole for cell in row] for row in formatted(made).rows]
    assert cells == [
        ["x|y", "1,200", "12.3 [10.0, 20.0]", "1.23"],
        ["z_1", "3", "–", "2.00"],
    ]
    assert [h.text for h in formatted(made).headings] == ["who", "n", "p (%)", "v"]
    assert r"| x\|y | 1,200 | 12.3 [10.0, 20.0] | 1.23 |" in to_markdown(made)
    assert r"z\_1 & 3 & -- & 2.00 \\" in to_latex(made)
    assert r"\caption{A \& B}" in to_latex(made)
    greek = to_latex(Table("β of χ²", made.frame, notes=("ω → 1 …",)))
    assert r"$\beta$ of $\chi$$^2$" in greek
    assert greek.isascii()  # the least that every LaTeX reads
    assert to_csv(made).splitlines()[1] == "x|y,1200,0.1234,0.1,0.2,1.234"


def test_a_threshold_outside_the_sizes_given_is_no_exact_number(tables: dict[str, Table]) -> None:
    frame = pd.DataFrame({
        "domain": ["a", "b", "c"], "threshold": [1.0, 3.0, 7.0], "threshold_low": [1.0, 2.0, 5.0],
        "threshold_high": [1.0, 4.0, 7.0], "censored": ["below", "", "beyond"],
    })  # fmt: skip
    censored = tables["psychometric_functions"].censored
    shown = [row[1] for row in formatted(Table("Curves", frame, censored=censored)).rows]
    assert [(one.text, one.interval) for one in shown] == [
        ("< 1.00", ""), ("3.00", "[2.00, 4.00]"), ("> 7.00", "[5.00, 7.00]"),
    ]  # fmt: skip


def test_large_numbers_keep_the_digits_that_their_differences_are_made_of() -> None:
    made = table(model=["a", "b"], logl=[-12703.48123, -12703.9], n=[1234567.0, 1e3])
    assert to_csv(made).splitlines()[1:] == ["a,-12703.4812,1234567", "b,-12703.9,1000"]


def test_specifications_stand_in_a_table_of_their_own(tables: dict[str, Table]) -> None:
    table, listed = tables["summary"], tables["examinees"]
    assert "examinee" in table.frame
    assert "examinee" in to_csv(table).splitlines()[0].split(",")
    assert "observer:limited" not in to_markdown(table) + to_latex(table)
    assert listed.folded
    stored = dict(zip(listed.frame["label"], listed.frame["specification"], strict=True))
    assert stored == dict(zip(table.frame["label"], table.frame["examinee"], strict=True))


@pytest.mark.thorough
def test_names_that_are_specifications_need_no_table() -> None:
    answers = PAPER[PAPER["examinee"].str.startswith("observer:ideal")]
    made = made_up_results(answers)
    assert "examinees" in make_tables(made)
    plain = replace(made, answers=made.answers.assign(label=made.answers["examinee"]))
    assert "examinees" not in make_tables(plain)


def test_comparisons_and_notes_are_in_print_in_latex() -> None:
    for rows in (2, 46):
        text = to_latex(table(a=["p < .05 > 0"] * rows, n=range(rows)))
        assert r"p \textless{} .05 \textgreater{} 0" in text
        printed = [line for line in text.splitlines() if not line.startswith("%")]
        assert sum("Note." in line for line in printed) == 1


def test_latex_names_what_a_table_needs() -> None:
    first = to_latex(table(a=["x"], n=[1])).splitlines()[0]
    assert first == r"% needs \usepackage{booktabs}"
    long = to_latex(table(a=["x"] * 46, n=range(46))).splitlines()[0]
    assert long == r"% needs \usepackage{booktabs} and \usepackage{longtable}"
    assert "lualatex" in to_latex(table(a=["模型"], n=[1])).splitlines()[1]


def test_every_greek_letter_and_minus_is_one_that_pdflatex_knows() -> None:
    made = Table("Λ and θ", pd.DataFrame({"a": ["a-1 & b_2"], "b": [-0.5], "b_low": [-1.25],
                                         "b_high": [0.5]}))  # fmt: skip
    text = to_latex(made)
    assert text.isascii()
    assert r"\caption{$\Lambda$ and $\theta$}" in text
    assert r"a-1 \& b\_2 & $-$0.50 [$-$1.25, 0.50] \\" in text


def test_counts_and_degrees_of_freedom_have_no_decimals() -> None:
    made = Table("t", pd.DataFrame({"model": ["a", "b"], "df": [6.0, 12.0], "n_free": [1.0, 2.0],
                                    "chisq.df": [1234.0, np.nan], "wins": [0.5, 1.0]}))  # fmt: skip
    cells = [[cell.whole for cell in row] for row in formatted(made).rows]
    assert cells == [["a", "6", "1.00", "1,234", "0.50"], ["b", "12", "2.00", "–", "1.00"]]


def test_long_tables_become_longtables_in_latex() -> None:
    assert r"\begin{tabular}{lr}" in to_latex(table(a=["x"] * 45, n=range(45)))
    long = to_latex(table(a=["x"] * 46, n=range(46)))
    assert r"\begin{longtable}{lr}" in long
    assert long.count(r"\\") == 46 + 2


@pytest.mark.slow
def test_results_know_their_level_and_bootstrap() -> None:
    wide = frame_of(make_tables(replace(made_up_results(PAPER), level=0.99)), "accuracy_by_domain")
    narrow = frame_of(make_tables(made_up_results(PAPER)), "accuracy_by_domain")
    assert (wide["accuracy_low"] <= narrow["accuracy_low"]).all()
    assert (wide["accuracy_low"] < narrow["accuracy_low"]).any()


@pytest.mark.slow
def test_a_column_of_the_summary_is_added_in_one_place(monkeypatch: pytest.MonkeyPatch) -> None:
    column = summary._Column(
        ("most",), lambda one: (one.counted["correct"].max(),), "best item", percent=True,
        notes=("Best item: the highest score on one.",),
    )  # fmt: skip
    monkeypatch.setattr(summary, "COLUMNS", (*summary.COLUMNS, column))
    table = make_tables(made_up_results(PAPER))["summary"]
    assert list(table.frame)[-1] == "most"
    assert table.headings["most"] == "best item"
    assert "most" in table.percent
    assert column.notes[0] in table.notes


def test_names_of_examinees_are_as_they_are_in_markdown() -> None:
    """An ampersand is HTML only if it begins an entity."""
    names = ["observer:limited?acuity=0.3&seed=1", "a &lt; b", "R&D; x &#38; y"]
    text = to_markdown(Table("t", pd.DataFrame({"examinee": names})))
    assert "| observer:limited?acuity=0.3&seed=1 |" in text
    assert "| a &amp;lt; b |" in text
    assert "| R&amp;D; x &amp;#38; y |" in text


def test_a_table_is_formatted_once_for_all_its_exports(tables: Mapping[str, Table]) -> None:
    one = tables["summary"]
    assert formatted(one) is formatted(one)
    assert formatted(replace(one, percent=())) != formatted(one)


def test_a_difference_that_rounds_to_zero_has_no_sign() -> None:
    table = Table("Steps", pd.DataFrame({"level": ["a", "b"], "d_srmr": [-1e-5, -0.01]}))
    text = to_markdown(table)
    assert "| a | 0.00 |" in text
    assert "| b | -0.01 |" in text


def test_labels_that_were_asked_for_have_a_table_one_below_the_other(results: Results) -> None:
    assert by_label(results) is None
    one = by_label(replace(results, by={"Size": "size"}))
    by_size = make_tables(results, ["accuracy_by_size"])["accuracy_by_size"]
    assert one is not None
    assert one.title == "Accuracy by Size"
    pd.testing.assert_frame_equal(one.frame, by_size.frame)
    both = by_label(replace(results, by={"Size": "size", "domain": "domain"}))
    assert both is not None
    assert both.frame["by"].unique().tolist() == ["Size", "domain"]
    sizes: Any = both.frame.loc[both.frame["by"] == "Size"]
    assert sizes["accuracy"].tolist() == by_size.frame["accuracy"].tolist()
