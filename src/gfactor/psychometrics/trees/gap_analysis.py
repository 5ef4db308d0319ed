"""The perception gap of one examinee: over all items, by group, by size, and of triplets.

The result over all items is a `PerceptionGap`. Groups have the paired difference and the two
losses, which need no tree of their own (the tree of the three versions is saturated). Thresholds of
size come from two psychometric functions, with and without pictures. The interval of their
difference adds the squared distances to the ends of both (Zou and Donner 2008); it is too wide if
both are answers to the same scenes.

References
----------
Zou, G. Y., Donner, A. (2008). Construction of confidence limits about effect measures. Statistics
    in Medicine 27, 1693-1702.
Huang, J. et al. (2024). MMEvalPro: Calibrating multimodal benchmarks towards trustworthy and
    efficient evaluation. arXiv:2407.00468 (genuine accuracy).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import special

from gfactor.errors import ParameterError
from gfactor.listing import first_few
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.inference.claim import Sampling
from gfactor.psychometrics.inference.intervals import wilson
from gfactor.psychometrics.psychophysics.curves import LAPSE_MAX
from gfactor.psychometrics.psychophysics.fits import fit_curves
from gfactor.psychometrics.trees.gap import PerceptionGap, compare_versions, perception_gap
from gfactor.results import Result, number_of

_PARTS = {"see": "s", "reason": "r", "guess": "g"}
_FEW_PAIRS = 10
"""Number of pairs below which a group has too little information."""
_ENDS = ["estimate", "ci_lower", "ci_upper"]


@dataclass(frozen=True, repr=False)
class GapAnalysis(Result):
    """Loss of accuracy on pictures compared with text twins, over all items and by group.

    Parameters
    ----------
    whole : PerceptionGap
        Result over all items: accuracies, paired difference, processing tree, losses, verdict.
    by : DataFrame
        A row per group: `by` (the label that groups), `level`, `pairs`, accuracy of `image` and
        `text`, `gap` (image - text) with `ci_lower`, `ci_upper` and `method`, the ends of
        Newcombe's and Tango's intervals, and the losses `seeing` and `reasoning` with the ends of
        their intervals.
    thresholds : DataFrame
        A row per group: sizes at which accuracy is halfway between chance and the ceiling, for
        `image` and `text`, with the ends of their intervals, and their `difference`; empty without
        sizes.
    triplets : DataFrame
        One row: `n`, `genuine` accuracy (all three right) with the ends of its interval,
        `independent` (the accuracy expected if the three answers were independent), `excess` with
        the ends of its interval; empty without triplets.
    about : mapping
        Examinee, condition, blind condition, unpaired scenes.
    """

    whole: PerceptionGap
    by: pd.DataFrame
    thresholds: pd.DataFrame
    triplets: pd.DataFrame
    about: Mapping[str, Any]

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Return diagnostics of the analysis of all items, of scenes without a partner and of small
        groups."""
        noted = list(self.whole.diagnostics)
        if unpaired := int(self.about.get("unpaired", 0)):
            noted.append(
                Diagnostic(
                    "unpaired",
                    "warning",
                    f"{unpaired:,} scenes were answered as picture or as text twin only; "
                    "differences leave them out.",
                    "Run the bank to its end, pictures and twins.",
                    values={"unpaired": unpaired},
                )
            )
        names = tuple(
            f"{row['by']} {row['level']}"
            for row in self.by.to_dict("records")
            if row["pairs"] < _FEW_PAIRS
        )
        if names:
            first = first_few(names)
            noted.append(
                Diagnostic(
                    "few_pairs",
                    "note",
                    f"{number_of(len(names), 'group has', 'groups have')} fewer than "
                    f"{_FEW_PAIRS} pairs: {first}.",
                    "Read their intervals, not their estimates.",
                    names,
                )
            )
        return tuple(by_severity(noted))

    @property
    def title(self) -> str:
        words = self.about.get("generalizes_to")
        return f"{self.whole.title}; {words}" if words else self.whole.title

    @property
    def facts(self) -> Mapping[str, Any]:
        tests = self.whole.facts
        return {**self.about, **{name: tests[name] for name in ("p_mid", "verdict", "level")}}

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        tables = {
            "losses": self.whole.losses,
            "by": self.by,
            "thresholds": self.thresholds,
            "triplets": self.triplets,
            "accuracy": self.whole.accuracy,
            "gap": self.whole.gap,
            "tree": self.tree,
        }
        return {name: table for name, table in tables.items() if len(table)}

    @property
    def tree(self) -> pd.DataFrame:
        """`see`, `reason` and `guess`: estimate, standard error and interval; a given guess has
        neither error nor interval."""
        at = self.whole.tree.estimates
        rows = {name: at.loc[short] for name, short in _PARTS.items() if short in at.index}
        table = pd.DataFrame(
            [
                {
                    "estimate": row["estimate"],
                    "se": row["se_robust"],
                    "ci_lower": row["ci_lower"],
                    "ci_upper": row["ci_upper"],
                }
                for row in rows.values()
            ],
            index=pd.Index(list(rows), name="parameter"),
        )
        if "guess" not in rows:
            table.loc["guess"] = [self.about.get("guess", np.nan), np.nan, np.nan, np.nan]
        return table

    def _document(self) -> Mapping[str, Any]:
        paired, tree = self.whole.gap, self.whole.tree
        first = paired.iloc[0]
        return {
            "pairs": int(first["n"]),
            "gap": {**{name: first[name] for name in _ENDS}, "method": str(paired.index[0])},
            "by": self.by,
            "tree": {str(name): dict(row) for name, row in self.tree.iterrows()},
            "g2": tree.g2,
            "df": tree.df,
            "diagnostics": self.diagnostics,
            "losses": self.whole.losses,
            "verdict": self.whole.verdict,
            "intervals": paired,
            "accuracy": self.whole.accuracy,
            "tests": {name: self.whole.tests[name] for name in self.whole.tests},
            "shared": None
            if self.whole.shared is None
            else {"g2": self.whole.shared.g2, "df": self.whole.shared.df, "p": self.whole.shared.p},
            "thresholds": self.thresholds,
            "triplets": self.triplets,
            "about": self.about,
            "level": self.whole.level,
        }


