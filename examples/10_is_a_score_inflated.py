"""Does one model score higher on public items than its ability on fresh items predicts?

The answers are simulated: 30 honest reference models, and one that has learned 40 of 200 public
items by heart. The public items are easier than the fresh ones, for everybody.
"""

import numpy as np
import pandas as pd

import gfactor as gf

rng = np.random.default_rng(1)
ability = rng.normal(0, 1, 31)[:, None]
easiness = rng.normal(0, 1, 400) + np.repeat([0.5, 0.0], 200)
right = rng.random((31, 400)) < 1 / (1 + np.exp(-ability - easiness))
right[0, :40] = True
items = [f"public{k}" for k in range(200)] + [f"fresh{k}" for k in range(200)]
answers = pd.DataFrame(right * 1.0, [f"model {k}" for k in range(31)], items)
result = gf.inflation(answers, examinee="model 0", public="public*", fresh="fresh*")
print(f"{result.estimate:.1f} points [{result.ci_lower:.1f}, {result.ci_upper:.1f}]")
print(result.tests[["test", "p", "offered"]])
