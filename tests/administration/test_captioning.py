"""Texts of images made by an examinee: once per image, kept, never in part."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from support.banks import make_items
from support.chat_server import Body, chat_server, completion, pictures, texts
from support.cli import Ran, run_cli

from gfactor.items import ItemBank, write_bank

Run = Callable[..., Ran]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return lambda *words: run_cli(monkeypatch, capsys, *map(str, words))


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    return write_bank(make_items(), tmp_path / "toy.parquet")


@pytest.mark.thorough
def test_captions_are_made_once_per_image_and_then_put_in_its_place(
    run: Run, toy: Path, tmp_path: Path
) -> None:
    def reply(body: Body) -> str:
        return f"shade {pictures(body)[0][2, 2, 0]}" if pictures(body) else "COUNT:1"

    journal = tmp_path / "c.db"
    with chat_server(reply) as server:
        who = ("--examinee", "openai:m", "--base-url", server.url, "--journal", journal,
               "--condition", "images=captioned")  # fmt: skip
        refused = run("run", toy, *who)
        assert (refused.code, server.served) == (2, 0)
        assert "images=captioned or images=transcribed needs --captions FILE" in refused.err
        assert run("run", toy, *who, "--captions-by", "openai:eyes").code == 0
        asked = server.served
        assert run("run", toy, *who, "--captions-by", "openai:eyes").code == 0
    distinct = {image.sha256 for item in ItemBank.open(toy) for image in item.images}
    assert server.served == asked == len(distinct) + 12
    put = [body for body in server.bodies if body["model"] == "m"]
    assert all("described in words: shade " in "\n".join(texts(body)) for body in put)
    cache = (tmp_path / "c.db.captions.jsonl").read_text().split("\n")
    assert {json.loads(line)["image"] for line in cache if line} == distinct


def test_a_cache_that_was_cut_off_is_completed_from_the_journal(
    run: Run, toy: Path, tmp_path: Path
) -> None:
    cache = tmp_path / "k.jsonl"
    with chat_server(lambda body: "a text" if pictures(body) else "COUNT:1") as server:
        who = ("--examinee", "openai:m", "--base-url", server.url, "--journal", tmp_path / "c.db",
               "--condition", "images=transcribed", "--captions-by", "openai:eyes",
               "--captions", cache)  # fmt: skip
        assert run("run", toy, *who).code == 0
        whole = cache.read_bytes()
        cache.write_bytes(whole[:-20])
        before = server.served
        assert run("run", toy, *who).code == 0
    assert server.served == before
    last = [line for line in cache.read_text().split("\n") if line][-1]
    assert json.loads(last)["text"] == "a text"


def test_a_refused_description_stops_the_run_before_any_item_is_put(
    run: Run, toy: Path, tmp_path: Path
) -> None:
    with chat_server(lambda body: completion("", refusal="I will not.")) as server:
        said = run(
            "run", toy, "--examinee", "openai:m", "--base-url", server.url, "--journal",
            tmp_path / "c.db", "--condition", "images=captioned", "--captions-by", "openai:eyes",
        )  # fmt: skip
    assert said.code == 2
    assert "openai:eyes" in said.err
    assert "did not describe image" in said.err
    assert {body["model"] for body in server.bodies} == {"eyes"}


@pytest.mark.thorough
def test_a_description_asked_for_in_other_words_is_another_text(
    run: Run, toy: Path, tmp_path: Path
) -> None:
    def reply(body: Body) -> str:
        return f"said to: {texts(body)[0][:12]}" if body["model"] == "eyes" else "COUNT:1"

    pack = tmp_path / "pack.toml"
    pack.write_text('language = "en"\n[sentences]\nask_caption = "Name the colors."\n')
    with chat_server(reply) as server:
        who = ("--examinee", "openai:m", "--base-url", server.url, "--journal", tmp_path / "c.db",
               "--captions-by", "openai:eyes")  # fmt: skip
        for more in ((), ("--pack", pack)):
            assert run("run", toy, *who, "--condition", "images=captioned", *more).code == 0
        in_spanish = "images=captioned,prompt_language=es"
        assert run("run", toy, *who, "--condition", in_spanish).code == 0
    put = ["\n".join(texts(body)) for body in server.bodies if body["model"] == "m"]
    told = [sum(f"said to: {words}" in text for text in put)
            for words in ("Describe thi", "Name the col", "Describe est")]  # fmt: skip
    assert told == [12, 12, 12]


@pytest.mark.thorough
def test_a_cache_of_an_older_version_is_used_as_it_is(run: Run, toy: Path, tmp_path: Path) -> None:
    images = {image.sha256 for item in ItemBank.open(toy) for image in item.images}
    cache = tmp_path / "c.db.captions.jsonl"
    with chat_server(lambda body: "COUNT:1") as server:
        by = f"openai:eyes?base_url={server.url}"
        rows = [{"image": i, "kind": "captioned", "by": by, "text": "old"} for i in images]
        cache.write_text("\n".join(map(json.dumps, rows)) + "\n")
        who = ("--examinee", "openai:m", "--base-url", server.url, "--journal", tmp_path / "c.db",
               "--condition", "images=captioned", "--captions-by", "openai:eyes")  # fmt: skip
        assert run("run", toy, *who).code == 0
    assert {body["model"] for body in server.bodies} == {"m"}
    assert all("described in words: old" in "\n".join(texts(body)) for body in server.bodies)
