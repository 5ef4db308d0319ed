"""Calibrations as they were written: one file, or a folder with a file for each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gfactor.psychometrics.irt.scales.calibration import Calibration
from gfactor.psychometrics.irt.scales.calibration_files import to_document


@dataclass(frozen=True)
class WrittenCalibrations:
    """Result of a calibration, or of one for each value of a label.

    Parameters
    ----------
    path: file of the calibration called "", or folder of several.
    calibrations: calibrations by name.
    """

    path: Path
    calibrations: Mapping[str, Calibration]

    @property
    def alone(self) -> Calibration | None:
        """Return the calibration if it is one file."""
        return self.calibrations[""] if self.calibrations.keys() == {""} else None

    def to_dict(self) -> dict[str, Any]:
        """Return the document of `gfactor calibrate --json`."""
        documents = {name: to_document(one) for name, one in self.calibrations.items()}
        content = {"calibrations": documents} if self.alone is None else documents[""]
        return {"path": str(self.path), **content}

    def summary(self) -> str:
        """Return the summary of each calibration and its file."""
        texts = []
        for name, one in self.calibrations.items():
            file = self.path / f"{name}.json" if self.alone is None else self.path
            entries = f"{len(one.entries)} entries, {len(one.labels)} uncertain parameters"
            texts.append(f"{one.summary()}\n\n{file}: {entries}")
        return "\n".join(texts)
