"""No figure, point, ruling or chance level changes unnoticed.

`recorded/scores.json` holds the figures of each table below. The tests beside this one say
whether the values are right. After an intended change:

    PYTHONPATH=src:tests python tests/scoring/test_recorded_scores.py [WORD ...]
"""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.records import read_records, record, told, unlike

from gfactor.scoring import credit, points
from gfactor.scoring.chance import item_chance
from gfactor.scoring.questions import PutItem
from gfactor.scoring.rules import possible
from gfactor.scoring.vlmevalkit import figures, ruling

RECORDED = Path(__file__).parent / "recorded" / "scores.json"
Parts = dict[str, Any]

MMBENCH = ("coarse_perception", "logic_reasoning", "relation_reasoning")
LABELS: dict[str, dict[str, tuple[str, ...]]] = {
    "MME": {"category": ("OCR", "scene", "color", "posters"), "image_path": ("p1", "p2", "p3")},
    "HallusionBench": {"category": ("VD", "VS"), "l2_category": ("illusion", "chart", "map")},
    "POPE": {"category": ("random", "popular,random", "adversarial")},
    "AMBER": {"category": ("relation", "discriminative-relation", "discriminative-hallucination")},
    "MMVP": {},
    "MMT-Bench_VAL": {"category": ("face", "action", "ocr"), "l2_category": ("emotion", "counting"),
                      "split": ("val", "test")},
    "TextVQA_VAL": {"split": ("a", "b")},
    "ChartQA_TEST": {"category": ("human", "augmented")},
    "MTVQA_TEST": {"category": ("AR", "DE", "FR")},
    "OCRBench": {"category": ("Doc-oriented VQA", "Regular Text Recognition", "other")},
    "CountBenchQA": {},
    "TallyQA": {},
    "MathVista_MINI": {"task": ("geometry", "figure"), "skills": ("['a', 'b']", "['b']", "c", "[")},
    "VisuLogic": {"category": ("space", "style")},
    "MMVet": {"category": ("rec", "ocr,math", "rec,know,gen")},
    "MMBench_DEV_EN": {"category": MMBENCH, "circular_set": ("0", "1", "2", "3")},
    "CCBench": {"l2_category": MMBENCH, "split": ("dev", "test")},
    "MMStar": {"category": ("math", "science"), "l2_category": ("x", "y")},
}  # fmt: skip


