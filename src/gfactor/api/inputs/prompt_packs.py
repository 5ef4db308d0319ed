"""Building a bank, with a note on languages in which gfactor has no sentences of its own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from gfactor import benchmarks
from gfactor.administration.packs.pack import ANSWERED, TEMPLATE, languages_without_pack
from gfactor.items import Built, Watch
from gfactor.items.shards import bank_files
from gfactor.listing import first_few


def build_with_notes(
    benchmark: str, path: Path | str, *, jobs: int, watch: Watch[Any] | None, **options: Any
) -> Built:
    """Build a bank as `gfactor.benchmarks.build` does; the result also names missing prompt packs.

    `gf.build` and the command both print the notes and warnings of what this returns.
    """
    return _with_note_on_packs(benchmarks.build(benchmark, path, jobs=jobs, watch=watch, **options))


def _with_note_on_packs(built: Built) -> Built:
    """Return what was built with a note if its items need a prompt pack that is not shipped.

    Items that bring their own instruction need none.

    Parameters
    ----------
    built : Built
        Result of a build.

    Returns
    -------
    Built
        With one note more, or unchanged.
    """
    needed: set[str] = set()
    for file in bank_files(Path(built.path)):
        table = pq.read_table(file, columns=["language", "answer_type"]).to_pydict()
        kinds = zip(table["language"], table["answer_type"], strict=True)
        needed.update(language for language, kind in kinds if kind in ANSWERED)
    missing = languages_without_pack(needed)
    if not missing:
        return built
    note = (
        f"no prompt pack is shipped in {first_few(missing, 3)}, and gfactor run needs one: "
        f"{TEMPLATE}; English prompts: --condition prompt_language=en"
    )
    return replace(built, notes=(*built.notes, note))
