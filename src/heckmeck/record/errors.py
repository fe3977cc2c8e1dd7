"""What can be wrong with a record or a state that somebody hands to us."""


class BadRecord(ValueError):
    """A record that cannot be read or breaks a rule; ``index`` is that of the bad move, if any."""

    def __init__(self, message: str, index: int | None = None) -> None:
        """Put the move's index in front of the message."""
        self.index = index
        super().__init__(message if index is None else f"move {index}: {message}")


class BadState(ValueError):
    """JSON data that is no state of any game."""
