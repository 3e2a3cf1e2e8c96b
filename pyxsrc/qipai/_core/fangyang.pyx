"""The 放羊 kernel: cards alike in the order of FY-2."""

cimport cython

from qipai._core.alike cimport Alike, AlikePlay, ak_rules, fy_above

from enum import IntEnum

from qipai.rules.fangyang import Rules


class Kind(IntEnum):
    """What a play is (FY-10); the number is that of its cards."""

    SINGLE = 1
    PAIR = 2
    TRIPLE = 3
    QUAD = 4


cdef tuple KINDS = (None, *Kind)


@cython.final
cdef class Play(AlikePlay):
    """A set of cards read as a pattern (FY-10).

    ``kind``, ``rank`` (its text), ``width`` (how many cards) and ``cards`` (text). Immutable and
    hashable; ``int(play)`` is the id of the action that plays it without the called card.
    """

    @property
    def kind(self):
        """What it is, a :class:`Kind`."""
        return KINDS[self.width]

    def __reduce__(self):
        return _play_of, (self.cards,)


cdef class _Kernel(Alike):
    def __cinit__(self):
        self.name, self.rules = "fangyang", Rules
        self.plain.above = fy_above
        self.plain.decks, self.plain.hand, self.plain.max_alike = 1, 14, 4

    cdef AlikePlay blank(self):
        return Play.__new__(Play)

    cdef int house(self, object rules, ak_rules *flat) except -1:
        flat.quad_is_bomb = rules.quad_is_bomb
        return 0


cdef _Kernel KERNEL = _Kernel()


def _play_of(str cards):
    """The Play of its card text, for pickle."""
    cdef int id = id_of_counts(cards)
    if id < 0:
        raise ValueError(f"{cards!r} is no play")
    return KERNEL.play(id)


def play_at_id(int id):
    """The Play with an action id from 1 to 54."""
    if not 1 <= id <= 54:
        raise ValueError(f"no play has the id {id}")
    return KERNEL.play(id)


def id_of_counts(counts):
    """The action id of cards without the called card, -1 where they are no play."""
    return KERNEL.find(counts, &KERNEL.plain) or -1


def classify(cards, rules=None):
    """Read a set of cards as the pattern it is (FY-10).

    ``cards``: text, ``bytes`` of 15 rank counts, or ids. Returns a :class:`Play`, or None where
    the cards are no pattern. ``ValueError`` for what no hand can be: a fifth 7, 15 cards.
    """
    return KERNEL.classify(cards, rules)


def beats(a, b, rules=None):
    """Whether play ``a`` beats play ``b`` (FY-2, FY-11).

    Each is a :class:`Play` or cards as for :func:`classify`; ``ValueError`` where one is no play.
    """
    return KERNEL.beats(a, b, rules)


def legal_plays(hand, on=None, rules=None):
    """List every play that a hand can make, each distinct set of ranks once.

    ``hand``: cards of at most 14; ``on``: the play to beat (cards or a :class:`Play`), or None for
    a free lead. Returns Plays in the order of their ids; passing is not among them, and the called
    card is no different from any other here.
    """
    return KERNEL.legal_plays(hand, on, rules)


def legal_ids(hand, on=None, rules=None, *, out=None):
    """Ids of what :func:`legal_plays` lists, ascending.

    ``out``: the caller's ``int32`` array with room for them. Returns ``int32`` of shape (k,), the
    first k of ``out``. Errors as :func:`legal_plays`, and ``ValueError`` for an ``out`` that is no
    such array or too small.
    """
    return KERNEL.legal_ids(hand, on, rules, out)


def classify_many(array, rules=None, *, out=None, threads=1):
    """Classify many sets at once.

    ``array``: C-contiguous, ``uint64`` of shape (n,) with rank i in bits 4i..4i+3, or ``uint8``
    counts of shape (n, 15). ``out``: the caller's one-dimensional array of ``PLAY_DTYPE`` with
    room for n rows. Returns an array of ``PLAY_DTYPE`` and shape (n,) (the first n of ``out``);
    rows that are no play are all zero. Every row is checked before anything is written, and
    ``ValueError`` names the first that no hand can be. No GIL is held while it works; the result
    is the same for every number of ``threads``.
    """
    return KERNEL.classify_many(array, rules, out, threads)


def beats_many(a, b, rules=None, *, out=None, threads=1):
    """Whether ``a[i]`` beats ``b[i]``, for many pairs at once (FY-11).

    ``a``, ``b``: arrays of n rows as for :func:`classify_many`, every row a play. ``out``: the
    caller's ``bool`` array with room for n. Returns a ``bool`` array of shape (n,). ``ValueError``
    names the first row where one of the two is no play; ``out`` is untouched then.
    """
    return KERNEL.beats_many(a, b, rules, out, threads)


def legal_count_many(array, on=None, rules=None, *, out=None, threads=1):
    """How many plays each of many hands can make.

    ``array``: hands as for :func:`classify_many`; ``on``: the play all of them are to beat, or
    None for a free lead. ``out``: the caller's ``int32`` array with room for n. Returns ``int32``
    of shape (n,): distinct sets of ranks, passing not counted. Errors as :func:`classify_many`.
    """
    return KERNEL.legal_count_many(array, on, rules, out, threads)
