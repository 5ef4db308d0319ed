"""One file per verb; each defines `command`."""
