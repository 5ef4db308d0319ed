"""gfactor analyze generalizability: estimate the shares of item, occasion and prompt in scores.

gfactor analyze generalizability c.db --facets item,occasion --d-study item=50,100,200
gfactor analyze generalizability ratings.csv --object person --facets task,rater \\
  --nested rater:task

docs/planning.md describes the computations.
"""

from gfactor.cli.printing import printed
from gfactor.cli.values import NamedValue, Numbers

command = printed(
    __doc__,
    "gtheory",
    {
        "data": "JOURNAL|DATA.csv", "estimator": "--estimator", "value": "--value COLUMN",
        "nested": "--nested A:B...", "omit": "--omit EFFECT", "grid": "--d-study FACET=N,N...",
        "cut": "--cut SCORE",
    },
    reads={"grid": NamedValue("FACET=N,N", Numbers(whole=False))},
    without=["level"],
    page=True,
    data="data",
)  # fmt: skip
