"""Anchors: items of real benchmarks calibrated on real models, and models placed on them."""
