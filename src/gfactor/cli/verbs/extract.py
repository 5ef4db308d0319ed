"""gfactor extract: show which answers are read from replies, and how often they are right.

gfactor extract replies.jsonl --json
"""

from gfactor.cli.printing import printed

HEADING = "Results"

command = printed(__doc__, "extract", {"cases": "CASES.jsonl"})
