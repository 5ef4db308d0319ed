"""A study as one file: TOML with its settings, its pages, and the names of its bank and
calibrations, which lie beside it."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from pathlib import Path

from gfactor.errors import GfactorError, ParameterError
from gfactor.items import ItemBank
from gfactor.psychometrics.irt.scales.calibration import Calibration
from gfactor.psychometrics.irt.scales.calibration_files import calibration_digest, read_calibration
from gfactor.studies.questionnaires.order.sequencing import adaptive_blocks
from gfactor.studies.questionnaires.study.definition import Study
from gfactor.studies.questionnaires.study.languages import plans_of
from gfactor.studies.questionnaires.study.recordings import (
    captions_of,
    recording_names,
)
from gfactor.studies.web.backing_up import file_digest


@dataclass(frozen=True)
class StudyFile:
    """Contents of a study file: the study, its bank, calibrations by their file names, and other
    files that it names.
    """

    study: Study
    bank: ItemBank
    calibrations: dict[str, Calibration]
    files: tuple[Path, ...] = ()


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
    media = _media(study, path)
    study = replace(study, media=media) if media else study
    return StudyFile(study, opened, calibrations, _files(study, path))


def _media(study: Study, path: Path) -> dict[str, str]:
    """Return the digests of the recordings that a study's pages play, and of their captions.

    Raises ParameterError if one is missing, or declared with another digest.
    """
    names = recording_names(study.pages or ())
    missing = next((name for name in names if not (path.parent / name).is_file()), None)
    if missing is not None:
        raise ParameterError(f"{path}: {missing} is missing; put it beside the study file")
    captions = [name for name in map(captions_of, names) if (path.parent / name).is_file()]
    media = {name: file_digest(path.parent / name) for name in (*names, *captions)}
    for name, digest in (study.media or {}).items():
        if media.get(name) != digest:
            raise ParameterError(
                f"{path}: [media] declares {name} with another digest than the file has, or no "
                "page plays it; leave it out, or bring the file back"
            )
    return media


def _files(study: Study, path: Path) -> tuple[Path, ...]:
    """Return the files that a study names besides its bank and calibrations.

    Raises ParameterError if one is missing.
    """
    keys = [study.signature.keys] if study.signature and study.signature.keys else []
    names = [*keys, *(study.media or ())]
    files = tuple(path.parent / name for name in names)
    missing = next((file for file in files if not file.is_file()), None)
    if missing is not None:
        raise ParameterError(f"{path}: {missing.name} is missing; put it beside the study file")
    return files


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
