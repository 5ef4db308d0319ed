"""Input of a report: scored answers with a role and a short label for each examinee."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

import pandas as pd

from gfactor.administration import Journal
from gfactor.administration.presenting.condition_text import without_sources
from gfactor.administration.storing.deviations import ShortenedRequests, left_out_parameters
from gfactor.administration.storing.marked_people import PERSON, noted_invalid
from gfactor.administration.storing.who_answered import answering_models, changes_among
from gfactor.benchmarks.chc import BROAD_ABILITIES
from gfactor.errors import GfactorError, JournalError
from gfactor.examinees import RenderedItem, Spec
from gfactor.frames import column, distinct, mapped, pick
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.inference.claim import DEFAULT_CLAIM
from gfactor.scoring import scored, with_chance
from gfactor.scoring.policies import BENCHMARKS_POLICY
from gfactor.scoring.score import RESERVED_COLUMNS

if TYPE_CHECKING:
    from gfactor.psychometrics.irt.scores.calibrated_scores import CalibratedScores

Value = TypeVar("Value")

Role = Literal["ideal", "model", "population", "person", "baseline"]
ROLES: tuple[Role, ...] = ("ideal", "model", "population", "person", "baseline")
"""In the order in which examinees are shown."""

POOLED = "population (pooled)"
"""The label of all members of the population taken together."""

PEOPLE = "people (pooled)"
"""The label of all persons of a study taken together."""

_ADDED = ("role", "label", "chance", "chance_share", "_who", "_setting")

POPULATION = ("observer:limited", "observer:human-like")
"""Beginnings of the names of the population's members; older journals hold the second one."""


