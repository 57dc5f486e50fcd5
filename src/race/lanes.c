// SPDX-License-Identifier: MIT
#include "race/lanes.h"

#if defined __AVX512VL__ && defined __AVX512BW__ && defined __AVX512DQ__
#include <immintrin.h>
#define WITH_AVX512
#elif defined __AVX2__
#include <immintrin.h>
#define WITH_AVX2
#endif

// The lanes of the loop do not depend on each other.
#ifdef __clang__
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

enum {
    STRIP = 256,                // scattered cells checked at once (strip-mining)
    PATTERN_MIN = 8,            // fewer lanes do not pay off
    WIDE_LANE = 8,              // lanes with this many cells are checked one by one
    CONSTANT = 31,              // as a shift: all cells are of one work-item
    MOST_CELLS = INT32_MAX / 2, // of a shadow with patterns
};

struct gang {
    struct race_worker *w;
    struct race_space *sp;
    struct race_shadow *s;
    const struct race_op *op;
    uint64_t to_object;
    bool still; // the last part changed nothing and reported nothing
};

/** May the plane have a stamp that an access of this kind races with? */
static bool may_clash(const struct gang *g, int plane)
{
    const bool writes = g->op->is_write, atomic = g->op->is_atomic;
    const bool clash = plane == P_W || (plane <= P_R2    ? writes
                                        : plane <= P_AW2 ? !atomic
                                                         : writes && !atomic);
    return clash && g->s->plane[plane] && g->s->newest[plane] >= g->sp->fence;
}

/**
 * Raises the newest stamp of plane `first`, which got stamps of this access. `moved`: the next
 * plane got stamps as well, displaced ones or (`second`) new ones.
 */
static void update_newest(const struct gang *g, int first, bool moved, bool second)
{
    uint64_t *const newest = g->s->newest, current = g->sp->current;
    const uint64_t put = second ? current : newest[first]; // no later
    if (moved && newest[first + 1] < put) newest[first + 1] = put;
    newest[first] = current;
}

static bool differs_at(const void *a, const void *b, unsigned shift)
{
    switch (shift) {
    case 0: return *(const uint8_t *)a != *(const uint8_t *)b;
    case 1: return *(const uint16_u *)a != *(const uint16_u *)b;
    case 2: return *(const uint32_u *)a != *(const uint32_u *)b;
    default: return *(const uint64_u *)a != *(const uint64_u *)b;
    }
}

/** The access of lanes [lane, lane + n) that are in the mask (NULL: all). */
static struct race_op part_of(const struct race_op *op, uint32_t lane, uint32_t n,
                              const uint8_t *mask)
{
    struct race_op part = *op;
    part.first_item += lane;
    part.n = n;
    part.mask = mask;
    if (part.offsets) part.offsets += lane;
    if (part.elements) part.elements += lane;
    part.layout_lane += lane;
    if (part.shape == RACE_CONTIGUOUS) part.offset0 += (uint64_t)lane * part.size;
    if (part.values) part.values = (const uint8_t *)part.values + (size_t)lane * part.size;
    return part;
}

/** Checks those lanes one by one. */
static void masked_by_the_rules(struct gang *g, uint32_t lane, uint32_t n, const uint8_t *mask)
{
    const struct race_op part = part_of(g->op, lane, n, mask);
    exact_access(g->w, g->sp, g->s, &part, g->to_object);
}

/** The same; `masked`: only the active ones. */
static void by_the_rules(struct gang *g, uint32_t lane, uint32_t n, bool masked)
{
    masked_by_the_rules(g, lane, n, masked && g->op->mask ? g->op->mask + lane : NULL);
}

#include "race/find.inc"

/**
 * If groups run at once, a barrier orders stamps of the same group below `ordered`. Otherwise
 * `magic` is 0, and no stamp below `ordered` counts.
 */
#define VIEW(T)                                                                                    \
    {                                                                                              \
        T past, live, fence, passed, current, me, item, same, mg, ma, ordered, magic;              \
    }
struct view32 VIEW(uint32_t);
struct view64 VIEW(uint64_t);

