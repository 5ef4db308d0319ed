"""gfactor score: score the answers of a journal: accuracy with intervals.

gfactor score c.db
gfactor score c.db --examinee observer:limited --json
gfactor score c.db --judge openai:gpt-4o-mini -o answers.csv
gfactor score c.db --correct labels.csv
gfactor score c.db --policy vlmevalkit
gfactor score c.db --calibration bank.calibration.json
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived
from gfactor.cli.scoring import SCORED, say_shares, scoring_options
from gfactor.cli.values import PATH
from gfactor.errors import ParameterError

if TYPE_CHECKING:
    from gfactor.api.results import Scores
    from gfactor.api.scoring import Scoring

HEADING = "Results"


OPTIONS = [
    click.option(
        "-o",
        "--output",
        type=PATH,
        metavar="FILE",
        help="Write every response with its answer, stage and points as NAME.csv or NAME.parquet.",
    ),
    click.option(
        "--correct",
        type=PATH,
        metavar="MARKS",
        help="Correct the scores by marks of people: a table with examinee, item and mark (0 to "
        "1), or what gfactor annotate responses -o writes.",
    ),
    click.option(
        "--benchmark",
        metavar="NAME",
        help="With --correct, the benchmark, if the journal has several.",
    ),
]
ABOUT = """Last come the shares of responses that were read by rules, by a judge, answered by a
random draw of the policy, without answer, missing.

--policy vlmevalkit reads and rules as VLMEvalKit does, and prints its figures (MME's acc+,
MMBench's CircularEval, TextVQA's VQA accuracy ...) beside those of our reading, with the replies
that make the difference.

--correct reports the score that people would have given: the marks of rules and judge, shifted by
how far people and they differ on the answers that people marked, with an interval
(prediction-powered inference), the judge's sensitivity and specificity, and its bias by model and
length of the reply. Answers that people mark have to be drawn at random. Without people's marks, a
judge's errors are in no interval.

With --judge, options such as --base-url and --key-env say how it is reached. The exit code is 1
where asking it failed for some replies; these are asked again by the same command."""


@derived(
    __doc__,
    "score",
    {"journal": "JOURNAL"},
    without=SCORED,
    options=[*OPTIONS, scoring_options],
    twins=["correct_scores"],
    about=ABOUT,
)
def command(
    journal: str,
    output: Path | None,
    correct: Path | None,
    benchmark: str | None,
    claim: str,
    calibration: Path | None,
    as_json: bool,
    scoring: Scoring,
) -> int:
    from gfactor.api.results import Scores
    from gfactor.api.taking import opened as opened_journal
    from gfactor.psychometrics.irt.calibration_files import read_calibration
    from gfactor.scoring import write_answers

    if correct is not None:
        for option, given in (("-o", output), ("--calibration", calibration)):
            if given is not None:
                raise ParameterError(
                    f"{option} does not go with --correct; call gfactor score twice"
                )
        return _say_corrected(journal, scoring, correct, claim, benchmark, as_json)
    if benchmark is not None:
        raise ParameterError("--benchmark is for --correct; other scores are by benchmark anyway")
    # A file that is no calibration is said before a judge is paid.
    scale = None if calibration is None else read_calibration(calibration)
    with opened_journal(journal) as opened:
        scores = Scores.of(opened, scoring, scale, claim)
    if output:
        write_answers(scores.responses, output)
    if as_json:
        put_json(scores.to_dict())
    else:
        for note in scores.diagnostics:
            say(str(note))
        _say(scores, journal)
        for condition, beside in scores.beside.items():
            if len(scores.beside) > 1:
                say(f"condition {condition}")
            say_side_by_side(beside)
        if scores.calibrated:
            say(scores.calibrated.summary() + "\n")
        if scoring.judged:
            say(scoring.judge_line())
        if output:
            say(f"{output}: {len(scores.responses):,} responses")
    return scoring.code


def _say_corrected(
    journal: str,
    scoring: Scoring,
    marks: Path,
    claim: str,
    benchmark: str | None,
    as_json: bool,
) -> int:
    """Print the scores that people's marks correct."""
    from gfactor.api.correcting import corrected_journal

    corrected = corrected_journal(journal, scoring, marks, claim=claim, benchmark=benchmark)
    if as_json:
        put_json(corrected.to_dict())
    else:
        say(corrected.summary())
        if scoring.judged:
            say(scoring.judge_line())
    return scoring.code


