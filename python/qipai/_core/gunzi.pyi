from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple, Self, SupportsIndex, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from qipai.rules.gunzi import Rules

_Cards: TypeAlias = str | bytes | Iterable[SupportsIndex]
_Seed: TypeAlias = SupportsIndex | bytes | bytearray
_Side: TypeAlias = Literal["dealers", "attackers"]

@final
class Trump:
    """The trump suit and the level (GZ-3): ``Trump("S", 5)``.

    ``suit``: ``"S"``, ``"H"``, ``"D"`` or ``"C"``, or its sign; ``level``: 3 to 10. ``ValueError``
    for anything else. Immutable, hashable and picklable. ``int(trump)`` is the face of the trump
    suit's level card, 0..31, which is how batches write a trump; ``str(trump)`` is its text.
    """
    def __new__(cls, suit: str, level: SupportsIndex) -> Self: ...
    @property
    def suit(self) -> str:
        """The letter of the trump suit."""
    @property
    def level(self) -> int:
        """The level, 3 to 10."""
    def group(self, card: str | SupportsIndex) -> str:
        """The suit a card belongs to in play: its letter, or ``"trump"`` (GZ-3, GZ-51).

        ``card``: one card as text, or its id. ``ValueError`` for anything else.
        """
    def strength(self, card: str | SupportsIndex) -> int:
        """The place of a card in the order of GZ-4, 0 to 29; higher is stronger.

        Side suits are 0..11 by rank, trumps 12 and more; equal cards have the same number, and of
        two side suits the same rank has it too. ``card`` as for :meth:`group`.
        """
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

def points(cards: _Cards) -> int:
    """Count the 分牌 of cards: 5 for a 5, 10 for a T or K (GZ-2).

    ``cards``: text, ``bytes`` of 54 face counts or of 15 rank counts, or ids; of three decks.
    """

def legal_leads(hand: _Cards, trump: Trump) -> list[str]:
    """List every 单, 棒 and 滚 in a hand, as text (GZ-5, GZ-50).

    ``hand``: cards of at most 39, as for :func:`points`. In ascending order of face, then of size.
    """

def is_legal_follow(
    lead: _Cards, play: _Cards, hand: _Cards, trump: Trump, rules: Rules | None = None
) -> bool:
    """Whether a play may follow a lead (GZ-51..53).

    ``lead``: a 单, 棒 or 滚. ``play``: what is to be played; of another size than the lead, or not
    in the hand, it is False. ``hand``: before the play, at most 39 cards. ``rules``: if left out,
    死棒. Cards are text, ids or ``bytes`` of 54 face counts, the fast path; which copy of a face an
    id names does not matter. ``ValueError`` names a lead that is no shape, a fourth card of a face
    and what is no card.
    """

def follow_steps(
    lead: _Cards, chosen: _Cards, hand: _Cards, trump: Trump, rules: Rules | None = None
) -> tuple[int, int]:
    """The steps of a follow that is made card by card, in ascending order of face.

    ``chosen``: the cards of a mixed play so far, all but the last at most. Arguments and errors as
    for :func:`is_legal_follow`. Returns two sets of faces, bit f for face f: those that may be
    played as a 单, 棒 or 滚 of their own (0 once a card is chosen), and those that may come next so
    that a legal play which is not all alike stays within reach.
    """

def count_follows(lead: _Cards, hand: _Cards, trump: Trump, rules: Rules | None = None) -> int:
    """Count the plays that may follow a lead: different sets of faces, in constant time.

    Arguments and errors as for :func:`is_legal_follow`. 0 for a hand that is shorter than the lead.
    """

def iter_follows(
    lead: _Cards, hand: _Cards, trump: Trump, rules: Rules | None = None
) -> Iterator[str]:
    """Iterate over the plays that may follow a lead, as text, each set of faces once.

    Arguments and errors as for :func:`is_legal_follow`. 棒 and 滚 come first.
    """

