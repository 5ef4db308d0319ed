"""Build a test, let two examinees answer it, and compare them with intervals.

Replace the observers by models: "openai:NAME", "anthropic:NAME", "google:NAME", "hf:NAME".
"""

import gfactor as gf

bank = gf.build(
    "percept-v",
    seed=7,
    domains=["counting_circles", "sort_lines", "change_colour"],
    sizes=[2, 5, 8],
    instances=5,
    path="bank.parquet",
)
examinees = ["observer:ideal", "observer:limited?acuity=0.5&capacity=3&seed=1"]
with gf.run(bank, examinees, journal="answers.db") as journal:
    scores = gf.score(journal)
    print(scores.table[["examinee", "n", "accuracy", "ci_lower", "ci_upper"]])
    print(gf.compare(journal).differences[["first", "second", "estimate", "ci_lower", "ci_upper"]])
    print(gf.report(journal, "report/").path)
