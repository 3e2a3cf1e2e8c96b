"""What Python asks of any climbing game."""

from libc.stdint cimport uint8_t

from qipai._core.game cimport Engine, Game


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

    def hand(self, Game game, int seat):
        """The ids in a hand, ascending."""
        cdef const climb *c = self.of(game)
        cdef const uint8_t *bits = c.held[seat]
        cdef int rank, bit
        return sorted([card_of(rank, bit) for rank in range(15) for bit in range(8)
                       if bits[rank] >> bit & 1])

    def table_play(self, Game game):
        """(action id, seat) of the play to beat; (0, -1) on a free lead."""
        cdef const climb *c = self.of(game)
        return c.table, c.table_seat

    def finished(self, Game game):
        """The seats in their order of going out."""
        cdef const climb *c = self.of(game)
        return tuple([c.finished[i] for i in range(c.n_finished)])
