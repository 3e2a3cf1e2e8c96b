"""Leads, follows and the winner of a trick (GZ-50 to GZ-55), on lists of faces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from qipai.rules.gunzi import Rules

from .cards import Trump, check_faces, shape, strength, suit_led

DEFAULT = Rules.diamond()


def _lead_size(lead: Sequence[int]) -> int:
    check_faces("lead", lead)
    size = shape(lead)
    if size is None:
        raise ValueError(f"lead {list(lead)!r} is no 单, 棒 or 滚 (GZ-5)")
    return size


def is_legal_follow(
    lead: Sequence[int],
    play: Sequence[int],
    hand: Sequence[int],
    trump: Trump,
    rules: Rules = DEFAULT,
) -> bool:
    """Return whether ``play`` from ``hand`` (before the play) may follow ``lead`` (GZ-51 to GZ-53).

    A play of another number of cards, or of cards not in the hand, may not.
    Raises ``ValueError`` if ``lead`` is no shape or there are four of a face.
    """
    size = _lead_size(lead)
    check_faces("play", play)
    check_faces("hand", hand)
    if len(play) != size or Counter(play) - Counter(hand):
        return False
    led = suit_led(lead[0], trump)
    own = [face for face in hand if suit_led(face, trump) == led]
    return _follows(play, own, rules)


def _follows(play: Sequence[int], own: Sequence[int], rules: Rules) -> bool:
    """Whether a play of the right number follows, ``own`` being the hand's cards of the suit."""
    size = len(play)
    followed = [face for face in play if face in own]
    if len(followed) < min(size, len(own)):  # GZ-51
        return False
    if rules.follow == "live" or len(own) < size:  # GZ-52; a shape is owed by a full suit only
        return True
    held = Counter(own).values()
    alike = max(Counter(play).values())
    if size == 2:
        return alike == 2 or 2 not in held  # GZ-53: a 滚 need not be broken
    return alike >= min(size, max(held))  # GZ-53: 滚, else 棒 + single, else three singles


def iter_follows(
    lead: Sequence[int], hand: Sequence[int], trump: Trump, rules: Rules = DEFAULT
) -> Iterator[tuple[int, ...]]:
    """Yield every legal follow once, as ascending faces; errors as :func:`is_legal_follow`."""
    size = _lead_size(lead)
    check_faces("hand", hand)
    led = suit_led(lead[0], trump)
    own = [face for face in hand if suit_led(face, trump) == led]
    for play in sorted(set(combinations(sorted(hand), size))):
        if _follows(play, own, rules):
            yield play


def count_follows(
    lead: Sequence[int], hand: Sequence[int], trump: Trump, rules: Rules = DEFAULT
) -> int:
    """Return the number of distinct legal follows; errors as :func:`is_legal_follow`."""
    return sum(1 for _ in iter_follows(lead, hand, trump, rules))


def legal_leads(hand: Sequence[int], trump: Trump) -> list[tuple[int, ...]]:
    """Return every 单, 棒 and 滚 in the hand, once each (GZ-50); no trump forbids one."""
    check_faces("hand", hand)
    held = Counter(hand)
    return [(face,) * size for face in sorted(held) for size in range(1, held[face] + 1)]


def trick_winner(plays: Sequence[Sequence[int]], trump: Trump) -> int:
    """Return the index of the winning play, 0 the leader's (GZ-55). One to four plays.

    Raises ``ValueError`` for plays that cannot lie on one table.
    """
    if not 1 <= len(plays) <= 4:
        raise ValueError(f"plays: a trick has one to four, not {len(plays)}")
    size = _lead_size(plays[0])
    check_faces("plays", [face for play in plays for face in play])
    best = 0
    for index, play in enumerate(plays):
        if len(play) != size:
            raise ValueError(f"plays: number {index} has {len(play)} cards, the lead {size}")
        in_play = suit_led(play[0], trump) in (suit_led(plays[0][0], trump), "trump")
        if shape(play) is None or not in_play:
            continue
        if strength(play[0], trump) > strength(plays[best][0], trump):  # the first of equals wins
            best = index
    return best
