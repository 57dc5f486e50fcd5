// SPDX-License-Identifier: MIT
// Merged findings: identity, order, and copies that outlive the call of rep_add.
//
// Repeated findings must be cheap, so identity is a tuple of 64-bit hashes of the locations (a
// collision, with probability 2^-64, would merge two findings), and a copy is one allocation, made
// only for a better example.
#include "report/record.h"

#include "base/mem.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static uint64_t hash_text(const char *s, uint64_t seed)
{
    return s ? hash_bytes(s, strlen(s), seed) : seed * 31 + 1;
}

static uint64_t hash_place(const struct rep_place *p, bool with_calls, struct rep_sources *sources)
{
    uint64_t h = 7;
    for (; p; p = with_calls ? p->called_from : NULL) {
        const uint64_t in_function = p->path || !p->text ? 0
                                                         : rep_sources_line_in_function(sources, p);
        h = in_function ? h ^ in_function ^ p->col
                        : hash_text(p->file, h ^ ((uint64_t)p->line << 32 | p->col));
        h *= 0x9e3779b97f4a7c15ull;
    }
    return h;
}

void rep_key_make(struct rep_key *k, const struct rep_finding *f, struct rep_sources *sources)
{
    *k = (struct rep_key){.kind = f->kind | (uint64_t)f->possible << 32 | (uint64_t)f->mild << 33 |
                                  (uint64_t)f->overtaken << 34,
                          .object = hash_text(f->object, 3)};
    for (unsigned i = 0; i < f->nsides; i++) {
        uint64_t h = hash_place(&f->sides[i].place, !f->calls_vary, sources);
        unsigned at = i;
        for (; at && k->places[at - 1] < h; at--) k->places[at] = k->places[at - 1];
        k->places[at] = h;
    }
}

uint64_t rep_key_hash(const struct rep_key *k)
{
    uint64_t h = k->kind * 0x9e3779b97f4a7c15ull ^ k->object;
    for (int i = 0; i < REP_MAX_SIDES; i++) h = h * 31 ^ k->places[i];
    return h;
}

/** A bump allocator in one block; without memory it only computes the size. */
struct block {
    char *memory;
    size_t used;
};

static void *block_put(struct block *b, const void *data, size_t size)
{
    void *p = b->memory ? memcpy(b->memory + b->used, data, size) : NULL;
    b->used += (size + 7) & ~(size_t)7;
    return p;
}

static const char *block_text(struct block *b, const char *s)
{
    return s ? block_put(b, s, strlen(s) + 1) : NULL;
}

/**
 * Reuses the known text if the old example has the same file, to avoid comparing texts.
 */
static const char *keep_text(const struct rep_place *p, const struct rep_finding *old,
                             struct rep_sources *sources)
{
    if (!p->file || !p->text) return NULL;
    for (unsigned i = 0; old && i < old->nsides; i++)
        for (const struct rep_place *q = &old->sides[i].place; q; q = q->called_from)
            if (q->text && !strcmp(q->file, p->file)) return q->text;
    return rep_sources_keep(sources, p->file, p->text, p->text_first_line);
}

static void copy_place(struct block *b, struct rep_place *to, const struct rep_place *from,
                       const struct rep_finding *old, struct rep_sources *sources)
{
    *to = *from;
    to->file = block_text(b, from->file);
    to->path = block_text(b, from->path);
    to->fn = block_text(b, from->fn);
    to->text = b->memory ? keep_text(from, old, sources) : NULL;
    if (!from->called_from) return;
    struct rep_place caller;
    struct rep_place *place = block_put(b, from->called_from, sizeof caller);
    copy_place(b, place ? place : &caller, from->called_from, old, sources);
    to->called_from = place;
}

static void copy_finding(struct block *b, struct rep_finding *to, const struct rep_finding *from,
                         const struct rep_finding *old, struct rep_sources *sources)
{
    *to = *from;
    to->title = block_text(b, from->title);
    to->kernel = block_text(b, from->kernel);
    to->host_site = block_text(b, from->host_site);
    to->object = block_text(b, from->object);
    to->cause = block_text(b, from->cause);
    for (unsigned i = 0; i < from->scene.nparties; i++) {
        const struct rep_party *const party = &from->scene.parties[i];
        to->scene.parties[i] =
            (struct rep_party){block_text(b, party->where), block_text(b, party->items)};
    }
    for (unsigned i = 0; i < from->scene.nbranches; i++) {
        const struct rep_branch *const x = &from->scene.branches[i];
        to->scene.branches[i] = (struct rep_branch){block_text(b, x->what), block_text(b, x->yes),
                                                    block_text(b, x->no)};
    }
    if (from->scene.writers)
        to->scene.writers = block_put(b, from->scene.writers, sizeof *from->scene.writers);
    for (unsigned i = 0; i < from->nnotes; i++) to->notes[i] = block_text(b, from->notes[i]);
    for (unsigned i = 0; i < from->nsides; i++) {
        to->sides[i].what = block_text(b, from->sides[i].what);
        copy_place(b, &to->sides[i].place, &from->sides[i].place, old, sources);
    }
}

void rep_record_take(struct rep_record *r, const struct rep_finding *f, struct rep_sources *sources)
{
    struct rep_finding old = r->example;
    void *old_strings = r->strings;
    struct block b = {0};
    copy_finding(&b, &r->example, f, NULL, NULL);
    b = (struct block){.memory = mem_alloc(b.used ? b.used : 1)};
    copy_finding(&b, &r->example, f, &old, sources);
    r->strings = b.memory;
    free(old_strings);
}

