"""Importing sample logs of lm-evaluation-harness."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.logs import lines

import gfactor as gf
from gfactor.administration import Journal
from gfactor.administration.imports import IMPORTS, ImportResult, import_file
from gfactor.administration.imports.base import harness_of_pack, traits_of
from gfactor.administration.imports.figures import format_of_log, harness_scores
from gfactor.errors import ParameterError
from gfactor.scoring import scored

DATE = "2026-11-26T21-38-57.408973"
REAL = Path(__file__).parent / "lm_eval_logs"
"""Logs that lm_eval 0.4.13 wrote, on tasks made for it."""
PROMPT = "Which animal barks?\nA. cat\nB. dog\nAnswer with the letter."


def generated(number: int = 0, *said: str, **changed: Any) -> dict[str, Any]:
    """A line of a task whose answers are generated."""
    return {
        "doc_id": number, "doc": {"subject": "animals"}, "target": "B",
        "arguments": {"gen_args_0": {"arg_0": PROMPT, "arg_1": {"until": ["\n"]}}},
        "resps": [list(said or ("B",))], "filtered_resps": list(said or ("B",)),
        "filter": "none", "metrics": ["exact_match"], "doc_hash": f"hash-{number}", **changed,
    }  # fmt: skip


def likelihoods(number: int = 0, best: int = 1, **changed: Any) -> dict[str, Any]:
    """A line of a task that compares the likelihoods of three texts."""
    texts = [" a cat", " a dog", " a fish"]
    values = [[["-9.5" if k != best else "-0.5", "False"]] for k in range(3)]
    asked = {f"gen_args_{k}": {"arg_0": "It barks:", "arg_1": t} for k, t in enumerate(texts)}
    return {
        "doc_id": number, "doc": {}, "target": "1", "arguments": asked, "resps": values,
        "filter": "none", "metrics": ["acc"], "doc_hash": f"hash-{number}", **changed,
    }  # fmt: skip


def imported(
    folder: Path, samples: list[Any], results: dict[str, Any] | None = None, task: str = "barks"
) -> tuple[ImportResult, Journal]:
    path = lines(folder / "org__model" / f"samples_{task}_{DATE}.jsonl", samples)
    if results is not None:
        (path.parent / f"results_{DATE}.json").write_text(json.dumps(results))
    journal = Journal.open(folder / "c.db")
    return import_file("lm-eval", path, journal), journal


@pytest.mark.thorough
def test_a_generated_answer_is_read_with_options_key_and_labels(tmp_path: Path) -> None:
    result, journal = imported(tmp_path, [generated(0, "B"), generated(1, "I think it is A.")])
    assert (result.items, result.added, result.flaws) == (2, 2, ())
    assert result.examinees == ("lm-eval:org__model",)
    items, rows = journal.items(), journal.responses()
    assert set(items["answer_type"]) == {"choice"}
    assert set(items["target"]) == {'"B"'}
    assert set(items["subject"]) == {"animals"}
    assert set(rows["created"]) == {"2026-11-26T21:38:57.408+00:00"}
    assert sorted(scored(journal)["correct_lenient"]) == [0.0, 1.0]


def test_the_most_likely_option_is_the_answer(tmp_path: Path) -> None:
    _, journal = imported(tmp_path, [likelihoods(0, best=1), likelihoods(1, best=2)])
    rows = scored(journal).set_index("item_id")
    assert rows["text"].to_dict() == {"barks/0": "B", "barks/1": "C"}
    assert rows["correct_lenient"].to_dict() == {"barks/0": 1.0, "barks/1": 0.0}
    assert "a dog" in str(journal.items()["choices"].iloc[0])


@pytest.mark.parametrize(
    ("target", "right"),
    [("1", "B"), (1, "B"), ("a dog", "B"), ("C", "C"), ("0", "A")],
)
def test_the_key_is_a_number_a_text_or_a_letter(target: Any, right: str, tmp_path: Path) -> None:
    _, journal = imported(tmp_path, [likelihoods(target=target)])
    assert json.loads(journal.items()["target"].iloc[0]) == right


def test_older_logs_hold_arguments_as_lists_and_likelihoods_as_numbers(tmp_path: Path) -> None:
    asked = [["It barks:", f" a {name}"] for name in ("cat", "dog", "fish")]
    said = [[[-9.5, False]], [[-0.5, False]], [[-8.0, False]]]
    _, journal = imported(tmp_path, [likelihoods(arguments=asked, resps=said, target=1)])
    assert scored(journal)["correct_lenient"].tolist() == [1.0]


def test_letters_whose_likelihoods_are_compared_get_the_options_of_the_prompt(
    tmp_path: Path,
) -> None:
    asked = [[PROMPT, f" {letter}"] for letter in "AB"]
    said = [[["-1.0", "False"]], [["-0.1", "True"]]]
    _, journal = imported(tmp_path, [likelihoods(arguments=asked, resps=said)])
    assert "dog" in str(journal.items()["choices"].iloc[0])


def test_options_that_stand_before_a_common_end_are_the_beginnings(tmp_path: Path) -> None:
    asked = [[f"The {name} is at home, so it", " sleeps."] for name in ("cat", "dog")]
    said = [[["-1.0", "False"]], [["-0.1", "False"]]]
    _, journal = imported(tmp_path, [likelihoods(arguments=asked, resps=said)])
    assert "The dog is at home" in str(journal.items()["choices"].iloc[0])
    assert scored(journal)["correct_lenient"].tolist() == [1.0]


def test_each_filter_writes_the_same_reply_which_counts_once(tmp_path: Path) -> None:
    said = generated(0, "So it is B")
    result, journal = imported(
        tmp_path, [{**said, "filter": "strict"}, {**said, "filter": "flexible"}]
    )
    assert (result.added, result.flaws, len(journal.responses())) == (1, (), 1)


def test_several_texts_are_several_occasions(tmp_path: Path) -> None:
    _, journal = imported(tmp_path, [generated(0, "A", "B", "")])
    rows = journal.responses().sort_values("occasion")
    assert list(rows["text"]) == ["A", "B", ""]
    assert list(rows["outcome"]) == ["ok", "ok", "empty"]


def test_a_worked_solution_ends_in_the_key(tmp_path: Path) -> None:
    asked = {"gen_args_0": {"arg_0": "How many?", "arg_1": {}}}
    target = "Add 2 and 3.\n#### 5"
    _, journal = imported(tmp_path, [generated(0, "It is 5", target=target, arguments=asked)])
    assert json.loads(journal.items()["target"].iloc[0]) == ["5"]


@pytest.mark.thorough
def test_other_numbers_of_examples_are_other_conditions(tmp_path: Path) -> None:
    def condition(folder: Path, **settings: Any) -> str:
        results = {"model_name": "org/model", "configs": {"barks": settings}}
        result, journal = imported(folder, [generated()], results)
        assert result.examinees == ("lm-eval:org/model",)
        (found,) = set(journal.responses()["condition"])
        return found

    none, again, five = (
        condition(tmp_path / name, num_fewshot=n, metadata={"version": name})
        for name, n in (("a", 0), ("b", 0), ("c", 5))
    )
    assert none == again
    assert none.startswith("pack=lm-eval-")
    assert five != none


FLAWED = {
    "Expecting": "{broken",
    "it is not an object": "[1]",
    "it has no doc_id": {**generated(), "doc_id": None},
    "it has no key": generated(1, target="None"),
    "is not among its options": generated(1, target="7"),
    "the question to the model is missing": generated(1, arguments=[]),
    "the likelihood of a single text": generated(1, resps=[[["-3.5", "False"]]]),
    "neither generated texts nor likelihoods": generated(1, resps=[[7]]),
}


@pytest.mark.parametrize("words", FLAWED)
def test_a_row_that_cannot_be_used_is_named(words: str, tmp_path: Path) -> None:
    result, journal = imported(tmp_path, [generated(0), FLAWED[words], generated(2)])
    (flaw,) = result.flaws
    assert flaw.startswith(f"samples_barks_{DATE}.jsonl, row 2: ")
    assert words in flaw
    assert len(journal.responses()) == 2


def test_a_file_of_another_name_is_refused_in_one_sentence(tmp_path: Path) -> None:
    path = lines(tmp_path / "answers.jsonl", [generated()])
    with pytest.raises(ParameterError, match=r"samples_TASK_DATE\.jsonl"):
        import_file("lm-eval", path, Journal.open(tmp_path / "c.db"))


@pytest.mark.thorough
def test_a_folder_is_searched_for_the_names_of_the_format(tmp_path: Path) -> None:
    imported(tmp_path, [generated()], {"configs": {}})
    done = gf.import_logs("lm-eval", tmp_path / "org__model", journal=tmp_path / "d.db")
    assert [Path(one.file).name for one in done.files] == [f"samples_barks_{DATE}.jsonl"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(ParameterError, match="holds no files samples_TASK_DATE"):
        gf.import_logs("lm-eval", tmp_path / "empty", journal=tmp_path / "d.db")


def test_messages_of_a_chat_are_the_texts_in_them(tmp_path: Path) -> None:
    chat = json.dumps([{"role": "system", "content": "Be brief."},
                       {"role": "user", "content": PROMPT}])  # fmt: skip
    asked = {"gen_args_0": {"arg_0": [chat], "arg_1": {}}}
    _, journal = imported(tmp_path, [generated(arguments=asked)])
    (row,) = journal.items().to_dict("records")
    assert row["question"] == f"Be brief.\n\n{PROMPT}"
    assert row["target"] == '"B"'


@pytest.mark.thorough
def test_logs_that_the_harness_wrote_agree_with_its_figures_and_with_counts_by_hand(
    tmp_path: Path,
) -> None:
    """Likelihoods and letters as the harness rules; of the sums, those that were answered right.

    Of the sums 3 k, those were answered wrongly in which k is a multiple of 3.
    """
    done = gf.import_logs("lm-eval", REAL, journal=tmp_path / "c.db")
    assert done.flaws == ()
    with Journal.open(tmp_path / "c.db") as journal:
        rows = scored(journal)
    assert len(rows) == 12 + 8 + 2 * 8
    right = rows.loc[rows["occasion"] == 0].set_index("item_id")["correct_lenient"]
    compared = 0
    for path in REAL.rglob("samples_*.jsonl"):
        task = path.name.removeprefix("samples_").rsplit("_", 1)[0]
        for line in path.read_text("utf-8").splitlines():
            sample = json.loads(line)
            own = sample.get("acc", sample.get("exact_match"))
            if sample["filter"] == "none":
                assert right[f"{task}/{sample['doc_id']}"] == own, (task, sample["doc_id"])
                compared += 1
    assert compared == 20
    sums = [right[f"balls_gen/{k - 1}"] for k in range(1, 9)]
    assert sums == [float(k % 3 != 0) for k in range(1, 9)]


def test_the_verdicts_of_a_log_are_those_of_its_first_filter(tmp_path: Path) -> None:
    log = tmp_path / f"samples_animals_{DATE}.jsonl"
    rows = [generated(0, filter="strict", exact_match=0.0), generated(1, exact_match=1.0),
            generated(0, filter="flexible", exact_match=1.0)]  # fmt: skip
    log.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert format_of_log(log) == "lm-eval"
    assert format_of_log(tmp_path / "20260101_000000_samples_animals.jsonl") == "lmms-eval"
    assert harness_scores(log) == {("0", 0): 0.0, ("1", 0): 1.0}


@pytest.mark.parametrize("name", list(IMPORTS))
def test_conditions_of_every_format_name_its_harness(name: str) -> None:
    pack = traits_of(name).pack or name
    assert harness_of_pack(pack) == harness_of_pack(f"{pack}-0f3a21bc") == name


@pytest.mark.parametrize("pack", ["", "generic", "mm-iq", "percept-v", "m3gia"])
def test_packs_of_ours_are_of_no_harness(pack: str) -> None:
    assert not harness_of_pack(pack)
