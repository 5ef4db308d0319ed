"""Rasch models of very many items: items that the likelihood cannot distinguish are one item.

Under the Rasch model the responses enter the likelihood through sums only. Items that were asked of
the same persons and have the same sum have the same estimate, so that 12 persons give at most 11
difficulties, however many items there are. The likelihood of these classes of items, each with its
multiplicity, has the same maximum as that of all items.

Writing m for the number of items in a class, c for the class's complete-data information and I for
the observed information of the classes, the covariance matrix of all difficulties is

    E (inv(I) - inv(C)) E' + diag(m / c),   E: items x classes,

because the missing information of two items of a class is the same (Woodbury's identity).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from scipy import sparse

from gfactor.psychometrics.irt.data import ResponseTable
from gfactor.psychometrics.irt.estimation.errors import Covariance, inverse
from gfactor.psychometrics.irt.estimation.maximizing import Optimum, maximize
from gfactor.psychometrics.irt.likelihood.building import build
from gfactor.psychometrics.irt.likelihood.information import MANY_PARAMETERS, Marginal
from gfactor.psychometrics.irt.likelihood.marginal import CodedResponses, Ints, Quadrature
from gfactor.psychometrics.irt.likelihood.specification import IrtModel
from gfactor.psychometrics.irt.request import UNIT_SLOPE, Request


def collapses(table: ResponseTable, request: Request) -> bool:
    """Return True for a model with too many Rasch items for a dense information matrix."""
    return (
        len(table.items) >= MANY_PARAMETERS
        and isinstance(request.model, str)
        and request.model in UNIT_SLOPE
        and int(table.categories.max()) == 2
        and request.factors == 1
        and request.bifactor is None
        and request.guess is None
        and request.groups is None
        and request.design is None
        and not request.constraints
        and not request.fixed
        and all(prior is None for prior in request.priors.values())
    )


def fit_classes(
    table: ResponseTable, request: Request, responses: CodedResponses, quadrature: Quadrature,
    model: IrtModel, *, tolerance: float, progress: Callable[[int, float], None] | None,
) -> tuple[Optimum, Covariance | None]:  # fmt: skip
    """Return the maximum of the likelihood of all items, found over classes of equal items.

    Parameters
    ----------
    table, request, responses, quadrature
        Data, request and integration rule of the fit.
    model : IrtModel
        The model of all items.
    tolerance, progress
        Settings of the search, as `maximize` takes them.

    Returns
    -------
    Optimum
        Over all items, without expected counts and information matrix.
    Covariance or None
        Covariance of all free parameters.
    """
    first, which = _classes(table, responses)
    count = len(first)
    few = replace(
        table, codes=table.codes[:, first], items=tuple(table.items[j] for j in first),
        scores=tuple(table.scores[j] for j in first),
    )  # fmt: skip
    member = sparse.csr_matrix(
        (np.ones(len(which)), (np.arange(len(which)), which)), shape=(len(which), count)
    )
    counts = np.stack([(table.codes == k) @ member for k in range(2)], axis=2).astype(float)
    small = build(few, request)
    likelihood = Marginal(small, replace(responses, codes=few.codes, counts=counts), quadrature)
    optimum = maximize(likelihood, small.start, tolerance=tolerance, progress=progress)
    to_class = _columns(small, model, few.items, which, table.items)
    size = np.bincount(to_class, minlength=len(optimum.x)).astype(float)
    x = optimum.x[to_class]
    at = replace(
        optimum.at,
        gradient=(optimum.at.gradient / size)[to_class],
        values=model.values(x),
        counts=[],
    )
    whole = replace(optimum, x=x, at=at, information=None)
    assert optimum.information is not None
    bread = inverse(optimum.information)
    if bread is None:
        return whole, None
    complete = likelihood.expected_complete(optimum.at).diagonal()
    items = np.array([label.endswith(".d") for label in small.free_labels])
    variances = np.where(items, 1 / np.where(items, complete, 1), 0)
    core = bread - np.diag(variances)
    factor = sparse.csr_matrix(
        (np.ones(len(x)), (np.arange(len(x)), to_class)), shape=(len(x), len(optimum.x))
    )
    return whole, Covariance(core, factor, (size * variances)[to_class])


def _classes(table: ResponseTable, responses: CodedResponses) -> tuple[Ints, Ints]:
    """The first item of every class, and the class of every item."""
    seen = np.packbits(table.codes >= 0, axis=0).T
    _, pattern = np.unique(seen, axis=0, return_inverse=True)
    sums = responses.weights @ np.maximum(table.codes, 0)
    key = np.column_stack([np.ravel(pattern), np.round(sums, 9)])
    _, first, which = np.unique(key, axis=0, return_index=True, return_inverse=True)
    return first, np.ravel(which)


def _columns(
    small: IrtModel,
    model: IrtModel,
    few: tuple[str, ...],
    which: Ints,
    items: tuple[str, ...],
) -> Ints:
    """For every free parameter of the whole model, its parameter in the model of classes."""
    column = {label: k for k, label in enumerate(small.free_labels)}
    of_item = {f"{item}.d": column[f"{few[k]}.d"] for item, k in zip(items, which, strict=True)}
    return np.array(
        [of_item[name] if name in of_item else column[name] for name in model.free_labels]
    )
