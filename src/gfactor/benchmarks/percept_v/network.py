"""A small convolutional network that learns to predict an item's answer from its pictures.

It is the second kind of the probe of cues. The first one (`gfactor.benchmarks.percept_v.probe`)
learns from named features; a network finds features of its own, so that it can see a cue that
nobody has named. It sees small copies of the pictures and the size, learns from the items of
another seed, and its gain over a guess that knows the size alone measures the cues that it has
found. It needs PyTorch, computes on one thread of the processor, and gives the same replies each
time on one machine.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import cv2
import numpy as np

from gfactor.benchmarks.percept_v.build import make_items
from gfactor.benchmarks.percept_v.domain import Edition
from gfactor.benchmarks.percept_v.forest import Floats
from gfactor.benchmarks.percept_v.probe import (
    Code,
    Gain,
    ProbedItem,
    coded,
    gain_of,
    likeliest,
    right_answers,
)
from gfactor.errors import MissingExtraError
from gfactor.imaging import Pixels
from gfactor.items import Item

SIDE = 48
"""Pixels of a side of the small copies."""
EPOCHS, BATCH, RATE, DECAY, DROPPED = 30, 32, 2e-3, 1e-3, 0.3
CHANNELS = (16, 32, 32)
LEARNED = 5
"""Items to learn from for each one that is judged: a network needs more than named features do."""
SEED = 0


@dataclass(frozen=True)
class SmallPictures:
    """Input of the network for one item: its size and right answers, and small copies of its
    pictures.

    `pictures` has the shape channels x `SIDE` x `SIDE`, three channels for each picture of the item
    and, for items of two pictures, three for their difference; values are from 0 to 1.
    """

    seen: ProbedItem
    pictures: Floats


def check_installed() -> None:
    """Raise MissingExtraError if PyTorch is not installed."""
    if find_spec("torch") is None:
        raise MissingExtraError("the probe of cues by a network", "network")


def shown_of(item: Item, pictures: Sequence[Pixels]) -> SmallPictures:
    """Return the input of the network for an item, from its decoded pictures."""
    small = [
        cv2.resize(pixels, (SIDE, SIDE), interpolation=cv2.INTER_AREA).astype(float) / 255
        for pixels in pictures
    ]
    if len(small) == 2:
        small.append(small[1] - small[0])
    seen = ProbedItem(int(str(item.labels["size"])), (), right_answers(item))
    return SmallPictures(seen, np.concatenate([one.transpose(2, 0, 1) for one in small]))


def shown_with_seed(
    domain: str, edition: Edition, seed: int, sizes: Sequence[int], instances: int
) -> list[SmallPictures]:
    """Return the inputs for all items of a domain with a seed."""
    items = make_items(domain, edition=edition, seed=seed % 2**63, sizes=sizes, instances=instances)
    return [shown_of(item, [image.decode() for image in item.images]) for item in items]


def network_gain(learned: Sequence[SmallPictures], judged: Sequence[SmallPictures]) -> Gain:
    """Return the accuracy of a guess that knows the size, and the gain of the network.

    Parameters
    ----------
    learned, judged : sequence of SmallPictures
        Items that both learn from, and items that both are judged on.

    Returns
    -------
    Gain
        Accuracy of the network, and its gain over the guess that knows the size.

    Raises
    ------
    MissingExtraError
        If PyTorch is not installed.
    """
    check_installed()
    first, second = [one.seen for one in learned], [one.seen for one in judged]
    code = coded(first)
    channels = max(len(one.pictures) for one in (*learned, *judged))
    torch: Any = importlib.import_module("torch")
    with _repeatable(torch):
        outputs = _outputs(torch, learned, judged, code, channels)
    if code.decode is not None:
        rows = zip(outputs, second, strict=True)
        return gain_of([code.decode(row, one.size) for row, one in rows], first, second)
    return gain_of(likeliest(outputs, first, second), first, second)


@contextmanager
def _repeatable(torch: Any) -> Iterator[None]:
    """Use one thread and deterministic algorithms, and restore the old settings afterwards."""
    threads, strict = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    try:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(SEED)
            yield
    finally:
        torch.set_num_threads(threads)
        torch.use_deterministic_algorithms(strict)


def _outputs(
    torch: Any,
    learned: Sequence[SmallPictures],
    judged: Sequence[SmallPictures],
    code: Code,
    channels: int,
) -> Floats:
    """Return the code of the answers, predicted by a network that is trained on `learned`."""
    nn = torch.nn
    center, spread = code.outputs.mean(axis=0), code.outputs.std() + 1e-9
    targets = torch.tensor((code.outputs - center) / spread, dtype=torch.float32)
    pictures, sizes = _inputs(torch, learned, channels)
    network = _network(torch, channels, targets.shape[1])
    optimizer = torch.optim.Adam(network.parameters(), lr=RATE, weight_decay=DECAY)
    network.train()
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(targets)).split(BATCH):
            optimizer.zero_grad()
            predicted = network([pictures[rows], sizes[rows]])
            nn.functional.mse_loss(predicted, targets[rows]).backward()
            optimizer.step()
    network.eval()
    with torch.no_grad():
        predicted = network(list(_inputs(torch, judged, channels)))
    return predicted.numpy().astype(float) * spread + center


def _inputs(torch: Any, items: Sequence[SmallPictures], channels: int) -> tuple[Any, Any]:
    pictures = np.zeros((len(items), channels, SIDE, SIDE), np.float32)
    for row, one in zip(pictures, items, strict=True):
        row[: len(one.pictures)] = one.pictures
    sizes = np.array([[one.seen.size / 10, (one.seen.size / 10) ** 2] for one in items], np.float32)
    return torch.from_numpy(pictures), torch.from_numpy(sizes)


def _network(torch: Any, channels: int, outputs: int) -> Any:
    """Three convolutions, each halving the sides, then a layer that also sees the size."""
    nn, layers = torch.nn, list[Any]()
    for before, after in zip((channels, *CHANNELS), CHANNELS, strict=False):
        layers += [nn.Conv2d(before, after, 3, stride=2, padding=1), nn.BatchNorm2d(after),
                   nn.ReLU()]  # fmt: skip
    cells = CHANNELS[-1] * (SIDE // 2 ** len(CHANNELS)) ** 2

    class Network(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.seeing = nn.Sequential(*layers, nn.Flatten(), nn.Dropout(DROPPED))
            self.middle = nn.Sequential(nn.Linear(cells + 2, 64), nn.ReLU(), nn.Dropout(DROPPED))
            self.last = nn.Linear(64, outputs)

        def forward(self, given: Any) -> Any:
            pictures, sizes = given
            return self.last(self.middle(torch.cat([self.seeing(pictures), sizes], 1)))

    return Network()
