"""From domains to items: the plan of a Percept-V bank, one part a domain."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import cv2

from gfactor.benchmarks.benchmark import VECTOR, Option
from gfactor.benchmarks.percept_v.domain import (
    DOMAINS,
    EDITIONS,
    INSTANCES,
    SIZES,
    Domain,
    Edition,
    scene_from_plain,
)
from gfactor.benchmarks.percept_v.options import (
    TWINS,
    Prompts,
    chosen_domains,
    parse_count,
    parse_domains,
    parse_edition,
    parse_prompts,
    parse_seed,
    parse_sizes,
    parse_twin,
)
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.imaging import encode_png
from gfactor.imaging.vector import recorded
from gfactor.items import (
    BankPlan,
    Image,
    Item,
    ItemRandom,
    Part,
    Provenance,
    canonical_json,
    pixel_hash,
    text_hash,
)
from gfactor.items.schema import NUMBER, WORD, WORDS
from gfactor.listing import first_few

NAME = "percept-v"

VERSION = "4"
"""Version of the benchmark; raised whenever an item of some seed changes, with `Domain.version`."""

ABOUT: Mapping[str, str] = {
    "name": NAME,
    "description": "Thirty domains of basic visual perception, sizes 1 to 20, drawn by program.",
    "license": "Apache-2.0",
    "citation": (
        "Ghosh, S., Agarwal, N., Garg, H., Mittal, C., Mausam, & Singla, P. (2025). Can Multimodal "
        "LLMs Solve the Basic Perception Problems of Percept-V? arXiv:2508.21143. "
        "https://arxiv.org/abs/2508.21143"
    ),
    "version": VERSION,
}

OPTIONS = (
    Option("seed", "0", "N", "Seed of the items.", parse_seed),
    Option(
        "edition",
        "audited",
        "|".join(EDITIONS),
        "`audited` repairs the defects of the published items, `paper` keeps the published "
        "distributions.",
        parse_edition,
    ),
    Option(
        "domains",
        "",
        "A,B",
        "Domains, separated by commas; `added` for the four further domains, each of which needs "
        "one skill only (audited edition), or `all`. By default the thirty domains of the paper.",
        parse_domains,
    ),
    Option(
        "sizes", f"{SIZES[0]}-{SIZES[-1]}", "A-B", "Sizes to build: 1-20 or 1,5,10.", parse_sizes
    ),
    Option("instances", str(INSTANCES), "N", "Number of items per domain and size.", parse_count),
    Option(
        "prompts",
        "",
        "FILE",
        "TOML or JSON file with lines domain = prompt, whose prompts replace those of gfactor "
        "(paper edition).",
        parse_prompts,
    ),
    Option(
        "twin",
        "picture",
        "|".join(TWINS),
        "Form of each scene: a picture, a text twin (the same scene in words), or both as two "
        "items.",
        parse_twin,
    ),
    VECTOR,
)

_SCENE_DIGITS = 16
"""Digits of a scene's hash in the label that joins an item and its twin."""

_SEED_LIMIT = 2**63
"""Seeds are stored as 64-bit integers."""


