// SPDX-License-Identifier: MIT
// Trace cache of barrier intervals, for local memory. A trace is the sequence of accesses between
// two fences. Kernels repeat it in each group and in each iteration of a loop. If the check found
// no conflict in a trace (interval.inc), an interval with the same accesses has none either: as
// long as its accesses follow a cached trace, one comparison checks each of them.
//
// Valid for any mask, because overlap was tested with all lanes active. A trace also compares the
// masks in two cases: where struct race_ownership found lanes apart, which depends on the mask (the
// rows of a triangle, `if (l > k)`), and where lanes have no named layout. An access that differs
// ends the match; the log then has the entries that it would have without the cache, for which
// stored values and masks are kept.
#include "race/call.h"

bool race_shorten(struct race_op *op)
{
    if (op->shape != RACE_UNIFORM) return true;
    uint32_t one = 0, two = op->n - 1;
    if (op->mask) {
        const uint8_t *const first = memchr(op->mask, 0xff, op->n);
        if (!first) return false;
        one = (uint32_t)(first - op->mask);
        two = (uint32_t)((const uint8_t *)memrchr(op->mask, 0xff, op->n) - op->mask);
    }
    op->first_item += one;
    op->n = two - one + 1;
    op->mask = NULL; // for uniform reads and atomics only the first and the last lane count
    if (op->values) op->values = (const uint8_t *)op->values + (size_t)one * op->size;
    return true;
}

static uint32_t hash(const struct race_call *c, uint32_t n)
{
    uint64_t h = n;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t x[5];
        memcpy(x, &c[i], sizeof x);
        for (unsigned k = 0; k < 5; k++) h = (h ^ x[k]) * 0x9e3779b97f4a7c15u, h ^= h >> 32;
    }
    return (uint32_t)h | 1; // 0: none
}

/**
 * The same, also for a layout without a name: then the elements are compared, too (same_elements).
 */
static bool call_of(const struct race_op *op, struct race_call *c, bool *by_elements)
{
    *by_elements = op->shape == RACE_ELEMENTS && !op->layout;
    if (!*by_elements) return race_call_of(op, c);
    struct race_op named = *op;
    named.layout = 1;
    named.layout_lane = 0;
    if (!race_call_of(&named, c)) return false;
    c->layout = 0;
    return true;
}

/** Does call `at` of k have the same elements as the access, for all lanes? */
static bool same_elements(const struct race_trace *k, uint32_t at, const struct race_op *op)
{
    const uint32_t from = at ? k->call[at - 1].elements : 0, element0 = op->element0,
                   *const e = op->elements, *const was = k->elements + from;
    uint32_t differ = k->call[at].elements - from != op->n;
    for (uint32_t i = 0; !differ && i < op->n; i += 64) {
        const uint32_t end = op->n - i < 64 ? op->n : i + 64;
        for (uint32_t j = i; j < end; j++) differ |= was[j] ^ (element0 + e[j]);
    }
    return !differ;
}

static uint32_t hash_of_elements(const uint32_t *elements, uint32_t n)
{
    uint32_t h = 0;
    for (uint32_t i = 0; i < n; i++) h += elements[i] * (2 * i + 1);
    return h << 1;
}

static uint32_t hash_of_masks(const struct race_entry *e, uint32_t n)
{
    uint64_t h = n;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0, m = e[i].op.n; e[i].op.mask && k < m; k += 8) {
            uint64_t x = 0;
            memcpy(&x, e[i].op.mask + k, m - k < 8 ? m - k : 8);
            h = (h ^ x) * 0x9e3779b97f4a7c15u;
            h ^= h >> 32;
        }
    }
    return (uint32_t)h << 1; // keeps the key odd
}

/** A trace that begins with that call: usually the one that followed the last trace before. */
static const struct race_trace *find_trace(struct race_traces *cs, const struct race_call *c)
{
    const struct race_trace *k = &cs->trace[cs->trace[cs->last].then];
    if (k->n && race_call_equals(k->call, c)) return k;
    const uint32_t key = hash(c, 1);
    uint32_t at = TRACES;
    for (uint32_t i = 0; i < TRACES; i++) at = cs->key[i] == key ? i : at;
    k = &cs->trace[at % TRACES];
    return at < TRACES && race_call_equals(k->call, c) ? k : NULL;
}

/** Are the same lanes of the entry active as in the trace? mask: of these lanes; NULL: all. */
static bool has_mask(const struct race_trace *k, const struct race_entry *e, const uint8_t *mask)
{
    const uint8_t *const then = k->masks + e->mask_at;
    return mask ? !memcmp(then, mask, e->op.n) : !memchr(then, 0, e->op.n);
}

/**
 * Repeats the entries of the trace with the present masks and values. False: a pattern of theirs no
 * longer exists, or a mask that must be equal differs.
 */