def random_follow(
    lead: _Cards,
    hand: _Cards,
    trump: Trump,
    rules: Rules | None = None,
    seed: _Seed | None = None,
) -> str:
    """Draw one of the plays that :func:`iter_follows` gives, each as likely, without listing them.

    ``seed``: an int below 2**256 or 32 bytes, the same seed draws the same play; None takes one
    from the operating system. Returns text. Other arguments and errors as for
    :func:`is_legal_follow`; ``ValueError`` too for a hand that is shorter than the lead.
    """

def trick_winner(plays: Iterable[_Cards], trump: Trump) -> int:
    """Tell who wins a trick (GZ-55): the index of the play, 0 the leader.

    ``plays``: cards of each player in the order played, the lead first; of a trick that still runs,
    those made so far. The highest play of the lead's shape wins, in the suit led or in trumps, the
    first of equals. ``ValueError`` for a lead that is no shape, a play of another size, a fourth
    card of a face, no play and a fifth.
    """

class Settlement(NamedTuple):
    """What a hand comes to (GZ-60..66); sides are those of the hand played.

    ``gainer``: ``"dealers"``, ``"attackers"`` or None: who met GZ-62, GZ-63 or GZ-65, even if
    nothing is gained at level 10. ``levels``: the dealers' and the attackers' after the hand,
    (3, 3) after a round. ``gained``: levels the gainer gained, as GZ-66 counts them. ``blood``:
    cards due at the next hand (GZ-32, GZ-33); ``payer``: the side that owes them, None for no
    blood. ``next_dealer``: seats on from the dealer (GZ-12), None after a round. ``round_winner``:
    the side that won the round, or None.
    """

    gainer: _Side | None
    levels: tuple[int, int]
    gained: int
    blood: int
    payer: _Side | None
    next_dealer: int | None
    round_winner: _Side | None

def settle(
    points: SupportsIndex,
    dug: bool,
    buried: tuple[SupportsIndex, SupportsIndex],
    *,
    level: tuple[SupportsIndex, SupportsIndex],
    dry: bool = False,
    rules: Rules | None = None,
) -> Settlement:
    """Settle a hand (GZ-60..66); returns a :class:`Settlement`.

    ``points``: the attackers' total, the doubled bottom included (GZ-61). ``dug``: whether the
    attackers won the last trick (抠底). ``buried``: how many 大王 and 小王 lie in the bottom.
    ``level``: the dealers' and the attackers' before the hand. ``dry``: whether it was 干锅
    (GZ-44). ``ValueError`` for points that are no multiple of 5, above 300 without 抠底 or above
    what the bottom can add, more than three of a joker and a level outside 3..10.
    """

def trick_winner_many(
    plays: NDArray[np.uint64] | NDArray[np.uint8],
    trump: Trump | NDArray[np.uint8],
    *,
    out: NDArray[np.uint8] | None = None,
    threads: SupportsIndex = 1,
) -> NDArray[np.uint8]:
    """Tell who wins each of many tricks of four plays (GZ-55).

    ``plays``: C-contiguous, either ``uint8`` of shape (n, 12), the faces (0..53) of the leader's
    cards, then of the others in turn, three places a player and 255 in those that are not used; or
    ``uint64`` of shape (n,) in which the face led is in bits 0..5, the cards of follower i = 0..2
    follow from bit 6 + 18 * i on, six bits each and zeros in those that are not used, and how many
    cards each player played is in bits 60..61. ``trump``: one :class:`Trump` for all, or ``uint8``
    of shape (n,) of ``int(trump)``. ``out``: the caller's ``uint8`` array with room for n.

    Returns ``uint8`` of shape (n,), the index of the winner, 0 the leader. ``ValueError`` names the
    first row that is no trick: no size, a lead not all alike, a face above 53 or for the fourth
    time, a play of another size; ``out`` is untouched then. No GIL is held while it works; the
    result is the same for every number of ``threads``.
    """