def analyze_gap(
    answers: pd.DataFrame,
    *,
    by: Sequence[str] = (),
    size: str | None = None,
    clusters: ArrayLike | None = None,
    sampling: Sampling | None = None,
    guess: float | None = None,
    triplets: pd.DataFrame | None = None,
    about: Mapping[str, Any] | None = None,
    level: float = 0.95,
) -> GapAnalysis:
    """Estimate the perception gap over all items and by group.

    Parameters
    ----------
    answers : DataFrame
        A row per item: `image`, `text` and `blind` as for `perception_gap`, and the columns of
        `by` (a list in a cell puts an item into several groups).
    by : sequence of str
        Columns that group items.
    size : str, optional
        Column of the items' size. Thresholds are fitted to the groups of the first column of `by`.
        The column `chance`, if there is one, is the chance level.
    clusters : array-like, shape (items,), optional
        Scene of every item.
    sampling : Sampling, optional
        Sampling of the items under a claim, instead of `clusters`. Under `other-domains`, a group
        within a single domain generalizes to other items of that domain.
    guess : float, optional
        Chance of guessing, as in `perception_gap`.
    triplets : DataFrame, optional
        A row per triplet, with three columns of 1 (right) and 0 (wrong).
    about : mapping, optional
        Facts that are stored in the result.
    level : float
        Confidence level of the intervals.

    Returns
    -------
    GapAnalysis
        The gap of all items and by group, with thresholds of size.

    Raises
    ------
    ParameterError
        For the reasons that `perception_gap` lists, and for an unknown column.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> answers = pd.DataFrame({"image": rng.random(200) < 0.5, "text": rng.random(200) < 0.9,
    ...                         "blind": rng.random(200) < 0.2}).astype(float)
    >>> answers["family"] = np.where(np.arange(200) < 100, "mazes", "graphs")
    >>> gap = analyze_gap(answers, by=["family"])
    >>> gap.by["pairs"].tolist(), gap.to_dict()["gap"]["method"]
    ([100, 100], 'newcombe')
    """
    for name in (*by, *([size] if size else [])):
        if name not in answers:
            raise ParameterError(
                f"the items have no column {name!r}; there are "
                f"{', '.join(map(str, answers.columns))}"
            )
    names = None if clusters is None else np.asarray(clusters)
    whole = perception_gap(answers, clusters=names, sampling=sampling, guess=guess, level=level)
    rows = [row for name in by for row in _groups(answers, name, names, sampling, level)]
    fitted = pd.DataFrame()
    if size:
        fitted = size_thresholds(answers, size, by[0] if by else None, level=level)
    genuine = pd.DataFrame() if triplets is None else genuine_accuracy(triplets, level=level)
    claimed = {} if sampling is None else {
        "claim": sampling.claim, "generalizes_to": sampling.words
    }  # fmt: skip
    facts = {**(about or {}), **claimed, **({} if guess is None else {"guess": guess})}
    return GapAnalysis(whole, pd.DataFrame(rows), fitted, genuine, facts)


