// SPDX-License-Identifier: MIT
// The functions with which work-items of a sub-group exchange values. Those of the core need all of
// them at one instance of a call. Those of the extensions take the active work-items: when no
// work-item of the sub-group can continue by itself, those that have made the least progress.
#include "walker.h"

#include <stdlib.h>
#include <string.h>

static struct sc *value(const struct item *w, unsigned k)
{
    const struct frame *f = &w->frames[w->nframes - 1];
    const struct operand *o = &f->fn->code[f->pc].ops[k];
    return o->k ? o->k : f->regs + o->reg;
}

static const char *name_of(const struct insn *in)
{
    return in->builtin && !strncmp(in->builtin, "sub_group_", 10) ? in->builtin + 10 : NULL;
}

bool sub_group_all(const struct insn *in)
{
    static const char *const names[] = {"all", "any", "broadcast", "barrier"};
    const char *name = name_of(in);
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i])) return true;
    return name && (!strncmp(name, "reduce_", 7) || !strncmp(name, "scan_", 5));
}

bool sub_group_some(const struct insn *in)
{
    static const char *const names[] = {"shuffle", "shuffle_xor",     "shuffle_up", "shuffle_down",
                                        "rotate",  "broadcast_first", "elect",      "ballot"};
    const char *name = name_of(in);
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i])) return true;
    return name && (!strncmp(name, "non_uniform_", 12) || !strncmp(name, "clustered_", 10));
}

/** Turns of the loops that both are in, from the outermost; then the text. */
int walk_farther(const struct item *a, const struct item *b)
{
    for (unsigned i = 0; i < a->nframes && i < b->nframes; i++) {
        const struct frame *f = &a->frames[i], *g = &b->frames[i];
        if (f->fn != g->fn) return 0;
        for (unsigned h = 0; h < f->fn->nblocks; h++) {
            const bool *in = f->fn->in_loop[h];
            if (in && in[f->block->number] && in[g->block->number] && f->turns[h] != g->turns[h])
                return f->turns[h] < g->turns[h] ? -1 : 1;
        }
        if (f->pc != g->pc) return f->pc < g->pc ? -1 : 1;
    }
    return 0;
}

/** Whose value work-item i of n has; n: none. */
static uint64_t source(const struct item *items, const bool *here, uint32_t n, uint32_t i,
                       const char *name)
{
    uint32_t first = 0;
    while (!here[first]) first++;
    if (!strcmp(name, "broadcast_first")) return first;
    const uint64_t by = value(&items[i], 1)->v & 0xffffffff;
    uint64_t k = by;
    if (!strcmp(name, "shuffle_xor")) k = i ^ by;
    else if (!strcmp(name, "shuffle_up")) k = i - by;
    else if (!strcmp(name, "shuffle_down")) k = i + by;
    else if (!strcmp(name, "rotate")) k = (i + by) % L.sub_group;
    else if (!strcmp(name, "clustered_rotate")) {
        const uint64_t cluster = value(&items[i], 2)->v & 0xffffffff;
        if (!cluster) give_up("a cluster of nothing");
        k = i / cluster * cluster + (i + by) % cluster;
    }
    return k < n && here[k] ? k : n;
}

