"""The compiled kernel of 甲乙丙 against the rules text, the reference and brute force."""

from __future__ import annotations

import itertools
import pickle
import sys
from pathlib import Path

import pytest

from qipai import fangyang, jiayibing
from qipai._core import jiayibing as kernel
from qipai.jiayibing import Kind, Play, Rules, beats, classify, legal_plays
from qipai.reference import jiayibing as reference

sys.path.append(str(Path(__file__).parents[1] / "common"))

import alike

RANKS = "3456789TJQKA2BR"  # JY-2: also low to high
ALIKE_8 = Rules(max_alike=8)
BOMBS = Rules(max_alike=8, quad_is_bomb=True)
KERNEL = alike.Kernel(
    jiayibing,
    reference,
    2,
    18,
    tuple(
        Rules(max_alike=most, quad_is_bomb=bomb) for most in range(4, 9) for bomb in (False, True)
    ),
)


@pytest.mark.parametrize(
    ("cards", "kind", "rank", "width"),
    [("3", "SINGLE", "3", 1), ("22", "PAIR", "2", 2), ("BB", "PAIR", "B", 2),
     ("RR", "PAIR", "R", 2), ("TTT", "TRIPLE", "T", 3),
     ("AAAA", "QUAD", "A", 4), ("H9 H9", "PAIR", "9", 2)],
)  # fmt: skip
def test_patterns(cards: str, kind: str, rank: str, width: int) -> None:
    """JY-10"""
    play = classify(cards)
    assert play is not None
    assert (play.kind, play.rank, play.width, play.cards) == (Kind[kind], rank, width, rank * width)
    assert str(play) == play.cards and repr(play) == f"<Play {play.cards} {kind}>"
    assert pickle.loads(pickle.dumps(play)) == play == classify(play.cards)
    assert kernel.play_at_id(int(play)) == play and hash(play) == hash(classify(cards))


@pytest.mark.parametrize(
    "cards", ["", "BR", "BBR", "BBRR", "2R", "345", "3344", "5556", "55555", "55555555"]
)
def test_no_patterns(cards: str) -> None:
    """JY-10: 大王 pairs with 大王 only, 小王 with 小王; no more than four alike."""
    assert classify(cards) is None


def test_more_than_four_alike() -> None:
    """JY-10: `max_alike`."""
    for most in range(4, 9):
        for width, name in {5: "FIVE", 6: "SIX", 7: "SEVEN", 8: "EIGHT"}.items():
            play = classify("7" * width, Rules(max_alike=most))
            assert (play is not None) == (width <= most)
            if play is not None:
                assert (play.kind, play.width, play.cards) == (Kind[name], width, "7" * width)
                assert pickle.loads(pickle.dumps(play)) == play


@pytest.mark.parametrize("width", range(1, 9))
def test_rank_order(width: int) -> None:
    """JY-2, JY-11: 大王 小王 2 A .. 3, in every pattern."""
    ranks = RANKS if width <= 2 else RANKS[:13]
    for (i, low), (j, high) in itertools.product(enumerate(ranks), repeat=2):
        assert beats(high * width, low * width, ALIKE_8) == (j > i)


def test_bombs() -> None:
    """JY-10, JY-11: another number alike never beats; as bombs, four or more beat fewer."""
    for n, m in itertools.permutations(range(1, 9), 2):
        assert not beats("A" * n, "3" * m, ALIKE_8)
        assert beats("3" * n, "A" * m, BOMBS) == (n >= 4 and n > m)
    assert beats("3333", "RR", BOMBS)
    assert not beats("3333", "4444", BOMBS)
    assert beats("22222", "AAAAA", BOMBS)
    four = Rules(quad_is_bomb=True)
    assert beats("3333", "222", four)
    with pytest.raises(ValueError, match=r"33333.* is no play"):
        beats("33333", "2222", four)
    with pytest.raises(ValueError, match=r"33333.* is no play"):
        beats(classify("33333", BOMBS) or "", "2222", four)


def test_legal_plays_by_hand() -> None:
    """JY-10, JY-11: each set of ranks once."""
    hand = "34444422BBR"

    def texts(on: str | None, rules: Rules) -> set[str]:
        return {play.cards for play in legal_plays(hand, on, rules)}

    four = set("3 4 44 444 4444 2 22 B BB R".split())
    assert texts(None, Rules()) == four
    assert texts(None, ALIKE_8) == texts(None, BOMBS) == {*four, "44444"}
    assert texts("A", Rules()) == {"2", "B", "R"}
    assert texts("22", Rules()) == {"BB"}
    assert texts("AA", BOMBS) == {"22", "BB", "4444", "44444"}
    assert texts("5555", BOMBS) == {"44444"}
    assert texts("5555", ALIKE_8) == set()
    assert legal_plays("") == []


@pytest.mark.parametrize(
    ("cards", "culprit"),
    [("5" * 9, "5"), ("BBB", "B"), ("RRR", "R"), ("3333333344444444555", "19 cards"), ("X", "X"),
     (b"\x09" + bytes(14), "rank 3"), (b"\1" * 14, "15"), ([0, 0], "twice"), ([108], "108")],
)  # fmt: skip
def test_impossible_cards(cards: str | bytes | list[int], culprit: str) -> None:
    """JY-1: two decks, at most 18 cards."""
    for call in (
        lambda: classify(cards),
        lambda: legal_plays(cards),
        lambda: beats(cards, "4"),
        lambda: beats("4", cards),
    ):
        with pytest.raises(ValueError, match=culprit):
            call()


def test_no_plays() -> None:
    """JY-10: beats and legal_plays refuse what is no play."""
    for cards in ("45", "BR", "", "33333"):
        for call in (
            lambda cards=cards: beats(cards, "4"),
            lambda cards=cards: beats("4", cards),
            lambda cards=cards: legal_plays("45", cards),
        ):
            with pytest.raises(ValueError, match="no play"):
                call()
    with pytest.raises(TypeError, match="jiayibing"):
        beats("4", fangyang.classify("3"))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="Rules"):
        classify("4", fangyang.Rules())  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        Play()
    for id in (0, 109):
        with pytest.raises(ValueError, match=str(id)):
            kernel.play_at_id(id)


def test_ids() -> None:
    """JY-10: 108 plays with the ids that the module documents."""
    wanted = [rank * width for rank in RANKS[:13] for width in range(1, 5)]
    wanted += ["B", "BB", "R", "RR"]
    wanted += [rank * width for rank in RANKS[:13] for width in range(5, 9)]
    assert [kernel.play_at_id(id).cards for id in range(1, 109)] == wanted


def test_classify_as_the_reference() -> None:
    """JY-1, JY-2, JY-10: all sets alike and all sets of up to three cards, all `max_alike`."""
    assert alike.prove_classify(KERNEL, 3) > 10 * 900


def test_beats_as_the_reference() -> None:
    """JY-2, JY-10, JY-11: every two plays under each house rule."""
    plays = [13 * most + 4 for most in range(4, 9)]
    assert alike.prove_beats(KERNEL) == 2 * sum(n * n for n in plays)


def test_legal_plays_as_all_sub_multisets() -> None:
    """JY-10, JY-11"""
    alike.prove_legal(KERNEL, 40, 1)


def test_batches() -> None:
    """JY-10, JY-11: batches, their arrays and their refusals."""
    alike.prove_batches(KERNEL)
