"""The error that a command shows to its user."""


class UserError(Exception):
    """Something the user can put right: a missing file, a broken record, a bad name.

    The message says what was wrong, where, and what would be right. `heckmeck.cli.main` prints it
    as `heckmeck: message` and exits with status 1; every other exception is a bug and keeps its
    traceback.
    """
