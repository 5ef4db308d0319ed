"""Inputs: what a user gives becomes a bank, a journal or a table; options that functions share."""
