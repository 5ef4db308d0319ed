"""Groups compared by permutation: measurement invariance of composites (MICOM), and paths.

A composite of one group can be compared with that of another only if it is formed in the same way.
MICOM tests this in steps: the same indicators and settings (configural invariance, which one model
for all groups has by design); the scores by both groups' weights correlate perfectly over all cases
(compositional invariance); their means and variances are equal. Every step compares the statistic
of the groups with that of random groups of the same sizes.

References
----------
Henseler, J., Ringle, C. M., Sarstedt, M. (2016). Testing measurement invariance of composites using
    partial least squares. International Marketing Review 33, 405-431.
Chin, W. W., Dibbern, J. (2010). An introduction to a permutation based procedure for multi-group
    PLS analysis. In Handbook of partial least squares, 171-193. Springer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.frames import pick
from gfactor.listing import first_few
from gfactor.numbers_in_text import printed
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.pls.design import Floats
from gfactor.psychometrics.pls.divisions import Divisions, permuted
from gfactor.psychometrics.pls.result import PLSFit
from gfactor.results import Result

_PER_PREDICTOR = 10
_NOT_INVARIANT = "composites_not_invariant"


@dataclass(frozen=True, eq=False, repr=False)
class PLSGroups(Result):
    """Two groups compared by permutation.

    Parameters
    ----------
    composites : DataFrame
        One row per construct: `correlation` of the scores by both groups' weights over all cases,
        its `limit` (the quantile `1 - level` of random groups) and `p_composition`;
        `mean_difference` (first less second group, in standard deviations of all cases) with
        `p_mean`; `log_variance_ratio` with `p_variance`; `invariance`: "full", "partial"
        (composition alone) or "none".
    paths : DataFrame
        One row per path: `source`, `target`, the coefficient in each group, `difference`, `p`.
    groups : tuple of str
        The groups, first and second.
    sizes : tuple of int
        Their cases.
    permutations : int
        Number of permutations that could be fitted.
    level : float
        Confidence level: a step holds if its p is at least 1 - level.
    seed : int
        Seed of the permutations.
    """

    composites: pd.DataFrame
    paths: pd.DataFrame
    groups: tuple[str, str]
    sizes: tuple[int, int]
    permutations: int
    level: float
    seed: int
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def title(self) -> str:
        first, second = (f"{g} (n = {n})" for g, n in zip(self.groups, self.sizes, strict=True))
        return f"{first} and {second}, {self.permutations} permutations"

    @property
    def facts(self) -> Mapping[str, Any]:
        names = ("groups", "sizes", "permutations", "level", "seed")
        return {name: getattr(self, name) for name in names}

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"composites": self.composites, "paths": self.paths}

    def _document(self) -> Mapping[str, Any]:
        return {**self.facts, "diagnostics": self.diagnostics, **self.tables}

    def _lines(self) -> list[str]:
        lines = [self.title, *self._verdict(), printed(self.composites, index=False)]
        if len(self.paths):
            lines += ["", printed(self.paths, index=False)]
        return lines

    def _verdict(self) -> list[str]:
        """Return the sentence that paths are not comparable, unless the diagnostics above already
        state it.

        `gf.pls` moves the diagnostics of a comparison to its fit."""
        broken = _different_weights(self.composites)
        if not broken or any(one.code == _NOT_INVARIANT for one in self.diagnostics):
            return []
        its = "its" if len(broken) == 1 else "their"
        return [
            f"Not comparable between the groups: {', '.join(broken)} and {its} paths, as the "
            "weights differ (MICOM)."
        ]


def compare_groups_pls(
    fit: PLSFit,
    groups: pd.Series | Sequence[object],
    *,
    permutations: int = 1000,
    level: float = 0.95,
    seed: int = 0,
    watch: Callable[[int], object] = lambda _: None,
) -> PLSGroups:
    """Test measurement invariance of composites (MICOM) and compare the paths of two groups.

    Weights of each group are estimated from its own standardized indicators. Compared scores are
    those of all cases together, with indicators standardized over all cases.

    Parameters
    ----------
    fit : PLSFit
        Result of `fit_pls` for all cases; both groups are fitted with its settings.
    groups : Series or list
        Group of each row: a Series with the index of the data, or one value per row that entered.
    permutations : int
        Number of random assignments of the cases to groups of the same sizes; 1,000 and more to
        report.
    level : float
        Confidence level of the tests.
    seed : int
        Seed of the permutations.
    watch : callable
        Function that is called with the number of newly finished permutations.

    Returns
    -------
    PLSGroups
        A row per construct with the three steps, and a row per path.

    Raises
    ------
    ParameterError
        For more or fewer than two groups, a group in which the model cannot be fitted, models with
        interactions or second-order constructs, and gaps in the data.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from gfactor.psychometrics.pls import compare_groups_pls, fit_pls
    >>> random = np.random.default_rng(1)
    >>> a = random.normal(size=100)
    >>> data = pd.DataFrame({f"x{k}": a + random.normal(size=100) for k in range(4)})
    >>> fit = fit_pls("A =~ x0 + x1; B =~ x2 + x3; B ~ A", data)
    >>> school = ["north", "south"] * 50
    >>> compare_groups_pls(fit, school, permutations=50).composites["invariance"].tolist()
    ['full', 'full']
    """
    if not 0 < level < 1:
        raise ParameterError(f"level is {level}; give a number between 0 and 1, such as 0.95")
    if permutations < 2:
        raise ParameterError(f"{permutations} permutations are too few; give 1000")
    _refuse(fit)
    names, first = _membership(fit, groups)
    divisions = Divisions(fit)
    observed = divisions.compared(first[None])
    if np.isnan(observed).any():
        raise ParameterError(
            f"the model cannot be fitted in one of the groups {names[0]} and {names[1]}: an "
            "indicator does not vary there, or the weights do not converge"
        )
    drawn = permuted(divisions, first, permutations, seed, watch)
    good = drawn[~np.isnan(drawn).any(axis=1)]
    if len(good) < 2:
        raise ParameterError(
            "too few permutations could be fitted; an indicator hardly varies: leave it out"
        )
    count = len(fit.constructs)
    parts = np.split(observed[0], [count, 2 * count, 3 * count])
    chance = np.split(good, [count, 2 * count, 3 * count], axis=1)
    composites = _composites(fit.constructs, parts, chance, level)
    paths = _path_table(divisions, first, names, parts[3], chance[3])
    return PLSGroups(
        composites,
        paths,
        names,
        (int(first.sum()), int((~first).sum())),
        len(good),
        level,
        seed,
        (
            *_not_comparable(composites, paths),
            *_checks(fit, names, first, permutations - len(good)),
        ),
    )


def _refuse(fit: PLSFit) -> None:
    if fit.model.interactions or fit.model.parts:
        raise ParameterError(
            "groups are compared for models without interactions and second-order constructs; "
            "compare a model of the first-order constructs without interactions"
        )
    if np.isnan(fit.table.x).any():
        raise ParameterError(
            "composites of groups need complete rows; fit with missing = 'listwise', 'mean' or 'em'"
        )


def _membership(
    fit: PLSFit, groups: pd.Series | Sequence[object]
) -> tuple[tuple[str, str], NDArray[np.bool_]]:
    """The two groups in the order of their first case, and which rows are in the first."""
    if isinstance(groups, pd.Series) and len(groups) != fit.n:
        if not groups.index.is_unique:
            raise ParameterError("the groups' index has a row twice; give one group per row")
        groups = groups.reindex(fit.table.rows)
    values = pd.Series(list(groups), dtype=object)
    if len(values) != fit.n:
        raise ParameterError(
            f"there are {len(values)} groups for {fit.n} analyzed rows; give one per row"
        )
    if values.isna().any():
        raise ParameterError("a row has no group; leave it out of the data")
    labels = list(dict.fromkeys(map(str, values)))
    if len(labels) != 2:
        raise ParameterError(
            f"two groups are compared, and there are {len(labels)} "
            f"({first_few(labels)}); choose two"
        )
    return (labels[0], labels[1]), values.astype(str).to_numpy() == labels[0]


def _path_table(
    divisions: Divisions,
    first: NDArray[np.bool_],
    names: tuple[str, str],
    observed: Floats,
    chance: Floats,
) -> pd.DataFrame:
    """One row per path, with its coefficient in each group."""
    constructs = divisions.fit.constructs
    each = [divisions.solved(one[None].astype(float))[1][0] for one in (first, ~first)]
    return pd.DataFrame({
        "source": [constructs[s] for s, _ in divisions.arrows],
        "target": [constructs[t] for _, t in divisions.arrows],
        names[0]: each[0], names[1]: each[1],
        "difference": observed, "p": _two_sided(observed, chance),
    })  # fmt: skip


def _two_sided(observed: Floats, chance: Floats) -> Floats:
    """The share of divisions, the groups' own among them, that differ at least as much."""
    # Differences that are the same up to rounding count as such.
    as_far = np.abs(chance) >= np.abs(observed) - 1e-12
    return (as_far.sum(axis=0) + 1) / (len(chance) + 1)


