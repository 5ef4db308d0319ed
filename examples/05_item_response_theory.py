"""Put items and persons on one scale, and compare a Rasch with a two-parameter model."""

import sys

import pandas as pd

import gfactor as gf

answers = pd.read_csv(sys.argv[1] if len(sys.argv) > 1 else "docs/examples/answers.csv")
answers = answers.filter(like="item")
rasch = gf.irt("rasch", answers)
print(rasch.summary())
print(rasch.scores("wle").round(2).head())  # Warm's estimate of ability, with its standard error
two = gf.irt("2pl", answers, force=True)  # 60 persons are few for free slopes
print(gf.compare_fits(rasch, two).summary())
