// SPDX-License-Identifier: MIT
// Work-group packing: the kernels that permit it, the number of groups per gang, and the ids of
// their lanes. See packing.h.
#include "interp/launch/packing.h"

#include "base/mem.h"
#include "interp/core/gang.h"
#include "interp/core/group.h"
#include "interp/decode/code.h"
#include "interp/launch/run.h"
#include "interp/launch/worker.h"
#include "interp/vm.h"

#include <stdlib.h>

struct view {
    const struct bc_module *m;
    bool is_variant; // each group has its own local memory, and all groups pass barriers together
    bool *seen;
    bool orders, global_barriers; // atomics that order other memory if barriers are global
};

static bool fn_suits(struct view *v, uint32_t fn)
{
    if (v->seen[fn]) return true;
    v->seen[fn] = true;
    const struct bc_module *m = v->m;
    const struct bc_fn *f = &m->fns[fn];
    if (f->may_part) return false;
    for (uint32_t i = 0; i < f->ninsns; i++) {
        const struct bc_insn *b = &f->insns[i];
        const unsigned kind = b->ext & 0xff;
        switch ((enum bc_op)b->op) {
        case BC_BARRIER:
            if (!v->is_variant || b->a != BC_BAR_BARRIER || b->b >= f->nconst ||
                b->c > BC_SCOPE_GROUP)
                return false;
            v->global_barriers |= (f->consts[b->b] & BC_FENCE_GLOBAL) != 0;
            break;
        case BC_ATOMIC: {
            const struct bc_mem *s = &m->sites[b->site];
            if ((s->order >= BC_ACQUIRE && s->order <= BC_SEQ_CST) || vm_atomic_is_narrow(s))
                return false;
            v->orders |= s->order == BC_CL1 && s->space != BC_LOCAL;
            break;
        }
        case BC_CALL:
            if (!fn_suits(v, f->ext[b->ext])) return false;
            break;
        case BC_WI_I32:
        case BC_WI_I64:
            if ((kind <= BC_GROUP_ID || kind == BC_GLOBAL_LINEAR_ID ||
                 kind == BC_LOCAL_LINEAR_ID) &&
                !(b->dst & BC_V))
                return false;
            break;
        default:
            if (bc_ops[b->op].effects & (BC_CROSSES | BC_SHOWS | BC_ORDERS)) return false;
        }
    }
    if (v->is_variant) return true;
    for (uint32_t i = 0; i < m->nobjects; i++)
        if (m->objects[i].kind == BC_OBJ_LOCAL && m->objects[i].fn == fn) return false;
    for (uint32_t i = 0; i < f->nconst; i++) {
        const uint64_t id = f->consts[i] >> BC_PTR_ID_SHIFT;
        if (id && id <= m->nobjects && m->objects[id - 1].kind == BC_OBJ_LOCAL) return false;
    }
    return true;
}

bool vm_packing_suits(const struct bc_module *m, const struct bc_kernel *k)
{
    struct view v = {
        .m = m, .is_variant = k >= m->kernels + m->nkernels, .seen = mem_alloc(m->nfns + 1)};
    bool suits = true;
    for (uint32_t i = 0; i < k->nargs && !v.is_variant; i++)
        suits &= m->args[k->first_arg + i].kind != BC_ARG_LOCAL;
    suits = suits && fn_suits(&v, k->fn) && !(v.orders && v.global_barriers);
    free(v.seen);
    return suits;
}

// Packs fill multiples of VM_PAD lanes, and are numerous enough to distribute over workers, but
// have at least PACK_LANES lanes.
uint32_t vm_packing_size(uint32_t items, uint64_t ngroups, uint32_t most)
{
    enum { PACK_LANES = 64, PACKS = 8 };
    uint64_t n = most / items;
    const uint64_t some = (PACK_LANES + items - 1) / items, share = ngroups / PACKS;
    if (n > some && n > share) n = share > some ? share : some;
    uint32_t whole = VM_PAD; // groups that fill multiples of VM_PAD lanes
    while (whole > 1 && items * (whole / 2) % VM_PAD == 0) whole /= 2;
    if (n > whole) n -= n % whole;
    return n > 1 ? (uint32_t)n : 1;
}

static bool is_full(const struct vm_run *run, uint64_t linear)
{
    const struct vm_launch *l = run->l;
    const uint64_t id[3] = {linear % run->grid[0], linear / run->grid[0] % run->grid[1],
                            linear / run->grid[0] / run->grid[1]};
    for (int k = 0; k < 3; k++)
        if (l->global[k] - id[k] * l->local[k] < run->max_shape[k]) return false;
    return true;
}

uint64_t vm_packed_run(const struct vm_run *run, uint64_t linear, uint64_t end)
{
    const struct vm_launch *l = run->l;
    if (l->global[0] % l->local[0] == 0 && l->global[1] % l->local[1] == 0 &&
        l->global[2] % l->local[2] == 0)
        return end - linear;
    uint64_t n = 0;
    while (linear + n < end && is_full(run, linear + n)) n++;
    return n ? n : 1;
}

static uint64_t *gid(struct vm_gang *g, unsigned kind, unsigned dim)
{
    return g->gids[kind == BC_GROUP_ID][dim];
}

/** Ids of lanes [from, to) in neighboring groups in dimension 0; `id`: that of the first group. */
static void row_ids(struct vm_gang *g, const struct vm_run *run, uint32_t from, uint32_t to,
                    const uint64_t id[3])
{
    const struct vm_launch *l = run->l;
    const uint32_t *const group = g->lid[VM_LANE_GROUP] + from;
    for (unsigned k = 0; k < 3; k++) {
        if (g->code->ids_used >> (BC_GLOBAL_ID * 3 + k) & 1)
            g->isa->packed_ids(gid(g, BC_GLOBAL_ID, k) + from, l->offset[k] + id[k] * l->local[k],
                               group, k ? 0 : (uint32_t)l->local[0], g->lid[k] + from, to - from);
        if (g->code->ids_used >> (BC_GROUP_ID * 3 + k) & 1)
            g->isa->packed_ids(gid(g, BC_GROUP_ID, k) + from, id[k], group, !k, NULL, to - from);
    }
}

void vm_packed_ids(struct vm_gang *g, const struct vm_group *grp)
{
    const struct vm_run *run = grp->worker->run;
    uint64_t id[3] = {grp->id[0], grp->id[1], grp->id[2]};
    g->one_row = run->grid[0] - id[0] >= grp->ngroups;
    if (!g->code->ids_used || (g->one_row && !g->code->linear_used)) return;
    const uint32_t each = grp->items / grp->ngroups;
    for (uint32_t at = 0; at < grp->ngroups;) {
        const uint64_t left = run->grid[0] - id[0];
        const uint32_t n = left < grp->ngroups - at ? (uint32_t)left : grp->ngroups - at;
        row_ids(g, run, at * each, (at + n) * each, id);
        at += n;
        id[0] = 0;
        if (++id[1] == run->grid[1]) {
            id[1] = 0;
            id[2]++;
        }
    }
}
