"""VLMEvalKit's rules reply by reply, and its figures of a few credits, worked out by hand."""

from __future__ import annotations

import json
import math
from typing import Any

import pandas as pd
import pytest

from gfactor.items import OutputFormat
from gfactor.scoring.questions import PutItem
from gfactor.scoring.vlmevalkit import figures, ruling
from gfactor.scoring.vlmevalkit.comparing import KINDS, counted, differences, headline
from gfactor.scoring.vlmevalkit.dataset_figures import _MMT
from gfactor.scoring.vlmevalkit.rules import rule_of
from gfactor.scoring.vlmevalkit.texts import boxed_letter, option_in

ABCD = tuple(zip("ABCD", ("cat", "dog", "cow", "hen"), strict=True))
YES_NO = (("Yes", "Yes"), ("No", "No"))


def question(dataset: str, kind: Any, target: Any, **more: Any) -> PutItem:
    return PutItem(f"{dataset}/1", "hash", dataset.lower(), kind, target, **more)


def made(asked: PutItem, reply: str, outcome: str = "ok", **said: str) -> tuple[Any, ...] | None:
    found = ruling(asked, reply, outcome, said)
    return found and (found.answer, found.credit, found.rule, found.decided)


@pytest.mark.parametrize(
    ("dataset", "kind", "choices", "name"),
    [
        ("MME", "choice", YES_NO, "yes or no"),
        ("MME2", "choice", YES_NO, ""),
        ("VSR-zeroshot", "choice", YES_NO, "yes or no"),
        ("TextVQA_VAL", "blanks", (), "VQA accuracy"),
        ("ChartQA_TEST", "blanks", (), "relaxed accuracy"),
        ("OCRVQA_TESTCORE", "blanks", (), "exact text"),
        ("InfoVQA_VAL", "blanks", (), "ANLS"),
        ("OCRBench", "blanks", (), "containment"),
        ("TallyQA", "blanks", (), "count"),
        ("VisuLogic", "choice", ABCD, "boxed letter"),
        ("MathVista_MINI", "choice", ABCD, "MathVista"),
        ("MMVet", "open", (), "judge"),
        ("MMStar", "choice", ABCD, "option"),
        ("MMStar", "choices", ABCD, "option"),
        ("MMStar", "value", ABCD, ""),
        ("MMStar", "choice", (("A", ""), ("B", "")), ""),
        ("MMStar", "choice", YES_NO, ""),
        ("MMMU_Pro_10c_COT", "choice", ABCD, "option in last line"),
        ("MMMU_Pro_10c", "choice", ABCD, "option"),
        ("MMStar_COT", "choice", ABCD, "option"),
        ("MMMU_DEV_VAL", "blanks", (), "key or other"),
        ("MyVQA", "blanks", (), ""),
    ],
)
def test_every_data_set_has_its_rule(dataset: str, kind: Any, choices: Any, name: str) -> None:
    asked = question(dataset, kind, "A", choices=choices)
    assert rule_of(asked) == name
    with_line = question(dataset, kind, "A", choices=choices, output_format=OutputFormat("value"))
    known = name if name not in ("option", "option in last line", "key or other") else ""
    assert rule_of(with_line) == known
    if not name:
        assert ruling(asked, "A", "ok", {}) is None


STAR = question("MMStar", "choice", "B", choices=ABCD)
SEVERAL = question("MMStar", "choices", frozenset({"B"}), choices=ABCD)
POINTS = question("MMVet", "open", "x")


