"""The formats of score tables, one module each; they register by themselves."""
