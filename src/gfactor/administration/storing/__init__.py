"""The journal: one SQLite file, or a server, with every answer of a campaign."""
