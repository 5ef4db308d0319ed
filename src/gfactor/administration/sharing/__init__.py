"""Work and money that several processes share through the journal."""
