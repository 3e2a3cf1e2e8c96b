"""Deals that follow from a promised secret and the seats' words."""

from __future__ import annotations

import hashlib
import hmac
import json
import random
from collections import Counter
from dataclasses import replace

import pytest

import qipai
from qipai import fair

SECRET = bytes(range(32))
WORDS = ("a", "牌", "c" * 256, "d")
PROMISE = hashlib.sha256(SECRET).hexdigest()
PROMISES = {seat: hashlib.sha256(word.encode()).hexdigest() for seat, word in enumerate(WORDS)}


def played(name: str, words: tuple[str, ...], number: int = 0) -> qipai.Game:
    game = qipai.new(name, seed=fair.hand_seed(SECRET, words, number))
    rng = random.Random(number)
    while not game.is_over:
        game.apply(rng.choice(game.legal_actions()))
    return game


def plain_seed(words: tuple[str, ...], number: int) -> bytes:
    message = b"qipai fair 1" + number.to_bytes(8, "big")
    for word in words:
        message += len(word.encode()).to_bytes(4, "big") + word.encode()
    return hmac.new(SECRET, message, hashlib.sha256).digest()


def served(words: tuple[str, ...], number: int) -> qipai.Record:
    """What a server shows that dealt with these words under this number, honest or not."""
    record = qipai.new("mahjong", seed=plain_seed(words, number)).record()
    return replace(record, proof=fair.Proof(PROMISE, SECRET.hex(), words, number))


def test_the_seed_is_that_of_plain_python() -> None:
    assert fair.hand_seed(SECRET, WORDS, 5) == plain_seed(WORDS, 5)
    assert fair.commitment(SECRET) == hashlib.sha256(SECRET).hexdigest()
    assert len(fair.new_secret()) == 32 and fair.new_secret() != fair.new_secret()


def test_words_cannot_be_cut_anew() -> None:
    """Other words that join to the same text give another seed, and so does another number."""
    seeds = {
        fair.hand_seed(SECRET, words, number)
        for words in (("ab", "c"), ("a", "bc"), ("abc", "d"), ("c", "ab"))
        for number in (0, 1, 256)
    }
    assert len(seeds) == 12


@pytest.mark.parametrize("name", qipai.games())
def test_a_record_carries_its_proof(name: str) -> None:
    players = qipai.new(name, seed=1).players
    words = tuple(f"seat {seat}" for seat in range(players))
    record = played(name, words).record()
    proof = fair.Proof.of(SECRET, words)
    sealed = fair.with_proof(record, proof)
    again = qipai.Record.from_json(sealed.to_json())
    assert again == sealed and again.proof == proof
    assert again.replay() == record.replay()
    again.proof.check(again, fair.commitment(SECRET))
    # Nothing of a proof can be other than it is.
    for wrong, error in (
        (replace(proof, promise="0" * 64), "not the one promised"),
        (fair.Proof.of(bytes(32), words), "does not follow"),
        (fair.Proof.of(SECRET, (*words[:-1], "x")), "does not follow"),
        (fair.Proof.of(SECRET, words, 1), "does not follow"),
    ):
        with pytest.raises(ValueError, match=error):
            wrong.check(record)
        with pytest.raises(ValueError, match=error):
            fair.with_proof(record, wrong)
    with pytest.raises(ValueError, match="another promise"):
        proof.check(record, fair.commitment(bytes(32)))
    other = qipai.new(name, seed=2)
    with pytest.raises(ValueError, match="deal"):
        proof.check(replace(record, deal=other.deal, actions=()))
    with pytest.raises(ValueError, match="seats"):
        few = fair.Proof.of(SECRET, words[1:])
        few.check(qipai.new(name, seed=few.seed).record())


def test_the_promise_of_a_word_is_its_sha256() -> None:
    for seat, word in enumerate(WORDS):
        assert fair.word_commitment(word) == PROMISES[seat]
    for word, error in (("", ValueError), ("x" * 257, ValueError), ("\ud800", ValueError)):
        with pytest.raises(error, match="word"):
            fair.word_commitment(word)
    with pytest.raises(TypeError, match="word"):
        fair.word_commitment(b"x")  # type: ignore[arg-type]


