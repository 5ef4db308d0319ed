"""Graph counting: how many nodes and how many edges does a graph have?

Size n (both editions): the number of nodes.
Paper edition: 1200 x 1200 px, n - 1 to min(n (n - 1) / 2, n + 5) edges at random, laid out by
springs without minimum distances, so that nodes and edges may hide each other. The paper's text
says that the graph is connected. We follow its code and prompt, by which it need not be.
Audited: min(n (n - 1) / 2, n + 5) edges or fewer, at least two fifths of these, balanced (n and the
least number gave half of the answer away). Nodes stay apart, no edge passes under or near a third
node, and edges neither meet nor cross at small angles. Nodes are blue, as the prompt says (in the
paper edition they are pale). Graphs with few edges have broader edges, so that the amount of ink
does not reveal the number, and the background has a random shade and many specks. In version 2 all
edges were 3 px broad and there could be none: their ink revealed how many there were.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from gfactor.benchmarks.percept_v.domain import Domain, Edition, Legibility, Prompt, register
from gfactor.benchmarks.percept_v.layouts_graph import (
    Edge,
    Point,
    clear_edges,
    spring_layout,
    squared_distance,
)
from gfactor.benchmarks.percept_v.parts import (
    CrowdedError,
    Ground,
    canvas_on,
    ground_color,
    ground_in,
    place,
    roving_ground,
)
from gfactor.benchmarks.percept_v.twins import Objects, Plain, Twin, WrittenFields
from gfactor.benchmarks.texts import Say, say
from gfactor.imaging import FOUR, RGB, Frame, Pixels
from gfactor.items import ItemRandom, OutputFormat

WIDEST = 12
"""Pixels across the broadest edges."""

LIGHT_BLUE: RGB = (173, 216, 230)
GRAY: RGB = (128, 128, 128)
DARK: RGB = (70, 70, 70)
MARGIN = 10
NODE_GAP = 52
EDGE_GAP = 14
"""Smallest gap between nodes, and between an edge and a third node, in pixels."""


@dataclass(frozen=True)
class Scene:
    frame: Frame
    r: int
    nodes: tuple[Point, ...]
    edges: tuple[Edge, ...]
    is_pale: bool


@dataclass(frozen=True)
class GroundedScene(Scene):
    ground: Ground


@dataclass(frozen=True)
class BroadScene(Scene):
    ground: Ground
    edge_width: int


MOST_SPECKS = 8000
"""Largest number of specks; edges are long, so many specks are needed to hide their complexity."""


def make(rng: ItemRandom, size: int, edition: Edition) -> Scene:
    most = min(size * (size - 1) // 2, size + 5)
    if edition == "paper":
        pairs = list(combinations(range(size), 2))
        edges = sorted(rng.sample(pairs, rng.integer(size - 1, most)))
        nodes = spring_layout(rng, size, edges, 55, 1145)
        return Scene(Frame(1200, 1200), 31, tuple(nodes), tuple(edges), True)
    frame, r, count = Frame(640, 640), 15, rng.balanced(edge_numbers(size))
    area = (MARGIN, MARGIN, frame.width - MARGIN, frame.height - MARGIN)
    for _ in range(2000):
        nodes = place(rng, [r] * size, area, NODE_GAP)
        edges = clear_edges(rng, nodes, count, r + EDGE_GAP)
        if edges is not None:
            ground = roving_ground(rng, MOST_SPECKS)
            width = _edge_width(rng, nodes, edges, most)
            return BroadScene(frame, r, tuple(nodes), tuple(edges), False, ground, width)
    raise CrowdedError(f"{size} nodes have no place for {count} edges")


def edge_numbers(size: int) -> range:
    """Return the numbers of edges that a graph of the audited edition can have."""
    most = min(size * (size - 1) // 2, size + 5)
    return range((2 * most + 4) // 5, most + 1)


def _edge_width(rng: ItemRandom, nodes: Sequence[Point], edges: Sequence[Edge], most: int) -> int:
    """The width in pixels with which all edges together have an amount of ink that is drawn
    independently of their number: that of `most` edges as long as the distance of neighbors, 1.8 to
    3.6 pixels wide."""
    if not edges:
        return 3
    length = sum(math.isqrt(_squared(nodes[a], nodes[b])) for a, b in edges)
    ink = most * math.isqrt(640 * 640 // len(nodes)) * rng.integer(18, 36)
    return min(WIDEST, max(2, (ink + 5 * length) // (10 * length)))


def _squared(a: Point, b: Point) -> int:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def draw(scene: Scene) -> tuple[Pixels, ...]:
    canvas = canvas_on(scene.frame, ground_in(scene))
    for a, b in scene.edges:
        color = GRAY if scene.is_pale else DARK
        canvas.line(*scene.nodes[a], *scene.nodes[b], color, edge_width(scene))
    for x, y in scene.nodes:
        canvas.disc(x, y, scene.r, LIGHT_BLUE if scene.is_pale else FOUR["blue"])
    return (canvas.pixels,)


def edge_width(scene: Scene) -> int:
    """Return the width of the edges in pixels."""
    return getattr(scene, "edge_width", 2 if scene.is_pale else 3)


def answer(scene: Scene) -> tuple[int, int]:
    return len(scene.nodes), len(scene.edges)


def legibility(scene: Scene) -> Legibility:
    nodes, r = scene.nodes, scene.r
    between = (math.dist(p, q) - 2 * r for p, q in combinations(nodes, 2))
    beside = (
        math.sqrt(squared_distance(nodes[c], nodes[a], nodes[b])) - r
        for a, b in scene.edges
        for c in range(len(nodes))
        if c not in (a, b)
    )
    broader = max(0, edge_width(scene) - 3) / 2
    gap = min([*between, *(d - broader for d in beside)], default=math.inf)
    colors = (LIGHT_BLUE, GRAY) if scene.is_pale else (FOUR["blue"], DARK)
    return Legibility(2 * r, gap, (*colors, ground_color(ground_in(scene))))


def _in_words(scene: Plain) -> Iterator[Say]:
    """Lines between positions, because nodes have no names in the picture."""
    for ends in sorted(sorted(scene["nodes"][k] for k in edge) for edge in scene["edges"]):
        (x1, y1), (x2, y2) = ends
        yield say("edge", x1=x1, y1=y1, x2=x2, y2=y2)


def _from_words(says: Sequence[Say], read_facts: Plain) -> Plain:
    nodes = read_facts["nodes"]
    ends = [([one["x1"], one["y1"]], [one["x2"], one["y2"]]) for one in says]
    return {"edges": [sorted((nodes.index(a), nodes.index(b))) for a, b in ends]}


register(
    Domain(
        name="graph_counting",
        skills=("Visual Attention",),
        prompt=Prompt(
            input=(
                "You see a graph: blue discs are its nodes, straight lines between two discs are "
                "its edges.",
            ),
            rules=(
                "There may be a single node only, without an edge, and the graph may fall into "
                "several parts.",
                "Where two lines cross away from a disc there is no node.",
                "Count the nodes and the edges.",
            ),
            output=("Answer in one line of the form NODES:x EDGES:y where x and y are numbers.",),
        ),
        output_format=OutputFormat("tuple", labels=("NODES", "EDGES")),
        scene_type=Scene,
        make=make,
        draw=draw,
        answer=answer,
        legibility=legibility,
        guess=lambda size: 1 / len(edge_numbers(size)),
        version="3",
        twin=Twin(
            (
                Objects("nodes", "node", ("x", "y")),
                WrittenFields(("edges",), ("edge",), _in_words, _from_words),
            )
        ),
    )
)
