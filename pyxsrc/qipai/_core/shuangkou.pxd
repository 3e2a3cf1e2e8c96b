"""The 百变双扣 kernel: one table of all playable sets (csrc/tables/shuangkou.py)."""

from libc.stdint cimport int16_t, int32_t, uint8_t, uint16_t, uint64_t

# Actions and the words of a set of them; checked against the table when the module loads.
cdef enum:
    SK_ACTIONS = 6396
    SK_SET = 100

cdef extern from "shuangkou.h" nogil:
    ctypedef struct sk_rules:
        char name[32]
        int32_t stake
        int16_t base[3][4]
        uint16_t multiplier[6]
        uint16_t contribution[3][2]
        uint8_t loops
        uint8_t max_bomb
        uint8_t equal_stars
        uint8_t contribution_counts
        uint8_t merge_bombs
        uint8_t see_partner
        uint8_t escape

    ctypedef struct sk_play:
        uint16_t id
        uint8_t kind
        uint8_t rank
        uint8_t width
        uint8_t length
        uint8_t stars
        uint8_t loop

cdef int find(uint64_t packed) noexcept nogil
cdef bint admits(const sk_rules *rules, int row) noexcept nogil
cdef bint beats_row(const sk_rules *rules, int a, int b) noexcept nogil
cdef void legal_rows(const sk_rules *rules, uint64_t hand, int on, uint64_t *rows) noexcept nogil
cdef const sk_play *play_at(int row) noexcept nogil
cdef uint64_t packed_at(int row) noexcept nogil
cdef int size_at(int row) noexcept nogil
