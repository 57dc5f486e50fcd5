// SPDX-License-Identifier: MIT
// Copies and fills of whole objects (structs, initialized arrays) for a whole gang, word by word.
// Compiled once for each instruction set. The two sides are checked like accesses: the range of
// every lane as a whole, before anything is read or written. A copy that fails the check goes lane
// by lane (lane_access.c). Sizes are the same for all lanes. Offsets are multiples of 4, and so are
// sizes, except in private memory, whose objects end with a whole word. If the write is watched for
// races, the bytes fit g->values. A copy of definedness is the same copy of the shadows.
#include "interp/core/access_watch.h"
#include "interp/core/gang.h"
#include "interp/core/lane_access.h"
#include "interp/core/memory_object.h"
#include "interp/decode/code.h"
#include "interp/definedness/undef.h"
#include "interp/definedness/written_sets.h"
#include "interp/lanes/access_plan.h"

enum {
    PACKED_BYTES = 8 * VM_MAX_COMPS, // of a lane
    MOST_WATCHED = 4 * UINT8_MAX,    // the most that struct vm_access can express
    MOST_BYTES = 1 << 20,
};

/** The location of the lanes' ranges. */
struct side {
    struct vm_access x;
    const struct vm_object *o;
    char *base;        // one location for all lanes, or the base of the elements
    uint32_t *rows;    // private memory at one offset: the first row
    const uint32_t *e; // [lane]: element of 4 bytes; or NULL
    bool private;      // elements are in private memory
    uint64_t at;       // offset of the one location
    uint32_t size;
};

/** The side that the copy or fill writes, or the one that it reads. */
INLINE bool find_side(struct vm_gang *g, const struct vm_insn *ip, uint64_t size, bool write,
                      struct side *s)
{
    const struct vm_operands *const q = ip->p;
    const uint32_t site = write ? ip->src->site : ip->src->ext, base = q->off[!write];
    const bool varying = q->varying & (write ? 1 : 2);
    const struct bc_mem *m = &g->code->module->sites[site];
    const int64_t far = 1ll << 46;
    *s = (struct side){.x = {.m = m,
                             .site = site,
                             .bytes = (uint32_t)size,
                             .align = 4,
                             .elog = 2,
                             .ncomp = (uint8_t)(size / 4),
                             .index = BC_IDX_NONE,
                             .shift = -1,
                             .regular = m->disp < far && m->disp > -far,
                             .base_varying = varying,
                             .disp = m->disp,
                             .base_off = base,
                             .spaces = vm_spaces(m->space),
                             .src = ip->src}};
    s->size = (uint32_t)size;
    uint32_t first;
    int64_t off;
    if (!varying) {
        if (private_rows(g, &s->x, &first)) {
            s->rows = (uint32_t *)g->private_mem + (size_t)first * g->code->width;
            s->o = vm_object_of(g, *(const uint64_t *)(g->r + base));
            return true;
        }
        if (!uniform_place(g, &s->x, write, &s->o, &off)) return false;
        s->at = (uint64_t)off;
        s->base = s->o->base + off;
        return true;
    }
    struct plan pl;
    if (!plan_varying_base(g, &s->x, write, &pl)) return false;
    plan_copies(g, &s->x, &pl);
    s->o = pl.o;
    s->base = pl.base;
    s->e = pl.idx;
    s->private = pl.o->kind == VM_OBJ_PRIVATE;
    return s->private || size % 4 == 0;
}

static void watch_side(struct vm_gang *g, const struct side *s, bool write)
{
    if (!is_watched(s->o)) return;
    if (!s->e) {
        vm_watch(g, &s->x, s->o, write, RACE_UNIFORM, s->at);
        return;
    }
    const struct plan pl = {s->o, s->base, s->e, 0, 1, false, NULL};
    watch_plan(g, &s->x, &pl, write, active_lanes(g));
}

