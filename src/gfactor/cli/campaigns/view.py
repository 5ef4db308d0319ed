"""gfactor campaign view: serve a live page with replies and failures as they come.

gfactor campaign view campaign.toml --port 8020
"""

from gfactor.cli.printing import served

command = served(__doc__, "campaign.view", "{file}: {address}/")