def test_what_every_player_knew_is_checked() -> None:
    record = served(WORDS, 7)
    assert record.proof is not None
    for seat, word in enumerate(WORDS):
        record.proof.check(record, PROMISE, number=7, words={seat: word}, promises=PROMISES)
    record.proof.check(record, PROMISE, number=7, words=dict(enumerate(WORDS)))


def test_a_server_cannot_steer_by_the_number() -> None:
    """It tries numbers until it likes the dealer; whoever knew the number sees it."""
    for wanted in range(4):
        record = next(
            found for n in range(500) if (found := served(WORDS, 100 + n)).deal.dealer == wanted
        )
        assert record.proof is not None
        record.proof.check(record, PROMISE, words={0: WORDS[0]}, promises=PROMISES)
        with pytest.raises(ValueError, match="number"):
            record.proof.check(record, PROMISE, number=99)


def test_a_server_cannot_replace_a_word() -> None:
    """Another word for seat 2 is seen by that seat, and by all who saw its promise."""
    record = next(
        found
        for n in range(500)
        if (found := served((*WORDS[:2], f"chosen {n}", WORDS[3]), 7)).deal.dealer == 2
    )
    assert record.proof is not None
    # Each of the others knows only its own word: that much is true.
    record.proof.check(record, PROMISE, number=7, words={0: WORDS[0], 1: WORDS[1], 3: WORDS[3]})
    with pytest.raises(ValueError, match="word of seat 2 is not the one that it gave"):
        record.proof.check(record, PROMISE, number=7, words={2: WORDS[2]})
    with pytest.raises(ValueError, match="word of seat 2 is not the one that it promised"):
        record.proof.check(record, PROMISE, number=7, words={0: WORDS[0]}, promises=PROMISES)
    with pytest.raises(ValueError, match="word of seat 2 is not the one that it promised"):
        record.proof.check(record, promises={2: PROMISES[2]})


@pytest.mark.parametrize(
    ("wrong", "error", "name"),
    [
        ({"promise": 1}, TypeError, "promise"),
        ({"promise": SECRET}, TypeError, "promise"),
        ({"promise": ""}, ValueError, "promise"),
        ({"promise": "\ud800"}, ValueError, "promise"),
        ({"number": "7"}, TypeError, "number"),
        ({"number": True}, TypeError, "number"),
        ({"number": -1}, ValueError, "number"),
        ({"number": 0}, ValueError, "number"),
        ({"words": WORDS}, TypeError, "words"),
        ({"words": {"0": "a"}}, TypeError, "words"),
        ({"words": {True: WORDS[1]}}, TypeError, "words"),
        ({"words": {0: b"a"}}, TypeError, "words"),
        ({"words": {4: "e"}}, ValueError, "seat 4"),
        ({"words": {-1: WORDS[3]}}, ValueError, "seat -1"),
        ({"words": {0: "\ud800"}}, ValueError, "seat 0"),
        ({"promises": [PROMISES[0]]}, TypeError, "promises"),
        ({"promises": {0: None}}, TypeError, "promises"),
        ({"promises": {0.0: PROMISES[0]}}, TypeError, "promises"),
        ({"promises": {4: PROMISES[0]}}, ValueError, "seat 4"),
        ({"promises": {1: PROMISES[0]}}, ValueError, "seat 1"),
        ({"promises": {0: WORDS[0]}}, ValueError, "seat 0"),
    ],
)
def test_what_is_no_knowledge(wrong: dict[str, object], error: type[Exception], name: str) -> None:
    record = served(WORDS, 7)
    assert record.proof is not None
    with pytest.raises(error, match=name):
        record.proof.check(record, **wrong)  # type: ignore[arg-type]


