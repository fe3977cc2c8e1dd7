"""The Heckmeck family of dice games: one rules engine for four editions."""

__version__ = "0.1.0"
