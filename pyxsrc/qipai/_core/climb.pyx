"""What Python asks of any climbing game."""

from qipai._core.bits cimport qp_ctz64
from qipai._core.game cimport Engine, Game, seat_number


cdef class Climbing(Engine):
    """An engine of a climbing game: what all of them can tell of a hand."""

    cdef const climb *of(self, Game game) except NULL:
        if game.table != self.table:
            raise TypeError(f"this is no game of {self.name}")
        return <const climb *> (<char *> game.head + self.climb_at)

    def order(self, Game game):
        """The seats in their order of play."""
        cdef const climb *c = self.of(game)
        return tuple([c.order[i] for i in range(c.players)])

    def hand(self, Game game, seat):
        """The ids in a hand, ascending."""
        cdef const climb *c = self.of(game)
        cdef int who = seat_number(seat, c.players)
        cdef list ids = []
        cdef unsigned int bits
        cdef int rank
        for rank in range(15):
            bits = c.held[who][rank]
            while bits:
                ids.append(card_of(rank, qp_ctz64(bits)))
                bits &= bits - 1
        ids.sort()
        return ids

    def table_play(self, Game game):
        """(action id, seat) of the play to beat; (0, -1) on a free lead."""
        cdef const climb *c = self.of(game)
        return c.table, c.table_seat

    def finished(self, Game game):
        """The seats in their order of going out."""
        cdef const climb *c = self.of(game)
        return tuple([c.finished[i] for i in range(c.n_finished)])
