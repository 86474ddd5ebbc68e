"""The table server: tables that lose nothing, hide everything, and deal so that anyone can check."""
