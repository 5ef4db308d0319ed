"""How questions for a model in this process become batches; the engine computes nothing."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from gfactor.errors import MissingExtraError, ParameterError
from gfactor.examinees import RenderedItem, Reply, make_examinee
from gfactor.examinees.http.limits import RunStoppedError
from gfactor.examinees.http.tokens import estimate_tokens
from gfactor.examinees.local import LocalExaminee
from gfactor.examinees.local.generation import reply_of
from gfactor.items import Image


class Echo:
    """Replies with the item's name; `before` may raise."""

    def __init__(self, before: Callable[[Sequence[RenderedItem]], object] = len) -> None:
        self.notes: tuple[str, ...] = ("an echo",)
        self.batches: list[list[str]] = []
        self.freed = self.loads = 0
        self.before = before

    def load(self) -> None:
        self.loads += 1

    def check(self, item: RenderedItem) -> None:
        if item.item_id == "never":
            raise ParameterError("no such thing can be asked")

    def answer(self, items: Sequence[RenderedItem]) -> list[Reply]:
        self.batches.append([item.item_id for item in items])
        self.before(items)
        return [Reply(item.item_id) for item in items]

    def free(self) -> None:
        self.freed += 1

    def close(self) -> None: ...


def item(name: str, length: int = 1, **decoding: Any) -> RenderedItem:
    return RenderedItem(name, "b", "t", ("x" * 4 * length,), decoding=decoding)


def ask(engine: Echo, items: Sequence[RenderedItem], batch: int = 2) -> tuple[list[Any], Any]:
    """All items at once, errors in their replies' places; and the examinee."""
    examinee = LocalExaminee("hf:x", engine, batch)

    async def work() -> list[Any]:
        try:
            asked = (examinee(one) for one in items)
            return await asyncio.gather(*asked, return_exceptions=True)
        finally:
            await examinee.close()

    return asyncio.run(work()), examinee


def test_questions_of_similar_length_share_a_batch_and_the_oldest_comes_first() -> None:
    engine = Echo()
    asked = [item("long", 90), item("short", 2), item("longer", 99), item("shorter", 1),
             item("middle", 40)]  # fmt: skip
    replies, _ = ask(engine, asked)
    assert engine.batches == [["long", "longer"], ["shorter", "short"], ["middle"]]
    assert [r.text for r in replies] == [one.item_id for one in asked]
    assert engine.loads == 1


def test_questions_with_other_parameters_or_numbers_of_images_do_not_share_a_batch() -> None:
    engine = Echo()
    seen = RenderedItem("seen", "b", "t", ("x", Image(b"no picture", "x.png")))
    ask(engine, [item("a"), item("b", max_tokens=5), item("c"), seen, item("d", max_tokens=5)])
    assert engine.batches == [["a", "c"], ["b", "d"], ["seen"]]


def test_the_loop_goes_on_while_a_batch_is_computed() -> None:
    computing, go_on = threading.Event(), threading.Event()

    def wait_for_the_loop(_: object) -> None:
        computing.set()
        assert go_on.wait(10), "the event loop stood still"

    examinee = LocalExaminee("hf:x", Echo(wait_for_the_loop), 2)

    async def work() -> Reply:
        asked = asyncio.create_task(examinee(item("a")))
        while not computing.is_set():
            await asyncio.sleep(0.001)
        go_on.set()
        reply = await asked
        await examinee.close()
        return reply

    assert asyncio.run(work()).text == "a"


def test_a_batch_that_fails_is_asked_one_by_one() -> None:
    def fail(items: Sequence[RenderedItem]) -> None:
        if any(one.item_id == "bad" for one in items):
            raise ValueError("a\nbad item")

    engine = Echo(fail)
    replies, examinee = ask(engine, [item("a"), item("bad"), item("c")], batch=4)
    assert [r.outcome for r in replies] == ["ok", "protocol_error", "ok"]
    assert replies[1].detail == "ValueError: a bad item"
    assert engine.batches == [["a", "bad", "c"], ["a"], ["bad"], ["c"]]
    assert (examinee.notes, engine.freed) == (("an echo",), 0)


def test_without_memory_for_one_item_the_attempt_fails_and_says_so() -> None:
    def fail(items: Sequence[RenderedItem]) -> None:
        if len(items) > 1 or items[0].item_id == "large":
            raise RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried ...")

    engine = Echo(fail)
    replies, examinee = ask(engine, [item("a"), item("large"), item("c"), item("d")], batch=4)
    assert [r.outcome for r in replies] == ["ok", "transport_error", "ok", "ok"]
    assert replies[1].detail.startswith("out of memory with one item: RuntimeError: Default")
    assert examinee.notes == (
        "an echo",
        "out of memory with 4 items at once: at most 2 from then on",
        "out of memory with 2 items at once: at most 1 from then on",
    )
    assert engine.freed == 4


