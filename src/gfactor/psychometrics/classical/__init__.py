"""Classical test theory: reliability of scores and agreement of raters."""
