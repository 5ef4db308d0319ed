"""The policy `vlmevalkit`: VLMEvalKit's rules and figures, and every reply that differs from ours.

The replies and figures here are ours, worked out by hand from the rules; the files that VLMEvalKit
wrote itself are compared where ../shared has them.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pandas as pd
import pytest
from support.chat_server import chat_server
from support.cli import run_cli
from support.vlmevalkit import row, write

from gfactor.administration import Journal
from gfactor.administration.imports import import_file
from gfactor.errors import ParameterError
from gfactor.frames import pick
from gfactor.scoring import scored
from gfactor.scoring.questions import PutItem
from gfactor.scoring.vlmevalkit import compared, differences, figures, ruling
from gfactor.scoring.vlmevalkit.texts import boxed_letter, count_in, option_in, yes_or_no

ROOT = Path(__file__).parents[2]
OUTPUTS = ROOT.parent / "shared" / "data" / "real_logs" / "vlmevalkit" / "outputs"

FAILED = "Failed to obtain answer via API."
BARE: dict[str, Any] = {"A": None, "B": None, "hint": None, "split": None, "l2-category": None}

OPTIONS = {"A": "cat", "B": "dog", "C": "red bus", "D": "1/2"}


@pytest.mark.parametrize(
    ("reply", "label"),
    [
        ("B", "B"),
        ("(B).", "B"),
        ("**B. dog**", "B"),
        ("The answer is B.", "B"),
        ("The correct answer is **C**. It has wheels, unlike A.", "C"),
        ("I see a Red Bus", "C"),
        ("A dog sleeps on it in the sun", "B"),
        ("cat or dog", None),
        ("B because a dog has four legs and a tail", None),
        ("A cat and B", "A"),
        ("b", None),
        ('"B"', None),
        (FAILED, None),
        ("Cannot determine the answer from this.", "Z"),
        ("Z", "Z"),
        ("The answer is based on looks.", "B"),
    ],
)
def test_an_option_is_read_by_exact_matching(reply: str, label: str | None) -> None:
    assert option_in(reply, OPTIONS) == label


def test_other_answers_are_read_as_vlmevalkit_reads_them() -> None:
    assert yes_or_no("Yes, it is.") == "Yes"
    assert yes_or_no("Answer: No.") == "No"
    assert [yes_or_no(reply) for reply in ("**Yes**", "Yes, no doubt.", "It is.")] == [None] * 3
    assert boxed_letter("So\nAnswer: \\boxed{C}") == "C"
    assert boxed_letter("The answer is d.") == "D"
    assert boxed_letter("\\boxed{C or D}") is None
    assert [count_in(reply) for reply in ("There are 12.", "Two dogs", "101", "none")] == [
        12, 2, None, None,
    ]  # fmt: skip


def journal_of(folder: Path, **sets: list[dict[str, Any]]) -> Journal:
    journal = Journal.open(folder / "c.db")
    for name, rows in sets.items():
        path = write(folder / "M" / f"M_{name}.xlsx", rows)
        assert import_file("vlmevalkit", path, journal).flaws == ()
    return journal


def both(journal: Journal) -> tuple[pd.DataFrame, pd.DataFrame]:
    return scored(journal), scored(journal, policy="vlmevalkit")


def values(journal: Journal, policy: str = "vlmevalkit") -> dict[tuple[str, str], float]:
    table = figures(scored(journal, policy=policy), journal.items())
    rows = table[["row", "figure", "value"]].itertuples(index=False, name=None)
    return {(row, figure): round(value, 6) for row, figure, value in rows}


def yes_no(index: Any, answer: str, prediction: str, **more: Any) -> dict[str, Any]:
    return row(index, prediction, **{**BARE, "answer": answer, **more})


@pytest.mark.thorough
def test_mme_counts_questions_and_pictures(tmp_path: Path) -> None:
    asked = [
        yes_no(0, "Yes", "Yes", category="OCR", image_path="0.png"),
        yes_no(1, "No", "No.", category="OCR", image_path="0.png"),
        yes_no(2, "Yes", "Yes", category="OCR", image_path="1.png"),
        yes_no(3, "No", "**No**", category="OCR", image_path="1.png"),
        yes_no(4, "Yes", "Yes", category="scene", image_path="2.png"),
        yes_no(5, "No", FAILED, category="scene", image_path="2.png"),
    ]
    journal = journal_of(tmp_path, MME=asked)
    assert values(journal) == {
        ("", "OCR acc"): 75, ("", "OCR acc+"): 50, ("", "OCR"): 125,
        ("", "scene acc"): 50, ("", "scene acc+"): 0, ("", "scene"): 50,
    }  # fmt: skip
    # Ours reads **No**, and leaves out the picture of which a question failed.
    assert values(journal, "own") == {
        ("", "OCR acc"): 100, ("", "OCR acc+"): 100, ("", "OCR"): 200,
        ("", "scene acc"): 100,
    }  # fmt: skip
    rows = differences(*both(journal))
    assert rows[["item_id", "kind"]].to_numpy().tolist() == [
        ["MME/3", "ours"], ["MME/5", "missing"],
    ]  # fmt: skip
    assert list(rows["credit_vlmevalkit"]) == [0.0, 0.0]
    assert rows["answer_own"].tolist()[0] == '"No"'


@pytest.mark.thorough
def test_hallusionbench_counts_questions_figures_and_pairs(tmp_path: Path) -> None:
    right = {"0_0_0": True, "0_0_1": True, "0_1_0": True, "0_1_1": False}
    asked = [
        yes_no(f"hb_VD_map_{name}", "Yes", "Yes" if ok else "No", category="VD",
               **{"l2-category": "map"})
        for name, ok in right.items()
    ]  # fmt: skip
    found = values(journal_of(tmp_path, HallusionBench=asked))
    assert {k[1]: v for k, v in found.items() if k[0] == "Overall"} == {
        "aAcc": 75, "fAcc": 50, "qAcc": 50,
    }  # fmt: skip
    assert found["VD", "aAcc"] == found["map", "aAcc"] == 75


@pytest.mark.thorough
def test_circular_eval_wants_every_rotation(tmp_path: Path) -> None:
    def turned(index: int, *replies: str) -> list[dict[str, Any]]:
        keys = ("B", "A")
        return [
            row(index + k * 1_000_000, reply, answer=keys[k], category="x",
                **{"l2-category": "attribute_reasoning"})
            for k, reply in enumerate(replies)
        ]  # fmt: skip

    asked = [*turned(1, "B", "A"), *turned(2, "B", "B"), *turned(3, "B", FAILED), *turned(4, "B")]
    journal = journal_of(tmp_path, MMBench_DEV_EN=asked)
    found = values(journal)
    assert found["dev", "Overall"] == found["dev", "AR"] == found["circular_dev", "x"] == 0.5
    assert found["vanilla_0_dev", "Overall"] == 1.0
    assert found["vanilla_all_dev", "Overall"] == round(5 / 7, 6)
    assert values(journal, "own")["dev", "Overall"] == round(2 / 3, 6)


@pytest.mark.thorough
def test_pope_is_f1_over_categories(tmp_path: Path) -> None:
    asked = [
        yes_no(0, "Yes", "Yes", category="popular,random"),
        yes_no(1, "No", "Yes", category="popular"),
        yes_no(2, "Yes", "It is there.", category="random"),
        yes_no(3, "No", "No", category="random"),
    ]
    found = values(journal_of(tmp_path, POPE=asked))
    assert found["Overall", "precision"] == round(200 / 3, 6)
    assert found["Overall", "recall"] == round(200 / 3, 6)
    assert found["Overall", "acc"] == 60.0
    assert found["random", "Overall"] == round(200 * (1 * 0.5) / 1.5, 6)


@pytest.mark.thorough
def test_amber_and_mmvp_and_mmt_average_their_own_way(tmp_path: Path) -> None:
    kinds = ("discriminative-hallucination", "relation", "relation")
    amber = [
        yes_no(k, "yes", said, category=kinds[k]) for k, said in enumerate(("Yes", "No", "Yes"))
    ]
    pairs = [row(k, "B" if k != 2 else "A", answer="B", split=None) for k in range(4)]
    tasks = [("a_task", "B"), ("a_task", "A"), ("b_task", "B")]
    mmt = [
        row(k, said, category=task, split="VAL", **{"l2-category": "action_recognition"})
        for k, (task, said) in enumerate(tasks)
    ]
    journal = journal_of(tmp_path, AMBER=amber, MMVP=pairs, **{"MMT-Bench_VAL": mmt})
    found = values(journal)
    assert found["", "Avg ACC"] == 75.0
    assert (found["", "Average"], found["", "Overall"]) == (0.75, 0.5)
    assert found["ALL", "AR"] == found["VAL", "AR"] == 0.75
    assert found["VAL", "Overall"] == round(2 / 3, 6)


def test_texts_are_scored_by_the_rule_of_their_data_set(tmp_path: Path) -> None:
    def text(index: int, answer: Any, said: str, **more: Any) -> dict[str, Any]:
        return row(index, said, **{**BARE, "category": None, "answer": answer, **more})

    journal = journal_of(
        tmp_path,
        TextVQA_VAL=[
            text(0, str(["stop"] * 3 + ["go"] * 7), "stop"),
            text(1, str(["35"] * 10), "35."),
        ],
        ChartQA_TEST=[
            text(0, "14.0", "14.4", split="test_human"),
            text(1, "red", "The red", split="x"),
        ],
        DocVQA_VAL=[text(0, "['ITC Limited', 'ITC']", "ITC ."), text(1, "['9']", "nine")],
        CountBenchQA=[text(0, 5, "15"), text(1, 3, "There are three.")],
        TallyQA=[text(0, 5, "15"), text(1, 3, "There are three.")],
        MTVQA_TEST=[text(0, "Paris", "It is paris.", category="FR", split="test")],
        OCRBench=[
            text(0, "['CENTRE']", "The sign says Centre.", category="Regular Text Recognition"),
            text(1, "['x ^ 2']", "x^2", category="Handwritten Mathematical Expression Recognition"),
            text(2, "['x ^ 2']", "x^2", category="Doc-oriented VQA"),
        ],
    )  # fmt: skip
    own, ruled = both(journal)
    table = compared(own, ruled, journal.items())
    heads = pick(table, table["headline"]).set_index("dataset")
    assert heads["vlmevalkit"].round(6).to_dict() == {
        "TextVQA_VAL": 45.0, "ChartQA_TEST": 50.0, "DocVQA_VAL": 30.0, "CountBenchQA": 50.0,
        "TallyQA": 0.5, "MTVQA_TEST": 100.0, "OCRBench": 2.0,
    }  # fmt: skip
    assert heads["own"].round(6).to_dict() == {
        "TextVQA_VAL": 95.0, "ChartQA_TEST": 50.0, "DocVQA_VAL": 50.0, "CountBenchQA": 50.0,
        "TallyQA": 0.5, "MTVQA_TEST": 100.0, "OCRBench": 3.0,
    }  # fmt: skip
    rows = differences(own, ruled)
    counting = pick(rows, rows["dataset"] == "CountBenchQA")
    assert counting["why"].tolist() == ["read alike, ruled otherwise (containment)"] * 2


@pytest.mark.thorough
def test_mmmu_turns_open_items_into_options_and_its_pro_set_reads_a_last_line(
    tmp_path: Path,
) -> None:
    mmmu = [
        row(1, "1/5", **{**BARE, "answer": "['0.2', '1/5']"}),
        row(2, "It is Gothic.", **{**BARE, "answer": "Gothic"}),
    ]
    pro = [row(0, "Look at A first.\nAnswer: B"), row(1, "A it is\nAnswer: B\nAnswer: B")]
    journal = journal_of(tmp_path, MMMU_DEV_VAL=mmmu, MMMU_Pro_10c_COT=pro)
    ruled = scored(journal, policy="vlmevalkit").set_index("item_id")
    assert ruled["correct"].to_dict() == {
        "MMMU_DEV_VAL/1": 0.0, "MMMU_DEV_VAL/2": 1.0,
        "MMMU_Pro_10c_COT/0": 1.0, "MMMU_Pro_10c_COT/1": 0.0,
    }  # fmt: skip
    assert set(ruled["policy"]) == {"vlmevalkit"}
    assert set(ruled["rule"]) == {"key or other", "option in last line"}


MATHVISTA: dict[str, Any] = {
    **BARE,
    "question_type": "free_form",
    "task": "geometry",
    "skills": "['algebra']",
}


def test_verdicts_of_a_judge_stand_where_the_rules_find_nothing(tmp_path: Path) -> None:
    star = [row(1, "It must be the second."), row(2, "It must be the second."), row(3, "B")]
    drawn = "Match Log: Failed to predict, thus randomly generate one. . "
    said = [("1", "Match Log: B. "), ("0", drawn), ("0", "Match Log: B. ")]
    vet = [row(1, "x is 1", **{**BARE, "answer": "x=1<AND>x=2", "category": "math"})]
    vista = [
        row(1, "It is 1.2", **MATHVISTA, answer_type="float", answer="1.2"),
        row(2, "7", **MATHVISTA, answer_type="integer", answer="7"),
    ]  # fmt: skip
    journal = journal_of(tmp_path, MMStar=star, MMVet=vet, MathVista_MINI=vista)
    without = scored(journal, policy="vlmevalkit").set_index("item_id")
    assert without["policy"].to_dict()["MMStar/1"] == "vlmevalkit"
    # What only a judge can score is read by our rules while there is no verdict.
    assert without["policy"].to_dict()["MMVet/1"] != "vlmevalkit"
    judged = {
        "MMStar_gpt-4o-mini_result": [
            {**asked, "hit": hit, "log": log} for asked, (hit, log) in zip(star, said, strict=True)
        ],
        "MMVet_gpt-4o-mini": [{**vet[0], "score": 0.5, "log": "Succeed"}],
        "MathVista_MINI_gpt-4o-mini": [
            {**vista[0], "res": "1.2", "log": "Succeed"},
            {**vista[1], "res": "8", "log": "Prefetch succeed"},
        ],
    }
    for name, rows in judged.items():
        import_file("vlmevalkit", write(tmp_path / "M" / f"M_{name}.xlsx", rows), journal)
    ruled = scored(journal, policy="vlmevalkit").set_index("item_id")
    assert ruled["points"].to_dict() == {
        "MMStar/1": 1.0, "MMStar/2": 0.0, "MMStar/3": 1.0, "MMVet/1": 1.0,
        "MathVista_MINI/1": 1.0, "MathVista_MINI/2": 1.0,
    }  # fmt: skip
    assert ruled["points_possible"].to_dict()["MMVet/1"] == 2.0
    assert ruled["rule"].to_dict() == {
        "MMStar/1": "judge", "MMStar/2": "drawn at random", "MMStar/3": "option",
        "MMVet/1": "judge", "MathVista_MINI/1": "judge", "MathVista_MINI/2": "MathVista",
    }  # fmt: skip
    found = values(journal)
    assert (found["Overall", "prefetch"], found["algebra", "acc"]) == (1.0, 100.0)


def test_a_verdict_on_another_reply_is_not_used(tmp_path: Path) -> None:
    journal = journal_of(tmp_path, MMStar=[row(1, "Hard to tell.")])
    other = [row(1, "Something else.", hit=1, log="Match Log: B. ")]
    import_file("vlmevalkit", write(tmp_path / "M" / "M_MMStar_gpt-4o_result.xlsx", other), journal)
    assert scored(journal, policy="vlmevalkit")["correct"].tolist() == [0.0]


def test_verdicts_of_two_judges_are_not_mixed(tmp_path: Path) -> None:
    journal = journal_of(tmp_path, MMStar=[row(1, "Hard to tell.")])
    for judge in ("gpt-4o", "qwen"):
        rows = [row(1, "Hard to tell.", hit=1, log="x")]
        path = write(tmp_path / "M" / f"M_MMStar_{judge}_result.xlsx", rows)
        import_file("vlmevalkit", path, journal)
    assert len(scored(journal)) == 1
    with pytest.raises(ParameterError, match="verdicts of several judges on one reply"):
        scored(journal, policy="vlmevalkit")


def test_options_that_were_shuffled_are_read_as_they_were_shown() -> None:
    choices = tuple(zip("ABCD", ("cat", "dog", "cow", "hen"), strict=True))
    asked = PutItem("MMStar/1", "hash", "mmstar", "choice", "B", choices=choices, options_seed=5)
    (shown,) = (label for label, text in asked.options.items() if text == "dog")
    assert shown != "B"
    for reply, credit in ((shown, 1.0), ("It is a dog.", 1.0), ("B", 0.0)):
        made = ruling(asked, reply, "ok", {})
        assert made is not None
        assert made.credit == credit


@pytest.mark.thorough
def test_figures_do_without_the_columns_that_a_data_set_lacks(tmp_path: Path) -> None:
    plain = {**BARE, "category": None}
    names = ("MME", "POPE", "AMBER", "HallusionBench", "OCRBench", "VisuLogic", "MathVista_MINI")
    sets = {name: [row(1, "Yes", **{**plain, "answer": "Yes"})] for name in names}
    table = figures(scored(journal := journal_of(tmp_path, **sets)), journal.items())
    assert {"POPE", "OCRBench", "VisuLogic"} <= set(table["dataset"])


@pytest.mark.thorough
def test_a_data_set_without_a_rule_is_read_by_ours(tmp_path: Path) -> None:
    journal = journal_of(tmp_path, MyVQA=[row(1, "red", **{**BARE, "answer": "red"})])
    own, ruled = both(journal)
    assert ruled["correct"].tolist() == own["correct"].tolist() == [1.0]
    assert compared(own, ruled, journal.items()).empty
    assert differences(own, ruled).empty


def test_score_prints_its_figures_beside_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = [row(1, "B"), row(2, "The second one: dog, I say, as it barks and wags its tail."),
             row(3, FAILED)]  # fmt: skip
    journal_of(tmp_path, MMStar=asked).close()
    words = ("score", str(tmp_path / "c.db"), "--policy", "vlmevalkit")
    told = run_cli(monkeypatch, capsys, *words).out
    assert "VLMEvalKit's figures" in told
    assert "missing for gfactor, wrong for VLMEvalKit (option)" in told
    found = json.loads(run_cli(monkeypatch, capsys, *words, "--json").out)
    (beside,) = found["vlmevalkit"].values()
    (overall,) = (row for row in beside["figures"] if row["headline"])
    assert (overall["vlmevalkit"], overall["n"]) == (pytest.approx(1 / 3), 3)
    assert (overall["own"], overall["n_own"]) == (1.0, 2)
    assert [row["kind"] for row in beside["differences"]] == ["ours", "missing"]


def script() -> ModuleType:
    path = ROOT / "benchmarks" / "vlmevalkit_figures.py"
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.thorough
def test_score_says_who_found_the_answers_and_asks_a_judge_for_ours_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`**Yes**` is read by our rules and not by VLMEvalKit's: no judge is paid for it."""
    said = ["B", '{"answer": "B"}', "It is what it is.", "A"]
    rows = [row(k, text) for k, text in enumerate(said)]
    path = write(
        tmp_path / "m" / "m_MMStar.tsv", [r | BARE | {"A": "cat", "B": "dog"} for r in rows]
    )
    with Journal.open(tmp_path / "c.db") as journal:
        import_file("vlmevalkit", path, journal)
    monkeypatch.chdir(tmp_path)
    with chat_server(lambda _: '{"answer": "B"}') as server:
        judge = ("--judge", f"openai:judge?base_url={server.url}", "--policy", "vlmevalkit")
        found = json.loads(run_cli(monkeypatch, capsys, "score", "c.db", *judge, "--json").out)
        assert (server.served, found["judge"]["asked"]) == (1, 1)
    assert found["results"][0]["read"] == {
        "rule": 0.5,
        "judge": 0.0,
        "draw": 0.0,
        "none": 0.5,
        "missing": 0.0,
    }
    (figure,) = (f for f in next(iter(found["vlmevalkit"].values()))["figures"] if f["headline"])
    assert (figure["vlmevalkit"], figure["own"]) == (0.25, 0.75)


