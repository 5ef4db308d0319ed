"""Fit a confirmatory factor analysis in lavaan's syntax to a table of scores."""

import sys

import pandas as pd

import gfactor as gf

scores = pd.read_csv(sys.argv[1] if len(sys.argv) > 1 else "docs/examples/scores.csv")
model = """
    spatial =~ cubes + maps + turns
    verbal  =~ reading + synonyms + stories
"""
fit = gf.sem(model, scores, estimator="MLR")
for diagnostic in fit.diagnostics:  # the most severe first
    print(diagnostic)
print(fit.fit_measures[["chisq.scaled", "df", "cfi.robust", "rmsea.robust", "srmr"]].round(3))
print(fit.estimates.query("op == '=~'")[["lhs", "rhs", "est", "ci.lower", "ci.upper"]].round(2))
one_factor = gf.sem(
    "g =~ cubes + maps + turns + reading + synonyms + stories", scores, estimator="MLR"
)
print(gf.compare_fits(one_factor, fit).summary())
