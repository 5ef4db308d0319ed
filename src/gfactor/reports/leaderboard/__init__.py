"""The leaderboard: a static site of what journals say, down to every reply.

`answers` reads journals one examinee at a time, `standings` compares, `replies` keeps the texts in
shards, `drawings` draws, `pages` and `site` write.
"""
