"""Frozen dataclasses that are plain data: rule sheets, deals, histories."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Self, TypeGuard, cast


class Plain:
    """A frozen dataclass of numbers, texts and tuples of them, checked when it is made."""

    __slots__ = ()

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some fields changed.

        Raises ``ValueError`` for a field that does not exist or a value that is out of range.
        """
        _known_only(type(self), changes)
        return dataclasses.replace(self, **changes)  # type: ignore[type-var]

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as plain JSON (tuples become lists)."""
        return {name: _plain(getattr(self, name)) for name in _names(type(self))}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return what :meth:`as_dict` wrote; ``ValueError`` for anything else."""
        if not isinstance(data, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ValueError(f"{cls.__name__} must be a mapping, not {type(data).__name__}")
        _known_only(cls, data)
        for name in _names(cls):
            if name not in data:
                raise ValueError(f"{cls.__name__} lacks {name!r}")
        try:
            return cls(**{name: _frozen(value) for name, value in data.items()})
        except (TypeError, OverflowError, RecursionError) as error:
            raise ValueError(f"{cls.__name__}: {error}") from None


def is_tuple(value: object) -> TypeGuard[tuple[object, ...]]:
    """Whether a value is a tuple, of whatever."""
    return isinstance(value, tuple)


def _names(cls: type) -> list[str]:
    return [field.name for field in dataclasses.fields(cls)]


def _known_only(cls: type, data: Mapping[str, Any]) -> None:
    known = _names(cls)
    for name in data:
        if name not in known:
            raise ValueError(f"{cls.__name__} has no {name!r}; it has {', '.join(known)}")


def _plain(value: object) -> object:
    return [_plain(item) for item in value] if is_tuple(value) else value


def _frozen(value: object) -> object:
    if not isinstance(value, list):
        return value
    return tuple(_frozen(item) for item in cast("list[object]", value))
