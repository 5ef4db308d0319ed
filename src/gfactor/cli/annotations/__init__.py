"""The commands of `gfactor annotate`, one file each."""
