"""Comparisons: of examinees, benchmarks, measurements and forms of asking; leaderboards."""
