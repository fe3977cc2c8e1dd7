"""Training a champion: self-play with exactly solved turns, after a warm-up at fox's level."""
