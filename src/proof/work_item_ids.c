// SPDX-License-Identifier: MIT
// Work-item functions. The local id and the group id of a dimension are symbols, and so is the
// number of groups if the global size is open; the others follow from them. If the work-groups of a
// dimension do not divide its size, the last one is smaller.
//
// If the local size is open, too, it is a symbol L, and the first global id of group g is the
// product g · L. Products are hard for a solver, so it is a symbol of its own with what is needed
// of it: it is inside the launch, the same in one group, and of two groups g < h,
// g · L + L <= h · L (pair.c).
#include "proof/kernel.h"

#include "llvm/ir.h"

#include <string.h>

bool pk_has_any_local(const struct pk *k, unsigned d)
{
    return k->q->least_local[d] && k->q->least_local[d] < k->q->local[d];
}

uint64_t pk_most_groups(const struct pk *k, unsigned d)
{
    const uint64_t local = pk_has_any_local(k, d) ? k->q->least_local[d] : k->q->local[d];
    return (k->q->global[d] + local - 1) / local;
}

uint64_t pk_least_items(const struct pk *k, unsigned d)
{
    if (pk_has_any_local(k, d)) return k->q->least_local[d];
    const uint64_t rest = k->q->global[d] % k->q->local[d];
    return rest ? rest : k->q->local[d];
}

static pf id_symbol(struct pk *k, enum pk_symbol_kind kind, unsigned d, uint64_t least,
                    uint64_t most)
{
    uint64_t *at = map_put(&k->values, hash_bytes(&d, sizeof d, 100 + kind), NULL);
    if (*at) return (pf)*at;
    const struct pk_symbol symbol = {.kind = kind, .index = d, .is_uniform = kind != PK_LOCAL_ID};
    const pf f = pk_new_symbol(k, 64, symbol, least, most);
    *map_put(&k->values, hash_bytes(&d, sizeof d, 100 + kind), NULL) = f;
    return f;
}

pf pk_local_id(struct pk *k, unsigned d)
{
    const uint64_t most = k->q->local[d] < k->q->global[d] ? k->q->local[d] : k->q->global[d];
    return id_symbol(k, PK_LOCAL_ID, d, 0, most - 1);
}
pf pk_group_id(struct pk *k, unsigned d)
{
    return id_symbol(k, PK_GROUP_ID, d, 0, pk_most_groups(k, d) - 1);
}

/** The global size is open: any multiple of the local one in its range. */
static bool is_open(const struct pk *k, unsigned d)
{
    return k->q->fewest[d] && k->q->fewest[d] < k->q->global[d];
}

static pf num_groups(struct pk *k, unsigned d)
{
    const bool open = is_open(k, d);
    if (!open && !pk_has_any_local(k, d)) return pf_const(&k->s, 64, pk_most_groups(k, d));
    const uint64_t local = k->q->local[d], least = open ? k->q->fewest[d] : k->q->global[d];
    return id_symbol(k, PK_NUM_GROUPS, d, (least + local - 1) / local, pk_most_groups(k, d));
}

pf pk_global_size(struct pk *k, unsigned d)
{
    if (!is_open(k, d)) return pf_const(&k->s, 64, k->q->global[d]);
    if (pk_has_any_local(k, d))
        return id_symbol(k, PK_GLOBAL_SIZE, d, k->q->fewest[d], k->q->global[d]);
    return pf_scale(&k->s, num_groups(k, d), (int64_t)k->q->local[d]);
}

pf pk_local_size(struct pk *k, unsigned d)
{
    return pk_has_any_local(k, d)
               ? id_symbol(k, PK_LOCAL_SIZE, d, k->q->least_local[d], k->q->local[d])
               : pf_const(&k->s, 64, k->q->local[d]);
}

pf pk_first_id(struct pk *k, unsigned d)
{
    return pk_has_any_local(k, d) ? id_symbol(k, PK_GROUP_START, d, 0, k->q->global[d] - 1)
                                  : pf_scale(&k->s, pk_group_id(k, d), (int64_t)k->q->local[d]);
}

