"""What can be wrong with a record or a state that somebody hands to us."""


class BadRecord(ValueError):
    """A record that cannot be read or breaks a rule; ``index`` is that of the bad move, if any."""

    def __init__(self, message: str, index: int | None = None) -> None:
        """Put the move's index in front of the message."""
        self.index = index
        super().__init__(message if index is None else f"move {index}: {message}")


class TooManyMoves(BadRecord):
    """A record of ``count`` moves, which are more than are read here."""

    def __init__(self, count: int, most: int) -> None:
        """Say how many there may be."""
        self.count = count
        super().__init__(f"{count} moves are too many; a record holds at most {most}")


class BadState(ValueError):
    """JSON data that is no state of any game."""
