"""One model, two scores: which part of the difference comes from which setting?

Here the second run does not show the images.
"""

import gfactor as gf

bank = gf.build("percept-v", seed=3, domains=["change_colour"], sizes=[1, 5], path="bank.parquet")
with_images = gf.run(bank, ["observer:ideal"], journal="with.db")
without = gf.run(bank, ["observer:ideal"], journal="without.db", condition="images=removed")
explanation = gf.explain_difference(with_images, without)
print(explanation.summary())
print(explanation.shares)
