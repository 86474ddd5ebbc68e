"""The table server: many tables at once, each kept in the store before anybody is told."""
