"""What goes wrong with a corpus, for the user: scripts/get-corpus prints it and ends with status 1."""


class CorpusError(Exception):
    """What cannot be done, with file and place."""
