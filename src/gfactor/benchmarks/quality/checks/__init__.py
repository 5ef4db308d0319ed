"""The checks of a bank's quality: one file per check, which registers it."""
