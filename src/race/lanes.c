// SPDX-License-Identifier: MIT
#include "race/lanes.h"

#if defined __AVX512VL__ && defined __AVX512BW__ && defined __AVX512DQ__
#include <immintrin.h>
#define WITH_AVX512
#endif

typedef uint16_t __attribute__((aligned(1), may_alias)) uint16_u;
typedef uint32_t __attribute__((aligned(1), may_alias)) uint32_u;
typedef uint64_t __attribute__((aligned(1), may_alias)) uint64_u;

enum {
    BATCH = 256,   // cells looked at together where they are scattered
    ROW_MIN = 8,   // shorter rows are not worth a call
    CONSTANT = 31, // as a shift: all cells are of one work-item
};

struct gang {
    struct race_worker *w;
    struct race_space *sp;
    struct race_shadow *s;
    const struct race_op *op;
    uint64_t to_object;
};

/** Lanes [lane, lane + n) one after the other; `masked`: those of them that are active. */
static void by_the_rules(struct gang *g, uint32_t lane, uint32_t n, bool masked)
{
    struct race_op part = *g->op;
    part.first_item += lane;
    part.n = n;
    part.mask = masked && part.mask ? part.mask + lane : NULL;
    if (part.offsets) part.offsets += lane;
    if (part.elements) part.elements += lane;
    if (part.shape == RACE_CONTIGUOUS) part.offset0 += (uint64_t)lane * part.size;
    if (part.values) part.values = (const uint8_t *)part.values + (size_t)lane * part.size;
    exact_access(g->w, g->sp, g->s, &part, g->to_object);
}

/** Which elements the lanes share. */
static void work_out(struct race_pattern *p)
{
    enum { SLOTS = 2 * PATTERN_LANES };
    uint16_t slot[SLOTS] = {0}; // index in the lists + 1
    p->ncells = 0;
    p->distinct = true;
    p->far = false;
    for (uint32_t i = 0; i < p->n; i++) {
        const int32_t cell = (int32_t)p->lane[i];
        uint32_t k = p->lane[i] * 2654435761u >> 23;
        while (slot[k] && p->cell[slot[k] - 1] != cell) k = (k + 1) % SLOTS;
        if (slot[k]) {
            p->two[slot[k] - 1] = i;
            p->distinct = false;
            continue;
        }
        p->far |= cell > 1 << 27 || cell < -(1 << 27);
        p->cell[p->ncells] = cell;
        p->one[p->ncells] = p->two[p->ncells] = i;
        slot[k] = (uint16_t)++p->ncells;
    }
    p->ready = true;
}

/** The pattern of the lanes, when it has been seen before. */
static const struct race_pattern *pattern_of(struct race_worker *w, const uint32_t *e, uint32_t n)
{
    if (!w->patterns) w->patterns = mem_alloc(PATTERNS * sizeof *w->patterns);
    const uint32_t e0 = e[0];
    const uint32_t key = (e[1] - e0) * 2654435761u + (e[n / 2] - e0) * 2246822519u + (e[n - 1] - e0) * 3266489917u + n;
    struct race_pattern *p = &w->patterns[(key ^ key >> 15) * 2654435761u >> 26];
    uint32_t differ = p->n ^ n;
    if (!differ)
        for (uint32_t i = 0; i < n; i++) differ |= (e[i] - e0) ^ p->lane[i];
    if (differ) {
        p->n = n;
        p->ready = false;
        for (uint32_t i = 0; i < n; i++) p->lane[i] = e[i] - e0;
        return NULL;
    }
    if (!p->ready) work_out(p);
    return p;
}

#define VIEW(T)                                                                                    \
    {                                                                                              \
        T past, live, fence, current, me, item, same, mg, ma;                                      \
    }
struct view32 VIEW(uint32_t);
struct view64 VIEW(uint64_t);

#define BAD(condition) ((condition) ? ~(T)0 : (T)0) // a comparison is an int: too narrow to vectorise with T

