"""Recorded fits of mirt (tests/oracles/irt), set up from mirt's own table of parameters."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from gfactor.psychometrics.irt.likelihood.information import Marginal
from gfactor.psychometrics.irt.likelihood.marginal import CodedResponses, Quadrature
from gfactor.psychometrics.irt.likelihood.specification import (
    Block,
    IrtGroup,
    IrtModel,
    Prior,
)
from support.oracles import oracle, recorded

_DENSITY = {"norm": "normal", "lnorm": "lognormal", "expbeta": "beta"}


@cache
def case(name: str) -> dict[str, Any]:
    return json.loads(oracle(f"irt/cases/{name}.json").read_text("utf-8"))


def data(name: str) -> pd.DataFrame:
    """The data of a case."""
    return pd.read_csv(oracle(f"irt/data/{case(name)['data']}"))


@dataclass(frozen=True)
class Fit:
    """One recorded fit with an optimum that was checked a second time."""

    name: str
    part: str

    @property
    def recorded(self) -> dict[str, Any]:
        whole = case(self.name)
        return whole[self.part] if self.part else whole

    @property
    def optimum(self) -> dict[str, Any]:
        return self.recorded["recheck"]

    def __str__(self) -> str:
        return f"{self.name}.{self.part}" if self.part else self.name


def fits() -> Iterator[Fit]:
    """Every recorded fit whose optimum is trusted."""
    for path in recorded("irt/cases/*.json"):
        whole = json.loads(path.read_text("utf-8"))
        parts = [""] if "recheck" in whole else [
            k for k, v in whole.items() if isinstance(v, dict) and "recheck" in v
        ]  # fmt: skip
        for part in parts:
            found = whole[part] if part else whole
            if found["trusted"]["optimum_of_recheck"]:
                yield Fit(path.stem, part)


class _Builder:
    def __init__(self, fit: Fit) -> None:
        self.whole, self.fit = case(fit.name), fit.recorded
        given = self.fit["parameters"]
        columns = ("group", "item", "class", "name", "parnum", "value", "est", "prior.type",
                   "prior_1", "prior_2")  # fmt: skip
        self.table = pd.DataFrame({column: given[column] for column in columns})
        self.table["value"] = pd.to_numeric(self.table["value"], errors="coerce")
        self.frame = data(fit.name)
        rows = zip(self.table["group"], self.table["item"], self.table["name"], strict=True)
        self.at = {key: row for row, key in enumerate(rows)}
        self.items = [i for i in dict.fromkeys(self.table["item"]) if i in self.frame.columns]
        self.estimated = self.table["est"].to_numpy(bool)
        self.specific = self.fit.get("specific")
        slopes = [n for n in dict.fromkeys(self.table["name"]) if n[0] == "a" and n[1:].isdigit()]
        self.factors = max(1, len(slopes))
        self._free()

    def _free(self) -> None:
        table = self.table
        base = table["value"].to_numpy(float).copy()
        asymptote = ((table["class"] == "dich") & table["name"].isin(["g", "u"])).to_numpy()
        with np.errstate(all="ignore"):
            base = np.where(asymptote, np.log(base / (1 - base)), base)
        owner = {int(k): int(k) for k in table["parnum"]}
        for given in self.fit.get("constrain") or []:
            same = given if isinstance(given, list) else [given]
            owner |= {int(k): int(same[0]) for k in same}
        numbers = table["parnum"].to_numpy()
        free = list(dict.fromkeys(
            owner[int(k)] for k, on in zip(numbers, self.estimated, strict=True) if on
        ))  # fmt: skip
        place = {k: column for column, k in enumerate(free)}
        row_of = {int(k): row for row, k in enumerate(numbers)}
        self.start = np.array([base[row_of[k]] for k in free])
        entries = [(row, place[owner[int(k)]], 1.0) for row, k in enumerate(numbers)
                   if owner[int(k)] in place]  # fmt: skip
        base[[row for row, _, _ in entries]] = 0
        entries += self._effects(owner, place, numbers)
        rows, columns, values = zip(*entries, strict=True)
        shape = (len(table), len(free))
        self.design = sparse.csr_matrix((values, (rows, columns)), shape=shape)
        self.base = base
        labels = zip(table["group"], table["item"], table["name"], strict=True)
        self.labels = tuple(f"{g}:{i}.{n}" for g, i, n in labels)
        self.free_labels = tuple(self.labels[row_of[k]] for k in free)

    def _effects(
        self, owner: Mapping[int, int], place: Mapping[int, int], numbers: np.ndarray
    ) -> list[tuple[int, int, float]]:
        """Intercepts of an LLTM: sums of effects."""
        if "W" not in self.whole:
            return []
        weights, names = np.array(self.whole["W"], float), self.whole["W_columns"]
        found = []
        for j, item in enumerate(self.items):
            for name in ["(Intercept)", *names]:
                row = self.at["all", item, name]
                weight = 1.0 if name == "(Intercept)" else weights[j, names.index(name)]
                found.append((self.at["all", item, "d"], place[owner[int(numbers[row])]], weight))
        return found

    def _item(self, group: str, item: str, j: int) -> tuple[Any, list[int]]:
        at, table = self.at, self.table
        own: Any = table[(table["group"] == group) & (table["item"] == item)]
        names, family = list(own["name"]), own["class"].iloc[0]

        def place(*wanted: str) -> list[int]:
            return [at[group, item, name] for name in wanted]

        if self.specific is not None:
            factors = (0, int(self.specific[j]))
        else:
            factors = tuple(
                f for f in range(self.factors)
                if (row := at.get((group, item, f"a{f + 1}"))) is not None
                and (self.estimated[row] or float(table["value"].to_numpy()[row]) != 0)
            ) or (0,)  # fmt: skip
        slopes = [
            at.get((group, item, f"a{f + 1}"), at.get((group, item, "a"), -1)) for f in factors
        ]
        steps = sum(name[0] == "d" for name in names)
        if family == "dich":
            asymptotes = place("g", "u")
            plain = not self.estimated[asymptotes].any() and np.isinf(self.base[asymptotes]).all()
            kind, count = ("2pl", 2) if plain else ("4pl", 2)
            rest = place("d") if plain else place("d", "g", "u")
        elif family == "graded":
            kind, count = "graded", 1 + steps
            rest = place(*(f"d{k}" for k in range(1, count)))
        elif family == "gpcm":
            kind, count = "gpcm", steps
            rest = place(*(f"d{k}" for k in range(1, count)))
        elif family == "nominal":
            kind, count = "nominal", steps
            rest = place(*(f"ak{k}" for k in range(1, count - 1)),
                         *(f"d{k}" for k in range(1, count)))  # fmt: skip
        else:
            kind, count = "rating", 1 + sum(name[0] == "b" for name in names)
            rest = place(*(f"b{k}" for k in range(1, count)), "c")
        return (kind, count, factors), [*slopes, *rest]

    def group(self, name: str) -> tuple[IrtGroup, np.ndarray | None]:
        buckets: dict[Any, list[tuple[int, list[int]]]] = {}
        for j, item in enumerate(self.items):
            key, places = self._item(name, item, j)
            buckets.setdefault(key, []).append((j, places))
        blocks = tuple(
            Block(
                kind, count, np.array([j for j, _ in own]), np.array([p for _, p in own]), factors
            )
            for (kind, count, factors), own in buckets.items()
        )
        span = range(self.factors)
        mean = np.array([self.at[name, "GROUP", f"MEAN_{f + 1}"] for f in span])
        cov = np.array([
            [self.at[name, "GROUP", f"COV_{max(a, b) + 1}{min(a, b) + 1}"] for b in span]
            for a in span
        ])  # fmt: skip
        live = self.design.getnnz(axis=1) > 0
        fixed = not (live[mean].any() or live[cov].any())
        regression = covariates = None
        slopes = self.table[(self.table["class"] == "lrPars") & self.table["est"]]
        if len(slopes):
            names = [n.replace("F1_", "").replace("F1.", "") for n in slopes["name"]]
            regression = np.array([[row] for row in slopes.index])
            covariates, fixed = self.frame[names].to_numpy(float), False
        return IrtGroup(name, blocks, mean, cov, regression, fixed), covariates

    def likelihood(self, quadrature: Quadrature) -> Marginal:
        names = list(dict.fromkeys(self.table["group"]))
        given = self.frame[self.items].to_numpy(float)
        low = np.nanmin(given, axis=0)
        codes = np.where(np.isnan(given), -1, given - low).astype(np.int16)
        group = self.frame["group"].to_numpy(int) if len(names) > 1 else np.zeros(len(codes), int)
        made = [self.group(name) for name in names]
        priors = tuple(
            Prior(row, _DENSITY[kind], float(first), float(second))  # type: ignore[arg-type]
            for row, (kind, first, second) in enumerate(
                zip(self.table["prior.type"], self.table["prior_1"], self.table["prior_2"],
                    strict=True)
            )
            if kind != "none"
        )  # fmt: skip
        factors = self.factors if self.specific is None else max(self.specific) + 1
        model = IrtModel(
            factors, tuple(g for g, _ in made), self.base, self.design, self.start, self.labels,
            self.free_labels, priors, self.specific is not None,
        )  # fmt: skip
        responses = CodedResponses(codes, np.ones(len(codes)), group, made[0][1])
        return Marginal(model, responses, quadrature)


def likelihood(fit: Fit, quadrature: Quadrature | None = None) -> Marginal:
    """The likelihood of a recorded fit, on the recorded grid unless another is given."""
    settings = case(fit.name)["settings"]
    grid = quadrature or Quadrature(settings["quadpts"], float(settings["theta_lim"][1]))
    return _Builder(fit).likelihood(grid)
