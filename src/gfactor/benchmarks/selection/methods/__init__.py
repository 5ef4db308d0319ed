"""The methods of selection: a file each, registered by itself."""