@dataclass(frozen=True)
class Results:
    """Data that a table or figure may use.

    Parameters
    ----------
    answers : DataFrame
        One row per response, as `gfactor.scoring.scored` gives it, with `label` (who, in
        short; the condition too if there are several), `role`, `_who` and `_setting`,
        the two parts of the label, and `chance` and `chance_share`
        (`gfactor.scoring.item_chance`). Which labels of items there are (`domain`, `size`,
        `skills` ...) depends on the benchmark.
    samples : list of RenderedItem
        One rendered item per task, for the gallery.
    meta : dict of str to Any
        Campaigns of the journal.
    error_labels : DataFrame, optional
        Labels that people gave to wrong responses (`gfactor.reports.answers.error_labels`), or
        None.
    models : DataFrame, optional
        Facts about models by their examinee (`gfactor.reports.answers.model_facts`), or None.
    calibrated : DataFrame, optional
        Abilities on the scale of a calibration, with the columns `condition` and `examinee`.
    preregistration : DataFrame, optional
        Comparison of the plan with the journal, line by line, or None.
    answering : DataFrame, optional
        Answers by the model that the server named (`administration.who_answered`), or None.
    model_changes : list of Diagnostic
        Runs in which that model changed, or is not the asked one.
    left_out : list of ShortenedRequests
        Answers that were asked for without a parameter of their condition.
    warnings : list of Diagnostic
        Findings that limit what the scores say, the most serious first.
    judge, policy : str
        Treatment of replies without an answer: the name of the judge ("" for none) and the policy,
        as in `gfactor.scoring.scored`.
    claim : str
        Population that the scores of the table of examinees generalize to.
    by : dict of str to str
        Labels of the items by which accuracies are broken down further, and their columns.
    level : float
        Confidence level of every interval.
    n_bootstrap, seed : int
        Number of samples and seed of every bootstrap.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> journal = gf.run(bank, ["observer:ideal", "baseline:constant"], journal="c.db")
    >>> from gfactor.reports import Results
    >>> Results.from_journal(journal).benchmarks
    ['percept-v']
    """

    answers: pd.DataFrame
    samples: Sequence[RenderedItem] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)
    error_labels: pd.DataFrame | None = None
    models: pd.DataFrame | None = None
    calibrated: CalibratedScores | None = None
    preregistration: pd.DataFrame | None = None
    answering: pd.DataFrame | None = None
    model_changes: Sequence[Diagnostic] = ()
    left_out: Sequence[ShortenedRequests] = ()
    warnings: Sequence[Diagnostic] = ()
    judge: str = ""
    policy: str = BENCHMARKS_POLICY
    claim: str = DEFAULT_CLAIM
    by: Mapping[str, str] = field(default_factory=dict)
    level: float = 0.95
    n_bootstrap: int = 200
    seed: int = 0
    _value_by_function: dict[Callable[[Results], Any], Any] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @classmethod
    def from_journal(
        cls, journal: Journal, answers: pd.DataFrame | None = None,
        items: pd.DataFrame | None = None,
    ) -> Results:  # fmt: skip
        """Return the results in a journal, or those of its `answers` that were scored and chosen
        before; `items` is `Journal.items`, if the caller already has it.

        Raises JournalError if there are no answers.
        """
        answers = scored(journal) if answers is None else answers
        if answers.empty:
            raise JournalError(
                f"journal {journal.name!r} holds no answers; have the items asked first, "
                "with `gfactor run`"
            )
        items = journal.items() if items is None else items
        answers = with_own_domains(labeled(with_chance(answers, items)))
        answering, names = answering_models(journal), set(distinct(answers, "examinee"))
        return cls(
            answers, tuple(journal.samples()),
            {**journal.meta(), "invalid": [n for n in noted_invalid(journal) if n in names]},
            answering=answering, model_changes=changes_among(answering, names),
            left_out=left_out_parameters(journal, names),
        )  # fmt: skip

    def once(self, make: Callable[[Results], Value]) -> Value:
        """Return the value of a function of these results: computed once, and not to be changed."""
        if make not in self._value_by_function:
            self._value_by_function[make] = make(self)
        return cast(Value, self._value_by_function[make])

    @property
    def benchmarks(self) -> list[str]:
        """The benchmarks whose items were answered."""
        return distinct(self.answers, "benchmark") if "benchmark" in self.answers else []

    def of(self, benchmark: str) -> Results:
        """Return the results for the items of one benchmark, without labels that these do not
        have."""
        answers = pick(self.answers, self.answers["benchmark"] == benchmark)
        empty = answers.columns[answers.isna().all().to_numpy(bool)]
        return replace(
            self, answers=answers.drop(columns=empty.difference([*RESERVED_COLUMNS, *_ADDED]))
        )

    @property
    def counted(self) -> pd.DataFrame:
        """The answers that count, without failed attempts."""
        return pick(self.answers, ~self.answers["missing"].astype(bool))

    def role(self, *roles: Role) -> pd.DataFrame:
        """Return the counted answers of examinees in these roles."""
        counted = self.counted
        return pick(counted, counted["role"].isin(roles))

    def labels(self, *roles: Role) -> list[str]:
        """Return the labels of examinees in these roles (all by default), in the order shown."""
        wanted = roles or ROLES
        frame = self.once(_roles_and_labels)
        names = {role: pick(frame, frame["role"] == role)["label"] for role in wanted}
        return [label for role in wanted for label in sorted(names[role])]


def _roles_and_labels(results: Results) -> pd.DataFrame:
    """Return the labels of all examinees with their roles."""
    return pick(results.answers, ["role", "label"]).drop_duplicates()


def labeled(answers: pd.DataFrame) -> pd.DataFrame:
    """Return scored answers with the columns `role`, `label`, `_who` and `_setting`."""
    names = distinct(answers, "examinee")
    roles = {name: role_of(name) for name in names}
    labels = short_labels(names)
    examinee, condition = column(answers, "examinee"), column(answers, "condition")
    who = mapped(examinee, labels)
    conditions = distinct(answers, "condition")
    setting = mapped(condition, short_conditions(conditions))
    label = who + " [" + setting + "]" if len(conditions) > 1 else who
    return answers.assign(role=mapped(examinee, roles), label=label, _who=who, _setting=setting)


