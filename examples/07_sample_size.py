"""Plan how many items it takes to tell two models apart.

Two models that disagree on 30 % of the items are to differ by 5 points, with a power of 80 %.
"""

import gfactor as gf

plan = gf.plan(aim="difference", target=0.05, known={"discordant": 0.3})
print(plan.summary())
print("items:", plan.chosen["item"])

# The same for two models that agree more often.
alike = gf.plan(aim="difference", target=0.05, known={"discordant": 0.15})
print("items if they disagree on 15 %:", alike.chosen["item"])
