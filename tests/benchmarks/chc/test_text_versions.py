"""A family whose sentences change has a new version: items are known by their version and scene.

After a change with its new version, record it:
`python tests/benchmarks/chc/test_text_versions.py`.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

from gfactor.benchmarks.chc.family import FAMILIES
from gfactor.items import canonical_json, text_hash

RECORDED = Path(__file__).parent / "text_versions.json"
FILES = Path(__file__).parents[3] / "src" / "gfactor" / "benchmarks" / "chc"
DIGITS = 16


def sentences(path: Path) -> str:
    """Return a hash of the sentences and words of a file, in all languages."""
    found = tomllib.loads(path.read_text(encoding="utf-8"))
    said: dict[str, Any] = {name: found[name] for name in ("texts", "words") if name in found}
    return text_hash(canonical_json(said))[:DIGITS]


def as_they_are() -> dict[str, list[str]]:
    """Version and hash of the sentences of each family, and of the files that families share."""
    shared = {path.stem: ["", sentences(path)] for path in sorted(FILES.glob("*.toml"))}
    own = {
        name: [family.version, sentences(FILES / "families" / f"{name}.toml")]
        for name, family in sorted(FAMILIES.items())
    }
    return {**own, **shared}


def test_a_family_with_other_sentences_has_another_version() -> None:
    """Identities of items hold no sentence: answers to both wordings would be pooled."""
    recorded, now = json.loads(RECORDED.read_text(encoding="utf-8")), as_they_are()
    assert set(now) == set(recorded)
    silent = [
        name for name, (version, digest) in now.items()
        if digest != recorded[name][1] and version == recorded[name][0]
    ]  # fmt: skip
    assert not silent, "other sentences under the same version"
    assert now == recorded, "record the new versions (see the first lines of this file)"


if __name__ == "__main__":
    RECORDED.write_text(json.dumps(as_they_are(), indent=1) + "\n", encoding="utf-8")
