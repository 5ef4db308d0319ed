"""Exploratory models without the zeros that identify them, and the rotation back to these zeros.

The zeros of an exploratory model (the first item loads on the first factor alone, the second on two
...) choose one of all rotations, and a bad one where the first items measure nearly the same: the
likelihood is then a long narrow valley. Without the zeros it has no such valley, and any loadings
can be turned so that they have them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gfactor.psychometrics.irt.likelihood.curves import Floats
from gfactor.psychometrics.irt.likelihood.marginal import Ints
from gfactor.psychometrics.irt.likelihood.specification import IrtModel


@dataclass(frozen=True)
class FreeRotation:
    """A model whose loadings are all free.

    Parameters
    ----------
    model : IrtModel
        The exploratory model with zeros.
    slopes : integer array (J, F)
        Positions of all slopes in `values`, items in the order of the data.
    """

    model: IrtModel
    slopes: Ints

    @property
    def freed(self) -> IrtModel:
        """The model without the fixed zero loadings."""
        zeros = self.slopes[np.triu_indices(len(self.slopes), 1, self.slopes.shape[1])]
        count = len(zeros)
        more = sparse.csr_matrix(
            (np.ones(count), (zeros, np.arange(count))), shape=(len(self.model.base), count)
        )
        model = self.model
        return replace(
            model, design=sparse.csr_matrix(sparse.hstack([model.design, more])),
            start=np.concatenate([model.start, np.full(count, 0.1)]),
            free_labels=(*model.free_labels, *(model.labels[row] for row in zeros)),
        )  # fmt: skip

    def turned_back(self, x: Floats) -> Floats:
        """Free parameters of the model with zero loadings that give the same likelihood.

        Parameters
        ----------
        x : array
            Free parameters of `freed`.
        """
        loadings = self.freed.values(x)[self.slopes]
        factors = loadings.shape[1]
        turn, _ = np.linalg.qr(loadings[:factors].T)
        loadings = loadings @ turn
        loadings *= np.where(loadings.sum(axis=0) < 0, -1.0, 1.0)
        result = x[: len(self.model.start)].copy()
        columns = self.model.design[self.slopes.ravel()].tocoo()
        result[columns.col] = loadings.ravel()[columns.row]
        return result


def rotation_of(model: IrtModel) -> FreeRotation | None:
    """Return the model without its fixed zero loadings; None if rotations would change its
    likelihood.

    Parameters
    ----------
    model : IrtModel
        Any model. Rotations change the likelihood of models with fixed, shared or missing slopes,
        with priors of slopes, and with several groups or covariates.
    """
    group, *others = model.groups
    if others or not group.latent_fixed or model.bifactor:
        return None
    everything = tuple(range(model.factors))
    blocks = group.blocks
    if any(block.factors != everything for block in blocks):
        return None
    count = sum(len(block.columns) for block in blocks)
    slopes: Ints = np.zeros((count, model.factors), np.int64)
    for block in blocks:
        slopes[block.columns] = block.index[:, : model.factors]
    zeros: NDArray[np.bool_] = np.zeros((count, model.factors), np.bool_)
    zeros[np.triu_indices(count, 1, model.factors)] = True
    entries = model.design.tocoo()
    used, times = np.unique(entries.col[entries.data != 0], return_counts=True)
    shared = set(used[times > 1].tolist())
    columns = model.design[slopes[~zeros]].tocoo()
    identified = (
        model.design[slopes[zeros]].nnz == 0
        and not model.base[slopes].any()
        and len(columns.col) == int((~zeros).sum())
        and not shared & set(columns.col.tolist())
    )
    with_prior = {prior.position for prior in model.priors} & set(slopes.ravel().tolist())
    return FreeRotation(model, slopes) if identified and not with_prior else None
