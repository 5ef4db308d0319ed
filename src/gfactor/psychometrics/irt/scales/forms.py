"""Parallel linear forms of a calibration: equal information, content, anchors, and their link."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.float_arrays import einsum, inv
from gfactor.psychometrics.irt.likelihood.curves import Floats, derivatives
from gfactor.psychometrics.irt.request import UNIT_SLOPE
from gfactor.psychometrics.irt.scales.calibration import Calibration, Entry
from gfactor.psychometrics.irt.scales.calibration_linking import (
    FEW_LINKS,
    common_parameters,
    parameter_slopes,
)
from gfactor.psychometrics.irt.scales.formsolving import (
    Assembly,
    ContentBound,
    FormRequirements,
    counted,
    explained,
    solve,
)
from gfactor.psychometrics.irt.scales.linking import line_and_slopes
from gfactor.results import Result

Content = Mapping[str, Mapping[Any, tuple[int, int]]]
"""Smallest and largest number of items in every form, by label and value."""
_LINE = np.linspace(-2, 2, 9)
_AIMED = (-1.0, 0.0, 1.0)
_ROUNDING = 1e-9
"""Differences of forms up to this share of the information count as rounding."""


@dataclass(frozen=True, repr=False)
class FormSet(Result):
    """Parallel forms.

    Parameters
    ----------
    table : DataFrame
        A row per form and position: `form`, `position`, `item` (or the cell for which a new item
        must be made), `entry`, `anchor`, the labels of the content, `a`, `b`, `c`, `d`,
        `clone_sd`, `key`.
    information : DataFrame (T, F + 2)
        A row per ability: the test information of every form; `gap`, the largest information
        divided by the smallest, minus 1; `se`, the largest standard error.
    linking : DataFrame
        Expected standard errors of the slope and the intercept of the link by the anchors; empty
        without anchors or without a number of respondents.
    request : mapping
        Length, anchors, target, tolerance, seed and the population of the calibration.
    diagnostics : tuple of Diagnostic
    folder : str
        Folder to which the forms were written; "" if they were not written.
    """

    table: pd.DataFrame
    information: pd.DataFrame
    linking: pd.DataFrame
    request: Mapping[str, Any]
    diagnostics: tuple[Diagnostic, ...] = ()
    folder: str = ""

    @property
    def forms(self) -> list[str]:
        """Return the names of the forms."""
        return list(dict.fromkeys(self.table["form"]))

    @property
    def title(self) -> str:
        return f"{len(self.forms)} linear forms of {self.request['length']} items"

    @property
    def facts(self) -> Mapping[str, Any]:
        aimed: Any = self.information.loc[list(self.request["theta"])]
        return {
            **{k: v for k, v in self.request.items() if k != "theta"},
            "items_used": len(set(self.table["item"])),
            "largest_se": float(aimed["se"].max()),
            "largest_gap": float(self.information["gap"].to_numpy().max()),
        }

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        linking = {"linking": self.linking} if len(self.linking) else {}
        return {"information": self.information, **linking, "forms": self.table}

    def _document(self) -> Mapping[str, Any]:
        return {**({"path": self.folder} if self.folder else {}), **super()._document()}

    def _lines(self) -> list[str]:
        lines = super()._lines()
        if not self.folder:
            return lines
        # The items are in the files.
        text = "\n".join(lines[: lines.index("forms")]).rstrip()
        count = f"{len(self.forms)} forms of {self.request['length']} items"
        return [text, "", f"{self.folder}: {count}"]


def assemble_forms(
    calibration: Calibration, *, length: int | None = None, parallel: int = 1,
    target_se: float | None = None, anchors: int = 0, items: pd.DataFrame | None = None,
    content: Content | None = None, theta: Sequence[float] | None = None,
    tolerance: float = 0.05, per_cell: int | None = None, respondents: int | None = None,
    gap: float = 0.02, seed: int = 0,
) -> FormSet:  # fmt: skip
    """Assemble forms of equal test information.

    Parameters
    ----------
    calibration : Calibration
        Calibration by item or by design.
    length : int or None
        Number of items of a form, anchors included; None for as few as the target needs.
    parallel : int
        Number of forms; only anchors are in more than one form.
    target_se : float or None
        Largest standard error 1 / sqrt(information) at `theta`; None for the smallest that can
        be reached.
    anchors : int
        Number of items that all forms share.
    items : DataFrame or None
        The bank: names in the index, `entry` of the calibration, labels, `key`. Without it forms
        are of the entries; cells of a design are then used repeatedly, with a new item each time.
    content : mapping of label to mapping of value to (int, int), or None
        Smallest and largest number of items with each value in a form.
    theta : sequence of float or None
        Abilities on the scale of the calibration at which forms should be precise; by default the
        mean of the calibrated population, and one standard deviation below and above it.
    tolerance : float
        Largest share by which the information of two forms may differ, from two standard deviations
        below the mean to two above, and at `theta`.
    per_cell : int or None
        Largest number of items of a cell in a form if there is no bank; by default twice an even
        share.
    respondents : int or None
        Number of respondents to each form, for the expected error of the link.
    gap : float
        Share of the optimum that the search may leave; 0 for the best forms.
    seed : int
        Seed of the choice among equal forms, and of the order of items.

    Returns
    -------
    FormSet
        The forms with their items and information.

    Raises
    ------
    ParameterError
        If no forms meet the constraints; the message names the one that fails.
    """
    _check(length, parallel, target_se, anchors, tolerance)
    pool = _pool(calibration, items)
    aimed, line = _line(calibration, theta)
    copies, forms = 1, parallel
    if items is None and calibration.by == "design":
        size = length or max(60, len(pool))
        copies = per_cell or max(1, math.ceil(2 * size / len(pool)))
        forms = 1
    elif per_cell is not None:
        raise ParameterError("per_cell is only for forms of cells without a bank; leave it out")
    each = calibration.information(line)
    rows = [calibration.position[name] for name in pool["entry"]]
    plan = FormRequirements(
        each[rows], line, np.isin(line, aimed), length, forms, anchors,
        None if target_se is None else target_se**-2, _bounds(pool, content or {}, length), copies,
        tolerance, gap, seed,
    )  # fmt: skip
    why = counted(plan)
    assembly = None if why else solve(plan)
    if assembly is None:
        raise ParameterError(f"there are no such forms: {why or explained(plan)}")
    if forms < parallel:
        # Cells are used anew in every form: all have the same composition.
        assembly = Assembly(
            np.repeat(assembly.counts, parallel, axis=0), assembly.anchors, assembly.gap
        )
    table = _table(calibration, pool, assembly, content or {}, seed)
    names = [f"form-{k + 1}" for k in range(parallel)]
    tested = (assembly.counts + assembly.anchors) @ each[rows]
    information = pd.DataFrame(tested.T, index=pd.Index(line, name="theta"), columns=names)
    apart = tested.max(axis=0) / tested.min(axis=0) - 1
    information["gap"] = np.where(apart > _ROUNDING, apart, 0.0)
    information["se"] = tested.min(axis=0) ** -0.5
    chosen = [
        calibration.entries[rows[k]] for k in np.repeat(np.arange(len(rows)), assembly.anchors)
    ]
    linking = _linking(calibration, chosen, respondents)
    request = {
        "parallel": parallel, "length": int((assembly.counts[0] + assembly.anchors).sum()),
        "anchors": anchors, "target_se": target_se, "tolerance": tolerance, "seed": seed,
        # Within the requested share, the solver's own bound depends on its last bits.
        "optimum_within": max(assembly.gap, gap) if assembly.gap > _ROUNDING else 0.0,
        "theta": aimed,
        "population": calibration.about.get("population"),
    }  # fmt: skip
    notes = _about(calibration, request, assembly, rows, gap)
    return FormSet(table, information, linking, request, notes)


def _check(
    length: int | None, parallel: int, target_se: float | None, anchors: int, tolerance: float
) -> None:
    if length is None and target_se is None:
        raise ParameterError(
            "give the length of the forms, or the standard error that they should reach"
        )
    if parallel < 1 or (length is not None and length < 1):
        raise ParameterError(
            f"the numbers of forms and of their items must be 1 or more, got {parallel} and "
            f"{length}"
        )
    if target_se is not None and not target_se > 0:
        raise ParameterError(f"the target standard error must be positive, got {target_se}")
    if anchors < 0 or (length is not None and anchors >= length):
        raise ParameterError(
            f"a form of {length} items includes the anchors, which must be fewer than its items; "
            f"got {anchors}"
        )
    if anchors and parallel < 2:
        raise ParameterError("anchors link forms, so at least two forms are needed")
    if not tolerance > 0:
        raise ParameterError(f"the tolerance must be positive, got {tolerance}")


def _pool(calibration: Calibration, items: pd.DataFrame | None) -> pd.DataFrame:
    """Return the pool of items of forms: names in the index, `entry`, labels and keys."""
    if items is not None:
        unknown = [name for name in items["entry"] if name not in calibration.position]
        if unknown:
            raise ParameterError(f"the calibration has no entry {unknown[0]!r}")
        if not len(items):
            raise ParameterError(
                "the calibration has no item of the bank; give the calibration of this bank"
            )
        return items.rename(index=str)
    labels = [dict(entry.facts.get("labels") or {}) for entry in calibration.entries]
    names = [entry.name for entry in calibration.entries]
    return pd.DataFrame(labels, index=names).assign(entry=names)


def _line(
    calibration: Calibration, theta: Sequence[float] | None
) -> tuple[tuple[float, ...], Floats]:
    """Target abilities, and all abilities at which forms are compared."""
    spread = math.sqrt(calibration.variance)
    aimed = [calibration.mean + spread * x for x in _AIMED] if theta is None else theta
    points = tuple(sorted({round(float(x), 6) for x in aimed}))
    if not points or not np.isfinite(points).all():
        raise ParameterError("target abilities (theta) must be one or more finite numbers")
    line = np.round(calibration.mean + spread * _LINE, 6)
    return points, np.unique(np.concatenate([line, points]))


def _bounds(
    pool: pd.DataFrame, content: Content, length: int | None
) -> tuple[ContentBound, ...]:  # fmt: skip
    bounds = []
    for label, values in content.items():
        if label not in pool:
            labels = ", ".join(str(c) for c in pool.columns if c not in ("entry", "key"))
            raise ParameterError(
                f"items have no label {label!r}; "
                + (f"there are: {labels}" if labels else "give the bank, which has labels")
            )
        column = pool[label].astype(str)
        for value, (low, high) in values.items():
            members = (column == str(value)).to_numpy()
            if not members.any():
                raise ParameterError(f"no item has {label}={value}")
            if not 0 <= low <= high:
                raise ParameterError(
                    f"content {label}={value}: the smallest and the largest number of items must "
                    f"be 0 or more and must ascend, got {low} and {high}"
                )
            top = high if length is None else min(high, length)
            bounds.append(ContentBound(f"{label}={value}", members, low, max(low, top)))
    return tuple(bounds)


def _table(
    calibration: Calibration, pool: pd.DataFrame, assembly: Assembly, content: Content, seed: int
) -> pd.DataFrame:
    """Rows of the forms; anchors stand at the same positions of all."""
    facts = calibration.table.set_index("entry")
    length = int((assembly.counts[0] + assembly.anchors).sum())
    anchors = np.repeat(np.arange(len(pool)), assembly.anchors)
    rng = np.random.default_rng([seed, 1])
    rng.shuffle(anchors)
    spacing = length / max(len(anchors), 1)
    positions = ((np.arange(len(anchors)) + 0.5) * spacing).astype(int)
    rows = []
    for form, counts in enumerate(assembly.counts):
        others = np.repeat(np.arange(len(pool)), counts)
        np.random.default_rng([seed, 2, form]).shuffle(others)
        order = np.full(length, -1)
        order[positions] = anchors
        order[order < 0] = others
        fixed = set(positions.tolist())
        for position, k in enumerate(order):
            item = pool.iloc[k]
            rows.append({
                "form": f"form-{form + 1}", "position": position + 1,
                "item": str(pool.index[k]), "entry": item["entry"], "anchor": position in fixed,
                **{label: item[label] for label in content},
                **facts.loc[item["entry"], ["a", "b", "c", "d", "clone_sd"]].to_dict(),
                **({"key": item["key"]} if "key" in pool else {}),
            })  # fmt: skip
    return pd.DataFrame(rows)


def _linking(
    calibration: Calibration, anchors: list[Entry], respondents: int | None
) -> pd.DataFrame:
    """Expected standard errors of the link of a new calibration of one form by the anchors."""
    if respondents is None or len(anchors) < 2:
        return pd.DataFrame(columns=["slope_se", "intercept_se"])
    if respondents < 2:
        raise ParameterError(
            f"the number of respondents to a form must be 2 or more, got {respondents}"
        )
    shift = calibration.by == "design" or calibration.model in UNIT_SLOPE
    method = "mean-mean" if shift else "stocking-lord"
    first = common_parameters(anchors)
    _, slopes = line_and_slopes(first, first, method)
    count = len(anchors)
    slopes_old = slopes[:, : 2 * count] @ parameter_slopes(calibration, anchors)
    old = slopes_old @ calibration.covariance @ slopes_old.T
    new = np.zeros((2 * count, 2 * count))
    for j, entry in enumerate(anchors):
        new[np.ix_((j, count + j), (j, count + j))] = _expected_covariance(
            calibration, entry, respondents, shift
        )
    error = old + slopes[:, 2 * count :] @ new @ slopes[:, 2 * count :].T
    slope, intercept = np.sqrt(np.maximum(error.diagonal(), 0))
    return pd.DataFrame({
        "respondents": [respondents], "method": [method],
        "slope_se": [0.0 if shift else slope], "intercept_se": [intercept],
    })  # fmt: skip


def _expected_covariance(
    calibration: Calibration, entry: Entry, respondents: int, shift: bool
) -> Floats:
    """Return the covariance of a and b from the given number of respondents of known ability."""
    z = np.linspace(-5, 5, 81)
    weights = np.exp(-0.5 * z**2)
    nodes = calibration.mean + math.sqrt(calibration.variance) * z[:, None]
    curve = derivatives(entry.kind, np.array([entry.values]), nodes, len(entry.scores))
    first = np.nan_to_num(curve.first[0][..., :2])
    chance = np.exp(curve.value[0]) * (weights / weights.sum())
    information = respondents * einsum("kq,kqm,kqn->mn", chance, first, first)
    a, step = entry.values[0], entry.values[1]
    if shift:
        return np.diag([0.0, 1 / (a**2 * information[1, 1])])
    jacobian = np.array([[1.0, 0.0], [step / a**2, -1 / a]])
    return jacobian @ inv(information) @ jacobian.T


def _about(
    calibration: Calibration, request: Mapping[str, Any], assembly: Assembly, rows: list[int],
    gap: float,
) -> tuple[Diagnostic, ...]:  # fmt: skip
    diagnostics = [entry for entry in calibration.diagnostics if entry.severity == "error"]
    if assembly.gap > gap + 1e-9:
        diagnostics.append(Diagnostic(
            "not_optimal", "note",
            f"The search stopped {100 * assembly.gap:.1f} % from the optimum.",
            "All constraints hold; ask for fewer forms or fewer items to choose from for better "
            "ones.", values={"gap": assembly.gap},
        ))  # fmt: skip
    anchors = int(request["anchors"])
    if request["parallel"] > 1 and anchors < FEW_LINKS:
        diagnostics.append(Diagnostic(
            "few_anchors", "warning" if anchors else "note",
            f"The forms share {anchors} items." if anchors else "The forms share no items.",
            f"Give {FEW_LINKS} anchors or more to link forms that are calibrated anew."
            if anchors
            else "They are on one scale by their calibration alone.", values={"anchors": anchors},
        ))  # fmt: skip
    away = _clone_difference(calibration, assembly, rows)
    if request["parallel"] > 1 and away > 0:
        diagnostics.append(Diagnostic(
            "clones_differ", "note",
            f"Items of one cell differ, so that expected scores of two forms differ by {away:.2f} "
            "items (standard deviation) at the mean ability.",
            "Standard errors on the calibrated scale include it; for equal raw scores calibrate "
            "the items.", values={"score_sd": away},
        ))  # fmt: skip
    return by_severity(diagnostics)


def _clone_difference(calibration: Calibration, assembly: Assembly, rows: list[int]) -> float:
    """Standard deviation of the difference of two forms' expected scores that is due to clones.

    To first order a clone's probability moves by P' times its shift, and P'^2 is information times
    P (1 - P).
    """
    at = [calibration.mean]
    p = calibration.probabilities(at)[rows, 0]
    spread = np.array([calibration.entries[k].clone_sd for k in rows])
    each = calibration.information(at)[rows, 0] * p * (1 - p) * spread**2
    return float(np.sqrt(2 * (assembly.counts @ each).mean()))
