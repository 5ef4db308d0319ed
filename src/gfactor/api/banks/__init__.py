"""Banks: items selected, transformed, audited, put into forms, pushed to a hub."""
