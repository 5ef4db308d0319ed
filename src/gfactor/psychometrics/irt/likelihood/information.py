"""Expected and observed information of the marginal likelihood, and the scores of persons.

References
----------
Louis, T. A. (1982). Finding the observed information matrix when using the EM algorithm. JRSS B
    44, 226-233.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from scipy import sparse

from gfactor.psychometrics.float_arrays import einsum, inv, solve
from gfactor.psychometrics.irt.likelihood.curves import Floats, derivatives, first_derivatives
from gfactor.psychometrics.irt.likelihood.marginal import Evaluation, GridDensity, Integral, Ints
from gfactor.psychometrics.irt.likelihood.specification import Block, IrtGroup

MANY_PARAMETERS = 1_500
"""With more free parameters, the information is not computed from a row per person and node."""

_PAIRS_AT_ONCE = 4_000_000
"""Number of pairs of marks at some nodes that are in memory together."""

MANY_ITEMS = 100
"""With this number of items, posteriors are narrow enough for fewer polynomials than nodes."""


class Marginal(Integral):
    """The marginal likelihood of a model for given responses, with its information matrices."""

    def expected_complete(self, at: Evaluation) -> Floats | sparse.csc_matrix:
        """Return expected complete-data information with priors, (X, X): positive semi-definite.

        It is the Hessian that an M-step would use, with categories replaced by their expectation.
        It is a dense matrix for few parameters, a sparse one for many.
        """
        rows, columns, entries = [], [], []

        def put(index: Ints, matrix: Floats) -> None:
            rows.append(np.repeat(index, index.shape[-1], axis=-1).ravel())
            columns.append(np.tile(index, index.shape[-1]).ravel())
            entries.append(matrix.ravel())

        for g, group in enumerate(self.model.groups):
            for block, count in zip(group.blocks, at.counts[g], strict=True):
                for part in block.chunks(count.shape[-1]):
                    curves = derivatives(
                        block.kind, at.values[block.index[part]], self._nodes_of(block),
                        block.categories,
                    )  # fmt: skip
                    here = count[part].sum(axis=1, keepdims=True) * np.exp(curves.value)
                    weighted = here[:, :, :, None] * curves.first
                    put(block.index[part], einsum("jkqm,jkqn->jmn", weighted, curves.first))
            if not (self.two_tier or group.latent_fixed):
                put(group.latent, self._latent_fisher(g, group, at))
                if group.regression is not None:
                    put(*self._regression_fisher(g, group, at))
        return self.model.summed(
            np.concatenate(rows), np.concatenate(columns), np.concatenate(entries),
            self.model.prior_precision(at.values, positive=True),
        )  # fmt: skip

    def _latent_fisher(self, g: int, group: IrtGroup, at: Evaluation) -> Floats:
        latent = self.latent(group, at.values, self._rows[g])
        weights = self.data.weights[self._rows[g]]
        prior = np.exp(latent.log_weights)
        share = weights if len(prior) > 1 else np.array([weights.sum()])
        mean = prior @ latent.statistics
        weighted = latent.statistics * (share @ prior)[:, None]
        spread = weighted.T @ latent.statistics - (mean * share[:, None]).T @ mean
        return latent.jacobian.T @ spread @ latent.jacobian

    def _regression_fisher(self, g: int, group: IrtGroup, at: Evaluation) -> tuple[Ints, Floats]:
        assert self.data.covariates is not None
        assert group.regression is not None
        x = self.data.covariates[self._rows[g]]
        precision = inv(at.values[group.covariance])
        gram = (x * self.data.weights[self._rows[g]][:, None]).T @ x
        fisher = np.kron(gram, precision).astype(np.float64)
        return group.regression.ravel(), fisher

    @property
    def smooth(self) -> bool:
        """Return True if polynomials expand the missing information (see `smooth_factors`)."""
        many = len(self.model.start) > MANY_PARAMETERS or self.data.codes.shape[1] >= MANY_ITEMS
        return many and self.model.factors == 1 and self.by_answers

    def observed(self, at: Evaluation) -> Floats:
        """Return observed information (X, X) of the log-likelihood and the priors, dense."""
        size = len(at.values)
        complete = np.zeros((size, size))
        for g, group in enumerate(self.model.groups):
            for block, count in zip(group.blocks, at.counts[g], strict=True):
                for part in block.chunks(count.shape[-1]):
                    curves = derivatives(
                        block.kind, at.values[block.index[part]], self._nodes_of(block),
                        block.categories,
                    )  # fmt: skip
                    bend = -einsum("jkq,jkqmn->jmn", count[part], curves.second)
                    index = block.index[part]
                    complete[index[:, :, None], index[:, None, :]] += bend
            if not (self.two_tier or group.latent_fixed):
                self._add_latent_bend(complete, g, group, at)
        complete[np.diag_indices(size)] += self.model.prior_precision(at.values, positive=False)
        design = self.model.design
        information = design.T @ (design.T @ complete).T
        if self.by_pairs or self.many_persons:
            information -= self.missing_information(at)
        else:
            factors = self.smooth_factors(at) if self.smooth else self.missing_factors(at)
            for factor in factors:
                information -= factor.T @ factor
        return 0.5 * (information + information.T)

    def _add_latent_bend(self, complete: Floats, g: int, group: IrtGroup, at: Evaluation) -> None:
        rows, posterior = self._rows[g], at.posteriors[g]
        weights = self.data.weights[rows]
        latent = self.latent(group, at.values, rows)
        natural = (posterior.weights - np.exp(latent.log_weights)) @ latent.statistics
        bend = self._latent_fisher(g, group, at)
        bend = bend - einsum("t,tmn->mn", weights @ natural, latent.bend)
        index = group.latent
        complete[np.ix_(index, index)] += bend
        if group.regression is None:
            return
        assert self.data.covariates is not None
        f, x = self.model.factors, self.data.covariates[rows]
        # The mean of a person moves the linear statistics alone; the mean's own entries of
        # `jacobian` and `bend` hold for it, with the person's mean in place of the group's.
        prior = np.exp(latent.log_weights)
        mean = prior @ latent.statistics
        jacobians = self._person_jacobians(group, at.values, rows, latent)
        spread = einsum("pq,qs,qt->pst", prior, latent.statistics, latent.statistics, optimize=True)
        spread -= mean[:, :, None] * mean[:, None, :]
        person = einsum("psm,pst,ptn->pmn", jacobians, spread, jacobians, optimize=True)
        person -= einsum("pt,tmn->pmn", natural, latent.bend)
        person -= self._moved_bend(group, at.values, rows, natural, latent)
        complete[np.ix_(index, index)] -= bend
        complete[np.ix_(index, index)] += einsum("p,pmn->mn", weights, person)
        effects = group.regression.ravel()
        c = x.shape[1]
        slopes = einsum("p,pc,pd,pmn->cmdn", weights, x, x, person[:, :f, :f], optimize=True)
        complete[np.ix_(effects, effects)] += slopes.reshape(c * f, c * f)
        cross = einsum("p,pc,pmn->cmn", weights, x, person[:, :f], optimize=True)
        complete[np.ix_(effects, index)] += cross.reshape(c * f, -1)
        complete[np.ix_(index, effects)] += cross.reshape(c * f, -1).T

    def _moved_bend(
        self, group: IrtGroup, values: Floats, rows: Ints, natural: Floats, latent: GridDensity
    ) -> Floats:
        """Return what a person's own mean adds to sum(natural * bend), (P, M, M)."""
        assert self.data.covariates is not None
        assert group.regression is not None
        f = self.model.factors
        m = latent.jacobian.shape[1]
        shift = self.data.covariates[rows] @ values[group.regression]
        precision = latent.jacobian[:f, :f]
        turned = [latent.bend[:f, :f, f + b] for b in range(m - f)]
        units = [-solve(precision, move) @ inv(precision) for move in turned]
        added = np.zeros((len(rows), m, m))
        for b, move in enumerate(turned):
            for c, unit in enumerate(units):
                second = -(move @ unit @ precision + precision @ unit @ move)
                added[:, f + b, f + c] = einsum("pi,ij,pj->p", natural[:, :f], second, shift)
        return added

    @property
    def by_pairs(self) -> bool:
        """Return True if nodes are too many for a row per person and node."""
        return self.model.factors > 2 and self.by_answers

    @property
    def many_persons(self) -> bool:
        """Return True if pairs of answers are fewer than rows of persons."""
        many = len(self.data.codes) > len(self.model.start)
        return many and self.by_answers and not self.smooth

    @property
    def by_answers(self) -> bool:
        """Return True if persons differ by their answers alone."""
        return not self.two_tier and all(group.regression is None for group in self.model.groups)

    def missing_information(self, at: Evaluation) -> Floats:
        """Return posterior covariance of the scores, summed over persons, (X, X).

        At a node the sum depends only on the expected number of persons with each pair of answers.
        This product of the answers with themselves is much smaller than that of the scores, because
        every answer affects several parameters.
        """
        design, missing = self.model.design, np.zeros((len(at.values),) * 2)
        for g, group in enumerate(self.model.groups):
            weights = self.data.weights[self._rows[g]][:, None]
            marks, slopes = self._scores_by_mark(g, group, at)
            step = max(1, _PAIRS_AT_ONCE // marks.shape[1] ** 2)
            for start in range(0, len(self.nodes), step):
                part = slice(start, start + step)
                shares = np.ascontiguousarray((at.posteriors[g].weights[:, part] * weights).T)
                pairs = np.zeros((len(shares), marks.shape[1], marks.shape[1]))
                for r in range(marks.shape[1]):
                    pairs[:, r, r:] = shares @ (marks[:, r, None] * marks[:, r:])
                    pairs[:, r:, r] = pairs[:, r, r:]
                moved = slopes(part)
                turned = np.matmul(pairs, moved)
                missing += np.tensordot(moved, turned, axes=((0, 1), (0, 1)))
        total = design.T @ (design.T @ missing).T
        for g in range(len(self.model.groups)):
            mean = self.mean_scores(g, at) * np.sqrt(self.data.weights[self._rows[g]])[:, None]
            total -= mean.T @ mean
        return total

    def _scores_by_mark(
        self, g: int, group: IrtGroup, at: Evaluation
    ) -> tuple[Floats, Callable[[slice], Floats]]:
        """Marks (P, R) of persons, and what each adds to their scores at some nodes, (Q, R, V).

        A mark is an answer in a category above the lowest; an item that was answered, where some
        were not; and a 1 for what is the same for everybody.
        """
        columns, prepared = [], []
        for block, marks in zip(group.blocks, self._marks[g], strict=True):
            by_item = marks.reshape(len(marks), len(block.columns), block.categories)
            first = first_derivatives(
                block.kind, at.values[block.index], self._nodes_of(block), block.categories
            )
            answered = by_item.sum(axis=2)
            columns += [by_item[:, :, 1:].reshape(len(marks), -1), answered]
            prepared.append((block, first))
        columns.append(np.ones((len(self._rows[g]), 1)))
        marks, size = np.hstack(columns), len(at.values)
        # An item that everybody answered is the same for everybody.
        constant = (marks == 1).all(axis=0)
        constant[-1] = False

        def slopes(part: slice) -> Floats:
            rows: list[Floats] = []
            for block, first in prepared:
                here = np.moveaxis(first[:, :, part], 2, 0)
                more = here[:, :, 1:] - here[:, :, :1]
                for entry in (more, here[:, :, :1]):
                    count = entry.shape[2]
                    full = np.zeros((len(here), len(block.columns), count, size))
                    for j, index in enumerate(block.index):
                        full[:, j, :, index] = np.moveaxis(entry[:, j], 2, 0)
                    rows.append(full.reshape(len(here), -1, size))
            same = np.zeros((len(rows[0]), 1, size))
            if not group.latent_fixed:
                latent = self.latent(group, at.values)
                away = latent.statistics - np.exp(latent.log_weights) @ latent.statistics
                same[:, 0, group.latent] = away[part] @ latent.jacobian
            by_mark = np.concatenate([*rows, same], axis=1)
            by_mark[:, -1] += by_mark[:, constant].sum(axis=1)
            return by_mark[:, ~constant]

        return marks[:, ~constant], slopes

    def missing_factors(self, at: Evaluation) -> Iterator[Floats]:
        """Yield matrices U (rows, X) whose U'U sum to the posterior covariance of the scores.

        Summed over persons with their weights; a row belongs to a person and a node.
        """
        free = self.model.design.T
        for g, group in enumerate(self.model.groups):
            root = np.sqrt(self.data.weights[self._rows[g]])[:, None]
            if self.two_tier:
                yield from self._two_tier_factors(g, group, at, root)
                continue
            shares = np.sqrt(at.posteriors[g].weights) * root
            mean = self.mean_scores(g, at)
            for q, score in enumerate(self._scores(g, group, at)):
                yield shares[:, q : q + 1] * ((free @ score.T).T - mean)

    def smooth_factors(self, at: Evaluation) -> Iterator[Floats]:
        """Yield factors like `missing_factors`, with a row per person and polynomial instead of
        node.

        The scores are expanded in the polynomials that are orthonormal under every person's
        posterior. If many items make the posterior narrow, a few polynomials hold all of the
        variance; they are added until one holds less than 1e-11 of it.
        """
        line = self.nodes[:, 0]
        for g in range(len(self.model.groups)):
            root = np.sqrt(self.data.weights[self._rows[g]])[:, None]
            weights = at.posteriors[g].weights
            before, now = np.zeros_like(weights), np.ones_like(weights)
            norm, total = np.zeros((len(weights), 1)), 0.0
            slopes = self._slopes(g, at)
            for _ in range(len(line) - 1):
                center = (weights * now**2) @ line
                then = (line - center[:, None]) * now - norm * before
                norm[:] = np.sqrt((weights * then**2).sum(axis=1, keepdims=True))
                flat = norm < 1e-10
                before[:], now[:] = now, np.where(flat, 0.0, then / np.where(flat, 1.0, norm))
                factor = root * self.mean_scores(g, at, weights * now, slopes)
                size = float((factor**2).sum())
                total += size
                yield factor
                if size <= 1e-11 * total:
                    break

    def _slopes(self, g: int, at: Evaluation) -> list[tuple[Block, slice, Floats]]:
        """First derivatives of the log probabilities of a group's blocks, in chunks of items."""
        slopes = []
        for block in self.model.groups[g].blocks:
            for part in block.chunks(len(self.nodes)):
                curves = derivatives(
                    block.kind, at.values[block.index[part]], self._nodes_of(block),
                    block.categories,
                )  # fmt: skip
                slopes.append((block, part, curves.first))
        return slopes

    def mean_scores(
        self, g: int, at: Evaluation, shares: Floats | None = None,
        slopes: list[tuple[Block, slice, Floats]] | None = None,
    ) -> Floats:  # fmt: skip
        """Return gradient of every person's log-likelihood, (P, X).

        With `shares` (P, Q), which sum to zero in every row, the scores are weighted by these.
        `slopes` is the result of `_slopes`, if it was computed before.
        """
        group, posterior = self.model.groups[g], at.posteriors[g]
        total = np.zeros((len(self._rows[g]), len(at.values)))
        marks = {id(block): m for block, m in zip(group.blocks, self._marks[g], strict=True)}
        for block, part, first in self._slopes(g, at) if slopes is None else slopes:
            weights = self.shares(block, posterior) if shares is None else shares
            here = marks[id(block)].reshape(len(weights), -1, block.categories)[:, part]
            flat = first.transpose(2, 0, 1, 3).reshape(len(self.nodes), -1)
            moved = (weights @ flat).reshape(len(weights), *first.shape[:2], first.shape[3])
            score = einsum("pjk,pjkm->pjm", here, moved)
            for m in range(block.index.shape[1]):
                total[:, block.index[part, m]] += score[:, :, m]
        if not (self.two_tier or group.latent_fixed):
            if shares is None:
                moved = self._latent_scores(group, at.values, posterior, self._rows[g])
            else:
                latent = self.latent(group, at.values, self._rows[g])
                moved = (shares @ latent.statistics) @ latent.jacobian
            total[:, group.latent] += moved
            if group.regression is not None:
                assert self.data.covariates is not None
                x = self.data.covariates[self._rows[g]]
                for c, index in enumerate(group.regression):
                    total[:, index] += x[:, c : c + 1] * moved[:, : len(index)]
        return (self.model.design.T @ total.T).T

    def _scores(self, g: int, group: IrtGroup, at: Evaluation) -> Iterator[Floats]:
        """Complete-data score (P, V) at every node, without what does not depend on the node."""
        codes = self.data.codes[self._rows[g]]
        prepared = []
        for block in group.blocks:
            curves = derivatives(
                block.kind, at.values[block.index], self._nodes_of(block), block.categories
            ).first
            here = codes[:, block.columns]
            prepared.append((block, curves, np.maximum(here, 0), here >= 0))
        counts = self.data.counts
        jacobians = latent = expected = None
        if not group.latent_fixed:
            latent = self.latent(group, at.values, self._rows[g])
            expected = np.exp(latent.log_weights) @ latent.statistics
            jacobians = self._person_jacobians(group, at.values, self._rows[g], latent)
        for q in range(len(self.nodes)):
            score = np.zeros((len(codes), len(at.values)))
            for block, curves, here, seen in prepared:
                if counts is None:
                    chosen = curves[np.arange(len(block.columns)), here, q] * seen[:, :, None]
                else:
                    given = counts[np.ix_(self._rows[g], block.columns)]
                    chosen = einsum("pjk,jkm->pjm", given, curves[:, :, q])
                for m in range(block.index.shape[1]):
                    score[:, block.index[:, m]] += chosen[:, :, m]
            if latent is not None and jacobians is not None:
                natural = latent.statistics[q] - expected
                natural = np.broadcast_to(natural, (len(codes), natural.shape[1]))
                moved = einsum("pt,ptm->pm", natural, jacobians)
                score[:, group.latent] += moved
                if group.regression is not None:
                    assert self.data.covariates is not None
                    x = self.data.covariates[self._rows[g]]
                    for c, index in enumerate(group.regression):
                        score[:, index] += x[:, c : c + 1] * moved[:, : len(index)]
            yield score

    def _two_tier_factors(
        self, g: int, group: IrtGroup, at: Evaluation, root: Floats
    ) -> Iterator[Floats]:
        # Given the general factor the specific ones are independent: the covariance is the mean of
        # those within a specific factor plus that of the conditional means of the scores.
        design, posterior = self.model.design, at.posteriors[g]
        codes, q = self.data.codes[self._rows[g]], self.quadrature.points
        count = len(codes)
        conditional = np.zeros((q, count, len(self.model.start)))
        with np.errstate(invalid="ignore", divide="ignore"):
            inner = {
                s: np.nan_to_num(joint / posterior.weights[:, :, None])
                for s, joint in posterior.specific.items()
            }
        by_factor: dict[int, list[Block]] = {}
        for block in group.blocks:
            by_factor.setdefault(block.factors[1] if len(block.factors) > 1 else -1, []).append(
                block
            )
        for s, blocks in by_factor.items():
            part = design[np.concatenate([block.index.ravel() for block in blocks])]
            prepared = []
            for block in blocks:
                curves = derivatives(
                    block.kind, at.values[block.index], self._nodes_of(block), block.categories
                ).first
                here = codes[:, block.columns]
                prepared.append((curves, np.maximum(here, 0), (here >= 0)[:, :, None, None]))
            within = np.zeros((part.shape[0], part.shape[0]))
            for i in range(q):
                nodes = slice(i * q, i * q + (q if s >= 0 else 1))
                parts = []
                for curves, here, seen in prepared:
                    chosen = curves[np.arange(here.shape[1]), here, nodes]
                    if not seen.all():
                        chosen = chosen * seen
                    parts.append(chosen.transpose(0, 2, 1, 3).reshape(*chosen.shape[::2], -1))
                score = np.concatenate(parts, axis=2) if len(parts) > 1 else parts[0]
                shares = inner[s][:, i] if s >= 0 else np.ones((count, 1))
                mean = np.matmul(shares[:, None], score)[:, 0]
                conditional[i] += (part.T @ mean.T).T
                score -= mean[:, None]
                weight = np.sqrt(shares * posterior.weights[:, i : i + 1]) * root
                score *= weight[:, :, None]
                away = score.reshape(-1, score.shape[2])
                within += away.T @ away
            # All factors of one kind have the same columns: a root of their sum stands for them.
            size, turn = np.linalg.eigh(within)
            yield (part.T @ (turn * np.sqrt(np.maximum(size, 0)))).T
        mean = einsum("pi,ipx->px", posterior.weights, conditional)
        for i in range(q):
            yield np.sqrt(posterior.weights[:, i : i + 1]) * root * (conditional[i] - mean)
