"""What ink and color of pictures, halves and quadrants give away of Percept-V's answers.

Run by hand: `python benchmarks/percept_v_cues.py [--seeds 31 32] [--instances 20]` (about six
minutes of processor time). The probe of `gfactor.benchmarks.percept_v.probe` learns from the items
of the second seed, and is judged on those of the first one. Prints the table of
docs/evidence/procedures.md: accuracy of a guess that knows domain and size, and the probe's gain
with its 95 % interval, in points.

`--probe network` (needs PyTorch) asks a small convolutional network that learns from five times as
many items, `--edition paper` takes the items of the paper.

`--banks JUDGED LEARNED` takes two banks instead, also those that an older version has built, so
that both can be put side by side.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import Any

import joblib

from gfactor.benchmarks.percept_v import domain
from gfactor.benchmarks.percept_v.domain import SIZES, Edition
from gfactor.benchmarks.percept_v.network import LEARNED, network_gain, shown_with_seed
from gfactor.benchmarks.percept_v.probe import Gain, ProbedItem, probe_gain, seen_of, seen_with_seed
from gfactor.items import ItemBank


def gain_by_seed(
    name: str,
    seeds: tuple[int, int],
    instances: int,
    sizes: Sequence[int],
    edition: Edition,
    network: bool,
) -> tuple[str, str, Gain]:
    """Domain, version and gain of an edition's items."""
    version = domain.DOMAINS[name].version
    if network:
        items = [shown_with_seed(name, edition, s, sizes, n * instances)
                 for s, n in zip(seeds, (1, LEARNED), strict=True)]  # fmt: skip
        return name, version, network_gain(items[1], items[0])
    judged, learned = (seen_with_seed(name, edition, s, sizes, instances) for s in seeds)
    return name, version, probe_gain(learned, judged)


def gain_in_banks(name: str, paths: tuple[str, str]) -> tuple[str, str, Gain]:
    """Domain, version and gain of the items of two banks."""
    version, parts = "", []
    for path in paths:
        bank = ItemBank.open(path)
        part: list[ProbedItem] = []
        for item in bank.select([i for i in bank.ids if i.rsplit("-", 2)[0] == name]):
            version = item.provenance.version
            part.append(seen_of(item, [image.decode() for image in item.images]))
        parts.append(part)
    return name, version, probe_gain(parts[1], parts[0])


def measured(given: argparse.Namespace) -> Iterator[tuple[str, str, Gain]]:
    """The gain of every domain."""
    names = given.domains.split(",") if given.domains else list(domain.DOMAINS)
    if given.banks:
        tasks = [joblib.delayed(gain_in_banks)(name, tuple(given.banks)) for name in names]
    else:
        tasks = [
            joblib.delayed(gain_by_seed)(
                name,
                tuple(given.seeds),
                given.instances,
                given.sizes,
                given.edition,
                given.probe == "network",
            )
            for name in names
        ]
    results: Any = joblib.Parallel(n_jobs=given.jobs, return_as="generator")(tasks)
    yield from results


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs=2, default=(31, 32))
    parser.add_argument("--instances", type=int, default=20)
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES)
    parser.add_argument("--domains", default="")
    parser.add_argument("--edition", choices=["audited", "paper"], default="audited")
    parser.add_argument("--probe", choices=["features", "network"], default="features")
    parser.add_argument("--banks", nargs=2)
    parser.add_argument("--jobs", type=int, default=2)
    print("| domain | version | size alone | gain | 95 % interval |\n|---|---|---:|---:|---|")
    for name, version, found in measured(parser.parse_args()):
        base, gain, lower, upper = (
            100 * v for v in (found.base, found.gain, found.lower, found.upper)
        )
        print(
            f"| {name} | {version} | {base:.1f} | {gain:+.1f} | {lower:+.1f} to {upper:+.1f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
