"""A new calibration brought to the scale of an old one, with the error of the link.

theta_old = A theta_new + B, estimated from the items (or cells) that both have. The linked
parameters depend on the new ones, and through A and B on both calibrations; their covariance
follows by the delta method. It assumes independent calibrations: with respondents in common, the
standard errors are too small.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError
from gfactor.listing import first_few
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.irt.likelihood.curves import Floats
from gfactor.psychometrics.irt.request import UNIT_SLOPE
from gfactor.psychometrics.irt.scales.calibration import (
    MEAN,
    TESTLETS,
    VARIANCE,
    Calibration,
    Entry,
)
from gfactor.psychometrics.irt.scales.linking import LinkingMethod, line_and_slopes

FEW_LINKS = 5
"""With fewer common items, a link depends strongly on each of them."""
DRIFT = 3.0
"""Standard errors by which a common item may differ after linking."""
_SHIFTED = ("2pl", "4pl", "graded", "gpcm")


def link_calibration(
    new: Calibration, old: Calibration, method: LinkingMethod | None = None
) -> Calibration:
    """Transform a calibration to the scale of another one.

    Parameters
    ----------
    new, old : Calibration
        Both by item or both by design; items are common by content hash, cells by name.
    method : str or None
        One of `linking.METHODS`; "mean-mean" for models of unit slopes, whose scales differ by a
        shift alone, and "stocking-lord" for others.

    Returns
    -------
    Calibration
        The new entries on the old scale; `about["linking"]` holds the line with standard errors.

    Raises
    ------
    ParameterError
        If fewer than two entries of two categories are common, or a model cannot be linked.
    """
    if new.by != old.by:
        raise ParameterError(f"a calibration by {new.by} cannot be linked to one by {old.by}")
    rasch = new.model in UNIT_SLOPE and old.model in UNIT_SLOPE
    if new.by == "design" or rasch:
        if method not in (None, "mean-mean"):
            raise ParameterError(
                f"models of unit slopes are linked by mean-mean, a shift; not by {method!r}"
            )
        method = "mean-mean"
    odd = next((e for e in new.entries if e.kind not in _SHIFTED), None)
    if odd is not None:
        raise ParameterError(f"item {odd.name!r} is of kind {odd.kind}, which cannot be linked")
    pairs = _common(new, old)
    if len(pairs) < 2:
        raise ParameterError(
            f"linking needs at least two common {'items' if new.by == 'item' else 'cells'} of two "
            f"categories, got {len(pairs)}"
        )
    new = _with_mean(new)
    first, second = ([pair[k] for pair in pairs] for k in (1, 0))
    line, slopes = line_and_slopes(
        common_parameters(first), common_parameters(second), method or "stocking-lord"
    )
    count = len(pairs)
    of_old = slopes[:, : 2 * count] @ parameter_slopes(old, first)
    of_new = slopes[:, 2 * count :] @ parameter_slopes(new, second)
    error = of_old @ old.covariance @ of_old.T + of_new @ new.covariance @ of_new.T
    direct, through = _derivatives(new, line.slope, line.intercept)
    moved = direct + through @ of_new
    covariance = moved @ new.covariance @ moved.T
    covariance += through @ of_old @ old.covariance @ of_old.T @ through.T
    linking = {
        "to": (old.about.get("bank") or {}).get("digest"),
        "population": old.about.get("population"), "method": method or "stocking-lord",
        "slope": line.slope, "intercept": line.intercept,
        "slope_se": float(np.sqrt(max(error[0, 0], 0))),
        "intercept_se": float(np.sqrt(max(error[1, 1], 0))), "items": count,
    }  # fmt: skip
    entries = tuple(_linked(e, line.slope, line.intercept) for e in new.entries)
    linked = replace(
        new, entries=entries, covariance=0.5 * (covariance + covariance.T),
        mean=line.slope * new.mean + line.intercept, variance=line.slope**2 * new.variance,
        testlet_variance=line.slope**2 * new.testlet_variance,
        about={**new.about, "linking": linking},
    )  # fmt: skip
    diagnostics = [*new.diagnostics, *_about(linked, old, pairs)]
    return replace(linked, diagnostics=by_severity(diagnostics))


def _common(new: Calibration, old: Calibration) -> list[tuple[Entry, Entry]]:
    """Entries of two categories that both have, (new, old), in the order of the new ones."""

    def key(entry: Entry) -> str:
        return str(entry.facts.get("content_hash") or entry.name)

    by_key = {key(e): e for e in old.entries if e.kind in ("2pl", "4pl")}
    return [
        (e, by_key[key(e)]) for e in new.entries if e.kind in ("2pl", "4pl") and key(e) in by_key
    ]


def common_parameters(entries: list[Entry]) -> pd.DataFrame:
    """Return `a`, `b` and `c` of entries of two categories, the input of `linking`."""
    rows = [
        {"a": e.values[0], "b": -e.values[1] / e.values[0],
         "c": 1 / (1 + np.exp(-e.values[2])) if e.kind == "4pl" else 0.0}
        for e in entries
    ]  # fmt: skip
    return pd.DataFrame(rows, index=[e.name for e in entries])


def parameter_slopes(calibration: Calibration, entries: list[Entry]) -> Floats:
    """Return derivatives of (a_1 .. a_J, b_1 .. b_J) in the uncertain parameters, (2 J, U)."""
    slopes = np.zeros((2 * len(entries), len(calibration.labels)))
    for j, entry in enumerate(entries):
        a, step = entry.values[0], entry.values[1]
        for name, of_a, of_b in (("a1", 1.0, step / a**2), ("d", 0.0, -1 / a)):
            column = calibration.uncertain.get(f"{entry.name}.{name}")
            if column is not None:
                slopes[j, column], slopes[len(entries) + j, column] = of_a, of_b
    return slopes


def _steps(entry: Entry) -> dict[str, float]:
    """Every step of an entry with the multiple of the slope by which ability moves it."""
    if entry.kind in ("2pl", "4pl"):
        return {"d": 1.0}
    count = len(entry.scores)
    return {f"d{k}": float(k) if entry.kind == "gpcm" else 1.0 for k in range(1, count)}


def _derivatives(new: Calibration, slope: float, intercept: float) -> tuple[Floats, Floats]:
    """Return derivatives of linked parameters: in the new ones, (U, U), and in the line, (U, 2)."""
    direct, through = np.eye(len(new.labels)), np.zeros((len(new.labels), 2))
    for entry in new.entries:
        a, column = entry.values[0], new.uncertain.get(f"{entry.name}.a1")
        if column is not None:
            direct[column, column] = 1 / slope
            through[column, 0] = -a / slope**2
        for name, times in _steps(entry).items():
            row = new.uncertain.get(f"{entry.name}.{name}")
            if row is None:
                continue
            through[row] = times * a * intercept / slope**2, -times * a / slope
            if column is not None:
                direct[row, column] = -times * intercept / slope
    if VARIANCE in new.uncertain:
        row = new.uncertain[VARIANCE]
        direct[row, row], through[row, 0] = slope**2, 2 * slope * new.variance
    if TESTLETS in new.uncertain:
        row = new.uncertain[TESTLETS]
        direct[row, row], through[row, 0] = slope**2, 2 * slope * new.testlet_variance
    row = new.uncertain[MEAN]
    direct[row, row], through[row] = slope, (new.mean, 1.0)
    return direct, through


def _with_mean(new: Calibration) -> Calibration:
    """Add the population's mean, 0 by definition, to the parameters that a link transforms."""
    if MEAN in new.uncertain:
        return new
    covariance = np.pad(new.covariance, (0, 1))
    return replace(new, labels=(*new.labels, MEAN), covariance=covariance)


