"""A network finds cues that nobody has named, the same ones each time, and PyTorch is optional."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gfactor.benchmarks import Hooks, audit, audit_bank, build
from gfactor.benchmarks.percept_v import network
from gfactor.benchmarks.percept_v.build import make_items
from gfactor.benchmarks.percept_v.network import SIDE, SmallPictures, network_gain, shown_of
from gfactor.benchmarks.percept_v.probe import ProbedItem, likeliest
from gfactor.errors import MissingExtraError, ParameterError
from gfactor.items import ItemBank

needs_torch = pytest.mark.skipif(find_spec("torch") is None, reason="PyTorch is not installed")


def bars(seed: int, count: int, cue: bool) -> list[SmallPictures]:
    """Noise; with a cue, a bright bar stands where the answer says: at the left or the right."""
    rng = np.random.default_rng(seed)
    items = []
    for _ in range(count):
        right = bool(rng.integers(2))
        pictures = rng.uniform(0, 1, (3, SIDE, SIDE))
        if cue:
            pictures[:, 8:40, 36 : 42 if right else 6] += 0.5
            pictures[:, 8:40, 6:12] += 0.0 if right else 0.5
        seen = ProbedItem(1, (), (json.dumps("yes" if right else "no"),))
        items.append(SmallPictures(seen, pictures))
    return items


@pytest.fixture(scope="module")
def bank(tmp_path_factory: Any) -> ItemBank:
    path: Path = tmp_path_factory.mktemp("bank") / "pv.parquet"
    build("percept-v", path, seed=7, domains=["change_colour"], sizes=[1])
    return ItemBank.open(path)


@needs_torch
def test_a_bar_that_goes_with_the_answer_is_found_and_the_same_each_time() -> None:
    parts = bars(1, 120, True), bars(2, 60, True)
    found = network_gain(*parts)
    assert found.lower > 0.2
    assert network_gain(*parts) == found


@needs_torch
def test_noise_gains_nothing() -> None:
    assert network_gain(bars(1, 120, False), bars(2, 60, False)).lower < 0.05


@needs_torch
def test_threads_and_algorithms_are_set_again_as_they_were() -> None:
    import torch  # noqa: PLC0415 # pyright: ignore[reportMissingImports]

    before = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    network_gain(bars(1, 40, False), bars(2, 8, False))
    assert (torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()) == before


def test_two_pictures_of_an_item_are_seen_with_what_differs() -> None:
    (item,) = make_items("change_colour", edition="paper", seed=1, sizes=[3], instances=1)
    shown = shown_of(item, [image.decode() for image in item.images])
    assert shown.pictures.shape == (9, SIDE, SIDE)
    np.testing.assert_allclose(shown.pictures[6:], shown.pictures[3:6] - shown.pictures[:3])


def test_a_word_that_no_item_of_the_size_has_as_its_answer_is_not_replied() -> None:
    learned = [
        ProbedItem(1, (), ('"a"',)),
        ProbedItem(2, (), ('"b"',)),
        ProbedItem(2, (), ('"c"',)),
    ]
    outputs = np.array([[0.1, 0.9, 0.2], [0.9, 0.1, 0.2]])
    assert likeliest(outputs, learned, [learned[0], learned[1]]) == ['"a"', '"c"']


def test_without_pytorch_an_audit_refuses_before_it_begins(
    bank: ItemBank, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError) as refused:
        audit_bank(bank, probe="network", watch=lambda *_: pytest.fail("it began"))
    assert str(refused.value) == (
        "the probe of cues by a network needs an extra: run  pip install 'gfactor[network]'"
    )


def test_an_audit_asks_the_probe_that_is_named(
    bank: ItemBank, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A benchmark with made-up probes, of which each says its own gain."""
    fake = Hooks(
        inspect=lambda item, pictures: None, columns=lambda name, found: {}, limits=lambda e: (),
        control=lambda name, found: {"cue_gain": 0.1},
        network=lambda name, found: {"cue_gain": 0.4 if name else None},
    )  # fmt: skip
    monkeypatch.setattr(audit, "BENCHMARKS", {"percept-v": SimpleNamespace(hooks=fake)})
    assert audit_bank(bank).domains["change_colour"]["cue_gain"] == 0.1
    assert audit_bank(bank, probe="network").domains["change_colour"]["cue_gain"] == 0.4
    monkeypatch.setattr(audit, "BENCHMARKS", {})
    with pytest.raises(ParameterError, match="has no probe of cues by a network"):
        audit_bank(bank, probe="network")
