"""The pages of the generated families: a gallery with every family, and all of their templates."""

from __future__ import annotations

import html
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from gfactor.benchmarks.chc import ABILITIES, FAMILIES, Family
from gfactor.benchmarks.chc.build import plan
from gfactor.benchmarks.chc.common import COMMON
from gfactor.benchmarks.chc.family import DIFFICULTIES
from gfactor.benchmarks.chc.parallel import SEEDS
from gfactor.benchmarks.chc.texts import LANGUAGES
from gfactor.imaging import Pixels, encode_png
from gfactor.items import Item

SEED = 2026
TILE = (420, 420)
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
that each place holds the key equally often in every difficulty.

All sentences are listed in [Templates](batteries-templates.md). Speed, keys found by independent
checkers, observers and guessers are in [Measured](batteries-measured.md).

## Audit

`gfactor audit` solves every scene of a bank again and draws a fifth of them again. `wrong_targets`:
keys that the solver does not find alone. `wrong_pictures`, `languages_differ`, `repeated_scenes`:
pictures, languages and scenes that are not what they should be. `key_positions`: how often each
place holds the key. From 100 items of a family on, guessers that learned from the items of the next
seed are judged on the bank, in shares above chance: `blind_gain` knows the difficulty,
`metadata_gain` all radicals, `options_gain` sees the options without the question, `wording_gain`
reads their words, `cue_gain` sees bytes, ink and luminance of the pictures.

## Parallel forms of MM-IQ and M3GIA

```console
$ gfactor build mm-iq-parallel --seed 3 --items 20 -o mm-iq-parallel.parquet
$ gfactor build m3gia-parallel --seed 3 --items 20 --language en,ko -o m3gia-parallel.parquet
```

A parallel form has as many items of a type as the seed (or `--items` in all, in its proportions),
made by the families that parallel the type, an equal share each and a third of each difficulty,
with four options. A published accuracy can then be set beside one on items that no model has seen:
the paradigms are the same, the items and their difficulty are not. Labels: `type` (MM-IQ's
paradigm, M3GIA's type of questions), `parallel_of`, `family`, radicals. Types that no family
parallels are listed by the build with the number of items that are missing, and in the bank's
metadata (`not_generated`). One scene is put into all languages. Where M3GIA shows six options to a
matrix, this form shows four: wrong options are crossed in pairs.

{forms}
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


def items_of(family: Family[Any]) -> list[Item]:
    """An item of each difficulty."""
    (part,) = plan(seed=SEED, families=[family.name], per_cell=1, language=LANGUAGES).parts
    made: Any = part.make()
    return list(made)


def tile(item: Item) -> Pixels:
    """The pictures of an item, side by side, scaled into a tile."""
    pictures = [image.decode() for image in item.images[:MOST_PICTURES]]
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
    out = np.full((height + 12, width + 12, 3), 225, np.uint8)
    out[6 : 6 + size[1], 6 : 6 + size[0]] = small
    return out


def gallery(family: Family[Any]) -> tuple[bytes, str]:
    """The picture of a family's items, and their questions in every language."""
    items = items_of(family)
    shown = [item for item in items if item.language == "en"]
    picture = np.ascontiguousarray(np.hstack([tile(item) for item in shown]))
    asked = [item for item in items if item.id.startswith(shown[0].id.removesuffix("-en"))]
    lines = [f"- `{item.language}` {item.content[0]}".replace("\n", " ") for item in asked]
    return encode_png(picture), "\n".join(lines)


def twins(family: Family[Any]) -> str:
    """The easy item in words, without its picture, in every language, folded."""
    (part,) = plan(
        seed=SEED,
        families=[family.name],
        difficulty=["easy"],
        per_cell=1,
        language=LANGUAGES,
        twin="text",
    ).parts
    made: Any = part.make()
    lines = ["<details><summary>The easy item in words, in six languages</summary>"]
    for item in made:
        listed = [f"{c.label}. {c.content}" for c in item.choices]
        words = html.escape("\n".join([*map(str, item.content), *listed]))
        lines.append(f'<pre lang="{item.language}">{words}</pre>')
    return "\n".join([*lines, "</details>\n"])


def section(family: Family[Any], questions: str) -> Iterator[str]:
    """What the page says of a family."""
    module = inspect.getmodule(family.draw)
    yield f"## {family.name}\n"
    kinds = ", ".join(family.answer_types)
    yield f"{family.ability}: {ABILITIES[family.ability]}. Answers: {kinds}.\n"
    yield f"{inspect.cleandoc((module and module.__doc__) or '')}\n"
    yield f"![{family.name}: {', '.join(DIFFICULTIES)}](batteries-{family.name}.png)\n"
    yield f"{questions}\n"
    radicals = [f"`{n}`: {', '.join(map(str, v))}" for n, v in family.radicals.items()]
    yield f"Radicals. {'; '.join(radicals)}.\n"
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
        "# Templates of the generated batteries\n\nMade by `python docs/generate.py`. Fields stand "
        "in braces; `{form:n=count}` is the noun in the number of `count`, "
        "`{shade:of=form,n=count}` the adjective that agrees with it.\n"
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


def pages(folder: Path) -> dict[Path, bytes]:
    """The two pages and a picture of each family."""
    made: dict[Path, bytes] = {}
    sections = [INTRODUCTION.replace("{forms}", forms())]
    for family in FAMILIES.values():
        picture, questions = gallery(family)
        made[folder / f"batteries-{family.name}.png"] = picture
        sections += [*section(family, questions), twins(family)]
    made[folder / "batteries.md"] = "\n".join(sections).encode()
    made[folder / "batteries-templates.md"] = templates().encode()
    return made
