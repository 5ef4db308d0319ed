"""gfactor annotate records: exchange labels of responses with Label Studio or Argilla.

gfactor annotate records workspace/ --format label-studio -o tasks.json
gfactor annotate records workspace/ --format argilla --from records.json
"""

from gfactor.cli.printing import printed

command = printed(
    __doc__, "annotate.records",
    {"format": "--format", "write": "-o JSON", "read": "--from JSON"},
    texts="annotate.texts.recorded",
)  # fmt: skip
