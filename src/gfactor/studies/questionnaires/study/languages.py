"""Parallel languages of a study: their items, and the language of each participant."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from gfactor.errors import ParameterError
from gfactor.items import ItemBank, ItemRandom
from gfactor.psychometrics.irt.scales.calibration import Calibration
from gfactor.studies.questionnaires.order.sequencing import FormPlan
from gfactor.studies.questionnaires.study.definition import Study


def languages_of(study: Study) -> tuple[str, ...]:
    """Return the languages that a participant can choose from; the first is the study's own."""
    return study.languages or (study.language,)


def preferred(accepted: str, available: Sequence[str]) -> str:
    """Return the language that a browser prefers among `available`; "" if it names none of them.

    Parameters
    ----------
    accepted: its header Accept-Language: "ar-EG,ar;q=0.9,en;q=0.8".
    available: codes of languages.
    """
    weights: dict[str, float] = {}
    for part in accepted.split(",")[:_MOST_ACCEPTED]:
        tag, _, parameter = part.partition(";")
        name = tag.strip().lower().partition("-")[0]
        match = _WEIGHT.fullmatch(parameter.strip())
        weight = float(match["q"]) if match else 1.0
        if name in available:
            weights[name] = max(weights.get(name, 0.0), weight)
    best = max(weights, key=lambda name: weights[name], default="")
    return best if weights.get(best) else ""


_WEIGHT = re.compile(r"q\s*=\s*(?P<q>[01](\.\d{0,3})?)")
_MOST_ACCEPTED = 50


@dataclass(frozen=True)
class LanguageDraw:
    """Allocation of a participant to one of the languages that the participant reads.

    Parameters
    ----------
    study: study whose seed decides.
    reads: languages among `random_languages` that the participant reads.
    available: languages among these whose quota is not full.
    plans: the forms of the study by language.
    """

    study: Study
    reads: tuple[str, ...]
    available: tuple[str, ...]
    plans: Mapping[str, FormPlan]

    def language(self, started: Mapping[str, int], number: int) -> str:
        """Return the language of the participant with this number (from 0): the one with the fewest
        participants among those who read the same languages (`started`), at random if there are
        several."""
        fewest = min(started.get(name, 0) for name in self.available)
        least = [name for name in self.available if started.get(name, 0) == fewest]
        key = {"study": self.study.id, "seed": self.study.seed, "use": "language"}
        return ItemRandom(key, number).choice(least)


def check_random_languages(study: Study) -> None:
    """Raise ParameterError if `random_languages` are not two or more of the study's languages."""
    names = study.random_languages
    if names is None:
        return
    declared = languages_of(study)
    if len(names) < 2 or len(set(names)) < len(names) or not set(names) <= set(declared):
        raise ParameterError(
            f"random_languages of a study are {list(names)}; give two or more different ones of "
            f"its languages ({', '.join(declared)})"
        )


def plans_of(
    study: Study, bank: ItemBank, calibrations: Mapping[str, Calibration]
) -> dict[str, FormPlan]:
    """Return the forms of a study by the language that a participant has chosen.

    If a bank has items in several of the study's languages, participants get those in their
    language; items in other languages are for everybody.

    Raises ParameterError if a setting does not fit the bank.
    """
    check_random_languages(study)
    return {
        language: FormPlan(*_in_language(study, bank, language), calibrations)
        for language in languages_of(study)
    }


def _in_language(study: Study, bank: ItemBank, language: str) -> tuple[Study, ItemBank]:
    """The study and the bank for participants of a language."""
    declared = languages_of(study)
    of_item = dict(zip(bank.ids, bank.column("language"), strict=True))
    there = {of for of in of_item.values() if of in declared}
    study = replace(study, language=language)
    if len(declared) < 2 or len(there) < 2:
        return study, bank
    remaining = [i for i, of in of_item.items() if of == language or of not in declared]
    gone = set(of_item) - set(remaining)
    if not any(of_item[item] == language for item in remaining):
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
    return replace(study, pages=pages, pins=pins, practice=practice), bank.select(remaining)
