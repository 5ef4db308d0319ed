"""GOLD's figures against public scores: what agrees, what does not, and the test that shows why.

The scores are in ../shared (sources in its SOURCES.md); the tests are skipped where it is absent.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from support.benchmarks import SHARED, read, shared

from gfactor.psychometrics.alignment import (
    align,
    correlation_difference,
    criterion_from_table,
    rank_agreement,
    standardized_mean,
)
from gfactor.psychometrics.gold import (
    benchmark_diagnostics,
    diagnostics_of_correlations,
    model_from_columns,
    with_general,
)
from gfactor.psychometrics.gold.model import tasks
from gfactor.psychometrics.pls import PLSModel
from gfactor.psychometrics.pruning import PruningRules, prune, stability
from gfactor.scoring.tables import read_names

if not SHARED.is_dir():
    reason = "the leaderboards of ../shared (no license to redistribute) are not in this checkout"
    pytest.skip(reason, allow_module_level=True)

CASE_STUDY = PruningRules(vif=5, loading=0.8)
LEVELS = {
    "Low": ("Relative_Depth", "Relative_Reflectance", "Visual_Correspondence"),
    "Mid": ("Art_Style", "Jigsaw", "Spatial_Relation", "Multi-view_Reasoning",
            "Object_Localization", "Counting"),
    "High": ("Forensic_Detection", "Semantic_Correspondence", "Visual_Similarity",
             "Functional_Correspondence", "IQ_Test"),
}  # fmt: skip
"""BLINK's levels: GOLD's table IV says where eight tasks belong; the others are placed by us."""


@pytest.fixture(scope="module")
def paper() -> dict[str, Any]:
    return json.loads(shared("data/published/gold.json").read_text())


def crosspred() -> Any:
    return read("data/tidy/crosspred_108models_176tasks.csv")


def only(data: Any, benchmark: str) -> tuple[Any, PLSModel]:
    own = data[[c for c in data if str(c).startswith(f"{benchmark}.")]]
    return own, model_from_columns(list(map(str, own.columns)))


def blink() -> tuple[Any, PLSModel]:
    table = read("data/tidy/blink_val_task_scores_28rows.csv")
    table = table.drop(index="GPT4o")  # GPT-4o occurs twice, from two sources.
    return table, with_general({k: [f"BLINK.{t}" for t in own] for k, own in LEVELS.items()})


def test_mmbench_over_the_whole_range_is_as_in_the_paper(paper: dict[str, Any]) -> None:
    bar = paper["figures_from_repo"]["fig8_bars"]["MMBench"]
    data, model = only(crosspred(), "MMBench_EN")
    able = data[data.mean(axis=1) > 0.25]
    found = benchmark_diagnostics(able, model, n_bootstrap=0)
    assert found["D_div"] == pytest.approx(bar["D_div"], abs=0.02)
    assert found["TC"] == pytest.approx(bar["TC"], abs=0.02)
    assert found["D_valid"] < bar["D_valid"]


@pytest.mark.thorough
def test_models_below_chance_inflate_mmbenchs_loadings_and_vifs() -> None:
    data, model = only(crosspred(), "MMBench_EN")
    every = benchmark_diagnostics(data, model, n_bootstrap=0)
    able = benchmark_diagnostics(data[data.mean(axis=1) > 0.25], model, n_bootstrap=0)
    assert (every.n, able.n) == (108, 90)
    assert every["TC"] > able["TC"] + 0.03
    assert every["D_valid"] < 0.6 * able["D_valid"]


@pytest.mark.thorough
@pytest.mark.parametrize("ends", ["published", "ours"])
def test_among_the_best_50_mmbenchs_diagnostics_are_others(ends: str) -> None:
    data, model = only(crosspred(), "MMBench_EN")
    if ends == "ours":
        ordered = data.loc[data.mean(axis=1).sort_values().index]
        top = benchmark_diagnostics(ordered.iloc[-50:], model, n_bootstrap=0)
        low = benchmark_diagnostics(ordered.iloc[:50], model, n_bootstrap=0)
        assert top["TC"] == pytest.approx(0.65, abs=0.05)
        assert low["TC"] == pytest.approx(0.95, abs=0.02)
        assert top["D_valid"] > 5 * low["D_valid"]
        return
    # The paper's own source of scores, as correlations of its 50 best and 50 worst models.
    names = {str(c).rsplit(".", 1)[1]: str(c) for c in data}
    found = {}
    for end in ("top50", "bottom50"):
        name = f"data/tidy/openvlm_redundancy_corr/MMBench_TEST_EN_V11_PLCC_{end}.csv"
        r = read(name).rename(index=names, columns=names)
        found[end] = diagnostics_of_correlations(r, model).three
    assert found["bottom50"]["TC"] == pytest.approx(0.92, abs=0.02)
    assert found["bottom50"]["D_div"] == pytest.approx(0.47, abs=0.02)
    assert found["bottom50"]["D_valid"] == pytest.approx(0.25, abs=0.05)
    assert found["top50"]["TC"] < 0.6
    assert found["top50"]["D_valid"] > 0.8


@pytest.mark.thorough
def test_blinks_diagnostics_agree_with_the_paper_over_older_models(paper: dict[str, Any]) -> None:
    data, model = blink()
    found = benchmark_diagnostics(data, model, n_bootstrap=200)
    bar = paper["figures_from_repo"]["fig8_bars"]["BLINK"]
    assert found.largest_htmt[2] == pytest.approx(1.21, abs=0.04)
    row: Any = found.table.set_index("diagnostic")
    for name in ("D_div", "TC", "D_valid"):
        assert row.loc[name, "low"] <= bar[name] <= row.loc[name, "high"], name
    weak: Any = found.tasks.set_index("task")["loading"]
    assert weak["BLINK.IQ_Test"] == pytest.approx(0.354, abs=0.15)
    assert float(found.tasks["vif"].to_numpy().max()) == pytest.approx(3.09, abs=0.15)


@pytest.mark.thorough
def test_mme_and_mmmu_are_near_the_paper_where_models_are_spread(paper: dict[str, Any]) -> None:
    bars = paper["figures_from_repo"]["fig8_bars"]
    mme = read("data/tidy/mme_official_leaderboard_14tasks.csv")
    found = benchmark_diagnostics(mme, model_from_columns(list(mme.columns)), n_bootstrap=0)
    assert found["TC"] == pytest.approx(bars["MMEBench"]["TC"], abs=0.03)
    table = read("data/tidy/m3irt_mmmu_val_24models_30subjects.csv")
    found = benchmark_diagnostics(table, model_from_columns(list(table.columns)), n_bootstrap=0)
    for name in ("D_div", "TC", "D_valid"):
        assert found[name] == pytest.approx(bars["MMMUBench"][name], abs=0.06), name


@pytest.mark.thorough
def test_mmmu_is_another_benchmark_once_failed_extraction_is_left_out() -> None:
    data, model = only(crosspred(), "MMMU_VAL")
    every = benchmark_diagnostics(data, model, n_bootstrap=0)
    able = benchmark_diagnostics(data[data.mean(axis=1) > 0.25], model, n_bootstrap=0)
    assert able.n == 56
    assert every["TC"] > able["TC"] + 0.3
    assert every["D_valid"] < 0.4 * able["D_valid"]


def test_pruning_mmbench_gives_eleven_of_the_papers_twelve_tasks(paper: dict[str, Any]) -> None:
    data, model = only(crosspred(), "MMBench_EN")
    found = prune(model, data, CASE_STUDY)
    ours = {t.rsplit(".", 1)[1] for t in found.tasks_left}
    theirs = {r["task"].lower().replace(" ", "_") for r in paper["tableIII_mmbench_refined"]}
    theirs = (theirs - {"structured_image-text_understanding"}) | {
        "structuralized_imagetext_understanding"
    }
    assert len(ours) == 13
    assert theirs - ours == {"ocr"}
    assert ours - theirs == {"celebrity_recognition", "nature_relation"}


def test_pruning_blink_gives_seven_of_the_papers_eight_tasks(paper: dict[str, Any]) -> None:
    data, model = blink()
    ours = {t.removeprefix("BLINK.") for t in prune(model, data, CASE_STUDY).tasks_left}
    theirs = {r["task"].replace(" ", "_") for r in paper["tableIV_blink_refined"]}
    assert len(ours) == 8
    assert theirs - ours == {"Spatial_Relation"}
    assert ours - theirs == {"Functional_Correspondence"}


@pytest.mark.thorough
def test_which_tasks_stay_is_a_matter_of_which_models_are_asked() -> None:
    data, model = blink()
    steady = stability(data, prune(model, data, CASE_STUDY), n_bootstrap=100)
    assert steady.stability < 0.6
    assert steady.same < 0.3
    data, model = only(crosspred(), "MMBench_EN")
    best = data.loc[data.mean(axis=1).sort_values().index[-50:]]
    top = set(prune(model, best, CASE_STUDY).tasks_left)
    every = set(prune(model, data, CASE_STUDY).tasks_left)
    assert len(top & every) / len(top | every) < 0.5


@pytest.mark.thorough
def test_ranks_survive_pruning_as_in_table_vii_and_would_with_any_tasks() -> None:
    data, model = only(crosspred(), "MMBench_EN")
    whole = standardized_mean(data[list(tasks(model))])
    kept = prune(model, data, CASE_STUDY).tasks_left
    table: Any = rank_agreement(whole, standardized_mean(data[list(kept)]), 50)
    r = table[table["coefficient"] == "spearman"].set_index("range")["estimate"]
    assert r["top"] == pytest.approx(0.9099, abs=0.04)
    assert r["bottom"] > 0.93
    rng = np.random.default_rng(0)
    random = []
    for _ in range(50):
        drawn = data[rng.choice(tasks(model), len(kept), replace=False)]
        table = rank_agreement(whole, standardized_mean(drawn), 50)
        random.append(table.iloc[0]["estimate"])
    assert np.median(random) > 0.97


def test_figure_9s_order_is_not_that_of_the_rated_models(paper: dict[str, Any]) -> None:
    bars = paper["figures_from_repo"]["fig9_pearson_with_chatbot_arena"]
    table = read("data/tidy/openvlm_overall_285models_with_arena.csv", "model")
    arena = read("data/tidy/arena_vision_history_2025-03_to_2025-12.csv", None)
    arena = arena[(arena["date"] == "2025-05-21") & (arena["category"] == "full")]
    criterion = criterion_from_table(arena, "Vision Arena")
    names = read_names(
        shared("data/tidy/arena_name_map.csv"), {"dataset": "openvlm_overall_2025"}
    ).names
    found = {}
    ours = {"MMMU": "MMMU_VAL", "MMBench": "MMBench_TEST_EN_V11", "MMEBench": "MME",
            "BLINK": "BLINK", "QBench": "QBench", "SeedbenchV2": "SEEDBench2"}  # fmt: skip
    for theirs, column in ours.items():
        found[theirs] = align(table[column], criterion, names)
        assert found[theirs].n <= 45, "the paper says 165 models"
    assert found["MMMU"].pearson.low > bars["MMMU"]
    for name in ("MMBench", "MMEBench", "BLINK"):
        c = found[name].pearson
        assert c.low <= bars[name] <= c.high, name
    pairs: Any = found["MMMU"].pairs
    pairs = pairs[pairs["model"].isin(found["MMBench"].pairs["model"])]
    d = correlation_difference(
        table.loc[pairs["model"], "MMMU_VAL"],
        table.loc[pairs["model"], "MMBench_TEST_EN_V11"],
        pairs["rating"],
    )
    assert d.low > 0
