"""How a champion learns: self-play with exactly solved turns, from a start at the fox's level."""
