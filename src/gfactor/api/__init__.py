"""The public face: what `import gfactor` offers, and what the command line is a thin layer over."""
