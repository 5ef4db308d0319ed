"""Every kind of bank and journal, every function that takes one, and the counts by hand."""
