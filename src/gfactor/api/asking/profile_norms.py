"""Position of a profile's abilities among the people of norms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import by_severity
from gfactor.psychometrics.irt.scales.calibration import Calibration
from gfactor.psychometrics.irt.scales.calibration_files import calibration_digest
from gfactor.psychometrics.irt.scores.profiles import Profile
from gfactor.psychometrics.norms import Norms, read_norms


@dataclass(frozen=True)
class Among:
    """Norms whose scales are the abilities of a profile."""

    norms: Norms

    @classmethod
    def of(cls, norms: Norms | Path | str, calibrations: Mapping[str, Calibration]) -> Among:
        """Open norms and check that they are of these calibrations.

        Raises ParameterError if they are of shares right, of another calibration, or of none of
        the abilities.
        """
        loaded = norms if isinstance(norms, Norms) else read_norms(norms)
        if loaded.about.get("unit") != "ability":
            raise ParameterError(
                "a profile measures abilities, and these norms are of shares of right answers; "
                "make norms with the --calibration of the profile"
            )
        shared = [ability for ability in calibrations if ability in loaded.scales]
        if not shared:
            raise ParameterError(
                f"the norms have the abilities {', '.join(loaded.scales)}, and the profile "
                f"{', '.join(calibrations)}; give norms of the same"
            )
        for ability in shared:
            if loaded.scales[ability].get("calibration") != calibration_digest(
                calibrations[ability]
            ):
                raise ParameterError(
                    f"the norms of {ability} are of another calibration than the profile's; give "
                    "both the same --calibration"
                )
        return cls(loaded)

    def placed(self, profile: Profile) -> Profile:
        """Return the profile with the standing of every ability in every group of the norms."""
        rows = [
            standing.row()
            for row in profile.abilities.to_dict("records")
            for standing in self.norms.standings(
                str(row["ability"]),
                *(row[f"{name}_logits"] for name in ("theta", "ci_lower", "ci_upper")),
            )
        ]
        diagnostics = by_severity([*profile.diagnostics, *self.norms.diagnostics])
        return replace(profile, norms=pd.DataFrame(rows), diagnostics=diagnostics)
