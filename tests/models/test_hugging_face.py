"""`hf:` with a tiny vision-language model: alone, in batches, drawn, cut off, without memory."""

from __future__ import annotations

import asyncio
import io
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.banks import make_items
from support.cli import run_cli
from support.tiny_models import CONTEXT, IMAGE_TOKENS, language_model

from gfactor.errors import ParameterError
from gfactor.examinees import RenderedItem, Reply, check_examinee, make_examinee
from gfactor.examinees.guesses import GuessDraws
from gfactor.examinees.local import LocalExaminee
from gfactor.examinees.local.hugging_face import HuggingFace, KeyedDraw
from gfactor.imaging import encode_png
from gfactor.items import Image, write_bank


def picture(seed: int) -> Image:
    rng = np.random.default_rng(seed)
    pixels = rng.integers(0, 256, (30 + seed, 40, 3), dtype=np.uint8)
    return Image(encode_png(pixels), f"{seed}.png")


def questions(count: int, **decoding: Any) -> list[RenderedItem]:
    """Items of many lengths; each third has no image, each third two."""
    decoding = {"max_tokens": 24, **decoding}
    return [
        RenderedItem(
            f"i{n}", "b", "t", ("How many " + "very " * (7 * n % 5) + "small dots?",
            *(picture(10 * n + k) for k in range(n % 3))), decoding=decoding,
        )
        for n in range(count)
    ]  # fmt: skip


def ask(
    spec: str | LocalExaminee, items: Sequence[RenderedItem]
) -> tuple[list[Reply], tuple[str, ...]]:
    """All items at once; the replies and the notes."""

    async def work() -> tuple[list[Reply], tuple[str, ...]]:
        examinee: Any = make_examinee(spec) if isinstance(spec, str) else spec
        try:
            return await asyncio.gather(*(examinee(item) for item in items)), examinee.notes
        finally:
            await examinee.close()

    return asyncio.run(work())


def texts(replies: Sequence[Reply]) -> list[str]:
    return [reply.text for reply in replies]


@pytest.mark.parametrize("decoding", [{}, {"temperature": 1.0, "seed": 3, "top_p": 0.9}])
def test_a_reply_does_not_depend_on_what_else_is_in_the_batch(
    seeing: Path, decoding: dict[str, Any]
) -> None:
    asked = questions(12, **decoding)
    alone, _ = ask(f"hf:{seeing}?dtype=float32&batch=1", asked)
    together, _ = ask(f"hf:{seeing}?dtype=float32&batch=4", asked[::-1])
    assert texts(together[::-1]) == texts(alone)
    assert [r.usage for r in together[::-1]] == [r.usage for r in alone]
    assert len(set(texts(alone))) == 12


def test_the_likeliest_reply_is_the_one_of_transformers_itself(seeing: Path) -> None:
    import PIL.Image  # noqa: PLC0415 # pyright: ignore[reportMissingImports]
    import torch  # noqa: PLC0415 # pyright: ignore[reportMissingImports]
    import transformers  # noqa: PLC0415 # pyright: ignore[reportMissingImports]

    (item,) = questions(3)[2:]
    text, *images = item.content
    processor = transformers.AutoProcessor.from_pretrained(seeing)
    model = transformers.LlavaForConditionalGeneration.from_pretrained(seeing, dtype=torch.float32)
    inputs = processor(
        text=f"<s><|user|>{text}<image><image><|assistant|>",
        images=[PIL.Image.open(io.BytesIO(image.data)) for image in images],  # pyright: ignore
        return_tensors="pt", add_special_tokens=False,
    )  # fmt: skip
    out = model.generate(**inputs, max_new_tokens=24, do_sample=False)
    said = out[0, inputs["input_ids"].shape[1] :].tolist()
    ((reply,), _) = ask(f"hf:{seeing}?dtype=float32", [item])
    assert reply.text == processor.tokenizer.decode(said, skip_special_tokens=True)
    assert reply.usage["prompt_tokens"] == inputs["input_ids"].shape[1]
    assert reply.usage["prompt_tokens"] == 3 + len(str(text)) + 2 * IMAGE_TOKENS


