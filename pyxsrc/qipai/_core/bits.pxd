"""csrc/bits.h and csrc/cards.h."""

from libc.stdint cimport int8_t, int32_t, uint8_t, uint64_t

cdef extern from "bits.h" nogil:
    int qp_ctz64(uint64_t x) noexcept
    int qp_high64(uint64_t x) noexcept
    int qp_popcount(uint64_t x) noexcept
    int qp_popcount_words(const uint64_t *word, int n) noexcept
    int qp_list_bits(const uint64_t *word, int n, int32_t *out) noexcept
    int qp_select_bit(const uint64_t *word, int k) noexcept
    void qp_bits_to_bytes(const uint64_t *word, int n, uint8_t *out) noexcept
    int qp_packed_size(uint64_t x) noexcept
    bint qp_packed_within(uint64_t part, uint64_t whole) noexcept
    int qp_nibble(uint64_t packed, int rank) noexcept

cdef extern from "cards.h" nogil:
    enum:
        QP_MOST_CARDS, QP_COPIES, QP_DECKS
        QP_TEXT_FINE, QP_TEXT_UNKNOWN, QP_TEXT_REPEAT, QP_TEXT_MANY
    ctypedef struct qp_card:
        int8_t rank
        int8_t suit
        int8_t copy
    ctypedef struct qp_cards:
        int n
        qp_card card[162]
    int qp_read_cards(const char *text, size_t length, qp_cards *out, size_t *where) noexcept
    uint64_t qp_pack15(const uint8_t *counts) noexcept
    bint qp_packed_fits(uint64_t x, int decks, int most) noexcept