@pytest.mark.parametrize(
    ("asked", "reply", "expected"),
    [
        (STAR, "B", ("B", 1.0, "option", True)),
        (STAR, "C", ("C", 0.0, "option", True)),
        (STAR, "Hard to tell from what is shown here at all.", (None, 0.0, "option", False)),
        (STAR, "Z", (None, 0.0, "option", True)),
        (STAR, "  B \n", ("B", 1.0, "option", True)),
        (STAR, "", (None, 0.0, "option", False)),
        (STAR, "N/A", (None, 0.0, "option", False)),
        (SEVERAL, "B", (frozenset({"B"}), 0.0, "option", True)),
        (question("MME", "choice", "No", choices=YES_NO), "no.", ("No", 1.0, "yes or no", True)),
        (question("MME", "choice", "No", choices=YES_NO), "Hm", (None, 0.0, "yes or no", False)),
        (question("OCRVQA_TEST", "blanks", ("Ann",)), "ANN", (("ANN",), 1.0, "exact text", True)),
        (question("OCRVQA_TEST", "blanks", ("Ann",)), "Anna", (("Anna",), 0.0, "exact text", True)),
        (question("TallyQA", "value", "3.0"), "three or so", ("three or so", 1.0, "count", True)),
        (question("TallyQA", "value", "3"), "no 3, 4", ("no 3, 4", 1.0, "count", True)),
        (question("MTVQA_TEST", "value", " A.B "), "x ab.", ("x ab.", 1.0, "containment", True)),
        (question("CountBenchQA", "value", "Two"), "two", ("two", 0.0, "containment", True)),
        (question("OCRBench", "value", " A b"), "xa\nB", ("xa\nB", 1.0, "containment", True)),
        (question("OCRBench", "value", "a.b"), "ab", ("ab", 0.0, "containment", True)),
        (question("OCRBench", "blanks", ("a", "b")), "A B c",
         (("A B c",), 1.0, "containment", True)),
        (question("OCRBench", "choice", "B", choices=ABCD), "b", ("B", 1.0, "containment", True)),
        (question("OCRBench", "choices", "B", choices=ABCD), "b", (None, 1.0, "containment", True)),
        (question("MMMU_X", "value", "two"), "B", ("B", 0.0, "key or other", True)),
        (question("MMMU_X", "value", "two"), "two", ("two", 1.0, "key or other", True)),
        (question("MMMU_X", "value", "two"), "who?", ("who?", 0.0, "key or other", False)),
        (question("MMMU_X", "value", "a b", accepted=("c",)), "it is ['a b', 'c']",
         ("it is ['a b', 'c']", 1.0, "key or other", True)),
        (question("VisuLogic", "choice", "C", choices=ABCD), "\\boxed{C}",
         ("C", 1.0, "boxed letter", True)),
        (POINTS, "anything", None),
    ],
)  # fmt: skip
def test_a_ruling_is_an_answer_a_credit_and_the_rule(
    asked: PutItem, reply: str, expected: tuple[Any, ...] | None
) -> None:
    assert made(asked, reply) == expected


def test_the_line_of_an_answer_counts_where_there_is_one_alone() -> None:
    asked = question("MMMU_Pro_10c_COT", "choice", "B", choices=ABCD)
    assert made(asked, "A, C or D?\n Answer: B ") == ("B", 1.0, "option in last line", True)
    assert made(asked, "x\nAnswer: (B)") == ("B", 1.0, "option in last line", True)
    # The A of "Answer" counts where there is no other capital letter.
    assert made(asked, "x\nAnswer: the dog") == ("A", 0.0, "option in last line", True)
    assert made(asked, "Answer: A B") == (None, 0.0, "option in last line", False)
    # Without such a line, or with two, the whole reply is read.
    assert made(asked, "It is\nB") == ("B", 1.0, "option in last line", True)
    assert made(asked, "Answer: C\nAnswer: C\nso B it is, and it is no other of these") == (
        None, 0.0, "option in last line", False,
    )  # fmt: skip


def test_numbers_of_mathvista_are_equal_or_the_judge_is_asked() -> None:
    def vista(kind: str, key: str, **facts: str) -> PutItem:
        return question("MathVista_MINI", "value", key, facts={"given_answer_type": kind, **facts})

    assert made(vista("integer", "7"), "7") == ("7", 1.0, "MathVista", True)
    assert made(vista("float", "7.50"), "7.5") == ("7.5", 1.0, "MathVista", True)
    for asked, reply in (
        (vista("integer", "7"), "8"), (vista("integer", "7"), "7.0"), (vista("list", "7"), "7"),
    ):  # fmt: skip
        assert made(asked, reply) is None
        assert made(asked, reply, prediction=reply, res="7") is not None
    judged = made(vista("integer", "7"), "seven", prediction="seven", res="7")
    assert judged == ("7", 1.0, "judge", True)
    asked = question("MathVista_MINI", "choice", "B", choices=ABCD)
    assert made(asked, "B") == ("B", 1.0, "MathVista", True)
    free = question("MathVista_MINI", "value", "B", choices=ABCD,
                    facts={"question_type": "multi_choice"})  # fmt: skip
    assert made(free, "dog") == ("B", 1.0, "MathVista", True)


