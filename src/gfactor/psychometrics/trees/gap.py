"""Division of errors between seeing and reasoning, by pictures and text twins of the same items.

An item is presented as a picture, as a text twin with the same information, and blind (neither).
With

    s = P(seen), r = P(reasoned right | the information is there), g = P(guessed right)

a text twin is solved with probability r + (1 - r) g, a picture with s r + (1 - s r) g, and a blind
item with g. The loss of a picture, (1 - g)(1 - s r), is then divided: reasoning loses (1 - g)(1 -
r), seeing the rest, (1 - g) r (1 - s).

The estimates need no assumption on whether the answers to the three versions of an item are
dependent; their standard errors and intervals allow for any such dependence, and for clusters of
items. The model of a shared reasoning state (an item that was reasoned out as text is reasoned out
as picture) is more precise if it fits, and biased if it does not: it is reported as a test.

References
----------
Riefer, D. M., Batchelder, W. H. (1988). Multinomial modeling and the measurement of cognitive
    processes. Psychological Review 95, 318-339.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from gfactor.errors import ParameterError
from gfactor.numbers_in_text import p_value
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.inference.claim import Sampling
from gfactor.psychometrics.inference.intervals import cluster_t, wilson
from gfactor.psychometrics.inference.paired import (
    ComparisonSettings,
    infer,
    infer_claim,
    mcnemar_exact,
    mcnemar_mid_p,
    newcombe,
    tango,
)
from gfactor.psychometrics.trees.fit import ProcessingTree, fit_processing_tree
from gfactor.results import Result

VERSIONS = ("image", "text", "blind")

_RIGHT = {
    "image": "s * r + (1 - s * r) * g",
    "text": "r + (1 - r) * g",
    "blind": "g",
}
_FEW = 20
"""Smallest number of answers to a version for a tree."""


def _marginal() -> dict[str, dict[str, str]]:
    return {v: {"right": right, "wrong": f"1 - ({right})"} for v, right in _RIGHT.items()}


def _shared() -> dict[str, dict[str, str]]:
    """Return the equations of the eight patterns of image, text and blind.

    Seeing and reasoning succeed or fail once per item; guesses are independent.
    """
    guess = {"1": "g", "0": "(1 - g)"}
    patterns: dict[str, str] = {}
    for image in "01":
        for text in "01":
            for blind in "01":
                seen = {"1": "(s + (1 - s) * g)", "0": "((1 - s) * (1 - g))"}[image]
                reasoned = f"r * {seen}" if text == "1" else "0"
                lost = f"(1 - r) * {guess[image]} * {guess[text]}"
                patterns[image + text + blind] = f"{guess[blind]} * ({reasoned} + {lost})"
    return {"pattern": patterns}


@dataclass(frozen=True, repr=False)
class PerceptionGap(Result):
    """Division of the loss on pictures between seeing and reasoning.

    Parameters
    ----------
    n_items : int
        Number of items with an answer to any version.
    accuracy : DataFrame
        A row per version: `n`, `estimate`, `ci_lower`, `ci_upper` (Wilson's interval, a clustered
        t interval, or that of the claim).
    gap : DataFrame
        Differences image - text on items with both, a row per method: that of the claim first
        (`exact`, `stratified` or `t`, as in `compare`), `t` if items are clustered without a claim,
        then `newcombe` and `tango`, which take every item by itself.
    tests : mapping
        `b` and `c` (solved only as image, only as text), exact and mid-p of McNemar's test.
    tree : ProcessingTree
        The processing tree of the three versions.
    shared : ProcessingTree or None
        Tree with a shared reasoning state, over items with all versions.
    losses : DataFrame
        `seeing` and `reasoning`: loss of accuracy of pictures, in proportions, `ci_lower`,
        `ci_upper`, and `share` of the whole loss.
    verdict : str
        "seeing", "reasoning", "both", "none" or "undecided": losses whose interval excludes 0.
    level : float
        Confidence level of all intervals.
    diagnostics : tuple of Diagnostic
        Errors first.
    """

    n_items: int
    accuracy: pd.DataFrame
    gap: pd.DataFrame
    tests: Mapping[str, float]
    tree: ProcessingTree
    shared: ProcessingTree | None
    losses: pd.DataFrame
    verdict: str
    level: float
    diagnostics: tuple[Diagnostic, ...]

    @property
    def title(self) -> str:
        row = self.gap.iloc[0]
        return (
            f"image - text = {row['estimate']:+z.3f} [{row['ci_lower']:+z.3f}, "
            f"{row['ci_upper']:+z.3f}] on {int(row['n'])} pairs; loss of {self.verdict}"
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        return {
            "n_items": self.n_items,
            **self.tests,
            "g2": self.tree.g2,
            "df": self.tree.df,
            "g2_shared": None if self.shared is None else self.shared.g2,
            "p_shared": None if self.shared is None else self.shared.p,
            "verdict": self.verdict,
            "level": self.level,
        }

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {
            "accuracy": self.accuracy,
            "gap": self.gap,
            "tree": self.tree.estimates,
            "losses": self.losses,
        }


def perception_gap(
    answers: pd.DataFrame,
    *,
    clusters: ArrayLike | None = None,
    sampling: Sampling | None = None,
    guess: float | None = None,
    level: float = 0.95,
) -> PerceptionGap:
    """Divide the loss on pictures between seeing and reasoning.

    Parameters
    ----------
    answers : DataFrame
        A row per item, columns `image`, `text` and, unless `guess` is given, `blind`: 1 right,
        0 wrong, missing if a version was not asked.
    clusters : array-like, shape (items,), optional
        Scene or template of every item.
    sampling : Sampling, optional
        Sampling of the items under a claim, an entry per item, instead of `clusters`. The tree uses
        its units as clusters; fixed domains do not narrow its intervals.
    guess : float, optional
        Known probability of a right guess, if there are no blind answers.
    level : float
        Confidence level of the intervals.

    Returns
    -------
    PerceptionGap
        Accuracies, gap, losses and verdict.

    Raises
    ------
    ParameterError
        For a missing column, values other than 0 and 1, fewer than 20 answers of a version,
        neither blind answers nor `guess`, or both `clusters` and `sampling`.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> seen, reasoned = rng.random((2, 400)) < [[0.6], [0.9]]
    >>> guess = rng.random((3, 400)) < 0.25
    >>> answers = pd.DataFrame({"image": seen & reasoned | guess[0], "text": reasoned | guess[1],
    ...                         "blind": guess[2]}).astype(float)
    >>> gap = perception_gap(answers)
    >>> gap.losses["estimate"].round(2).to_dict()
    {'seeing': 0.25, 'reasoning': 0.09}
    """
    if clusters is not None and sampling is not None:
        raise ParameterError("sampling already defines what is independent; leave clusters out")
    answered, table = _checked(answers, guess)
    among = None if sampling is None else sampling.among(answered)
    groups = _groups(clusters, answered) if among is None else among.units
    counts = pd.DataFrame(
        {
            f"{version}.{name}": (table[version] == value).to_numpy(float)
            for version in VERSIONS
            for name, value in (("right", 1.0), ("wrong", 0.0))
        }
    )
    fixed = None if guess is None else {"g": guess}
    tree = fit_processing_tree(_marginal(), counts, fixed=fixed, clusters=groups, level=level)
    whole = table.dropna()
    shared = None
    if len(whole) >= _FEW:
        patterns = whole.astype(int).astype(str).agg("".join, axis=1)
        names = list(_shared()["pattern"])
        each = pd.DataFrame({f"pattern.{n}": (patterns == n).to_numpy(float) for n in names})
        clusters_of_complete = (
            None if groups is None else groups[table.notna().all(axis=1).to_numpy()]
        )
        shared = fit_processing_tree(
            _shared(), each, fixed=fixed, clusters=clusters_of_complete, level=level
        )
    gap, tests = _gap(table, groups, among, level)
    accuracy = _accuracy(table, groups, among, level)
    losses = _losses(accuracy, gap)
    return PerceptionGap(
        len(table),
        accuracy,
        gap,
        tests,
        tree,
        shared,
        losses,
        _verdict(losses),
        level,
        _diagnose(tree, shared, table),
    )


def compare_versions(
    answers: pd.DataFrame,
    clusters: ArrayLike | None,
    level: float,
    sampling: Sampling | None = None,
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Return `accuracy`, `gap` and `losses` of a `PerceptionGap` without its tree, for any number
    of items, some of which have a picture and a text twin."""
    table = answers.reindex(columns=list(VERSIONS)).astype(float)
    groups = _groups(clusters, np.ones(len(table), dtype=bool))
    accuracy = _accuracy(table, groups, sampling, level)
    gap, _ = _gap(table, groups, sampling, level)
    return accuracy, gap, _losses(accuracy, gap)