def plan(
    seed: int = 0,
    edition: str = "audited",
    domains: Sequence[str] | None = None,
    sizes: Sequence[int] = SIZES,
    instances: int = INSTANCES,
    prompts: Prompts | None = None,
    twin: str = "picture",
    vector: bool = False,
) -> BankPlan:
    """Return the plan of a bank: items ordered by domain, size and instance.

    Parameters
    ----------
    seed: 0 or more. Items of different seeds have nothing in common.
    edition: `audited` (defects repaired) or `paper` (published distributions).
    domains: names, or `paper` (those of the paper and plug-ins: the default), `added` or `all`.
    sizes: sizes from 1 to 20, the published range.
    instances: items of each domain and size; answers are balanced over them, and ten are published.
    prompts: prompts that replace ours, for the paper edition only. The prompts with which the
        published figures were obtained differ from those of that edition.
    twin: `picture`, `text` (the scene in words, from which it can be drawn again) or `both`: two
        items per scene, which the labels `twin` and `scene` identify.
    vector: True to write the pictures as SVG too, beside the bank.

    Raises ParameterError or UnknownNameError (with the closest name) before any work.
    """
    if not 0 <= seed < _SEED_LIMIT:
        raise ParameterError(f"seed must be a whole number from 0 to 2^63 - 1, not {seed}")
    if edition not in EDITIONS:
        raise UnknownNameError("edition", edition, EDITIONS)
    wanted = chosen_domains(domains or (), edition)
    sizes = sorted(set(sizes))
    if not sizes or sizes[0] < SIZES[0] or sizes[-1] > SIZES[-1]:
        given = f"{sizes[0]} to {sizes[-1]}" if sizes else "none"
        raise ParameterError(f"sizes must be from {SIZES[0]} to {SIZES[-1]}, not {given}")
    if instances < 1:
        raise ParameterError(f"instances must be 1 or more, not {instances}")
    _check_prompts(prompts, edition, wanted)
    _check_twin(twin, wanted)
    shared = {"edition": edition, "seed": seed, "sizes": sizes, "instances": instances}
    if twin != "picture":
        shared["twin"] = twin
    about = {"benchmark": NAME, "version": VERSION}
    source = {"prompts": {"file": prompts.file, "sha256": prompts.sha256}} if prompts else {}
    return BankPlan(
        parts=[
            Part(
                name,
                {**about, "domain": name, **shared, **source},
                partial(make_items, name, **shared, prompts=prompts),
            )
            for name in wanted
        ],
        labels={
            "domain": WORD,
            "size": NUMBER,
            "skills": WORDS,
            **({"prompts": WORD} if prompts else {}),
            **({"twin": WORD, "scene": WORD} if twin != "picture" else {}),
        },
        metadata={**about, **shared, "domains": wanted, **source},
        about=ABOUT,
        vector=vector_pictures if vector else None,
    )


def vector_pictures(item: Item) -> list[str]:
    """Return an SVG document for each picture of an item, drawn again from its stored scene.

    Raises ValueError if the scene is not one of this version's.
    """
    domain = DOMAINS[str(item.labels["domain"])]
    scene = scene_from_plain(domain.scene_type, json.loads(item.provenance.scene))
    return recorded(lambda: domain.draw(scene))


def chance_at(domain: str, size: float) -> float | None:
    """Return the chance level of a domain at a size; None if the domain or size is unknown."""
    if domain not in DOMAINS or size not in SIZES:
        return None
    return DOMAINS[domain].chance_at(int(size))


def format_sentences(item: Item) -> frozenset[str]:
    """Return the sentences of an item that tell models how to write the answer."""
    domain = item.labels.get("domain")
    return DOMAINS[str(domain)].format_sentences if domain in DOMAINS else frozenset()


def _check_twin(twin: str, wanted: Sequence[str]) -> None:
    if twin not in TWINS:
        raise UnknownNameError("twin", twin, TWINS)
    without = [name for name in wanted if DOMAINS[name].twin is None]
    if twin != "picture" and without:
        raise ParameterError(
            f"twin={twin}: {', '.join(without)} cannot be put into words; leave it out with domains"
        )


def _check_prompts(prompts: Prompts | None, edition: str, wanted: Sequence[str]) -> None:
    if prompts is None:
        return
    if edition != "paper":
        raise ParameterError(
            "a file of prompts works only with --edition paper, because the audited edition has "
            "questions of its own; leave out --prompts, or add --edition paper"
        )
    missing = [name for name in wanted if name not in prompts.texts]
    if missing:
        raise ParameterError(
            f"prompts: {prompts.file!r} has none for {first_few(missing, 3)}; add them, or "
            "name those to build with --domains"
        )


