"""Record what independent.R finds for the cases of pls_cases.py; run by hand, needs R.

python tests/psychometrics/pls/record_cases.py
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
RESULTS = HERE / "own_cases.json"

if __name__ == "__main__":
    sys.path.insert(0, str(HERE))
    from pls_cases import CASES, with_gaps

    given = {
        name: {
            "data": case.data().to_dict("list"),
            "blocks": case.blocks,
            "modes": {k: case.modes.get(k, "A") for k in [*case.sizes, *case.parts]},
            "paths": [{"source": s, "target": t} for s, t in case.paths],
            "scheme": case.scheme,
            "kind": case.kind,
            "parts": case.parts,
            "moderation": case.moderation,
            "measures": case.measures,
        }
        for name, case in CASES.items()
    }
    gaps = with_gaps()
    cells = gaps.astype(object).where(gaps.notna(), None)
    missing = cells.to_dict("list")
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "cases.json"), Path(folder, "results.json")
        source.write_text(json.dumps({"cases": given, "missing": missing}))
        script = str(HERE / "independent.R")
        subprocess.run(["Rscript", script, str(source), str(target)], check=True)
        results = json.loads(target.read_text())
    RESULTS.write_text(json.dumps(results, indent=1) + "\n")
