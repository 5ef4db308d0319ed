"""A study as one file: TOML with its settings, its pages, and the names of its bank and
calibrations, which lie beside it."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from pathlib import Path

from gfactor.errors import GfactorError, ParameterError
from gfactor.items import ItemBank
from gfactor.psychometrics.irt.calibration import Calibration
from gfactor.psychometrics.irt.calibration_files import calibration_digest, read_calibration
from gfactor.studies.questionnaires.definition import Study
from gfactor.studies.questionnaires.languages import plans_of
from gfactor.studies.questionnaires.sequencing import adaptive_blocks


@dataclass(frozen=True)
class StudyFile:
    """Contents of a study file: the study, its bank, and calibrations by their file names."""

    study: Study
    bank: ItemBank
    calibrations: dict[str, Calibration]


def read_study_file(path: Path) -> StudyFile:
    """Read a study file.

    Raises ParameterError, with the file and the path of the key, for the first thing that is wrong.
    """
    where = str(path)
    try:
        table = tomllib.loads(path.read_text("utf-8-sig"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ParameterError(f"{where!r} cannot be read as a study: {error}") from error
    bank = table.pop("bank", None)
    if not isinstance(bank, str) or not bank:
        raise ParameterError(
            f"{where}: bank is {bank!r}; name the Parquet file with the items, relative to this one"
        )
    try:
        opened = ItemBank.open(path.parent / bank)
    except GfactorError as error:
        raise ParameterError(f"{where}: bank: {error}") from error
    study = Study.from_table(table, where)
    try:
        names = sorted({adaptive.calibration for adaptive in adaptive_blocks(study)})
        calibrations = {name: read_calibration(path.parent / name) for name in names}
        study = _with_digests(study, calibrations)
        for plan in plans_of(study, opened, calibrations).values():
            plan.start(0)
    except GfactorError as error:
        raise ParameterError(f"{where}: {error}") from error
    return StudyFile(study, opened, calibrations)


def _with_digests(study: Study, calibrations: dict[str, Calibration]) -> Study:
    """The study with the digests of the calibrations that it names.

    Raises ParameterError if it declares another digest.
    """
    digests = {name: calibration_digest(one) for name, one in calibrations.items()}
    for declared in adaptive_blocks(study):
        if declared.digest not in ("", digests[declared.calibration]):
            raise ParameterError(
                f"{declared.calibration} has the digest {digests[declared.calibration]}, not "
                f"{declared.digest!r}; leave out digest, or bring the file back"
            )
    if study.adaptive is not None:
        whole = replace(study.adaptive, digest=digests[study.adaptive.calibration])
        return replace(study, adaptive=whole)
    pages = study.pages and tuple(
        replace(page, digest=digests[page.calibration]) if page.calibration else page
        for page in study.pages
    )
    return replace(study, pages=pages)
