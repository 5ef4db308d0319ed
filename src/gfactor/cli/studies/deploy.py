"""gfactor study deploy: write the files that put a study on the internet.

gfactor study deploy study/ --domain lab.example --path /study -o deploy/
"""

from gfactor.cli.printing import printed

command = printed(__doc__, "study.deploy", texts="hosting_texts.deployed")
