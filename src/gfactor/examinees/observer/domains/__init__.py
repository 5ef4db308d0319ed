"""Solutions of observers in each domain, one file each."""
