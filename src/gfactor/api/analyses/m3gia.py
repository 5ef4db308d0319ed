"""M3GIA's general intelligence ability, as published and repaired."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

import pandas as pd

from gfactor.api.inputs.calls import option
from gfactor.api.inputs.matrix_files import read_scores, read_table
from gfactor.api.inputs.progress_bars import counter
from gfactor.errors import ParameterError
from gfactor.parameters import Seed
from gfactor.psychometrics.given import TableLike, as_frame, kind_of
from gfactor.replications.m3gia import (
    LANGUAGES,
    CountDraws,
    Counts,
    HumanSample,
    LanguageSample,
    ParameterSet,
    RouteComparison,
    Unit,
    item_draws,
    language_code,
    read_counts,
    read_human,
    read_parameters,
    study,
)

_Tables: TypeAlias = dict[str, TableLike | Path | str]

SIZE = "size"
"""A column with the parameters of a model in billions."""


def gia(
    counts: Mapping[str, TableLike | Path | str] | TableLike | Path | str,
    *,
    language: str | None = None,
    human: Mapping[str, TableLike | Path | str] | TableLike | Path | str | None = None,
    responses: Mapping[str, TableLike | Path | str] | TableLike | Path | str | None = None,
    parameters: ParameterSet | Path | str | None = None,
    unit: Unit = "auto",
    n_bootstrap: int = 1000,
    seed: Seed = 0,
) -> RouteComparison:
    """Compute GIA scores of models from right answers by question type.

    The "published" route computes scores with the published parameters, exactly as the scripts of
    M3GIA's authors do, and lists problems of these parameters. If `human` is given, the "repaired"
    route follows: it fits the models to these persons, gives scores on their scale, and says which
    conclusions of the paper still hold.

    Parameters
    ----------
    counts : dict of language to DataFrame or path
        Tables by language ("en", "zh", "fr", "es", "pt", "ko"), with a row per model and a column
        for each of the 18 question types of M3GIA. The names of models are in the index, or in the
        first column of a file. An optional column size (parameters in billions) gives the size
        ablation. If `language` is given, a single table or file.
    language : str, optional
        Language of the tables, if they are not given by language.
    human : dict of language to DataFrame or path, optional
        Tables by language with a row per person and a column per question type: counts, shares or
        z-scores.
    responses : dict of language to DataFrame or path, optional
        Tables by language with a row per answer, from which intervals are computed: the columns
        model, question_type, item, correct and occasion.
    parameters : ParameterSet or path, optional
        Parameters for the published route (a JSON file with lavaan's estimates); by default those
        of the paper.
    unit : str
        Unit of the values: "counts", "shares" (0 to 1), "percent", or "auto" to detect it.
    n_bootstrap : int
        Number of bootstrap samples for each interval.
    seed : int
        Seed of all random draws.

    Returns
    -------
    RouteComparison
        `languages` (for each, `published` and `repaired`, which have `scores`), `claims`
        (conclusions of the paper, and whether they hold), `persons`, `diagnostics`, `summary()`,
        `to_dict()`, and `report(folder)`, which writes a page.

    Raises
    ------
    UnknownNameError
        For an unknown language or question type.
    ParameterError
        If a question type is missing, or a value is impossible in its unit.

    References
    ----------
    Song, W., Li, Y., Xu, J., et al. (2024). M3GIA: A cognition inspired multilingual and multimodal
    general intelligence ability benchmark.

    Examples
    --------
    >>> import gfactor as gf, numpy as np, pandas as pd
    >>> from gfactor.replications.m3gia import INDICATORS, POINTS
    >>> shares = np.random.default_rng(1).uniform(0.3, 0.9, size=(5, 18))
    >>> counts = pd.DataFrame(np.round(shares * POINTS), columns=list(INDICATORS))
    >>> counts.index = pd.Index([f"model {k}" for k in range(5)])
    >>> gia = gf.gia({"en": counts})
    >>> gia.languages[0].published.scores["model"].nunique()
    5
    """
    people = _by_language(human, language, "human")
    answers = _by_language(responses, language, "responses")
    given_counts = _by_language(counts, language, "counts")
    samples = _samples(given_counts, people, answers, unit, n_bootstrap, seed)
    given = _parameters(parameters, samples)
    steps = sum(1 + (sample.human is not None) for sample in samples)
    with counter(steps, "GIA", "model") as bar:

        def begin(what: str) -> None:
            bar.set_postfix_str(what)
            bar.update()

        return study(samples, given, n_bootstrap=n_bootstrap, seed=seed, watch=begin)


def _samples(
    counts: _Tables, people: _Tables, answers: _Tables, unit: Unit, n_bootstrap: int, seed: int
) -> tuple[LanguageSample, ...]:
    """One sample per language of counts, with its human data and answers."""
    for what, given in (("human data", people), ("answers", answers)):
        for code in given:
            if code not in counts:
                raise ParameterError(
                    f"{what} were given for {code.lower()!r}, but no counts of that language"
                )
    if not counts:
        raise ParameterError('counts hold no table; give one by language, such as {"en": table}')
    return tuple(
        _sample(code, table, people.get(code), answers.get(code), unit, n_bootstrap, seed)
        for code, table in counts.items()
    )


def _by_language(given: Any, language: str | None, what: str) -> _Tables:
    """The tables by the code of their language; one without a language has that of `language`."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        if not isinstance(given, str | Path | pd.DataFrame):
            raise ParameterError(
                f'{what} are tables by language, such as {{"en": table}}; got {kind_of(given)}'
            )
        given = {"": given}
    by_code: _Tables = {}
    for name, table in given.items():
        if not name and language is None:
            is_file = isinstance(table, str | Path)
            raise ParameterError(
                f"the language of {repr(str(table)) if is_file else 'a table'} ({what}) is not "
                f"known; give {option('language')}, or "
                + (f"LANG={table}" if is_file else 'tables by language, such as {"en": table}')
            )
        code = language_code(name or str(language))
        if code in by_code:
            raise ParameterError(f"two tables of {what} are for the language {code.lower()!r}")
        by_code[code] = table
    return by_code


def _sample(
    code: str,
    given: TableLike | Path | str,
    people: TableLike | Path | str | None,
    answers: TableLike | Path | str | None,
    unit: Unit,
    n_bootstrap: int,
    seed: int,
) -> LanguageSample:
    table = _scores(given, "counts").copy()
    sizes = table.pop(SIZE) if SIZE in table else None
    counts = read_counts(table, unit)
    return LanguageSample(
        code, counts, _people(code, people), _resampled(counts, answers, n_bootstrap, seed), sizes
    )


def _scores(given: TableLike | Path | str, what: str) -> pd.DataFrame:
    return read_scores(Path(given)) if isinstance(given, str | PathLike) else as_frame(given, what)


def _people(code: str, given: TableLike | Path | str | None) -> HumanSample | None:
    if given is None:
        return None
    table = _scores(given, "human")
    return read_human(table, LANGUAGES[code])


def _resampled(
    counts: Counts, given: TableLike | Path | str | None, n_bootstrap: int, seed: int
) -> CountDraws | None:
    if given is None:
        return None
    of_file = isinstance(given, str | PathLike)
    table = read_table(Path(given)) if of_file else as_frame(given, "responses")
    source = repr(str(given)) if of_file else "the table of answers"
    resampled = item_draws(table, n_bootstrap, seed)
    models = [str(model) for model in counts.table.index]
    missing = [model for model in models if model not in resampled.models]
    if missing:
        raise ParameterError(f"{source} has no answers of the model {missing[0]!r}")
    order = [resampled.models.index(model) for model in models]
    return CountDraws(
        tuple(models), resampled.counts[order], resampled.draws[:, order], resampled.source
    )


def _parameters(
    given: ParameterSet | Path | str | None, samples: tuple[LanguageSample, ...]
) -> dict[str, ParameterSet] | None:
    if given is None:
        return None
    first, *more = samples
    if more:
        raise ParameterError("parameters are for one language; give one table of counts with them")
    if isinstance(given, ParameterSet):
        return {first.language: given}
    return {first.language: read_parameters(given, first.language)}
