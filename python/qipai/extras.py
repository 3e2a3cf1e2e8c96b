"""What an optional library that is not there is called."""

from __future__ import annotations


def missing(module: str, library: str, extra: str) -> ImportError:
    """Return the error of a module that cannot be imported without a library."""
    return ImportError(f"{module} needs {library}: pip install 'qipai[{extra}]'")
