"""Every idiom of the tables "You type in R ... you type here" runs, or is listed as missing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support import lavaan_recorded as recorded

import gfactor as gf

DOCS = Path(__file__).parents[2] / "docs"
CODE = re.compile(r"`([^`]+)`")
HEADING = re.compile(r"^\| (?:You type in R|lavaan) .*\|", re.MULTILINE)
MISSING = "does not exist"
SLOW = ("factors=4", "factors=8", "factors={", "dif(", "invariance(", "bifactor")


def idioms() -> list[tuple[str, str]]:
    """The page and the right column of every row."""
    rows: list[tuple[str, str]] = []
    for page in sorted(DOCS.rglob("*.md")):
        text = page.read_text("utf-8")
        for heading in HEADING.finditer(text):
            for line in text[heading.end() :].lstrip("\n").splitlines()[1:]:
                if not line.startswith("|"):
                    break
                rows.append((page.name, re.split(r"(?<!\\)\|", line)[2].strip()))
    return rows


@cache
def answers() -> pd.DataFrame:
    rng = np.random.default_rng(1)
    ability = rng.normal(size=(300, 1)) + 0.8 * rng.normal(size=(300, 2))
    predictor = np.repeat(ability, 6, axis=1) + rng.normal(0, 0.6, 12)
    right = rng.uniform(size=predictor.shape) < 1 / (1 + np.exp(-predictor))
    return pd.DataFrame(right.astype(int), columns=[f"item{k}" for k in range(1, 13)])


@cache
def names(page: str) -> Mapping[str, Any]:
    """What the code of a page's table finds: data, models and fits."""
    common = {"gf": gf}
    if page == "irt.md":
        data = answers()
        fits = [gf.irt(name, data) for name in ("rasch", "1pl", "2pl")]
        return common | {
            "data": data, "d": data.iloc[:, :5], "fit": fits[2],
            "fit1": fits[0], "fit2": fits[2], "age": data[["item6"]],
            "W": pd.DataFrame({"step": range(5)}, index=list(data)[:5]),
            "m": gf.latent_classes(data.iloc[:, :5], 2, covariates=data[["item6"]], starts=2),
        }  # fmt: skip
    levels = recorded.sample("two_levels")
    model = "level: 1\nfw =~ y1 + y2 + y3\nlevel: 2\nfb =~ y1 + y2 + y3"
    equal = model.replace("y1 + y2 + y3", "y1 + a*y2 + b*y3")
    if "two" in page:
        return common | {
            "model": model, "d": recorded.sample("two_levels_groups"),
            "fit": gf.sem(model, levels, cluster="school"),
            "equal": gf.sem(equal, levels, cluster="school"),
            "free": gf.sem(model, levels, cluster="school"),
        }  # fmt: skip
    one = "f =~ x1 + a*x2 + b*x3\ng =~ x4 + x5 + x6"
    data = recorded.sample("three_factors")
    fits = [
        gf.sem(text, data, meanstructure=True, estimator="MLR")
        for text in (one.replace("b*x3", "a*x3"), one, one + "\nx1 ~~ x4")
    ]
    answered = recorded.sample("ordinal")[[f"x{k}" for k in range(1, 7)]]
    return (
        common
        | {
            "model": one,
            "blocks": 'efa("b")*f + efa("b")*g =~ x1 + x2 + x3 + x4 + x5 + x6',
            "data": data.assign(school=["n", "s"] * (len(data) // 2)),
            "fit": fits[1],
            "new_data": data.head(3),
            "fit1": fits[0],
            "fit2": fits[1],
            "fit3": fits[2],
        }
        | ({"data": answered} if page == "ordinal" else {})
    )


@pytest.mark.parametrize(
    ("page", "cell"),
    [
        pytest.param(page, cell, marks=pytest.mark.slow if any(w in cell for w in SLOW) else ())
        for page, cell in idioms()
    ],
)
def test_an_idiom_runs_or_is_listed_as_missing(page: str, cell: str, tmp_path: Path) -> None:
    codes = CODE.findall(cell)
    if not codes:
        assert cell == MISSING
        return
    where = "two" if page == "cfa.md" else "ordinal" if "ordered" in cell else page
    scope: dict[str, Any] = {**names(where), "folder": tmp_path}
    if "sex" in cell:
        scope["data"] = scope["data"].assign(sex=["f", "m"] * 150)
    runs = [code for code in codes if code.startswith(("gf.", "fit.", "m."))]
    assert runs, cell
    for code in runs:
        assert eval(runnable(code), scope) is not None, code


def runnable(code: str) -> str:
    """The code with lists in the place of its dots, and two factors in the place of many, whose
    fits test_many_factors.py and test_mhrm.py try."""
    code = code.replace("factors=8", 'factors=2, method="mhrm"').replace("factors=4", "factors=2")
    code = code.replace('["item1", ...]', "list(data)[:6]").replace("[...]", "list(data)[6:]")
    return code.replace(", ...}", ', "S2": list(data)[6:]}')


def test_the_tables_are_found() -> None:
    assert {page for page, _ in idioms()} == {"cfa-for-r-users.md", "cfa.md", "irt.md"}
    assert len(idioms()) >= 34
