"""The pages of the generated families: a gallery with every family, and all of their templates."""

from __future__ import annotations

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
open` asks for the answer itself where a family can. Keys are dealt over the options' places, so
that each place holds the key equally often in every difficulty.

All sentences are listed in [Templates](batteries-templates.md). Speed, keys found by independent
checkers, observers and guessers are in [Measured](batteries-measured.md).
"""


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
    sections = [INTRODUCTION]
    for family in FAMILIES.values():
        picture, questions = gallery(family)
        made[folder / f"batteries-{family.name}.png"] = picture
        sections += section(family, questions)
    made[folder / "batteries.md"] = "\n".join(sections).encode()
    made[folder / "batteries-templates.md"] = templates().encode()
    return made
