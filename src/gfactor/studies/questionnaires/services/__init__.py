"""Recruiting services, a file each; another package adds one by an entry point."""
