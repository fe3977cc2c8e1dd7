"""The champion: plays for the win, not for worms."""
