"""Checks that a fit has to pass: one file per kind of check, which registers itself."""

from gfactor.psychometrics.sem.diagnostics.case import Check, FitCase, check, checks, diagnose

__all__ = ["Check", "FitCase", "check", "checks", "diagnose"]
