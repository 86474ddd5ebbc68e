"""The laboratory: bots play many rounds, and what comes of it is said with its uncertainty."""