def _checked(answers: pd.DataFrame, guess: float | None) -> tuple[NDArray[np.bool_], pd.DataFrame]:
    """Return True for items with an answer to any version, and the rows of those items."""
    needed = VERSIONS if guess is None else VERSIONS[:2]
    for name in needed:
        if name not in answers.columns:
            raise ParameterError(
                f"a perception gap needs a column {name!r}; the data have "
                f"{', '.join(map(str, answers.columns))}"
                + ("; without blind answers give guess" if name == "blind" else "")
            )
    if guess is not None and not 0 <= guess < 1:
        raise ParameterError(f"guess must be a probability below 1, not {guess}")
    table = answers.reindex(columns=list(VERSIONS)).astype(float)
    values = table.to_numpy()
    if not np.isin(values[~np.isnan(values)], (0.0, 1.0)).all():
        raise ParameterError("answers of a perception gap must be 1 (right), 0 (wrong) or missing")
    for name in needed:
        if (n := int(np.isfinite(table[name].to_numpy()).sum())) < _FEW:
            raise ParameterError(
                f"version {name!r} has {n} answers, and a processing tree needs {_FEW} of each; "
                "have more items asked"
            )
    answered = np.asarray(np.isfinite(values).any(axis=1))
    return answered, table.loc[answered]


