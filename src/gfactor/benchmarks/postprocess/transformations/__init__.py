"""The transformations of items: a file each, registered by itself."""
