"""What the rule sheets of all games have in common."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Self


class RulesBase:
    """A frozen sheet of house rules: checked when made, plain data when stored."""

    __slots__ = ()

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some fields changed.

        Raises ``ValueError`` for a field that does not exist or a value that is out of range.
        """
        _known_only(type(self), changes)
        return dataclasses.replace(self, **changes)  # type: ignore[type-var]

    def as_dict(self) -> dict[str, Any]:
        """Return the sheet as plain JSON (tuples become lists)."""
        return {
            field.name: _plain(getattr(self, field.name))
            for field in dataclasses.fields(self)  # type: ignore[arg-type]
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the sheet that :meth:`as_dict` wrote; ``ValueError`` for anything else."""
        if not isinstance(data, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ValueError(f"rules must be a mapping, not {type(data).__name__}")
        _known_only(cls, data)
        return cls(**{name: _frozen(value) for name, value in data.items()})


def require_choice(name: str, value: object, choices: tuple[str, ...]) -> None:
    """Raise ``ValueError`` unless ``value`` is one of ``choices``."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(choices)}, not {value!r}")


def require_bool(name: str, value: object) -> None:
    """Raise ``ValueError`` unless ``value`` is a bool."""
    if not isinstance(value, bool):
        raise ValueError(f"{name} must be True or False, not {value!r}")


def require_int(name: str, value: object, low: int, high: int) -> None:
    """Raise ``ValueError`` unless ``value`` is an int from ``low`` to ``high``."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"{name} must be an integer from {low} to {high}, not {value!r}")


def require_ints(name: str, value: object, length: int, low: int, high: int) -> None:
    """Raise ``ValueError`` unless ``value`` is a tuple of ``length`` ints in range."""
    if not isinstance(value, tuple) or len(value) != length:
        raise ValueError(f"{name} must be a tuple of {length} integers, not {value!r}")
    for item in value:
        require_int(name, item, low, high)


def require_text(name: str, value: object, longest: int = 32) -> None:
    """Raise ``ValueError`` unless ``value`` is a short printable string."""
    if (
        not isinstance(value, str)
        or not value.isprintable()
        or not 1 <= len(value.encode("utf-8", "replace")) <= longest
    ):
        raise ValueError(f"{name} must be printable text of 1 to {longest} bytes, not {value!r}")


def _known_only(cls: type, data: Mapping[str, Any]) -> None:
    known = {field.name for field in dataclasses.fields(cls)}
    for name in data:
        if name not in known:
            raise ValueError(f"unknown rule {name!r}; known: {', '.join(sorted(known))}")


def _plain(value: object) -> object:
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def _frozen(value: object) -> object:
    return tuple(_frozen(item) for item in value) if isinstance(value, list) else value