def test_a_model_that_cannot_be_loaded_stops_the_run_with_one_sentence() -> None:
    class Broken(Echo):
        def load(self) -> None:
            raise AssertionError("no\nsuch device")

    engine = Broken()
    replies, _ = ask(engine, [item("a"), item("b"), item("c")])
    assert {str(r) for r in replies} == {"hf:x cannot be loaded: AssertionError: no such device"}
    assert engine.batches == []


def test_what_can_never_be_asked_stops_the_run_and_so_do_twenty_failures() -> None:
    replies, _ = ask(Echo(), [item("never")])
    assert isinstance(replies[0], ParameterError)

    def fail(_: object) -> None:
        raise ValueError("broken")

    replies, _ = ask(Echo(fail), [item(str(n)) for n in range(20)], batch=1)
    assert isinstance(replies[-1], RunStoppedError)
    assert "failed 20 items in a row, the last with: ValueError: broken" in str(replies[-1])


def test_a_run_that_is_cancelled_leaves_nobody_waiting() -> None:
    hold = threading.Event()
    examinee = LocalExaminee("hf:x", Echo(lambda _: hold.wait(10)), 1)

    async def work() -> list[Any]:
        asked = [asyncio.create_task(examinee(item(str(n)))) for n in range(3)]
        await asyncio.sleep(0.05)
        for task in asked:
            task.cancel()
        hold.set()
        ended = await asyncio.gather(*asked, return_exceptions=True)
        await examinee.close()
        return ended

    assert all(isinstance(e, asyncio.CancelledError) for e in asyncio.run(work()))


def test_an_examinee_can_be_asked_again_in_another_loop() -> None:
    examinee = LocalExaminee("hf:x", Echo(), 2)
    assert [asyncio.run(examinee(item(name))).text for name in "ab"] == ["a", "b"]


def test_thoughts_before_an_answer_are_kept_apart_from_it() -> None:
    reply = reply_of("<think>two dots</think>\n\nCOUNT:2", 10, 7, cut_off=False)
    assert (reply.text, reply.reasoning, reply.outcome) == ("COUNT:2", "two dots", "ok")
    assert reply.usage == {"prompt_tokens": 10, "completion_tokens": 7, "total_tokens": 17}
    assert reply_of("", 1, 1, cut_off=False).outcome == "empty"
    assert reply_of("COU", 1, 1, cut_off=True).outcome == "truncated"


def test_an_image_that_cannot_be_read_has_tokens_all_the_same() -> None:
    seen = RenderedItem("i", "b", "t", (Image(b"no picture", "x.png"),))
    for model in ("", "gpt-4o", "gemini-2.5-pro"):
        assert estimate_tokens(seen, model) > 0


def test_without_the_extra_the_line_that_installs_it_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'gfactor\[hf\]'"):
        make_examinee(f"hf:{tmp_path}")


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ("?dtype=int4", "dtype must be one of auto, bfloat16, float16, float32"),
        ("?temperature=1", "has no parameter 'temperature'; it takes dtype, device, batch"),
        ("?batch=0", "batch must be a whole number from 1"),
        ("?batch=many", "batch must be a whole number from 1"),
    ],
)
def test_a_parameter_that_is_none_is_one_sentence(
    parameters: str, said: str, installed: None
) -> None:
    with pytest.raises(ParameterError, match=said):
        make_examinee(f"hf:somewhere{parameters}")


def test_a_folder_without_a_model_is_one_sentence(installed: None, tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=r"the folder holds no model \(no config.json\)"):
        make_examinee(f"hf:{tmp_path}")
    (tmp_path / "config.json").write_text("{}")
    assert make_examinee(f"hf:{tmp_path}?batch=3&device=cpu").name == f"hf:{tmp_path}"


def test_a_model_of_the_hub_that_is_not_here_is_not_downloaded(installed: None) -> None:
    pytest.importorskip("huggingface_hub")
    with pytest.raises(ParameterError, match="nothing is downloaded here: run  hf download a/b"):
        make_examinee("hf:a/b")


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the libraries were here."""
    monkeypatch.setattr("gfactor.examinees.schemes.hf.find_spec", lambda name: name)
