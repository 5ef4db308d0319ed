"""`--image-limit`: larger images are refused before anything is asked, or scaled down."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.chat_server import chat_server, pictures
from support.cli import Ran, run_cli
from support.exam import image, question

from gfactor.administration import Condition, Journal, read_condition, read_key, render
from gfactor.errors import ParameterError
from gfactor.items import Image, write_bank

Run = Callable[..., Ran]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return lambda *words: run_cli(monkeypatch, capsys, *map(str, words))


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    items = [
        question("small", content=("Look:", image(1, 20, 10), "What?")),
        question("wide", content=("Look:", image(2, 60, 30), "What?")),
    ]
    return write_bank(items, tmp_path / "b.parquet")


def test_a_larger_image_ends_the_run_before_anything_is_asked(
    run: Run, bank: Path, tmp_path: Path
) -> None:
    with chat_server() as server:
        words = ("--examinee", "openai:m", "--base-url", server.url, "--image-limit", "40")
        ran = run("run", bank, "--journal", tmp_path / "c.db", *words)
    assert (ran.code, server.served) == (2, 0)
    assert "item 'wide': its image 'p2.png' is 60 x 30 pixels, more than 40" in ran.err
    assert "--image-limit 40px:downscale" in ran.err
    assert not (tmp_path / "c.db").exists()


def test_scaled_down_images_are_a_condition_of_their_own(
    run: Run, bank: Path, tmp_path: Path
) -> None:
    with chat_server() as server:
        words = ("--examinee", "openai:m", "--base-url", server.url, "--journal", tmp_path / "c.db")
        assert run("run", bank, *words, "--image-limit", "40:downscale").code == 0
        assert run("run", bank, *words).code == 0
    shapes = sorted(pixels.shape[:2] for body in server.bodies for pixels in pictures(body))
    assert shapes == [(10, 20), (10, 20), (20, 40), (30, 60)]
    with Journal.open(tmp_path / "c.db", create=False) as journal:
        assert set(journal.responses()["condition"]) == {"default", "image_limit=40px"}


def test_the_limit_is_part_of_the_key_and_read_back() -> None:
    condition = read_condition("image_limit=2048+5MB,cot=on")
    assert condition.key == "cot=on,image_limit=2048px+5000000B"
    assert read_key(condition.key) == condition


def test_only_what_is_too_large_is_changed() -> None:
    item = question(content=("Look:", image(1, 20, 10), image(2, 60, 30)))
    shown = render(item, Condition(image_limit="30")).images
    assert shown[0] is item.content[1]
    assert isinstance(shown[1], Image)
    assert shown[1].decode().shape == (15, 30, 3)


def test_a_limit_for_images_that_are_not_shown_is_refused() -> None:
    with pytest.raises(ParameterError, match="shows no images"):
        Condition(image_limit="100", images="removed")