#include "race/rows.inc"

#define BAD(condition)                                                                             \
    ((condition) ? ~(T)0 : (T)0) // a comparison is an int: too narrow to vectorize with T
/**
 * Is stamp x of another work-item than `who`, and not ordered before now? If `magic` is not 0, both
 * conditions must hold.
 */
#define CLASHES(x, who, v)      (((x) >= (v)->fence) & (((x) & (v)->same) != (who)))
#define GROUP_OF(x, v)          ((((x) & (v)->item) * (v)->magic) >> MAGIC_SHIFT)
#define IS_UNORDERED(x, who, v) (((x) >= (v)->ordered) | (GROUP_OF(x, v) != GROUP_OF(who, v)))

/**
 * Slots of a pattern's row, as many as a register holds: stamps, lane numbers, and all ones or 0.
 * (The compiler takes vectors that are wider than registers to pieces.)
 */
#if defined __AVX512F__
enum { VECTOR = 64 };
#elif defined __AVX2__
enum { VECTOR = 32 };
#else
enum { VECTOR = 16 };
#endif
typedef uint32_t vec32 __attribute__((vector_size(VECTOR), aligned(4), may_alias));
typedef uint64_t vec64 __attribute__((vector_size(VECTOR), aligned(8), may_alias));
typedef int32_t signed32 __attribute__((vector_size(VECTOR), aligned(4), may_alias));
typedef int64_t signed64 __attribute__((vector_size(VECTOR), aligned(8), may_alias));
typedef uint32_t few32
    __attribute__((vector_size(VECTOR), aligned(4), may_alias)); // as many as there are stamps
typedef uint32_t few64 __attribute__((vector_size(VECTOR / 2), aligned(4), may_alias));
typedef int32_t act32 __attribute__((vector_size(VECTOR), aligned(4), may_alias));
typedef int32_t act64 __attribute__((vector_size(VECTOR / 2), aligned(4), may_alias));
static inline vec32 gather32(const uint32_t *x, const int32_t *at)
{
#ifdef WITH_AVX512
    return (vec32)_mm512_i32gather_epi32(_mm512_loadu_si512(at), x, 4);
#else
    vec32 to = {0};
    for (unsigned k = 0; k < VECTOR / 4; k++) to[k] = x[at[k]];
    return to;
#endif
}
static inline vec64 gather64(const uint64_t *x, const int32_t *at)
{
#ifdef WITH_AVX512
    return (vec64)_mm512_i32gather_epi64(_mm256_loadu_si256((const __m256i *)at), x, 8);
#else
    vec64 to = {0};
    for (unsigned k = 0; k < VECTOR / 8; k++) to[k] = x[at[k]];
    return to;
#endif
}

/**
 * The values that lanes store in cells of 4 bytes, from slot k of the row on; unspecified for cells
 * without a lane.
 */
static inline vec32 stored(const uint32_t *values, const struct race_row *r, unsigned k)
{
#ifdef WITH_AVX512
    if (r->base >= 0) {
        const __m512i at =
            _mm512_sub_epi32(_mm512_loadu_si512(r->from), _mm512_set1_epi32(r->base));
        return (vec32)_mm512_permutexvar_epi32(at, _mm512_loadu_si512(values + r->base));
    }
#endif
    return gather32(values, (const int32_t *)r->from + k);
}

/** The last values of the cells from the first lane's on, and the lanes' new ones. */
struct stores {
    uint8_t *last;
    const uint8_t *values;
    unsigned shift; // of the size of a cell
};

/**
 * Stores each lane's value as the last value of its cell (`all`: every slot has an active lane).
 * differ[slot]: all ones where it changed. Each cell has one lane.
 */
