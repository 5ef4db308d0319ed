"""Item response functions: log probabilities of categories and their derivatives.

Every family is written once, for many items of one kind at once. Parameters are in
slope-intercept form (theta is a row of F abilities):

========  ==========================================================  =========================
kind      log odds                                                    parameters of an item
========  ==========================================================  =========================
2pl       logit P(1) = a'theta + d                                    a_1..a_F, d
4pl       P(1) = g + (u - g) logistic(a'theta + d)                    a_1..a_F, d, logit g, logit u
graded    logit P(X >= k) = a'theta + d_k, d_1 > d_2 > ...            a_1..a_F, d_1..d_{K-1}
gpcm      log P(k) / P(0) = k a'theta + d_k                           a_1..a_F, d_1..d_{K-1}
nominal   log P(k) / P(0) = s_k a'theta + d_k, s_0 = 0, s_{K-1} = K-1 a_1..a_F, s_1..s_{K-2},
                                                                      d_1..d_{K-1}
rating    log P(k) / P(k-1) = a'theta - b_k + c                       a_1..a_F, b_1..b_{K-1}, c
========  ==========================================================  =========================

References
----------
Birnbaum, A. (1968). In Lord, F. M., Novick, M. R., Statistical Theories of Mental Test Scores.
Samejima, F. (1969). Estimation of latent ability using a response pattern of graded scores.
    Psychometrika Monograph 17.
Muraki, E. (1992). A generalized partial credit model. Applied Psychological Measurement 16, 159.
Bock, R. D. (1972). Estimating item parameters and latent ability when responses are scored in two
    or more nominal categories. Psychometrika 37, 29-51.
Andrich, D. (1978). A rating formulation for ordered response categories. Psychometrika 43, 561.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from gfactor.psychometrics.float_arrays import einsum

Floats = NDArray[np.float64]
Kind = Literal["2pl", "4pl", "graded", "gpcm", "nominal", "rating"]


class CurveDerivatives(NamedTuple):
    """Log probabilities of J items with K categories at Q nodes, and their derivatives in M
    parameters per item.

    `value` is (J, K, Q); `first` (J, K, Q, M); `second` (J, K, Q, M, M).
    """

    value: Floats
    first: Floats
    second: Floats


def parameter_names(kind: Kind, categories: int, factors: int) -> tuple[str, ...]:
    """Return names of the parameters of one item, in the order of the functions here."""
    slopes = tuple(f"a{f}" for f in range(1, factors + 1))
    steps = tuple(f"d{k}" for k in range(1, categories))
    match kind:
        case "2pl":
            return (*slopes, "d")
        case "4pl":
            return (*slopes, "d", "logit_g", "logit_u")
        case "graded" | "gpcm":
            return slopes + steps
        case "nominal":
            return (*slopes, *(f"ak{k}" for k in range(1, categories - 1)), *steps)
        case "rating":
            return (*slopes, *(f"b{k}" for k in range(1, categories)), "c")


def log_probabilities(kind: Kind, values: Floats, nodes: Floats, categories: int) -> Floats:
    """Return the log probability of every category.

    Parameters
    ----------
    kind : str
        Family of the items.
    values : array (J, M)
        Parameters, in the order of `parameter_names`.
    nodes : array (Q, F)
        Abilities.
    categories : int
        Number of categories of each item, K.

    Returns
    -------
    array (J, K, Q)
        NaN or -inf where the parameters admit no probability (thresholds out of order).
    """
    factors = nodes.shape[1]
    z = values[:, :factors] @ nodes.T
    rest = values[:, factors:]
    if kind == "2pl":
        z = z + rest[:, :1]
        return np.stack([-_softplus(z), -_softplus(-z)], axis=1)
    if kind == "4pl":
        g, u = special.expit(rest[:, 1:2]), special.expit(rest[:, 2:3])
        right = special.expit(z + rest[:, :1])
        p = g + (u - g) * right
        # 1 - P without cancellation where u is 1 and the item is easy.
        q = (1 - u) + (u - g) * special.expit(-z - rest[:, :1])
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.stack([np.log(q), np.log(p)], axis=1)
    if kind == "graded":
        with np.errstate(invalid="ignore", divide="ignore"):
            gaps = np.log(-np.expm1(rest[:, 1:] - rest[:, :-1]))
        above = z[:, None, :] + rest[:, :, None]
        value = np.zeros((len(values), categories, len(nodes)))
        value[:, 1:] -= _softplus(-above)
        value[:, :-1] -= _softplus(above)
        value[:, 1:-1] += gaps[:, :, None]
        return value
    return special.log_softmax(_log_odds(kind, values, z, factors, categories), axis=1)


def derivatives(kind: Kind, values: Floats, nodes: Floats, categories: int) -> CurveDerivatives:
    """Return `log_probabilities` with first and second derivatives in the parameters of the
    items."""
    match kind:
        case "2pl":
            return _two(values, nodes)
        case "4pl":
            return _four(values, nodes)
        case "graded":
            return _graded(values, nodes, categories)
        case _:
            return _divided_by_total(kind, values, nodes, categories)


def first_derivatives(kind: Kind, values: Floats, nodes: Floats, categories: int) -> Floats:
    """Return only the first derivatives, (J, K, Q, M), because the second ones take most of the
    time."""
    if kind == "graded":
        return _graded_slopes(values, nodes, categories)
    if kind == "4pl":
        return _four(values, nodes).first
    if kind != "2pl":
        return _slopes_of_shares(kind, values, nodes, categories)[1]
    p = special.expit(values[:, :-1] @ nodes.T + values[:, -1:])
    inner = np.column_stack([nodes, np.ones(len(nodes))])
    return np.stack([-p, 1 - p], axis=1)[..., None] * inner


def _softplus(z: Floats) -> Floats:
    return np.logaddexp(0, z)


def _two(values: Floats, nodes: Floats) -> CurveDerivatives:
    z = values[:, :-1] @ nodes.T + values[:, -1:]
    p = special.expit(z)
    inner = np.column_stack([nodes, np.ones(len(nodes))])
    value = np.stack([-_softplus(z), -_softplus(-z)], axis=1)
    slope = np.stack([-p, 1 - p], axis=1)
    bend = np.broadcast_to((-p * (1 - p))[:, None, :], slope.shape)
    outer = inner[:, :, None] * inner[:, None, :]
    return CurveDerivatives(value, slope[..., None] * inner, bend[..., None, None] * outer)


def four_parameters(z: Floats, low: Floats, high: Floats) -> tuple[Floats, ...]:
    """Return the probability P of success between two asymptotes, 1 - P, and the derivatives of P.

    Parameters
    ----------
    z : array
        Predictor without asymptotes.
    low, high : array
        Logits of the asymptotes, of a shape that broadcasts to z's.

    Returns
    -------
    tuple of array
        P and 1 - P, of z's shape, and the first (..., 3) and second (..., 3, 3) derivatives of P in
        z and the two logits.
    """
    g, u = special.expit(low), special.expit(high)
    s, t = special.expit(z), special.expit(-z)
    st = s * t
    gg, uu = g * (1 - g), u * (1 - u)
    p = g + (u - g) * s
    q = (1 - u) + (u - g) * t
    first = np.stack([(u - g) * st, gg * t, uu * s], axis=-1)
    second = np.zeros((*z.shape, 3, 3))
    second[..., 0, 0] = (u - g) * st * (t - s)
    second[..., 0, 1] = second[..., 1, 0] = -gg * st
    second[..., 0, 2] = second[..., 2, 0] = uu * st
    second[..., 1, 1] = gg * (1 - 2 * g) * t
    second[..., 2, 2] = uu * (1 - 2 * u) * s
    return p, q, first, second


def _four(values: Floats, nodes: Floats) -> CurveDerivatives:
    factors = nodes.shape[1]
    z = values[:, :factors] @ nodes.T + values[:, factors : factors + 1]
    p, q, first, second = four_parameters(z, values[:, -2:-1], values[:, -1:])
    with np.errstate(divide="ignore", invalid="ignore"):
        value = np.stack([np.log(q), np.log(p)], axis=1)
        up, down = first / p[..., None], -first / q[..., None]
        bent_up = second / p[..., None, None] - up[..., :, None] * up[..., None, :]
        bent_down = -second / q[..., None, None] - down[..., :, None] * down[..., None, :]
    inner = np.zeros((len(nodes), 3, factors + 3))
    inner[:, 0, :factors], inner[:, 0, factors] = nodes, 1
    inner[:, 1, -2] = inner[:, 2, -1] = 1
    one = np.stack([down, up], axis=1)
    two = np.stack([bent_down, bent_up], axis=1)
    return CurveDerivatives(
        value,
        einsum("jkqc,qcm->jkqm", one, inner),
        einsum("jkqcd,qcm,qdn->jkqmn", two, inner, inner, optimize=True),
    )


def _graded_slopes(values: Floats, nodes: Floats, categories: int) -> Floats:
    """The first derivatives of log P(k) = log logistic(z_k) + log logistic(-z_{k+1}) +
    log(1 - exp(d_{k+1} - d_k)): no difference of probabilities, so nothing underflows far from
    the thresholds."""
    factors, q = nodes.shape[1], len(nodes)
    p = _above(values, nodes)
    first = np.zeros((len(values), categories, q, factors + categories - 1))
    for k in range(1, categories):
        inner = _step(nodes, k, categories)
        here = p[:, k - 1]
        first[:, k] += (1 - here)[..., None] * inner
        first[:, k - 1] -= here[..., None] * inner
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        for k in range(1, categories - 1):
            i, j = factors + k - 1, factors + k
            slope = 1 / np.expm1(values[:, i] - values[:, j])
            first[:, k, :, i] += slope[:, None]
            first[:, k, :, j] -= slope[:, None]
    return first


def _graded(values: Floats, nodes: Floats, categories: int) -> CurveDerivatives:
    factors, q = nodes.shape[1], len(nodes)
    size = factors + categories - 1
    p = _above(values, nodes)
    second = np.zeros((len(values), categories, q, size, size))
    for k in range(1, categories):
        inner = _step(nodes, k, categories)
        here = p[:, k - 1]
        bend = -(here * (1 - here))[..., None, None] * (inner[:, :, None] * inner[:, None, :])
        second[:, k] += bend
        second[:, k - 1] += bend
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        for k in range(1, categories - 1):
            i, j = factors + k - 1, factors + k
            gap = values[:, i] - values[:, j]
            bend = (1 / np.expm1(gap) / np.expm1(-gap))[:, None]
            for m, n, sign in ((i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)):
                second[:, k, :, m, n] += sign * bend
    value = log_probabilities("graded", values, nodes, categories)
    return CurveDerivatives(value, _graded_slopes(values, nodes, categories), second)


def _above(values: Floats, nodes: Floats) -> Floats:
    """Probabilities of this category or a higher one, of the graded model: (J, K - 1, Q)."""
    factors = nodes.shape[1]
    return special.expit((values[:, :factors] @ nodes.T)[:, None, :] + values[:, factors:, None])


def _step(nodes: Floats, k: int, categories: int) -> Floats:
    """Derivatives of the predictor of step k in the parameters of an item: (Q, M)."""
    q, factors = nodes.shape
    inner = np.zeros((q, factors + categories - 1))
    inner[:, :factors], inner[:, factors + k - 1] = nodes, 1
    return inner


def _log_odds(kind: Kind, values: Floats, z: Floats, factors: int, categories: int) -> Floats:
    """Log of every category's share, up to a common constant: (J, K, Q)."""
    rest = values[:, factors:]
    odds = np.zeros((len(values), categories, z.shape[1]))
    if kind == "gpcm":
        odds += np.arange(categories)[:, None] * z[:, None, :]
        odds[:, 1:] += rest[:, :, None]
    elif kind == "nominal":
        odds += _scoring(rest, categories)[:, :, None] * z[:, None, :]
        odds[:, 1:] += rest[:, categories - 2 :, None]
    else:
        steps = z[:, None, :] - rest[:, :-1, None] + rest[:, -1:, None]
        odds[:, 1:] = np.cumsum(steps, axis=1)
    return odds