/** Word k of the active lanes' ranges, to[i * step]. */
INLINE void get_words(struct vm_gang *g, const struct side *s, uint32_t k, uint32_t *to,
                      uint32_t step)
{
    const uint32_t n = g->n & ~(VM_PAD - 1u), w = g->code->width;
    const uint8_t *const mask = g->mask;
    if (s->rows) {
        const uint32_t *const row = s->rows + (size_t)k * w;
        LANES for (uint32_t i = 0; i < n; i++) to[i * step] = row[i];
    } else if (!s->e) {
        uint32_t word = 0;
        memcpy(&word, s->base + 4 * (size_t)k, s->size - 4 * k < 4 ? s->size - 4 * k : 4);
        for (uint32_t i = 0; i < n; i++) to[i * step] = word;
    } else if (s->private) {
        const uint32_t *const words = (const uint32_t *)s->base;
        for (uint32_t i = 0; i < n; i++)
            if (mask[i]) to[i * step] = words[(size_t)(s->e[i] + k) * w + i];
    } else if (g->nactive == n) {
        const uint32_t *const words = (const uint32_t *)s->base + k, *const e = s->e;
        if (step == 1) {
            LANES for (uint32_t i = 0; i < n; i++)
                to[i] = words[(int32_t)e[i]]; // (elements are less than 2^31)
        } else {
            for (uint32_t i = 0; i < n; i++) to[i * step] = words[e[i]];
        }
    } else {
        const uint32_t *const words = (const uint32_t *)s->base;
        for (uint32_t i = 0; i < n; i++)
            if (mask[i]) to[i * step] = words[(size_t)s->e[i] + k];
    }
}

INLINE void put_words(struct vm_gang *g, const struct side *s, uint32_t k, const uint32_t *from,
                      uint32_t step)
{
    const uint32_t n = g->n & ~(VM_PAD - 1u), w = g->code->width, left = s->size - 4 * k;
    const uint32_t keep = left < 4 ? ~0u << 8 * left : 0; // bytes after the end
    const uint8_t *const mask = g->mask;
    uint32_t *const words = (uint32_t *)s->base;
    if (s->rows) {
        uint32_t *const row = s->rows + (size_t)k * w;
        LANES for (uint32_t i = 0; i < n; i++)
            row[i] = mask[i] ? (row[i] & keep) | (from[i * step] & ~keep) : row[i];
    } else if (s->private) {
        for (uint32_t i = 0; i < n; i++) {
            uint32_t *const to = &words[(size_t)(s->e[i] + k) * w + i];
            if (mask[i]) *to = (*to & keep) | (from[i * step] & ~keep);
        }
    } else {
        for (uint32_t i = 0; i < n; i++)
            if (mask[i]) words[(size_t)s->e[i] + k] = from[i * step];
    }
}

/** Are the ranges of all lanes consecutive? */
static bool is_whole(const struct vm_gang *g, const struct side *s, uint32_t words)
{
    const uint32_t n = g->n & ~(VM_PAD - 1u);
    uint32_t differ = 0;
    if (!s->e || s->private || g->nactive != n || s->e[n - 1] - s->e[0] != (n - 1) * words)
        return false;
    LANES for (uint32_t i = 0; i < n; i++) differ |= s->e[i] ^ (s->e[0] + i * words);
    return !differ;
}

/**
 * The common size of the lanes' copies or fills; 0: not common, or not handled here.
 */
INLINE uint64_t common_size(const struct vm_gang *g, const struct vm_operands *q)
{
    const uint64_t size = *(const uint64_t *)(g->r + q->off[2]);
    return q->varying & 4 || size > MOST_BYTES || vm_asks_for_change(g) ? 0 : size;
}

static bool fits(const struct side *to, uint64_t size)
{
    if (!to->rows && !to->e) return false; // all lanes at one location
    return !is_watched(to->o) || size <= PACKED_BYTES;
}

