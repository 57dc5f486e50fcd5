// SPDX-License-Identifier: MIT
#ifndef INTERP_WAVE_FORMS_H
#define INTERP_WAVE_FORMS_H
// What a wave costs whose addresses are known: in closed form if they have a constant distance,
// otherwise by a pass over the sorted addresses. doc/DEVICE-MODEL.md has the definitions.
#include "interp/lanes/lane_loop.h"
#include "interp/vm.h"

#include <string.h>

enum { MOST_LANES = VM_MAX_SIMD_WIDTH };

/** What the active lanes of a wave access: `bytes` each, from the addresses. */
struct wave {
    const uint64_t *a; // [n], ascending, unless is_regular
    uint32_t n, bytes;
    bool is_regular; // the addresses have the constant distance `step`, which is not negative
    uint64_t first, step;
};

/** The i-th address from the lowest. */
static inline uint64_t address(const struct wave *w, uint32_t i)
{
    return w->is_regular ? w->first + i * w->step : w->a[i];
}

/** Does each access lie in one cache line, and do any two lie in different ones? */
static inline bool has_own_lines(const struct wave *w, unsigned line)
{
    const uint64_t low = w->bytes - 1;
    return w->is_regular && !(w->bytes & low) && w->bytes <= 1ull << line &&
           !((w->first | w->step) & low) && w->step >= 1ull << line;
}

/** Different bytes that are accessed, and cache lines of 1 << line bytes that they lie in. */
OUTLINE void count_lines(const struct wave *w, unsigned line, uint64_t *bytes, uint64_t *lines)
{
    const uint64_t last = address(w, w->n - 1) + w->bytes - 1;
    if (w->is_regular && w->step <= 1ull << line) { // no line in between is left out
        *lines = (last >> line) - (w->first >> line) + 1;
        *bytes = w->step < w->bytes ? last - w->first + 1 : (uint64_t)w->n * w->bytes;
        return;
    }
    if (has_own_lines(w, line)) {
        *lines = w->n;
        *bytes = (uint64_t)w->n * w->bytes;
        return;
    }
    uint64_t end = 0, line_end = 0; // of what was counted
    *bytes = *lines = 0;
    for (uint32_t i = 0; i < w->n; i++) {
        const uint64_t from = address(w, i), to = from + w->bytes;
        if (to <= end) continue;
        *bytes += to - (from > end ? from : end);
        const uint64_t first_line = from >> line, next = ((to - 1) >> line) + 1;
        if (next > line_end) *lines += next - (first_line > line_end ? first_line : line_end);
        end = to;
        if (next > line_end) line_end = next;
    }
}

/** Cycles until all banks have given their different words, and the least that so many words take.
 */
OUTLINE void count_banks(const struct wave *w, const struct vm_device_model *m, uint64_t *cycles,
                         uint64_t *ideal)
{
    const uint64_t word_bytes = 1ull << m->bank_shift;
    if (w->is_regular && w->bytes == word_bytes && !((w->first | w->step) & (word_bytes - 1))) {
        const uint64_t step = w->step >> m->bank_shift, n = step ? w->n : 1;
        const uint64_t lowest = step & -step, apart = lowest < m->banks ? lowest : m->banks,
                       used = step ? m->banks / apart : m->banks; // banks that have some
        *cycles = (n + used - 1) / used;
        *ideal = (n + m->banks - 1) / m->banks;
        return;
    }
    uint32_t in_bank[VM_MAX_BANKS] = {0}, most = 0, words = 0;
    uint64_t next = 0; // words before it were counted
    for (uint32_t i = 0; i < w->n; i++) {
        const uint64_t from = address(w, i) >> m->bank_shift,
                       to = ((address(w, i) + w->bytes - 1) >> m->bank_shift) + 1;
        for (uint64_t word = from > next ? from : next; word < to; word++) {
            const uint32_t n = ++in_bank[word & (m->banks - 1)];
            if (most < n) most = n;
            words++;
        }
        if (next < to) next = to;
    }
    *cycles = most;
    *ideal = (words + m->banks - 1) / m->banks;
}

/** Natural merge sort: rows of a grid, as most waves have, are merged at once. */
OUTLINE void sort(uint64_t *a, uint32_t n)
{
    uint64_t other[MOST_LANES], *from = a, *to = other;
    for (;;) {
        uint32_t runs = 0;
        for (uint32_t at = 0; at < n; runs++) {
            uint32_t x = at, mid = at + 1, end;
            while (mid < n && from[mid - 1] <= from[mid]) mid++;
            for (end = mid < n ? mid + 1 : n; end < n && from[end - 1] <= from[end];) end++;
            uint32_t y = mid;
            for (uint32_t k = at; k < end; k++)
                to[k] = y == end || (x < mid && from[x] <= from[y]) ? from[x++] : from[y++];
            at = end;
        }
        uint64_t *const sorted = to;
        to = from;
        from = sorted;
        if (runs <= 1) break;
    }
    if (from != a) memcpy(a, from, n * sizeof *a);
}

/** Sorts the addresses, unless they have a constant distance. */
OUTLINE struct wave wave_of(uint64_t *a, uint32_t n, uint32_t bytes)
{
    const uint64_t step = n > 1 ? a[1] - a[0] : 0;
    uint64_t differ = 0;
    for (uint32_t i = 1; i < n; i++) differ |= (a[i] - a[i - 1]) ^ step;
    if (differ) sort(a, n);
    const bool falls = !differ && step >> 63;
    return (struct wave){.a = a,
                         .n = n,
                         .bytes = bytes,
                         .is_regular = !differ,
                         .step = falls ? -step : step,
                         .first = falls ? a[n - 1] : a[0]};
}
#endif