/** Vectors of stamps, `VN` of them; their cells are signed 32-bit numbers. */
#ifdef WITH_AVX512
typedef __mmask16 mask32;
typedef __mmask8 mask64;
static inline __m512i cells32(const int32_t *p, unsigned by) { return _mm512_slli_epi32(_mm512_loadu_si512(p), by); }
static inline __m256i cells64(const int32_t *p, unsigned by) { return _mm256_slli_epi32(_mm256_loadu_si256((const __m256i *)p), by); }
static inline __m512i widen32(const uint32_t *p) { return _mm512_loadu_si512(p); }
static inline __m512i widen64(const uint32_t *p) { return _mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *)p)); }
#define get32(m, x, at)    _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), m, at, x, 4)
#define get64(m, x, at)    _mm512_mask_i32gather_epi64(_mm512_setzero_si512(), m, at, x, 8)
#define put32(m, x, at, v) _mm512_mask_i32scatter_epi32(x, m, at, v, 4)
#define put64(m, x, at, v) _mm512_mask_i32scatter_epi64(x, m, at, v, 8)
#define all32(v)           _mm512_set1_epi32((int)(v))
#define all64(v)           _mm512_set1_epi64((long long)(v))
#define add32              _mm512_add_epi32
#define add64              _mm512_add_epi64
#define ge32               _mm512_cmpge_epu32_mask
#define ge64               _mm512_cmpge_epu64_mask
#define ne32               _mm512_cmpneq_epi32_mask
#define ne64               _mm512_cmpneq_epi64_mask
#define pick32             _mm512_mask_blend_epi32
#define pick64             _mm512_mask_blend_epi64
/** Lanes i .. i + VN - 1 of those that take part. */
static inline mask32 active32(const uint8_t *mask, uint32_t i, uint32_t n)
{
    const mask32 in = n - i >= 16 ? 0xffff : (mask32)((1u << (n - i)) - 1);
    return mask ? _mm_mask_test_epi8_mask(in, _mm_maskz_loadu_epi8(in, mask + i), _mm_set1_epi8(-1)) : in;
}
static inline mask64 active64(const uint8_t *mask, uint32_t i, uint32_t n)
{
    const mask64 in = n - i >= 8 ? 0xff : (mask64)((1u << (n - i)) - 1);
    return mask ? (mask64)_mm_mask_test_epi8_mask(in, _mm_maskz_loadu_epi8(in, mask + i), _mm_set1_epi8(-1)) : in;
}
#endif

#define T    uint32_t
#define VN   16
#define N(x) x##32
#include "race/pattern.inc"
#include "race/lanes.inc"
#undef T
#undef VN
#undef N
#define T    uint64_t
#define VN   8
#define N(x) x##64
#include "race/pattern.inc"
#include "race/lanes.inc"
#undef T
#undef VN
#undef N

/** Bits that keep the accesses from being whole cells of a larger size: offsets and size or'ed together. */
static uint64_t alignment_bits(const struct race_op *op, uint64_t to_object)
{
    uint64_t bits = op->size;
    if (op->shape == RACE_ELEMENTS) return bits | to_object | 1ull << op->element_shift;
    if (op->shape != RACE_INDEXED) return bits | (op->offset0 + to_object);
    if (!op->mask) {
        for (uint32_t i = 0; i < op->n; i++) bits |= op->offsets[i] + to_object;
    } else {
        for (uint32_t i = 0; i < op->n; i++) bits |= op->mask[i] ? op->offsets[i] + to_object : 0;
    }
    return bits;
}

static bool all_active(const uint8_t *mask, uint32_t n)
{
    uint8_t all = 0xff;
    for (uint32_t i = 0; i < n; i++) all &= mask[i];
    return all == 0xff;
}

#define NAME2(level) lanes_access_##level
#define NAME(level)  NAME2(level)
void NAME(LANES_LEVEL)(struct race_worker *w, struct race_space *sp, struct race_shadow *s, const struct race_op *op,
                       uint64_t to_object)
{
    struct race_op whole;
    if (op->mask && all_active(op->mask, op->n)) {
        whole = *op;
        whole.mask = NULL;
        op = &whole;
    }
    struct gang g = {w, sp, s, op, to_object};
    uint64_t bits = alignment_bits(op, to_object);
    bool coarse = bits & ((1u << s->granule_shift) - 1);
    enum race_plane first = op->is_atomic ? P_AW1 : op->is_write ? P_W : P_R1;
    enum race_plane last = op->is_atomic ? P_AL2 : op->is_write ? P_W : P_R2;
    if ((coarse && !shadow_refine(s, __builtin_ctzll(bits))) || !shadow_need(s, first, last)) {
        w->cut = true;
        return;
    }
    if (coarse) same_refined(w, s);
    if (w->launch->c.exact || (op->is_write && !op->is_atomic && !op->values))
        exact_access(w, sp, s, op, to_object);
    else if (s->wide)
        access64(&g);
    else
        access32(&g);
}
