"""Many matches: seats rotated, dice paired, error bars and ratings."""
