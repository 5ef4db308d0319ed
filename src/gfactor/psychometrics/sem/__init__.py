"""Structural equation models: lavaan syntax, estimators, fit, scores, diagnostics."""
