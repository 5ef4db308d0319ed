"""VLMEvalKit's tables: MMBench, BLINK, MMMU, MME and any other, with base64 pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.releases import base64_png, png, write_tsv

from gfactor.benchmarks import build
from gfactor.benchmarks.gold import GOLD_TASKS, LAYERS, TAXONOMIES, family_of, task_named
from gfactor.errors import GfactorError
from gfactor.items import Choice, Image, ItemBank

MMBENCH = [
    {"index": 241, "hint": "Read.", "question": "What is it?", "A": "cat", "B": "dog",
     "answer": "B", "category": "identity_reasoning", "l2-category": "attribute_reasoning",
     "split": "dev", "image": base64_png(1)},
    {"index": 1000241, "question": "What is it?", "A": "dog", "B": "cat", "answer": "A",
     "category": "identity_reasoning", "image": "241"},
    {"index": 242, "question": "这是什么？", "A": "猫", "B": "狗\t或\"狼\"", "answer": "A",
     "category": "image_style", "image": base64_png(2)},
]  # fmt: skip


def load(folder: Path, name: str, rows: list[dict[str, Any]], **options: Any) -> ItemBank:
    path = write_tsv(folder / f"{name}.tsv", rows)
    built = build("vlmevalkit", folder / "bank.parquet", source=str(path), **options)
    return ItemBank.open(built.path, decode=True)


def test_mmbench_has_options_circular_sets_and_pictures_of_other_rows(tmp_path: Path) -> None:
    bank = load(tmp_path, "MMBench_DEV_EN", MMBENCH)
    first, turned, chinese = bank
    assert first.id == "MMBench_DEV_EN/241"
    assert first.benchmark == "mmbench"
    assert first.content == (first.images[0], "Read.", "What is it?")
    assert first.images[0].data == png(1, 8, 8)
    assert turned.images[0].data == first.images[0].data
    assert (first.labels["circular"], turned.labels["circular"]) == (0, 1)
    assert turned.labels["circular_set"] == "241"
    assert first.labels["capability"] == "attribute_reasoning"
    assert chinese.language == "zh"
    assert chinese.choices[1] == Choice("B", '狗\t或"狼"')
    assert "circular" not in chinese.labels


def test_mmmu_places_pictures_by_their_marks(tmp_path: Path) -> None:
    bank = load(tmp_path, "MMMU_DEV_VAL", [
        {"index": 1, "question": "See <image 1>, then <image 2>.", "A": "x", "B": "y",
         "answer": "A", "category": "Basic_Medical_Science",
         "image": str([base64_png(1), base64_png(2)])},
        {"index": 2, "question": "Which?", "A": "<image 1>", "B": "<image 2>", "answer": "B",
         "category": "Math", "image": str([base64_png(3), base64_png(4)])},
        {"index": 3, "question": "Which?", "A": "<image 1> is right", "B": "none", "answer": "B",
         "category": "Art", "image": base64_png(5)},
        {"index": 4, "question": "How many?", "answer": "['4', 'four']", "category": "Physics",
         "image": base64_png(6)},
    ])  # fmt: skip
    placed, pictured, mixed, blank = bank
    assert placed.content == ("See", placed.images[0], ", then", placed.images[1], ".")
    assert placed.labels["gold_layer"] == "Memory"
    assert all(isinstance(c.content, Image) for c in pictured.choices)
    assert mixed.content == ("Which?", "A.", mixed.images[0], "is right", "B.", "none")
    assert [c.content for c in mixed.choices] == ["", ""]
    assert (blank.answer_type, blank.target, blank.accepted) == ("blanks", ("4",), (("four",),))
    assert placed.labels["capability"] == "health_and_medicine"


def test_mme_asks_for_yes_or_no(tmp_path: Path) -> None:
    rows = [{"index": 0, "question": "Is it red? Please answer yes or no.", "answer": "Yes",
             "category": "color", "image": base64_png(1)}]  # fmt: skip
    (item,) = load(tmp_path, "MME", rows)
    assert (item.target, [c.label for c in item.choices]) == ("Yes", ["Yes", "No"])
    assert (item.labels["capability"], item.labels["gold_layer"]) == ("perception", "Perception")


@pytest.mark.thorough
def test_blink_has_several_pictures_and_any_other_set_its_own_name(tmp_path: Path) -> None:
    rows = [
        {
            "index": 7,
            "question": "Which is nearer?",
            "A": "(A)",
            "B": "(B)",
            "answer": "A",
            "category": "Relative_Depth",
            "image": str([base64_png(1), base64_png(2)]),
        }
    ]
    (item,) = load(tmp_path, "BLINK", rows)
    assert item.labels["capability"] == "low-level"
    assert item.labels["image_type"] == "MI"
    (other,) = load(tmp_path, "MyBench", rows)
    assert (other.benchmark, other.labels["domain"]) == ("mybench", "relative_depth")
    assert "capability" not in other.labels


def test_a_folder_is_one_bank_with_a_part_per_file(tmp_path: Path) -> None:
    folder = tmp_path / "all"
    folder.mkdir()
    write_tsv(folder / "MMBench_DEV_EN.tsv", MMBENCH)
    write_tsv(folder / "BLINK.tsv", [{"index": 1, "question": "?", "A": "x", "B": "y",
                                      "answer": "A", "image": base64_png(9)}])  # fmt: skip
    built = build("vlmevalkit", tmp_path / "b.parquet", source=str(folder))
    bank = ItemBank.open(built.path)
    assert bank.metadata["datasets"] == ["BLINK", "MMBench_DEV_EN"]
    assert len(bank) == 4
    with pytest.raises(GfactorError, match="--dataset names one file"):
        build("vlmevalkit", tmp_path / "c.parquet", source=str(folder), dataset="x")


@pytest.mark.parametrize(
    ("cells", "told"),
    [
        ({"answer": ""}, "it has no key"),
        ({"answer": "D"}, "its key 'D' is not among its options (A, B)"),
        ({"C": "", "D": "x"}, "it has an option D, but not all options before it"),
        ({"image": "999"}, "its image is that of row '999', which holds none"),
        ({"image": "x" * 70}, "its image is not base64"),
        ({"image": "[" + "x" * 70}, "its image begins like a list"),
        ({"question": "See <image 2>"}, "its text names image 2, but it has 1"),
        ({"index": ""}, "it has no index"),
        ({"index": 241}, "the id is already that of data row 1"),
    ],
)
def test_an_invalid_row_is_told_with_file_row_and_id(
    tmp_path: Path, cells: dict[str, Any], told: str
) -> None:
    rows = [MMBENCH[0], {**MMBENCH[2], **cells}]
    with pytest.raises(GfactorError) as error:
        load(tmp_path, "MMBench", rows)
    assert "'MMBench.tsv', data row 2" in str(error.value)
    assert told in str(error.value)
    bank = load(tmp_path, "MMBench", rows, skip_invalid=True)
    assert (len(bank), bank.metadata["skipped"]) == (1, 1)


def test_a_file_that_is_no_table_is_told(tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    path.write_text("index\tquestion\tanswer\n1\ta\n")
    with pytest.raises(GfactorError, match=r"'x.tsv', data row 1: it has 2 cells for 3 columns"):
        build("vlmevalkit", tmp_path / "b.parquet", source=str(path))
    path.write_text("index\tquestion\n1\ta\n")
    with pytest.raises(GfactorError, match="has no column 'answer'"):
        build("vlmevalkit", tmp_path / "b.parquet", source=str(path))


def test_a_mark_without_a_number_takes_the_next_picture(tmp_path: Path) -> None:
    pictures = str([base64_png(1), base64_png(2)])
    rows = [
        {"index": 1, "question": "Turn <image> into <image>, then?", "A": "x", "B": "y",
         "answer": "A", "image": pictures},
        {"index": 2, "question": "<image> again <image> and <image>", "A": "x", "B": "y",
         "answer": "A", "image": pictures},
        {"index": 3, "question": "Which?", "A": "<image>", "B": "<image>", "answer": "A",
         "image": pictures},
    ]  # fmt: skip
    placed, more, options = load(tmp_path, "MySet", rows)
    assert placed.content == ("Turn", placed.images[0], "into", placed.images[1], ", then?")
    assert more.content == (more.images[0], "again", more.images[1], "and <image>")
    assert [choice.content for choice in options.choices] == list(options.images)


def test_skip_invalid_goes_on_past_a_file_without_keys(tmp_path: Path) -> None:
    folder = tmp_path / "all"
    folder.mkdir()
    write_tsv(folder / "MMBench_DEV_EN.tsv", MMBENCH)
    keyless = [{name: cell for name, cell in row.items() if name != "answer"} for row in MMBENCH]
    write_tsv(folder / "MMBench_TEST_EN.tsv", keyless)
    with pytest.raises(GfactorError, match=r"'MMBench_TEST_EN.tsv' has no column 'answer'"):
        build("vlmevalkit", tmp_path / "b.parquet", source=str(folder))
    built = build("vlmevalkit", tmp_path / "b.parquet", source=str(folder), skip_invalid=True)
    bank = ItemBank.open(built.path)
    assert (len(bank), bank.metadata["skipped"]) == (3, 1)
    alone = str(folder / "MMBench_TEST_EN.tsv")
    with pytest.raises(GfactorError, match="there is nothing to load"):
        build("vlmevalkit", tmp_path / "c.parquet", source=alone, skip_invalid=True)


def test_the_taxonomies_have_the_published_numbers_of_tasks() -> None:
    counts = {f: sum(map(len, groups.values())) for f, groups in TAXONOMIES.items()}
    assert counts == {"mmbench": 20, "blink": 14, "mmmu": 30, "mme": 14}
    assert {f: len(groups) for f, groups in TAXONOMIES.items()} == {
        "mmbench": 6, "blink": 3, "mmmu": 6, "mme": 2,
    }  # fmt: skip
    for task in GOLD_TASKS.values():
        assert task.task in {t for tasks in TAXONOMIES[task.family].values() for t in tasks}
    assert [t.layer for t in GOLD_TASKS.values()] == [LAYERS[0]] * 3 + [LAYERS[1]] * 3 + [
        LAYERS[2]
    ] * 5


@pytest.mark.parametrize(
    ("dataset", "family"),
    [("MMBench_DEV_EN_V11", "mmbench"), ("MME", "mme"), ("MMMU_DEV_VAL", "mmmu"),
     ("MME-RealWorld", ""), ("MMMU-Pro", ""), ("CCBench", ""), ("BLINK", "blink")],
)  # fmt: skip
def test_a_data_sets_name_tells_its_family(dataset: str, family: str) -> None:
    assert family_of(dataset) == family


@pytest.mark.parametrize(
    ("family", "written", "task"),
    [
        ("blink", "Multi-view_Reasoning", "multi-view_reasoning"),
        ("blink", "IQ_Test", "iq_test"),
        ("mmmu", "Diagnostics_and_Laboratory_Medicine", "diagnostics_and_laboratory_medicine"),
        ("mme", "OCR", "ocr"),
        (
            "mmbench",
            "Structured Image-Text Understanding",
            "structuralized_imagetext_understanding",
        ),
        ("", "My Task", "my_task"),
        ("", "Groß", "groß"),
    ],
)
def test_tasks_are_read_as_files_spell_them(family: str, written: str, task: str) -> None:
    assert task_named(family, written) == task


def test_a_column_names_the_scoring_rule_of_an_own_tables_texts(tmp_path: Path) -> None:
    row = {"question": "How fast?", "answer": "37 m/s"}
    rows = [{"index": 1, **row, "scoring_rule": "number"}, {"index": 2, **row, "scoring_rule": ""}]
    named, plain = load(tmp_path, "OWN", rows)
    assert named.labels["scoring_rule"] == "number"
    assert not {"scoring_rule", "given_scoring_rule"} & {*plain.labels}
    assert "given_scoring_rule" not in named.labels
    rows[1]["scoring_rule"] = "numbers"
    with pytest.raises(GfactorError, match=r"'numbers'; the rules are VQA accuracy, .*, number"):
        load(tmp_path, "OWN", rows)