def test_a_verdict_counts_where_it_is_on_this_reply_and_the_rule_does_not_decide() -> None:
    unclear = "It is the second, and the others are not what is shown."
    said = {"prediction": unclear, "hit": "1", "log": "Match Log: B."}
    assert made(STAR, unclear, **said) == ("B", 1.0, "judge", True)
    assert made(STAR, unclear, **{**said, "hit": "0"}) == (None, 0.0, "judge", True)
    assert made(STAR, unclear, **{**said, "hit": "True"}) == ("B", 1.0, "judge", True)
    assert made(STAR, unclear, **{**said, "hit": "False"}) == (None, 0.0, "judge", True)
    drawn = {**said, "log": "Failed to predict, thus randomly generate one. "}
    assert made(STAR, unclear, **drawn) == ("B", 1.0, "drawn at random", True)
    assert made(STAR, "C", prediction="C", hit="1") == ("C", 0.0, "option", True)
    assert made(STAR, unclear, **{**said, "prediction": "Another."}) == (
        None, 0.0, "option", False,
    )  # fmt: skip
    spaced = unclear.replace(" ", "  \n")
    assert made(STAR, unclear, **{**said, "prediction": f" {spaced}\n"}) == made(
        STAR, unclear, **said
    )
    assert made(STAR, "None", prediction="nan", hit="1") == ("B", 1.0, "judge", True)
    assert made(STAR, "x", "transport_error", prediction="Failed to obtain answer.", hit="1") == (
        "B", 1.0, "judge", True,
    )  # fmt: skip
    assert made(STAR, "x", "transport_error", prediction="x", hit="1") == (
        None, 0.0, "option", False,
    )  # fmt: skip
    assert made(POINTS, "y", prediction="y", score="0.25") == (None, 0.25, "judge", True)
    assert made(STAR, unclear, prediction=unclear, extracted="B") == ("B", 1.0, "judge", True)
    assert made(STAR, unclear, prediction=unclear, extracted="C") == ("C", 0.0, "judge", True)


def test_a_workbook_cuts_replies_of_more_than_32000_characters() -> None:
    long = "word " * 6500  # 32,500 characters, the last of them a space
    hit = {"hit": "1"}
    assert made(STAR, long, prediction=long[:32_004], **hit) == ("B", 1.0, "judge", True)
    assert made(STAR, long[:32_004], prediction=long, **hit) == ("B", 1.0, "judge", True)
    assert made(STAR, long, prediction=long[:32_000].strip(), **hit) == (
        None, 0.0, "option", False,
    )  # fmt: skip
    assert made(STAR, long, prediction="x" + long[:32_100], **hit) == (
        None, 0.0, "option", False,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("reply", "label"),
    [
        ("B one two three", "B"), ("B one two three four", None),
        ("one B two three four", "B"), ("A or B", None), ("Z then", "Z"), ("Z or B", "B"),
        ("the ANSWER  IS **c", "C"), ("Z A B", None), ("{B}", "B"), ("#B*", "B"),
        ("a hen, it is said", "D"), ("x" * 22 + "he", None), ("x" * 21 + "hen", "D"),
        ("x" * 22 + "hen", None), ("I can't process this file.", "Z"), ("hen or cow", None),
        ("Failed to obtain answer via API. B", None),
    ],
)  # fmt: skip
def test_the_label_of_an_option_is_found_within_its_limits(reply: str, label: str | None) -> None:
    assert option_in(reply, dict(ABCD)) == label


