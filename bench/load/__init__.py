"""People at tables, as a load: many connections from one process, over loopback only, bounded in time."""
