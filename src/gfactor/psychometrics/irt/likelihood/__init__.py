"""The likelihood of item response models: curves of items, free parameters, integrals."""
