"""`lm-eval`: sample logs of lm-evaluation-harness, samples_TASK_DATE.jsonl.

The question is the prompt as it was sent, examples included; the key is `target`. A generated text
is the reply, and several texts for one prompt are several occasions. If the task compares the
likelihoods of its options, the reply is the letter of the most likely option (what the harness
calls `acc`; `acc_norm`, which divides by lengths, is not read). Each filter of a task writes every
document again; such lines count as one reply. The condition is `pack=lm-eval-HASH`. The hash is
that of the task's settings in the results beside the file, so that runs with 0 and with 5 examples
are different conditions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
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
from gfactor.administration.imports.documents import read_json
from gfactor.administration.imports.items import (
    LETTERS,
    Question,
    item_from,
    options_in,
    simple_labels,
)
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
from gfactor.administration.presenting.condition import Condition
from gfactor.examinees import Reply
from gfactor.items import Item, canonical_json, text_hash

_NAME = re.compile(r"samples_(?P<task>.+)_(?P<date>\d{4}-\d\d-\d\dT[0-9.:-]+)\.jsonl")
_SETTINGS = (
    "description", "doc_to_choice", "doc_to_target", "doc_to_text", "fewshot_config",
    "fewshot_delimiter", "fewshot_split", "generation_kwargs", "num_fewshot", "output_type",
    "target_delimiter",
)  # fmt: skip
"""Settings of a task that determine the prompts; others describe the data or the scores."""
_LABELS = ("category", "subject", "type", "level", "split", "language", "domain")
_WORKED = "####"
"""Mark before the result in keys that contain a worked solution (GSM8K)."""

declare("lm-eval", Traits(FolderLogs(r"samples_.*\.jsonl", "files samples_TASK_DATE.jsonl")))


@IMPORTS.register("lm-eval")
def read(path: Path, naming: Naming) -> Iterator[Answered | Flaw]:
    """Read sample logs of lm-evaluation-harness, .jsonl."""
    name = named(path, _NAME, "samples_TASK_DATE.jsonl")
    results = results_in(path.parent / f"results_{name['date']}.json")
    examinee = naming.examinee or f"lm-eval:{model_of(path, results)}"
    condition = naming.condition or _condition(results, name["task"])

    def parsed(sample: Mapping[str, Any]) -> Parsed:
        requests = _requests(sample)
        chosen = _most_likely(requests, sample)
        item = _item(sample, name["task"], requests, likelihoods=chosen is not None)
        texts = [chosen] if chosen is not None else _texts(sample)
        return item, [Reply(text, "ok" if text.strip() else "empty", "") for text in texts]

    yield from read_samples(path, parsed, examinee, condition, created_at(path, name["date"]))


def _condition(results: Mapping[str, Any], task: str) -> str:
    configs = results.get("configs")
    settings = configs.get(task) if isinstance(configs, dict) else None
    pack = "lm-eval"
    if isinstance(settings, dict):
        conditions = {name: settings[name] for name in _SETTINGS if settings.get(name) is not None}
        conditions["system_instruction"] = results.get("system_instruction") or ""
        pack = f"lm-eval-{text_hash(canonical_json(conditions))[:8]}"
    return Condition(sources=(("pack", pack),)).key


def _requests(sample: Mapping[str, Any]) -> list[list[Any]]:
    """The arguments of each request: a list in older logs, numbered objects in newer ones."""
    given = sample.get("arguments")
    if isinstance(given, dict):
        given = list(given.values())
    requests = [list(r.values()) if isinstance(r, dict) else r for r in given or ()]
    if not requests or not all(isinstance(r, list) and r for r in requests):
        raise ValueError("the question to the model is missing (field arguments)")
    return requests


def _most_likely(requests: Sequence[Sequence[Any]], sample: Mapping[str, Any]) -> str | None:
    """The letter of the most likely option; None if texts were generated."""
    responses = sample.get("resps")
    if not isinstance(responses, list) or len(requests) != len(responses) or len(requests) < 2:
        return None
    likelihoods = [_likelihood(one) for one in responses]
    present = [value for value in likelihoods if value is not None]
    if len(present) < len(likelihoods):
        return None
    if len(present) > len(LETTERS):
        raise ValueError(f"it has {len(present)} options; {len(LETTERS)} can be named by letters")
    return LETTERS[present.index(max(present))]


def _likelihood(responses: Any) -> float | None:
    """The log likelihood in the answer to one request: [[value, greedy]], perhaps as text."""
    while isinstance(responses, list) and len(responses) == 1:
        responses = responses[0]
    if not isinstance(responses, list) or len(responses) != 2:
        return None
    if str(responses[1]) not in ("True", "False"):
        return None
    try:
        return float(responses[0])
    except (TypeError, ValueError):
        return None


def _item(
    sample: Mapping[str, Any], task: str, requests: Sequence[Sequence[Any]], *, likelihoods: bool
) -> Item:
    number, target = number_and_target(sample)
    prompt = _prompt(requests[0][0])
    if likelihoods:
        options = _ended_options(requests, prompt)
        key = _right_option(target, options)
    else:
        options = options_in(prompt)
        key = _key(target)
    identity = sample.get("doc_hash")
    document = sample.get("doc")
    facts = document if isinstance(document, dict) else {}
    return item_from(
        Question(
            benchmark=task,
            number=number,
            content=(prompt,) if prompt else (),
            key=key,
            options=options,
            labels=simple_labels({k: facts[k] for k in _LABELS if k in facts}),
            identity=identity if isinstance(identity, str) else "",
            source="lm-eval",
        )
    )


def _prompt(given: Any) -> str:
    """The text that was sent; for a chat, whose messages are written as JSON, the texts of
    these."""
    if isinstance(given, list) and len(given) == 1:
        given = given[0]
    if isinstance(given, str) and given.startswith('[{"role"'):
        try:
            given = read_json(given)
        except ValueError:
            return str(given)
    if isinstance(given, list):
        texts = [one.get("content") if isinstance(one, dict) else one for one in given]
        if not all(isinstance(text, str) for text in texts):
            raise ValueError("some parts of its prompt are not text")
        return "\n\n".join(map(str, texts))
    if not isinstance(given, str):
        raise ValueError("its prompt is not text")
    return given


def _ended_options(requests: Sequence[Sequence[Any]], prompt: str) -> dict[str, str]:
    """Return the options by letter: the continuations whose likelihoods were compared.

    If two requests have the same continuation, their contexts are the options instead.
    """
    ends = [str(request[1]) if len(request) > 1 else "" for request in requests]
    if len(set(ends)) < len(ends):
        ends = [str(request[0]) for request in requests]
    texts = [end.strip() for end in ends]
    if texts == list(LETTERS[: len(texts)]):
        named = options_in(prompt)
        if len(named) == len(texts):
            texts = list(named.values())
    return dict(zip(LETTERS, texts, strict=False))


def _right_option(target: Any, options: Mapping[str, str]) -> tuple[str, ...]:
    """The letter of the right option, given as its number, its letter or its text.

    A whole number is always the option's number, as in the harness itself.
    """
    text = str(target).strip()
    if text.isdecimal() and int(text) < len(options):
        return (LETTERS[int(text)],)
    return (text,)


def _key(target: Any) -> tuple[str, ...]:
    """The right answers; solutions end in the result."""
    texts = right_answers(target)
    return tuple(text.split(_WORKED)[-1].strip() if _WORKED in text else text for text in texts)


def _texts(sample: Mapping[str, Any]) -> list[str]:
    """The texts of the answer to the first request."""
    texts = generated_texts(sample)
    if not texts:
        raise ValueError("it holds neither generated texts nor likelihoods of options")
    if len(texts) == 2 and texts[1] in ("True", "False"):
        raise ValueError(
            "it holds the likelihood of a single text and no answer; such tasks cannot be imported"
        )
    return texts
