"""A match: round after round, its record, its score sheet, and deals that everybody can check."""
