"""The error that a command reports to the user."""


class UserError(Exception):
    """An error the user can fix: a missing file, a broken record, a bad name.

    The message says what was wrong, where, and what would be right. `heckmeck.cli.main` prints it
    as `heckmeck: message` and exits with status 1. Any other exception is a bug and keeps its
    traceback.
    """
