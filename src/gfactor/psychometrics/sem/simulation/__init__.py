"""Samples from known populations, and studies of estimators with them."""

from gfactor.psychometrics.sem.simulation.generate import Missing, simulate_data
from gfactor.psychometrics.sem.simulation.populations import Population, population
from gfactor.psychometrics.sem.simulation.result import SimulationStudy
from gfactor.psychometrics.sem.simulation.study import simulation_study

__all__ = [
    "Missing",
    "Population",
    "SimulationStudy",
    "population",
    "simulate_data",
    "simulation_study",
]
