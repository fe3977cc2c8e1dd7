"""Tournaments: rotated seats, paired dice, error bars and ratings."""
