"""Words of a report: what was measured, on which assumptions, after whom."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

import pandas as pd

from gfactor.administration.storing.deviations import as_asked
from gfactor.administration.storing.marked_people import PERSON, sentence_on_invalid
from gfactor.frames import column, distinct
from gfactor.listing import first_few
from gfactor.reports.answers.results import ROLES, Results
from gfactor.reports.tables.published import comparable
from gfactor.scoring.policies import policy_for
from gfactor.scoring.sampling import ITEM

_VALUES_LISTED = 3
"""Values of the journal's campaigns that a field of the page names."""

_ROLE_WORDS = {
    "ideal": "ideal observer",
    "model": "model",
    "population": "limited observer",
    "person": "person",
    "baseline": "trivial baseline",
}

PAPER_BENCHMARKS = ("m3gia", "mm-iq", "multi")
"""Those with tables of their papers."""

REFERENCES = (
    "Brown, L. D., Cai, T. T. and DasGupta, A. (2001). Interval estimation for a binomial "
    "proportion. Statistical Science 16, 101-133.",
    "Cameron, A. C. and Miller, D. L. (2015). A practitioner's guide to cluster-robust inference. "
    "Journal of Human Resources 50, 317-372.",
    "Cronbach, L. J. (1951). Coefficient alpha and the internal structure of tests. Psychometrika "
    "16, 297-334.",
    "Feldt, L. S. (1965). The approximate sampling distribution of Kuder-Richardson reliability "
    "coefficient twenty. Psychometrika 30, 357-370.",
    "Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian "
    "Journal of Statistics 6, 65-70.",
    "Krippendorff, K. (2011). Computing Krippendorff's alpha-reliability. University of "
    "Pennsylvania.",
    "McNemar, Q. (1947). Note on the sampling error of the difference between correlated "
    "proportions or percentages. Psychometrika 12, 153-157.",
    "Tango, T. (1998). Equivalence test and confidence interval for the difference in proportions "
    "for the paired-sample design. Statistics in Medicine 17, 891-908.",
    "Wichmann, F. A. and Hill, N. J. (2001). The psychometric function: I and II. Perception & "
    "Psychophysics 63, 1293-1329.",
    "Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. "
    "Journal of the American Statistical Association 22, 209-212.",
)


def title(results: Results) -> str:
    """Return the benchmark and its edition."""
    edition = _values(results.answers, "edition")
    return _values(results.answers, "benchmark") + (f", {edition} edition" if edition else "")


def facts(results: Results) -> list[tuple[str, str]]:
    """Return the facts of a report, as names and values."""
    answers = results.answers
    rows = [
        ("Benchmark", _values(answers, "benchmark")),
        ("Edition", _values(answers, "edition")),
        ("Bank", _banks(results, "bank")),
        ("Seed", _banks(results, "seed")),
        ("Digest of the scenes", _banks(results, "digest")),
        ("Items", f"{len(answers.drop_duplicates(ITEM)):,}"),  # as n of the tables counts them
        ("Domains", str(len(distinct(answers, "domain"))) if "domain" in answers else ""),
        ("Sizes", _range(answers)),
        ("Examinees", _examinees(results)),
        ("Invalid people", _invalid(results)),
        ("Condition", _conditions(results)),
        ("Occasions", str(len(distinct(answers, "occasion")))),
        ("Policy for replies without an answer", _policies(results)),
        ("Judge", results.judge or "none"),
        ("Answers", f"{len(results.counted):,} counted, {_missing(results):,} missing"),
        ("Written by", f"gfactor {_banks(results, 'version')}".strip()),
    ]
    return [(name, value) for name, value in rows if value]


def methods(results: Results) -> list[str]:
    """Return the estimators, a sentence each."""
    sentences = [
        "All scores are computed by one rule, which gfactor score has too: occasions of an item "
        "are averaged; the interval is Wilson's score interval (Wilson 1927; Brown, Cai and "
        "DasGupta 2001) over what is independent, or a cluster-robust t interval (Cameron and "
        "Miller 2015) where that holds several answers and t is wider; chance is that of the same "
        "items.",
        "Means over domains carry a cluster-robust t interval over domains.",
    ]
    if "size" in results.answers:
        sentences.append(
            "Psychometric functions are logistic in size, fitted by weakly penalized maximum "
            "likelihood, with profile likelihood intervals (groups: percentiles of "
            f"{results.n_bootstrap} resamples of their members, seed {results.seed}) and a "
            "bootstrap test of the deviance (Wichmann and Hill 2001)."
        )
    if any(name in PAPER_BENCHMARKS for name in results.benchmarks):
        sentences.append(
            "Conditions that differ in one thing alone are compared on the items answered under "
            "both: McNemar's exact test (1947) with Tango's interval (1998) where items are "
            "independent and right or wrong, else a paired t; p-values are adjusted by Holm (1979)."
        )
    if results.error_labels is not None:
        sentences.append(
            "Agreement of annotators is Krippendorff's alpha (2011) with a percentile interval of "
            "2,000 resamples of the units."
        )
    if results.labels("population", "model"):
        sentences.append(
            "Reliability is Cronbach's alpha (1951) with Feldt's (1965) interval, and the mean of "
            "500 Spearman-Brown corrected split halves."
        )
    return sentences


