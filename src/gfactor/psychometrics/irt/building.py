"""From a request ("2pl, these groups, these priors") to the table of parameters to estimate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, cast

import numpy as np
from scipy import sparse, special

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.irt.curves import Floats, Kind, parameter_names
from gfactor.psychometrics.irt.data import ResponseTable, per_item
from gfactor.psychometrics.irt.specification import Block, Density, Group, Model, Prior

MODELS: Mapping[str, str] = {
    "rasch": "slopes 1, variance of ability free (one parameter an item)",
    "1pl": "one slope for all items",
    "2pl": "a slope and an intercept for each item",
    "3pl": "2pl with a lower asymptote",
    "4pl": "3pl with an upper asymptote",
    "grm": "graded responses (Samejima)",
    "pcm": "partial credit, slopes 1 (Masters)",
    "gpcm": "partial credit with slopes (Muraki)",
    "rsm": "rating scale, common steps (Andrich)",
    "nrm": "nominal categories (Bock)",
}
"""Models by name; an item with two categories is rasch, 1pl or 2pl under pcm, rsm, grm and gpcm."""

_UNIT_SLOPE = {"rasch", "pcm", "rsm"}
_POLYTOMOUS: Mapping[str, Kind] = {
    "grm": "graded", "pcm": "gpcm", "gpcm": "gpcm", "rsm": "rating", "nrm": "nominal",
    "rasch": "gpcm", "1pl": "gpcm", "2pl": "graded",
}  # fmt: skip
"""The family of items with more than two categories, by model."""

Equal = Literal["slopes", "intercepts"]
DEFAULT_GUESS_PRIOR = ("normal", -1.5, 0.5)
"""Of the logit of an estimated lower asymptote: .18, .08 to .37."""
DEFAULT_UPPER_PRIOR = ("normal", 3.0, 0.5)
"""Of the logit of an estimated upper asymptote: .95, .88 to .98."""


@dataclass(frozen=True)
class Request:
    """What is to be estimated.

    Parameters
    ----------
    model : str or mapping of item to str
        One of `MODELS`, for all items or each.
    factors : int or mapping of factor name to items
        Number of factors of an exploratory model, or the items that load on each factor.
    bifactor : mapping of specific factor name to items, or None
        Specific factors beside a general one; items in none load on the general factor alone.
    correlated : bool
        Whether factors of a confirmatory model correlate.
    guess : float, mapping of item to float, or None
        Fixed lower asymptotes; None where they are 0 (or estimated, by model).
    groups : sequence of str or None
        Group of every person.
    reference : str or None
        The group with mean 0 (and variance 1); the first one by name if None.
    equal : tuple of str
        What is equal in all groups: "slopes", "intercepts".
    free_items : tuple of str
        Items whose parameters differ between groups all the same.
    covariates : array (P, C) or None, with `covariate_names`
        Predictors of ability.
    design : array (J, K) or None, with `design_names`
        Difficulties are sums of effects: b = design @ effects (Fischer 1973).
    priors : mapping of parameter to (density, first, second)
        Parameters "slope", "intercept", "guess", "upper"; densities "normal", "lognormal", "beta".
    """

    model: str | Mapping[str, str] = "2pl"
    factors: int | Mapping[str, Sequence[str]] = 1
    bifactor: Mapping[str, Sequence[str]] | None = None
    correlated: bool = True
    guess: float | Mapping[str, float] | None = None
    groups: Sequence[str] | None = None
    reference: str | None = None
    equal: tuple[str, ...] = ("slopes", "intercepts")
    free_items: tuple[str, ...] = ()
    covariates: Floats | None = None
    covariate_names: tuple[str, ...] = ()
    design: Floats | None = None
    design_names: tuple[str, ...] = ()
    priors: Mapping[str, tuple[str, float, float]] = field(default_factory=dict)


@dataclass
class _Table:
    """Parameters as they are put down, one by one."""

    labels: list[str] = field(default_factory=list)
    base: list[float] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    columns: list[int] = field(default_factory=list)
    entries: list[float] = field(default_factory=list)
    start: list[float] = field(default_factory=list)
    free_labels: list[str] = field(default_factory=list)
    shared: dict[str, int] = field(default_factory=dict)
    priors: list[Prior] = field(default_factory=list)

    def fixed(self, label: str, value: float) -> int:
        self.labels.append(label)
        self.base.append(value)
        return len(self.labels) - 1

    def free(self, label: str, start: float, same: str | None = None) -> int:
        """A free parameter; with `same`, one that all of that name share."""
        place = self.fixed(label, 0.0)
        self.rows.append(place)
        self.columns.append(self.column(same or label, start))
        self.entries.append(1.0)
        return place

    def column(self, name: str, start: float) -> int:
        if name not in self.shared:
            self.shared[name] = len(self.start)
            self.start.append(start)
            self.free_labels.append(name)
        return self.shared[name]

    def sum_of(self, label: str, weights: Mapping[str, float]) -> int:
        """A parameter that is a weighted sum of free ones."""
        place = self.fixed(label, 0.0)
        for name, weight in weights.items():
            if weight:
                self.rows.append(place)
                self.columns.append(self.column(name, 0.0))
                self.entries.append(weight)
        return place


def build(table: ResponseTable, request: Request) -> Model:
    """Put down all parameters of a request.

    Parameters
    ----------
    table : ResponseTable
        The responses; starting values come from their shares.
    request : Request
        What is to be estimated.

    Returns
    -------
    Model

    Raises
    ------
    ParameterError, UnknownNameError
        If the request contradicts itself or names what the data do not have.
    """
    kinds = _kinds(table, request)
    loads, factor_names, two_tier = _pattern(table, request)
    names, _ = group_codes(request, len(table.codes))
    down = _Table()
    shares = _shares(table)
    guesses = _guesses(table, request)
    groups = []
    for name in names:
        prefix = f"{name}:" if len(names) > 1 else ""
        buckets: dict[tuple[Kind, int, tuple[int, ...]], list[tuple[int, list[int]]]] = {}
        for j, item in enumerate(table.items):
            kind, model = kinds[j]
            free = len(names) > 1 and item in request.free_items
            same = {
                part: None if free or part not in request.equal or len(names) == 1 else ""
                for part in ("slopes", "intercepts")
            }
            places = _item(
                down, prefix, item, j, kind, model, loads[j], shares[j], guesses[j], same, request
            )
            key = (kind, len(table.scores[j]), tuple(loads[j]))
            buckets.setdefault(key, []).append((j, places))
        blocks = tuple(
            Block(
                kind, categories, np.array([j for j, _ in entries]),
                np.array([places for _, places in entries]), factors,
            )
            for (kind, categories, factors), entries in buckets.items()
        )  # fmt: skip
        groups.append(
            _group(down, prefix, name, blocks, factor_names, two_tier, request, names[0], kinds)
        )
    design = sparse.csr_matrix(
        (down.entries, (down.rows, down.columns)), shape=(len(down.labels), len(down.start))
    )
    return Model(
        len(factor_names), tuple(groups), np.array(down.base), design, np.array(down.start),
        tuple(down.labels), tuple(down.free_labels), tuple(down.priors), two_tier,
    )  # fmt: skip


def group_codes(request: Request, persons: int) -> tuple[tuple[str, ...], np.ndarray]:
    """Names of the groups, the reference first, and the group of every person."""
    if request.groups is None:
        return ("all",), np.zeros(persons, int)
    given = [str(g) for g in request.groups]
    if len(given) != persons:
        raise ParameterError(f"groups: {len(given)} entries for {persons} persons")
    names = sorted(set(given))
    if request.reference is not None:
        if request.reference not in names:
            raise UnknownNameError("group", request.reference, names)
        names.remove(request.reference)
        names.insert(0, request.reference)
    return tuple(names), np.array([names.index(g) for g in given])


def _kinds(table: ResponseTable, request: Request) -> list[tuple[Kind, str]]:
    models = per_item(request.model, table.items, "model")
    found = []
    for j, model in enumerate(models):
        if model not in MODELS:
            raise UnknownNameError("item response model", str(model), MODELS)
        categories = len(table.scores[j])
        if categories > 2:
            if model in {"3pl", "4pl"}:
                raise ParameterError(
                    f"item {table.items[j]!r} has {categories} categories; {model} is for items "
                    "with two: use grm, gpcm or nrm, or score the item 0 and 1"
                )
            found.append((_POLYTOMOUS[model], model))
        elif model in {"3pl", "4pl"} or (request.guess is not None):
            found.append(("4pl", model))
        else:
            found.append(("2pl", model))
    return found


def _pattern(
    table: ResponseTable, request: Request
) -> tuple[list[list[int]], tuple[str, ...], bool]:
    """Factors of every item, names of the factors, whether the model is a bifactor one."""
    if request.bifactor is not None:
        names = ("general", *map(str, request.bifactor))
        loads = [[0] for _ in table.items]
        for s, members in enumerate(request.bifactor.values(), start=1):
            for item in members:
                j = _column(table, item)
                if len(loads[j]) > 1:
                    raise ParameterError(f"item {item!r} is in two specific factors; choose one")
                loads[j].append(s)
        return loads, names, True
    if isinstance(request.factors, Mapping):
        names = tuple(map(str, request.factors))
        loads = [[] for _ in table.items]
        for f, members in enumerate(request.factors.values()):
            for item in members:
                loads[_column(table, item)].append(f)
        bare = [item for item, own in zip(table.items, loads, strict=True) if not own]
        if bare:
            raise ParameterError(f"item {bare[0]!r} loads on no factor; leave it out, or add it")
        return loads, names, False
    if not 1 <= request.factors <= 4:
        raise ParameterError(
            f"factors must be 1 to 4 for a full grid of abilities, got {request.factors}; a "
            "bifactor model takes any number of specific factors"
        )
    names = tuple(f"F{f}" for f in range(1, request.factors + 1))
    return [list(range(request.factors)) for _ in table.items], names, False


def _column(table: ResponseTable, item: str) -> int:
    if item not in table.items:
        raise UnknownNameError("item", item, table.items)
    return table.items.index(item)


def _shares(table: ResponseTable) -> list[Floats]:
    """Smoothed shares of categories per item."""
    found = []
    for j, values in enumerate(table.scores):
        codes = table.codes[:, j]
        counts = np.bincount(codes[codes >= 0], minlength=len(values)) + 0.5
        found.append(counts / counts.sum())
    return found


def _guesses(table: ResponseTable, request: Request) -> list[float | None]:
    if request.guess is None:
        return [None] * len(table.items)
    given = [float(g) for g in per_item(request.guess, table.items, "guess")]
    for item, guess in zip(table.items, given, strict=True):
        if not 0 <= guess < 1:
            raise ParameterError(f"guess of item {item!r} must lie in [0, 1), got {guess}")
    return cast("list[float | None]", given)


def _item(
    down: _Table, prefix: str, item: str, j: int, kind: Kind, model: str, factors: list[int],
    shares: Floats, guess: float | None, same: Mapping[str, str | None], request: Request,
) -> list[int]:  # fmt: skip
    """Put down one item of one group; the places of its parameters."""
    categories = len(shares)
    places = []

    def put(name: str, start: float, part: str, shared: str | None = None) -> int:
        label = f"{prefix}{item}.{name}"
        key = shared or (None if same[part] is None else f"{item}.{name}")
        place = down.free(label, start, key)
        _add_prior(down, request, place, name, key)
        return place

    for f in factors:
        name = f"a{f + 1}"
        exploratory = not isinstance(request.factors, Mapping) and request.bifactor is None
        if model in _UNIT_SLOPE:
            places.append(down.fixed(f"{prefix}{item}.{name}", 1.0))
        elif exploratory and f > j:
            # The usual identification: the first items do not load on later factors.
            places.append(down.fixed(f"{prefix}{item}.{name}", 0.0))
        else:
            shared = "slope" if model == "1pl" else None
            start = 1.0 if f == factors[0] else 0.5 + 0.1 * ((j + f) % 3)
            places.append(put(name, start, "slopes", shared))
    if kind in {"2pl", "4pl"}:
        low = guess or 0.0
        share = np.clip((shares[1] - low) / (1 - low), 0.02, 0.98)
        if request.design is None:
            places.append(put("d", float(special.logit(share)), "intercepts"))
        else:
            effects = request.design[j]
            weights = dict(zip(request.design_names, -effects, strict=True))
            places.append(down.sum_of(f"{prefix}{item}.d", weights))
    if kind == "4pl":
        places += _asymptotes(down, prefix, item, model, guess, put)
    elif kind == "graded":
        above = 1 - np.cumsum(shares)[:-1]
        places += [
            put(f"d{k}", float(special.logit(share)), "intercepts")
            for k, share in enumerate(above, start=1)
        ]
    elif kind in {"gpcm", "nominal"}:
        if kind == "nominal":
            places += [put(f"ak{k}", float(k), "slopes") for k in range(1, categories - 1)]
        odds = np.log(shares[1:] / shares[0])
        places += [
            put(f"d{k}", float(value), "intercepts") for k, value in enumerate(odds, start=1)
        ]
    elif kind == "rating":
        steps = -np.log(shares[1:] / shares[:-1])
        places += [
            put(f"b{k}", float(value), "intercepts", f"step{k}")
            for k, value in enumerate(steps, start=1)
        ]
        label = f"{prefix}{item}.c"
        places.append(down.fixed(label, 0.0) if j == 0 else put("c", 0.0, "intercepts"))
    if request.design is not None and kind not in {"2pl", "4pl"}:
        raise ParameterError(
            f"item {item!r} has {categories} categories; a design of difficulties needs items "
            "with two"
        )
    assert len(places) == len(parameter_names(kind, categories, len(factors)))
    return places


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


def _add_prior(down: _Table, request: Request, place: int, name: str, key: str | None) -> None:
    part = (
        "slope" if name[0] == "a" and name[1:].isdigit()
        else {"logit_g": "guess", "logit_u": "upper"}.get(name, "intercept")
    )  # fmt: skip
    given = dict(request.priors)
    given.setdefault("guess", DEFAULT_GUESS_PRIOR)
    given.setdefault("upper", DEFAULT_UPPER_PRIOR)
    if part not in given or given[part] is None:
        return
    if key is not None and any(
        p.place != place and _same(down, p.place, place) for p in down.priors
    ):
        return
    density, first, second = given[part]
    if density not in ("normal", "lognormal", "beta"):
        raise UnknownNameError("prior density", density, ("normal", "lognormal", "beta"))
    if second <= 0:
        raise ParameterError(f"prior of {part}: the second number must be positive, got {second}")
    down.priors.append(Prior(place, cast("Density", density), float(first), float(second)))


def _same(down: _Table, first: int, second: int) -> bool:
    """Whether two places hold one free parameter."""
    at = dict(zip(down.rows, down.columns, strict=True))
    return at.get(first) == at.get(second)


def _group(
    down: _Table, prefix: str, name: str, blocks: tuple[Block, ...], factors: tuple[str, ...],
    two_tier: bool, request: Request, reference: str, kinds: list[tuple[Kind, str]],
) -> Group:  # fmt: skip
    count = len(factors)
    unit = any(model in _UNIT_SLOPE for _, model in kinds)
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
                place = down.free(entry, 1.0) if free else down.fixed(entry, 1.0)
            elif (confirmatory or (linked_variance and count > 1)) and not two_tier:
                place = down.free(entry, 0.2)
            else:
                place = down.fixed(entry, 0.0)
            cov[i, j] = cov[j, i] = place
    regression = None
    if request.covariates is not None:
        regression = np.array([
            [down.free(f"{label}BETA_{c}_{f + 1}", 0.0) for f in range(count)]
            for c in request.covariate_names
        ])  # fmt: skip
    free = set(down.rows)
    still = not any(int(p) in free for p in (*mean, *cov.ravel())) and regression is None
    return Group(name, blocks, mean, cov, regression, still)
