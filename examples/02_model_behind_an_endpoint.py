"""Ask a model behind an OpenAI-compatible endpoint (vLLM, Ollama, llama.cpp, a vendor).

    python 02_model_behind_an_endpoint.py my-model http://localhost:8000/v1

A second call asks nothing again: what the journal holds is never paid for twice.
"""

import sys

import gfactor as gf

model, address = sys.argv[1:]
bank = gf.build(
    "percept-v", seed=7, domains=["counting_circles"], sizes=[2, 5], path="bank.parquet"
)
with gf.run(bank, [f"openai:{model}"], base_url=address, journal="answers.db") as journal:
    print(journal.summary())
    print(gf.score(journal).groups("size")[["size", "n", "accuracy", "ci_lower", "ci_upper"]])