def with_own_domains(answers: pd.DataFrame) -> pd.DataFrame:
    """Return the answers, with the benchmark after the name of a domain that several benchmarks
    have.

    Examples
    --------
    >>> import pandas as pd
    >>> answers = pd.DataFrame({"benchmark": ["a", "b", "b"], "domain": ["maps", "maps", "dice"]})
    >>> with_own_domains(answers)["domain"].tolist()
    ['maps (a)', 'maps (b)', 'dice']
    """
    if not {"benchmark", "domain"} <= set(answers):
        return answers
    homes: Any = answers.groupby("domain")["benchmark"].nunique()
    shared = answers["domain"].isin(homes.index[homes > 1])
    separate = answers["domain"].astype(str) + " (" + answers["benchmark"].astype(str) + ")"
    return answers.assign(domain=answers["domain"].mask(shared, separate))


def pooled_labels(rows: pd.DataFrame) -> pd.Series:
    """Return the labels, with one for all members of the population and one for all persons (under
    each condition)."""
    several = len(distinct(rows, "condition")) > 1
    settings = column(rows, "_setting").astype(str)
    labels, roles = column(rows, "label"), column(rows, "role")
    for role, name in (("population", POOLED), ("person", PEOPLE)):
        pooled = name + " [" + settings + "]" if several else name
        labels = labels.mask(roles == role, pooled)
    return labels


def role_of(examinee: str) -> Role:
    """Return the role of an examinee, by its specification."""
    if examinee.startswith("baseline:"):
        return "baseline"
    if examinee.startswith(PERSON):
        return "person"
    if examinee == "observer:ideal":
        return "ideal"
    return "population" if examinee.startswith(POPULATION) else "model"


def short_labels(names: Sequence[str]) -> dict[str, str]:
    """Return a short, unique label for each specification; members of the population are
    numbered.

    Labels name rows, columns and lines of one report, so they have no scheme and number what is
    many; `names_for_print` gives names that mean the same outside of it, and `examinee_title`
    words for one examinee.

    Examples
    --------
    >>> list(short_labels(["openai:m", "observer:ideal", "observer:limited?seed=1"]).values())
    ['P01', 'm', 'ideal observer']
    """
    members = [name for name in names if role_of(name) == "population"]
    width = max(2, len(str(len(members))))
    labels = {name: f"P{number:0{width}d}" for number, name in enumerate(members, 1)}
    for name in names:
        if name not in labels:
            labels[name] = "ideal observer" if name == "observer:ideal" else _argument(name)
    shared = {label for label in labels.values() if list(labels.values()).count(label) > 1}
    return {name: name if label in shared else label for name, label in labels.items()}


def short_conditions(conditions: Sequence[str]) -> dict[str, str]:
    """Return conditions without the fingerprints of their files, where that leaves them
    distinct."""
    short = {key: without_sources(key) for key in conditions}
    names = list(short.values())
    return {key: name if names.count(name) == 1 else key for key, name in short.items()}


def _argument(name: str) -> str:
    try:
        return Spec.parse(name).argument
    except GfactorError:
        return name


def examinee_title(examinee: str) -> str:
    """Return the name of an examinee without its scheme and parameters, for a title.

    Other examinees may have the same: a page about one of them does not compare. `short_labels`
    are unique in a report, `names_for_print` in a text that is published.

    Examples
    --------
    >>> examinee_title("observer:limited?acuity=0.5&seed=1"), examinee_title("openai:gpt-4o")
    ('a limited observer', 'gpt-4o')
    """
    scheme, _, name = examinee.partition("?")[0].partition(":")
    if scheme == "observer":
        return "the ideal observer" if name == "ideal" else f"a {name} observer"
    return name or scheme


def ability_title(code: str) -> str:
    """Return the name of an ability with its code, as "reasoning (Gf)"."""
    return f"{BROAD_ABILITIES[code]} ({code})" if code in BROAD_ABILITIES else code
