// SPDX-License-Identifier: MIT
#ifndef INTERP_WAVE_COSTS_H
#define INTERP_WAVE_COSTS_H
// What a wave costs whose addresses have no closed form: vectorized counts of the different lines
// and of the words of each bank. Both counts do not change if an address is repeated, so inactive
// lanes repeat the address of an active one, and no loop has a mask.
#include "interp/core/gang.h"
#include "interp/lanes/cost_shapes.h"
#include "interp/lanes/wave_forms.h"

typedef uint32_t words8 __attribute__((vector_size(32), aligned(4), may_alias));

/** The addresses of a gang's active lanes: lane i accesses first + (at[i] - at[lead]) * unit. */
struct lanes {
    const uint32_t *at;
    uint64_t first;    // the address of lane `lead`, with the object's id
    uint32_t lead;     // the first active lane
    uint32_t unit;     // bytes
    int64_t low, high; // at[i] - at[lead] (32 bits, signed) is the distance if it is in between
    uint32_t bytes;    // of each access
    bool is_local;     // otherwise global or constant
};

/** A wave: lane i accesses low + at[i]. */
struct near_wave {
    uint32_t at[MOST_LANES];
    uint32_t n, span; // span: the largest of at[0..n)
    uint64_t low;
};

struct wave_cost {
    uint64_t n, ideal; // transactions, or cycles of banks
};

/** The number of different values among v[0..n), n a multiple of 8. Overwrites v[n..2n). */
OUTLINE uint32_t count_different(uint32_t *v, uint32_t n)
{
    words8 repeats = {0};
    memset(v + n, 0xff, n * sizeof *v); // equals no value
    for (uint32_t i = 0; i < n; i += 8) {
        const words8 own = *(const words8 *)(v + i);
        words8 same = {0};
        for (uint32_t r = 1; r < n - i; r++) same |= (words8)(own == *(const words8 *)(v + i + r));
        repeats -= same;
    }
    for (uint32_t k = 0; k < 8; k++) n -= repeats[k];
    return n;
}

/** The number of different (at[i] + add) >> shift. */
INLINE uint32_t count_blocks(const struct near_wave *w, uint32_t add, unsigned shift)
{
    const uint32_t top = (w->span + add) >> shift, n = w->n;
    if (top < 32) {
        uint32_t bits = 0;
        LANES for (uint32_t i = 0; i < n; i++) bits |= 1u << ((w->at[i] + add) >> shift);
        return (uint32_t)__builtin_popcount(bits);
    }
    uint32_t v[2 * MOST_LANES];
    LANES for (uint32_t i = 0; i < n; i++) v[i] = (w->at[i] + add) >> shift;
    return count_different(v, n);
}

/** False: some access may lie in two lines, or needs a pass over the sorted addresses. */
INLINE bool count_near_lines(const struct near_wave *w, uint32_t active, uint32_t bytes,
                             unsigned line, struct wave_cost *c)
{
    const uint32_t size = 1u << line, add = (uint32_t)w->low & (size - 1);
    uint32_t low_bits = add;
    LANES for (uint32_t i = 0; i < w->n; i++) low_bits |= w->at[i];
    if (bytes & (bytes - 1) || bytes > size || low_bits & (bytes - 1)) return false;
    c->n = count_blocks(w, add, line);
    c->ideal = 1;
    if (active * bytes > size && c->n > 1)
        c->ideal =
            ((uint64_t)count_blocks(w, add, (unsigned)__builtin_ctz(bytes)) * bytes + size - 1) >>
            line;
    return true;
}

/**
 * The same, if all accesses are one word of few rows: the words of a row are bits of a number, and
 * three bit planes count them for all banks at once. False: they are not.
 */
INLINE bool count_row_bits(const struct near_wave *w, uint32_t add, uint32_t bytes,
                           const struct vm_device_model *m, struct wave_cost *c)
{
    const unsigned shift = m->bank_shift, row = (unsigned)__builtin_ctz(m->banks);
    const uint32_t rows = ((w->span + add + bytes - 1) >> shift >> row) + 1, less = m->banks - 1;
    uint32_t low_bits = add, ones = 0, twos = 0, fours = 0, words = 0, most = 0;
    uint32_t row_of[MOST_LANES], bit_of[MOST_LANES];
    LANES for (uint32_t i = 0; i < w->n; i++) low_bits |= w->at[i];
    if (m->banks > 32 || rows > 7 || bytes & (bytes - 1) || bytes > 1u << shift ||
        low_bits & (bytes - 1))
        return false;
    LANES for (uint32_t i = 0; i < w->n; i++)
    {
        const uint32_t word = (w->at[i] + add) >> shift;
        row_of[i] = word >> row;
        bit_of[i] = 1u << (word & less);
    }
    for (uint32_t k = 0; k < rows; k++) {
        uint32_t bits = 0;
        LANES for (uint32_t i = 0; i < w->n; i++) bits |= row_of[i] == k ? bit_of[i] : 0;
        words += (uint32_t)__builtin_popcount(bits);
        const uint32_t carry = ones & bits;
        ones ^= bits;
        fours |= twos & carry;
        twos ^= carry;
    }
    uint32_t in = ~0u; // the banks that have the most words so far
    if (in & fours) in &= fours, most |= 4;
    if (in & twos) in &= twos, most |= 2;
    if (in & ones) most |= 1;
    *c = (struct wave_cost){most, (words + less) >> row};
    return true;
}

