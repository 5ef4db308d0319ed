"""Forensics of respondents: copies within and across samples, dead columns, families of models."""

from gfactor.psychometrics.respondents.clustering import Families, families
from gfactor.psychometrics.respondents.examination import forensics
from gfactor.psychometrics.respondents.grid import Grid, recover_grid
from gfactor.psychometrics.respondents.result import Forensics

__all__ = ["Families", "Forensics", "Grid", "families", "forensics", "recover_grid"]
