"""The pages of the generated families: a gallery, and two catalogs that only the site has."""

from __future__ import annotations

import html
import inspect
import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from gfactor.benchmarks.chc import ABILITIES, FAMILIES, Family
from gfactor.benchmarks.chc.build import plan
from gfactor.benchmarks.chc.common import COMMON
from gfactor.benchmarks.chc.parallel import SEEDS
from gfactor.benchmarks.texts import LANGUAGES
from gfactor.imaging import Pixels, encode_png
from gfactor.items import Item

SEED = 2026
TILE = (360, 360)
ITEMS = 2
"""Items of each difficulty that the gallery shows."""
MOST_PICTURES = 4
"""Pictures shown of a conversation."""

INTRODUCTION = """# Generated batteries

Made by `python docs/generate.py` from the files in `src/gfactor/benchmarks/chc/families/`.

Each family is a test of one ability, made by program. A solver proves that every item has one
answer, every wrong option carries the error that leads to it, and what makes items hard is recorded
in labels (`radical.NAME`). The paradigms are the literature's, named below; the items are ours and
not those of any published test.

```console
$ gfactor build chc --seed 7 --families matrices --difficulty easy,hard --per-cell 2 -o chc.parquet
$ gfactor audit chc.parquet --no-ideal
$ gfactor list families --json
```

In Python: `gf.build("chc", seed=7, families=["matrices"], path="chc.parquet")`. The same seed gives
the same bytes. `--radicals rules=2,noise=1` sets levels instead of a preset, `--twin text` puts the
scene into words, `--language en,zh,fr,es,pt,ko` puts every scene into each language, and `--answers
open` asks for the answer itself where a family can. Keys are balanced over positions, so
that each place holds the key equally often in every difficulty. `--vector` writes every picture as
SVG too, into the folder STEM-svg beside the bank; `percept-v` and the parallel forms have it, too
(textured grounds of Percept-V stay pixels below their shapes).

Below, each family shows two items of every difficulty: from left to right easy, medium, hard and
extreme. Below them are its sentences in six languages; where a line names no difficulty, all ask
the same. The site that `make docs-site` builds also has the scenes of the first row in words, and
all sentences of the families (`python docs/catalogs.py FOLDER` writes both).
Speed, keys found by independent checkers, observers, guessers, and wrong options under a wider
grammar are in [Measured](evidence/batteries-measured.md).

## Beyond hard

`--difficulty extreme` makes items beyond the preset `hard`, which an ideal observer still answers:
series of four streams, spans of 12, towers of 12 moves, sorting with six shifts that nobody
announces, matrices with four rules, cubes of which only two views together tell the sides. All
families have it. The word names levels of the design, no measured difficulty: spans and towers are
long, but a number grid, a letter series or a chain of syllogisms is solved by a careful reader (23
of 23 items were, by hand). Accuracies are known of simulated observers alone
([evidence](evidence/batteries-evidence.md#calibration)); calibrate what you use.
The levels lie beyond those of the radicals, so that easy, medium and hard items
stay as they were, byte by byte, and no bank has an extreme item unless it is asked for. A family of
another package that declares no such levels refuses if it was named ("family 'knots' has no extreme
difficulty; leave it or --difficulty extreme out"), and is left out if not.

```console
$ gfactor build chc --families tower_planning --difficulty extreme --per-cell 4 -o tower.parquet
```

Pictures of all families at every difficulty, of any seed, are drawn by
`python docs/contact_sheets.py FOLDER --seed 11`.

## Audit

`gfactor audit` solves every scene of a bank again and draws a fifth of them again. `wrong_targets`:
keys that the solver does not find alone. `wrong_pictures`, `languages_differ`, `repeated_scenes`:
pictures, languages and scenes that are not what they should be. `near_duplicates`: share of items
whose scene differs from an earlier one in one value, with the same answer (5 % at most).
`key_positions`: how often each place holds the key.

Legibility: `max_side_px` is the longest side of a picture (1,024 at most). In the pictures that are
drawn again, `min_object_px` is the longer side of the smallest connected thing (4 at least), and
`min_option_px` counts the pixels by which the most similar wrong option, drawn in the place of the
right one, differs from it by a CIEDE2000 difference of 10 or more (12 at least).

From 100 items of a family on, guessers that learned from the items of the next
seed are judged on the bank, in shares above chance: `blind_gain` knows the difficulty,
`metadata_gain` all radicals, `options_gain` sees the options without the question,
`structure_gain` compares them with each other (multiples, the most and least typical one, options
that look the same, one that lacks what all others have), `wording_gain` reads their words,
`cue_gain` sees bytes, ink and luminance of the pictures.

## Parallel forms of MM-IQ and M3GIA

```console
$ gfactor build mm-iq-parallel --seed 3 --items 20 -o mm-iq-parallel.parquet
$ gfactor build m3gia-parallel --seed 3 --items 20 --language en,ko -o m3gia-parallel.parquet
```

A parallel form has as many items of a type as the seed (or `--items` in all, in its proportions),
made by the families that parallel the type, an equal share each and a third of each difficulty
(in small forms some more easy ones), with four options. Half of MM-IQ's mathematics counts points,
crossings, regions and areas of figures (figure_counts), half calculates with numbers: the paper
names these two tasks, and not how many items each has. A published accuracy can then be set beside
one on items that no model has seen: the paradigms are the same, the items and their difficulty are
not. Labels: `type` (MM-IQ's paradigm, M3GIA's type), `parallel_of`, `family`, radicals.
Types that no family parallels are listed by the build with the number of items that are missing and
in the bank's metadata (`not_generated`). One scene is put into all languages. Where M3GIA shows six
options to a matrix, this form shows four: wrong options are crossed in pairs.

{forms}
"""

