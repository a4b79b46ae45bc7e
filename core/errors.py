"""The two ways in which a question can fail to get an answer."""


class InputError(ValueError):
    """Input that cannot be used: one line that names the offending thing and says what would do.

    The command line prints the line and exits with status 2.
    """


class TooMuchWorkError(Exception):
    """An exact count that would need more than its stated bound of work; callers estimate instead."""
