"""gfactor annotate deploy: files that put an annotation workspace on the internet.

gfactor annotate deploy workspace/ --domain lab.example --path /workspace -o deploy/
"""

from gfactor.cli.hosted import DEPLOYED
from gfactor.cli.printing import printed

command = printed(
    __doc__,
    "annotate.deploy",
    **DEPLOYED,
)