@pytest.mark.parametrize(
    ("reply", "letter"),
    [
        ("\\boxed{B}", "B"), ("\\boxed{A} then \\boxed{B}", "B"), ("\\boxed{\\text{B}}", "B"),
        ("\\boxed{$B$}", "B"), ("\\boxed{E}", None), ("so it is C.", "C"), ("so it is (C).", "C"),
        ("C\nas it is", "C"), ("(C)\nas it is", "C"), ("C as it is", None), ("C", "C"), ("E", None),
        ("", None), ("The final answer is: b\nmore", "B"), ("the answer should be d. And", "D"),
        ("answer: c. no", "C"), ("the answer is option b", "B"), ("answer: bc", None),
        ("\\boxed{B or C} so the answer is: A", "A"), ("\\boxed{letter B}", None),
        ("\\boxed{ab", None), ("\\boxed{{B}}", None),
    ],
)  # fmt: skip
def test_a_letter_is_read_in_a_box_or_behind_an_announcement(
    reply: str, letter: str | None
) -> None:
    assert boxed_letter(reply) == letter


def told(dataset: str, *rows: dict[str, Any], policy: str = "vlmevalkit") -> dict[Any, Any]:
    """The figures of one examinee by row and name: value and number behind it."""
    frame = pd.DataFrame([
        {"examinee": "m", "condition": "c", "index": k, "points": row["credit"] * 2,
         "points_possible": 2.0, "correct": float(row["credit"] == 1), "policy": policy,
         "rule": "option", "said": None, "target": '"Yes"', "missing": math.isnan(row["credit"]),
         **row}
        for k, row in enumerate(rows)
    ])  # fmt: skip
    frame = frame.drop(columns=["credit", "index"]).assign(
        item_id=[f"{dataset}/{k}" for k in frame["index"]],
        item_hash=[f"h{k}" for k in frame["index"]],
        answer=[None if said is None else json.dumps(said) for said in frame["said"]],
    )
    items: Any = frame.rename(columns={"item_hash": "content_hash"})[["content_hash", "target"]]
    found = figures(frame.drop(columns=["said", "target"]), items)
    assert found.empty or set(found["dataset"]) == {dataset}
    rows_of = found[["row", "figure", "value", "n"]].itertuples(index=False, name=None)
    return {(row, figure): (round(value, 6), n) for row, figure, value, n in rows_of}


NAN = math.nan


def credits(*values: float, **labels: list[Any]) -> list[dict[str, Any]]:
    return [
        {"credit": value, **{name: given[k] for name, given in labels.items()}}
        for k, value in enumerate(values)
    ]


def test_accuracies_are_by_split_and_category() -> None:
    rows = credits(1, 0, 0.5, NAN, category=["x", "x", "logic_reasoning", "x"],
                   l2_category=["p", "p", "q", "q"],
                   split=["dev", "dev", "dev", "test"])  # fmt: skip
    assert told("MMStar", *rows) == {
        ("dev", "Overall"): (0.5, 3), ("dev", "x"): (0.5, 2), ("dev", "LR"): (0.5, 1),
        ("dev", "p"): (0.5, 2), ("dev", "q"): (0.5, 1),
    }  # fmt: skip
    assert told("MMStar", *credits(1, 0, 0)) == {("none", "Overall"): (0.333333, 3)}


def test_single_figures_have_their_unit() -> None:
    assert told("CountBenchQA", *credits(1, 0, 0, NAN)) == {("", "accuracy"): (33.333333, 3)}
    assert told("TallyQA", *credits(1, 0)) == {("", "TallyQA"): (0.5, 2)}