def _scoring(rest: Floats, categories: int) -> Floats:
    """Scoring functions s_0..s_{K-1} of nominal items."""
    ends = np.zeros((len(rest), 1))
    return np.hstack([ends, rest[:, : categories - 2], ends + categories - 1])


def _slopes_of_shares(
    kind: Kind, values: Floats, nodes: Floats, categories: int
) -> tuple[Floats, Floats]:
    """Log probabilities and their first derivatives, where a category has a share of a total."""
    count, (q, factors), k = len(values), nodes.shape, categories
    z = values[:, :factors] @ nodes.T
    value = special.log_softmax(_log_odds(kind, values, z, factors, k), axis=1)
    inner = np.zeros((count, k, q, values.shape[1]))
    if kind == "nominal":
        scoring = _scoring(values[:, factors:], k)
        inner[..., :factors] = scoring[:, :, None, None] * nodes
        for c in range(1, k - 1):
            inner[:, c, :, factors + c - 1] = z
        for c in range(1, k):
            inner[:, c, :, factors + k - 3 + c] = 1
    elif kind == "gpcm":
        inner[..., :factors] = np.arange(k)[:, None, None] * nodes
        for c in range(1, k):
            inner[:, c, :, factors + c - 1] = 1
    else:
        inner[..., :factors] = np.arange(k)[:, None, None] * nodes
        for c in range(1, k):
            inner[:, c:, :, factors + c - 1] = -1
            inner[:, c, :, -1] = c
    mean = einsum("jkq,jkqm->jqm", np.exp(value), inner)
    return value, inner - mean[:, None]