def _groups(
    answers: pd.DataFrame,
    name: str,
    clusters: np.ndarray | None,
    sampling: Sampling | None,
    level: float,
) -> list[dict[str, Any]]:
    numbered = answers.assign(_row=np.arange(len(answers))).explode(name)
    rows = []
    for value, group in numbered.dropna(subset=[name]).groupby(name, sort=True):
        numbers = group["_row"].to_numpy(dtype=np.intp)
        subset = answers.iloc[numbers].reset_index(drop=True)
        if not subset[["image", "text"]].notna().all(axis=1).to_numpy().any():
            continue
        accuracy, gap, losses = compare_versions(
            subset,
            None if clusters is None else clusters[numbers],
            level,
            _within(sampling, numbers),
        )
        first = gap.iloc[0]
        row: dict[str, Any] = {"by": name, "level": value, "pairs": int(first["n"])}
        row |= {version: float(accuracy.loc[version, "estimate"]) for version in ("image", "text")}
        row |= {"gap": first["estimate"], "ci_lower": first["ci_lower"]}
        row |= {"ci_upper": first["ci_upper"], "method": str(gap.index[0])}
        for method in ("newcombe", "tango"):
            row |= {f"{method}_{end}": gap.loc[method, f"ci_{end}"] for end in ("lower", "upper")}
        for loss in losses.index:
            row[str(loss)] = losses.loc[loss, "estimate"]
            row |= {f"{loss}_{end}": losses.loc[loss, f"ci_{end}"] for end in ("lower", "upper")}
        rows.append(row)
    return rows


def _within(sampling: Sampling | None, numbers: NDArray[np.intp]) -> Sampling | None:
    """Return the sampling of some items; those of one domain support no claim about others."""
    if sampling is None:
        return None
    part = sampling.among(numbers)
    return part.within if part.within is not None and len(np.unique(part.units)) < 2 else part


def size_thresholds(
    answers: pd.DataFrame, size: str, group: str | None = None, *, level: float = 0.95
) -> pd.DataFrame:
    """Return thresholds of size with pictures and with text twins, and their difference.

    Parameters
    ----------
    answers : DataFrame
        `image`, `text`, the column `size`, and `chance` if it is known (else 0).
    size : str
        Column of sizes.
    group : str, optional
        Column whose values have a pair of curves each.
    level : float
        Confidence level of the intervals.

    Returns
    -------
    DataFrame
        A row per group: `level`, and `image`, `text`, `difference` (image - text), each with
        `_lower` and `_upper`, and `flag`. Values are missing if a curve has no threshold within
        the sizes. The table is empty if there are fewer than four sizes.

    Examples
    --------
    >>> rng = np.random.default_rng(3)
    >>> size = np.tile(np.arange(1, 13), 20)
    >>> right = rng.random((2, size.size)) < 1 / (1 + np.exp(size - np.array([[4], [8]])))
    >>> table = pd.DataFrame({"size": size, "image": right[0], "text": right[1]})
    >>> row = size_thresholds(table, "size").iloc[0]
    >>> bool(row["difference_upper"] < -2)
    True
    """
    sized = answers.dropna(subset=[size])
    sizes = np.array(sorted(set(sized[size].tolist())), dtype=float)
    if len(sizes) < 4:
        return pd.DataFrame()
    groups = [("all", sized)] if group is None else list(sized.groupby(group, sort=True))
    data = [
        (name, v, _counts(part, v, size, sizes)) for name, part in groups for v in ("image", "text")
    ]
    right, answered, chance = (np.array([one[2][k] for one in data]) for k in range(3))
    fits = fit_curves(
        right, answered, sizes, np.minimum(chance, _MOST_CHANCE), n_bootstrap=100, level=level
    )
    rows = []
    for k in range(0, len(data), 2):
        image, text = fits.table.iloc[k], fits.table.iloc[k + 1]
        rows.append({"level": data[k][0], **_contrast(image, text)})
    return pd.DataFrame(rows)