def test_mme_sums_tasks_whose_pictures_count_as_well() -> None:
    reasoning = ("code_reasoning", "commonsense_reasoning", "numerical_calculation",
                 "text_translation")  # fmt: skip
    rows = [
        {"credit": credit, "category": task, "image_path": f"{task}{k // 2}"}
        for task in reasoning
        for k, credit in enumerate((1, 1, 1, 0))
    ]
    found = told("MME", *rows)
    assert found["", "code_reasoning"] == (125, 4)
    assert found["", "code_reasoning acc"] == (75, 4)
    assert found["", "code_reasoning acc+"] == (50, 2)
    assert found["", "reasoning"] == (500, 16)
    assert ("", "perception") not in found
    assert ("", "reasoning") not in told("MME", *rows[4:])
    # Without pictures every question is one of its own.
    apart = told("MME", *credits(1, 0, category=["OCR", "OCR"]))
    assert apart == {("", "OCR"): (100, 2), ("", "OCR acc"): (50, 2), ("", "OCR acc+"): (50, 2)}
    # A picture with a missing reply is not counted.
    torn = told("MME", *credits(1, NAN, 1, 1, category=["OCR"] * 4, image_path=[1, 1, 2, 2]))
    assert torn["", "OCR acc+"] == (100, 1)
    assert torn["", "OCR acc"] == (100, 3)


def test_hallusionbench_counts_figures_and_questions() -> None:
    names = ["0_0_0", "0_0_1", "0_1_0", "0_1_1", "1_0_0", "1_0_1"]
    rows = [
        {"credit": credit, "index": f"hb_VD_map_{name}", "category": "VD", "l2_category": "map"}
        for name, credit in zip(names, (1, 1, 1, 0, 0, 1), strict=True)
    ]
    found = told("HallusionBench", *rows)
    # Figures 0_0, 0_1, 1_0: one of three; questions 0_0, 0_1, 1_0, 1_1 of each set: two of four.
    for row in ("Overall", "VD", "map"):
        assert found[row, "aAcc"] == (66.666667, 6)
        assert found[row, "fAcc"] == (33.333333, 3)
        assert found[row, "qAcc"] == (50, 4)
    assert len(found) == 9


def test_pope_has_precision_recall_and_their_harmonic_mean() -> None:
    yes, no = '"Yes"', '"No"'
    rows = credits(1, 1, 0, 0, 0, 1, NAN, target=[yes, yes, yes, no, no, no, yes],
                   said=["Yes", "Yes", "No", "Yes", None, "No", "Yes"],
                   category=["a", "a", "a,b", "b", "a", "b", "a"])  # fmt: skip
    found = told("POPE", *rows)
    # 2 of 3 "Yes" are right; of the 4 (once in each category) that are yes 2 are found.
    assert found["Overall", "precision"] == (66.666667, 7)
    assert found["Overall", "recall"] == (50, 7)
    assert found["Overall", "Overall"] == (57.142857, 7)
    assert found["Overall", "acc"] == (42.857143, 7)
    assert found["a", "precision"] == (100, 4)
    assert found["a", "recall"] == (66.666667, 4)
    assert found["a", "Overall"] == (80, 4)
    assert found["b", "Overall"] == found["b", "precision"] == found["b", "recall"] == (0, 3)
    none = told("POPE", *credits(0, 1, target=[yes, no], said=["No", "No"], category=["a", "a"]))
    assert none["a", "precision"] == none["a", "recall"] == none["a", "Overall"] == (0, 2)


def test_amber_averages_kinds_and_mmvp_pairs_neighbors() -> None:
    kinds = ["discriminative-attribute-state", "discriminative-attribute-action", "relation",
             "discriminative-hallucination"]  # fmt: skip
    assert told("AMBER", *credits(1, 0, 1, 1, category=kinds)) == {
        ("", "Attribute"): (50, 2), ("", "Relation"): (100, 1), ("", "Existence"): (100, 1),
        ("", "Avg ACC"): (83.333333, 4),
    }  # fmt: skip
    assert told("MMVP", *credits(1, 1, 0, 1, 1)) == {
        ("", "Average"): (0.8, 5), ("", "Overall"): (0.666667, 3),
    }  # fmt: skip
    # Pairs are of indices in the order of their numbers, not of their texts.
    rows = [{**row, "index": k} for row, k in zip(credits(1, 0, 1, 1), (10, 9, 2, 1), strict=True)]
    assert told("MMVP", *rows)["", "Overall"] == (0.5, 2)


