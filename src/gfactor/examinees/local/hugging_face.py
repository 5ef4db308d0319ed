"""Transformers as an engine: models of images and text, or of text alone, from a folder."""

from __future__ import annotations

import copy
import io
from collections.abc import Sequence
from typing import Any

from gfactor.errors import ParameterError
from gfactor.examinees.base import RenderedItem, Reply
from gfactor.examinees.guesses import GuessDraws
from gfactor.examinees.local.generation import (
    MAX_TOKENS,
    Decoding,
    checked_decoding,
    conversation,
    plain,
    reply_of,
)
from gfactor.items import Segment

PARAMETERS = frozenset(
    {"max_tokens", "min_p", "repetition_penalty", "seed", "temperature", "top_k", "top_p"}
)

_STEPS = 2**53
"""Number of equal steps between 0 and 1 in double precision."""

_TAIL = 16
"""Number of tokens at the end of a prompt that show whether a template has begun the thinking."""


class HuggingFace:
    """A model that transformers loads from a folder or from the Hugging Face Hub's local cache.

    Without a temperature, or with 0, the likeliest token is taken. Otherwise a token is drawn by a
    random number that depends only on the seed, item, turn, occasion and the token's place in the
    reply, so that other items of the batch have no influence beyond rounding.

    Parameters
    ----------
    path: the folder, or the model's name in the cache. Nothing is downloaded.
    dtype: one of `DTYPES`; "auto" for the type of the stored weights.
    device: a device of PyTorch ("cuda:1", "cpu"); "auto" to use all GPUs; "" for the first GPU, or
        for the processor if there is no GPU.
    """

    def __init__(self, path: str, dtype: str = "auto", device: str = "") -> None:
        self.notes: tuple[str, ...] = ()
        self._path, self._dtype, self._device = path, dtype, device
        self._model: Any = None
        self._processor: Any = None
        # Before it is loaded, any model may accept images.
        self._sees = True

    def load(self) -> None:
        """Load processor and model."""
        import torch  # noqa: PLC0415 # pyright: ignore[reportMissingImports]
        import transformers  # noqa: PLC0415 # pyright: ignore[reportMissingImports]
        from transformers.models.auto import (  # noqa: PLC0415 # pyright: ignore[reportMissingImports]
            modeling_auto,
        )

        device = self._device or _first_device(torch)
        config = transformers.AutoConfig.from_pretrained(self._path, local_files_only=True)
        image_models = modeling_auto.MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES
        self._sees = config.model_type in image_models
        kind = (transformers.AutoModelForImageTextToText if self._sees
                else transformers.AutoModelForCausalLM)  # fmt: skip
        dtype = "auto" if self._dtype == "auto" else getattr(torch, self._dtype)
        placed = {"device_map": "auto"} if device == "auto" else {}
        model = kind.from_pretrained(
            self._path, config=config, dtype=dtype, local_files_only=True, **placed
        )
        model = model if placed else model.to(device)
        reader = transformers.AutoProcessor if self._sees else transformers.AutoTokenizer
        self._processor = reader.from_pretrained(self._path, local_files_only=True)
        self._model = model.eval()
        tokenizer = self._tokenizer
        tokenizer.padding_side = "left"
        if tokenizer.pad_token_id is None:
            tokenizer.pad_token = tokenizer.eos_token
        if not getattr(self._processor, "chat_template", None):
            raise ParameterError(
                f"hf:{self._path} has no chat template, so the format of its questions "
                "is unknown; give an instruction-tuned model"
            )
        computed = str(next(self._model.parameters()).dtype).removeprefix("torch.")
        self.notes = (
            f"computed in {computed} on {self._model.device} by transformers "
            f"{transformers.__version__} and torch {torch.__version__}",
        )

    def check(self, item: RenderedItem) -> None:
        """Raise ParameterError for images if the model accepts none, and for unknown parameters."""
        checked_decoding(item.decoding, PARAMETERS, "transformers")
        if item.images and not self._sees:
            raise ParameterError(
                f"item {item.item_id!r} has images, but hf:{self._path} takes text only; "
                "ask under --condition images=removed or images=captioned"
            )

    def answer(self, items: Sequence[RenderedItem]) -> list[Reply]:
        """Return replies to items that have the same parameters of generation."""
        import torch  # noqa: PLC0415 # pyright: ignore[reportMissingImports]

        inputs = self._inputs(items)
        lengths = [int(n) for n in inputs["attention_mask"].sum(-1)]
        rooms = [self._room(length, items[0].decoding) for length in lengths]
        if len(set(rooms)) > 1:
            # Near the end of the context the longest reply differs between items.
            return [reply for item in items for reply in self.answer([item])]
        if rooms[0] < 1:
            taken = f"the model takes {self._context:,} with the answer"
            raise ValueError(f"the question has {lengths[0]:,} tokens, and {taken}")
        with torch.inference_mode():
            out = self._model.generate(
                **inputs,
                generation_config=self._settings(items[0].decoding, rooms[0]),
                logits_processor=self._drawing(items),
            )
        before = inputs["input_ids"].shape[1]
        tails = self._tokenizer.batch_decode(inputs["input_ids"][:, -_TAIL:])
        return [
            self._reply(ids, length, tail)
            for ids, length, tail in zip(out[:, before:].tolist(), lengths, tails, strict=True)
        ]

    def free(self) -> None:
        """Release unused GPU memory."""
        import torch  # noqa: PLC0415 # pyright: ignore[reportMissingImports]

        if torch.cuda.is_available():
            torch.cuda.empty_cache()

    def close(self) -> None:
        """Release the model."""
        if self._model is not None:
            self._model = self._processor = None
            self.free()

    @property
    def _tokenizer(self) -> Any:
        return self._processor.tokenizer if self._sees else self._processor

    @property
    def _context(self) -> int | None:
        """Largest number of tokens of question and answer together; None if the model names no
        limit."""
        return getattr(self._model.config.get_text_config(), "max_position_embeddings", None)

    def _inputs(self, items: Sequence[RenderedItem]) -> Any:
        padded: Any = {"processor_kwargs": {"padding": True}} if self._sees else {"padding": True}
        inputs = self._processor.apply_chat_template(
            [conversation(item, _parts if self._sees else plain) for item in items],
            add_generation_prompt=True,
            tokenize=True,
            return_dict=True,
            return_tensors="pt",
            **padded,
        )
        inputs = inputs.to(self._model.device)
        return {
            name: value.to(self._model.dtype) if _is_float(value) else value
            for name, value in inputs.items()
        }

    def _room(self, length: int, decoding: Decoding) -> int:
        """Return the largest number of tokens of a reply."""
        wanted = decoding.get("max_tokens") or self._model.generation_config.max_new_tokens
        longest = int(wanted or MAX_TOKENS)
        return longest if self._context is None else min(longest, self._context - length)

    def _settings(self, decoding: Decoding, room: int) -> Any:
        """The model's own settings, except those for choosing tokens."""
        settings = copy.deepcopy(self._model.generation_config)
        settings.update(
            max_new_tokens=room, max_length=None, do_sample=False, num_beams=1, temperature=None,
            top_k=None, top_p=None, min_p=None, pad_token_id=self._tokenizer.pad_token_id,
        )  # fmt: skip
        if "repetition_penalty" in decoding:
            settings.repetition_penalty = float(decoding["repetition_penalty"])
        if settings.eos_token_id is None:
            settings.eos_token_id = self._tokenizer.eos_token_id
        return settings

    def _drawing(self, items: Sequence[RenderedItem]) -> list[Any]:
        """Return the processors that choose tokens at random, [] if the likeliest is taken."""
        import transformers  # noqa: PLC0415 # pyright: ignore[reportMissingImports]

        decoding = items[0].decoding
        temperature = float(decoding.get("temperature", 0))
        if not temperature:
            return []
        steps: list[Any] = [transformers.TemperatureLogitsWarper(temperature)]
        if int(decoding.get("top_k", 0)) > 0:
            steps.append(transformers.TopKLogitsWarper(int(decoding["top_k"])))
        if float(decoding.get("top_p", 1)) < 1:
            steps.append(transformers.TopPLogitsWarper(float(decoding["top_p"])))
        if float(decoding.get("min_p", 0)) > 0:
            steps.append(transformers.MinPLogitsWarper(float(decoding["min_p"])))
        seed = int(decoding.get("seed", 0))
        return [*steps, KeyedDraw([_draws(seed, item) for item in items])]

    def _reply(self, ids: list[int], read: int, tail: str) -> Reply:
        settings = self._model.generation_config
        ends = settings.eos_token_id
        ends = self._tokenizer.eos_token_id if ends is None else ends
        ends = {ends} if isinstance(ends, int) else set(ends or ())
        end = next((n for n, token in enumerate(ids) if token in ends), None)
        reply_ids = ids if end is None else ids[:end]
        text = self._tokenizer.decode(reply_ids, skip_special_tokens=True)
        opened = "<think>" if tail.rstrip().endswith("<think>") else ""
        written = len(reply_ids) + (end is not None)
        return reply_of(opened + text, read, written, cut_off=end is None)


