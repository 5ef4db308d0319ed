"""Reliability of a test: alpha, omega, the greatest lower bound, and what each item adds."""

import sys

import pandas as pd

import gfactor as gf

answers = pd.read_csv(sys.argv[1] if len(sys.argv) > 1 else "docs/examples/answers.csv")
result = gf.consistency(answers.filter(like="item"), seed=1)
print(result.coefficients.round(2))
print(result.indicators.round(2).sort_values("rest_correlation").head())
