"""gfactor study check: list what is missing before the first participant.

gfactor study check study/ --public-url https://lab.example/study --backups copies/

Pay per hour is judged by the median time of the pilot (study serve --pilot) against
minimum_per_hour in [conduct] of study.toml. The exit code is 1 if anything is missing.
"""

from gfactor.cli.printing import printed

command = printed(__doc__, "study.check", {"backups": "--backups FOLDER"})
