"""What several commands read from their command line."""

from __future__ import annotations

import json
import os
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Sequence
from typing import Any, NoReturn

from qipai.cli.errors import InputError, input_from
from qipai.registry import games, preset_rules


class Parser(ArgumentParser):
    """An argparse parser that raises :class:`InputError` where the other exits."""

    def error(self, message: str) -> NoReturn:
        raise InputError(f"{self.prog}: {message}".removeprefix("qipai").lstrip(" :"))


def is_digits(text: str) -> bool:
    """Whether a text is of the digits 0 to 9; other scripts have theirs."""
    return text.isascii() and text.isdecimal()


def positive(text: str) -> int:
    """Read a number from 1 on."""
    if not is_digits(text) or int(text) < 1:
        raise ArgumentTypeError(f"must be a whole number from 1 on, not {text!r}")
    return int(text)


def many(text: str) -> int:
    """Read a number from 1 on, also as 1e6."""
    try:
        text.encode("ascii")
        whole = int(text) if is_digits(text) else int(float(text))
        exact = is_digits(text) or whole == float(text)
    except (ValueError, OverflowError):
        whole, exact = 0, False
    if whole < 1 or not exact:
        raise ArgumentTypeError(f"must be a whole number from 1 on, such as 1e6, not {text!r}")
    if whole > 10**18:
        raise ArgumentTypeError(f"must be at most 1e18, not {text!r}")
    return whole


def number(text: str) -> int:
    """Read a whole number, hexadecimal after 0x."""
    try:
        text.encode("ascii")
        return int(text, 0)
    except ValueError:
        raise ArgumentTypeError(f"must be a whole number, not {text!r}") from None


def add_rules(parser: ArgumentParser) -> None:
    """Add the option of house rules."""
    parser.add_argument(
        "--rules",
        action="append",
        default=[],
        metavar="FIELD=VALUE",
        help="change a field of the rule sheet, loops=true for one; may be given again",
    )


def add_language(parser: ArgumentParser) -> None:
    """Add the option of the language of results."""
    lang = os.environ.get("QIPAI_LANG", "en")
    parser.add_argument(
        "--lang",
        choices=("en", "zh"),
        default="zh" if lang.startswith("zh") else "en",
        help="language of the result (else $QIPAI_LANG, else en)",
    )


def add_bots(parser: ArgumentParser, about: str) -> None:
    """Add the options of who plays."""
    parser.add_argument("--bots", default="greedy", metavar="BOT,...", help=about)
    parser.add_argument(
        "--worlds",
        type=positive,
        metavar="N",
        help="deals of what is hidden that the bot search imagines for a decision",
    )


def names_of(name: str) -> list[str]:
    """Return ``game/preset`` for a name: itself, or all presets of a game."""
    with input_from():
        preset_rules(name)
    return [known for known in games() if known == name or known.startswith(f"{name}/")]


def house_rules(name: str, changes: Sequence[str]) -> Any:
    """Return the rules of ``game/preset`` with the changes of ``--rules``."""
    preset = preset_rules(name)[1]
    fields: dict[str, Any] = {}
    for change in changes:
        field, equals, text = change.partition("=")
        if not equals:
            raise InputError(f"--rules: write FIELD=VALUE, not {change!r}")
        fields[field] = _value(text)
    with input_from("--rules"):
        return type(preset).from_dict({**preset.as_dict(), **fields})


def changes_of(name: str, rules: Any) -> list[str]:
    """Return as FIELD=VALUE what a game's rules change in the preset that they started from."""
    preset = f"{name}/{rules.name}"
    fields = preset_rules(preset if preset in games() else name)[1].as_dict()
    return [
        f"{field}={json.dumps(value, ensure_ascii=False, separators=(',', ':'))}"
        for field, value in rules.as_dict().items()
        if value != fields[field]
    ]


def _value(text: str) -> Any:
    """Return a value of ``--rules``: JSON, numbers with commas between, or a word."""
    for form in (text, f"[{text}]"):
        try:
            return json.loads(form)
        except ValueError:
            continue
    return text
