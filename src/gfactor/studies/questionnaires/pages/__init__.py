"""The pages of a study: a file for each part of a participation, and the owner's pages."""
