"""The analyses, one file each; the file name is the name in `gfactor analyze`.

Their matrices are small: threads of BLAS would cost processor time and gain none. A user's own
setting stays.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
