"""Frozen dataclasses that are plain data: rule sheets, deals, histories."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from operator import index
from typing import Any, Self, TypeGuard, cast


class Plain:
    """A frozen dataclass of numbers, texts and tuples of them, checked when it is made."""

    __slots__ = ()

    def __post_init__(self) -> None:
        """Make the fields exact; a subclass does this first and then checks them."""
        for name in _names(type(self)):
            object.__setattr__(self, name, exact(getattr(self, name)))

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


def exact(value: object, depth: int = 2) -> object:
    """Return a number, a text or a tuple of them (of tuples, to a depth) in its exact type.

    An object of a subclass may lie about itself where it is compared; the compiled core must be
    given what was checked. Numbers of other libraries become ints; all else stays as it is.
    """
    kind = type(value)
    if kind is int or kind is str:
        return value
    if issubclass(kind, str):
        return str.__str__(cast("str", value))
    if issubclass(kind, tuple):
        items: list[object] = [*cast("Any", tuple).__iter__(value)]
        return tuple([exact(item, depth - 1) for item in items] if depth else items)
    if kind is not bool and hasattr(kind, "__index__"):
        try:
            return index(cast("int", value))
        except TypeError:  # an array
            return value
    return value


def integer(name: str, value: object) -> int:
    """Return a number as an exact int; ``TypeError`` for a bool and for what is none."""
    number = exact(value)
    if isinstance(number, bool) or not isinstance(number, int):
        raise TypeError(f"{name} must be an integer, not {value!r}")
    return number


def shown(value: object) -> str:
    """Return a value as an error says it; the longest numbers cannot be written with digits."""
    if isinstance(value, int) and abs(value) >= 1 << 256:
        return f"{hex(value)[:20]}..."
    return repr(value)


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
