"""The whole of MULTI's settings (type x image x input x prompt), as they are put, for review.

Snapshots are in `snapshots/`: one file per type, one paragraph per prompt, headed by all settings
that give it; a line is a turn, <...> a picture, / a line break. To write them anew after a change
that is wanted, run this file as a program:

    PYTHONPATH=tests python tests/benchmarks/test_multi_prompts.py
"""

from __future__ import annotations

import atexit
import base64
import tempfile
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from support.releases import problem, write_multi

from gfactor.administration import Condition, Materials, render
from gfactor.administration.presenting.condition_text import read_condition
from gfactor.administration.presenting.image_texts import read_image_texts
from gfactor.administration.presenting.knowledge import read_knowledge
from gfactor.benchmarks import build
from gfactor.examinees import RenderedItem
from gfactor.examinees.http.payload import Dialect, request_body
from gfactor.items import Image, Item, ItemBank

SNAPSHOTS = Path(__file__).parent / "snapshots"
TYPES = {"SA": "单选", "MA": "多选", "FB": "填空", "OP": "解答"}
PICTURES = {"NI": 0, "SI": 1, "MI": 2}
INPUTS = {
    "images": "",
    "one a turn": "presentation=image-per-turn",
    "blank if none": "images=blank-if-needed",
    "first image": "images=first",
    "no images": "images=removed",
    "captions": "images=captioned",
    "OCR": "images=transcribed",
}
PROMPTS = {
    "base": "background=on",
    "no background": "",
    "step by step": "background=on,cot=on",
    "decline": "background=on,decline=on",
    "knowledge": "background=on,knowledge=on",
}
LANGUAGES = ("zh", "en")


def content(kind: str, images: int) -> tuple[str, str]:
    shown = "".join(f"[IMAGE_{k}]" for k in range(1, images + 1))
    if kind in ("SA", "MA"):
        # With several pictures the last two options are pictures.
        options = ["春", "夏", "[IMAGE_1]", "[IMAGE_2]"] if images > 1 else ["春", "夏", "秋", "冬"]
        listed = "\n".join(f"{x}. {o}" for x, o in zip("ABCD", options, strict=True))
        text = f"哪个季节最热？[MASK]\n{shown if images == 1 else ''}\n{listed}"
        return text, "B" if kind == "SA" else "BC"
    if kind == "FB":
        return f"由图{shown}可知，一年有[MASK]季，最热的是[MASK]。", "四或4\n夏"
    return f"请描述一年的季节。{shown}", "一年有春夏秋冬四个季节。"


@cache
def bank() -> ItemBank:
    """An item of every type and number of pictures, with the texts beside them."""
    made = tempfile.TemporaryDirectory(prefix="gfactor-multi-")
    atexit.register(made.cleanup)
    folder = Path(made.name)
    problems = {}
    for kind, written in TYPES.items():
        for pictures, images in PICTURES.items():
            text, answer = content(kind, images)
            paths = [f"{kind}/{pictures}{k}.png" for k in range(1, images + 1)]
            problems[f"{kind}_{pictures}"] = problem(
                written, text, answer, img_paths=paths, subject=["地理"], knowledge=["气候"]
            )
    images = tuple(path for p in problems.values() for path in p["img_paths"])
    write_multi(folder / "release", problems, images)
    (folder / "release" / "knowledge_v1.3.0_20241203.json").write_text(
        '{"气候": {"knowledge_content": "夏季气温最高。"}}', encoding="utf-8"
    )
    build("multi", folder / "bank.parquet", source=str(folder / "release"))
    return ItemBank.open(folder / "bank.parquet")


def put(item: Item, given: str, prompt: str, language: str) -> RenderedItem:
    """The item under one of the settings."""
    parts = [INPUTS[given], PROMPTS[prompt], f"prompt_language={language}"]
    condition: Condition = read_condition(",".join(filter(None, parts)))
    stem = bank().path.with_suffix("")
    texts = {"captions": ".captions.csv", "OCR": ".ocr.csv"}.get(given)
    return render(
        item,
        condition,
        Materials(
            texts=read_image_texts(Path(f"{stem}{texts}")) if texts else None,
            knowledge=read_knowledge(Path(f"{stem}.knowledge.csv"))
            if condition.knowledge
            else None,
        ),
    )