/** A function of those of items[0..n) that are here. */
static void of_some(struct item *items, const bool *here, uint32_t n, struct insn *in)
{
    const char *name = name_of(in);
    const unsigned width = in->type->n;
    struct sc *results = calloc((size_t)n * width + 1, sizeof *results),
              *values = calloc(n, sizeof *values);
    bool first = true;
    for (uint32_t i = 0; i < n; i++) {
        struct sc *out = results + (size_t)i * width;
        if (!here[i]) continue;
        if (!strcmp(name, "elect")) {
            out->v = first;
        } else if (!strcmp(name, "ballot")) {
            for (uint32_t k = 0; k < n; k++) {
                if (!here[k]) continue;
                const struct sc *p = value(&items[k], 0);
                out[k / 32].v |= (uint64_t)(p->v != 0) << k % 32;
                if (p->u) out[k / 32].u |= 1ull << k % 32, out[k / 32].path = p->path;
            }
            // Whether single bits of a byte are followed is a checker's business: it may tell of
            // all of it, and need not.
            for (uint32_t k = 0; k < n; k++)
                if (here[k] && !value(&items[k], 0)->u && !L.by_bytes)
                    out[k / 32].u &= ~(0xffull << k % 32 / 8 * 8);
        } else if (strstr(name, "shuffle") || strstr(name, "rotate") || strstr(name, "broadcast")) {
            const uint64_t k = source(items, here, n, i, name);
            if (k < n) memcpy(out, value(&items[k], 0), width * sizeof *out);
            for (unsigned c = 0; k >= n && c < width; c++) out[c].u = ~0ull;
        } else {
            uint32_t from = 0, end = n, count = 0, self = 0;
            if (!strncmp(name, "clustered_", 10)) {
                const uint32_t cluster = (uint32_t)value(&items[i], 1)->v;
                if (!cluster) give_up("a cluster of nothing");
                from = i / cluster * cluster;
                end = from + cluster < n ? from + cluster : n;
            }
            for (uint32_t k = from; k < end; k++) {
                if (k == i) self = count;
                if (here[k]) values[count++] = *value(&items[k], 0);
            }
            call_of_group(in, values, count, self, 0, out);
        }
        first = false;
    }
    for (uint32_t i = 0; i < n; i++)
        if (here[i]) walk_goes_on(&items[i], results + (size_t)i * width);
    free(results);
    free(values);
}

static bool some_reconverge(struct item *items, uint32_t n)
{
    const struct item *least = NULL;
    for (uint32_t i = 0; i < n; i++) {
        const struct item *w = &items[i];
        if (w->state == READY) return false;
        if (w->state == WAITING && sub_group_some(walk_here(w)) &&
            (!least || walk_farther(w, least) < 0))
            least = w;
    }
    if (!least) return false;
    bool *here = calloc(n, sizeof *here);
    for (uint32_t i = 0; i < n; i++)
        here[i] = items[i].state == WAITING && same_instance(least, &items[i]);
    of_some(items, here, n, walk_here(least));
    free(here);
    return true;
}

static bool all_reconverge(struct group *g, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++)
        if (g->items[i].state != WAITING || !sub_group_all(walk_here(&g->items[i])) ||
            !same_instance(&g->items[first], &g->items[i]))
            return false;
    uint64_t args[64], others[64];
    const struct insn *in = walk_here(&g->items[first]);
    const unsigned n = walk_collective_args(&g->items[first], args);
    uint64_t flags = args[0];
    bool differ = false;
    for (uint32_t i = first; i < end; i++) {
        differ |= walk_collective_args(&g->items[i], others) != n ||
                  memcmp(args, others, n * sizeof *args);
        flags &= others[0];
    }
    if (differ) finding("barrier-divergence", in, NULL, "warning");
    if (!strcmp(in->builtin, "sub_group_barrier"))
        clocks_sub_barrier(g, first, end, (unsigned)flags,
                           in->nops > 1 && (args[1] == 2 || args[1] == 3));
    for (uint32_t i = first; i < end; i++) walk_met(&g->items[i]);
    return true;
}

uint32_t sub_group_end(const struct group *g, uint32_t first)
{
    return g->nitems - first < L.sub_group ? g->nitems : first + L.sub_group;
}

bool sub_group_reconverges(struct group *g, uint32_t first)
{
    const uint32_t end = sub_group_end(g, first);
    return all_reconverge(g, first, end) || some_reconverge(g->items + first, end - first);
}

bool sub_groups_reconverge(struct group *g)
{
    bool any = false;
    for (uint32_t first = 0; first < g->nitems; first += L.sub_group)
        any |= sub_group_reconverges(g, first);
    return any;
}

bool sub_groups_part(struct group *g)
{
    bool any = false;
    for (uint32_t first = 0; first < g->nitems; first += L.sub_group) {
        const uint32_t end = sub_group_end(g, first);
        bool stands = true, wanted = false;
        for (uint32_t i = first; i < end; i++) {
            stands &= g->items[i].state != READY;
            wanted |= g->items[i].state == WAITING && sub_group_all(walk_here(&g->items[i]));
        }
        if (!stands || !wanted) continue;
        any = true;
        report_divergence(g->items + first, end - first);
        for (uint32_t i = first; i < end; i++)
            if (g->items[i].state == WAITING && sub_group_all(walk_here(&g->items[i])))
                walk_met(&g->items[i]);
        clocks_sub_barrier(g, first, end, 3, false);
    }
    return any;
}