/** False: the words are too far apart for a bit for each row of a bank. */
INLINE bool count_near_banks(const struct near_wave *w, uint32_t bytes,
                             const struct vm_device_model *m, struct wave_cost *c)
{
    const unsigned shift = m->bank_shift, row = (unsigned)__builtin_ctz(m->banks);
    const uint32_t add = (uint32_t)w->low & ((m->banks << shift) - 1), less = m->banks - 1;
    const uint32_t last = (w->span + add + bytes - 1) >> shift;
    *c = (struct wave_cost){1, 1};
    if (last - (add >> shift) < m->banks) return true; // all words are in different banks
    if (count_row_bits(w, add, bytes, m, c)) return true;
    if (last >> row >= 64) return false;
    uint64_t rows[VM_MAX_BANKS];
    memset(rows, 0, m->banks * sizeof *rows);
    for (uint32_t i = 0; i < w->n; i++) {
        const uint32_t from = w->at[i] + add, end = (from + bytes - 1) >> shift;
        for (uint32_t k = from >> shift; k <= end; k++) rows[k & less] |= 1ull << (k >> row);
    }
    uint32_t most = 0, words = 0;
    for (uint32_t k = 0; k < m->banks; k++) {
        const uint32_t n = (uint32_t)__builtin_popcountll(rows[k]);
        most = most > n ? most : n;
        words += n;
    }
    *c = (struct wave_cost){most, (words + less) >> row};
    return true;
}

/** By closed forms, or from sorted addresses. */
OUTLINE struct wave_cost cost_of(const struct wave *w, const struct vm_device_model *m,
                                 bool is_local)
{
    struct wave_cost c;
    uint64_t bytes;
    if (is_local) {
        count_banks(w, m, &c.n, &c.ideal);
        return c;
    }
    count_lines(w, m->line_shift, &bytes, &c.n);
    c.ideal = (bytes + (1ull << m->line_shift) - 1) >> m->line_shift;
    return c;
}

INLINE struct wave_cost cost_of_near(const struct near_wave *w, const struct lanes *l,
                                     const struct vm_device_model *m, uint32_t active)
{
    struct wave_cost c;
    if (l->is_local ? count_near_banks(w, l->bytes, m, &c)
                    : count_near_lines(w, active, l->bytes, m->line_shift, &c))
        return c;
    uint64_t a[MOST_LANES];
    for (uint32_t i = 0; i < w->n; i++) a[i] = w->low + w->at[i];
    const struct wave sorted = wave_of(a, w->n, l->bytes);
    return cost_of(&sorted, m, l->is_local);
}

/** How many of n lanes are active, n a multiple of VM_PAD; lead: the first of them. */
INLINE uint32_t count_active(const uint8_t *mask, uint32_t n, uint32_t *lead)
{
    uint32_t active = 0;
    for (uint32_t i = n; i;) {
        i -= VM_PAD;
        const uint32_t some = active16(mask + i);
        if (some) *lead = i + (uint32_t)__builtin_ctz(some);
        active += (uint32_t)__builtin_popcount(some);
    }
    return active;
}

/** The smallest and the largest distance from l->lead. */
struct distances {
    int32_t low, high;
};
/**
 * The wave of n lanes from `from` on, of which `lead` is active. Widens `d` to its distances.
 * False: they are too large.
 */
INLINE bool find_near(const struct lanes *l, const uint8_t *mask, uint32_t from, uint32_t lead,
                      struct near_wave *w, struct distances *d)
{
    const uint32_t *const at = l->at + from, zero = l->at[l->lead], fill = at[lead] - zero,
                          n = w->n;
    int32_t least = (int32_t)fill, most = (int32_t)fill;
    mask += from;
    LANES for (uint32_t i = 0; i < n; i++)
    {
        const int32_t v = (int32_t)(mask[i] ? at[i] - zero : fill);
        w->at[i] = (uint32_t)v;
        least = v < least ? v : least;
        most = v > most ? v : most;
    }
    const uint64_t span = (uint64_t)((int64_t)most - least) * l->unit;
    if (least < l->low || most > l->high || span + l->bytes > INT32_MAX / 2) return false;
    const uint32_t less = (uint32_t)least, unit = l->unit;
    LANES for (uint32_t i = 0; i < n; i++) w->at[i] = (w->at[i] - less) * unit;
    w->span = (uint32_t)span;
    w->low = l->first + (uint64_t)((int64_t)least * unit);
    d->low = least < d->low ? least : d->low;
    d->high = most > d->high ? most : d->high;
    return true;
}
#endif
