"""Deals can be checked by anyone, in plain Python."""

from __future__ import annotations

import importlib.util
from collections import Counter
from pathlib import Path

import qipai

_spec = importlib.util.spec_from_file_location("chacha", Path(__file__).with_name("chacha.py"))
assert _spec is not None and _spec.loader is not None
chacha = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(chacha)


def test_the_plain_cipher_is_that_of_rfc_8439() -> None:
    # Section 2.3.2: key 00..1f, block count 1.
    nonce = bytes.fromhex("000000090000004a00000000")
    out = chacha.block(bytes(range(32)), 1, nonce)
    assert out.hex().startswith("10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c06803")


def test_shuangkou_deals_from_the_seed() -> None:
    """SK-1, SK-50: shuffle, 27 to each seat in order, then the open card among all 108."""
    for number in range(20):
        seed = (number * 7919 + 1).to_bytes(32, "little")
        stream = chacha.words(seed)
        cards = chacha.shuffled(stream, 108)
        deal = qipai.new("shuangkou", seed=seed).deal
        assert deal.hands == tuple(tuple(sorted(cards[27 * i : 27 * i + 27])) for i in range(4))
        assert deal.open_card == chacha.below(stream, 108)


def test_mahjong_deals_from_the_seed() -> None:
    """AM-1, AM-14: the dealer, unless the hand before decides, then the wall."""
    from qipai.mahjong import Game, History

    for number in range(20):
        seed = (number * 6007 + 1).to_bytes(32, "little")
        stream = chacha.words(seed)
        dealer = chacha.below(stream, 4)
        wall = tuple(chacha.shuffled(stream, 136))
        game = Game(seed=seed)
        assert (game.deal.dealer, game.deal.wall) == (dealer, wall)
        hands = game.view(None)["hands"]
        assert hands[dealer] == sorted(wall[:14])
        for i in range(1, 4):
            assert hands[(dealer + i) % 4] == sorted(wall[1 + 13 * i : 14 + 13 * i])
        fixed = Game(seed=seed, history=History(number % 4)).deal
        assert fixed.dealer == number % 4
        assert fixed.wall == tuple(chacha.shuffled(chacha.words(seed), 136))


def test_gunzi_deals_from_the_seed() -> None:
    """GZ-11, GZ-22: the start, unless it is the dealer's, the cards in the order drawn and the
    bottom, then the order of the flips."""
    from qipai.gunzi import Game, History

    for number in range(20):
        seed = (number * 5003 + 1).to_bytes(32, "little")
        stream = chacha.words(seed)
        start, cards = chacha.below(stream, 4), tuple(chacha.shuffled(stream, 162))
        flips = tuple(chacha.shuffled(stream, 6))
        deal = Game(seed=seed).deal
        assert (deal.start, deal.flips, deal.redeals) == (start, flips, 0)
        assert deal.draws + deal.bottom == cards
        later = Game(seed=seed, history=History((4, 5), number % 4)).deal
        stream = chacha.words(seed)
        assert later.draws + later.bottom == tuple(chacha.shuffled(stream, 162))
        assert (later.start, later.flips) == (number % 4, tuple(chacha.shuffled(stream, 6)))


def test_every_card_goes_everywhere_alike() -> None:
    """A chi-square over (card, seat); far beyond it a deal would be biased."""
    hands = 4000
    where: Counter[tuple[int, int]] = Counter()
    for seed in range(hands):
        for seat, cards in enumerate(qipai.new("shuangkou", seed=seed).deal.hands):
            where.update((card, seat) for card in cards)
    expected = hands / 4
    chi = sum(
        (where[card, seat] - expected) ** 2 / expected for card in range(108) for seat in range(4)
    )
    # 108 * 3 degrees of freedom, less for the fixed sizes: mean 324, deviation about 25.
    assert 200 < chi < 450
