"""Planning a hand: the longest train in it, and the planner's way of playing."""
