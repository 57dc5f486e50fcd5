// SPDX-License-Identifier: MIT
// The course of an interval of local memory: which accesses came between two fences, one after the other. Kernels do the same in each
// group, and in each round of a loop. Where all that was done was seen not to meet (interval.inc), so is the same once more, and
// so is the beginning of it: as long as an interval's accesses are those of a course that is kept, a comparison is all that each needs.
// Whatever lanes are active, as their places were held against one another all active (but for struct race_parts, which is told by `masked`). What
// is stored is kept, and masks are: an access that is another one parts from the course, and then the log has what it would have without.
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
    op->mask = NULL; // of reads and atomics by many the first and the last one count
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

/** One that begins with that call: mostly the one that came after the last one before. */
static const struct race_course *find_course(struct race_courses *cs, const struct race_call *c)
{
    const struct race_course *k = &cs->course[cs->course[cs->last].then];
    if (k->n && race_is_same(k->call, c)) return k;
    const uint32_t key = hash(c, 1);
    uint32_t at = COURSES;
    for (uint32_t i = 0; i < COURSES; i++) at = cs->key[i] == key ? i : at;
    k = &cs->course[at % COURSES];
    return at < COURSES && race_is_same(k->call, c) ? k : NULL;
}

/** These are made once more, with other masks and values. False: a pattern that they have is no more. */
static inline bool repeat(struct race_worker *w, const struct race_course *k, uint32_t first, uint32_t end, const struct race_op *op)
{
    for (uint32_t i = first; i < end; i++) {
        struct race_entry *const e = &k->entries[i];
        const uint32_t lane = e->op.first_item - op->first_item;
        if (e->by_pattern) {
            if (e->pattern->id != e->pattern_id) return false;
            w->patterns->pattern[e->pattern - w->patterns->pattern].pinned = w->patterns->interval;
            e->op.mask = op->mask ? memcpy(e->room, op->mask + lane, e->op.n) : NULL;
        }
        if (op->values) memcpy((uint8_t *)e->op.values, (const uint8_t *)op->values + (size_t)lane * op->size, (size_t)e->op.n * op->size);
    }
    return true;
}

bool again_follows(struct race_worker *w, struct race_log *log, const struct race_op *op)
{
    struct race_courses *const cs = log->courses;
    const struct race_course *k = log->course;
    struct race_call c;
    struct race_op some;
    if (!cs || log->spilled || (!k && log->n)) return false;
    if (op->shape == RACE_UNIFORM && op->mask) {
        some = *op;
        if (!race_shorten(&some)) return true;
        op = &some;
    }
    if (race_call_of(op, &c)) {
        const uint32_t at = log->followed;
        if (!k) k = find_course(cs, &c);
        if (k && at < k->n && race_is_same(&k->call[at], &c) && repeat(w, k, at ? k->call[at - 1].entries : 0, k->call[at].entries, op)) {
            log->course = k;
            log->followed = at + 1;
            log->used_now = true;
            return true;
        }
    }
    again_part(log);
    return false;
}

void again_part(struct race_log *log)
{
    const struct race_course *const k = log->course;
    if (!k) return;
    const struct race_call *const last = &k->call[log->followed - 1];
    log->n = last->entries;
    log->used = last->used;
    log->slices = 0xff;
    log->low = UINT64_MAX;
    log->high = 0;
    memcpy(log->entries, k->entries, log->n * sizeof *log->entries);
    for (uint32_t i = 0; i < log->n; i++) {
        const struct race_entry *e = &log->entries[i];
        log->kinds |= race_kind_of(&e->op);
        log->slices &= e->slices;
        log->low = e->low < log->low ? e->low : log->low;
        log->high = e->high > log->high ? e->high : log->high;
        log->masked |= e->op.mask != NULL;
    }
    log->courses->n = log->courses->parted = log->followed;
    log->courses->parted_from = (uint8_t)(k - log->courses->course);
    memcpy(log->courses->call, k->call, log->followed * sizeof *k->call);
    log->course = NULL;
    log->followed = 0;
}

void again_note(struct race_log *log, const struct race_op *op, uint32_t entries)
{
    struct race_op some = *op;
    struct race_call c;
    struct race_courses *cs = log->courses;
    if (log->spilled || log->unnoted || log->n == entries || (cs && cs->vain == COURSE_VAIN)) return;
    log->unnoted = (cs && cs->n == COURSE_CALLS) || !race_shorten(&some) || !race_call_of(&some, &c) || (entries && !(cs && cs->n));
    for (uint32_t i = entries; i < log->n && !log->unnoted; i++) {
        const struct race_entry *e = &log->entries[i];
        log->unnoted = e->op.shape > RACE_CONTIGUOUS && !(e->by_pattern && !e->pattern->of_some);
    }
    if (log->unnoted) return;
    if (!cs) cs = log->courses = mem_alloc(sizeof *cs);
    c.entries = log->n;
    c.used = log->used;
    cs->call[cs->n++] = c;
}

static void keep(struct race_courses *cs, uint32_t at, const struct race_entry *entries)
{
    struct race_course *const k = &cs->course[at];
    const uint32_t n = cs->n, nentries = cs->call[n - 1].entries;
    if (k->room < n) k->call = mem_array(k->call, k->room = n, sizeof *k->call);
    if (k->entries_room < nentries) k->entries = mem_array(k->entries, k->entries_room = nentries, sizeof *k->entries);
    memcpy(k->call, cs->call, n * sizeof *k->call);
    memcpy(k->entries, entries, nentries * sizeof *k->entries);
    k->n = n;
    k->then = (uint8_t)at;
    cs->key[at] = hash(k->call, 1);
}

void again_over(struct race_log *log)
{
    struct race_courses *const cs = log->courses;
    uint32_t at = COURSES;
    if (log->course) {
        at = (uint32_t)(log->course - cs->course);
        cs->vain = 0;
    } else if (cs && cs->n && cs->n == cs->parted) { // what came then cannot be noted
        at = cs->parted_from;
    } else if (cs && cs->n && cs->vain < COURSE_VAIN && !log->spilled && !(log->by_parts && log->masked)) {
        const uint32_t key = hash(cs->call, cs->n);
        uint32_t *const sighted = &cs->sighted[key % COURSE_SIGHTS];
        if (*sighted == key) {
            at = cs->next++ % COURSES;
            cs->vain++;
            keep(cs, at, log->entries);
        }
        *sighted = key;
    }
    if (at < COURSES) {
        cs->course[cs->last].then = (uint8_t)at;
        cs->last = (uint8_t)at;
    }
    if (cs) cs->n = cs->parted = 0;
    log->course = NULL;
    log->followed = 0;
    log->unnoted = false;
}

void again_forget(struct race_log *log)
{
    struct race_courses *const cs = log->courses;
    for (uint32_t i = 0; cs && i < COURSES; i++) cs->key[i] = cs->course[i].n = 0;
    if (cs) cs->n = cs->parted = 0;
    log->course = NULL;
    log->followed = 0;
    log->unnoted = true;
}

void again_deinit(struct race_log *log)
{
    for (uint32_t i = 0; log->courses && i < COURSES; i++) {
        free(log->courses->course[i].call);
        free(log->courses->course[i].entries);
    }
    free(log->courses);
}