IN_WORDS = """# Generated batteries: items in words

An easy, a medium and a hard item of each family, as [the gallery](batteries.md) shows them in its
first row, put into words in six languages (`--twin text`).
"""


def forms() -> str:
    """The types of the seeds, their items and the families that make them."""
    lines = ["| seed | type | items in a language | families |", "|---|---|---|---|"]
    for form in SEEDS.values():
        families = form.families()
        for kind, count in form.counts.items():
            names = ", ".join(family.name for family in families[kind]) or "not generated"
            lines.append(f"| {form.title} | {kind} | {count} | {names} |")
    return "\n".join(lines) + "\n"


def items_of(
    family: Family[Any], seed: int = SEED, language: Sequence[str] = LANGUAGES
) -> list[Item]:
    """Items of each difficulty, the extreme one too where there is one."""
    (part,) = plan(
        seed=seed, families=[family.name], per_cell=ITEMS, language=language,
        difficulty=family.difficulties,
    ).parts  # fmt: skip
    made: Any = part.make()
    return list(made)


def tile(item: Item) -> Pixels:
    """The pictures of an item, side by side, scaled into a tile that is no higher than they are.

    Of a conversation with more pictures the first ones and the last, which asks.
    """
    images = item.images
    if len(images) > MOST_PICTURES:
        images = (*images[: MOST_PICTURES - 1], images[-1])
    pictures = [image.decode() for image in images]
    height = max(picture.shape[0] for picture in pictures)
    padded = [
        cv2.copyMakeBorder(p, 0, height - p.shape[0], 0, 8, cv2.BORDER_CONSTANT, value=(225,) * 3)
        for p in pictures
    ]
    whole = np.hstack(padded)[:, :-8]
    width, height = TILE
    scale = min(1, width / whole.shape[1], height / whole.shape[0])
    size = (round(whole.shape[1] * scale), round(whole.shape[0] * scale))
    small = cv2.resize(whole, size, interpolation=cv2.INTER_AREA)
    out = np.full((size[1] + 12, width + 12, 3), 225, np.uint8)
    out[6 : 6 + size[1], 6 : 6 + size[0]] = small
    return out


def gallery(family: Family[Any]) -> tuple[bytes, str]:
    """The picture of a family's items, and what they ask in every language.

    One picture serves all languages: no picture has a word in it.
    """
    items = items_of(family)
    return encode_png(sheet([i for i in items if i.language == "en"])), "\n".join(questions(items))


def sheet(items: Sequence[Item]) -> Pixels:
    """The items of a family: a column for each difficulty, from the easiest."""
    columns: dict[str, list[Pixels]] = {}
    for item in items:
        columns.setdefault(str(item.labels["difficulty"]), []).append(tile(item))
    rows = []
    for tiles in zip(*columns.values(), strict=True):
        height = max(one.shape[0] for one in tiles)
        padded = (
            np.pad(one, ((0, height - one.shape[0]), (0, 0), (0, 0)), constant_values=225)
            for one in tiles
        )
        rows.append(np.hstack(list(padded)))
    return np.ascontiguousarray(np.vstack(rows))


