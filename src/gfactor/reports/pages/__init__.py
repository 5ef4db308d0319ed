"""Pages: the page of every kind of result, and its figures."""
