"""The analyses, one file each; the file name is the name in `gfactor analyze`."""