pf pk_product(struct pk *k, pf a, pf b)
{
    for (unsigned d = 0; d < 3; d++) {
        if (!pk_has_any_local(k, d)) continue;
        const pf id = pk_group_id(k, d), size = pk_local_size(k, d);
        if ((a == id && b == size) || (a == size && b == id)) return pk_first_id(k, d);
    }
    return pf_mul(&k->s, a, b);
}

/** Work-items of the group in a dimension. */
static pf local_size(struct pk *k, unsigned d)
{
    struct pf_space *s = &k->s;
    const bool whole = is_open(k, d) || pk_has_any_local(k, d);
    const uint64_t rest = whole ? 0 : k->q->global[d] % k->q->local[d];
    const pf usual = pk_local_size(k, d);
    if (!rest) return usual;
    const pf last = pf_eq(s, pk_group_id(k, d), pf_const(s, 64, pk_most_groups(k, d) - 1));
    return pf_ite(s, last, pf_const(s, 64, rest), usual);
}

/** All groups are whole and inside the launch. */
static pf any_local_holds(struct pk *k, unsigned d)
{
    struct pf_space *s = &k->s;
    const pf size = pk_local_size(k, d), end = pf_add(s, pk_first_id(k, d), size);
    const pf inside = pf_not(s, pf_ult(s, pk_global_size(k, d), end));
    const pf counted = pf_and(s, pf_ult(s, pk_group_id(k, d), num_groups(k, d)),
                              pf_not(s, pf_ult(s, pk_global_size(k, d), num_groups(k, d))));
    const pf g = pk_group_id(k, d), zero = pf_const(s, 64, 0);
    const pf least = pf_not(s, pf_ult(s, pk_first_id(k, d), g));
    const pf first = pf_or(s, pf_ult(s, zero, g), pf_eq(s, pk_first_id(k, d), zero));
    const pf start = pf_and(s, least, first);
    return pf_and(s, pf_and(s, pf_and(s, inside, counted), start),
                  pf_ult(s, pk_local_id(k, d), size));
}

pf pk_ids_hold(struct pk *k)
{
    pf r = pf_bool(&k->s, true);
    for (unsigned d = 0; d < 3; d++)
        if (pk_has_any_local(k, d)) r = pf_and(&k->s, r, any_local_holds(k, d));
        else if (is_open(k, d))
            r = pf_and(&k->s, r, pf_ult(&k->s, pk_group_id(k, d), num_groups(k, d)));
        else if (k->q->global[d] % k->q->local[d])
            r = pf_and(&k->s, r, pf_ult(&k->s, pk_local_id(k, d), local_size(k, d)));
    return r;
}

static pf global_id(struct pk *k, unsigned d, bool offset)
{
    struct pf_space *s = &k->s;
    const pf id = pf_add(s, pk_first_id(k, d), pk_local_id(k, d));
    return offset ? pf_add(s, id, pf_const(s, 64, k->q->offset[d])) : id;
}

/** (id[2] · size[1] + id[1]) · size[0] + id[0] */
static pf linear(struct pk *k, bool local)
{
    struct pf_space *s = &k->s;
    pf r = pf_const(s, 64, 0);
    for (unsigned d = 3; d-- > 0;) {
        const pf size = local ? local_size(k, d) : pk_global_size(k, d);
        r = pf_add(s, pf_mul(s, r, size), local ? pk_local_id(k, d) : global_id(k, d, false));
    }
    return r;
}

static pf work_items(struct pk *k, bool enqueued)
{
    pf r = pf_const(&k->s, 64, 1);
    for (unsigned d = 0; d < 3; d++)
        r = pf_mul(&k->s, r, enqueued ? pk_local_size(k, d) : local_size(k, d));
    return r;
}

