"""Information matrices, standard errors and their components."""
