"""No table of scores, name map or scored journal changes unnoticed, wherever it comes from.

`recorded/sources.json` holds the figures of each result below. The tests beside this one say
whether the values are right. After an intended change:

    PYTHONPATH=src:tests python tests/scoring/test_recorded_sources.py [WORD ...]
"""

from __future__ import annotations

import itertools
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from support.answers import Attempt, Judge, answered
from support.exam import BLANKS, question
from support.records import read_records, record, told, unlike
from support.tiers import slow
from test_recorded_scores import replies

from gfactor.administration import Condition
from gfactor.examinees import Reply
from gfactor.items import Item
from gfactor.scoring import ask_judge, averaged, choose, matrix, scored, summary, units
from gfactor.scoring.chance import chance_levels, item_chance, with_chance
from gfactor.scoring.exporting import as_cells, write_answers
from gfactor.scoring.judge import HEAD, TAIL, prompt, read_verdict
from gfactor.scoring.judging import left_open
from gfactor.scoring.questions import question_about
from gfactor.scoring.score import scored_in_parts
from gfactor.scoring.score_matrix import counted, item_names
from gfactor.scoring.summaries import by_label, readers, shares
from gfactor.scoring.tables import (
    ScoreTable,
    TableNaming,
    by_task,
    format_of,
    join_scores,
    read_names,
    read_scores,
    read_tasks,
    rows_where,
)
from gfactor.scoring.vlmevalkit import compared, differences
from gfactor.scoring.vlmevalkit.comparing import HEADLINES, headline
from gfactor.scoring.vlmevalkit.comparing import counted as how_many

RECORDED = Path(__file__).parent / "recorded" / "sources.json"
Parts = dict[str, Any]

OPENVLM = {
    "time": "now",
    "results": {
        "m1": {"META": {"Size": "7B", "Langs": ["en", "zh"], "n": 3},
               "B": {"x": 1, "y y": {"z": 2.5, "w": True}}, "C": {"Overall": "N/A"}},
        "m2": {"META": {}, "B": {"x": "-", "y y": {"z": None}}, "D": {"a": "bad" * 30, "b": ""}},
    },
}  # fmt: skip
LMMS = {
    "config": {"model": "llava", "model_args": "tp=1,pretrained=org/m1,x=2"},
    "results": {"t1": {"acc,none": 0.5, "acc_stderr,none": 0.1, "f1,strict": 1, "alias": "t"},
                "t2": {"flag,none": True, "word,none": "x" * 60, "acc,": 3}},
}  # fmt: skip
FILES: dict[str, Any] = {
    "plain.csv": "model,B.x,size,C.y\na,1.5,7B,45.5%\nb,,72B,-\nc,0,1B,3%\n",
    "Method.tsv": "x\tMethod\ty\n1\ta\t2\n3\tb\t\n",
    "numbers.csv": "x,y\n1,2\n3,4\n",
    "words.csv": "who,x\na,1\nb,2\n",
    "twice.csv": "model,x\na,1\na,2\n",
    "infinite.csv": "model,x\na,1\nb,inf\n",
    "unnamed.csv": ",x\n7,1\n8,2\n",
    "empty.csv": "",
    "openvlm.json": OPENVLM,
    "openvlm-none.json": {"results": {}},
    "openvlm-part.json": {"results": {"m": {"META": {}}, "n": {"B": {"x": 1}}}},
    "lmms_results.json": LMMS,
    "lmms-config.json": {**LMMS, "config": {"model": "llava"}},
    "lmms-name.json": {**LMMS, "model_name": "named", "config": 3},
    "lmms-nobody.json": {"results": LMMS["results"]},
    "lmms-part.json": {"results": {"t": {"acc,none": 1}, "u": 3}},
    "no-metric.json": {"results": {"t": {"acc": 1}}},
    "broken.json": "{",
    "m1/m1_MMBench_DEV_EN_acc.csv": "split,Overall,AR,celebrity recognition\ndev,0.8,0.5,0.25\n"
                                    "test,0.7,0.4,x\nnone,0.1,0.2,3%\n",
    "m1/T1/m1_MMT-Bench_acc_all.csv": "Split,Overall,AR\nval,0.8,0.5\n",
    "m1/m1_MathVista_MINI_gpt-4-turbo_score.csv": "Task&Skill,tot,acc\nOverall,9,48.5\ngeo,3,-\n",
    "m1/m1_MME_score.csv": "OCR,total\n140,1900\n",
    "m1/m1_Two_score.csv": "OCR,total\n140,1900\n150,2000\n",
    "m1/m1_Cat_rating.csv": "Category,Score\nA,1\n",
    "m1/m1_J_openai_score.json": [{"split": "a", "x": 1}, {"split": "b", "x": 2}],
    "m1/m1_O_score.json": {"x": 1, "y": "bad" * 30},
    "m1/m1_L_score.json": [],
    "m1/m1_N_score.json": [1],
    "m1/m1_K_score.json": "{",
    "x/loose_SET_acc.csv": "Overall\n3\n",
}  # fmt: skip
NAMINGS = {
    "": TableNaming(), "model": TableNaming(model="m9"), "index": TableNaming(index="x"),
    "none": TableNaming(index="nobody"), "first": TableNaming(model="m1"),
}  # fmt: skip


