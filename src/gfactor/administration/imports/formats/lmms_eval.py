"""`lmms-eval`: sample logs of lmms-eval, DATE_samples_TASK.jsonl.

The question is the prompt as it was sent (options are read from its lines) after its images, which
newer versions store as `input_media`; the key is `target`, the reply is the unfiltered response;
several responses to one prompt are several occasions. The condition is `pack=lmms-eval`: the
prompts are its own. A reply that begins with lmms-eval's own mark is a failed attempt; backends
that do not set it write an empty text for requests that failed, so that `empty` may stand for
either.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

from gfactor.administration.imports.base import (
    IMPORTS,
    Answered,
    Flaw,
    FolderLogs,
    Naming,
    Traits,
    declare,
)
from gfactor.administration.imports.documents import failed_outcome, image_of_uri, one_line
from gfactor.administration.imports.items import LETTERS, Question, item_from, options_in
from gfactor.administration.imports.sample_logs import (
    Parsed,
    created_at,
    generated_texts,
    model_of,
    named,
    number_and_target,
    read_samples,
    results_in,
    right_answers,
)
from gfactor.examinees import Reply
from gfactor.items import Image, Item, LabelValue, Segment

_NAME = re.compile(r"(?:(?P<date>[0-9T_:.-]+)_)?samples_(?P<task>.+)\.jsonl")
_LABELS = ("category", "l2-category", "split")
_TOKENS = {
    "input_tokens": "prompt_tokens",
    "output_tokens": "completion_tokens",
    "reasoning_tokens": "reasoning_tokens",
}


_FAILED = "[LMMS_EVAL_REQUEST_FAILED"
_IMAGE_TAG = re.compile(r"<image(?:[ _]?\d+)?>")

declare(
    "lmms-eval",
    Traits(FolderLogs(r".*_samples_.*\.jsonl", "files DATE_samples_TASK.jsonl"), whole_prompt=True),
)


@IMPORTS.register("lmms-eval")
def read(path: Path, naming: Naming) -> Iterator[Answered | Flaw]:
    """Read sample logs of lmms-eval, .jsonl."""
    name = named(path, _NAME, "DATE_samples_TASK.jsonl")
    date = name["date"] or ""
    results = results_in(path.parent / f"{date}_results.json") if date else {}
    examinee = naming.examinee or f"lmms-eval:{model_of(path, results)}"

    def parsed(sample: Mapping[str, Any]) -> Parsed:
        return _item(sample, name["task"]), _replies(sample)

    condition = naming.condition or "pack=lmms-eval"
    yield from read_samples(path, parsed, examinee, condition, created_at(path, date))


def _item(sample: Mapping[str, Any], task: str) -> Item:
    number, target = number_and_target(sample)
    prompt, images = _prompt(sample), _images(sample)
    # A hash of the document is the same for all documents of some tasks, so images count too.
    digests = [i.sha256 for i in images if isinstance(i, Image)]
    identity = sample.get("doc_hash")
    identity = " ".join([identity, *digests]) if isinstance(identity, str) else ""
    return item_from(
        Question(
            benchmark=task,
            number=number,
            content=_content(prompt, images),
            key=right_answers(target),
            options=_options(sample, prompt),
            labels=_labels(sample),
            identity=identity,
            source="lmms-eval",
        )
    )


def _prompt(sample: Mapping[str, Any]) -> str:
    """The text that was sent: `input`, or the first text of `arguments` in older logs."""
    prompt = sample.get("input", sample.get("arguments"))
    while isinstance(prompt, list | dict) and prompt:
        prompt = next(iter(prompt.values())) if isinstance(prompt, dict) else prompt[0]
    return prompt if isinstance(prompt, str) else ""


def _images(sample: Mapping[str, Any]) -> list[Segment]:
    """Return the images shown with the prompt; a word replaces an image that is not in the file."""
    media = sample.get("input_media")
    uris = [uri for uri in media if isinstance(uri, str)] if isinstance(media, list) else []
    return [image_of_uri(uri, str(k)) for k, uri in enumerate(uris)]


def _content(prompt: str, images: Sequence[Segment]) -> tuple[Segment, ...]:
    """Images and prompt in the order in which lmms-eval sends them.

    Each image is at the position that the prompt marks, or else all are before the text.
    """
    if not images or len(_IMAGE_TAG.findall(prompt)) != len(images):
        return (*images, prompt) if prompt else tuple(images)
    texts = [text.strip() for text in _IMAGE_TAG.split(prompt)]
    parts = (part for pair in zip_longest(texts, images) for part in pair)
    return tuple(part for part in parts if part)


def _options(sample: Mapping[str, Any], prompt: str) -> Mapping[str, str]:
    document = sample.get("doc")
    if isinstance(document, dict):
        lettered = {k: v for k in LETTERS if isinstance(v := document.get(k), str) and v.strip()}
        # If there are fewer options than columns, the others hold "nan" and are not shown.
        offered = {k: v for k, v in lettered.items() if v != "nan" or f"{k}. nan" in prompt}
        if offered:
            return offered
    return options_in(prompt)


def _labels(sample: Mapping[str, Any]) -> dict[str, LabelValue]:
    """Labels from the document and from the metrics' details, the document's first."""
    labels: dict[str, LabelValue] = {}
    details = [v for v in sample.values() if isinstance(v, dict)]
    for facts in [d for d in (sample.get("doc"),) if isinstance(d, dict)] + details:
        for name, value in facts.items():
            label = name.casefold().replace("_", "-")
            if label in _LABELS and isinstance(value, str) and value:
                labels.setdefault(label, value)
    return labels


def _replies(sample: Mapping[str, Any]) -> list[Reply]:
    texts = generated_texts(sample)
    if not texts:
        raise ValueError("it holds no generated text (a task that compares likelihoods has none)")
    counts = sample.get("token_counts")
    counts = counts if isinstance(counts, list) else []
    return [_reply(text, _usage(counts, k)) for k, text in enumerate(texts)]


def _reply(text: str, usage: Mapping[str, int]) -> Reply:
    if text.startswith(_FAILED):
        return Reply("", failed_outcome(text), "", detail=one_line(text))
    return Reply(text, "ok" if text.strip() else "empty", "", usage=usage)


def _usage(counts: Sequence[Any], occasion: int) -> dict[str, int]:
    count = counts[occasion] if occasion < len(counts) else None
    if not isinstance(count, dict):
        return {}
    return {ours: count[k] for k, ours in _TOKENS.items() if type(count.get(k)) is int}
