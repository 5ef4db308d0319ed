"""Tables made from a fit."""
