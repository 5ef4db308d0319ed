"""The commands of `gfactor study`, one file each."""
