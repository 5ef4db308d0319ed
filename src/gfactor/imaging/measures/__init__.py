"""Measures of pictures that those who draw them and those who look at them share, by family."""
