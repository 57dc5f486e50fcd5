// SPDX-License-Identifier: MIT
// Two arbitrary work-items stand for all: a race has two sides (the two-thread reduction of Betts
// et al., "GPUVerify: a verifier for GPU kernels", OOPSLA 2012). Each has its own copy of every
// symbol, except for those that are equal in both:
//
//   - arguments; and in one group, the ids of the group;
//   - uniform values of the group (regions/uniformity.c) that both compute in the same dynamic
//     instance: before the interval began, or once in it.
//
// A uniform value loaded from memory is equal in both only if no work-item writes there in between.
// That is sound although races are yet to be excluded: regard the first race of an execution; all
// loads before it gave equal values. It does need that no property on which it relies is refuted or
// unknown: pk.relies_on. Loads from memory that is never written need no such argument.
#include "proof/kernel.h"

void pk_view_init(struct pk_view *v, struct pk *k, bool same_group)
{
    *v = (struct pk_view){.k = k, .same_group = same_group, .start = -1};
    k->view = v;
}

void pk_view_deinit(struct pk_view *v)
{
    v->k->view = NULL;
    map_deinit(&v->memo[0]);
    map_deinit(&v->memo[1]);
}

/** Whether two nodes are in the same copies of all loops around `a` up to `loop`. */
static bool in_same_copy(const struct pk *k, unsigned a, unsigned b, int loop)
{
    if (!rg_in_loop(&k->f.loops[loop], k->nodes.data[b].block)) return false;
    for (int l = loop; l >= 0; l = k->f.loops[l].parent)
        if (pk_label(k, a, l) != pk_label(k, b, l)) return false;
    return true;
}

/** What was computed before the interval: the work-items have left each loop around it together. */
static bool was_together(const struct pk_view *v, unsigned node)
{
    const struct pk *k = v->k;
    for (int l = k->f.blocks[k->nodes.data[node].block].loop; l >= 0; l = k->f.loops[l].parent) {
        if (!k->is_cut[l] || !k->f.loops[l].divergent) continue;
        if (!in_same_copy(k, node, (unsigned)v->start, l)) return false;
    }
    return true;
}

static bool is_shared(const struct pk_view *v, const struct pk_symbol *y)
{
    if (y->kind == PK_ARGUMENT || y->kind == PK_NUM_GROUPS || y->kind == PK_LOCAL_SIZE ||
        y->kind == PK_GLOBAL_SIZE)
        return true;
    if (!v->same_group || !y->is_uniform) return false;
    if (y->kind == PK_GROUP_ID || y->kind == PK_GROUP_START) return true;
    if (!v->in || y->kind == PK_LOCAL_ID || y->kind == PK_UNDEFINED) return false;
    if (v->in[y->node]) return !v->k->nodes.data[y->node].is_repeated;
    return v->before[y->node] && was_together(v, y->node);
}

struct rename {
    struct pk_view *v;
    unsigned item;
};

static pf rename(void *context, pf f)
{
    const struct rename *r = context;
    struct pk *k = r->v->k;
    const struct pf_node n = *pf_get(&k->s, f);
    const struct pk_symbol y = k->symbols.data[n.value / 4];
    if (is_shared(r->v, &y)) {
        const bool memory = (y.kind == PK_LOADED && !pk_loads_constant(k, &y)) ||
                            y.kind == PK_UNKNOWN;
        if (memory && (y.kind == PK_UNKNOWN || y.space == 1 || y.space == 4))
            k->relies_on[1] = true;
        if (memory && (y.kind == PK_UNKNOWN || y.space == 3 || y.space == 4))
            k->relies_on[3] = true;
        return f;
    }
    if (n.shi < 0 || n.slo < 0)
        return pf_signed_symbol(&k->s, n.width, n.value + 1 + r->item, n.slo, n.shi);
    return pf_symbol(&k->s, n.width, n.value + 1 + r->item, n.ulo, n.uhi);
}

pf pk_of_item(struct pk_view *v, pf f, unsigned item)
{
    return pf_replace(&v->k->s, f, &v->memo[item], rename, &(struct rename){v, item});
}

/** The order of the groups of two work-items in a dimension of open local size. */
static pf groups_apart(struct pk_view *v, unsigned d)
{
    struct pk *k = v->k;
    struct pf_space *s = &k->s;
    if (!pk_has_any_local(k, d)) return pf_bool(s, true);
    pf r = pf_bool(s, true), id[2], first[2];
    for (unsigned i = 0; i < 2; i++) {
        id[i] = pk_of_item(v, pk_group_id(k, d), i);
        first[i] = pk_of_item(v, pk_first_id(k, d), i);
    }
    for (unsigned i = 0; i < 2; i++) {
        const pf end = pf_add(s, first[i], pk_local_size(k, d));
        const pf later = pf_not(s, pf_ult(s, first[!i], end));
        r = pf_and(s, r, pf_or(s, pf_not(s, pf_ult(s, id[i], id[!i])), later));
    }
    const pf differ = pf_not(s, pf_eq(s, id[0], id[1]));
    return pf_and(s, r, pf_or(s, differ, pf_eq(s, first[0], first[1])));
}

pf pk_distinct(struct pk_view *v)
{
    struct pk *k = v->k;
    struct pf_space *s = &k->s;
    pf equal = pf_bool(s, true), apart = equal;
    for (unsigned d = 0; d < 3; d++) {
        if (!v->same_group) apart = pf_and(s, apart, groups_apart(v, d));
        const pf id = v->same_group ? pk_local_id(k, d) : pk_group_id(k, d);
        equal = pf_and(s, equal, pf_eq(s, pk_of_item(v, id, 0), pk_of_item(v, id, 1)));
    }
    return pf_and(s, pf_not(s, equal), apart);
}