def _linked(entry: Entry, slope: float, intercept: float) -> Entry:
    values = dict(zip(_names(entry), entry.values, strict=True))
    a = values["a1"]
    for name, times in _steps(entry).items():
        values[name] -= times * a * intercept / slope
    values["a1"] = a / slope
    return replace(entry, values=tuple(values.values()), clone_sd=entry.clone_sd * slope)


def _names(entry: Entry) -> tuple[str, ...]:
    return tuple(name for name in entry.parameters if name != "log_clone_sd")


def _about(
    linked: Calibration, old: Calibration, pairs: list[tuple[Entry, Entry]]
) -> list[Diagnostic]:
    diagnostics = []
    if len(pairs) < FEW_LINKS:
        diagnostics.append(Diagnostic(
            "few_links", "warning",
            f"The scales are linked by {len(pairs)} common entries alone.",
            f"Have {FEW_LINKS} or more in common.", values={"n": len(pairs)},
        ))  # fmt: skip
    one, other = linked.testlet_variance, old.testlet_variance
    if (linked.testlet is None and other) or (old.testlet is None and one):
        diagnostics.append(Diagnostic(
            "other_unit", "warning",
            f"The testlet variance is {one or other:.3g} in {'the new' if one else 'the old'} "
            "calibration and was not estimated in the other: their logits are of another length, "
            "which a shift does not undo.",
            "Calibrate the other again by design, with two families or more and 10 or more "
            "respondents.", values={"new": one, "old": other},
        ))  # fmt: skip
    ours: Any = linked.table.set_index("entry")
    theirs: Any = old.table.set_index("entry")
    drifted = []
    for new_entry, old_entry in pairs:
        first, second = ours.loc[new_entry.name], theirs.loc[old_entry.name]
        error = np.hypot(first["se_b"], second["se_b"])
        if error > 0 and abs(first["b"] - second["b"]) > DRIFT * error:
            drifted.append(new_entry.name)
    if drifted:
        listed = first_few(drifted)
        diagnostics.append(Diagnostic(
            "drifted_items", "warning",
            f"{len(drifted)} common entries differ by more than {DRIFT:g} standard errors after "
            f"linking: {listed}.",
            "Items that are public may have become easier; link without them.", tuple(drifted),
        ))  # fmt: skip
    return diagnostics