def cells() -> Iterator[tuple[Item, str, str, str]]:
    for item in bank():
        for given in INPUTS:
            for prompt in PROMPTS:
                for language in LANGUAGES:
                    yield item, given, prompt, language


def turns(rendered: RenderedItem) -> str:
    def shown(segment: str | Image) -> str:
        if isinstance(segment, Image):
            return f"<{Path(segment.path).name or 'black'}>"
        return segment.replace("\n", " / ")

    return "\n".join(" / ".join(map(shown, turn)) for turn in (*rendered.earlier, rendered.content))


@cache
def snapshots() -> Mapping[str, str]:
    """Type -> the text of its snapshot."""
    files: dict[str, list[str]] = {kind: [] for kind in TYPES}
    for item in bank():
        same: dict[tuple[str, str, str], list[str]] = {}
        for own, given, prompt, language in cells():
            if own.id == item.id:
                text = turns(put(item, given, prompt, language))
                same.setdefault((language, prompt, text), []).append(given)
        kind, pictures = str(item.labels["type"]), str(item.labels["image_type"])
        for (language, prompt, text), inputs in sorted(same.items(), key=lambda pair: pair[0][:2]):
            head = f"== {kind} {pictures} | {language} | {prompt} | {', '.join(inputs)}"
            files[kind].append(f"{head}\n{text}\n")
    return {kind: "\n".join(blocks) for kind, blocks in files.items()}


@pytest.mark.thorough
@pytest.mark.parametrize("kind", list(TYPES))
def test_every_setting_is_put_as_in_its_snapshot(kind: str) -> None:
    kept = (SNAPSHOTS / f"multi-{kind}.txt").read_text(encoding="utf-8")
    assert snapshots()[kind] == kept


def test_the_grid_is_whole() -> None:
    assert len(list(cells())) == 4 * 3 * 7 * 5 * 2
    assert {(i.labels["type"], i.labels["image_type"]) for i in bank()} == {
        (kind, pictures) for kind in TYPES for pictures in PICTURES
    }


@pytest.mark.thorough
def test_a_conversation_ends_on_the_answer_request() -> None:
    asked = {"zh": "请现在作答。", "en": "Answer it now."}
    waits = {"zh": "暂不作答。", "en": "do not answer yet."}
    conversations = 0
    for item, given, prompt, language in cells():
        rendered = put(item, given, prompt, language)
        several = given == "one a turn" and len(item.images) > 1
        assert bool(rendered.earlier) == several
        if several:
            conversations += 1
            assert str(rendered.content[-1]).endswith(asked[language])
            assert all(str(turn[-1]).endswith(waits[language]) for turn in rendered.earlier)
            images = [sum(isinstance(s, Image) for s in turn)
                      for turn in (*rendered.earlier, rendered.content)]  # fmt: skip
            assert images == [1] * len(item.images)
    assert conversations == 4 * 5 * 2


@pytest.mark.thorough
def test_nothing_of_a_removed_image_is_in_the_request() -> None:
    searched = 0
    for item, given, prompt, language in cells():
        if given not in ("no images", "captions", "OCR") or not item.images:
            continue
        body = request_body("m", put(item, given, prompt, language), Dialect.guess("m"))
        for image in item.images:
            searched += 1
            encoded = base64.b64encode(image.data)
            for start in range(0, len(encoded) - 24, 24):
                assert encoded[start : start + 24] not in body
            told = {"captions": ("图片 ", 1), "OCR": ("字 ", 1)}.get(given)
            name = Path(image.path).name.encode()
            # A caption made by the tests names its picture; nothing else may.
            assert (name in body) == (given == "captions")
            assert image.sha256.encode() not in body
            assert (("图片 ".encode() in body) or ("字 ".encode() in body)) == bool(told)
        assert b"image_url" not in body
        assert b"data:" not in body
    assert searched > 100


def test_the_key_is_in_no_request_for_pictures_of_options() -> None:
    for item, given, prompt, language in cells():
        if given == "no images" and item.labels["image_in_options"] == "yes":
            text = turns(put(item, given, prompt, language))
            assert text.count({"zh": "[图片未给出]", "en": "[image not shown]"}[language]) == 2


if __name__ == "__main__":
    SNAPSHOTS.mkdir(exist_ok=True)
    for _kind, _text in snapshots().items():
        (SNAPSHOTS / f"multi-{_kind}.txt").write_text(_text, encoding="utf-8")