_MOST_CHANCE = 1 - LAPSE_MAX - 1e-6


def _counts(
    group: pd.DataFrame, version: str, size: str, sizes: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    answered = group.loc[group[version].notna().to_numpy()]
    at = np.searchsorted(sizes, answered[size].to_numpy(float))
    n = np.bincount(at, minlength=len(sizes)).astype(float)
    right = np.bincount(at, answered[version].to_numpy(float), minlength=len(sizes))
    chance = np.zeros(len(sizes))
    if "chance" in answered:
        total = np.bincount(at, answered["chance"].fillna(0.0).to_numpy(float), len(sizes))
        chance = total / np.maximum(n, 1)
    return right, n, chance


def _contrast(image: pd.Series, text: pd.Series) -> dict[str, Any]:
    """Return both thresholds and their difference, whose interval is that of Zou and Donner."""
    row: dict[str, Any] = {}
    ends, flags = {}, []
    for name, fit in (("image", image.to_dict()), ("text", text.to_dict())):
        inside = not fit["censored"]
        keys = ("threshold", "threshold_low", "threshold_high")
        ends[name] = [float(fit[key]) if inside else np.nan for key in keys]
        row |= dict(zip((name, f"{name}_lower", f"{name}_upper"), ends[name], strict=True))
        if fit["flag"] or not inside:
            flags.append(f"{name}: {fit['flag'] or 'threshold ' + fit['censored'] + ' the sizes'}")
    (a, a_low, a_high), (b, b_low, b_high) = ends["image"], ends["text"]
    row["difference"] = a - b
    row["difference_lower"] = a - b - np.hypot(a - a_low, b_high - b)
    row["difference_upper"] = a - b + np.hypot(a_high - a, b - b_low)
    return {**row, "flag": "; ".join(flags)}


def genuine_accuracy(triplets: pd.DataFrame, *, level: float = 0.95) -> pd.DataFrame:
    """Return the share of triplets with three right answers, and its excess over independence.

    Parameters
    ----------
    triplets : DataFrame
        A row per triplet, three columns of 0 and 1 (a question, one about whether the needed
        information was seen, and one about whether it was known); rows with a missing answer are
        left out.
    level : float
        Confidence level of the intervals.

    Returns
    -------
    DataFrame
        One row: `n`, `genuine` with Wilson's ends, `independent` (the product of the three
        accuracies), `excess` with ends from its influence function.

    Raises
    ------
    ParameterError
        If there are not three columns, values other than 0 and 1, or no whole triplet.

    Examples
    --------
    >>> answers = pd.DataFrame([[1, 1, 1], [1, 1, 0], [0, 0, 0], [0, 1, 0]])
    >>> genuine_accuracy(answers)["genuine"].item()
    0.25
    """
    whole = triplets.dropna()
    x = whole.to_numpy(float)
    if x.ndim != 2 or x.shape[1] != 3 or not len(x) or not np.isin(x, (0.0, 1.0)).all():
        raise ParameterError(
            "genuine accuracy needs three columns of 0 and 1 and a row without missing answers; "
            "got "
            f"{triplets.shape[1]} columns and {len(x)} such rows"
        )
    n, means, together = len(x), x.mean(axis=0), x.prod(axis=1)
    others = np.array([np.prod(np.delete(means, k)) for k in range(3)])
    excess = together.mean() - means.prod()
    influence = together - together.mean() - (x - means) @ others
    se = influence.std(ddof=1) / np.sqrt(n) if n > 1 else np.nan
    low, high = (float(end) for end in wilson(together.sum(), n, level))
    z = special.ndtri((1 + level) / 2)
    row = {"n": n, "genuine": together.mean(), "genuine_lower": low, "genuine_upper": high}
    row |= {"independent": means.prod(), "excess": excess}
    row |= {"excess_lower": excess - z * se, "excess_upper": excess + z * se}
    return pd.DataFrame([row])
