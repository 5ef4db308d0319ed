"""What papers claimed: their published routes, reproduced, and what is wrong with them."""