@contextmanager
def folder(files: Mapping[str, Any]) -> Iterator[Path]:
    """A working folder with these files; results name them as they are called there."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as name:
        for path, content in files.items():
            (Path(name) / path).parent.mkdir(parents=True, exist_ok=True)
            text = content if isinstance(content, str) else json.dumps(content)
            (Path(name) / path).write_text(text)
        os.chdir(name)
        try:
            yield Path(name)
        finally:
            os.chdir(before)


def formats() -> Parts:
    with folder(FILES):
        return told({
            f"{path} {naming}": partial(
                lambda path, given: [format_of(path), read_scores(path, naming=given)], path, given
            )
            for path in (*FILES, "absent.csv") for naming, given in NAMINGS.items()
        }, forced=lambda: read_scores("plain.csv", "lmms-eval"),
           forced_openvlm=lambda: read_scores("plain.csv", "openvlm"))  # fmt: skip


def table(source: str, rows: dict[str, dict[str, float]], **facts: Any) -> ScoreTable:
    frame = pd.DataFrame.from_dict(rows, orient="index").rename_axis("model")
    return ScoreTable(frame.astype(float), pd.DataFrame(facts, index=frame.index), source,
                      (f"flaw of {source}",))  # fmt: skip


def joined() -> Parts:
    one = table("one", {"Model-7B": {"x": 1, "y": 2}, "other 2": {"x": 3, "y": float("nan")}},
                size=["7B", None])  # fmt: skip
    two = table("two", {"model 7b": {"z": 5, "x": 1}, "other 2": {"z": 6, "x": 4}}, date=["d", "e"])
    three = table("three", {"Model-7B": {"y": 2.5, "w": 9}}, size=["8B"])
    four = table("four", {"model-8B": {"v": 1}, "other 2": {"v": 2}, "modell 7B": {"v": 3}})
    groups = {"one": [one], "pair": [one, two], "again": [two, one], "three": [one, two, three],
              "all": [four, one, three, two], "narrow": [three, three], "none": []}  # fmt: skip
    maps = {
        "": None,
        "map": {"model 7b": "Model-7B", "nobody": "x"},
        "same": {"other 2": "model 7b"},
    }
    return told({
        f"{name} {map_name}": partial(join_scores, tables, names)
        for (name, tables), (map_name, names) in itertools.product(groups.items(), maps.items())
    })  # fmt: skip


NAMES = {
    "plain.csv": "model,as\na,x\nb,\nc,z\na,x\n",
    "other.csv": "model,board_model,set,match\na,x,s,exact\nb,y,t,approx\nc,,t,approx\na,w,t,\n",
    "twice.csv": "model,as\na,x\na,y\n",
    "two.csv": "model,p_model,q_model\na,x,y\n",
    "none.csv": "name,as\na,x\n",
    "tasks.csv": "item,task,options\ni1,t1,4\ni2,t1,\ni3,t2,2\ni4,,3\n i5 , t2 ,1\nabsent,t9,2\n",
    "chance.tsv": "item\ttask\tchance\ni1\tt1\t0.25\ni2\tt1\t1\ni3\tt2\t0\n",
    "wrong.csv": "item,task,chance\ni1,t1,1.5\n",
    "few.csv": "item,task,options\ni1,t1,0.5\n",
    "word.csv": "item,task,options\ni1,t1,four\n",
    "double.csv": "item,task\ni1,t1\ni1,t2\n",
    "column.csv": "item,kind\ni1,t1\n",
}


def names() -> Parts:
    frame = pd.DataFrame({"s": [*"abcdefghija"], "n": [*range(10), 1]})
    rows: dict[str, dict[str, float]] = {
        m: {f"i{k}": (3 * k + len(m) * n) % 3 / 2 for k in range(1, 6)}
        for n, m in enumerate(("a", "bb", "ccc"))
    }
    rows["a"]["i2"] = float("nan")
    scores, facts = table("s.csv", rows), table("s.csv", rows, size=[1, 2, 3], kind=["u", "v", "w"])
    outside = table("s.csv", {"a": {"i1": 0, "i3": 0.5}, "b": {"i1": 1, "i3": 1.25}})
    below = table("s.csv", {"a": {"i1": -0.25}})

    def of_tasks(given: str) -> list[Any]:
        tasks = read_tasks(given)
        made = [by_task(scores, tasks), by_task(facts, tasks)]
        return [tasks.of(["i1", "i33", "other"]), made,
                [one.items and one.items.chance_of_tasks for one in made],
                told(outside=lambda: by_task(outside, tasks), below=lambda: by_task(below, tasks)),
                ]  # fmt: skip

    with folder(NAMES):
        wheres: dict[str, dict[str, str]] = {"": {}, "s": {"set": "s"}, "t": {"set": "t"},
                                             "u": {"set": "u"}, "other": {"kind": "s"}}  # fmt: skip
        return told({
            **{f"{path} {w}": partial(read_names, path, where)
               for path in ("plain.csv", "other.csv", "twice.csv", "two.csv", "none.csv")
               for w, where in wheres.items()},
            **{f"tasks {given}": partial(of_tasks, given)
               for given in ("tasks.csv", "chance.tsv", "wrong.csv", "few.csv", "word.csv",
                             "double.csv", "column.csv", r"i[12]", r"(i)[1-4]", "(i", "x",
                             r"(i)(?P<task>[35])", r"i(?P<task>\d?)1?")},
            "rows": lambda: [rows_where(frame, {"s": "a", "n": "1"}, "f"),
                             rows_where(frame, {"no": "a"}, "f", strict=False)],
            "no row": lambda: rows_where(frame, {"s": "z"}, "f"),
            "no row of few": lambda: rows_where(frame.head(8), {"s": "z"}, "f"),
            "no column": lambda: rows_where(frame, {"no": "a"}, "f"),
        })  # fmt: skip


OPEN = "Both B and C look right to me."
REPLIES: list[str | Reply] = [
    "Answer: B", "A", OPEN, "", "I'm sorry, I can't help with that.", "No idea.",
    Reply("Long thought\nAnswer: B\nand fur", "truncated"), Reply("Answer: B and", "truncated"),
    Reply("", "timeout", detail="slow"), Reply("", "content_filter"), Reply("It is", "refusal"),
    "north, south", "north", "1. north\n2. east", "Answer: A and C", "COUNT: 3", "3",
    "So there are 3 of them", "COUNT: 3 or COUNT: 4", "{\"answer\": \"B\"}",
]  # fmt: skip


def bank(benchmark: str) -> list[Item]:
    facts = {"domain": "animals", "subject": "biology", "skills": ("k1", "k2"), "number": "1"}
    two = {**facts, "domain": "plants", "skills": ("k2",), "problem": "p", "number": "1"}
    return [
        question("one", benchmark=benchmark, labels=facts),
        question("two", benchmark=benchmark, labels=two, target="C", points=2.0),
        question("many", benchmark=benchmark, answer_type="choices", target=frozenset("AC"),
                 labels=two),
        question("gaps", benchmark=benchmark, labels=facts, **BLANKS),
        question("free", benchmark=benchmark, labels={"domain": "plants"}, answer_type="open",
                 target="a cat sits", choices=(), content=("Tell.",)),
    ]  # fmt: skip


def attempts(items: list[Item]) -> list[Attempt]:
    """Three examinees; the first answers some items thrice, one fails once and then answers."""
    every = []
    for n, who in enumerate(("a:x?seed=1", "a:x?seed=2", "b:y")):
        for k, item in enumerate(items):
            for occasion in range(3 if n == 0 and k % 2 else 1):
                said = REPLIES[(7 * n + 3 * k + 5 * occasion) % len(REPLIES)]
                every.append((who, item.id, occasion, said))
    for number, said in enumerate(REPLIES, 3):
        every += [("c:z", items[number % len(items)].id, number, said)]
    return [*every, ("b:y", "one", 9, REPLIES[8]), ("b:y", "one", 9, "B")]


def journal(benchmark: str, condition: Condition | None) -> Parts:
    ways = ((False, False), (True, False), (False, True))
    items = bank(benchmark)
    with folder({}) as here, answered(here, items, attempts(items), condition) as journal:
        judge = Judge(lambda text: '{"answer": "B"}' if "both" in text.lower() else "none")
        table = scored(journal)
        ask_judge(journal, judge, table)
        given = journal.items()
        leveled = with_chance(table, given)
        return told(
            table=lambda: table,
            open=lambda: [left_open(table), judge.asked],
            judged=lambda: scored(journal, judge=judge.name),
            parts=lambda: [part.iloc[:, :-6] for part in scored_in_parts(journal)],
            policies=lambda: {p: scored(journal, policy=p) for p in
                              ("none", "random", "incorrect", "error", "vlmevalkit", "own")},
            unknown=lambda: scored(journal, policy="no"),
            summary=lambda: [summary(table), shares(table), readers(table)],
            judged_summary=lambda: summary(scored(journal, judge=judge.name)),
            labels=lambda: {by: by_label(table, by) for by in ("domain", "skill", "subject")},
            no_label=lambda: by_label(table, "no"),
            chosen=lambda: [choose(table, ["a:x"]), choose(table, ["a:x?seed=2", "b:y"])],
            nobody=lambda: choose(table, ["a:x?seed=3"]),
            no_condition=lambda: choose(table, condition="no"),
            matrices=lambda: [matrix(table, by, lenient=lenient, ratio=ratio)
                              for by in ("domain", "item", "skill")
                              for lenient, ratio in ways],
            both=lambda: matrix(table, lenient=True, ratio=True),
            counted=lambda: [counted(matrix(table, "item")), item_names(table)],
            averaged=lambda: [averaged(table), units(table)],
            chance=lambda: [item_chance(given), chance_levels(given), leveled,
                            item_chance(given, ["domain", "subject"])],
            cells=lambda: [as_cells(table.drop(columns="created", errors="ignore")),
                           write_answers(table, "t.csv").read_text()],
        )  # fmt: skip


def judging() -> Parts:
    asked = [question_about(item, "default") for item in bank("exam")[:4]]
    answers = [
        '{"answer": "B"}', '{"answer": "Z"}', '{"answer": ["A", "C"]}', '{"answer": []}', "{",
        '{"answer": null}', '```json\n{"answer": "A"}\n```', '{"answer": "A"}\n{"answer": "B"}',
        '{"answer": ["north", null]}', '{"answer": [null, null]}', '{"answer": ["a", "b", "c"]}',
        '{"answer": ["north", " "]}', '{"answer": ["A", 3]}', '{"said": "A"}', "[1]", "",
        '  {"answer": "C"}', 'It is {"answer": "C"}',
    ]  # fmt: skip
    long = ["x" * (HEAD + TAIL), "x" * HEAD + "y" + "z" * TAIL, "a\u202eb\n{answer}"]
    return told(
        verdicts=lambda: [
            [read and [read.answer, read.stage, read.rule] for text in answers
             for read in [read_verdict(text, one, "j")]] for one in asked
        ],
        prompts=lambda: [prompt(one, reply) for one in asked for reply in ("", OPEN, *long)],
    )  # fmt: skip


def comparisons() -> Parts:
    """Replies that two readings judge in all combinations of answers, rules and points."""
    combinations = itertools.product(
        (None, '"A"', '"B"'), (None, '"A"'), ("drawn at random", "judge", "MathVista", "option"),
        (False, True), (0.0, 1.0), (0.0, 1.0),
    )  # fmt: skip
    unruled, ruled = [], []
    for k, (ours, theirs, rule, missing, one, other) in enumerate([*combinations]):
        name = ["MMStar", "POPE", "VisuLogic"][k % 3]
        key = {"examinee": "e", "condition": "c", "item_id": f"{name}/{k}", "item_hash": f"h{k}",
               "occasion": 0, "text": f"t{k}", "points_possible": 2.0}  # fmt: skip
        unruled.append({**key, "answer": ours, "rule": "whole", "missing": missing, "points": one,
                        "policy": ""})  # fmt: skip
        ruled.append({**key, "answer": theirs, "rule": rule, "missing": False, "points": other,
                      "policy": "vlmevalkit" if k % 5 else "error"})  # fmt: skip
    both = differences(pd.DataFrame(unruled), pd.DataFrame(ruled))
    sets = {name: replies(name) for name in ("MMStar", "POPE", "MME", "MMVet")}

    def of_set(name: str) -> Any:
        frame, items = sets[name]
        turned = frame.assign(correct=1 - frame["correct"], points=2 - frame["points"])
        frames = [frame.assign(policy="vlmevalkit"), frame]
        return [compared(turned, one, items) for one in frames]

    known = [*HEADLINES, "other"]
    figures = [
        "Overall",
        "|Overall",
        "score",
        "acc",
        "a|Overall",
        *itertools.chain(*HEADLINES.values()),
    ]
    return told(
        {f"of {name}": partial(of_set, name) for name in sets},
        differences=lambda: both,
        counts=lambda: [how_many(both), how_many(both.head(0)), how_many(both.head(7))],
        headlines=lambda: [headline(d, row, f) for d in known for f in figures
                           for row in ("", "a", f.partition("|")[0])],
    )  # fmt: skip


TABLES: dict[str, Callable[[], Parts]] = {
    "formats": formats, "joined": joined, "names": names, "judging": judging,
    "comparisons": comparisons, "a journal": partial(journal, "exam", None),
    "a journal in another order": partial(journal, "m3gia", Condition(options_seed=3)),
}  # fmt: skip


OTHER_ORDER = "a journal in another order"
"""Scored like the other; what an order of options does is in test_rules_choice.py, too."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=slow) if name == OTHER_ORDER else name for name in TABLES]
)
def test_sources_give_what_was_recorded(name: str) -> None:
    differences = unlike(name, TABLES[name](), read_records(RECORDED)[name])
    assert not differences, "\n".join(differences)


if __name__ == "__main__":
    record(RECORDED, TABLES, sys.argv[1:])
