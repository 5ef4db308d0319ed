"""How much of a score is the model, how much the choice of items, how much the occasion?"""

import gfactor as gf

bank = gf.build(
    "percept-v", seed=3, domains=["counting_circles"], sizes=[2, 6], path="bank.parquet"
)
models = [f"observer:limited?acuity=0.{k}&capacity={k}&seed={k}" for k in (1, 2, 3, 4)]
with gf.run(bank, models, journal="answers.db", occasions=2) as journal:
    study = gf.gtheory(journal, facets=["item", "occasion"])
    print(study.components.round(4))
    print(study.summary())
