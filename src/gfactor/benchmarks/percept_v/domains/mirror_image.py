"""Mirror image: how many objects are reflected in a vertical line between two pictures?

Size n (both editions): 2n objects, of which n are reflected in the published data; the paper calls
the number of reflected objects the size.
Paper edition: plot limits -203.5..203.5 at 0.908 px/unit, objects of radius 3.5 units (six pixels
wide), all in the left half of the first picture, kinds and six colors uniform, the first n at
their mirror place in the second picture. All kinds are symmetric: nothing has to be flipped.
Audited: 2n + 1 objects; the number of reflected ones is balanced over 1..n + 1 (it equaled n, half
of all objects); objects lie in both halves of the first picture, so that the second alone does not
give the answer. What is reflected has a total area, a window and one color that are drawn without
regard to the number, and each picture its ground of random shade and specks, so that no difference
of the pictures gives the number away. (Version 1 had objects of like sizes on white, version 2
black outlines, which are longer around more objects.) Objects are at least 22 px wide, clear of
each other and of the line; most kinds are such that a reflection shows, and reflected objects are
really reflected.
"""

from __future__ import annotations

from gfactor.benchmarks.percept_v.domain import Domain, Edition, Prompt, register
from gfactor.benchmarks.percept_v.reflection import (
    TWIN,
    Scene,
    answer,
    draw,
    legibility,
    make_audited,
    make_published,
)
from gfactor.items import ItemRandom, OutputFormat


def make(rng: ItemRandom, size: int, edition: Edition) -> Scene:
    make_edition = make_published if edition == "paper" else make_audited
    return make_edition(rng, size, "vertical")


register(
    Domain(
        name="mirror_image",
        skills=("Visual Form Constancy",),
        images=2,
        prompt=Prompt(
            input=("You see two pictures of colored objects with a blue vertical line.",),
            rules=(
                "The line is a mirror through the middle, seen from the side.",
                "An object keeps its place in the second picture or is reflected in the line: "
                "it then stands as far from it on the other side, left and right exchanged.",
                "Find out how many objects have been reflected.",
            ),
            output=("Answer in one line of the form COUNT:x where x is that number.",),
        ),
        output_format=OutputFormat("value", labels=("COUNT",)),
        scene_type=Scene,
        make=make,
        draw=draw,
        answer=answer,
        legibility=legibility,
        guess=lambda size: 1 / (size + 1),
        version="3",
        twin=TWIN,
    )
)
