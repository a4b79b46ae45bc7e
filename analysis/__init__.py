"""What one wants to know about the two games: odds, estimates, plots, reports and the command line."""
