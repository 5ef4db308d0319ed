"""gfactor analyze conditional-irt: fit Rasch models without a distribution of abilities.

gfactor analyze conditional-irt answers.csv --model rasch
gfactor analyze conditional-irt ratings.csv --model rsm --columns 'item*' -o rsm/
gfactor analyze conditional-irt answers.csv --model lltm --design effects.csv --json
"""

from gfactor.cli.tables import by_groups

command = by_groups(
    __doc__,
    "conditional_irt",
    {"model": "--model NAME", "design": "--design FILE", "tolerance": "--tolerance X"},
    without=["data"],
    usual="item",
    helps={
        "model": "One of rasch (Rasch model), pcm (partial credit), rsm (rating scale) and lltm "
        "(linear logistic test model). rasch and lltm take items with two scores, rsm items with "
        "equally many.",
        "design": "Table of effects on easiness for lltm: a row per item, named by the column item "
        "or else the first one, and a column per effect.",
    },
)