static void row_values(const struct stores *s, const struct race_row *r, const int32_t *act,
                       bool all, int32_t *differ)
{
    uint8_t *const last = s->last;
    const uint8_t *const values = s->values;
#define CASE(k, V)                                                                                 \
    case k: {                                                                                      \
        V *const x = (V *)last, *const row = x + r->at[0];                                         \
        const V *const now_row = (const V *)values + r->from[0];                                   \
        if (r->straight && all) {                                                                  \
            for (uint32_t i = 0; i < PATTERN_ROW; i++) differ[i] = row[i] != now_row[i] ? -1 : 0;  \
            memcpy(row, now_row, PATTERN_ROW * sizeof(V));                                         \
            break;                                                                                 \
        }                                                                                          \
        for (uint32_t i = 0; i < PATTERN_ROW; i++) {                                               \
            const V now = ((const V *)values)[r->from[i]];                                         \
            differ[i] = act[i] && x[r->at[i]] != now ? -1 : 0;                                     \
            if (act[i]) x[r->at[i]] = now;                                                         \
        }                                                                                          \
        break;                                                                                     \
    }
    switch (s->shift) {
        CASE(0, uint8_t)
        CASE(1, uint16_u)
        CASE(3, uint64_u)
    default:
        for (unsigned k = 0; k < PATTERN_ROW; k += VECTOR / 4) {
            uint32_t *const x = (uint32_t *)last;
            const vec32 now = stored((const uint32_t *)values, r, k),
                        in = *(const vec32 *)(act + k);
            const vec32 was = r->dense ? *(const vec32 *)(x + r->at[0] + k)
                                       : gather32(x, r->at + k);
            const vec32 last_now = (in & now) | (~in & was);
            *(vec32 *)(differ + k) = (vec32)(was != now) & in;
            if (r->dense) *(vec32 *)(x + r->at[0] + k) = last_now;
            for (uint32_t i = k; !r->dense && i < r->n && i < k + VECTOR / 4; i++)
                x[r->at[i]] = last_now[i - k];
        }
    }
#undef CASE
}

/** The same if no caller needs `differ`. */
static void put_row_values(const struct stores *s, const struct race_row *r, const int32_t *act,
                           bool all)
{
    uint8_t *const last = s->last;
    const uint8_t *const values = s->values;
    const unsigned shift = s->shift;
    if (r->straight && all) {
        memcpy(last + (int64_t)r->at[0] * (1 << shift), values + ((size_t)r->from[0] << shift),
               (size_t)PATTERN_ROW << shift);
        return;
    }
#define CASE(k, V)                                                                                 \
    case k: {                                                                                      \
        V *const x = (V *)last;                                                                    \
        const V *const now = (const V *)values;                                                    \
        if (r->straight) {                                                                         \
            V *const row = x + r->at[0];                                                           \
            const V *const now_row = now + r->from[0];                                             \
            for (uint32_t i = 0; i < PATTERN_ROW; i++) row[i] = act[i] ? now_row[i] : row[i];      \
            break;                                                                                 \
        }                                                                                          \
        for (uint32_t i = 0; all && i < PATTERN_ROW; i++) x[r->at[i]] = now[r->from[i]];           \
        for (uint32_t i = 0; !all && i < PATTERN_ROW; i++)                                         \
            if (act[i]) x[r->at[i]] = now[r->from[i]];                                             \
        break;                                                                                     \
    }
    switch (shift) {
        CASE(0, uint8_t)
        CASE(1, uint16_u)
        CASE(2, uint32_u)
        CASE(3, uint64_u)
    }
#undef CASE
}

/** What stamps of readers or atomics changed. */
struct noted {
    bool second;  // the second plane got a stamp of this interval
    bool changed; // the second plane changed
    bool still;   // nothing changed
};

#define T    uint32_t
#define N(x) x##32
#include "race/pattern.inc"
#include "race/lanes.inc"
#undef T
#undef N
#define T    uint64_t
#define N(x) x##64
#include "race/pattern.inc"
#include "race/lanes.inc"
#undef T
#undef N

/**
 * Offsets and size or'ed together: the trailing zeros give the largest cells that the accesses
 * fill.
 */