def assumptions(results: Results) -> list[str]:
    """Return the assumptions of the numbers."""
    answers = results.answers
    sentences = [
        "Intervals treat the items (problems, items in all their languages) as a sample of those "
        "that could have been asked.",
        "No correction is made for the number of comparisons: of many 95 % intervals one in twenty "
        "misses.",
        "Failed attempts (transport, protocol, timeout, content filter) are missing, never wrong; "
        "refusals and replies outside the format are wrong.",
    ]
    if results.labels("baseline"):
        sentences.append(
            "The trivial baselines learned the answers of the very items they are scored on: they "
            "are upper bounds of what such guessing reaches on new items. Of n items of a domain "
            "and size with n different answers, the size-aware one is right in one: its share is "
            "at least 1 / n by construction."
        )
    if "size" in answers:
        sentences += [
            "The guess rate of a psychometric function is fixed at chance: of the size where the "
            "benchmark knows it, else of the domain. Someone who guesses worse or better than that "
            "shifts the threshold.",
            "Sizes of different domains are different units: thresholds are compared between "
            "examinees within a domain, not between domains.",
        ]
    if results.labels("person"):
        sentences.append(
            "People are summarized as one row: n persons, an interval over persons. They count "
            "under the condition and with the items that the study gave them."
        )
    if results.labels("population"):
        sentences.append(
            "The population is simulated: limited eyes and a limited memory in front of the same "
            "pixels. It stands for a sample of people in form only."
        )
    if len(distinct(answers, "occasion")) > 1:
        sentences.append(
            "Items were asked on several occasions, which are averaged: n counts items, and "
            "intervals say what other items would give, not what other occasions would."
        )
    if len(distinct(answers, "condition")) > 1:
        sentences.append("Conditions are different measurements and are kept apart everywhere.")
    return sentences


def no_published(results: Results) -> str:
    """Return the reason why there are no published figures; "" if there are."""
    if comparable(results) is not None or "percept-v" not in results.benchmarks:
        return ""
    return (
        "No published figures are shown: they were measured on the items of Percept-V's paper "
        "edition, and these items are of another edition. Build the bank with --edition paper to "
        "compare."
    )


def _policies(results: Results) -> str:
    policies = {name: policy_for(name, results.policy) for name in results.benchmarks}
    alone = len(set(policies.values())) == 1
    return (
        next(iter(policies.values()))
        if alone
        else ", ".join(f"{k}: {v}" for k, v in policies.items())
    )


def _values(answers: pd.DataFrame, name: str) -> str:
    if name not in answers:
        return ""
    return ", ".join(str(value) for value in distinct(answers, name) if str(value))


def _banks(results: Results, name: str) -> str:
    campaigns: Sequence[dict[str, object]] = results.meta.get("campaigns", ())
    values = {str(campaign[name]) for campaign in campaigns if campaign.get(name) is not None}
    if name == "bank":
        values = {PurePath(value).name for value in values}
    # An import may have the file of each examinee's replies here: banks come first.
    ordered = sorted(values, key=lambda value: (not value.endswith(".parquet"), value))
    return first_few(ordered, _VALUES_LISTED)


def _examinees(results: Results) -> str:
    """The examinees by role; one under several conditions is one."""
    role, who = (column(results.answers, name).to_numpy() for name in ("role", "examinee"))
    counts = [(_ROLE_WORDS[one], len(set(who[role == one]))) for one in ROLES]
    total = sum(count for _, count in counts)
    return f"{total}: " + ", ".join(
        f"{count} {name}{'s' * (count > 1)}" for name, count in counts if count
    )


def _invalid(results: Results) -> str:
    """The people whom the rules of their study mark invalid; "" if there are none."""
    marked = len(results.meta.get("invalid", ()))
    people = {name for name in distinct(results.answers, "examinee") if name.startswith(PERSON)}
    return f"{sentence_on_invalid(marked, len(people))}; their answers count" if marked else ""


def _conditions(results: Results) -> str:
    """The conditions, each with the parameters that answers lack."""
    names = map(str, distinct(results.answers, "condition"))
    return ", ".join(as_asked(name, name, results.left_out) for name in names)


def _range(answers: pd.DataFrame) -> str:
    sizes = distinct(answers, "size") if "size" in answers else []
    return f"{len(sizes)}, from {sizes[0]:g} to {sizes[-1]:g}" if sizes else ""


def _missing(results: Results) -> int:
    return len(results.answers) - len(results.counted)
