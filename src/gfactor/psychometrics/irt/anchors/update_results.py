"""Results of updates of a scale: the new version, the items that drifted, and the new models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.irt.anchors.anchor_set import ADDED, Anchors
from gfactor.psychometrics.irt.anchors.drift import EASIER, FEWEST_FAMILIES, HARDER
from gfactor.psychometrics.irt.anchors.files import anchors_digest, write_anchors
from gfactor.results import Result

_MEANING = {
    EASIER: ("new models find them easier than calibrated ones: leaked or solved",
             "They are not asked any more; compare their content with what models learn from."),
    HARDER: ("new models find them harder than calibrated ones: changed, or scored otherwise",
             "They are not asked any more; compare their content and key with those calibrated."),
}  # fmt: skip


@dataclass(frozen=True, repr=False)
class CalibrationUpdate(Result):
    """A new version of a scale of real models.

    Parameters
    ----------
    anchors : Anchors
        The new version.
    before, after : str
        Digest of the version that was updated, and of the new one.
    drift : DataFrame
        A row per item that was tested: `benchmark`, `item`, the number of added models `asked`,
        `right` answers and the number `expected` of them, the `shift` of the item in logits
        (positive: easier) with its standard error `se`, `p`, `p_adjusted` over all items, and
        `drift` ("", "easier" or "harder").
    models : DataFrame
        `model` and `family` of all added models, and their effects on each benchmark.
    history : DataFrame
        A row per update: `onto` (digest of the version), `models`, `laboratory`, `date`, `answers`
        (digest).
    diagnostics : tuple of Diagnostic
    """

    anchors: Anchors
    before: str
    after: str
    drift: pd.DataFrame
    models: pd.DataFrame
    history: pd.DataFrame
    diagnostics: tuple[Diagnostic, ...] = ()

    def write(self, folder: Path | str) -> Path:
        """Write the new version into a folder; `gf.place` and `gfactor place` read it."""
        return write_anchors(self.anchors, folder)

    @property
    def drifted(self) -> pd.DataFrame:
        """Items that drifted, the most certain first."""
        items: Any = self.drift[self.drift["drift"] != ""]
        return items.sort_values("p", kind="stable").reset_index(drop=True)

    @property
    def title(self) -> str:
        n, items = len(self.models), len(self.drifted)
        return (
            f"{self.anchors.name} with {n} added model{'s' * (n != 1)}: {items} of "
            f"{len(self.drift):,} tested items drifted"
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        return {
            "before": self.before, "after": self.after, "models": len(self.models),
            "families": self.models["family"].nunique(), "items tested": len(self.drift),
            "easier": self.drift["drift"].tolist().count(EASIER),
            "harder": self.drift["drift"].tolist().count(HARDER),
        }  # fmt: skip

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        models: Any = self.models
        columns = [c for c in models if c in ("model", "family") or c.startswith("accuracy:")]
        history = self.history.assign(models=self.history["models"].map(len))
        return {
            "drifted_items": self.drifted, "models": models[columns],
            "history": history.drop(columns="answers"),
        }  # fmt: skip


def update_of(
    before: Anchors, after: Anchors, drift: pd.DataFrame, calibrated: Sequence[str],
    unread: Sequence[tuple[str, str]], tested: bool,
) -> CalibrationUpdate:  # fmt: skip
    """Return the result of an update.

    Parameters
    ----------
    before, after : Anchors
        The version that was updated, and the new one.
    drift : DataFrame
        Items that were tested.
    calibrated : sequence of str
        Models that are among the calibrated ones and were not counted again.
    unread : sequence of (str, str)
        Model and benchmark whose answers do not count.
    tested : bool
        True if there were families enough to test for drift.
    """
    additions = after.additions
    models: Any = after.models[after.models[ADDED] == 1].drop(columns=ADDED)
    history = pd.DataFrame(
        [entry.record() for entry in additions.updates] if additions else [],
        columns=["onto", "models", "laboratory", "date", "answers"],
    )
    return CalibrationUpdate(
        after, anchors_digest(before), anchors_digest(after), drift,
        models.rename_axis("model").reset_index(), history,
        by_severity([*_drift_diagnostics(drift), *_other_diagnostics(calibrated, unread, tested)]),
    )  # fmt: skip


def _drift_diagnostics(drift: pd.DataFrame) -> list[Diagnostic]:
    diagnostics = []
    for benchmark in drift["benchmark"].unique():
        for direction, (meaning, remedy) in _MEANING.items():
            here: Any = drift[(drift["benchmark"] == benchmark) & (drift["drift"] == direction)]
            if len(here):
                named = tuple(f"{benchmark}:{item}" for item in here.sort_values("p")["item"])
                diagnostics.append(Diagnostic(
                    f"{direction}_items", "warning",
                    f"{len(here)} items of {benchmark} drifted: {meaning}.", remedy, named,
                    {"benchmark": str(benchmark), "items": len(here)},
                ))  # fmt: skip
    return diagnostics


def _other_diagnostics(
    calibrated: Sequence[str], unread: Sequence[tuple[str, str]], tested: bool
) -> list[Diagnostic]:
    diagnostics = []
    if calibrated:
        diagnostics.append(Diagnostic(
            "calibrated_models", "note",
            f"{len(calibrated)} models are among the calibrated ones, such as {calibrated[0]}.",
            "They are not counted again; give a new version of a model a name of its own.",
            tuple(calibrated),
        ))  # fmt: skip
    if not tested:
        diagnostics.append(Diagnostic(
            "drift_not_tested", "note",
            f"The added models are of fewer than {FEWEST_FAMILIES} families.",
            "What one family has learned cannot be told from an item that drifted; items are "
            f"tested once models of {FEWEST_FAMILIES} families were added.",
        ))  # fmt: skip
    for who, benchmark in unread:
        diagnostics.append(Diagnostic(
            "unread_models", "warning",
            f"Fewer right answers of {who} to {benchmark} than guessing gives: the replies were "
            "not read.",
            "They do not count; score the replies again.", (who, benchmark),
        ))  # fmt: skip
    return diagnostics