static pf smaller(struct pk *k, pf a, pf b) { return pf_ite(&k->s, pf_ult(&k->s, a, b), a, b); }

pf pk_sub_group_id(struct pk *k)
{
    return pf_binary(&k->s, PF_UDIV, linear(k, true), pf_const(&k->s, 64, k->sub_group));
}

/** Sub-groups are work-items with consecutive linear ids; the last one may be smaller. */
static pf of_sub_group(struct pk *k, const char *name)
{
    struct pf_space *s = &k->s;
    const pf size = pf_const(s, 64, k->sub_group);
    const pf lane = pf_binary(s, PF_UREM, linear(k, true), size);
    const bool enqueued = !strcmp(name, "get_enqueued_num_sub_groups");
    if (!strcmp(name, "get_sub_group_id")) return pk_sub_group_id(k);
    if (!strcmp(name, "get_sub_group_local_id")) return lane;
    if (!strcmp(name, "get_max_sub_group_size"))
        return k->requires_sub_group ? size : smaller(k, size, work_items(k, true));
    if (!strcmp(name, "get_sub_group_size"))
        return smaller(k, size, pf_sub(s, work_items(k, false), pf_sub(s, linear(k, true), lane)));
    if (!enqueued && strcmp(name, "get_num_sub_groups")) return PF_NONE;
    const pf up = pf_add(s, work_items(k, enqueued), pf_const(s, 64, k->sub_group - 1));
    return pf_binary(s, PF_UDIV, up, size);
}

enum { LOCAL_ID, GLOBAL_ID, GROUP_ID, LOCAL_SIZE, GLOBAL_SIZE, NUM_GROUPS, OFFSET, ENQUEUED };

static pf of_dimension(struct pk *k, unsigned what, unsigned d)
{
    struct pf_space *s = &k->s;
    switch (what) {
    case LOCAL_ID: return pk_local_id(k, d);
    case GLOBAL_ID: return global_id(k, d, true);
    case GROUP_ID: return pk_group_id(k, d);
    case LOCAL_SIZE: return local_size(k, d);
    case GLOBAL_SIZE: return pk_global_size(k, d);
    case NUM_GROUPS: return num_groups(k, d);
    case OFFSET: return pf_const(s, 64, k->q->offset[d]);
    default: return pk_local_size(k, d);
    }
}

pf pk_work_item(struct pk *k, LLVMValueRef call, const char *name, pf dim)
{
    static const struct {
        const char *name;
        unsigned what, beyond; // the result for dimensions above 2
    } table[] = {
        {"get_local_id", LOCAL_ID, 0},       {"get_global_id", GLOBAL_ID, 0},
        {"get_group_id", GROUP_ID, 0},       {"get_local_size", LOCAL_SIZE, 1},
        {"get_global_size", GLOBAL_SIZE, 1}, {"get_num_groups", NUM_GROUPS, 1},
        {"get_global_offset", OFFSET, 0},    {"get_enqueued_local_size", ENQUEUED, 1},
    };
    struct pf_space *s = &k->s;
    const unsigned w = pk_bits(call);
    if (!strcmp(name, "get_work_dim"))
        return k->q->work_dim ? pf_const(s, w, k->q->work_dim) : PF_NONE;
    const pf sub_group = of_sub_group(k, name);
    if (sub_group) return pf_trunc(s, sub_group, w);
    if (w != 64) return PF_NONE;
    if (!strcmp(name, "get_global_linear_id")) return linear(k, false);
    if (!strcmp(name, "get_local_linear_id")) return linear(k, true);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (strcmp(name, table[i].name) || !dim) continue;
        pf r = pf_const(s, 64, table[i].beyond);
        for (unsigned n = 3; n-- > 0;)
            r = pf_ite(s, pf_eq(s, dim, pf_const(s, pf_width(s, dim), n)),
                       of_dimension(k, table[i].what, n), r);
        return r;
    }
    return PF_NONE;
}
