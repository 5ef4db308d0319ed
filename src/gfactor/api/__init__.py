"""The public functions of `import gfactor`; the command line is a thin layer over them."""
