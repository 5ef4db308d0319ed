"""What several tests need: a small chat server, small banks."""
