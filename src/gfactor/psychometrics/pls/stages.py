"""Second-order constructs and interactions, estimated by one or several plain PLS models in turn.

Every stage is a plain model whose columns are the data's columns, scores of constructs of the
stage before, or products. Scores are linear in the columns, so their correlations follow from the
correlations before; only products need the rows themselves.

References
----------
Wold, H. (1982). Soft modeling (repeated indicators).
Becker, J.-M., Klein, K., Wetzels, M. (2012). Hierarchical latent variable models in PLS-SEM. Long
    Range Planning 45, 359-394.
Sarstedt, M. et al. (2019). How to specify, estimate, and validate higher-order constructs in
    PLS-SEM. Australasian Marketing Journal 27, 197-211 (disjoint two-stage).
Chin, W., Marcolin, B., Newsted, P. (2003). Information Systems Research 14, 189-217 (product
    indicators). Henseler, J., Chin, W. (2010). Structural Equation Modeling 17, 82-109 (two-stage
    and orthogonalizing).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from gfactor.errors import ParameterError
from gfactor.psychometrics.pls.design import Design, Floats
from gfactor.psychometrics.pls.iteration import Estimates, estimate
from gfactor.psychometrics.pls.model import PLSModel

SecondOrder = Literal["two-stage", "repeated"]
Interaction = Literal["two-stage", "product", "orthogonal"]
SECOND_ORDER: tuple[SecondOrder, ...] = ("two-stage", "repeated")
INTERACTIONS: tuple[Interaction, ...] = ("two-stage", "product", "orthogonal")


@dataclass(frozen=True, eq=False)
class CorrelationSamples:
    """B samples: correlations (B, q, q) of q columns, and if products are needed the
    standardized rows (B, n, q)."""

    r: Floats
    z: Floats | None = None

    def mapped(self, transform: Floats) -> CorrelationSamples:
        """Return the samples of linear combinations of unit variance; `transform` is (B, q, k)."""
        r = np.swapaxes(transform, 1, 2) @ self.r @ transform
        return CorrelationSamples(r, None if self.z is None else self.z @ transform)

    def with_columns(self, columns: Floats) -> tuple[CorrelationSamples, Floats]:
        """Return the samples with columns (B, n, m) added, and the standard deviations of these."""
        if self.z is None:
            raise ValueError("products need the rows")
        n = columns.shape[1]
        centered = columns - columns.mean(axis=1, keepdims=True)
        sd = np.sqrt((centered**2).sum(axis=1) / (n - 1))
        with np.errstate(divide="ignore", invalid="ignore"):
            added = centered / np.where(sd > 1e-12, sd, np.nan)[:, None, :]
        z = np.concatenate([self.z, added], axis=2)
        q = self.r.shape[1]
        r = np.swapaxes(z, 1, 2) @ z / (n - 1)
        r[:, :q, :q] = self.r
        return CorrelationSamples(r, z), sd


@dataclass(frozen=True, eq=False)
class Stage:
    """One stage of estimation: a model without second-order constructs and interactions.

    Parameters
    ----------
    names: its columns: columns of the data, constructs of the stage before, or products.
    estimates: the estimates.
    sample: the correlations (and rows) of its columns.
    units: standard deviation of a column before it was standardized, for products; by name, (B,).
    """

    names: tuple[str, ...]
    estimates: Estimates
    sample: CorrelationSamples
    units: dict[str, Floats]


def estimate_model(
    model: PLSModel,
    sample: CorrelationSamples,
    *,
    second_order: SecondOrder = "two-stage",
    interaction: Interaction = "two-stage",
    **settings: Any,
) -> tuple[Stage, ...]:
    """Estimate a model and return its stages, the last of which is the result.

    Parameters
    ----------
    sample: sample of the columns `model.columns`, in that order.
    second_order: "two-stage": the parts stand in for their construct first, and their scores
        become its indicators (disjoint two-stage, seminr's); "repeated": it has all indicators of
        its parts, with paths to them (mode A) or from them (mode B).
    interaction: "two-stage": the product of the scores of a model without interactions;
        "product": the products of all pairs of standardized indicators; "orthogonal": the residuals
        of these products after regression on the single indicators.
    settings: settings of `estimate`.
    """
    if second_order not in SECOND_ORDER:
        raise ParameterError(f"second_order {second_order!r} is none of {', '.join(SECOND_ORDER)}")
    if interaction not in INTERACTIONS:
        raise ParameterError(f"interaction {interaction!r} is none of {', '.join(INTERACTIONS)}")
    stages: list[Stage] = []
    plain = [(s, t) for s, t in model.paths if ":" not in s]
    blocks = {c.name: c.indicators for c in model.constructs if not c.second_order}
    names = model.columns
    staged = bool(model.parts) and second_order == "two-stage"
    if staged:
        stages.append(_stage(model, names, blocks, _expanded(model, plain), sample, settings))
        sample, names = _with_scores(model, stages[-1])
        blocks = {c.name: c.indicators for c in model.constructs if c.name not in model.parts}
    elif model.parts:
        blocks, plain = _repeated(model, plain)
    if not model.interactions or interaction == "two-stage":
        stages.append(_stage(model, names, blocks, plain, sample, settings))
    if model.interactions:
        stages.append(
            _moderated(model, names, blocks, plain, sample, stages, interaction, settings)
        )
    return tuple(stages)


def _stage(
    model: PLSModel,
    names: tuple[str, ...],
    blocks: dict[str, tuple[str, ...]],
    paths: list[tuple[str, str]],
    sample: CorrelationSamples,
    settings: dict[str, Any],
    units: dict[str, Floats] | None = None,
) -> Stage:
    modes: dict[str, str] = {c.name: c.mode for c in model.constructs}
    design = Design.of_blocks({name: len(block) for name, block in blocks.items()}, paths, modes)
    order = [names.index(entry) for block in blocks.values() for entry in block]
    picked = CorrelationSamples(
        sample.r[:, order][:, :, order], None if sample.z is None else sample.z[:, :, order]
    )
    slots = tuple(names[i] for i in order)
    return Stage(slots, estimate(picked.r, design, **settings), picked, units or {})


def _expanded(model: PLSModel, paths: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Replace paths of second-order constructs by paths to and from each of their parts."""
    parts = {c.name: c.indicators for c in model.constructs if c.second_order}
    return [
        (source, target)
        for s, t in paths
        for source in parts.get(s, (s,))
        for target in parts.get(t, (t,))
    ]


def _repeated(
    model: PLSModel, paths: list[tuple[str, str]]
) -> tuple[dict[str, tuple[str, ...]], list[tuple[str, str]]]:
    blocks, drawn = {}, list(paths)
    for construct in model.constructs:
        if not construct.second_order:
            blocks[construct.name] = construct.indicators
            continue
        parts = [model.by_name[part] for part in construct.indicators]
        blocks[construct.name] = tuple(name for part in parts for name in part.indicators)
        ends = [(construct.name, part.name) for part in parts]
        drawn += ends if construct.mode == "A" else [(part, whole) for whole, part in ends]
    return blocks, drawn


def _with_scores(model: PLSModel, stage: Stage) -> tuple[CorrelationSamples, tuple[str, ...]]:
    """Columns outside the parts as they are, and the scores of the parts."""
    design, b = stage.estimates.design, len(stage.estimates.weights)
    outside = [i for i, j in enumerate(design.owner) if design.constructs[j] not in model.parts]
    inside = [j for j, name in enumerate(design.constructs) if name in model.parts]
    transform = np.zeros((b, len(stage.names), len(outside) + len(inside)))
    transform[:, outside, np.arange(len(outside))] = 1.0
    transform[:, :, len(outside) :] = stage.estimates.weight_matrix()[:, :, inside]
    names = tuple(stage.names[i] for i in outside) + tuple(design.constructs[j] for j in inside)
    return stage.sample.mapped(transform), names


def _moderated(
    model: PLSModel,
    names: tuple[str, ...],
    blocks: dict[str, tuple[str, ...]],
    paths: list[tuple[str, str]],
    sample: CorrelationSamples,
    stages: list[Stage],
    interaction: Interaction,
    settings: dict[str, Any],
) -> Stage:
    if sample.z is None:
        raise ValueError("interactions need the rows of the data")
    added, labels, grown = [], [], dict(blocks)
    for first, second in model.interactions:
        name = f"{first}:{second}"
        if interaction == "two-stage":
            before = stages[-1]
            scores = before.sample.mapped(before.estimates.weight_matrix()).z
            assert scores is not None
            ends = [before.estimates.design.constructs.index(end) for end in (first, second)]
            products, labels_of = scores[:, :, ends[:1]] * scores[:, :, ends[1:]], [name]
        else:
            left, right = ([names.index(entry) for entry in blocks[end]] for end in (first, second))
            pairs = [(i, k) for i in left for k in right]
            one, two = (list(side) for side in zip(*pairs, strict=True))
            products = sample.z[:, :, one] * sample.z[:, :, two]
            labels_of = [f"{names[i]}*{names[k]}" for i, k in pairs]
            if interaction == "orthogonal":
                products = _residuals(products, sample.z[:, :, left + right])
        added.append(products)
        labels += labels_of
        grown[name] = tuple(labels_of)
    extended, sd = sample.with_columns(np.concatenate(added, axis=2))
    units = {label: sd[:, i] for i, label in enumerate(labels)}
    drawn = paths + [(s, t) for s, t in model.paths if ":" in s]
    return _stage(model, names + tuple(labels), grown, drawn, extended, settings, units)


def _residuals(y: Floats, x: Floats) -> Floats:
    """Return the residuals of the columns of `y` after regression on those of `x`, by sample."""
    centered = y - y.mean(axis=1, keepdims=True)
    slope = np.linalg.pinv(x) @ centered
    return centered - x @ slope
