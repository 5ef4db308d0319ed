"""Parallel languages of a study: what is asked in each, and who chose which."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gfactor.errors import ParameterError
from gfactor.items import ItemBank
from gfactor.psychometrics.irt.calibration import Calibration
from gfactor.studies.questionnaires.definition import Study
from gfactor.studies.questionnaires.sequencing import FormPlan


def languages_of(study: Study) -> tuple[str, ...]:
    """The languages that a participant can choose from; the first is the study's own."""
    return study.languages or (study.language,)


def plans_of(
    study: Study, bank: ItemBank, calibrations: Mapping[str, Calibration]
) -> dict[str, FormPlan]:
    """The forms of a study by the language that a participant has chosen.

    Of a bank with items in several of the study's languages everybody is asked those in theirs;
    items in other languages are for all.

    Raises ParameterError where a setting does not fit the bank.
    """
    return {
        language: FormPlan(*_in_language(study, bank, language), calibrations)
        for language in languages_of(study)
    }


def _in_language(study: Study, bank: ItemBank, language: str) -> tuple[Study, ItemBank]:
    """The study and the bank as somebody of a language meets them."""
    frame = bank.frame()
    known = languages_of(study)
    of_item = dict(zip(frame["id"], frame["language"], strict=True))
    there = {of for of in of_item.values() if of in known}
    study = replace(study, language=language)
    if len(known) < 2 or len(there) < 2:
        return study, bank
    kept = [i for i, of in of_item.items() if of == language or of not in known]
    gone = set(of_item) - set(kept)
    if not any(of_item[item] == language for item in kept):
        raise ParameterError(
            f"the bank has items in {', '.join(sorted(there))}, and none in {language!r}; add "
            "them, or leave the language out"
        )
    pages = study.pages
    for k, page in enumerate(pages or ()):
        items = tuple(item for item in page.items if item not in gone)
        if page.items and not items:
            raise ParameterError(f"pages[{k + 1}].items has none in {language!r}; name some")
        pins = {item: labels for item, labels in page.pins.items() if item not in gone}
        assert pages is not None
        pages = (*pages[:k], replace(page, items=items, pins=pins), *pages[k + 1 :])
    pins = {item: labels for item, labels in study.pins.items() if item not in gone}
    practice = tuple(item for item in study.practice if item not in gone)
    return replace(study, pages=pages, pins=pins, practice=practice), bank.select(kept)
