"""Models as matrices, and their moments with exact derivatives."""

from gfactor.psychometrics.sem.model.compiled import compile_table, saturated_structure
from gfactor.psychometrics.sem.model.point import GroupPoint, Point, vech_places
from gfactor.psychometrics.sem.model.structure import (
    GroupStructure,
    MatrixCell,
    Structure,
)

__all__ = [
    "GroupPoint",
    "GroupStructure",
    "MatrixCell",
    "Point",
    "Structure",
    "compile_table",
    "saturated_structure",
    "vech_places",
]
