"""gfactor annotate new: make an annotation project from a bank.

gfactor annotate new multi.parquet -o workspace/ --title "Round one"
"""

from gfactor.cli.printing import printed

command = printed(__doc__, "annotate.new", {"folder": "-o FOLDER"}, texts="annotate.texts.begun")
