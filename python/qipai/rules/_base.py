"""What the rule sheets of all games have in common."""

from __future__ import annotations

from qipai.plain import Plain, is_tuple, shown


class RulesBase(Plain):
    """A frozen sheet of house rules: checked when made, plain data when stored."""

    __slots__ = ()

    name: str
    stake: int


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
        raise ValueError(f"{name} must be an integer from {low} to {high}, not {shown(value)}")


def require_ints(name: str, value: object, length: int, low: int, high: int) -> None:
    """Raise ``ValueError`` unless ``value`` is a tuple of ``length`` ints in range."""
    if not is_tuple(value) or len(value) != length:
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
