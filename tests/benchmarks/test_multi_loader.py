"""MULTI from its release: every shape of problem, Elite, Extend, captions, OCR, missing images."""

from __future__ import annotations

import csv
import zipfile
from pathlib import Path
from typing import Any

import pytest
from support.releases import IMAGES, multi_problems, problem, write_multi

from gfactor.administration.presenting.image_texts import read_image_texts
from gfactor.administration.presenting.knowledge import read_knowledge
from gfactor.benchmarks import build
from gfactor.errors import GfactorError
from gfactor.items import Image, Item, ItemBank


def load(folder: Path, **options: Any) -> ItemBank:
    built = build("multi", folder / "bank.parquet", source=str(folder / "release"), **options)
    return ItemBank.open(built.path, decode=True)


@pytest.fixture
def bank(tmp_path: Path) -> ItemBank:
    write_multi(tmp_path / "release")
    return load(tmp_path)


def one(folder: Path, entry: dict[str, Any]) -> Item:
    write_multi(folder / "release", {"p_1": entry})
    return next(iter(load(folder)))


def test_sub_questions_are_items_with_the_problem_before_each(bank: ItemBank) -> None:
    subs = [bank.item(f"gzhx_4_{k}") for k in range(3)]
    assert [item.answer_type for item in subs] == ["blanks", "open", "choice"]
    assert all(item.text.startswith("阅读材料：氧气占空气的五分之一。\n") for item in subs)
    assert {item.labels["problem"] for item in subs} == {"gzhx_4"}


def test_blanks_are_lines_and_each_has_alternatives_of_its_own(bank: ItemBank) -> None:
    item = bank.item("gzhx_4_0")
    assert item.target == ("氧气", "$O_2$")
    assert item.accepted == (("O2", "$O_2$"), ("氧气或O2", "$O_2$"))
    assert item.labels["masks"] == 2


def test_pictures_stand_where_the_text_names_them(bank: ItemBank) -> None:
    item = bank.item("czsx_1_0")
    assert item.content[0] == "如图，$BM=$ [MASK]"
    assert isinstance(item.content[1], Image)
    assert [c.content for c in item.choices] == ["$1$", "$\\sqrt 3$", "4", "6"]
    assert item.images[0].path == "images/czsx/1_1.png"


def test_options_may_be_pictures(bank: ItemBank) -> None:
    item = bank.item("gzwl_3_0")
    assert all(isinstance(c.content, Image) for c in item.choices)
    assert item.target == ("A", "C")
    assert (item.labels["image_type"], item.labels["image_in_options"]) == ("MI", "yes")


def test_options_of_text_and_picture_stay_in_reading_order(bank: ItemBank) -> None:
    item = bank.item("dx_6_0")
    assert [c.content for c in item.choices] == ["", ""]
    assert item.content[-2:] == (item.images[0], "大\nB. 右图大")
    assert item.labels["images_shown"] == 3


def test_options_in_the_picture_are_labels_alone(bank: ItemBank) -> None:
    item = bank.item("xc_5_0")
    assert [(c.label, c.content) for c in item.choices] == [(x, "") for x in "ABCD"]


def test_labels_say_all_that_the_tables_are_broken_down_by(bank: ItemBank) -> None:
    labels = bank.labels()
    assert labels["czsx_1_0"] == {
        "domain": "数学", "image_type": "SI", "type": "SA", "level": "JuH", "problem": "czsx_1",
        "elite": "yes", "image_in_options": "no", "explained": "yes", "extended": "yes",
        "subject": "数学", "stage": "初中", "images_shown": 1, "options": 4, "masks": 1,
        "characters": 46, "answer_characters": 1, "answer_images": 0, "analysis_characters": 6,
        "analysis_images": 1, "difficulty": 2, "quality": 3, "knowledge": ("三角形",),
    }  # fmt: skip
    levels = {item_id: own["level"] for item_id, own in labels.items()}
    assert (levels["jk_2_0"], levels["xc_5_0"], levels["dx_6_0"]) == ("Driv", "AAT", "Uni")
    assert labels["gzwl_3_0"]["knowledge"] == ("力学", "运动")


def test_others_are_left_out_and_counted_unless_asked_for(tmp_path: Path, bank: ItemBank) -> None:
    assert "czyw_7_0" not in bank
    assert bank.metadata["left_out"] == {"Others": 1}
    whole = load(tmp_path, others=True)
    assert whole.item("czyw_7_0").labels["type"] == "Others"
    assert len(whole) == len(bank) + 1


def test_metadata_name_the_release(bank: ItemBank) -> None:
    facts = bank.metadata
    assert facts["release"] == "1.3.1_20241210"
    assert (facts["problems"], facts["elite"], facts["knowledge_pieces"]) == (9, 2, 2)


def test_captions_ocr_and_knowledge_are_files_that_conditions_take(bank: ItemBank) -> None:
    folder = bank.path.parent
    for end, text in ((".captions.csv", "图片 czsx/1_1.png, 一张图"), (".ocr.csv", "字 0")):
        texts = read_image_texts(folder / f"bank{end}")
        texts.check(bank)
        assert texts.of(bank.item("czsx_1_0").images[0], "") == text
    knowledge = read_knowledge(folder / "bank.knowledge.csv")
    knowledge.check(bank)
    assert knowledge.of(bank.item("czsx_1_0")) == ("三条边围成。",)
    with (folder / "bank.captions.csv").open(encoding="utf-8", newline="") as file:
        assert len(list(csv.DictReader(file))) == len(IMAGES)


