"""Small files of exactly the formats in which M3GIA, MM-IQ, MULTI and VLMEvalKit are published."""

from __future__ import annotations

import base64
import csv
import json
import struct
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from support.banks import picture

FILES = {"en": "en", "zh": "zh", "fr": "fr", "es": "es", "pt": "pt", "ko": "ko"}
LONG = {"en": "english", "zh": "chinese", "fr": "french", "es": "spanish", "pt": "portuguese",
        "ko": "korean"}  # fmt: skip
ASKED = {
    "en": "Which word means the same as {0}?",
    "zh": "哪个词与{0}意思相同？",
    "fr": "Quel mot a le même sens que {0} ?",
    "es": "¿Qué palabra significa lo mismo que {0}?",
    "pt": "Que palavra significa o mesmo que {0}?",
    "ko": "{0}와 뜻이 같은 낱말은 무엇입니까?",
}
_IMAGE = pa.struct([("bytes", pa.binary()), ("path", pa.string())])


def png(shade: int, width: int = 8, height: int = 6) -> bytes:
    """Encode a picture, another for every shade, into the same bytes on every machine.

    Imported items are known by the bytes of their files, which are the publisher's; compressed
    ones would differ between the libraries and processors that compress them.
    """
    rows = picture(shade, width, height).reshape(height, width * 3)
    body = zlib.compress(np.pad(rows, ((0, 0), (1, 0))).tobytes(), 0)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in ((b"IHDR", header), (b"IDAT", body), (b"IEND", b""))
    )


def _table(rows: Sequence[Mapping[str, Any]], numbers: Sequence[str], path: Path) -> Path:
    columns: dict[str, pa.Array] = {}
    for name in rows[0]:
        kind: pa.DataType = pa.int64() if name in numbers else pa.string()
        if name == "image":
            kind = _IMAGE
        columns[name] = pa.array([row[name] for row in rows], kind)
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns), path)
    return path


def m3gia_rows(language: str) -> list[dict[str, Any]]:
    """Four rows: options that end with none, options in the picture, no picture, a hint."""
    base = {"hint": "none", "E": None, "F": None, "image": None}
    return [
        {
            **base, "index": "1", "question": ASKED[language].format("alpha"), "A": "beta",
            "B": "gamma", "C": "delta", "D": "none", "QuestionTypes": "Oral Vocabulary",
        },
        {
            **base, "index": "51", "question": "?", "A": "A", "B": "(B)", "C": "C.", "D": "D",
            "image": {"bytes": png(51), "path": "51.png"}, "QuestionTypes": "Visualization",
        },
        {
            **base, "index": "211", "question": "2, 4, 8, ?", "A": "10", "B": "12", "C": "16",
            "D": "20", "E": "32", "QuestionTypes": "Number Seres",
        },
        {
            **base, "index": "251", "hint": "Look at the rows.", "question": "Which fits?",
            "A": "a dot", "B": "a line", "C": "a cross", "D": "nan",
            "image": {"bytes": png(251), "path": None}, "QuestionTypes": "Raven’s Matrices",
        },
    ]  # fmt: skip


KEYS = {"1": "B", "51": "D", "211": "C", "251": "A"}


def write_m3gia(folder: Path, languages: Sequence[str] = tuple(FILES), **changed: Any) -> Path:
    """Files as on the hub, `en_final.parquet` ..., and the keys as in the paper's repository.

    `changed` maps a language to its rows.
    """
    for language in languages:
        rows = changed.get(language) or m3gia_rows(language)
        order = ["index", "question", "hint", *"ABCDEF", "image", "QuestionTypes"]
        ordered = [{name: row[name] for name in order} for row in rows]
        _table(ordered, (), folder / f"{FILES[language]}_final.parquet")
        entries = [
            {"question_id": r["index"], "question_type": r["QuestionTypes"],
             "ground_truth": KEYS.get(str(r["index"]), "A")}
            for r in rows
        ]  # fmt: skip
        keys = folder / "data" / "ground_truth" / f"answer_dict_{LONG[language]}.jsonl"
        keys.parent.mkdir(parents=True, exist_ok=True)
        keys.write_text(json.dumps(entries, indent=1), encoding="utf-8")
    return folder


def mm_iq_rows() -> list[dict[str, Any]]:
    """A row of each paradigm, in both languages."""
    categories = (
        "Mathematical", "Temporal Movement", "3D-Geometry", "Logical Operation", "2D-Geometry",
        "Spatial Relationship", "Visual Instruction", "Concrete Object",
    )  # fmt: skip
    return [
        {
            "category": category, "question": f"Choose the option that fits best ({number}).",
            "question_en": f"Choose the option that fits best ({number}).",
            "question_zh": f"请选出最合适的一项（{number}）。",
            "image": {"bytes": png(number + 3), "path": f"{number}.png"}, "MD5": f"{number:032x}",
            "data_id": number, "answer": "ABCD"[number % 4], "split": "test",
        }
        for number, category in enumerate(categories)
    ]  # fmt: skip


def write_mm_iq(folder: Path, rows: Sequence[Mapping[str, Any]] | None = None) -> Path:
    """The split as on the hub."""
    _table(rows or mm_iq_rows(), ("data_id",), folder / "data" / "test-00000-of-00001.parquet")
    return folder


