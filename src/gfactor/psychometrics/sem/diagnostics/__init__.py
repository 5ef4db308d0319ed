"""Checks that a fit has to pass: one file per kind of check, which registers itself."""

from gfactor.psychometrics.sem.diagnostics.case import Case, Check, check, checks, diagnose

__all__ = ["Case", "Check", "check", "checks", "diagnose"]
