"""Claims of papers: their published routes, reproduced, and what is wrong with them."""