vm_handler CAT(vm_copy_bytes_, VM_ISA), CAT(vm_set_bytes_, VM_ISA);
const struct vm_insn *CAT(vm_copy_bytes_, VM_ISA)(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_operands *q = ip->p;
    const uint64_t size = common_size(g, q);
    const uint32_t n = g->n & ~(VM_PAD - 1u), words = (uint32_t)(size + 3) / 4;
    struct side to, from;
    if (!size || !find_side(g, ip, size, true, &to) || !fits(&to, size)) return vm_op_copy(g, ip);
    if (to.e) to.e = memcpy(g->spread, to.e, n * sizeof *to.e); // the other side reuses the scratch
    if (!find_side(g, ip, size, false, &from) || from.o == to.o ||
        (size > MOST_WATCHED && is_watched(from.o)))
        return vm_op_copy(g, ip);
    uint32_t *const values = (uint32_t *)g->values;
    watch_side(g, &from, false);
    if (is_watched(to.o)) {
        for (uint32_t k = 0; k < words; k++) get_words(g, &from, k, values + k, words);
        to.x.packed = true;
        watch_side(g, &to, true);
        if (is_whole(g, &to, words)) {
            memcpy(to.base + 4 * (size_t)to.e[0], values, (size_t)n * words * 4);
            return ip + 1;
        }
        for (uint32_t k = 0; k < words; k++) put_words(g, &to, k, values + k, words);
        return ip + 1;
    }
    for (uint32_t k = 0; k < words; k++) {
        get_words(g, &from, k, values, 1);
        put_words(g, &to, k, values, 1);
    }
    return ip + 1;
}

const struct vm_insn *CAT(vm_set_bytes_, VM_ISA)(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_operands *q = ip->p;
    const uint64_t size = common_size(g, q);
    const uint32_t n = g->n & ~(VM_PAD - 1u), words = (uint32_t)(size + 3) / 4;
    struct side to;
    if (!size || !find_side(g, ip, size, true, &to) || !fits(&to, size)) return vm_op_set(g, ip);
    const bool watched = is_watched(to.o);
    const uint32_t step = watched ? words : 1;
    uint32_t *const values = (uint32_t *)g->values;
    for (uint32_t i = 0; i < n; i++) {
        const uint8_t byte = *(const uint8_t *)(g->r + q->off[1] + (q->varying & 2 ? i : 0));
        for (uint32_t k = 0; k < step; k++) values[i * step + k] = byte * 0x01010101u;
    }
    to.x.packed = watched;
    watch_side(g, &to, true);
    for (uint32_t k = 0; k < words; k++) put_words(g, &to, k, values, step);
    return ip + 1;
}

// ---- definedness
/** The same range of the object's shadow. */
INLINE struct side shadow_of(const struct side *s)
{
    struct side t = *s;
    if (s->rows) t.rows = (uint32_t *)s->o->shadow->bytes + (s->rows - (uint32_t *)s->o->base);
    else t.base = (char *)s->o->shadow->bytes + (s->e ? 0 : s->at);
    return t;
}

/**
 * The number of bytes that are not 0 (VM_WRITTEN) among the first `bytes` of the active lanes'
 * words.
 */
INLINE uint32_t count_undefined(const struct vm_gang *g, const uint32_t *words, uint32_t bytes)
{
    const uint32_t n = g->n & ~(VM_PAD - 1u), which = bytes < 4 ? ~(~0u << 8 * bytes) : ~0u;
    const uint8_t *const mask = ALIGNED(g->mask);
    uint32_t count = 0;
    LANES for (uint32_t i = 0; i < n; i++)
    {
        uint32_t v = words[i] & which & (0 - (uint32_t)(mask[i] & 1));
        v |= v >> 4;
        v |= v >> 2;
        v |= v >> 1;
        count += (v & 0x01010101) * 0x01010101 >> 24;
    }
    return count;
}

/** In the copy, bytes that were never written get that object as their origin. */
static void name_source(struct vm_gang *g, const struct vm_object *from, uint32_t *words)
{
    const uint8_t mark = vm_undef_mark_of(
        g, vm_origin_pack((struct vm_origin){.object = (uint32_t)(from - g->objects), .size = 1}));
    const uint32_t n = 4 * (g->n & ~(VM_PAD - 1u));
    uint8_t *const bytes = (uint8_t *)words;
    LANES for (uint32_t i = 0; i < n; i++) bytes[i] = bytes[i] == VM_NEVER_WRITTEN ? mark
                                                                                   : bytes[i];
}

INLINE void flip_words(uint32_t *words, uint32_t n, uint8_t flip)
{
    n &= ~(VM_PAD - 1u);
    if (!flip) return;
    LANES for (uint32_t i = 0; i < n; i++) words[i] ^= flip * 0x01010101u;
}