static uint64_t alignment_bits(const struct race_op *op, uint64_t to_object)
{
    uint64_t bits = op->size;
    if (op->shape == RACE_ELEMENTS) return bits | to_object | 1ull << op->element_shift;
    if (op->shape != RACE_INDEXED) return bits | (op->offset0 + to_object);
    if (!op->mask) {
        for (uint32_t i = 0; i < op->n; i++) bits |= op->offsets[i] + to_object;
    } else {
        for (uint32_t i = 0; i < op->n; i++)
            bits |= (op->offsets[i] + to_object) & (uint64_t)(int64_t)(int8_t)op->mask[i];
    }
    return bits;
}

static bool all_active(const uint8_t *mask, uint32_t n)
{
    uint8_t all = 0xff;
    for (uint32_t i = 0; i < n; i++) all &= mask[i];
    return all == 0xff;
}

/**
 * Are lanes with individual offsets consecutive nevertheless? Copies of structs are.
 */
static bool is_contiguous(const struct race_op *op)
{
    const uint32_t n = op->n, size = op->size;
    uint64_t differ = 0;
    if (op->mask || n < 2 || op->layout) return false; // a named layout was tested before
    if (op->shape == RACE_INDEXED) {
        const uint64_t *const o = op->offsets, first = o[0];
        if (o[1] - first != size || o[n - 1] - first != (uint64_t)(n - 1) * size) return false;
        for (uint32_t i = 0; i < n; i++) differ |= o[i] ^ (first + (uint64_t)i * size);
    } else if (op->shape == RACE_ELEMENTS) {
        const uint32_t *const e = op->elements, first = e[0], step = size >> op->element_shift;
        if (e[1] - first != step || e[n - 1] - first != (n - 1) * step ||
            step << op->element_shift != size)
            return false;
        for (uint32_t i = 0; i < n; i++) differ |= e[i] ^ (first + i * step);
    }
    return op->shape >= RACE_INDEXED && !differ;
}

#include "race/interval.inc"

/** Checks the access in the shadow, without the log. */
static void direct(struct gang *g)
{
    const struct race_op *op = g->op;
    g->still = false;
    if (!shadow_need(g->s, shadow_first_plane(op), shadow_last_plane(op))) g->w->cut = true;
    else if (g->w->launch->c.exact || (op->is_write && !op->is_atomic && !op->values) ||
             op->size >> g->s->granularity_shift > STRIP)
        exact_access(g->w, g->sp, g->s, op, g->to_object);
    else if (g->s->wide) access64(g);
    else access32(g);
}

#define NAME2(name, level) lanes_##name##_##level
#define NAME(name, level)  NAME2(name, level)
void NAME(spill, LANES_LEVEL)(struct race_worker *w, struct race_shadow *s)
{
    struct race_log *log = &w->logs[s->serial / 2];
    struct gang g = {.w = w, .sp = &w->local, .s = s};
    if (log->n) spill(&g, log);
}

void NAME(access, LANES_LEVEL)(struct race_worker *w, struct race_space *sp, struct race_shadow *s,
                               const struct race_op *op, uint64_t to_object)
{
    struct race_op other;
    if (op->mask && all_active(op->mask, op->n)) {
        other = *op;
        other.mask = NULL;
        op = &other;
    }
    if (is_contiguous(op)) {
        const uint64_t first = race_offset_of(op, 0);
        other = *op;
        other.shape = RACE_CONTIGUOUS;
        other.offset0 = first;
        op = &other;
    }
    struct gang g = {.w = w, .sp = sp, .s = s, .op = op, .to_object = to_object};
    if (!race_fit(w, s, alignment_bits(op, to_object))) return;
    const uint32_t most = op->shape < RACE_INDEXED ? op->n : PATTERN_LANES; // the most that a
                                                                            // pattern has
    if (s->state || w->launch->c.exact) {
        direct(&g);
        return;
    }
    if (op->n <= most) {
        if (!log_takes(&g)) direct(&g);
        return;
    }
    for (uint32_t lane = 0; lane < op->n; lane += most) {
        const struct race_op part = part_of(op, lane, op->n - lane < most ? op->n - lane : most,
                                            op->mask ? op->mask + lane : NULL);
        g.op = &part;
        if (!log_takes(&g)) direct(&g);
    }
}