def _groups(clusters: ArrayLike | None, answered: NDArray[np.bool_]) -> NDArray[np.intp] | None:
    """The clusters of the items asked; `clusters` has an entry per item, asked or not."""
    if clusters is None:
        return None
    names = np.asarray(clusters)
    if len(names) != len(answered):
        raise ParameterError(f"clusters have {len(names)} entries for {len(answered)} items")
    return np.asarray(pd.factorize(names[answered])[0], dtype=np.intp)


def _accuracy(
    table: pd.DataFrame, groups: NDArray[np.intp] | None, sampling: Sampling | None, level: float
) -> pd.DataFrame:
    rows = {}
    for version in VERSIONS:
        answered = table[version].notna().to_numpy()
        x = table[version].to_numpy()[answered]
        if not x.size:
            continue
        if sampling is not None:
            one = sampling.among(answered).means(np.zeros(x.size, int), x).with_single_trials()
            low, high = (float(end[0]) for end in one.interval(level))
        elif groups is None:
            low, high = (float(v) for v in wilson(x.sum(), x.size, level))
        else:
            by_cluster = cluster_t(x, groups[answered], level)
            low, high = max(by_cluster.low, 0.0), min(by_cluster.high, 1.0)
        rows[version] = {"n": x.size, "estimate": x.mean(), "ci_lower": low, "ci_upper": high}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("version")


def _gap(
    table: pd.DataFrame, groups: NDArray[np.intp] | None, sampling: Sampling | None, level: float
) -> tuple[pd.DataFrame, dict[str, float]]:
    both: Any = np.isfinite(table[["image", "text"]].to_numpy(float)).all(axis=1)
    image, text = (table.loc[both, name].to_numpy() for name in ("image", "text"))
    n = int(both.sum())
    a, b = int((image * text).sum()), int((image > text).sum())
    c, d = int((text > image).sum()), int(((image + text) == 0).sum())
    estimate = (b - c) / n if n else np.nan
    rows = {}
    if sampling is not None and n:
        one = infer_claim(
            image - text, sampling.among(both), ComparisonSettings(level=level), binary=True
        )
        if np.isfinite(one.low):
            rows[one.method] = (one.low, one.high)
    elif groups is not None and n:
        t = infer(image - text, groups[both], ComparisonSettings("t", level), binary=True)
        rows["t"] = (t.low, t.high)
    rows["newcombe"] = newcombe(a, b, c, d, level)
    rows["tango"] = tango(b, c, n, level)
    table_of = pd.DataFrame(
        [
            {"n": n, "estimate": estimate, "ci_lower": low, "ci_upper": high}
            for low, high in rows.values()
        ],
        index=pd.Index(list(rows), name="method"),
    )
    tests = {"b": b, "c": c, "p_exact": mcnemar_exact(b, c), "p_mid": mcnemar_mid_p(b, c)}
    return table_of, tests