def questions(items: Sequence[Item]) -> Iterator[str]:
    """A line for each language, and for each difficulty where they ask different things.

    The sentences of all turns of a conversation, each once.
    """
    for language in LANGUAGES:
        asked: dict[str, list[str]] = {}
        for item in (item for item in items if item.language == language):
            lines = dict.fromkeys(
                "\n".join(p for p in item.content if isinstance(p, str)).split("\n")
            )
            asked.setdefault(" ".join(lines), []).append(str(item.labels["difficulty"]))
        for text, difficulties in asked.items():
            which = f" ({', '.join(dict.fromkeys(difficulties))})" if len(asked) > 1 else ""
            yield f"- `{language}`{which} {text}"


def in_words(family: Family[Any]) -> Iterator[str]:
    """The items of three difficulties in words, without their pictures, in every language."""
    (part,) = plan(
        seed=SEED, families=[family.name], per_cell=1, language=LANGUAGES, twin="text"
    ).parts
    made: Any = part.make()
    yield f"## {family.name}\n"
    for difficulty, items in itertools.groupby(made, key=lambda item: item.labels["difficulty"]):
        yield f"<details><summary>{family.name}, {difficulty}</summary>"
        for item in items:
            listed = [f"{c.label}. {c.content}" for c in item.choices]
            words = html.escape("\n".join([*map(str, item.content), *listed]))
            yield f'<pre lang="{item.language}">{words}</pre>'
        yield "</details>\n"


def section(family: Family[Any], asked: str) -> Iterator[str]:
    """What the page says of a family."""
    module = inspect.getmodule(family.draw)
    yield f"## {family.name}\n"
    kinds = ", ".join(family.answer_types)
    yield f"{family.ability}: {ABILITIES[family.ability]}. Answers: {kinds}.\n"
    yield f"{inspect.cleandoc((module and module.__doc__) or '')}\n"
    yield f"![{family.name}: {', '.join(family.difficulties)}](batteries-{family.name}.png)\n"
    yield f"{asked}\n"
    radicals = [f"`{n}`: {', '.join(map(str, v))}" for n, v in family.radicals.items()]
    yield f"Radicals. {'; '.join(radicals)}.\n"
    if family.extreme:
        levels = [f"`{n}`: {', '.join(map(str, v))}" for n, v in family.extreme.items()]
        yield f"Extreme. {'; '.join(levels)}.\n"
    alike = [f"MM-IQ: {', '.join(family.mm_iq)}"] if family.mm_iq else []
    alike += [f"M3GIA: {', '.join(family.m3gia)}"] if family.m3gia else []
    if alike:
        yield f"Parallels {'; '.join(alike)}.\n"
    if family.unobserved:
        yield f"No observer answers from pixels: {family.unobserved}\n"
    yield f"Origin: {family.origin}.\n"
    yield "\n".join(f"- {one}" for one in family.literature) + "\n"


def templates() -> str:
    """Every template of every family in every language, for review."""
    known = set(COMMON.templates)
    lines = [
        "# Templates of the generated batteries\n\nFields stand in braces; `{form:n=count}` is the "
        "noun in the number of `count`, `{shade:of=form,n=count}` the adjective that agrees with "
        "it.\n"
    ]
    parts = [("all families", COMMON.templates)]
    for family in FAMILIES.values():
        own = {n: t for n, t in family.texts.templates.items() if n not in known}
        parts.append((family.name, own))
    for name, texts in parts:
        lines.append(f"## {name}\n")
        for template, languages in texts.items():
            said = "\n".join(f"- `{tag}` {languages[tag]}" for tag in LANGUAGES)
            lines.append(f"`{template}`\n\n{said}\n")
    return "\n".join(lines)


def catalogs() -> dict[str, str]:
    """The pages of items in words and of templates, by their names."""
    words = [IN_WORDS, *(line for family in FAMILIES.values() for line in in_words(family))]
    return {"batteries-items.md": "\n".join(words), "batteries-templates.md": templates()}


def pages(folder: Path) -> dict[Path, bytes]:
    """The page of families and a picture of each."""
    made: dict[Path, bytes] = {}
    sections = [INTRODUCTION.replace("{forms}", forms())]
    for family in FAMILIES.values():
        picture, asked = gallery(family)
        made[folder / f"batteries-{family.name}.png"] = picture
        sections += section(family, asked)
    made[folder / "batteries.md"] = "\n".join(sections).encode()
    return made