def _composites(
    constructs: Sequence[str], observed: Sequence[Floats], chance: Sequence[Floats], level: float
) -> pd.DataFrame:
    correlation, mean, variance = observed[:3]
    below = (chance[0] <= correlation + 1e-12).sum(axis=0)
    p_values = [
        (below + 1) / (len(chance[0]) + 1),
        _two_sided(mean, chance[1]),
        _two_sided(variance, chance[2]),
    ]
    holds = [p >= 1 - level for p in p_values]
    verdict = np.where(holds[0], np.where(holds[1] & holds[2], "full", "partial"), "none")
    return pd.DataFrame(
        {
            "construct": list(constructs),
            "correlation": correlation,
            "limit": np.quantile(chance[0], 1 - level, axis=0),
            "p_composition": p_values[0],
            "mean_difference": mean,
            "p_mean": p_values[1],
            "log_variance_ratio": variance,
            "p_variance": p_values[2],
            "invariance": verdict.tolist(),
        }
    )


def _different_weights(composites: pd.DataFrame) -> list[str]:
    """Return the constructs without compositional invariance."""
    return composites.loc[composites["invariance"] == "none", "construct"].tolist()


def _not_comparable(composites: pd.DataFrame, paths: pd.DataFrame) -> list[Diagnostic]:
    """Return the warning that composites lack compositional invariance, with their paths."""
    broken = _different_weights(composites)
    if not broken:
        return []
    concerned = pick(paths, paths["source"].isin(broken) | paths["target"].isin(broken))
    named = [f"{row['source']} to {row['target']}" for row in concerned.to_dict("records")]
    of_paths = f": differences of {first_few(named)} are no finding" if named else ""
    return [Diagnostic(
        _NOT_INVARIANT, "warning",
        f"The weights of {', '.join(broken)} differ between the groups (MICOM, compositional "
        f"invariance){of_paths}.",
        "Report the model of each group by itself, or leave out indicators whose weights differ.",
        tuple(named or broken),
    )]  # fmt: skip


def _checks(
    fit: PLSFit, names: tuple[str, str], first: NDArray[np.bool_], lost: int
) -> list[Diagnostic]:
    out: list[Diagnostic] = []
    needed = _PER_PREDICTOR * max(1, int(fit.solution.design.arrows.sum(axis=0).max(initial=0)))
    for name, count in zip(names, (int(first.sum()), int((~first).sum())), strict=True):
        if count < needed:
            out.append(
                Diagnostic(
                    "small_group", "warning",
                    f"The group {name} has {count} cases, fewer than ten times the predictors of "
                    f"the largest regression ({needed}).",
                    "A step that holds here says little; collect more cases of this group.",
                    (name,), {"n": count, "needed": needed},
                )
            )  # fmt: skip
    if lost:
        out.append(
            Diagnostic(
                "permutations_left_out",
                "note",
                f"{lost} permutations were left out, because an indicator did not vary in a group "
                "or the weights did not converge.",
                "Look for indicators with few values.",
                (),
                {"left_out": lost},
            )
        )
    return out