static inline bool repeat(struct race_worker *w, const struct race_trace *k, uint32_t first,
                          uint32_t end, const struct race_op *op)
{
    for (uint32_t i = first; i < end; i++) {
        struct race_entry *const e = &k->entries[i];
        const uint32_t lane = e->op.first_item - op->first_item;
        const uint8_t *const mask = op->mask ? op->mask + lane : NULL;
        if (k->has_masks && e->op.shape == RACE_ELEMENTS && !has_mask(k, e, mask)) return false;
        if (e->op.shape == RACE_CONTIGUOUS && mask && memchr(mask, 0, e->op.n))
            return false; // in the trace all were active
        if (e->op.shape == RACE_ELEMENTS && !e->by_pattern) {
            e->op.element0 = op->element0;
            memcpy((uint32_t *)e->op.elements, op->elements + lane, e->op.n * sizeof *op->elements);
            e->op.mask = e->op.mask && mask ? memcpy(e->room, mask, e->op.n)
                                            : NULL; // the recorded mask
        }
        if (e->by_pattern) {
            if (e->pattern->id != e->pattern_id) return false;
            w->patterns->pattern[e->pattern - w->patterns->pattern].pinned = w->patterns->interval;
            e->op.mask = mask ? memcpy(e->room, mask, e->op.n) : NULL;
        }
        if (op->values)
            memcpy((uint8_t *)e->op.values, (const uint8_t *)op->values + (size_t)lane * op->size,
                   (size_t)e->op.n * op->size);
    }
    return true;
}

bool trace_follows(struct race_worker *w, struct race_log *log, const struct race_op *op)
{
    struct race_traces *const cs = log->traces;
    const struct race_trace *k = log->trace;
    struct race_call c;
    struct race_op some;
    if (!cs || log->spilled || (!k && log->n)) return false;
    if (op->shape == RACE_UNIFORM && op->mask) {
        some = *op;
        if (!race_shorten(&some)) return true;
        op = &some;
    }
    bool by_elements;
    if (call_of(op, &c, &by_elements)) {
        const uint32_t at = log->followed;
        if (!k) k = find_trace(cs, &c);
        if (k && at < k->n && race_call_equals(&k->call[at], &c) &&
            (!by_elements || same_elements(k, at, op)) &&
            repeat(w, k, at ? k->call[at - 1].entries : 0, k->call[at].entries, op)) {
            log->trace = k;
            log->followed = at + 1;
            log->used_now = true;
            return true;
        }
    }
    trace_part(log);
    return false;
}

static uint32_t *elements_of(struct race_traces *cs)
{
    if (!cs->elements) cs->elements = mem_array(NULL, TRACE_ELEMENTS, sizeof *cs->elements);
    return cs->elements;
}

void trace_part(struct race_log *log)
{
    const struct race_trace *const k = log->trace;
    if (!k) return;
    const struct race_call *const last = &k->call[log->followed - 1];
    log->n = last->entries;
    log->used = last->used;
    log->partitions = 0xff;
    log->low = UINT64_MAX;
    log->high = 0;
    memcpy(log->entries, k->entries, log->n * sizeof *log->entries);
    for (uint32_t i = 0; i < log->n; i++) {
        const struct race_entry *e = &log->entries[i];
        log->kinds |= race_kind_of(&e->op);
        log->partitions &= e->partitions;
        log->low = e->low < log->low ? e->low : log->low;
        log->high = e->high > log->high ? e->high : log->high;
        log->masked |= e->op.mask != NULL;
    }
    log->by_ownership |= k->has_masks;
    log->traces->n = log->traces->parted = log->followed;
    log->traces->parted_from = (uint8_t)(k - log->traces->trace);
    memcpy(log->traces->call, k->call, log->followed * sizeof *k->call);
    if (last->elements)
        memcpy(elements_of(log->traces), k->elements, last->elements * sizeof *k->elements);
    log->trace = NULL;
    log->followed = 0;
}

void trace_note(struct race_log *log, const struct race_op *op, uint32_t entries)
{
    struct race_op some = *op;
    struct race_call c;
    struct race_traces *cs = log->traces;
    if (log->spilled || log->untraceable || log->n == entries || (cs && cs->vain == TRACE_VAIN))
        return;
    bool by_elements = false;
    log->untraceable = (cs && cs->n == TRACE_CALLS) || !race_shorten(&some) ||
                       !call_of(&some, &c, &by_elements) || (entries && !(cs && cs->n));
    const uint32_t elements = cs && cs->n ? cs->call[cs->n - 1].elements : 0;
    // checking such an access usually costs less than comparing it with a trace, except where
    // ownership was tested
    if (!log->untraceable && by_elements)
        log->untraceable = !log->had_ownership || (cs && cs->vain_elements == TRACE_VAIN) ||
                           elements + op->n > TRACE_ELEMENTS;
    for (uint32_t i = entries; i < log->n && !log->untraceable; i++) {
        const struct race_entry *e = &log->entries[i];
        log->untraceable = !by_elements && e->op.shape > RACE_CONTIGUOUS &&
                           !(e->by_pattern && !e->pattern->of_some);
    }
    if (log->untraceable) return;
    if (!cs) cs = log->traces = mem_alloc(sizeof *cs);
    c.entries = log->n;
    c.used = log->used;
    c.elements = elements + (by_elements ? op->n : 0);
    uint32_t *const to = by_elements ? elements_of(cs) + elements : NULL;
    for (uint32_t i = 0; to && i < op->n; i++) to[i] = op->element0 + op->elements[i];
    cs->call[cs->n++] = c;
}

