"""Payment of participants: earnings, decisions, and the services that pay."""
