"""All languages of a study: the published route, the repaired one if there are human data, and
what the two say about the paper's conclusions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.respondents import Forensics, forensics
from gfactor.replications.m3gia.battery import Counts
from gfactor.replications.m3gia.conclusions import ConclusionCheck, claims
from gfactor.replications.m3gia.human import HumanSample
from gfactor.replications.m3gia.human_fit import SPLITS
from gfactor.replications.m3gia.published import LANGUAGES, ParameterSet
from gfactor.replications.m3gia.resampling import CountDraws
from gfactor.replications.m3gia.result import Gia
from gfactor.replications.m3gia.route_published import published_gia
from gfactor.replications.m3gia.route_repaired import repaired_gia
from gfactor.results import Result

_ABOUT_PERSONS = frozenset(
    {"shared_persons", "fewer_persons_than_rows", "duplicated_persons", "near_constant_column",
     "constant_column"}
)  # fmt: skip


@dataclass(frozen=True)
class LanguageSample:
    """A user's data for one language.

    Parameters
    ----------
    language: its code.
    counts: right answers of the models by question type.
    human: the human sample, None if there is none.
    resampled: draws of the counts from item-level responses, None for binomial ones.
    sizes: parameters in billions by model, None if unknown.
    """

    language: str
    counts: Counts
    human: HumanSample | None = None
    resampled: CountDraws | None = None
    sizes: pd.Series | None = None


@dataclass(frozen=True)
class LanguageRoutes:
    """Both routes of one language; `repaired` is None without human data."""

    language: str
    published: Gia
    repaired: Gia | None


@dataclass(frozen=True, repr=False)
class RouteComparison(Result):
    """GIA scores by both routes, for all languages.

    Parameters
    ----------
    languages: languages in the order given.
    claims: conclusions of the paper, with the result of both routes beside each.
    persons: forensics of the human samples, None without human data.
    diagnostics: findings that concern all languages; those of each language are in its results.
    """

    languages: tuple[LanguageRoutes, ...]
    claims: tuple[ConclusionCheck, ...]
    persons: Forensics | None
    diagnostics: tuple[Diagnostic, ...]

    @property
    def title(self) -> str:
        languages = ", ".join(one.language for one in self.languages)
        return f"M3GIA in {languages}: {len(self.claims)} conclusions of the paper"

    @property
    def facts(self) -> Mapping[str, Any]:
        return {"languages": [one.language for one in self.languages]}

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        scores = {
            f"{gia.language}_{gia.route}": gia.scores
            for one in self.languages
            for gia in (one.published, one.repaired)
            if gia is not None
        }
        return {"claims": pd.DataFrame(map(vars, self.claims))} | scores

    def _document(self) -> Mapping[str, Any]:
        return {
            "diagnostics": self.diagnostics,
            "languages": self.languages,
            "claims": self.claims,
            "persons": self.persons,
        }

    def _lines(self) -> list[str]:
        lines = []
        for one in self.languages:
            for gia in (one.published, one.repaired):
                if gia is not None:
                    title = f"{LANGUAGES[gia.language]}, {gia.route} route"
                    lines += ["", title, gia.summary()]
        return [*lines, "", *map(str, self.claims)]


def study(
    samples: Sequence[LanguageSample],
    parameters: Mapping[str, ParameterSet] | None = None,
    *,
    n_bootstrap: int = 1000,
    splits: int = SPLITS,
    seed: int = 0,
    watch: Callable[[str], None] | None = None,
) -> RouteComparison:
    """Compute GIA scores by both routes, the published and the repaired one, for every language.

    Parameters
    ----------
    parameters: other parameter sets for the published route, by language.
    n_bootstrap: resamples of items and persons behind intervals.
    splits: divisions of the persons for hold-out validation.
    seed: seed of everything that is drawn; each language has a stream of its own.
    watch: function that is called with the name of each step, for a progress bar; there are two
        steps per language with human data.

    Raises ParameterError if a language occurs twice.
    """
    seen: list[str] = []
    results = []
    for number, sample in enumerate(samples):
        if sample.language in seen:
            raise ParameterError(f"the language {sample.language!r} was given twice")
        seen.append(sample.language)
        _tell(watch, f"{sample.language} published")
        given = (parameters or {}).get(sample.language)
        published = published_gia(
            sample.counts, sample.language, given, sample.resampled, sample.sizes, seed + number
        )
        repaired = None
        if sample.human is not None:
            _tell(watch, f"{sample.language} repaired")
            repaired = repaired_gia(
                sample.counts, sample.human, sample.language, sample.resampled, sample.sizes,
                n_bootstrap=n_bootstrap, splits=splits, seed=seed + number,
            )  # fmt: skip
        results.append(LanguageRoutes(sample.language, published, repaired))
    humans = {LANGUAGES[s.language]: s.human.counts for s in samples if s.human is not None}
    persons = forensics(humans, seed=seed) if humans else None
    diagnostics = [d for d in persons.diagnostics if d.code in _ABOUT_PERSONS] if persons else []
    diagnostics += _without_humans([s.language for s in samples if s.human is None])
    return RouteComparison(
        tuple(results), claims(results, persons), persons, by_severity(diagnostics)
    )


def _tell(watch: Callable[[str], None] | None, what: str) -> None:
    if watch is not None:
        watch(what)


def _without_humans(languages: Sequence[str]) -> list[Diagnostic]:
    if not languages:
        return []
    return [
        Diagnostic(
            "no_human_data",
            "warning",
            f"Without human data for {', '.join(languages)} only the published route can be taken, "
            "whose scores are on no human scale.",
            "Give human data (--human FILE: a person per row, the 18 question types in the "
            "columns) for the repaired route; gfactor study collects them.",
            tuple(languages),
        )
    ]
