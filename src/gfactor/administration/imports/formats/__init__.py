"""One file per import format; each registers its source."""
