"""Choice of the next item, or of the next cell of a design.

Every criterion is a gain that the next answer is expected to bring, computed for all candidates at
once. Answers that are still in flight are integrated out: their number right has the distribution
of Lord and Wingersky (1984) at every ability, and the gain is the mean over it. For curves of equal
slope the number right is a sufficient statistic; for others the mean is a close bound.

References
----------
Lord, F. M. (1980). Applications of Item Response Theory to Practical Testing Problems.
Chang, H.-H., Ying, Z. (1996). A global information approach to computerized adaptive testing.
    Applied Psychological Measurement 20, 213-229.
van der Linden, W. J. (1998). Bayesian item selection criteria for adaptive testing. Psychometrika
    63, 201-216. Minimum expected posterior variance.
Segall, D. O. (1996). Multidimensional adaptive testing. Psychometrika 61, 331-354. The D-rule.
Kingsbury, G. G., Zara, A. R. (1989). Procedures for selecting items for computerized adaptive
    tests. Applied Measurement in Education 2, 359-375. Content balance, and choice among the best.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import special

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.irt.adaptive.posterior import AbilityPosterior
from gfactor.psychometrics.irt.adaptive.precision import curve_information
from gfactor.psychometrics.irt.adaptive.ranking import best_first
from gfactor.psychometrics.irt.likelihood.curves import Floats
from gfactor.psychometrics.irt.scores.abilities import right_probabilities

Criterion = Literal["mepv", "mfi", "kl", "entropy", "d", "random"]
CRITERIA: tuple[Criterion, ...] = get_args(Criterion)


@dataclass(frozen=True, eq=False)
class Candidates:
    """Items or design cells that may come next, with the probability of a right answer.

    Parameters
    ----------
    names : sequence of str
        Names of the C candidates.
    abilities : sequence of str
        The ability that each measures.
    probabilities : array (C, Q)
        Probability of a right answer at the nodes of its ability's posterior; of design cells the
        curve integrated over clones (`Calibration.probabilities`).
    costs : sequence of float or None
        Cost of asking each candidate; gains are then per cost.
    families : sequence of str or None
        Groups over which content is balanced; by default the abilities.
    testlets : sequence of str or None
        Testlets whose answers share an effect of the person, if posteriors have a testlet variance;
        the families if not given.
    """

    names: Sequence[str]
    abilities: Sequence[str]
    probabilities: Floats
    costs: Sequence[float] | None = None
    families: Sequence[str] | None = None
    testlets: Sequence[str] | None = None

    def __post_init__(self) -> None:
        p = np.asarray(self.probabilities, float)
        count = len(self.names)
        if p.ndim != 2 or len(p) != count or not count:
            raise ParameterError(
                f"probabilities must have a row for each of {count} candidates, got {p.shape}"
            )
        if not (np.isfinite(p).all() and (p >= 0).all() and (p <= 1).all()):
            row = int(np.flatnonzero(~((p >= 0) & (p <= 1)).all(axis=1))[0])
            raise ParameterError(f"candidate {self.names[row]!r} has a probability outside [0, 1]")
        for what, given in (("abilities", self.abilities), ("families", self.families),
                            ("testlets", self.testlets), ("costs", self.costs)):  # fmt: skip
            if given is not None and len(given) != count:
                raise ParameterError(f"{what} must be {count}, one per candidate, got {len(given)}")
        if self.costs is not None and not (np.asarray(self.costs, float) > 0).all():
            raise ParameterError("costs of candidates must be positive")
        object.__setattr__(self, "probabilities", p)

    @property
    def groups(self) -> Sequence[str]:
        """Return the groups over which content is balanced, one per candidate."""
        return self.abilities if self.families is None else self.families

    def testlets_of(self, rows: Iterable[int]) -> list[str] | None:
        """Return the testlets of candidates; None if no testlets are defined."""
        named = self.families if self.testlets is None else self.testlets
        return None if named is None else [str(named[k]) for k in rows]


def choose(
    candidates: Candidates, posteriors: Mapping[str, AbilityPosterior], *,
    pending: Sequence[int] = (), counts: Mapping[str, int] | None = None,
    targets: Mapping[str, float] | None = None, criterion: Criterion = "mepv",
    allowed: NDArray[np.bool_] | None = None, among: int = 1,
    rng: np.random.Generator | None = None, ahead: int = 0,
) -> int:  # fmt: skip
    """Return the candidate with the largest expected gain.

    Parameters
    ----------
    candidates : Candidates
        Candidates to choose from.
    posteriors : mapping of ability to AbilityPosterior
        Abilities that are still measured; candidates of others are not chosen.
    pending : sequence of int
        Candidates that were asked and have not been answered yet; one that was asked several times
        is listed as often.
    counts : mapping of family to int
        Questions asked so far, those pending included.
    targets : mapping of family to float
        Shares of the families of one ability, up to a factor. A family that has its share already
        waits until the others of its ability have theirs.
    criterion : str
        "mepv", the fall of the posterior variance; "mfi", Fisher information at the posterior mean;
        "kl", Kullback-Leibler information under the posterior; "entropy", the fall of the
        posterior entropy, nats; "d", the fall of the log posterior variance, which compares
        abilities of different variance (the D-rule for abilities that are independent); "random".
    allowed : array (C,) of bool or None
        Candidates that may be chosen; all by default.
    among : int
        Draw among this many best candidates ("randomesque"), which needs `rng`.
    rng : Generator or None
        Random number generator for "random" and `among`.
    ahead : int
        Number of questions above its share that a family may have before it waits, so that families
        with the most informative questions come first.

    Returns
    -------
    int
        Row of the chosen candidate; among equal ones the first.

    Raises
    ------
    ParameterError, UnknownNameError
        If no candidate is left, or the criterion is unknown.

    Examples
    --------
    >>> import numpy as np
    >>> from gfactor.psychometrics.irt.adaptive import AbilityPosterior, Candidates, choose
    >>> nodes = np.linspace(-6, 6, 121)
    >>> curves = 1 / (1 + np.exp(-(nodes - np.array([[-2.0], [0.1], [2.0]]))))
    >>> cells = Candidates(["easy", "middle", "hard"], ["Gf"] * 3, curves)
    >>> choose(cells, {"Gf": AbilityPosterior(nodes)})
    1
    """
    if criterion not in CRITERIA:
        raise UnknownNameError("criterion", criterion, CRITERIA)
    if rng is None and (criterion == "random" or among > 1):
        raise ParameterError("choosing at random needs rng, a numpy Generator")
    abilities = np.asarray(candidates.abilities)
    open_ = np.isin(abilities, list(posteriors))
    if allowed is not None:
        open_ &= np.asarray(allowed, bool)
    if not open_.any():
        raise ParameterError("no candidate is left that measures an open ability")
    gain = np.full(len(abilities), -np.inf)
    for ability, posterior in posteriors.items():
        rows = np.flatnonzero(open_ & (abilities == ability))
        if not len(rows):
            continue
        if criterion == "random":
            assert rng is not None
            gain[rows] = rng.uniform(size=len(rows))
            continue
        if len(posterior.nodes) != candidates.probabilities.shape[1]:
            raise ParameterError(
                f"probabilities are given at {candidates.probabilities.shape[1]} nodes, and the "
                f"posterior of {ability!r} has {len(posterior.nodes)}; compute them at its nodes"
            )
        flying = [k for k in pending if abilities[k] == ability]
        p, at = candidates.probabilities, [*rows.tolist(), *flying]
        chances = posterior.chances(p[at], candidates.testlets_of(at))
        gain[rows] = gains(criterion, chances[: len(rows)], posterior, chances[len(rows) :])
    if candidates.costs is not None:
        gain = gain / np.asarray(candidates.costs, float)
    if targets is not None:
        gain = _balanced(candidates, gain, counts or {}, targets, ahead)
    if among > 1:
        assert rng is not None
        return int(rng.choice(best_first(gain)[:among]))
    return int(best_first(gain)[0])


def gains(
    criterion: Criterion, p: Floats, posterior: AbilityPosterior, pending: Floats | None = None
) -> Floats:
    """Return the expected gain of every candidate.

    Parameters
    ----------
    criterion : str
        Criterion of `choose`, without "random".
    p : array (C, Q)
        Probability of a right answer at the nodes of the posterior.
    posterior : AbilityPosterior
    pending : array (K, Q) or None
        Probabilities of the questions that are in flight.

    Returns
    -------
    array (C,)
        Gain of each candidate.
    """
    flying = np.empty((0, p.shape[1])) if pending is None else pending
    # Posterior mass of every node with every number right among the pending.
    joint = right_probabilities(flying) * posterior.density
    return _GAINS[criterion](p, joint, posterior)


def in_flight(answered: int, most: int = 8) -> int:
    """Return the number of questions that may be in flight: one more for every two answers.

    The first answers move the estimate most, and questions chosen before any of them are less
    informative. Growing to eight costs up to 1 % of the standard error at equal numbers of answers,
    while eight from the start cost up to 8 % (docs/evidence/benchmarks.md); 400 answers then take
    53 times the latency of one, instead of 400 times.

    Parameters
    ----------
    answered : int
        Answers so far.
    most : int
        Largest number.

    Returns
    -------
    int
        Number of questions, at least 1.

    Raises
    ------
    ParameterError
        If `most` is below 1, or `answered` negative.

    Examples
    --------
    >>> from gfactor.psychometrics.irt.adaptive import in_flight
    >>> [in_flight(n) for n in (0, 1, 2, 6, 14, 300)]
    [1, 1, 2, 4, 8, 8]
    """
    if most < 1 or answered < 0:
        raise ParameterError(
            f"the number of questions in flight must be 1 or more, got {most} at {answered} answers"
        )
    return min(most, 1 + answered // 2)


def _balanced(
    candidates: Candidates, gain: Floats, counts: Mapping[str, int],
    targets: Mapping[str, float], ahead: int,
) -> Floats:  # fmt: skip
    """Gains of the ability that gains most; -inf for other abilities and for families with their
    share."""
    ability = candidates.abilities[int(best_first(gain)[0])]
    here = np.isfinite(gain) & (np.asarray(candidates.abilities) == ability)
    groups = np.asarray(candidates.groups)
    below = below_target(sorted(set(groups[here])), counts, targets, ahead)
    return np.where(here & np.isin(groups, sorted(below)), gain, -np.inf)


def below_target(
    families: Sequence[str], counts: Mapping[str, int], targets: Mapping[str, float],
    ahead: int = 0,
) -> set[str]:  # fmt: skip
    """Return families whose number of questions is below their share of the test (including the
    next question), or above it by at most the given number.

    Parameters
    ----------
    families : sequence of str
        Families that can be asked.
    counts : mapping of family to int
        Questions so far.
    targets : mapping of family to float
        Shares, up to a factor; a family with none is never asked.
    ahead : int
        Number of questions above the share that are allowed.

    Returns
    -------
    set of str
        Never empty.
    """
    unknown = next((f for f in families if not targets.get(f, 0) >= 0), None)
    if unknown is not None:
        raise ParameterError(f"the target of {unknown!r} must not be negative")
    total = sum(targets.get(f, 0.0) for f in families)
    if not total:
        raise ParameterError(
            f"the targets name no family that can be asked; these can: {', '.join(families)}"
        )
    total_count = sum(counts.get(f, 0) for f in families)
    shares = {
        f: (total_count + 1) * targets.get(f, 0.0) / total for f in families if targets.get(f)
    }
    return {f for f, share in shares.items() if counts.get(f, 0) < share + ahead}


def _moments(p: Floats, joint: Floats, away: Floats) -> tuple[Floats, Floats]:
    """Probability, and probability times variance, of every future and answer: (C, S, 2) each."""
    powers = np.stack([np.ones_like(away), away, away**2])
    mass = (joint[:, None, :] * powers).reshape(-1, len(away))
    right = (p @ mass.T).reshape(len(p), len(joint), 3)
    both = np.stack([mass.sum(axis=1).reshape(len(joint), 3) - right, right], axis=2)
    chance = np.maximum(both[..., 0], 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        part = both[..., 2] - np.where(chance > 0, both[..., 1] ** 2 / chance, 0)
    return chance, np.maximum(part, 0)


def _variance_gain(p: Floats, joint: Floats, posterior: AbilityPosterior) -> Floats:
    """Fall of the expected posterior variance."""
    _, part = _moments(p, joint, posterior.nodes - posterior.theta)
    return posterior.se**2 - part.sum(axis=(1, 2))


def _determinant_gain(p: Floats, joint: Floats, posterior: AbilityPosterior) -> Floats:
    """Fall of the expected log posterior variance."""
    chance, part = _moments(p, joint, posterior.nodes - posterior.theta)
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.where(chance > 0, chance * np.log(part / chance), 0)
    return 2 * np.log(posterior.se) - logs.sum(axis=(1, 2))


def _entropy_gain(p: Floats, joint: Floats, posterior: AbilityPosterior) -> Floats:
    """Mutual information of the answer and ability, given the number right among the pending."""
    right = p @ joint.T
    share = joint.sum(axis=1)
    inner = (special.entr(p) + special.entr(1 - p)) @ joint.sum(axis=0)
    outer = special.entr(right) + special.entr(np.maximum(share - right, 0)) - special.entr(share)
    return outer.sum(axis=1) - inner


def _fisher_gain(p: Floats, joint: Floats, posterior: AbilityPosterior) -> Floats:
    """Fisher information at the posterior mean, averaged over the outcomes of pending answers."""
    nodes = posterior.nodes
    information = curve_information(p, nodes)
    share = joint.sum(axis=1)
    centers = joint @ nodes / share
    left = np.clip(np.searchsorted(nodes, centers) - 1, 0, len(nodes) - 2)
    weight = (centers - nodes[left]) / (nodes[left + 1] - nodes[left])
    return (information[:, left] * (1 - weight) + information[:, left + 1] * weight) @ share


def _divergence_gain(p: Floats, joint: Floats, posterior: AbilityPosterior) -> Floats:
    """Kullback-Leibler divergence from the curve at the posterior mean, averaged over the
    posterior."""
    nodes, total = posterior.nodes, np.zeros(len(p))
    for mass in joint:
        center = mass @ nodes / mass.sum()
        left = int(np.clip(np.searchsorted(nodes, center) - 1, 0, len(nodes) - 2))
        weight = (center - nodes[left]) / (nodes[left + 1] - nodes[left])
        at = (p[:, left] * (1 - weight) + p[:, left + 1] * weight)[:, None]
        total += (special.rel_entr(at, p) + special.rel_entr(1 - at, 1 - p)) @ mass
    return total


_GAINS = {
    "mepv": _variance_gain, "mfi": _fisher_gain, "kl": _divergence_gain,
    "entropy": _entropy_gain, "d": _determinant_gain,
}  # fmt: skip
