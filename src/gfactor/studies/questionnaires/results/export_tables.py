"""Tables of exports in addition to answers: questionnaires, adaptive sequences, the data
dictionary."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from gfactor.studies.questionnaires.order.adaptive import AdaptiveBlock, answered_in
from gfactor.studies.questionnaires.order.allocation import from_json
from gfactor.studies.questionnaires.order.sequencing import FormPlan
from gfactor.studies.questionnaires.pages.question_pages import cells, dictionary_rows
from gfactor.studies.questionnaires.perception.pages import TABLES, perception_tables
from gfactor.studies.questionnaires.perception.presentation import presentations
from gfactor.studies.questionnaires.results.page_names import page_titles
from gfactor.studies.questionnaires.study.branching import not_shown
from gfactor.studies.questionnaires.study.columns import COLUMNS
from gfactor.studies.questionnaires.study.definition import Study
from gfactor.studies.questionnaires.study.folder import StudyFolder
from gfactor.studies.questionnaires.translations import words


def with_outcomes(exits: pd.DataFrame, table: pd.DataFrame) -> pd.DataFrame:
    """Return the table of participants, with the way in which they ended before the last page if
    anybody did."""
    outcomes = exits.set_index("code")["outcome"]
    return table.join(outcomes, on="code") if len(outcomes) else table


def with_conditions(folder: StudyFolder, people: pd.DataFrame, table: pd.DataFrame) -> pd.DataFrame:
    """Return the table of participants with condition and order of blocks, if the study has pages,
    and with the pages not shown, if some depend on answers."""
    study, plan = folder.study, folder.plan
    if study.pages is None:
        return table
    facts = [plan.facts(int(number)) for number in people["number"]]
    columns = pd.DataFrame(facts, columns=["condition", "order"], index=people["code"].tolist())
    if any(page.show_if for page in study.pages):
        columns["not_shown"] = [_not_shown(folder, row) for row in people.to_dict("records")]
    return table.join(columns, on="code")


def _not_shown(folder: StudyFolder, row: Mapping[Any, Any]) -> str:
    """Return the titles of the pages that a participant did not see because of their answers."""
    pages, order = folder.study.pages or (), folder.plan.order(int(row["number"]))
    form = [step.page for step in from_json(row["form"])]
    numbers = not_shown(pages, order, form, not pd.isna(row["finished"]))
    titles = page_titles(folder.study)
    return ";".join(titles[k] for k in numbers)


def questionnaire(study: Study, tables: Mapping[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """Return, for a study with pages, the answers to its questions (a row per participant, a column
    per variable), the table of answers without them, and those of `perception`; otherwise nothing.
    """
    if study.pages is None:
        return {}
    answers = tables["answers"]
    pages = answers["kind"] == "page"
    rows: dict[str, dict[str, Any]] = {code: {} for code in tables["participants"]["code"]}
    on_question_pages = pages & answers["item"].isin(
        [page.name for page in study.pages if page.questions]
    )
    for code, text in zip(
        answers.loc[on_question_pages, "code"], answers.loc[on_question_pages, "text"], strict=True
    ):
        rows[code] |= cells(text)
    variables = [v for page in study.pages for q in page.questions for v in q.variables]
    table = pd.DataFrame([{"code": code, **row} for code, row in rows.items()],
                         columns=["code", *variables], dtype=object)  # fmt: skip
    measured = perception_tables(study.pages, answers.loc[pages])
    return {"answers": answers.loc[~pages], "questionnaire": table, **measured}


def timed_pictures(study: Study, *stored: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the table `presentations` of a study whose pictures are shown for a short time; else
    nothing. `stored` are the tables that `presentations` reads."""
    table = None if study.pages is None else presentations(study, *stored)
    return {} if table is None else {"presentations": table}


def sequences(
    plans: Mapping[str, FormPlan], people: pd.DataFrame, given: pd.DataFrame, ruled: pd.DataFrame
) -> dict[str, pd.DataFrame]:
    """Return the questions and abilities of every participant of an adaptive study, else nothing.

    Parameters
    ----------
    plans: plans by language.
    people: the table of participants.
    given, ruled: the table of answers as they were marked at first, and by the rulings.

    Returns
    -------
    `adaptive`: `block`, `position`, `item`, its `entry` of the calibration, `right` as it was
    marked at first, `theta_before` and `se_before`, by which it was chosen, `theta` and `se` with
    its answer. `abilities`: `block`, `theta`, `se`, `items`, `stop`, by the rulings and without
    void items.
    """
    steps: list[dict[str, Any]] = []
    abilities: list[dict[str, Any]] = []
    if not any(plan.adaptive for plan in plans.values()):
        return {}
    marked = {str(code): _in_order(part) for code, part in given.groupby("code")}
    final = {str(code): _in_order(part) for code, part in ruled.groupby("code")}
    language = dict(zip(people["code"], people["language"], strict=True))
    for code in sorted(marked):
        for name, block in plans[language[code]].adaptive.items():
            estimate = block.estimate(answered_in(final[code], block))
            abilities.append({"code": code, "block": name, **vars(estimate)})
            steps += _sequence(code, name, block, marked[code])
    names = ["code", "block", "position", "item", "entry", "right", "theta_before", "se_before"]
    return {
        "adaptive": pd.DataFrame(steps, columns=[*names, "theta", "se"]),
        "abilities": pd.DataFrame(
            abilities, columns=["code", "block", "theta", "se", "items", "stop"]
        ),
    }


def _sequence(
    code: str, name: str, block: AdaptiveBlock, answers: list[dict[Any, Any]]
) -> list[dict[str, Any]]:
    """Return the questions that a participant was asked in a block, in order."""
    rows = [row for row in answers if block.includes(row)]
    posteriors = block.posteriors(answered_in(rows, block))
    return [
        {
            "code": code, "block": name, "position": row["position"], "item": row["item"],
            "entry": block.cell(row["item"]), "right": row["right"],
            "theta_before": before.theta, "se_before": before.se,
            "theta": after.theta, "se": after.se,
        }
        for row, before, after in zip(rows, posteriors, posteriors[1:], strict=False)
    ]  # fmt: skip


def _in_order(answers: pd.DataFrame) -> list[dict[Any, Any]]:
    return answers.sort_values("position").to_dict("records")


def dictionary_of(study: Study, tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return a row per column of every table, with its content and the meanings of its values."""
    questions = dictionary_rows(study.pages or (), words(study.language))
    row_of_question = {row["variable"]: row for row in questions}
    rows = []
    for table, frame in tables.items():
        for name in frame.columns:
            columns = {**COLUMNS, **TABLES.get(table, {})}
            description = {"description": columns.get(str(name), ""), "levels": ""}
            if table == "questionnaire" and name != "code":
                description = row_of_question[str(name)]
            variable = "participant_id" if name == "code" else str(name)
            rows.append({**description, "table": table, "variable": variable})
    names = ["table", "variable", "type", "description", "levels", "page", "required"]
    return pd.DataFrame(rows, columns=names)