def test_the_release_may_be_a_list_and_an_archive(tmp_path: Path, bank: ItemBank) -> None:
    entries = [{"problem_id": name, **entry} for name, entry in multi_problems().items()]
    write_multi(tmp_path / "list", entries)
    archive = tmp_path / "zipped" / "MULTI_v1.3.1.zip"
    archive.parent.mkdir()
    with zipfile.ZipFile(archive, "w") as out:
        for path in sorted((tmp_path / "list").rglob("*")):
            out.write(path, Path("MULTI") / path.relative_to(tmp_path / "list"))
    digests = set()
    for source in (tmp_path / "list", archive.parent, archive):
        built = build("multi", tmp_path / "again.parquet", source=str(source), jobs=2)
        digests.add((built.items, built.scene_digest, built.pixel_digest))
    facts = bank.metadata
    assert digests == {(facts["items"], facts["scene_digest"], facts["pixel_digest"])}


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        (problem("选择", "?", "A"), "its type '选择' is none of 单选, 多选, 填空, 解答, 其他"),
        (problem("单选", "? \nA. 1\nB. 2", "AB"), "its key 'AB' names 2 options, but one can be"),
        (problem("单选", "?\nA. 1\nB. 2", "D"), "its key 'D' is not among its options (A, B)"),
        (problem("单选", "?\nA. 1\nB. 2", "对"), "its key '对' is not the letter of an option"),
        (problem("多选", "?\nA. 1\nB. 2", ""), "its key '' is not the letter of an option"),
        (problem("填空", "[MASK]", " \n"), "it has no answer"),
        (problem("解答", "", "x"), "it has no question"),
        (problem("填空", "[IMAGE_2]", "x", img_paths=["a.png"]), "its text names image 2, but"),
        (problem("填空", "[IMAGE_1]", "x", img_paths=["gone.png"]), "image 'gone.png' is not in"),
        (problem("填空", "[MASK]", "x", problem_answer_list=[]), "its problem_answer_list has no"),
        (problem("填空", "[MASK]", "x", problem_type_list=None), "it has no problem_type_list"),
        ("a text", "it is not a JSON object with fields"),
    ],
)
def test_an_invalid_problem_is_told_with_file_number_and_id(
    tmp_path: Path, entry: Any, told: str
) -> None:
    write_multi(tmp_path / "release", {"p_1": problem("填空", "[MASK]", "x"), "p_2": entry})
    with pytest.raises(GfactorError) as error:
        load(tmp_path)
    assert "'problem_v1.3.1_20241210.json', problem 2, id 'p_2" in str(error.value)
    assert f": {told}" in str(error.value)
    bank = load(tmp_path, skip_invalid=True)
    assert (bank.ids, bank.metadata["skipped"]) == (("p_1_0",), 1)


def test_a_damaged_picture_is_told(tmp_path: Path) -> None:
    write_multi(tmp_path / "release")
    path = tmp_path / "release" / "images" / "xc" / "5_1.png"
    path.write_bytes(path.read_bytes()[:40])
    with pytest.raises(GfactorError, match=r"id 'xc_5_0': image 'images/xc/5_1\.png' is a PNG"):
        load(tmp_path)


def test_nothing_loadable_is_no_bank(tmp_path: Path) -> None:
    write_multi(tmp_path / "release", {"p_1": problem("单选", "?", "对")})
    with pytest.raises(GfactorError, match="there are no items to write"):
        load(tmp_path, skip_invalid=True)


def test_a_file_that_is_no_release_is_told(tmp_path: Path) -> None:
    (tmp_path / "release").mkdir()
    with pytest.raises(GfactorError, match="holds no problem_"):
        load(tmp_path)
    (tmp_path / "release" / "problem_v1.json").write_text("{")
    with pytest.raises(GfactorError, match="cannot be read as JSON"):
        load(tmp_path)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("content", "stem", "options"),
    [
        ("求 [MASK]\nA．1\nB．2\nC．3", "求 [MASK]", ["1", "2", "3"]),
        ("求 [MASK] A. 1 B. 2", "求 [MASK]", ["1", "2"]),
        ("求 [MASK]\n(A) 一\n(B) 二\n行", "求 [MASK]", ["一", "二\n行"]),
        ("点A、B在圆上 [MASK]\nA. 是\nB. 否", "点A、B在圆上 [MASK]", ["是", "否"]),
    ],
)
def test_options_are_parsed_from_the_text(
    tmp_path: Path, content: str, stem: str, options: list[str]
) -> None:
    item = one(tmp_path, problem("单选", content, "B"))
    assert item.content == (stem,)
    assert [c.content for c in item.choices] == options


def test_a_word_with_the_sign_of_alternatives_in_it_is_one_text(tmp_path: Path) -> None:
    assert one(tmp_path, problem("填空", "[MASK]", "或许")).target == ("或许",)


def test_a_path_out_of_the_release_is_never_read(tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(b"x")
    entry = problem("填空", "[IMAGE_1][MASK]", "x", img_paths=["../../secret.png"])
    with pytest.raises(GfactorError, match="is not in the release"):
        one(tmp_path, entry)
