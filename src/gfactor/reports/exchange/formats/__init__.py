"""Every format of exchange, a module each."""