def test_an_ability_of_mmt_is_the_mean_of_its_tasks() -> None:
    rows = credits(1, 1, 0, 0, category=["s", "s", "s", "t"], split=["VAL"] * 3 + ["TEST"],
                   l2_category=["embodied_ai"] * 4)  # fmt: skip
    found = told("MMT-Bench_ALL", *rows)
    assert found["VAL", "EA"] == (0.666667, 3)
    assert found["ALL", "EA"] == (0.333333, 4)
    assert found["ALL", "Overall"] == (0.5, 4)
    assert found["ALL", "s"] == (0.666667, 3)
    assert found["TEST", "t"] == (0, 1)
    assert (_MMT["image-to-image_translation"], _MMT["threed"], len(_MMT)) == ("I2IT", "3D", 32)
    bare = told("MMT-Bench_ALL", *credits(1, 0, 0, l2_category=["a", "a", "a"]))
    assert bare["ALL", "a"] == (0.333333, 3)


def test_texts_are_in_per_cent_and_points() -> None:
    rows = credits(1, 0, 0.5, split=["human", "human", "other"], category=["x", "x", "x"])
    assert told("ChartQA_TEST", *rows) == {
        ("", "Overall"): (50, 3), ("", "human"): (50, 2), ("", "other"): (50, 1),
    }  # fmt: skip
    rows = credits(1, 0, 1, category=["x", "x", "y"])
    parts = {("", "x"): (50, 2), ("", "y"): (100, 1)}
    assert told("DocVQA_VAL", *rows) == {("", "Overall"): (66.666667, 3), **parts}
    assert told("MTVQA_TEST", *rows) == {("", "Average"): (66.666667, 3), **parts}


def test_ocrbench_counts_points_by_kind() -> None:
    kinds = ["Regular Text Recognition", "Digit String Recognition", "Doc-oriented VQA",
             "Scene Text-centric VQA", "Doc-oriented VQA"]  # fmt: skip
    assert told("OCRBench", *credits(1, 1, 1, 0, NAN, category=kinds)) == {
        ("", "Text Recognition"): (2, 2), ("", "Doc-oriented VQA"): (1, 1),
        ("", "Scene Text-centric VQA"): (0, 1), ("", "Key Information Extraction"): (0, 0),
        ("", "Handwritten Mathematical Expression Recognition"): (0, 0),
        ("", "Final Score"): (3, 4), ("", "Final Score Norm"): (0.3, 4),
    }  # fmt: skip


@pytest.mark.thorough
def test_mathvista_counts_by_task_and_skill_and_what_needed_no_judge() -> None:
    rows = credits(1, 0, 1, NAN, task=["g", "g", "h", "h"], rule=["MathVista", "judge"] * 2,
                   skills=["['a', 'b']", "['b']", "c", "["])  # fmt: skip
    found = told("MathVista_MINI", *rows)
    assert {k: v for k, v in found.items() if k[0] == "Overall"} == {
        ("Overall", "tot"): (3, 3), ("Overall", "hit"): (2, 3), ("Overall", "acc"): (66.666667, 3),
        ("Overall", "prefetch"): (2, 4), ("Overall", "prefetch_rate"): (50, 4),
    }  # fmt: skip
    assert [found[s, "hit"] for s in ("g", "h", "a", "b", "c", "[")] == [
        (1, 2), (1, 1), (1, 1), (1, 2), (1, 1), (0, 0),
    ]  # fmt: skip
    assert found["b", "prefetch_rate"] == (50, 2)
    own = told("MathVista_MINI", *rows, policy="strict")
    assert ("Overall", "prefetch") not in own
    assert own["g", "acc"] == (50, 2)
    tasks = told("VisuLogic", *credits(1, 0, 0, category=["x", "x", "y"]))
    assert tasks["x", "tot"] == (2, 2)
    assert (tasks["Overall", "acc"], tasks["y", "hit"]) == ((33.333333, 3), (0, 1))


def test_mmvet_counts_an_item_for_each_of_its_capabilities() -> None:
    found = told("MMVet", *credits(0.5, 1, category=["ocr,math", "ocr"]))
    assert found == {
        ("ocr", "tot"): (2, 2), ("ocr", "acc"): (75, 2), ("math", "tot"): (1, 1),
        ("math", "acc"): (50, 1), ("Overall", "tot"): (2, 2), ("Overall", "acc"): (75, 2),
    }  # fmt: skip


