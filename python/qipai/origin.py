"""Rule sheets as the flat structs that the compiled core reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from struct import Struct
from typing import Any, Generic, TypeVar

from qipai.plain import Plain, is_tuple

R = TypeVar("R", bound=Plain)


class Sheet(Generic[R]):
    """Packs a rule sheet into bytes (``pack``) and back (``unpack``).

    ``layout`` gives the fields in the struct's order with their :mod:`struct` codes, ``choices``
    the words of the fields that are stored by number, ``size`` the struct's length.
    """

    def __init__(
        self,
        template: R,
        layout: Mapping[str, str],
        choices: Mapping[str, tuple[str, ...]],
        size: int,
    ) -> None:
        self._template = template
        self._layout = dict(layout)
        self._choices = dict(choices)
        codes = "<" + "".join(layout.values())
        self._struct = Struct(f"{codes}{size - Struct(codes).size}x")
        # Hands by the thousand have the same few sheets.
        self.pack = lru_cache(64)(self._pack)

    @property
    def size(self) -> int:
        """The length of a packed sheet."""
        return self._struct.size

    def _pack(self, rules: R) -> bytes:
        """Return the sheet as bytes."""
        values: list[Any] = []
        for name in self._layout:
            value = getattr(rules, name)
            if name == "name":
                values.append(value.encode())
            elif name in self._choices:
                values.append(self._choices[name].index(value))
            else:
                values.extend(_flat(value))
        return self._struct.pack(*values)

    def unpack(self, data: bytes) -> R:
        """Return the sheet of its bytes; ``ValueError`` where they are none."""
        values = iter(self._struct.unpack(data))
        fields: dict[str, Any] = {}
        for name in self._layout:
            if name == "name":
                text = next(values).rstrip(b"\0")
                try:
                    fields[name] = text.decode("utf-8")
                except UnicodeDecodeError:
                    raise ValueError(f"the snapshot's {name} is no text") from None
            elif name in self._choices:
                number = next(values)
                if number >= len(self._choices[name]):
                    raise ValueError(f"rules: {name} has no choice {number}")
                fields[name] = self._choices[name][number]
            else:
                fields[name] = _shaped(getattr(self._template, name), values)
        return type(self._template)(**fields)


def _flat(value: object) -> Iterator[object]:
    if is_tuple(value):
        for item in value:
            yield from _flat(item)
    else:
        yield value


def _shaped(like: object, values: Iterator[object]) -> object:
    return tuple(_shaped(item, values) for item in like) if is_tuple(like) else next(values)
