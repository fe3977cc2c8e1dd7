"""Errors in records and states."""


class BadRecord(ValueError):
    """A record that cannot be read or breaks a rule, at the move with this ``index`` if any."""

    def __init__(self, message: str, index: int | None = None) -> None:
        """Put the move's index in front of the message."""
        self.index = index
        super().__init__(message if index is None else f"move {index}: {message}")


class TooManyMoves(BadRecord):
    """A record of ``count`` moves, which are more than are read here."""

    def __init__(self, count: int, most: int) -> None:
        """Say how many there may be."""
        self.count = count
        super().__init__(f"{count} moves are too many; a record has at most {most}")


class BadState(ValueError):
    """JSON data that is not a state of any game."""
