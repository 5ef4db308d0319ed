"""gfactor score: how much of a journal is right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import PATH, calibration_option, journal_argument
from gfactor.cli.scoring import say_shares, scoring_options

if TYPE_CHECKING:
    import pandas as pd

    from gfactor.api.results import Scores
    from gfactor.api.scoring import Scoring


@click.command("score")
@journal_argument
@click.option(
    "-o",
    "--output",
    type=PATH,
    metavar="FILE",
    help="Write every response with its answer, stage and points as NAME.csv or NAME.parquet.",
)
@calibration_option
@json_option
@scoring_options
def command(
    journal: str, output: Path | None, calibration: Path | None, as_json: bool, scoring: Scoring
) -> int:
    """Score the answers in JOURNAL: whole, and by domain, size and skill.

    `strict` is the benchmark's own rule: a reply that does not conform to the output format is an
    error and wrong. `accuracy` reads replies leniently, without guessing. Both are shares of items
    that are right as a whole, `ratio` is the share of points earned. Several occasions of an item
    are averaged first: n counts items. Failed attempts are missing, not wrong. Intervals are at
    95 %: Wilson's over what is independent (items, problems, an item in all its languages), and not
    narrower than a cluster-robust t where that holds several answers; beside it over domains, since
    items of a domain stand or fall together. `chance` is what answering without looking earns. Both
    are computed as in gfactor report (docs/scoring.md). Last come the shares of responses that were
    read by rules, by a judge, answered by a random draw of the policy, without answer, missing.

    --policy vlmevalkit reads and rules as VLMEvalKit does, and prints its figures (MME's acc+,
    MMBench's CircularEval, TextVQA's VQA accuracy ...) beside those of our reading, with the
    replies that make the difference.

    --calibration adds each examinee's ability: the posterior mean in the calibrated population,
    with a standard error that carries the calibration's and, by design, the variance of clones.
    Items that it does not know are named and left out.

    Of several conditions, which are different measurements, each examinee has a row under each;
    --json has the whole result of every condition under `conditions`, and --condition KEY chooses
    one.

    With --judge, options such as --base-url and --key-env say how it is reached. The exit code is 1
    where asking it failed for some replies; these are asked again by the same command.

    \b
    Example:
      gfactor score c.db
      gfactor score c.db --examinee observer:limited --json
      gfactor score c.db --judge openai:gpt-4o-mini -o answers.csv
      gfactor score c.db --policy vlmevalkit
      gfactor score c.db --calibration bank.calibration.json

    Python: gfactor.score(journal)
    """
    from gfactor.api.results import Scores
    from gfactor.api.taking import opened as opened_journal
    from gfactor.psychometrics.irt.calibration_files import read_calibration
    from gfactor.scoring import write_answers

    # A file that is no calibration is said before a judge is paid.
    known = None if calibration is None else read_calibration(calibration)
    with opened_journal(journal) as opened:
        scores = Scores.of(opened, scoring, known)
    if output:
        write_answers(scores.responses, output)
    if as_json:
        put_json(scores.to_dict())
    else:
        if len(scores.results) > 1:
            _say_conditions(scores, journal)
        else:
            result = next(iter(scores.results.values()))
            _say(journal, result, scores.responses)
            if "vlmevalkit" in result:
                say_side_by_side(result["vlmevalkit"])
        if scores.calibrated:
            say(scores.calibrated.summary() + "\n")
        if scoring.judged:
            say(scoring.judge_line())
        if output:
            say(f"{output}: {len(scores.responses):,} responses")
    return scoring.code


def _say_conditions(scores: Scores, journal: str) -> None:
    """A row for every examinee under every condition."""
    names = scores.responses["examinee"].nunique()
    say(
        f"{journal}: {len(scores.responses):,} responses of {names} examinee(s) under "
        f"{len(scores.results)} conditions; --condition KEY breaks one down by domain, size and "
        "skill\n"
    )
    _say_table(("condition", "examinee"), scores.by_run)


def _say(journal: str, result: Mapping[str, Any], table: pd.DataFrame) -> None:
    people = result.get("examinees") or {n: result for n in table["examinee"].unique()}
    say(f"{journal}: {result['answers']:,} responses of {len(people)} examinee(s)\n")
    _say_table(("examinee",), {(name,): of_person for name, of_person in people.items()})
    _say_statuses(people)
    say_shares({name: of_person["read"] for name, of_person in people.items()})
    for name, groups in result["by"].items():
        _say_table((name,), {(value,): of_person for value, of_person in groups.items()})


def _say_table(names: tuple[str, ...], groups: Mapping[Any, Mapping[str, Any]]) -> None:
    """A line for each group; `names` are the columns that its key fills."""
    import pandas as pd

    # Columns that say nothing new are left out: one answer an item, points for whole items only.
    repeated = any(values["answers"] != values["n"] for values in groups.values())
    nested = any("over_domains" in values for values in groups.values())
    known = any(values["chance"] is not None for values in groups.values())
    partial = any(values["ratio"] != values["accuracy_strict"] for values in groups.values())
    rows = [
        {
            **dict(zip(names, key, strict=True)),
            "n": values["n"],
            **({"answers": values["answers"]} if repeated else {}),
            "accuracy": _share(values["accuracy"], values["interval"]),
            "strict": _share(values["accuracy_strict"], values["interval_strict"]),
            **({"over domains": _over(values)} if nested else {}),
            **({"ratio": _number(values["ratio"])} if partial else {}),
            "errors": values["errors"],
            "missing": values["missing"],
            **({"chance": _number(values["chance"])} if known else {}),
        }
        for key, values in groups.items()
    ]
    if rows:
        say(pd.DataFrame(rows).to_string(index=False, na_rep="-"))
        say("")


def _say_statuses(people: Mapping[str, Mapping[str, Any]]) -> None:
    """What became of the responses, where any was not answered, and what policies decided."""
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
    shown = [name for name in rows[0] if name in always or any(row[name] for row in rows)]
    if len(shown) > len(always):
        say(pd.DataFrame(rows, columns=shown).to_string(index=False))
        say("")


def _number(share: float | None) -> str:
    return "-" if share is None else f"{share:.3f}"


def _over(values: Mapping[str, Any]) -> str:
    """The strict reading's interval over domains."""
    if "over_domains" not in values:
        return "-"
    low, high = values["over_domains"]["interval_strict"]
    return f"[{low:.3f}, {high:.3f}]"


def _share(share: float | None, interval: tuple[float, float]) -> str:
    if share is None:
        return "-"
    return f"{share:.3f} [{interval[0]:.3f}, {interval[1]:.3f}]"


_SHOWN = {
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
    shown = pd.DataFrame([{name: row[key] for key, name in _SHOWN.items()} for row in figures])
    say("VLMEvalKit's figures, in its own units (--json has all)\n")
    say(shown.to_string(index=False, na_rep="-", float_format=lambda v: f"{v:.{_DIGITS}g}"))
    counts = Counter((row["dataset"], row["why"]) for row in compared["differences"])
    if not counts:
        say("\nno reply counts differently\n")
        return
    say("\nreplies that count differently (--json has each)\n")
    rows = [{"dataset": d, "replies": n, "why": why} for (d, why), n in sorted(counts.items())]
    say(pd.DataFrame(rows).to_string(index=False))
    say("")
