"""The checks of a bank's quality: a file each, registered by itself."""
