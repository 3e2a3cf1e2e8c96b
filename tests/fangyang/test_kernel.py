"""The compiled kernel of 放羊 against the rules text, the reference and brute force."""

from __future__ import annotations

import itertools
import pickle
import sys
from pathlib import Path

import pytest

from qipai import fangyang, jiayibing
from qipai._core import fangyang as kernel
from qipai.fangyang import Kind, Play, Rules, beats, classify, legal_plays
from qipai.reference import fangyang as reference

sys.path.append(str(Path(__file__).parents[1] / "common"))

import alike

LOW_TO_HIGH = "456789TJQKA23BR"
BOMBS = Rules(quad_is_bomb=True)
KERNEL = alike.Kernel(fangyang, reference, 1, 14, (Rules(), BOMBS))


@pytest.mark.parametrize(
    ("cards", "kind", "rank", "width"),
    [("9", "SINGLE", "9", 1), ("R", "SINGLE", "R", 1), ("33", "PAIR", "3", 2),
     ("TTT", "TRIPLE", "T", 3), ("AAAA", "QUAD", "A", 4), ("H9 S9", "PAIR", "9", 2)],
)  # fmt: skip
def test_patterns(cards: str, kind: str, rank: str, width: int) -> None:
    """FY-10"""
    play = classify(cards)
    assert play is not None
    assert (play.kind, play.rank, play.width, play.cards) == (Kind[kind], rank, width, rank * width)
    assert str(play) == play.cards and repr(play) == f"<Play {play.cards} {kind}>"
    assert pickle.loads(pickle.dumps(play)) == play == classify(play.cards)
    assert kernel.play_at_id(int(play)) == play and hash(play) == hash(classify(cards))


@pytest.mark.parametrize(
    "cards", ["", "BR", "4R", "KKR", "45678", "4455", "5556", "555666", "44445555"]
)
def test_no_patterns(cards: str) -> None:
    """FY-10: 大王 and 小王 are no pair, no joker stands for another card; no straights, no runs."""
    assert classify(cards) is None


@pytest.mark.parametrize("width", [1, 2, 3, 4])
def test_rank_order(width: int) -> None:
    """FY-2, FY-11: 大王 小王 3 2 A .. 4, in every pattern."""
    ranks = LOW_TO_HIGH if width == 1 else LOW_TO_HIGH[:13]
    for (i, low), (j, high) in itertools.product(enumerate(ranks), repeat=2):
        assert beats(high * width, low * width) == (j > i)


def test_suits_never_matter() -> None:
    """FY-2"""
    assert classify("S9 D9") == classify("H9 C9")
    assert not beats("S9", "D9") and not beats("D9", "S9")


def test_four_alike() -> None:
    """FY-11: no bomb, unless `quad_is_bomb`: then it beats all but a higher four."""
    for n, m in itertools.permutations([1, 2, 3, 4], 2):
        assert not beats("A" * n, "5" * m)
        assert beats("5" * n, "A" * m, BOMBS) == (n == 4)
    assert beats("4444", "R", BOMBS)
    assert not beats("4444", "5555", BOMBS)
    assert beats("3333", "2222", BOMBS)


def test_legal_plays_by_hand() -> None:
    """FY-10, FY-11: each set of ranks once."""
    hand = "44555566633BR"

    def texts(on: str | None, rules: Rules) -> set[str]:
        return {play.cards for play in legal_plays(hand, on, rules)}

    lead = set("4 44 5 55 555 5555 6 66 666 3 33 B R".split())
    assert texts(None, Rules()) == texts(None, BOMBS) == lead
    assert texts("2", Rules()) == {"3", "B", "R"}
    assert texts("44", Rules()) == {"55", "66", "33"}
    assert texts("44", BOMBS) == {"55", "66", "33", "5555"}
    assert texts("666", Rules()) == set()
    assert texts("R", BOMBS) == {"5555"}
    assert legal_plays("") == []


@pytest.mark.parametrize(
    ("cards", "culprit"),
    [("55555", "5"), ("BB", "B"), ("RR", "R"), ("444455556666777", "15 cards"), ("X", "X"),
     (b"\5" + bytes(14), "rank 3"), (b"\1" * 14, "15"), ([0, 0], "twice"), ([54], "54")],
)  # fmt: skip
def test_impossible_cards(cards: str | bytes | list[int], culprit: str) -> None:
    """FY-1: one deck, at most 14 cards."""
    for call in (
        lambda: classify(cards),
        lambda: legal_plays(cards),
        lambda: beats(cards, "4"),
        lambda: beats("4", cards),
    ):
        with pytest.raises(ValueError, match=culprit):
            call()


def test_no_plays() -> None:
    """FY-10: beats and legal_plays refuse what is no play."""
    for cards in ("45", "BR", ""):
        for call in (
            lambda cards=cards: beats(cards, "4"),
            lambda cards=cards: beats("4", cards),
            lambda cards=cards: legal_plays("45", cards),
        ):
            with pytest.raises(ValueError, match="no play"):
                call()
    with pytest.raises(TypeError, match="fangyang"):
        beats("4", jiayibing.classify("3"))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="Rules"):
        classify("4", jiayibing.Rules())  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        Play()
    for id in (0, 55):
        with pytest.raises(ValueError, match=str(id)):
            kernel.play_at_id(id)


def test_ids() -> None:
    """FY-10: 54 plays with the ids that the module documents."""
    wanted = [rank * width for rank in "3456789TJQKA2" for width in range(1, 5)] + ["B", "R"]
    assert [kernel.play_at_id(id).cards for id in range(1, 55)] == wanted


def test_classify_as_the_reference() -> None:
    """FY-1, FY-2, FY-10: all plays and all sets of up to four cards."""
    assert alike.prove_classify(KERNEL, 4) > 2 * 3000


def test_beats_as_the_reference() -> None:
    """FY-2, FY-11: every two plays."""
    assert alike.prove_beats(KERNEL) == 2 * 54 * 54


def test_legal_plays_as_all_sub_multisets() -> None:
    """FY-10, FY-11"""
    alike.prove_legal(KERNEL, 60, 1)


def test_batches() -> None:
    """FY-10, FY-11: batches, their arrays and their refusals."""
    alike.prove_batches(KERNEL)
