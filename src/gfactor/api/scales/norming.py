"""Norms of people's answers: percentiles and T scores by group, as a file that others read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd

from gfactor.api.inputs.answer_files import people_of_tables
from gfactor.api.inputs.persons import PersonColumns, banded, check_once, persons_of
from gfactor.api.inputs.scoring import Scoring, scoring_of
from gfactor.api.inputs.taking import JournalLike, opened, several
from gfactor.api.scales.calibrated import abilities_of
from gfactor.api.scales.claimed import claim_of_scale
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.frames import pick
from gfactor.parameters import GroupSize, Level, Seed
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.inference.claim import DEFAULT_CLAIM, Claim, checked_claim
from gfactor.psychometrics.irt.scales.calibration import Calibration
from gfactor.psychometrics.irt.scales.calibration_files import (
    calibration_digest,
    read_calibration,
    read_calibrations,
)
from gfactor.psychometrics.norms import MIN_N, Norms, norm_scores, write_norms
from gfactor.reports.answers.group_rates import rows_of
from gfactor.reports.answers.results import role_of
from gfactor.reports.leaderboard.answers import label_text
from gfactor.scoring.averaging import DOMAIN
from gfactor.scoring.policies import BENCHMARKS_POLICY
from gfactor.scoring.summaries import require_one_condition

SHARE, ABILITY = "share right", "ability"
"""Units of norms."""

_FEW = 0.5
"""Persons with fewer answers than this share of the median are left out of a scale."""


def norms(
    people: JournalLike | Sequence[JournalLike],
    *,
    by: Sequence[str] = (),
    crossed: bool = False,
    labels: Sequence[str] = (),
    calibration: Calibration | Path | str | None = None,
    persons: pd.DataFrame | Path | str | None = None,
    sample: str = "",
    min_n: GroupSize = MIN_N,
    level: Level = 0.95,
    seed: Seed = 0,
    claim: str | None = None,
    domain_label: str = DOMAIN,
    condition: str | None = None,
    policy: str = BENCHMARKS_POLICY,
    path: Path | str | None = None,
    columns: str | None = None,
    drop: str | None = None,
    identifier: str | None = None,
    where: Sequence[str] = (),
) -> Norms:
    """Return norms of people: percentiles and T scores, for all or by age, gender and other groups.

    The score of a person is the share of items that are right, as in `score`; in an adaptive study
    it is the ability on a calibrated scale. A percentile counts the persons below a score and half
    of those with this score; it is not smoothed. Norms from a convenience sample carry a warning,
    which every result that uses them repeats.

    Parameters
    ----------
    people : Journal or path, or several
        Folders that `study.export` wrote, or journals with answers of people (examinees named
        `person:`). The columns that describe persons are read from the folder `psych_ds` beside
        the journal. Or a table with a row per person: right and wrong answers (1 and 0), and
        columns that describe the persons.
    by : list of str
        Columns of persons that define groups, such as "gender", or numbers with cut points, such
        as "age=18,30,45,60".
    crossed : bool
        Also form groups of all combinations of the columns in `by`.
    labels : list of str
        Labels of the items, such as "domain"; each of their values gets norms of its own.
    calibration : Calibration or path, optional
        Calibration for norms of abilities: a result or file of `calibrate`, or the folder of
        `calibrate_each`.
    persons : DataFrame or path, optional
        Table with further columns that describe persons, and a column `participant_id`.
    sample : str
        Description of the sample and of how it was recruited, in words; it is stored in the file
        of norms.
    min_n : int
        Smallest number of persons for a group to get norms.
    level : float
        Confidence level of the intervals.
    seed : int
        Seed of the bootstrap samples for the intervals of linear T scores.
    claim : {"same-domains", "other-domains", "these-items"}, optional
        Population of items that mean scores generalize to: other items of the same domains (the
        default), other domains, or these items alone. It does not change percentiles and T scores,
        which hold for these items.
    domain_label : str
        Label of the items whose values are their domains (default "domain").
    condition : str, optional
        Condition whose answers count; needed if people answered under several.
    policy : str
        Rule for replies without an answer, as in `score`.
    path : path, optional
        File of norms to write (JSON); `gfactor profile --norms` and `gfactor leaderboard --norms`
        read it.
    columns : str, optional
        If `people` is a table: columns with items, separated by commas, as names, patterns
        ("item*") or ranges ("x1:x9").
    drop : str, optional
        If `people` is a table: columns that are no items.
    identifier : str, optional
        If `people` is a table: column that names the persons.
    where : list of str
        If `people` is a table: conditions that its rows must meet, such as "age>=18".

    Returns
    -------
    Norms
        `table` (n, mean, standard error and standard deviation of each group and scale) and
        `conversion` (percentile and T score of each score).
        `gfactor.psychometrics.norms.write_norms` writes the file.

    Raises
    ------
    ParameterError
        If there are no persons, no group has `min_n` persons, items were chosen adaptively and no
        calibration is given, or a claim is given for norms of abilities.
    UnknownNameError
        For an unknown column, label or claim.

    References
    ----------
    Crawford, J. R., Garthwaite, P. H., Slick, D. J. (2009). On percentile norms in
    neuropsychology. The Clinical Neuropsychologist 23, 1173-1195.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["sort_lines"], sizes=[2, 3], path="pv.parquet")
    >>> made = gf.study.new(bank, "study", title="Lines", per_person=4)
    >>> _ = gf.study.simulate("study", persons=12, seed=1)
    >>> _ = gf.study.export("study", "people")
    >>> norms = gf.norms("people", sample="12 simulated persons", min_n=10)
    >>> int(norms.table["n"][0]), norms.diagnostics[0].code
    (12, 'convenience_sample')
    """
    table = {"columns": columns, "drop": drop, "identifier": identifier, "where": where}
    given, described = people_of_tables(several(people), table)
    if not given:
        raise ParameterError("norms need people: name a folder of gfactor study export")
    scoring = scoring_of((), condition, None, policy, {})
    if claim is not None and calibration is not None:
        raise ParameterError(
            "a claim is about shares of right answers; abilities are on the scale of the "
            "calibration, whichever items were asked: leave claim or calibration out"
        )
    claimed = (DEFAULT_CLAIM if claim is None else checked_claim(claim), domain_label)
    person_columns = persons_of(given, persons, described)
    groups, unit = banded(person_columns.columns, by), SHARE if calibration is None else ABILITY
    scored = (
        _shares(given, scoring, labels, person_columns, claimed)
        if calibration is None
        else _abilities(given, scoring, calibration)
    )
    if not len(scored.scores):
        raise ParameterError(
            "there are no answers of people (examinees named person:); name a folder of gfactor "
            "study export, or a table with a row per person"
        )
    about = {"sample": sample, "unit": unit, "condition": scored.condition,
             "sources": person_columns.sources}  # fmt: skip
    norms = norm_scores(
        scored.scores, groups.reindex(scored.scores.index), crossed=crossed, min_n=min_n,
        level=level, seed=seed, scales=scored.scales, about=about,
    )  # fmt: skip
    findings = person_columns.findings(scored.scores.index)
    diagnostics = by_severity([*norms.diagnostics, *scored.diagnostics, *findings])
    result = replace(norms, diagnostics=diagnostics)
    if path is not None:
        write_norms(result, path)
    return result


@dataclass(frozen=True)
class Scored:
    """Scores of persons (rows) on scales (columns), with facts about the scales."""

    scores: pd.DataFrame
    scales: Mapping[str, Mapping[str, Any]]
    condition: str
    diagnostics: tuple[Diagnostic, ...] = ()


def _shares(
    given: Sequence[JournalLike], scoring: Scoring, labels: Sequence[str],
    person_columns: PersonColumns, claimed: tuple[Claim, str],
) -> Scored:  # fmt: skip
    """Shares of right answers: of each benchmark, and of every value of the labels."""
    if person_columns.adaptive:
        raise ParameterError(
            "the items of this study were chosen adaptively, so that persons cannot be compared "
            "by shares of right answers; give its --calibration for norms of abilities"
        )
    tables = []
    with ExitStack() as stack:
        for source in given:
            table = scoring.table(stack.enter_context(opened(source)))
            if table.empty:
                continue
            roles = [role_of(str(name)) for name in table["examinee"]]
            tables.append(pick(table, [role == "person" for role in roles]))
    check_once(tables)
    table = pd.concat(tables, ignore_index=True) if tables else pd.DataFrame()
    if table.empty:
        return Scored(pd.DataFrame(), {}, "")
    require_one_condition(table)
    rows = rows_of(table)
    columns, scales, few = {}, {}, 0
    for name, facts, part in _scales(rows, labels):
        by_person = part.groupby("examinee", sort=True)["correct"]
        answered: Any = by_person.count()
        enough = answered >= _FEW * answered.median()
        few = max(few, int((~enough).sum()))
        means: Any = by_person.mean()
        columns[name] = means[enough]
        items = sorted(set(map(str, part["item_hash"])))
        among = part.loc[part["examinee"].isin(means.index[enough])]
        scales[name] = {
            **facts, "items_per_person": float(answered.median()),
            **claim_of_scale(among, *claimed),
            "items": items,
        }  # fmt: skip
    diagnostics = () if not few else (Diagnostic(
        "few_answers", "note",
        f"{few} persons answered fewer than half as many items as most, and are left out.",
        "Export with --finished-only, or have them finish.", (), {"n": few},
    ),)  # fmt: skip
    return Scored(pd.DataFrame(columns), scales, str(rows["condition"].iloc[0]), diagnostics)


def _scales(
    rows: pd.DataFrame, labels: Sequence[str]
) -> Iterable[tuple[str, dict[str, Any], pd.DataFrame]]:
    """Name, facts and rows of every scale."""
    label_names = sorted(str(name) for name in rows if not str(name).startswith("_"))
    for benchmark, part in rows.groupby("benchmark", sort=True):
        yield str(benchmark), {"benchmark": str(benchmark), "label": "", "value": ""}, part
        for label in labels:
            if label not in label_names:
                raise UnknownNameError("label", label, label_names)
            values = part[label].map(lambda value: "" if pd.isna(value) else label_text(value))
            for value in sorted(set(values) - {""}):
                facts = {"benchmark": str(benchmark), "label": label, "value": value}
                yield (
                    f"{benchmark} {label}={value}",
                    facts,
                    pick(part, (values == value).to_numpy()),
                )


def _abilities(
    given: Sequence[JournalLike], scoring: Scoring, calibration: Calibration | Path | str
) -> Scored:
    """Abilities on calibrated scales, one per calibration."""
    columns: dict[str, Any] = {}
    scales: dict[str, dict[str, Any]] = {}
    conditions: set[str] = set()
    with ExitStack() as stack:
        open_journals = [stack.enter_context(opened(one)) for one in given]
        for ability, fitted in _calibrations(calibration).items():
            tables = []
            for journal in open_journals:
                table = abilities_of(journal, scoring, fitted).table
                person = [role_of(str(name)) == "person" for name in table["examinee"]]
                tables.append(pick(table, person & (table["n"] > 0).to_numpy()))
            check_once(tables)
            table = pd.concat(tables, ignore_index=True)
            conditions |= set(map(str, table["condition"]))
            if len(conditions) > 1:
                raise ParameterError(
                    f"people answered under {', '.join(sorted(conditions))}; name one condition"
                )
            answered: Any = table["n"]
            columns[ability] = table.set_index("examinee")["theta"].astype(float)
            scales[ability] = {
                "ability": ability, "calibration": calibration_digest(fitted),
                "items_per_person": float(answered.median()) if len(table) else 0.0,
            }  # fmt: skip
    return Scored(pd.DataFrame(columns).sort_index(), scales, "".join(conditions))


def _calibrations(given: Calibration | Path | str) -> dict[str, Calibration]:
    if not isinstance(given, Calibration) and Path(given).is_dir():
        return read_calibrations(given)
    loaded = given if isinstance(given, Calibration) else read_calibration(given)
    return {str(loaded.about.get("ability") or "ability"): loaded}
