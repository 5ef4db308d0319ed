"""What observers do in each domain, one file each."""
