"""M3GIA's tables: factors, people, occasions, the image ablation, counts, correlations."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.paper_runs import (
    MODELS,
    Made,
    answer,
    frame,
    reply_of,
    results_of,
)

from gfactor.benchmarks.published import published
from gfactor.items import ItemBank
from gfactor.psychometrics.inference.paired import mcnemar_exact, tango
from gfactor.reports import TABLES, Results, make_tables


@pytest.mark.slow
def test_m3gias_factors_count_the_items_of_their_types(m3gia: Results, made: Made) -> None:
    rows = frame(made["m3gia"], "m3gia_factors").set_index(["source", "label"])
    own: Any = m3gia.answers
    own = own[(own["examinee"] == "openai:b") & (own["condition"] == "default")]
    # Number Series and Raven's Matrices call for I, Oral Vocabulary for Gc.
    for factor, domains in (("I", ("Number Series", "Raven's Matrices")),
                            ("Gc", ("Oral Vocabulary",))):  # fmt: skip
        counted = own[own["domain"].isin(domains)]
        row = rows.loc[("here", "b [default]")]
        assert row[factor] == pytest.approx(counted["correct"].mean())
        assert row[f"{factor}_n"] == len(counted)
    assert rows.loc[("published", "GPT-4o"), "overall"] == pytest.approx(0.598)
    assert rows.loc[("expected", "chance"), "Gc"] == pytest.approx(1 / 3)


@pytest.mark.slow
def test_people_are_one_row_with_the_spread_of_persons(m3gia: Results, made: Made) -> None:
    rows = frame(made["m3gia"], "m3gia_languages").set_index("label")
    row = rows.loc["people (pooled) [default]"]
    own: Any = m3gia.answers
    assert row["overall_n"] == np.count_nonzero(own["role"] == "person") == 72
    means = own[own["role"] == "person"].groupby("examinee")["correct"].mean()
    assert row["overall"] == pytest.approx(means.mean())
    half = 4.302653 * means.std(ddof=1) / np.sqrt(3)  # t of two degrees of freedom
    assert row["overall_low"] <= means.mean() - half + 1e-6
    assert not [label for label in rows.index if str(label).startswith("P")]
    summary = frame(made["m3gia"], "summary").set_index("label")
    assert summary.loc["people (pooled) [default]", "examinee"] == "3 persons"


@pytest.mark.slow
def test_an_item_asked_more_often_weighs_no_more(
    banks: dict[str, ItemBank], tmp_path: Path
) -> None:
    answer(tmp_path / "c.db", banks["m3gia"], "openai:a", reply_of("x", 0.5), occasions=3)
    answer(tmp_path / "d.db", banks["m3gia"], "openai:a", reply_of("x", 0.5))
    thrice, once = (
        frame(make_tables(results_of(tmp_path / name)), "m3gia_factors")
        for name in ("c.db", "d.db")
    )
    pd.testing.assert_frame_equal(thrice, once)


def test_the_image_ablation_is_mcnemars_test_on_the_same_items(m3gia: Results, made: Made) -> None:
    rows = frame(made["m3gia"], "m3gia_images")
    own: Any = m3gia.answers
    english = own[own["test_language"] == "en"]
    table: Any = TABLES["m3gia_images"].make(replace(m3gia, answers=english))
    alone = table.frame
    row = alone[(alone["label"] == "a") & (alone["cluster"] == "overall")].iloc[0]
    counted = english[(english["examinee"] == "openai:a") & (english["condition"] == "default")]
    lost = int(counted["correct"].sum())
    assert row["n"] == len(counted)
    assert row["difference"] == pytest.approx(-lost / len(counted))
    assert row["p"] == pytest.approx(mcnemar_exact(0, lost))
    assert (row["difference_low"], row["difference_high"]) == pytest.approx(
        tango(0, lost, len(counted))
    )
    assert set(rows[rows["source"] == "here"]["label"]) == {"a"}  # nobody else has both
    printed = rows[rows["source"] == "published"].set_index("cluster")
    assert printed.loc["overall", "difference"] == pytest.approx(0.366 - 0.607)


@pytest.mark.slow
def test_counts_by_type_are_whole_or_empty(m3gia: Results, made: Made) -> None:
    rows = frame(made["m3gia"], "m3gia_counts_en").set_index("examinee")
    own: Any = m3gia.answers
    own = own[(own["test_language"] == "en") & (own["condition"] == "default")]
    counted = own[own["examinee"] == "openai:b"].set_index("domain")["correct"]
    for name in rows.columns:
        assert rows.loc["b [default]", name] == counted[name]
    assert set(frame(made["m3gia"], "m3gia_people_en")["examinee"]) == {
        "P1 [default]", "P2 [default]", "P3 [default]",
    }  # fmt: skip
    failed = m3gia.answers.copy()
    hit = (failed["examinee"] == "openai:b") & (failed["item_id"] == "en-001")
    failed.loc[hit, "missing"] = True
    rows = frame(make_tables(replace(m3gia, answers=failed)), "m3gia_counts_en")
    assert rows.set_index("examinee").loc["b [default]"].isna().sum() == 1


@pytest.mark.slow
def test_figure_4_is_of_models_under_one_condition_alone(m3gia: Results, made: Made) -> None:
    rows = frame(made["m3gia"], "m3gia_correlations")
    assert set(rows["condition"]) == {"default"}
    assert set(rows["n"]) == {len(MODELS)}
    theirs: Any = published("m3gia-1").frame
    models = theirs[theirs["group"] != "Human"]
    row = rows[(rows["factor"] == "Gf") & (rows["other"] == "Gv")].iloc[0]
    assert row["published_r"] == pytest.approx(np.corrcoef(models["Gf"], models["Gv"])[0, 1])
    fewer = m3gia.answers[m3gia.answers["examinee"] != "vllm:d"]
    assert "m3gia_correlations" not in make_tables(replace(m3gia, answers=fewer))
