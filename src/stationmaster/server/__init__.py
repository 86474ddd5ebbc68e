"""The table server: play that loses nothing, hides everything, and deals so that anyone can check."""