/** `from` NULL: all bytes are written. */
INLINE void write_shadow(struct vm_gang *g, const struct side *to, const struct side *from)
{
    const uint32_t n = g->n & ~(VM_PAD - 1u);
    const struct side ts = shadow_of(to), fs = from ? shadow_of(from) : ts;
    uint32_t *const was = (uint32_t *)g->values, *const now = was + g->code->width;
    uint64_t more = 0;
    for (uint32_t k = 0; 4 * k < to->size; k++) {
        get_words(g, &ts, k, was, 1);
        flip_words(was, g->n, to->o->shadow->flip);
        if (from) {
            get_words(g, &fs, k, now, 1);
            flip_words(now, g->n, from->o->shadow->flip);
            const uint32_t lacking = count_undefined(g, now, to->size - 4 * k);
            if (lacking) name_source(g, from->o, now);
            more += lacking;
        } else {
            memset(now, 0, n * sizeof *now);
        }
        more -= count_undefined(g, was, to->size - 4 * k);
        flip_words(now, g->n, to->o->shadow->flip);
        put_words(g, &ts, k, now, 1);
    }
    *to->o->shadow->count += more;
    if (to->o->kind == VM_OBJ_LOCAL) vm_new_written_set(to->o);
}

/**
 * Must the copy go lane by lane, because several workers write the shadow, or because "never
 * written" must be preserved?
 */
static bool is_shared(const struct side *to)
{
    return to->o->kind == VM_OBJ_BUFFER || to->o->kind == VM_OBJ_PROGRAM;
}

/** Does a lane copy an undefined member of the struct? */
static bool lacks_member(struct vm_gang *g, const struct side *from, const char *members)
{
    const struct side s = shadow_of(from);
    uint32_t *const words = (uint32_t *)g->values;
    for (uint32_t k = 0; 4 * k < from->size; k++) {
        uint32_t member = 0;
        for (uint32_t i = 0; i < 4 && 4 * k + i < from->size && members[4 * k + i]; i++)
            member |= (members[4 * k + i] == 'm') * 0xffu << 8 * i;
        get_words(g, &s, k, words, 1);
        flip_words(words, g->n, from->o->shadow->flip);
        for (uint32_t i = 0; i < (g->n & ~(VM_PAD - 1u)); i++) words[i] &= member;
        if (count_undefined(g, words, 4)) return true;
    }
    return false;
}

vm_handler CAT(vm_undef_copy_, VM_ISA), CAT(vm_undef_set_, VM_ISA);
const struct vm_insn *CAT(vm_undef_copy_, VM_ISA)(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_operands *q = ip->p;
    const uint64_t size = common_size(g, q);
    struct side to, from;
    if (!size || !find_side(g, ip, size, true, &to)) return vm_undef_copy(g, ip);
    const struct bc_module *m = g->code->module;
    const char *members = bc_str(m, m->sites[ip->src->site].members);
    const bool leaves = to.o->kind == VM_OBJ_BUFFER && *members; // the kernel
    if (!to.o->shadow &&
        (!leaves || (!(q->varying & 2) &&
                     !vm_is_followed(vm_object_of(g, *(const uint64_t *)(g->r + q->off[1]))))))
        return ip + 1;
    if (!to.rows && !to.e) return vm_undef_copy(g, ip);
    if (to.e) to.e = memcpy(g->spread, to.e, (g->n & ~(VM_PAD - 1u)) * sizeof *to.e);
    if (!find_side(g, ip, size, false, &from) || from.o == to.o) return vm_undef_copy(g, ip);
    const bool reads = vm_is_followed(from.o);
    if (reads && leaves && lacks_member(g, &from, members)) return vm_undef_copy(g, ip);
    if (!to.o->shadow || (!reads && !vm_is_followed(to.o))) return ip + 1;
    if (is_shared(&to)) return vm_undef_copy(g, ip);
    write_shadow(g, &to, reads ? &from : NULL);
    return ip + 1;
}

const struct vm_insn *CAT(vm_undef_set_, VM_ISA)(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_operands *q = ip->p;
    const uint64_t size = common_size(g, q);
    struct side to;
    if (!size || g->undef->flags[q->n] || !find_side(g, ip, size, true, &to))
        return vm_undef_set(g, ip);
    if (!vm_is_followed(to.o)) return ip + 1;
    if ((!to.rows && !to.e) || is_shared(&to)) return vm_undef_set(g, ip);
    write_shadow(g, &to, NULL);
    return ip + 1;
}
