"""The commands of `gfactor campaign`: one file each."""
