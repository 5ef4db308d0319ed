"""Plan how many items it takes to tell two models apart, and to find an inflated score."""

import gfactor as gf

# Half-width of 5 points for the difference of two models that disagree on 30 % of the items.
plan = gf.plan(aim="difference", target=0.05, known={"discordant": 0.3})
print(plan.summary())
print("items:", plan.chosen["item"])
