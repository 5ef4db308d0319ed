"""New versions of a scale of real models: models are added, and versions are merged."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from gfactor.administration import Journal
from gfactor.api.comparisons.placing import Version, answers_table, column_of, version_of
from gfactor.api.inputs.matrix_files import holds_scores as is_table_file
from gfactor.api.inputs.taking import JournalLike, opened
from gfactor.errors import ParameterError
from gfactor.items.table_files import read_frame
from gfactor.psychometrics.irt.anchors.anchor_set import Anchors
from gfactor.psychometrics.irt.anchors.files import HEAD
from gfactor.psychometrics.irt.anchors.update_results import CalibrationUpdate
from gfactor.psychometrics.irt.anchors.updating import merge_anchors, update_anchors

FAMILY = "family"


def update_calibration(
    calibration: Version,
    answers: JournalLike | pd.Series | Version,
    *,
    families: Mapping[str, str] | pd.Series | Path | str | None = None,
    laboratory: str = "",
    date: str | None = None,
    path: Path | str | None = None,
) -> CalibrationUpdate:
    """Add models to a scale of real models, or merge two versions of such a scale.

    Unit and origin of the scale stay the same. The calibrated parameters of each item serve as its
    prior. Each item is also tested for drift: it may be easier (leaked or solved) or harder
    (changed) for the new models than for the calibrated ones. Items that drift are estimated from
    the new models alone, and are no longer asked. Updates and merges give the same scale in any
    order, and each model counts once.

    Parameters
    ----------
    calibration : Anchors, CalibrationUpdate, str or path
        Scale to update: its name (`gfactor list calibrations` has them), its folder, or a result
        of this function.
    answers : DataFrame, Series, path, Journal or another version
        Answers of the new models, in the form of `place`. Or another version of the same scale,
        such as the folder of another laboratory, to merge the models that were added there.
    families : mapping, Series or path, optional
        Family of every new model: a mapping, or a table with the model in its first column and a
        column "family". A new model that is related to calibrated ones gets their family. Needed
        unless versions are merged.
    laboratory : str
        Name of your laboratory, for the history of the scale.
    date : str, optional
        Date of the update, for the history of the scale.
    path : path, optional
        Folder to write with the new version, which `place` reads.

    Returns
    -------
    CalibrationUpdate
        `anchors` (the new version), `drift` (a row per item), `drifted`, `models`, `history`, the
        digests `before` and `after`, and `diagnostics`; `write(folder)` writes the new version.

    Raises
    ------
    ParameterError
        If an answer belongs to no item of the scale, a model has no family, or no model is new; or
        if versions differ in their calibration, in the answers or family of a model, or in the
        content of an item.
    UnknownNameError
        If there is no scale with this name.

    References
    ----------
    Kim, S. (2006). A comparative study of IRT fixed parameter calibration methods. Journal of
    Educational Measurement 43, 355-381.

    Examples
    --------
    >>> import gfactor as gf
    >>> answers = gf.datasets.load("vlm_items").answers.iloc[:4].filter(like="mmmu_dev_val:")
    >>> new = answers.rename(index=lambda name: f"{name}-next")
    >>> families = {name: name for name in new.index}
    >>> updated = gf.update_calibration("real-vlm-2025", new, families=families)
    >>> len(updated.models), len(updated.drifted)
    (4, 0)
    """
    scale = version_of(calibration)
    other = _other_version(answers)
    if other is not None:
        if families is not None:
            raise ParameterError(
                "families are for new answers; merged versions already have the families of their "
                "models"
            )
        updated = merge_anchors([scale, other])
    else:
        given: Any = answers
        updated = update_anchors(
            scale, answers_table(given), _families(families), contents=_contents(given),
            laboratory=laboratory, date=date or "",
        )  # fmt: skip
    if path is not None:
        updated.write(path)
    return updated


def _other_version(answers: Any) -> Anchors | None:
    """The version of a scale that was given in the place of answers."""
    if isinstance(answers, str | Path) and not (Path(answers) / HEAD).is_file():
        return None
    is_version = isinstance(answers, str | Path | Anchors | CalibrationUpdate)
    return version_of(answers) if is_version else None


def _families(families: Mapping[str, str] | pd.Series | Path | str | None) -> dict[str, str]:
    if families is None:
        return {}
    if not isinstance(families, str | Path):
        return {str(who): str(family) for who, family in dict(families).items()}
    table = read_frame(Path(families))
    if FAMILY not in table:
        raise ParameterError(
            f"the table {str(families)!r} has no column {FAMILY!r}; it needs the model in its "
            f"first column, and a column {FAMILY!r}"
        )
    labeled: Any = table.dropna(subset=[FAMILY])
    return dict(zip(labeled.iloc[:, 0].astype(str), labeled[FAMILY].astype(str), strict=True))


def _contents(answers: Any) -> dict[str, str]:
    """Checksums of the content of items that a journal holds; a table has none."""
    if isinstance(answers, pd.DataFrame | pd.Series):
        return {}
    if isinstance(answers, str | Path) and is_table_file(Path(answers)):
        return {}
    with opened(answers) as journal:
        return _contents_of(journal)


def _contents_of(journal: Journal) -> dict[str, str]:
    digests = sorted({str(campaign["digest"]) for campaign in journal.meta()["campaigns"]})
    return {
        column_of(item): content
        for digest in digests
        for content, item, _ in sorted(journal.bank_items(digest))
    }