def _divided_by_total(
    kind: Kind, values: Floats, nodes: Floats, categories: int
) -> CurveDerivatives:
    count, (q, factors), k = len(values), nodes.shape, categories
    value, first = _slopes_of_shares(kind, values, nodes, categories)
    p, size = np.exp(value), values.shape[1]
    spread = -einsum("jkq,jkqm,jkqn->jqmn", p, first, first, optimize=True)
    second = np.broadcast_to(spread[:, None], (count, k, q, size, size))
    if kind == "nominal":
        bent = np.zeros((count, k, q, size, size))
        for c in range(1, k - 1):
            at = factors + c - 1
            bent[:, c, :, at, :factors] = nodes
            bent[:, c, :, :factors, at] = nodes
        second = second + bent - einsum("jkq,jkqmn->jqmn", p, bent)[:, None]
    return CurveDerivatives(value, first, second)


class AbilityDerivatives(NamedTuple):
    """Log probabilities (J, K, Q) with first and second derivative in the ability, same shapes."""

    value: Floats
    first: Floats
    second: Floats

    @property
    def information(self) -> Floats:
        """Fisher information of every item at every ability, (J, Q)."""
        return (np.exp(self.value) * self.first**2).sum(axis=1)


def ability_derivatives(
    kind: Kind, values: Floats, theta: Floats, categories: int
) -> AbilityDerivatives:
    """Return derivatives of the log probabilities in one ability.

    Parameters
    ----------
    kind, values, categories
        Curves of items of one factor, as `log_probabilities` takes them.
    theta : array (Q,)
        Abilities.
    """
    value = log_probabilities(kind, values, theta[:, None], categories)
    slope = values[:, :1, None]
    if kind == "graded":
        above = special.expit(values[:, :1, None] * theta + values[:, 1:, None])
        first, second = np.zeros_like(value), np.zeros_like(value)
        bend = -(slope**2) * above * (1 - above)
        first[:, 1:] += slope * (1 - above)
        first[:, :-1] -= slope * above
        second[:, 1:] += bend
        second[:, :-1] += bend
        return AbilityDerivatives(value, first, second)
    if kind in ("2pl", "4pl"):
        z = values[:, :1] * theta + values[:, 1:2]
        g, u = (
            (special.expit(values[:, 2:3]), special.expit(values[:, 3:4]))
            if kind == "4pl"
            else (0.0, 1.0)
        )
        s, t = special.expit(z), special.expit(-z)
        up = (u - g) * values[:, :1] * s * t
        bent = values[:, :1] * up * (t - s)
        p = np.exp(value)
        # dP(0) = -dP(1).
        first_p = np.stack([-up, up], axis=1)
        second_p = np.stack([-bent, bent], axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            first = np.nan_to_num(first_p / p)
            return AbilityDerivatives(value, first, np.nan_to_num(second_p / p) - first**2)
    if kind == "nominal":
        scoring = _scoring(values[:, 1:], categories)[:, :, None]
    else:
        scoring = np.broadcast_to(np.arange(categories)[:, None], (len(values), categories, 1))
    pull = slope * scoring
    p = np.exp(value)
    mean = (p * pull).sum(axis=1, keepdims=True)
    spread = (p * (pull - mean) ** 2).sum(axis=1, keepdims=True)
    return AbilityDerivatives(value, pull - mean, np.broadcast_to(-spread, value.shape))
