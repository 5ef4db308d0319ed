"""gfactor annotate export: write the bank with all decisions applied.

gfactor annotate export workspace/ -o edited.parquet
"""

from gfactor.cli.printing import printed

command = printed(__doc__, "annotate.export", {"path": "-o BANK"}, texts="annotate.texts.exported")