def _losses(accuracy: pd.DataFrame, gap: pd.DataFrame) -> pd.DataFrame:
    """Losses with intervals: the tree is saturated, so that the loss of reasoning is 1 minus the
    accuracy on twins, and that of seeing is the paired difference. A profile of s at the estimate
    of r would be too narrow."""
    text, image = accuracy.loc["text"], accuracy.loc["image"]
    paired = gap.iloc[0]
    if paired["n"]:
        between = -paired[["estimate", "ci_upper", "ci_lower"]].to_numpy(float)
    else:
        # If no item has both versions, the squared distances of the ends are added (Newcombe,
        # 1998).
        d = text["estimate"] - image["estimate"]
        below = np.hypot(text["estimate"] - text["ci_lower"], image["ci_upper"] - image["estimate"])
        above = np.hypot(text["ci_upper"] - text["estimate"], image["estimate"] - image["ci_lower"])
        between = np.array([d, d - below, d + above])
    lacking = 1 - text[["estimate", "ci_upper", "ci_lower"]].to_numpy(float)
    table = pd.DataFrame(
        np.clip([between, lacking], 0, 1) + 0.0,  # no -0
        columns=["estimate", "ci_lower", "ci_upper"],
        index=pd.Index(["seeing", "reasoning"], name="loss"),
    )
    whole = float(table["estimate"].to_numpy().sum())
    table["share"] = table["estimate"] / whole if whole > 0 else np.nan
    return table


def _verdict(losses: pd.DataFrame) -> str:
    sure = [name for name in losses.index if losses.loc[name, "ci_lower"] > 1e-9]
    if len(sure) == 2:
        return "both"
    if sure:
        return str(sure[0])
    # If neither loss is certain: "none" if both are certainly small, "undecided" otherwise.
    return "none" if losses["ci_upper"].to_numpy().max() < 0.05 else "undecided"


def _diagnose(
    tree: ProcessingTree, shared: ProcessingTree | None, table: pd.DataFrame
) -> tuple[Diagnostic, ...]:
    diagnostics = list(tree.diagnostics)
    answers = table[list(VERSIONS)].to_numpy(float)
    with np.errstate(invalid="ignore"):
        image, text, blind = np.nansum(answers, axis=0) / np.isfinite(answers).sum(axis=0)
    if image > text:
        diagnostics.append(
            Diagnostic(
                "image_above_text",
                "note",
                f"Pictures are solved more often ({image:.3f}) than their text twins "
                f"({text:.3f}): nothing is lost in seeing, and the twin may be the harder to read.",
                "Read some twins that were missed; they may be too long or unclear.",
            )
        )
    if blind > text:
        diagnostics.append(
            Diagnostic(
                "blind_above_text",
                "warning",
                f"Blind items are solved more often ({blind:.3f}) than text twins ({text:.3f}).",
                "Check the key and the twins: the tree has no room for this.",
            )
        )
    if shared is not None and shared.df > 0 and shared.p < 0.05:
        diagnostics.append(
            Diagnostic(
                "reasoning_not_shared",
                "note",
                f"A reasoning state shared by picture and twin does not fit (G2({shared.df}) = "
                f"{shared.g2:.1f}, p {p_value(shared.p, '= ')}); the estimates above do "
                "not assume it.",
                "Report these, not those of the shared model.",
            )
        )
    return tuple(diagnostics)
