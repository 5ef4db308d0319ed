"""A study as its owner declares it: the definition, its pages, files and languages."""