def test_rotations_are_right_together() -> None:
    rows = credits(1, 1, 1, 0, 1, NAN, 1, index=[1, 1001, 2, 1002, 3, 1003, 4],
                   circular_set=["1", "1", "2", "2", "3", "3", None],
                   split=["dev"] * 7)  # fmt: skip
    found = told("MMBench_DEV_EN", *rows)
    assert found["dev", "Overall"] == found["circular_dev", "Overall"] == (0.666667, 3)
    assert found["vanilla_0_dev", "Overall"] == (1, 4)
    assert found["vanilla_all_dev", "Overall"] == (0.833333, 6)
    assert set(told("MMStar", *rows)) == {("dev", "Overall")}
    assert set(told("MMBench_DEV_EN", *credits(1, 0))) == {("none", "Overall")}


def test_a_data_set_is_represented_by_its_headlines() -> None:
    assert headline("MMStar", "dev", "Overall")
    assert not headline("MMStar", "dev", "animals")
    assert headline("POPE", "Overall", "acc")
    assert not headline("POPE", "popular", "acc")
    assert headline("AMBER", "", "Avg ACC")
    assert not headline("AMBER", "x", "Avg ACC")
    assert not headline("POPE", "", "Overall")


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("rule", "ours", "theirs", "missing", "kind"),
    [
        ("drawn at random", '"A"', '"B"', True, "drawn"), ("option", None, '"B"', True, "missing"),
        ("judge", '"A"', '"B"', False, "judge"), ("option", '"A"', '"B"', False, "other"),
        ("option", '"A"', None, False, "ours"), ("yes or no", None, '"No"', False, "theirs"),
        ("boxed letter", '"A"', '"A"', False, "rule"), ("count", '"3"', '"4"', False, "rule"),
        ("count", None, '"4"', False, "theirs"),
    ],
)  # fmt: skip
def test_a_difference_has_its_reason(
    rule: str, ours: Any, theirs: Any, missing: bool, kind: str
) -> None:
    keys = {"examinee": "m", "condition": "c", "item_id": "D/1", "item_hash": "h", "occasion": 0}
    one = {**keys, "points_possible": 2.0, "text": "t", "missing": missing}
    own = pd.DataFrame([{**one, "points": 1.0, "answer": ours, "rule": "r", "policy": ""}])
    ruled = pd.DataFrame([{**one, "points": 2.0, "answer": theirs, "rule": rule,
                           "policy": "vlmevalkit"}])  # fmt: skip
    (found,) = differences(own, ruled).to_dict("records")
    assert (found["kind"], found["credit_own"], found["credit_vlmevalkit"]) == (kind, 0.5, 1.0)
    said = KINDS[kind] + ("" if rule in ("judge", "drawn at random") else f" ({rule})")
    assert found["why"] == said
    assert (found["dataset"], found["text"]) == ("D", "t")
    assert differences(own, ruled.assign(points=1.0)).empty
    twice = pd.DataFrame({"why": ["a", "b", "b"]})
    assert counted(twice) == "2 x b; 1 x a"
    assert counted(twice.head(0)) == "nothing differs"


@pytest.mark.parametrize("absent", [None, math.nan])
def test_an_answer_that_only_one_of_the_two_read_is_its_own_reason(absent: Any) -> None:
    """A column of texts holds NaN where nothing was read, which is not another answer."""
    keys = {"examinee": "m", "condition": "c", "item_hash": "h", "occasion": 0, "rule": "option"}
    both = [{**keys, "item_id": f"D/{k}", "points_possible": 1.0, "text": "t", "missing": False}
            for k in (1, 2)]  # fmt: skip
    own = pd.DataFrame(both).assign(points=[1.0, 0.0], policy="", answer=["A", absent])
    ruled = pd.DataFrame(both).assign(
        points=[0.0, 1.0], policy="vlmevalkit", answer=pd.Series([absent, "A"], dtype="str")
    )
    found = differences(own, ruled)
    assert found["kind"].tolist() == ["ours", "theirs"]
    assert found["answer_own"].isna().tolist() == [False, True]