struct rep_record *rep_record_create(const struct rep_key *key, const struct rep_finding *f,
                                     struct rep_sources *sources)
{
    struct rep_record *r = mem_alloc(sizeof *r);
    r->key = *key;
    rep_record_take(r, f, sources);
    return r;
}

void rep_record_destroy(struct rep_record *r)
{
    while (r->running.len) rep_record_launch_ended(r, r->running.data->launch);
    vec_free(&r->running);
    json_decref(r->json);
    free(r->strings);
    free(r->capture);
    free(r);
}

/** The groups of the launch with the finding so far; *is_new: none yet. */
static struct rep_launch_groups *groups_of(struct rep_record *r, uint64_t launch, bool *is_new)
{
    *is_new = false;
    for (size_t i = 0; i < r->running.len; i++)
        if (r->running.data[i].launch == launch) return &r->running.data[i];
    *is_new = true;
    struct rep_launch_groups *l = vec_add(&r->running);
    l->launch = launch;
    return l;
}

bool rep_record_has(const struct rep_record *r, const struct rep_finding *f)
{
    for (size_t i = 0; i < r->running.len; i++)
        if (r->running.data[i].launch == f->launch)
            return r->running.data[i].schedule != f->schedule;
    return false;
}

bool rep_record_count(struct rep_record *r, const struct rep_finding *f)
{
    r->times += f->count ? f->count : 1;
    r->between += f->between;
    r->within |= f->within;
    if (!f->launch) return false;
    bool is_new;
    struct rep_launch_groups *l = groups_of(r, f->launch, &is_new);
    struct bits *groups = &l->groups;
    r->launches += is_new;
    if (is_new) l->schedule = f->schedule;
    r->last_launch = f->launch;
    l->times += f->count ? f->count : 1;
    l->between += f->between;
    const uint64_t before = groups->n;
    if (f->groups) bits_unite(groups, f->groups);
    else bits_add(groups, f->group_linear);
    r->groups += groups->n - before;
    return is_new;
}

void rep_record_launch_ended(struct rep_record *r, uint64_t launch)
{
    for (size_t i = 0; i < r->running.len; i++) {
        if (r->running.data[i].launch != launch) continue;
        bits_deinit(&r->running.data[i].groups);
        r->running.data[i] = vec_pop(&r->running);
        return;
    }
}

static int order_u64(uint64_t a, uint64_t b) { return a < b ? -1 : a > b; }

static int order_text(const char *a, const char *b) { return strcmp(a ? a : "", b ? b : ""); }

static int order_place(const struct rep_place *a, const struct rep_place *b)
{
    for (; a && b; a = a->called_from, b = b->called_from) {
        int c = order_text(a->file, b->file);
        if (!c) c = order_u64(a->line, b->line);
        if (!c) c = order_u64(a->col, b->col);
        if (c) return c;
    }
    return (a != NULL) - (b != NULL);
}

static uint64_t item_rank(const struct rep_side *s)
{
    return s->item.known ? s->item.linear : UINT64_MAX;
}

static int order_example(const struct rep_finding *a, const struct rep_finding *b)
{
    int c = order_u64(a->launch, b->launch);
    for (unsigned i = 0; !c && i < a->nsides && i < b->nsides; i++)
        c = order_u64(item_rank(&a->sides[i]), item_rank(&b->sides[i]));
    for (unsigned i = 0; !c && i < a->nsides && i < b->nsides; i++) {
        c = order_place(&a->sides[i].place, &b->sides[i].place);
        if (!c) c = order_text(a->sides[i].what, b->sides[i].what);
    }
    if (!c) c = order_text(a->title, b->title);
    for (unsigned i = 0; !c && i < a->nnotes && i < b->nnotes; i++)
        c = order_text(a->notes[i], b->notes[i]);
    return c;
}

bool rep_is_better_example(const struct rep_finding *a, const struct rep_finding *than)
{
    return order_example(a, than) < 0;
}

int rep_record_order(const struct rep_record *a, const struct rep_record *b)
{
    const struct rep_finding *f = &a->example, *g = &b->example;
    int c = order_u64(f->launch, g->launch);
    if (!c) c = order_place(&f->sides[0].place, &g->sides[0].place);
    if (!c) c = order_u64(f->kind, g->kind);
    for (unsigned i = 1; !c && i < f->nsides && i < g->nsides; i++)
        c = order_place(&f->sides[i].place, &g->sides[i].place);
    if (!c) c = order_u64(f->nsides, g->nsides);
    if (!c) c = order_text(f->object, g->object);
    if (!c) c = order_u64(f->possible << 1 | f->mild, g->possible << 1 | g->mild);
    return c ? c : order_example(f, g);
}

const char *rep_how_to_mend(const struct rep_finding *f)
{
    return f->fix ? rep_fix_hints[f->fix].how : rep_kinds[f->kind].fix;
}

enum rep_severity rep_severity_of(const struct rep_finding *f)
{
    return f->possible || f->mild ? REP_WARNING : rep_kinds[f->kind].severity;
}

bool rep_same_place(const struct rep_place *a, const struct rep_place *b)
{
    return order_place(a, b) == 0;
}