/** Copies the masks of the entries to the trace. */
static void keep_masks(struct race_trace *k, uint32_t n)
{
    uint32_t size = 0;
    for (uint32_t i = 0; i < n; i++) {
        k->entries[i].mask_at = size;
        size += k->entries[i].op.shape == RACE_ELEMENTS ? k->entries[i].op.n : 0;
    }
    if (k->masks_room < size) k->masks = mem_array(k->masks, k->masks_room = size, 1);
    for (uint32_t i = 0; i < n; i++) {
        const struct race_entry *e = &k->entries[i];
        if (e->op.shape != RACE_ELEMENTS) continue;
        if (e->op.mask) memcpy(k->masks + e->mask_at, e->op.mask, e->op.n);
        else memset(k->masks + e->mask_at, 0xff, e->op.n);
    }
}

static void keep(struct race_traces *cs, uint32_t at, const struct race_entry *entries,
                 bool has_masks)
{
    struct race_trace *const k = &cs->trace[at];
    const uint32_t n = cs->n, nentries = cs->call[n - 1].entries;
    if (k->room < n) k->call = mem_array(k->call, k->room = n, sizeof *k->call);
    if (k->entries_room < nentries)
        k->entries = mem_array(k->entries, k->entries_room = nentries, sizeof *k->entries);
    memcpy(k->call, cs->call, n * sizeof *k->call);
    memcpy(k->entries, entries, nentries * sizeof *k->entries);
    k->n = n;
    k->has_masks = has_masks;
    if (has_masks) keep_masks(k, nentries);
    const uint32_t elements = k->call[n - 1].elements;
    if (k->elements_room < elements)
        k->elements = mem_array(k->elements, k->elements_room = elements, sizeof *k->elements);
    if (elements) memcpy(k->elements, cs->elements, elements * sizeof *k->elements);
    k->then = (uint8_t)at;
    cs->key[at] = hash(k->call, 1);
}

void trace_over(struct race_log *log)
{
    struct race_traces *const cs = log->traces;
    uint32_t at = TRACES;
    if (log->trace) {
        at = (uint32_t)(log->trace - cs->trace);
        cs->vain = 0;
        if (log->trace->elements) cs->vain_elements = 0;
    } else if (cs && cs->n && cs->n == cs->parted) { // the next call cannot be recorded
        at = cs->parted_from;
    } else if (cs && cs->n && cs->vain < TRACE_VAIN && !log->spilled) {
        const struct race_call *const last = &cs->call[cs->n - 1];
        cs->vain_elements += last->elements && cs->vain_elements < TRACE_VAIN;
        const bool has_masks = last->elements || (log->by_ownership && log->masked);
        const uint32_t key = hash(cs->call, cs->n) ^
                             (has_masks ? hash_of_masks(log->entries, last->entries) : 0) ^
                             hash_of_elements(cs->elements, last->elements);
        bool sighted = false;
        for (uint32_t i = 0; i < TRACE_SIGHTS; i++) sighted |= cs->sighted[i] == key;
        if (sighted) {
            at = cs->next++ % TRACES;
            cs->vain++;
            keep(cs, at, log->entries, has_masks);
        } else {
            cs->sighted[cs->next_sighted++ % TRACE_SIGHTS] = key;
        }
    }
    if (at < TRACES) {
        cs->trace[cs->last].then = (uint8_t)at;
        cs->last = (uint8_t)at;
    }
    if (cs) cs->n = cs->parted = 0;
    log->trace = NULL;
    log->followed = 0;
    log->untraceable = false;
}

void trace_forget(struct race_log *log)
{
    struct race_traces *const cs = log->traces;
    for (uint32_t i = 0; cs && i < TRACES; i++) cs->key[i] = cs->trace[i].n = 0;
    if (cs) cs->n = cs->parted = 0;
    log->trace = NULL;
    log->followed = 0;
    log->untraceable = true;
}

void trace_deinit(struct race_log *log)
{
    for (uint32_t i = 0; log->traces && i < TRACES; i++) {
        free(log->traces->trace[i].call);
        free(log->traces->trace[i].entries);
        free(log->traces->trace[i].masks);
        free(log->traces->trace[i].elements);
    }
    if (log->traces) free(log->traces->elements);
    free(log->traces);
}
