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


def played(name: str, words: tuple[str, ...], number: int = 0) -> qipai.Game:
    game = qipai.new(name, seed=fair.hand_seed(SECRET, words, number))
    rng = random.Random(number)
    while not game.is_over:
        game.apply(rng.choice(game.legal_actions()))
    return game


def test_the_seed_is_that_of_plain_python() -> None:
    message = b"qipai fair 1" + (5).to_bytes(8, "big")
    for word in WORDS:
        message += len(word.encode()).to_bytes(4, "big") + word.encode()
    expected = hmac.new(SECRET, message, hashlib.sha256).digest()
    assert fair.hand_seed(SECRET, WORDS, 5) == expected
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
