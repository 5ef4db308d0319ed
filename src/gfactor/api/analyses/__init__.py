"""Analyses: statistical models of tables and journals, and plans made from them."""