def problem(kind: str, content: str, answer: str, **changed: Any) -> dict[str, Any]:
    """A problem with one question; `changed` replaces its fields."""
    return {
        "problem_content": "", "problem_content_list": [content], "problem_type_list": [kind],
        "problem_answer_list": [answer], "problem_analysis_list": [""], "img_paths": [],
        "knowledge": [], "education": "初中", "subject": ["数学"], "difficulty": 2, "quality": 3,
        **changed,
    }  # fmt: skip


def multi_problems() -> dict[str, dict[str, Any]]:
    """Every shape of problem: types, sub-questions, several blanks, alternatives, pictures."""
    return {
        "czsx_1": problem(
            "单选", "如图，$BM=$ [MASK]\n[IMAGE_1]\nA. $1$\nB. $\\sqrt 3$\nC. 4\nD. 6", "B",
            img_paths=["../data/images/czsx/1_1.png"], knowledge=["三角形"],
            problem_analysis_list=["由勾股定理。[IMAGE_2]"],
        ),
        "jk_2": problem(
            "单选", "看到这个标志应当停车。[MASK]\nA. 正确\nB. 错误", "A", subject=["驾考"],
            education="社会",
        ),
        "gzwl_3": problem(
            "多选", "下列说法正确的是 [MASK]\nA. [IMAGE_1]\nB. [IMAGE_2]\nC. [IMAGE_3]", "AC",
            img_paths=["gzwl/3_1.png", "gzwl/3_2.png", "gzwl/3_3.png"], subject=["物理"],
            education="高中", knowledge=["力学", "运动"],
        ),
        "gzhx_4": {
            **problem("填空", "", ""), "problem_content": "阅读材料：氧气占空气的五分之一。",
            "problem_content_list": ["该气体是[MASK]，分子式为[MASK]。", "它的用途有哪些？",
                                     "哪一项是它？[MASK]\nA. 氮\nB. 氧"],
            "problem_type_list": ["填空", "解答", "单选"],
            "problem_answer_list": ["氧气或O2\n$O_2$", "支持燃烧，供给呼吸。", "B"],
            "problem_analysis_list": ["", "", "空气中氧约占五分之一。"],
            "education": "高中", "subject": ["化学"],
        },
        "xc_5": problem(
            "单选", "从所给的四个选项中选出一个 [MASK]\n[IMAGE_1]", "D", subject=["行测"],
            img_paths=["images/xc/5_1.png"], education="社会",
        ),
        "dx_6": problem(
            "单选", "比较 [IMAGE_1][IMAGE_2]，正确的是 [MASK]\nA. 左图 [IMAGE_1] 大\nB. 右图大",
            "B", img_paths=["dx/6_1.png", "dx/6_2.png"], education="大学", subject=["计算机"],
        ),
        "czyw_7": problem("其他", "请画一幅画。", "略", subject=["语文"]),
        "gzls_8": problem("解答", "简述其历史意义。", "它推动了社会的发展。", subject=["历史"]),
        "czdl_9": problem("多选", "属于亚洲的有 [MASK]\nA. 中国\nB. 法国\nC. 日本\nD. 韩国", "ACD",
                          subject=["地理"]),
    }  # fmt: skip


IMAGES = (
    "czsx/1_1.png", "gzwl/3_1.png", "gzwl/3_2.png", "gzwl/3_3.png", "xc/5_1.png", "dx/6_1.png",
    "dx/6_2.png",
)  # fmt: skip


def write_multi(
    folder: Path,
    problems: Mapping[str, Any] | Sequence[Any] | None = None,
    images: Sequence[str] = IMAGES,
) -> Path:
    """A release: problems, images, Elite list, knowledge, captions and OCR."""
    folder.mkdir(parents=True, exist_ok=True)
    for shade, name in enumerate(images):
        path = folder / "images" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(png(shade + 20))

    def put(name: str, value: Any) -> None:
        (folder / name).write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")

    put("problem_v1.3.1_20241210.json", multi_problems() if problems is None else problems)
    put("hard_list_v1.3.0_20241203.json", ["czsx_1_0", "gzwl_3_0"])
    put("knowledge_v1.3.0_20241203.json", {
        "三角形": {"knowledge": "三角形", "knowledge_content": "三条边围成。[IMAGE_1]",
                "knowledge_images": ["k.png"]},
        "力学": {"knowledge": "力学", "knowledge_content": "力是物体间的作用。",
               "knowledge_images": []},
    })  # fmt: skip
    captions = "\n".join(f"../data/images/{name},图片 {name}, 一张图" for name in images)
    (folder / "captions_points_20241119.csv").write_text(f"image_path,caption\n{captions}\n")
    ocr = "\n".join(f"../data/images/{name},字 {k}" for k, name in enumerate(images))
    (folder / "ocr_data_20231117.csv").write_text(f"image_path,ocr\n{ocr}\n")
    return folder


def write_tsv(path: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    """A table as pandas writes it for VLMEvalKit: columns of all rows, empty where one has none."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(names)
        writer.writerows([row.get(name, "") for name in names] for row in rows)
    return path


def base64_png(shade: int, size: int = 8) -> str:
    """A picture as a cell of VLMEvalKit's tables."""
    return base64.b64encode(png(shade, size, size)).decode()
