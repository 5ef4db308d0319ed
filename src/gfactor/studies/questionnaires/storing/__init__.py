"""The database of a study: answers, participants, decisions and states in one SQLite file."""