@pytest.mark.thorough
def test_the_script_compares_a_folder_of_runs(tmp_path: Path) -> None:
    place = tmp_path / "out" / "M" / "T1"
    asked = [row(1, "B", split="dev"), row(2, "It barks.", split="dev")]
    write(place / "M_MMStar.xlsx", asked)
    (place / "M_MMStar_acc.csv").write_text('"split","Overall","animals"\n"dev","0.5","0.25"\n')
    (found,) = script().runs(tmp_path)
    assert found.misses() == [("MMStar", ("dev", "animals"), 0.25, 0.5)]
    assert "| MMStar (out) | Overall, dev | 0.5 | 0.5 | 0.5 |" in script().tables([found])


@pytest.mark.slow
@pytest.mark.skipif(not OUTPUTS.is_dir(), reason="needs ../shared/data/real_logs")
def test_every_figure_that_vlmevalkit_wrote_is_reproduced() -> None:
    known: set[str] = set()
    cells = 0
    for made in script().runs(OUTPUTS):
        assert made.misses() == []
        known |= set(made.published)
        cells += sum(map(len, made.published.values()))
        differing = set(made.replies["dataset"])
        for dataset, ours in made.ours.items():
            same = all(ruled == pytest.approx(own, abs=1e-9) for ruled, own, _ in ours.values())
            # A figure differs from ours only where a reply does, and then a row says why.
            assert same or dataset in differing, (made.name, dataset)
    assert len(known) == 31
    assert cells == 819