def replies(dataset: str, count: int = 48) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Scored replies of two examinees, some twice, some missing, some with part of the points."""
    rng = np.random.default_rng(len(dataset))
    rows = []
    for examinee, k in itertools.product(("m", "n"), range(count)):
        name = f"hb_VD_illusion_{k % 3}_{k % 4}_{k % 5}" if dataset == "HallusionBench" else str(k)
        for _ in range(1 + (k % 7 == 0)):
            share = float(rng.choice([0, 1, 1, 0.5]))
            rows.append({
                "examinee": examinee, "condition": "c", "item_id": f"{dataset}/{name}",
                "item_hash": f"h{k}", "points": 2 * share, "points_possible": 2.0,
                "correct": float(share == 1), "policy": "vlmevalkit" if examinee == "m" else "x",
                "rule": ["MathVista", "judge"][k % 2], "missing": bool(rng.random() < 0.1),
                "answer": json.dumps(["Yes", "No"][int(rng.integers(2))]) if k % 9 else None,
                **{label: values[int(rng.integers(len(values))) if label != "circular_set"
                                 else k % len(values)]
                   for label, values in LABELS[dataset].items()},
            })  # fmt: skip
    frame = pd.DataFrame(rows)
    items = pd.DataFrame({"content_hash": [f"h{k}" for k in range(count)],
                          "target": [['"No"', '"Yes"'][k % 2] for k in range(count)]})  # fmt: skip
    return frame, items


def sets_of_figures() -> Parts:
    return told({name: lambda name=name: figures(*replies(name)) for name in LABELS})


ANSWERS: dict[str, list[Any]] = {
    "choice": [None, "A", "B", ("A",), frozenset({"A"})],
    "choices": [None, "A", frozenset({"A"}), frozenset("AB"), frozenset("ABC"), ("A", "C")],
    "blanks": [None, "two", ("two",), ("Two ", "cats"), ("cats", "two"), ("two", "cats", "x"), ()],
    "value": [None, "3", "3.0", " three", "4"],
    "set": [None, frozenset({"red"}), frozenset({"red", "blue"}), ("blue", "red")],
    "list": [None, ("red", "blue"), ("blue", "red"), ("red",)],
    "open": [None, "a red cat sits", ("a red cat", "runs"), ("a red cat\nit runs",), ("",)],
    "turns": [None, ("a", "b"), ("a", "x"), ("x", "b", "c"), ("b",), "a"],
}


def every_point() -> Parts:
    def of(kind: Any) -> list[Any]:
        given = ANSWERS[kind]
        rows: list[Any] = []
        keys = [key for key in given if key]
        for answer, target in itertools.product(given, keys):
            for accepted in ((), (given[1],), (keys[-1], given[2])):
                cell = told(
                    points=lambda a=answer, t=target, c=accepted: points(a, t, c, kind),
                    credit=lambda a=answer, t=target, c=accepted: credit(a, t, c, kind),
                )
                rows.append(cell)
        return [rows, [possible(target, kind) for target in keys]]

    return told({kind: lambda kind=kind: of(kind) for kind in ANSWERS})


OPTIONS = tuple(zip("ABCD", ("cat", "dog", "cow", "hen"), strict=True))
KEYS: dict[str, tuple[Any, Any, Any]] = {
    "MME": ("choice", "No", (("Yes", "Yes"), ("No", "No"))),
    "TextVQA_VAL": ("blanks", ("stop",), ()),
    "ChartQA_TEST": ("blanks", ("12.5",), ()),
    "OCRVQA_TEST": ("blanks", ("Ann",), ()),
    "InfoVQA_VAL": ("blanks", ("forty two",), ()),
    "MTVQA_TEST": ("blanks", ("Haus am See",), ()),
    "OCRBench": ("blanks", ("a^2 + b",), ()),
    "CountBenchQA": ("blanks", ("7",), ()),
    "TallyQA": ("value", "3.0", ()),
    "VisuLogic": ("choice", "B", OPTIONS),
    "MathVista_MINI": ("choice", "B", OPTIONS),
    "MMVet": ("open", "a cat", ()),
    "MMStar": ("choice", "B", OPTIONS),
    "MMMU_Pro_10c_COT": ("choice", "C", OPTIONS),
    "MMMU_DEV_VAL": ("blanks", ("12",), ()),
    "MMBench_DEV_EN": ("choices", frozenset({"B"}), OPTIONS),
}
SAID = [
    "", "B", "b", "Yes", "no, it is not", "stop", "Stop sign!", "12.5", "12.9", "13.2", "12.5%",
    "Ann", "forty-two", "42", "fourty two", "Haus am See", "das Haus am See.", "a^2+b",
    "$a^2 + b$", "7", "seven", "there are 7", "3", "three",
    "\\boxed{B}", "\\boxed{b} or \\boxed{C}", "Answer: B", "Answer: dog",
    "The answer is (B) dog.", "A or B", "It is a dog", "none of them", "Z",
    "Failed to obtain answer via API.", "I think.\nAnswer: C", "12 or 13", "a cat sits here",
]  # fmt: skip
JUDGED: list[dict[str, str]] = [
    {}, {"hit": "1"}, {"hit": "0", "log": "drawn at random, so"}, {"res": "B"}, {"extracted": "B"},
    {"score": "0.4"}, {"prediction": "B", "hit": "1"}, {"log": "Failed"},
]  # fmt: skip


def rulings() -> Parts:
    def of(dataset: str) -> list[Any]:
        kind, target, options = KEYS[dataset]
        many = (("stop",), ("halt",)) * 4 if dataset == "TextVQA_VAL" else ()
        asked = PutItem(
            f"{dataset}/1", "h", dataset.lower(), kind, target, accepted=many, choices=options
        )
        rows = [told(r=lambda s=s: ruling(asked, s, "ok", {})) for s in SAID]
        rows += [
            told(r=lambda s=s, j=j: ruling(asked, s, "ok", j)) for s in ("B", "hm") for j in JUDGED
        ]
        return [*rows, told(r=lambda: ruling(asked, "B", "transport_error", {}))]

    return told({dataset: lambda dataset=dataset: of(dataset) for dataset in KEYS})


def chances() -> Parts:
    kinds: list[tuple[str, Any, Any]] = [
        ("choice", ["A", "B", "C"], '"A"'), ("choice", ["A"], '"A"'), ("choice", [], '"A"'),
        ("choices", ["A", "B", "C"], '["A", "C"]'), ("choices", ["A", "B"], '["A"]'),
        ("blanks", [], '["x", "y"]'), ("blanks", [], '["x", "z"]'), ("value", [], '"3"'),
        ("value", [], '"3"'), ("value", [], '"4"'), ("open", [], '"text"'),
        ("turns", [], '["x", "y"]'), ("turns", [], '["x", "z"]'), ("turns", [], '["u", "y"]'),
        ("set", [], '["red", "blue"]'), ("list", [], '["red", "blue"]'),
    ]  # fmt: skip

    def table(*domains: str) -> pd.DataFrame:
        return pd.DataFrame({
            "content_hash": [f"h{k}" for k in range(len(kinds))],
            "id": [f"i{k}" for k in range(len(kinds))],
            "answer_type": [kind for kind, *_ in kinds], "choices": [c for _, c, _ in kinds],
            "target": [target for *_, target in kinds],
            "accepted": [['"4"'] if k == 7 else [] for k in range(len(kinds))],
            "domain": [domains[k % len(domains)] for k in range(len(kinds))],
            "family": ["f", "g"] * (len(kinds) // 2),
        })  # fmt: skip

    return told(
        one=lambda: item_chance(table("d")),
        two=lambda: item_chance(table("d", "e")),
        families=lambda: item_chance(table("d"), by=["domain", "family"]),
        turns=lambda: item_chance(table("d").query("answer_type == 'turns'")),
        values=lambda: item_chance(table("d").query("answer_type == 'value'")),
        alone=lambda: item_chance(table("d").query("answer_type == 'value'").head(1)),
    )


TABLES: dict[str, Callable[[], Parts]] = {
    "figures": sets_of_figures,
    "points": every_point,
    "rulings": rulings,
    "chances": chances,
}


@pytest.mark.parametrize("name", TABLES)
def test_scores_are_what_was_recorded(name: str) -> None:
    differences = unlike(name, TABLES[name](), read_records(RECORDED)[name])
    assert not differences, "\n".join(differences)


if __name__ == "__main__":
    record(RECORDED, TABLES, sys.argv[1:])
