"""From a request to the table of parameters to estimate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np
from scipy import sparse, special

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.irt.data import ResponseTable
from gfactor.psychometrics.irt.likelihood.curves import Floats, Kind, parameter_names
from gfactor.psychometrics.irt.likelihood.specification import (
    Block,
    Density,
    IrtGroup,
    IrtModel,
    Prior,
)
from gfactor.psychometrics.irt.request import (
    DEFAULT_GUESS_PRIOR,
    DEFAULT_UPPER_PRIOR,
    UNIT_SLOPE,
    Request,
    group_codes,
    guesses,
    kinds,
    pattern,
)


@dataclass
class _Table:
    """Parameters of a model, added one by one."""

    labels: list[str] = field(default_factory=list)
    base: list[float] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    columns: list[int] = field(default_factory=list)
    entries: list[float] = field(default_factory=list)
    start: list[float] = field(default_factory=list)
    free_labels: list[str] = field(default_factory=list)
    shared: dict[str, int] = field(default_factory=dict)
    priors: list[Prior] = field(default_factory=list)
    with_prior: set[int] = field(default_factory=set)

    def fixed(self, label: str, value: float) -> int:
        self.labels.append(label)
        self.base.append(value)
        return len(self.labels) - 1

    def free(self, label: str, start: float, same: str | None = None) -> int:
        """Add a free parameter; with `same`, all parameters of that name are one."""
        row = self.fixed(label, 0.0)
        self.rows.append(row)
        self.columns.append(self.column(same or label, start))
        self.entries.append(1.0)
        return row

    def column(self, name: str, start: float) -> int:
        if name not in self.shared:
            self.shared[name] = len(self.start)
            self.start.append(start)
            self.free_labels.append(name)
        return self.shared[name]

    def sum_of(self, label: str, weights: Mapping[str, float]) -> int:
        """Add a parameter that is a weighted sum of free ones."""
        row = self.fixed(label, 0.0)
        for name, weight in weights.items():
            if weight:
                self.rows.append(row)
                self.columns.append(self.column(name, 0.0))
                self.entries.append(weight)
        return row


def build(table: ResponseTable, request: Request) -> IrtModel:
    """Return a model with all parameters of a request.

    Parameters
    ----------
    table : ResponseTable
        The responses; starting values come from their shares.
    request : Request
        Request with the model that is to be estimated.

    Returns
    -------
    IrtModel
        The model with its parameters and starting values.

    Raises
    ------
    ParameterError, UnknownNameError
        If the options contradict each other, or name something that the data do not have.
    """
    families = kinds(table, request)
    loads, factor_names, two_tier = pattern(table, request)
    names, _ = group_codes(request, len(table.codes))
    down = _Table()
    shares = _shares(table)
    asymptotes = guesses(table, request)
    groups = []
    for name in names:
        prefix = f"{name}:" if len(names) > 1 else ""
        buckets: dict[tuple[Kind, int, tuple[int, ...]], list[tuple[int, list[int]]]] = {}
        for j, item in enumerate(table.items):
            kind, model = families[j]
            free = len(names) > 1 and item in request.free_items
            same = {
                part: None if free or part not in request.equal or len(names) == 1 else ""
                for part in ("slopes", "intercepts")
            }
            rows = _item(
                down,
                prefix,
                item,
                j,
                kind,
                model,
                loads[j],
                shares[j],
                asymptotes[j],
                same,
                request,
            )
            key = (kind, len(table.scores[j]), tuple(loads[j]))
            buckets.setdefault(key, []).append((j, rows))
        blocks = tuple(
            Block(
                kind, categories, np.array([j for j, _ in entries]),
                np.array([rows for _, rows in entries]), factors,
            )
            for (kind, categories, factors), entries in buckets.items()
        )  # fmt: skip
        groups.append(
            _group(
                down,
                prefix,
                name,
                blocks,
                factor_names,
                two_tier,
                request,
                next(iter(names)),
                families,
            )
        )
    design = sparse.csr_matrix(
        (down.entries, (down.rows, down.columns)), shape=(len(down.labels), len(down.start))
    )
    model = IrtModel(
        len(factor_names), tuple(groups), np.array(down.base), design, np.array(down.start),
        tuple(down.labels), tuple(down.free_labels), tuple(down.priors), two_tier,
    )  # fmt: skip
    return _constrained(model, request)


def _constrained(model: IrtModel, request: Request) -> IrtModel:
    """The model with parameters fixed or equal as the request names them."""
    if not (request.constraints or request.fixed):
        return model
    column = {name: k for k, name in enumerate(model.free_labels)}
    for name in [*request.fixed, *(n for names in request.constraints for n in names)]:
        if name not in column:
            raise UnknownNameError("free parameter", name, model.free_labels)
    design, base = model.design.tolil(), model.base.copy()
    gone = set()
    for name, value in request.fixed.items():
        base += float(value) * sparse.csr_matrix(design[:, [column[name]]]).toarray()[:, 0]
        gone.add(column[name])
    for first, *others in request.constraints:
        for name in others:
            if column[name] in gone or column[first] in gone:
                raise ParameterError(f"constraints: {name!r} is fixed or constrained twice")
            design[:, [column[first]]] += design[:, [column[name]]]
            gone.add(column[name])
    remaining = [k for k in range(len(model.start)) if k not in gone]
    # A prior counts once for parameters that are equal, and not at all for fixed ones.
    shared = sparse.csr_matrix(design)[:, remaining]
    priors, with_prior = [], set()
    for prior in model.priors:
        columns = tuple(shared[prior.position].indices)
        if columns and columns not in with_prior:
            with_prior.add(columns)
            priors.append(prior)
    return replace(
        model, base=base, design=shared, start=model.start[remaining],
        free_labels=tuple(model.free_labels[k] for k in remaining), priors=tuple(priors),
    )  # fmt: skip


def _shares(table: ResponseTable) -> list[Floats]:
    """Smoothed shares of categories per item."""
    shares = []
    for j, values in enumerate(table.scores):
        codes = table.codes[:, j]
        counts = np.bincount(codes[codes >= 0], minlength=len(values)) + 0.5
        shares.append(counts / counts.sum())
    return shares


def _item(
    down: _Table, prefix: str, item: str, j: int, kind: Kind, model: str, factors: list[int],
    shares: Floats, guess: float | None, same: Mapping[str, str | None], request: Request,
) -> list[int]:  # fmt: skip
    """Add one item of one group; return the positions of its parameters."""
    categories = len(shares)
    rows = []

    def put(name: str, start: float, part: str, shared: str | None = None) -> int:
        label = f"{prefix}{item}.{name}"
        key = shared or (None if same[part] is None else f"{item}.{name}")
        row = down.free(label, start, key)
        _add_prior(down, request, row, name)
        return row

    for f in factors:
        name = f"a{f + 1}"
        exploratory = not isinstance(request.factors, Mapping) and request.bifactor is None
        if model in UNIT_SLOPE:
            rows.append(down.fixed(f"{prefix}{item}.{name}", 1.0))
        elif exploratory and f > j:
            # The usual identification: the first items do not load on later factors.
            rows.append(down.fixed(f"{prefix}{item}.{name}", 0.0))
        else:
            shared = "slope" if model == "1pl" else None
            start = 1.0 if f == factors[0] else 0.5 + 0.1 * ((j + f) % 3)
            rows.append(put(name, start, "slopes", shared))
    if kind in {"2pl", "4pl"}:
        low = guess or 0.0
        share = np.clip((shares[1] - low) / (1 - low), 0.02, 0.98)
        if request.design is None:
            rows.append(put("d", float(special.logit(share)), "intercepts"))
        else:
            effects = np.asarray(request.design)[j]
            weights = dict(zip(request.design_names, -effects, strict=True))
            rows.append(down.sum_of(f"{prefix}{item}.d", weights))
    if kind == "4pl":
        rows += _asymptotes(down, prefix, item, model, guess, put)
    elif kind == "graded":
        above = 1 - np.cumsum(shares)[:-1]
        rows += [
            put(f"d{k}", float(special.logit(share)), "intercepts")
            for k, share in enumerate(above, start=1)
        ]
    elif kind in {"gpcm", "nominal"}:
        if kind == "nominal":
            rows += [put(f"ak{k}", float(k), "slopes") for k in range(1, categories - 1)]
        odds = np.log(shares[1:] / shares[0])
        rows += [put(f"d{k}", float(value), "intercepts") for k, value in enumerate(odds, start=1)]
    elif kind == "rating":
        steps = -np.log(shares[1:] / shares[:-1])
        rows += [
            put(f"b{k}", float(value), "intercepts", f"step{k}")
            for k, value in enumerate(steps, start=1)
        ]
        label = f"{prefix}{item}.c"
        rows.append(down.fixed(label, 0.0) if j == 0 else put("c", 0.0, "intercepts"))
    if request.design is not None and kind not in {"2pl", "4pl"}:
        raise ParameterError(
            f"item {item!r} has {categories} categories; a design of difficulties needs items "
            "with two"
        )
    assert len(rows) == len(parameter_names(kind, categories, len(factors)))
    return rows


def _asymptotes(
    down: _Table, prefix: str, item: str, model: str, guess: float | None, put: Any
) -> list[int]:
    with np.errstate(divide="ignore"):
        if guess is not None or model not in {"3pl", "4pl"}:
            low = down.fixed(f"{prefix}{item}.logit_g", float(special.logit(guess or 0.0)))
        else:
            low = put("logit_g", DEFAULT_GUESS_PRIOR[1], "intercepts")
        if model == "4pl":
            high = put("logit_u", DEFAULT_UPPER_PRIOR[1], "intercepts")
        else:
            high = down.fixed(f"{prefix}{item}.logit_u", np.inf)
    return [low, high]


def _add_prior(down: _Table, request: Request, row: int, name: str) -> None:
    part = (
        "slope" if name[0] == "a" and name[1:].isdigit()
        else {"logit_g": "guess", "logit_u": "upper"}.get(name, "intercept")
    )  # fmt: skip
    given: dict[str, tuple[str, float, float] | None] = dict(request.priors)
    given.setdefault("guess", DEFAULT_GUESS_PRIOR)
    given.setdefault("upper", DEFAULT_UPPER_PRIOR)
    label = down.free_labels[down.columns[-1]]
    part = label if label in given else part
    prior = given.get(part)
    if prior is None:
        return
    column = down.columns[-1]
    if column in down.with_prior:
        return
    down.with_prior.add(column)
    density, first, second = prior
    if density not in ("normal", "lognormal", "beta"):
        raise UnknownNameError("prior density", density, ("normal", "lognormal", "beta"))
    if second <= 0:
        raise ParameterError(f"prior of {part}: the second number must be positive, got {second}")
    down.priors.append(Prior(row, cast("Density", density), float(first), float(second)))


def _group(
    down: _Table, prefix: str, name: str, blocks: tuple[Block, ...], factors: tuple[str, ...],
    two_tier: bool, request: Request, reference: str, families: list[tuple[Kind, str]],
) -> IrtGroup:  # fmt: skip
    count = len(factors)
    unit = any(model in UNIT_SLOPE for _, model in families)
    focal = name != reference
    linked_mean = focal and "intercepts" in request.equal
    linked_variance = focal and "slopes" in request.equal
    label = f"{prefix}GROUP."
    mean = np.array([
        down.free(f"{label}MEAN_{f + 1}", 0.0) if linked_mean
        else down.fixed(f"{label}MEAN_{f + 1}", 0.0)
        for f in range(count)
    ])  # fmt: skip
    cov = np.zeros((count, count), int)
    for i in range(count):
        for j in range(i + 1):
            entry = f"{label}COV_{i + 1}{j + 1}"
            confirmatory = isinstance(request.factors, Mapping) and request.correlated
            if i == j:
                free = (unit or linked_variance) and not two_tier
                row = down.free(entry, 1.0) if free else down.fixed(entry, 1.0)
            elif (confirmatory or (linked_variance and count > 1)) and not two_tier:
                row = down.free(entry, 0.2)
            else:
                row = down.fixed(entry, 0.0)
            cov[i, j] = cov[j, i] = row
    regression = None
    if request.covariates is not None:
        regression = np.array([
            [down.free(f"{label}BETA_{c}_{f + 1}", 0.0) for f in range(count)]
            for c in request.covariate_names
        ])  # fmt: skip
    free = set(down.rows)
    still = not any(int(p) in free for p in (*mean, *cov.ravel())) and regression is None
    return IrtGroup(name, blocks, mean, cov, regression, still)