def test_pictures_and_their_order_matter(seeing: Path) -> None:
    one, other = picture(1), picture(2)
    asked = [RenderedItem(f"i{n}", "b", "t", ("Which?", *images), decoding={"max_tokens": 24})
             for n, images in enumerate([(one, other), (other, one), (one, one)])]  # fmt: skip
    assert len(set(texts(ask(f"hf:{seeing}?dtype=float32", asked)[0]))) == 3


def test_draws_depend_on_seed_item_and_occasion_alone(seeing: Path) -> None:
    def said(seed: int, occasion: int) -> list[str]:
        asked = [
            RenderedItem(q.item_id, "b", "t", q.content, decoding=q.decoding, occasion=occasion)
            for q in questions(4, temperature=1.5, seed=seed)
        ]
        return texts(ask(f"hf:{seeing}?dtype=float32", asked)[0])

    assert said(1, 0) == said(1, 0)
    assert all(a != b for a, b in zip(said(1, 0), said(1, 1), strict=True))
    assert all(a != b for a, b in zip(said(1, 0), said(2, 0), strict=True))


def test_tokens_are_drawn_as_often_as_they_are_likely() -> None:
    import torch  # noqa: PLC0415 # pyright: ignore[reportMissingImports]

    chances, n = np.array([0.5, 0.0, 0.3, 0.2]), 4000
    scores = torch.from_numpy(np.log(np.maximum(chances, 1e-300))).expand(n, 4)
    chosen = KeyedDraw([GuessDraws(7, f"i{k}") for k in range(n)])(None, scores).argmax(-1)
    seen = Counter(chosen.tolist())
    assert seen[1] == 0
    for token, chance in enumerate(chances):
        # Four standard errors: a false alarm in 16,000 for each token.
        assert abs(seen[token] / n - chance) <= 4 * np.sqrt(chance * (1 - chance) / n)


def test_top_k_of_one_is_the_likeliest_and_temperature_changes_nothing_then(seeing: Path) -> None:
    likeliest = texts(ask(f"hf:{seeing}?dtype=float32", questions(3))[0])
    drawn = texts(ask(f"hf:{seeing}?dtype=float32", questions(3, temperature=2.0, top_k=1))[0])
    assert drawn == likeliest


def test_a_reply_ends_by_itself_or_is_cut_off_and_its_tokens_are_counted(seeing: Path) -> None:
    replies, notes = ask(f"hf:{seeing}?dtype=float32", questions(24, max_tokens=40))
    ended = [r for r in replies if r.outcome in ("ok", "empty")]
    cut_off = [r for r in replies if r.outcome == "truncated"]
    assert len(ended) + len(cut_off) == 24
    assert ended
    assert cut_off
    assert {r.finish_reason for r in ended} == {"stop"}
    assert {(r.finish_reason, r.usage["completion_tokens"]) for r in cut_off} == {("length", 40)}
    assert all(r.usage["completion_tokens"] < 40 for r in ended)
    assert notes[0].startswith("computed in float32 on ")
    shorter, _ = ask(f"hf:{seeing}?dtype=float32", questions(1, max_tokens=3))
    assert (shorter[0].outcome, shorter[0].usage["completion_tokens"]) == ("truncated", 3)
    assert replies[0].text.encode().startswith(shorter[0].text.rstrip("\ufffd").encode())


def test_the_context_ends_a_reply_and_refuses_a_question_that_fills_it(seeing: Path) -> None:
    def item(length: int) -> RenderedItem:
        # Three special tokens, and one for every letter.
        return RenderedItem("i", "b", "t", ("x" * (length - 3),), decoding={"max_tokens": 40})

    near, full, short = ask(
        f"hf:{seeing}?dtype=float32", [item(CONTEXT - 2), item(CONTEXT), item(20)]
    )[0]
    assert near.usage["completion_tokens"] <= 2
    assert (full.outcome, full.text) == ("protocol_error", "")
    assert f"the question has {CONTEXT} tokens, and the model takes {CONTEXT} with" in full.detail
    assert short.outcome in ("ok", "truncated")


