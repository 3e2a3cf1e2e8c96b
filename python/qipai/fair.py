"""Provably fair deals: seeds of which the server and every seat have promised their part.

The server draws a secret (:func:`new_secret`) and shows its :func:`commitment` with the number of
the hand. Every seat draws a random word and shows its :func:`word_commitment`. When all promises
are seen by all, the words are opened. The seed follows from secret, number and words
(:func:`hand_seed`): everybody's part was fixed before anybody knew another's. After the hand a
:class:`Proof` shows the secret, and each player compares it with what it knew before, with SHA-256
and HMAC alone.

Where words are given at once, without promises of their own, nobody can steer alone, but the server
can together with the seat that speaks last.

What this cannot do: a server that does not like a deal may still break it off, or say that a word
was not opened. Such a deal is void, its words too. Players should count promises that are not kept.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self, cast

from qipai.plain import exact, integer, shown

if TYPE_CHECKING:
    from qipai.record import Record

SECRET = 32
LONGEST = 256
DOMAIN = b"qipai fair 1"


def new_secret() -> bytes:
    """Draw a secret of 32 bytes from the operating system."""
    return secrets.token_bytes(SECRET)


def commitment(secret: bytes) -> str:
    """Return the promise of a secret, to be shown with the hand's number before any word is.

    It is SHA-256 of the 32 bytes, in hexadecimal. ``ValueError`` for a secret of another length.
    """
    return hashlib.sha256(_secret(secret)).hexdigest()


def word_commitment(word: str) -> str:
    """Return the promise of a seat's word, to be shown before any word is.

    It is SHA-256 of its UTF-8, in hexadecimal. It hides only what cannot be guessed: a word should
    be random, such as ``secrets.token_hex(16)``. ``ValueError`` for a word that is none.
    """
    return hashlib.sha256(_word("word", word)).hexdigest()


def hand_seed(secret: bytes, words: Sequence[str], number: int = 0) -> bytes:
    """Return the 32-byte seed of a hand, for ``Game(seed=...)``.

    ``words``: what the seats gave, seat 0 first, 1 to 256 bytes of UTF-8 each; ``number``: which
    hand with this secret and these words, 0 to 2**64 - 1. It is HMAC-SHA256 with the secret as key,
    of ``b"qipai fair 1"``, the number in eight bytes, and for each word its length in four bytes
    and its UTF-8; numbers have the highest byte first. ``ValueError`` names what is amiss.
    """
    message = DOMAIN + _number(number).to_bytes(8, "big")
    for word in _words(words):
        text = word.encode()
        message += len(text).to_bytes(4, "big") + text
    return hmac.digest(_secret(secret), message, "sha256")


@dataclass(frozen=True, slots=True)
class Proof:
    """All that is needed to check a seed, to be shown after the hand.

    ``promise``: the :func:`commitment` that was shown before; ``secret``: in hexadecimal; ``words``
    and ``number``: as for :func:`hand_seed`.
    """

    promise: str
    secret: str
    words: tuple[str, ...]
    number: int = 0

    def __post_init__(self) -> None:
        _hexadecimal("promise", self.promise)
        _hexadecimal("secret", self.secret)
        object.__setattr__(self, "words", _words(self.words))
        object.__setattr__(self, "number", _number(self.number))

    @classmethod
    def of(cls, secret: bytes, words: Sequence[str], number: int = 0) -> Self:
        """Return the proof of a hand's seed."""
        return cls(commitment(secret), _secret(secret).hex(), _words(words), number)

    @property
    def seed(self) -> bytes:
        """The seed that follows from secret, words and number."""
        return hand_seed(bytes.fromhex(self.secret), self.words, self.number)

    def check(
        self,
        record: Record,
        promise: str | None = None,
        *,
        number: int | None = None,
        words: Mapping[int, str] | None = None,
        promises: Mapping[int, str] | None = None,
    ) -> None:
        """Check that a record's hand was dealt as promised; ``ValueError`` says what was not.

        The rest is what a player knew before the hand; it must not be taken from the proof.
        ``promise``: the server's; ``number``: of the hand, as it was told with the promise;
        ``words``: by seat, the player's own and any other that it knows; ``promises``: by seat,
        the :func:`word_commitment` of the others' words that it saw before it opened its own. What
        is not given is not checked, and can have been chosen afterwards. ``TypeError`` for what is
        no text, number or mapping of seats.

        The deal must be the one of the seed, the rules and the history in the record, and there
        must be a word for every seat.
        """
        if promise is not None and not isinstance(promise, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"promise must be text, not {type(promise).__name__}")
        if number is not None:
            number = _number(number)
        known = self._by_seat("words", words)
        promised = self._by_seat("promises", promises)
        if promise is not None and promise != self.promise:
            raise ValueError("the proof is of another promise than the one shown before the hand")
        if number is not None and number != self.number:
            raise ValueError(f"the proof is of hand number {self.number}, not {number}")
        for seat, word in known.items():
            if word != self.words[seat]:
                raise ValueError(f"the word of seat {seat} is not the one that it gave")
        for seat, text in promised.items():
            if text != word_commitment(self.words[seat]):
                raise ValueError(f"the word of seat {seat} is not the one that it promised")
        if commitment(bytes.fromhex(self.secret)) != self.promise:
            raise ValueError("the secret is not the one promised")
        if record.seed != self.seed.hex():
            raise ValueError("the seed of the record does not follow from the secret and the words")
        from qipai.registry import game_class

        game = game_class(record.game)(record.rules, seed=self.seed, history=record.history)
        if len(self.words) != game.players:
            raise ValueError(f"there are {len(self.words)} words for {game.players} seats")
        if game.deal != record.deal:
            raise ValueError("the deal of the record is not that of its seed")

    def _by_seat(self, name: str, given: Mapping[int, str] | None) -> Mapping[int, str]:
        """What a player knows of seats, checked for its types."""
        if given is None:
            return {}
        if not isinstance(given, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"{name} must map seats to texts, not be {type(given).__name__}")
        for seat, text in given.items():
            if isinstance(seat, bool) or not isinstance(seat, int):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise TypeError(f"{name}: a seat is a number, not {seat!r}")
            if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise TypeError(f"{name}: that of seat {seat} must be text, not {text!r}")
        for seat in given:
            if not 0 <= seat < len(self.words):
                raise ValueError(f"{name}: the proof has no seat {seat}")
        return given

    def as_dict(self) -> dict[str, Any]:
        """Return the proof as plain JSON."""
        return {
            "promise": self.promise,
            "secret": self.secret,
            "words": list(self.words),
            "number": self.number,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the proof that :meth:`as_dict` wrote; ``ValueError`` for anything else."""
        if not isinstance(data, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ValueError(f"a proof is a mapping, not {type(data).__name__}")
        names = ("promise", "secret", "words", "number")
        for name in {**dict.fromkeys(names), **data}:
            if name not in names or name not in data:
                raise ValueError(
                    f"a proof has exactly the entries {', '.join(names)}: {name!r} is "
                    f"{'missing' if name in names else 'none of them'}"
                )
        words: Any = data["words"]
        if not isinstance(words, list):
            raise ValueError("a proof's words must be a list")
        given = tuple(cast("list[str]", words))
        try:
            return cls(data["promise"], data["secret"], given, data["number"])
        except TypeError as error:
            raise ValueError(str(error)) from None


def with_proof(record: Record, proof: Proof) -> Record:
    """Return the record with its proof; ``ValueError`` as :meth:`Proof.check`."""
    if not isinstance(proof, Proof):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"proof must be a Proof, not {type(proof).__name__}")
    proof.check(record)
    return replace(record, proof=proof)


def _secret(secret: bytes) -> bytes:
    if not isinstance(secret, bytes):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"secret must be bytes, not {type(secret).__name__}")
    if len(secret) != SECRET:
        raise ValueError(f"secret must have {SECRET} bytes, not {len(secret)}")
    return secret


def _words(words: Sequence[str]) -> tuple[str, ...]:
    """The words, checked, with texts of no subclass."""
    if isinstance(words, str) or not isinstance(words, Sequence):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError("words must be a sequence of texts, one a seat")
    given = tuple([cast("str", exact(word)) for word in words])
    if not given:
        raise ValueError("words: there must be one a seat")
    for seat, word in enumerate(given):
        _word(f"the word of seat {seat}", word)
    return given


def _word(name: str, word: str) -> bytes:
    if not isinstance(word, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"{name} must be text, not {type(word).__name__}")
    try:
        text = cast("str", exact(word)).encode()
    except UnicodeEncodeError:
        raise ValueError(f"{name} has a character that is none") from None
    if not 1 <= len(text) <= LONGEST:
        raise ValueError(f"{name} must have 1 to {LONGEST} bytes, not {len(text)}")
    return text


def _number(number: int) -> int:
    number = integer("number", number)
    if not 0 <= number < 1 << 64:
        raise ValueError(f"number must be at least 0 and below 2**64, not {shown(number)}")
    return number


def _hexadecimal(name: str, text: str) -> None:
    if not isinstance(text, str) or len(text) != 64 or set(text) - set("0123456789abcdef"):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ValueError(f"{name} must be 64 hexadecimal digits in lower case")