def _say(scores: Scores, journal: str) -> None:
    """A row for every examinee, benchmark and condition; then by domain, size and skill."""
    from gfactor.results import number_of

    answers, who = scores.responses, len(scores.responses["examinee"].unique())
    say(f"{journal}: {number_of(len(answers), 'response')} of {number_of(who, 'examinee')}\n")
    heads = [
        name
        for name in ("condition", "benchmark", "examinee")
        if name == "examinee" or len({one[name] for one in scores.results}) > 1
    ]
    wholes = {tuple(one[name] for name in heads): one for one in scores.results}
    _say_table(tuple(heads), wholes)
    for words in dict.fromkeys(
        f"{one['benchmark']}: {one['generalizes_to']}" for one in scores.results
    ):
        say(words)
    say("")
    scored = {" | ".join(key): one for key, one in wholes.items()}
    _say_statuses(scored)
    say_shares({name: one["read"] for name, one in scored.items()})
    labels = dict.fromkeys(label for one in scores.results for label in one["by"])
    for label in labels:
        _say_table((*heads, label), {
            (*key, value): group
            for key, one in wholes.items()
            for value, group in one["by"].get(label, {}).items()
        })  # fmt: skip


def _say_table(names: tuple[str, ...], groups: Mapping[Any, Mapping[str, Any]]) -> None:
    """A line for each group; `names` are the columns that its key fills."""
    import pandas as pd

    # Columns that say nothing new are left out: one answer an item, points for whole items only.
    repeated = any(values["answers"] != values["n"] for values in groups.values())
    claims = {one["claim"] for values in groups.values() if (one := values.get("other_claim"))}
    beside = f"interval, {'/'.join(sorted(claims))}".replace("-", " ")
    with_chance = any(values["chance"] is not None for values in groups.values())
    partial = any(values["ratio"] != values["accuracy"] for values in groups.values())
    rows = [
        {
            **dict(zip(names, key, strict=True)),
            "n": values["n"],
            **({"answers": values["answers"]} if repeated else {}),
            "accuracy": _share(values["accuracy"], values["interval"]),
            **({beside: _other(values)} if claims else {}),
            "lenient": _share(values["lenient"], values["interval_lenient"]),
            **({"ratio": _number(values["ratio"])} if partial else {}),
            "errors": values["errors"],
            "missing": values["missing"],
            **({"chance": _number(values["chance"])} if with_chance else {}),
        }
        for key, values in groups.items()
    ]
    if rows:
        say(pd.DataFrame(rows).to_string(index=False, na_rep="-"))
        say("")


def _say_statuses(people: Mapping[str, Mapping[str, Any]]) -> None:
    """Print the fate of the responses, where any was not answered, and the policies' decisions."""
    import pandas as pd

    from gfactor.scoring import POLICIES, STATUSES

    if not people:
        return
    rows: list[dict[str, Any]] = [
        {status: values["statuses"].get(status, 0) for status in STATUSES}
        | {f"policy {p}": values["policies"].get(p, 0) for p in POLICIES}
        | {"examinee": name}
        for name, values in people.items()
    ]
    always = ("answered", "examinee")
    columns = [name for name in rows[0] if name in always or any(row[name] for row in rows)]
    if len(columns) > len(always):
        say(pd.DataFrame(rows, columns=columns).to_string(index=False))
        say("")


def _number(share: float | None) -> str:
    return "-" if share is None else f"{share:.3f}"


def _other(values: Mapping[str, Any]) -> str:
    """The interval of the accuracy under the other claim."""
    ends = (values.get("other_claim") or {}).get("interval")
    return "-" if ends is None else f"[{ends[0]:.3f}, {ends[1]:.3f}]"


def _share(share: float | None, interval: tuple[float, float] | None) -> str:
    if share is None:
        return "-"
    if interval is None:
        return f"{share:.3f}"
    return f"{share:.3f} [{interval[0]:.3f}, {interval[1]:.3f}]"


_FIGURES = {
    **{name: name for name in ("examinee", "condition", "dataset", "row", "figure")},
    **{"vlmevalkit": "VLMEvalKit", "n": "n", "own": "our reading", "n_own": "n of ours"},
}
_DIGITS = 4


def say_side_by_side(compared: Mapping[str, Any]) -> None:
    """Print the figures that stand for their data sets, and how many replies differ and why."""
    import pandas as pd

    figures = [row for row in compared["figures"] if row["headline"]]
    if not figures:
        say("VLMEvalKit has no rule for these data sets")
        return
    frame = pd.DataFrame([{name: row[key] for key, name in _FIGURES.items()} for row in figures])
    say("VLMEvalKit's figures, in its own units (--json has all)\n")
    say(frame.to_string(index=False, na_rep="-", float_format=lambda v: f"{v:.{_DIGITS}g}"))
    counts = Counter((row["dataset"], row["why"]) for row in compared["differences"])
    if not counts:
        say("\nno reply counts differently\n")
        return
    say("\nreplies that count differently (--json has each)\n")
    rows = [{"dataset": d, "replies": n, "why": why} for (d, why), n in sorted(counts.items())]
    say(pd.DataFrame(rows).to_string(index=False))
    say("")