def test_a_batch_that_does_not_fit_into_memory_is_asked_again_in_halves(seeing: Path) -> None:
    import torch  # noqa: PLC0415 # pyright: ignore[reportMissingImports]

    tried: list[int] = []

    class Small(HuggingFace):
        def answer(self, items: Sequence[RenderedItem]) -> list[Reply]:
            tried.append(len(items))
            if len(items) > 2:
                raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB")
            return super().answer(items)

    asked = [q for q in questions(24) if len(q.images) == 1]
    whole, _ = ask(f"hf:{seeing}?dtype=float32", asked)
    halved, notes = ask(LocalExaminee("hf:x", Small(str(seeing), "float32"), 8), asked)
    assert texts(halved) == texts(whole)
    assert notes[1:] == (
        "out of memory with 8 items at once: at most 4 from then on",
        "out of memory with 4 items at once: at most 2 from then on",
    )
    assert tried[:3] == [8, 4, 2]
    assert tried.count(8) == 1


def test_bytes_that_are_no_picture_fail_alone(seeing: Path) -> None:
    asked = [q for q in questions(12) if len(q.images) == 1]
    broken = RenderedItem("x", "b", "t", ("How many?", Image(b"none", "x.png")),
                          decoding=asked[0].decoding)  # fmt: skip
    replies, _ = ask(f"hf:{seeing}?dtype=float32&batch=8", [*asked, broken])
    assert [r.outcome == "protocol_error" for r in replies] == [False] * len(asked) + [True]
    assert "UnidentifiedImageError" in replies[-1].detail


def test_a_conversation_is_put_with_the_models_own_replies(seeing: Path) -> None:
    first, last = ("Look.", picture(1)), ("And now?",)
    asked = [
        RenderedItem("i", "b", "t", last, (first,), {"max_tokens": 24}, replies=(said,))
        for said in ("I see.", "Nothing.", "")
    ]
    replies, _ = ask(f"hf:{seeing}?dtype=float32", asked)
    assert len(set(texts(replies))) == 3
    # The mark of a speaker, and a token for every letter.
    with_reply, _, without = (r.usage["prompt_tokens"] for r in replies)
    assert with_reply - without == 1 + len("I see.")


def test_half_precision_is_another_examinee_and_repeats_itself(seeing: Path) -> None:
    spec = f"hf:{seeing}?batch=1&device=cpu&dtype=bfloat16"
    assert make_examinee(spec).name == f"hf:{seeing}?dtype=bfloat16"
    once, notes = ask(spec, questions(3))
    again, _ = ask(spec, questions(3))
    assert texts(once) == texts(again)
    assert notes[0].startswith("computed in bfloat16 on cpu by transformers ")


def test_a_model_of_text_alone_answers_texts_and_refuses_images(blind: Path) -> None:
    asked = [q for q in questions(9) if not q.images]
    alone, _ = ask(f"hf:{blind}?batch=1", asked)
    together, _ = ask(f"hf:{blind}?batch=4", asked)
    assert texts(alone) == texts(together)
    assert len(set(texts(alone))) == 3
    with pytest.raises(ParameterError, match=r"'i1' has images, but .* takes text only"):
        ask(f"hf:{blind}", questions(2))


def test_a_model_without_chat_template_and_parameters_it_has_not_are_refused(
    seeing: Path, tmp_path: Path
) -> None:
    base = language_model(tmp_path / "base", template=None)
    with pytest.raises(ParameterError, match="has no chat template"):
        ask(f"hf:{base}", questions(1))
    with pytest.raises(ParameterError, match="transformers has no parameter 'presence_penalty'"):
        ask(f"hf:{seeing}", questions(1, presence_penalty=1.0))
    (base / "model.safetensors").unlink()
    with pytest.raises(ParameterError, match=r"hf:.* cannot be loaded: OSError"):
        ask(f"hf:{base}", questions(1))


def test_it_keeps_every_invariant_of_examinees(seeing: Path) -> None:
    assert check_examinee(make_examinee(f"hf:{seeing}?dtype=float32")) == []


def test_a_run_asks_every_item_once_and_goes_on(
    seeing: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    bank, journal = write_bank(make_items(instances=4), tmp_path / "b.parquet"), tmp_path / "c.db"
    command = ["run", str(bank), "--examinee", f"hf:{seeing}?dtype=float32", "--journal",
               str(journal), "--condition", "max_tokens=8"]  # fmt: skip
    first = run_cli(monkeypatch, capsys, *command)
    assert first.code == 0, first.err
    assert "computed in float32 on " in first.out
    assert ": 0 asked" in run_cli(monkeypatch, capsys, *command).out
    assert run_cli(monkeypatch, capsys, "score", str(journal)).code == 0
