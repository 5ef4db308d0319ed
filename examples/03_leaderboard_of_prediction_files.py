"""Make a leaderboard of the prediction files of VLMEvalKit."""

import sys

import gfactor as gf

folder = sys.argv[1] if len(sys.argv) > 1 else "docs/examples/predictions"
logs = gf.import_logs("vlmevalkit", folder, journal="board.db")
for file in logs.files:
    print(*file.examinees, file.added)  # answers that are new in the journal
comparison = gf.compare("board.db")
print(comparison.ranks[["mean", "n"]])
print(gf.rank_sets(comparison).spans())  # the ranks that the data leave possible
print(gf.leaderboard("board.db", "site/").path)
