"""What `gfactor analyze gia` reads: files of counts, human data and answers, by language."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gfactor.cli.scores import read_scores, read_table
from gfactor.errors import ParameterError
from gfactor.replications.m3gia import (
    LANGUAGES,
    CountDraws,
    Counts,
    HumanSample,
    Sample,
    Unit,
    item_draws,
    language_code,
    read_counts,
    read_human,
)

SIZE = "size"
"""A column with the parameters of a model in billions."""


def read_inputs(
    counts: Sequence[str],
    language: str | None,
    humans: Sequence[str],
    responses: Sequence[str],
    unit: Unit,
    draws: int,
    seed: int,
) -> tuple[Sample, ...]:
    """One sample per file of counts, with the human data and answers of its language."""
    files = _by_language(counts, language, "counts")
    people = _by_language(humans, language, "--human")
    answers = _by_language(responses, language, "--items")
    for option, given in (("--human", people), ("--items", answers)):
        for code in given:
            if code not in files:
                raise ParameterError(
                    f"{option} was given for {code.lower()!r}, but no counts of that language"
                )
    return tuple(
        _sample(code, path, people.get(code), answers.get(code), unit, draws, seed)
        for code, path in files.items()
    )


def _by_language(given: Sequence[str], language: str | None, what: str) -> dict[str, Path]:
    paths: dict[str, Path] = {}
    for text in given:
        name, equals, path = text.partition("=")
        if not equals:
            if language is None:
                raise ParameterError(
                    f"the language of {text!r} ({what}) is not known; give --language, or "
                    f"LANG={text}"
                )
            name, path = language, text
        code = language_code(name)
        if code in paths:
            raise ParameterError(f"two files of {what} are for the language {code.lower()!r}")
        paths[code] = Path(path)
    return paths


def _sample(
    code: str,
    path: Path,
    people: Path | None,
    answers: Path | None,
    unit: Unit,
    draws: int,
    seed: int,
) -> Sample:
    table = read_scores(path)
    sizes = table.pop(SIZE) if SIZE in table else None
    counts = read_counts(table, unit)
    return Sample(
        code, counts, _people(code, people), _resampled(counts, answers, draws, seed), sizes
    )


def _people(code: str, path: Path | None) -> HumanSample | None:
    return None if path is None else read_human(read_scores(path), LANGUAGES[code])


def _resampled(counts: Counts, path: Path | None, draws: int, seed: int) -> CountDraws | None:
    if path is None:
        return None
    resamples = item_draws(read_table(path), draws, seed)
    models = [str(model) for model in counts.table.index]
    missing = [model for model in models if model not in resamples.models]
    if missing:
        raise ParameterError(f"{str(path)!r} has no answers of the model {missing[0]!r}")
    order = [resamples.models.index(model) for model in models]
    return CountDraws(
        tuple(models), resamples.counts[order], resamples.draws[:, order], resamples.source
    )
