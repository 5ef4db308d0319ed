"""gfactor analyze gia: compute M3GIA's general intelligence ability, as published and repaired.

gfactor analyze gia counts.csv --language en
gfactor analyze gia en=en.csv zh=zh.csv --human en=h_en.csv --human zh=h_zh.csv -o gia
"""

import click

from gfactor.cli.printing import printed
from gfactor.cli.values import NamedValue

FILES = NamedValue("[LANG=]FILE")

command = printed(
    __doc__,
    "gia",
    {
        "counts": "LANG=COUNTS...",
        "human": "--human LANG=FILE...",
        "responses": "--items LANG=FILE...",
        "parameters": "--parameters FILE",
        "n_bootstrap": "--draws N",
        "language": "--language LANG",
    },
    reads={
        "counts": FILES, "human": FILES, "responses": FILES,
        "n_bootstrap": click.IntRange(100, 1_000_000),
    },
    helps={
        "counts": "CSV file for each language, with a row per model: its name, the 18 question "
        "types of M3GIA and, for the size ablation, a column size (parameters in billions). If "
        "--language is given, a single file without LANG=.",
        "language": "Language of a single file: en, zh, fr, es, pt, ko.",
    },
    page=True,
)  # fmt: skip
