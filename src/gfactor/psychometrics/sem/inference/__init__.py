"""Information matrices, standard errors and what they are made of."""
