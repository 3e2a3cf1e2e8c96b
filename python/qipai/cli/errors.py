"""What the user got wrong."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager


class InputError(Exception):
    """Wrong input: the message is for the user, the exit status 2."""


@contextmanager
def input_from(where: str = "") -> Generator[None]:
    """Turn the ``ValueError`` and ``OSError`` of bad input into :class:`InputError`."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{where}: {error.strerror or error}") from error
    except ValueError as error:
        raise InputError(f"{where}: {error}" if where else str(error)) from error