def make_items(
    domain: str,
    *,
    edition: Edition,
    seed: int,
    sizes: Sequence[int],
    instances: int,
    prompts: Prompts | None = None,
    twin: str = "picture",
) -> Iterator[Item]:
    """Yield the items of one domain, by size and instance; of twins, the picture first."""
    # With small pictures and many processes, threads inside OpenCV would only compete.
    cv2.setNumThreads(1)
    definition = DOMAINS[domain]
    for size in sizes:
        for index in range(instances):
            item = make_item(definition, edition, seed, size, index, prompts)
            if twin == "picture":
                yield item
                continue
            scene = text_hash(item.provenance.scene)[:_SCENE_DIGITS]
            for one, name in ((item, "picture"), (text_twin(definition, item), "text")):
                if twin in (name, "both"):
                    yield replace(one, labels={**one.labels, "twin": name, "scene": scene})


def item_random(
    domain: Domain[Any], edition: Edition, seed: int, size: int, index: int
) -> ItemRandom:
    """Return the random generator of an item, keyed by everything that identifies it."""
    cell: dict[str, str | int] = {
        "benchmark": NAME,
        "version": domain.version_for(edition),
        "edition": edition,
        "domain": domain.name,
        "seed": seed,
        "size": size,
    }
    return ItemRandom(cell, index)


def make_item(
    domain: Domain[Any],
    edition: Edition,
    seed: int,
    size: int,
    index: int,
    prompts: Prompts | None = None,
) -> Item:
    """Return one item: scene, pictures, prompt and answer."""
    prompt = prompts.texts[domain.name] if prompts else None
    scene = domain.make(item_random(domain, edition, seed, size, index), size, edition)
    pictures = domain.draw(scene)
    item_id = f"{domain.name}-{size:02d}-{index}"
    images = [
        Image(encode_png(pixels), f"{item_id}-{number}.png")
        for number, pixels in enumerate(pictures, 1)
    ]
    output_format = domain.format_for(edition)
    target = domain.answer(scene)
    return Item(
        id=item_id,
        benchmark=NAME,
        content=(prompt or domain.prompt_for(edition).text(), *images),
        answer_type=output_format.answer_type,
        target=target,
        accepted=tuple(a for a in domain.accepted(scene) if a != target),
        labels={
            "domain": domain.name,
            "size": size,
            "skills": domain.skills,
            **({"prompts": prompts.fingerprint} if prompts else {}),
        },
        output_format=output_format,
        provenance=Provenance(
            source=f"gfactor {NAME}",
            version=domain.version_for(edition),
            edition=edition,
            seed=seed,
            index=index,
            scene=canonical_json(scene),
            content_hash=content_hash(domain, edition, scene, prompt),
            pixel_hashes=tuple(pixel_hash(pixels) for pixels in pictures),
        ),
    )


def text_twin(domain: Domain[Any], item: Item) -> Item:
    """Return the item with its scene in words instead of pictures."""
    if domain.twin is None:
        raise ParameterError(
            f"items of the domain {domain.name!r} cannot be put into words; build it with "
            "twin=picture"
        )
    scene = scene_from_plain(domain.scene_type, json.loads(item.provenance.scene))
    origin = item.provenance
    identity = text_hash(canonical_json({"picture": origin.content_hash, "twin": "text"}))
    return replace(
        item,
        id=f"{item.id}-text",
        content=(item.content[0], domain.twin.write(scene)),
        provenance=replace(origin, content_hash=identity, pixel_hashes=()),
    )


def content_hash(
    domain: Domain[Any], edition: Edition, scene: Any, prompt: str | None = None
) -> str:
    """Return the identity of an item: the hash of its scene and of its question.

    `prompt` is given if it differs from the edition's own.
    """
    identity = {
        "benchmark": NAME,
        "version": domain.version_for(edition),
        "domain": domain.name,
        "edition": edition,
        "scene": scene,
        **({"prompt": prompt} if prompt else {}),
    }
    return text_hash(canonical_json(identity))