class KeyedDraw:
    """Choice of one token per row by inversion of the cumulated probabilities.

    Parameters
    ----------
    rows: sources of each row's numbers, one per token.
    """

    def __init__(self, rows: Sequence[GuessDraws]) -> None:
        self._rows = rows

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        """Scores in which all but the chosen token are impossible."""
        import torch  # noqa: PLC0415 # pyright: ignore[reportMissingImports]

        exact = scores.cpu() if scores.device.type == "mps" else scores
        sums = torch.softmax(exact.double(), -1).cumsum(-1)
        numbers = [row.below(_STEPS) / _STEPS for row in self._rows]
        numbers = torch.tensor(numbers, dtype=sums.dtype, device=sums.device)
        chosen = torch.searchsorted(sums, (numbers * sums[:, -1])[:, None], right=True)
        chosen = chosen.clamp(max=scores.shape[-1] - 1).to(scores.device)
        return torch.full_like(scores, float("-inf")).scatter(1, chosen, 0.0)


def _draws(seed: int, item: RenderedItem) -> GuessDraws:
    turn = f"#{len(item.replies)}" if item.replies else ""
    return GuessDraws(seed, item.item_id + turn, item.occasion)


def _parts(turn: tuple[Segment, ...]) -> list[dict[str, Any]]:
    """A turn in parts, images opened from their own bytes."""
    import PIL.Image  # noqa: PLC0415 # pyright: ignore[reportMissingImports]

    if all(isinstance(segment, str) for segment in turn):
        return [{"type": "text", "text": plain(turn)}]
    return [
        {"type": "text", "text": segment}
        if isinstance(segment, str)
        else {"type": "image", "image": PIL.Image.open(io.BytesIO(segment.data))}
        for segment in turn
    ]


def _is_float(value: Any) -> bool:
    return hasattr(value, "is_floating_point") and value.is_floating_point()


def _first_device(torch: Any) -> str:
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"