def test_bad_proofs() -> None:
    for call, error, name in (
        (lambda: fair.commitment(b"short"), ValueError, "secret"),
        (lambda: fair.commitment("0" * 32), TypeError, "secret"),  # type: ignore[arg-type]
        (lambda: fair.hand_seed(SECRET, "abcd"), TypeError, "words"),
        (lambda: fair.hand_seed(SECRET, ()), ValueError, "words"),
        (lambda: fair.hand_seed(SECRET, ("a", "")), ValueError, "seat 1"),
        (lambda: fair.hand_seed(SECRET, ("a", "b" * 257)), ValueError, "seat 1"),
        (lambda: fair.hand_seed(SECRET, ("\ud800",)), ValueError, "seat 0"),
        (lambda: fair.hand_seed(SECRET, ("a", 1)), TypeError, "seat 1"),  # type: ignore[arg-type]
        (lambda: fair.hand_seed(SECRET, WORDS, -1), ValueError, "number"),
        (lambda: fair.hand_seed(SECRET, WORDS, 1 << 64), ValueError, "number"),
        (lambda: fair.hand_seed(SECRET, WORDS, True), TypeError, "number"),
        (lambda: fair.Proof("x", SECRET.hex(), WORDS), ValueError, "promise"),
        (lambda: fair.Proof("0" * 64, "00", WORDS), ValueError, "secret"),
        (lambda: fair.Proof.from_dict({}), ValueError, "entries"),
    ):
        with pytest.raises(error, match=name):
            call()
    data = json.loads(
        fair.with_proof(played("mahjong", WORDS).record(), fair.Proof.of(SECRET, WORDS)).to_json()
    )
    for key, value in (
        ("promise", 1),
        ("secret", None),
        ("words", "abcd"),
        ("words", [1, 2]),
        ("number", "0"),
        ("number", -1),
        ("number", True),
    ):
        broken = {**data, "proof": {**data["proof"], key: value}}
        with pytest.raises((TypeError, ValueError)):
            qipai.Record.from_dict(broken)
    with pytest.raises(ValueError, match="entries"):
        qipai.Record.from_dict({**data, "proof": {**data["proof"], "more": 1}})
    with pytest.raises(ValueError, match="entries"):
        qipai.Record.from_dict({**data, "extra": 1})


def test_open_cards_are_spread_evenly() -> None:
    """A seed of HMAC goes into the same unbiased shuffle: a chi-square over the dealer."""
    n = 8000
    dealers = Counter(
        qipai.new("mahjong", seed=fair.hand_seed(SECRET, WORDS, number)).deal.dealer
        for number in range(n)
    )
    chi = sum((dealers[seat] - n / 4) ** 2 / (n / 4) for seat in range(4))
    assert chi < 25  # 3 degrees of freedom


class Two(int):
    """A number that is any number."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = int.__hash__


class Changing(str):
    """A text that is another one where it is looked at."""

    def encode(self, *_: object) -> bytes:  # type: ignore[override]
        return b"chosen afterwards"


def test_what_lies_about_itself_is_taken_for_what_it_is() -> None:
    proof = fair.Proof.of(SECRET, [Changing(word) for word in WORDS], Two(3))
    assert proof == fair.Proof.of(SECRET, WORDS, 3)
    assert {type(word) for word in proof.words} == {str} and type(proof.number) is int
    assert fair.hand_seed(SECRET, [Changing(word) for word in WORDS]) == fair.hand_seed(
        SECRET, WORDS
    )


@pytest.mark.parametrize(
    ("change", "said"),
    [({"number": None}, "'number' is missing"), ({"salt": 1}, "'salt' is none of them")],
)
def test_an_entry_that_is_unknown_or_missing_is_named(change: dict[str, object], said: str) -> None:
    data = {**fair.Proof.of(SECRET, WORDS).as_dict(), **change}
    with pytest.raises(ValueError, match=said):
        fair.Proof.from_dict({name: value for name, value in data.items() if value is not None})
