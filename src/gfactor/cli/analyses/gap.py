"""gfactor analyze gap: estimate whether an examinee fails to see or to reason.

gfactor build percept-v --twin both -o twins.parquet
gfactor run twins.parquet --examinee openai:gpt-4o --journal g.db
gfactor run twins.parquet --examinee openai:gpt-4o --journal g.db --condition images=blank
gfactor analyze gap g.db --by family,size -o gap/

docs/gap.md describes the computations.
"""

from gfactor.cli.printing import printed

command = printed(
    __doc__, "gap", {"by": "--by A,...", "guess": "--guess"}, without=["level"], page=True,
    data="journal",
)  # fmt: skip
