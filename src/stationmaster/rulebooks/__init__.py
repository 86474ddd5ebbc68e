"""The printed rule sheets: their parameters, their clauses, and the rules in words."""
