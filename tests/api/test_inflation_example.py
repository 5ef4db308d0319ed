"""A whole example: observers answer generated forms, one has learned the public keys by heart."""

from __future__ import annotations

from pathlib import Path

import pytest

import gfactor as gf
from gfactor.errors import ParameterError
from gfactor.examinees import EXAMINEES, RenderedItem, Reply, make_examinee
from gfactor.items import ItemBank

FORMS = {"public": 1, "fresh": 2}
"""Seeds of the generated forms."""
HONEST = [
    f"observer:limited?acuity={acuity}&capacity={capacity}&seed={seed}"
    for seed, (acuity, capacity) in enumerate(
        [(1, 4), (0.5, 4), (0.3, 4), (0.2, 3), (0.15, 3), (0.1, 2), (0.4, 2)]
    )
]
LEARNED = 2 / 3
"""Share of the public items whose keys were learned."""


class Crammer:
    """An observer that looks up the items whose keys it has learned and answers all others."""

    name, in_flight = "crammer:one", 1

    def __init__(self, bank: ItemBank) -> None:
        self._observer = make_examinee("observer:limited?acuity=0.3&seed=9", bank=bank, jobs=1)
        known = [item for k, item in enumerate(bank) if k % 3 < 3 * LEARNED]
        self.keys = {
            tuple(image.sha256 for image in item.images): item.output_format.render(item.target)
            for item in known
            if item.output_format is not None
        }

    async def __call__(self, item: RenderedItem) -> Reply:
        key = self.keys.get(tuple(image.sha256 for image in item.images))
        return Reply(key) if key else await self._observer(item)

    async def close(self) -> None:
        await self._observer.close()


def forms(folder: Path, instances: int) -> dict[str, Path]:
    """A bank of each form."""
    made = {}
    for name, seed in FORMS.items():
        made[name] = folder / f"{name}.parquet"
        gf.build(
            "percept-v", domains=["change_colour", "sort_lines"], sizes=[4, 6, 8], seed=seed,
            instances=instances, path=made[name],
        )  # fmt: skip
    return made


def test_two_seeds_of_a_generator_are_two_forms_though_their_items_have_the_same_names(
    tmp_path: Path,
) -> None:
    made = forms(tmp_path, 4)
    names = [f"baseline:random?seed={k}" for k in range(6)]
    for bank in made.values():
        gf.run(bank, names, journal=tmp_path / "c.db", jobs=1)
    found = gf.inflation(tmp_path / "c.db", examinee=names[0], **made)
    assert len(found.references) == 5
    accuracy = gf.matrix(tmp_path / "c.db", by="item").scores.loc[names[0]]
    hashes = {h[:8] for h in gf.open_bank(made["public"]).frame()["content_hash"]}
    public = [c for c in accuracy.index if str(c).split("@")[1] in hashes]
    assert found.public == pytest.approx(accuracy[public].mean())
    with pytest.raises(ParameterError, match="both public and fresh"):
        gf.inflation(
            tmp_path / "c.db", examinee=names[0], public=made["public"], fresh=made["public"]
        )


@pytest.mark.slow
def test_who_has_learned_the_public_keys_is_found_and_nobody_else(tmp_path: Path) -> None:
    made = forms(tmp_path, 10)
    crammer = Crammer(gf.open_bank(made["public"]))
    if "crammer" not in EXAMINEES:
        EXAMINEES.add("crammer", lambda spec, bank=None, jobs=1: crammer)
    for bank in made.values():
        gf.run(bank, [*HONEST, crammer.name], journal=tmp_path / "c.db", jobs=1)
    found = gf.inflation(tmp_path / "c.db", examinee=crammer.name, **made)
    assert found.ci_lower > 0
    assert f"{crammer.name} scores" in found.sentence
    # The items that carry it are such as it has learned and others find hard.
    public = gf.open_bank(made["public"])
    by_hash = {item.provenance.content_hash[:8]: item for item in public}
    listed = [by_hash[name.split("@")[1]] for name in found.items["item"]]
    learned = [tuple(i.sha256 for i in item.images) in crammer.keys for item in listed]
    assert sum(learned) > 0.8 * len(learned)
    honest = gf.matrix(tmp_path / "c.db", by="item").scores.loc[HONEST]
    for name in HONEST:
        others = [other for other in HONEST if other != name]
        one = gf.inflation(honest, examinee=name, references=others, **made)
        p = one.tests.set_index("test").loc["t", "p"]
        assert float(p) * len(HONEST) > 0.05, name
