"""Preparation of the materials of a condition, before anything is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path

from gfactor.administration.asking.captioning import (
    CaptionCache,
    Wanted,
    describe,
    question_about,
    undescribed,
)
from gfactor.administration.packs import Packs
from gfactor.administration.presenting.condition import Condition
from gfactor.administration.presenting.examples import Examples, choose_examples
from gfactor.administration.presenting.image_texts import ImageTexts, read_image_texts
from gfactor.administration.presenting.knowledge import Knowledge, read_knowledge
from gfactor.administration.presenting.materials import Materials
from gfactor.administration.sharing.claims import Tell
from gfactor.administration.storing.journal import Journal
from gfactor.errors import ParameterError
from gfactor.examinees import Examinee, RenderedItem
from gfactor.items import Item, ItemBank

FILLER = "word " * 80
"""Text of 100 tokens in place of a description that is not made yet, for estimates of cost."""


@dataclass(frozen=True)
class Files:
    """The files that a user gives for a condition.

    Parameters
    ----------
    packs : list of Path
        Prompt packs; earlier ones have priority.
    captions : Path, optional
        Texts of images; with `captioner`, the cache of its texts.
    captioner : Examinee, optional
        An examinee that describes the images that have no text yet.
    knowledge : Path, optional
        Pieces of knowledge.
    shots_from : Path, optional
        The bank from which examples are taken.

    Examples
    --------
    >>> from pathlib import Path
    >>> from gfactor.administration import Files
    >>> Files(knowledge=Path("facts.csv")).packs
    ()
    """

    packs: tuple[Path, ...] = ()
    captions: Path | None = None
    captioner: Examinee | None = None
    knowledge: Path | None = None
    shots_from: Path | None = None


def prepare(
    bank: ItemBank,
    condition: Condition,
    files: Files,
    whole: ItemBank | None = None,
    progress: Callable[[int], object] = lambda _: None,
    journal: Journal | None = None,
    tell: Tell | None = None,
) -> tuple[Condition, Materials]:
    """Return the condition with its fingerprints, and the materials, for the items of `bank`.

    All materials are checked here, so that a run does not stop at its 900th item. Images are
    described here if the files name a captioner.

    Parameters
    ----------
    bank : ItemBank
        The items that will be asked.
    condition : Condition
        Condition under which items are presented.
    files : Files
        Files that the user gave for the condition.
    whole : ItemBank, optional
        The bank of which they are a sample; examples are taken from outside of it.
    progress : callable
        Called with the number of images described since the last call.
    journal : Journal, optional
        Journal that stores descriptions of images, so that processes which share it ask for each
        once; None leaves images without a text as they are (to estimate a run's cost).
    tell : Tell, optional
        Called with a sentence while waiting for descriptions by other processes.

    Returns
    -------
    tuple[Condition, Materials]
        Both, ready for `render` and `run`.

    Raises
    ------
    ParameterError
        If files and condition do not fit each other or the bank.

    Examples
    --------
    >>> import gfactor as gf
    >>> from gfactor.administration import Condition, Files, prepare
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> condition, materials = prepare(bank, Condition(cot=True), Files())
    >>> condition.key
    'cot=on'
    """
    whole = whole or bank
    _check_bank(whole, condition)
    materials = Materials(
        packs=Packs.of(files.packs),
        texts=_known_texts(condition, files),
        knowledge=_knowledge(whole, files.knowledge),
        examples=_examples(whole, condition, files.shots_from),
    )
    stamped = materials.stamped(condition)
    if materials.texts is None:
        return stamped, materials
    if files.captioner is None:
        materials.texts.check(chain(bank, _examples_of(materials)))
    elif journal is not None:
        cache = _cache(condition, files, files.captioner)
        cache.add_known(journal)
        described = replace(materials, texts=cache.image_texts())
        wanted = images_to_describe(bank, stamped, described)
        if wanted:
            cache.check_writable()
        try:
            describe(wanted, files.captioner, condition.images, journal, progress, tell)
        finally:
            cache.add_known(journal)
        materials = replace(materials, texts=cache.image_texts())
    else:
        materials = replace(materials, texts=replace(materials.texts, filler=FILLER))
    return stamped, materials


def images_to_describe(bank: ItemBank, condition: Condition, materials: Materials) -> Wanted:
    """Return the images of the bank and of its examples that have no text yet, with the prompts for
    describing them."""
    described = set(materials.texts.texts) if materials.texts else set()
    how = condition, materials.packs
    wanted: dict[str, Callable[[], RenderedItem]] = {}
    for name, item, position in undescribed(bank, described, *how):
        wanted[name] = partial(question_about, partial(bank.item, item.id), position, *how)
    for name, item, position in undescribed(
        _examples_of(materials), described | wanted.keys(), *how
    ):
        wanted[name] = partial(question_about, partial(_same, item), position, *how)
    return wanted


def _same(item: Item) -> Item:
    return item


def _examples_of(materials: Materials) -> Iterator[Item]:
    yield from chain.from_iterable(
        materials.examples.by_kind.values() if materials.examples else ()
    )


def _check_bank(bank: ItemBank, condition: Condition) -> None:
    kinds = set(bank.frame()["answer_type"])
    if condition.options_seed is not None and not kinds & {"choice", "choices"}:
        raise ParameterError(
            f"no item of {bank.path.name!r} has options that options_seed could permute; leave "
            "options_seed out of the condition"
        )
    if condition.options_seed is not None:
        for item_id, choices in bank.choices().items():
            if choices and all(text == "" for _, text in choices):
                raise ParameterError(
                    f"options_seed permutes choices, and those of item {item_id!r} stand in its "
                    "question or picture, where they cannot move; drop it"
                )


def _known_texts(condition: Condition, files: Files) -> ImageTexts | None:
    if files.captioner is not None:
        return _cache(condition, files, files.captioner).image_texts()
    return read_image_texts(files.captions) if files.captions else None


def _cache(condition: Condition, files: Files, captioner: Examinee) -> CaptionCache:
    if files.captions is None:
        raise ParameterError(
            "descriptions made by --captions-by are stored in a file; name it with --captions"
        )
    return CaptionCache(files.captions, condition.images, captioner.name)


def _knowledge(bank: ItemBank, path: Path | None) -> Knowledge | None:
    if path is None:
        return None
    knowledge = read_knowledge(path)
    knowledge.check(bank)
    return knowledge


def _examples(bank: ItemBank, condition: Condition, path: Path | None) -> Examples | None:
    if path is None:
        return None
    return choose_examples(bank, ItemBank.open(path), condition.shots)
