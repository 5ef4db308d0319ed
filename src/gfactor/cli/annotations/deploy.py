"""gfactor annotate deploy: write the files that put a workspace on the internet.

gfactor annotate deploy workspace/ --domain lab.example --path /workspace -o deploy/
"""

from gfactor.cli.printing import printed

command = printed(__doc__, "annotate.deploy", texts="hosting_texts.deployed")
