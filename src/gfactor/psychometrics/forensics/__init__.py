"""Forensics of respondents: copies within and across samples, dead columns, families of models."""

from gfactor.psychometrics.forensics.examination import forensics
from gfactor.psychometrics.forensics.families import Families, families
from gfactor.psychometrics.forensics.grid import Grid, recover_grid
from gfactor.psychometrics.forensics.result import Forensics

__all__ = ["Families", "Forensics", "Grid", "families", "forensics", "recover_grid"]
