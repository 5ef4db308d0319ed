"""Names come from the headers of other people's tables: no notebook may run what they hold."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from gfactor.psychometrics import all_pairs, rank_sets, reliability
from gfactor.psychometrics.alignment import align, criterion_from_table
from gfactor.psychometrics.factor.exploratory import efa, schmid_leiman
from gfactor.psychometrics.factor.suitability import adequacy
from gfactor.psychometrics.gold import BenchmarkScores, benchmark_diagnostics, compare_benchmarks
from gfactor.psychometrics.pls import PLSModel, bootstrap_pls, fit_pls, predict_pls
from gfactor.psychometrics.pruning import PruningRules, prune, stability, validate
from gfactor.psychometrics.respondents import forensics

EVIL = "<script>alert(1)</script>"
MARK = '"&<b>'
ROWS = 60


def _table() -> pd.DataFrame:
    rng = np.random.default_rng(1)
    general = rng.normal(size=(ROWS, 1))
    parts = 0.8 * general + 0.6 * rng.normal(size=(ROWS, 2))
    values = np.repeat(parts, 3, axis=1) * 0.8 + 0.5 * rng.normal(size=(ROWS, 6))
    return pd.DataFrame(
        values,
        columns=[EVIL, "a2", "a3", MARK, "b2", "b3"],
        index=[f"{EVIL}{k}" for k in range(ROWS)],
    )


TABLE = _table()
PATHS = PLSModel.of({"A": [EVIL, "a2", "a3"], "B": [MARK, "b2", "b3"]}, [("A", "B")])
POOL = PLSModel.of({"A": [EVIL, "a2", "a3"], "B": [MARK, "b2", "b3"], "P": ["A", "B"]}, ())
HUMAN = criterion_from_table(
    pd.DataFrame({"model": TABLE.index, "rating": 1000 + 50 * TABLE["a2"].to_numpy()}), EVIL
)


def _pruned() -> Any:
    return prune(POOL, TABLE, PruningRules(vif=5, loading=0.75))


RESULTS: dict[str, Callable[[], Any]] = {
    "adequacy": lambda: adequacy(TABLE.assign(same=1.0)),
    "alignment": lambda: align(pd.Series(TABLE.mean(axis=1)), HUMAN),
    "differences": lambda: all_pairs(TABLE.head(3)),
    "efa": lambda: efa(TABLE, 2),
    "forensics": lambda: forensics({EVIL: TABLE.round(1), "b": TABLE.round(1).head(30)}),
    "gold": lambda: benchmark_diagnostics(TABLE, POOL, n_bootstrap=20),
    "gold of several": lambda: compare_benchmarks(
        {EVIL: BenchmarkScores(TABLE, POOL), "b": BenchmarkScores(TABLE.head(50), POOL)},
        criterion=HUMAN, n_bootstrap=20,
    ),
    "pls": lambda: fit_pls(PATHS, TABLE),
    "pls bootstrap": lambda: bootstrap_pls(fit_pls(PATHS, TABLE), 20, seed=1),
    "pls prediction": lambda: predict_pls(fit_pls(PATHS, TABLE), folds=3, seed=1),
    "pruning": _pruned,
    "pruning stability": lambda: stability(TABLE, _pruned(), n_bootstrap=20),
    "pruning validation": lambda: validate(TABLE, _pruned(), criterion=HUMAN, folds=3),
    "rank sets": lambda: rank_sets(all_pairs(TABLE.head(3))),
    "reliability": lambda: reliability(TABLE),
    "schmid-leiman": lambda: schmid_leiman(efa(TABLE, 2)),
}  # fmt: skip


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", RESULTS)
def test_a_name_in_a_header_stays_a_text(name: str) -> None:
    found = RESULTS[name]()
    page = found._repr_html_()
    assert "<script" not in page
    assert MARK not in page
    json.dumps(found.to_dict(), allow_nan=False)
