// SPDX-License-Identifier: MIT
// Definedness of collectives. The group stores the operands of its work-items with their V bits and
// origins, since other gangs read them.
#include "interp/calls/collective.h"
#include "interp/calls/sys.h"
#include "interp/core/gang.h"
#include "interp/core/group.h"
#include "interp/core/lane_operand.h"
#include "interp/decode/code.h"
#include "interp/definedness/undef.h"
#include "interp/launch/run.h"
#include "interp/launch/worker.h"
#include "interp/stepping/step.h"

/**
 * The operands of a collective: [0, n), of which `here` take part (NULL: all).
 */
struct made_of {
    const uint8_t *undefined;
    const uint64_t *origins, *values;
    const bool *here;
    uint32_t n;
    uint64_t nobody; // origin of a value read from a missing work-item; 0: not checked
};

static bool takes_part(const struct made_of *m, uint32_t i) { return !m->here || m->here[i]; }

/** Is one of the values [0, n) undefined? *from: the origin of the first one. */
static bool any_undefined(const struct made_of *m, uint32_t n, uint64_t *from)
{
    for (uint32_t i = 0; i < n; i++) {
        if (!takes_part(m, i) || !m->undefined[i]) continue;
        *from = m->origins[i];
        return true;
    }
    return false;
}

/** Does a defined operand determine the result: a false one for all, a true one for any? */
static bool is_settled(const struct made_of *m, unsigned what)
{
    if (what != BC_COL_ALL && what != BC_COL_ANY) return false;
    for (uint32_t i = 0; i < m->n; i++)
        if (takes_part(m, i) && !m->undefined[i] && !m->values[i] == (what == BC_COL_ALL))
            return true;
    return false;
}

/**
 * Is the result of work-item `self` undefined? `of`: the work-item whose value it gets, if any.
 */
static bool is_undefined(const struct made_of *m, unsigned what, uint32_t self, uint64_t of,
                         uint64_t *from)
{
    switch (what) {
    case BC_COL_ALL:
    case BC_COL_ANY:
    case BC_COL_ALL_EQUAL:
    case BC_COL_REDUCE: return !is_settled(m, what) && any_undefined(m, m->n, from);
    case BC_COL_INCLUSIVE: return any_undefined(m, self + 1, from);
    case BC_COL_EXCLUSIVE: return any_undefined(m, self, from);
    case BC_COL_BROADCAST:
    case BC_COL_FIRST:
    case BC_COL_SHUFFLE:
    case BC_COL_SHUFFLE_XOR:
    case BC_COL_SHUFFLE_UP:
    case BC_COL_SHUFFLE_DOWN:
    case BC_COL_ROTATE:
        if (of >= m->n) {
            *from = m->nobody;
            return m->nobody;
        }
        if (!m->undefined[of]) return false;
        *from = m->origins[of];
        return true;
    default: return false;
    }
}

/**
 * The undefined bytes of a ballot: those whose lanes are all undefined. Single bits are not
 * tracked.
 */
static uint8_t ballot_bytes(const struct made_of *m, uint64_t *from)
{
    uint8_t bytes = 0, given = 0;
    for (uint32_t i = 0; i < m->n; i++) {
        if (!takes_part(m, i)) continue;
        if (!m->undefined[i]) given |= 1u << i / 8;
        else if (!bytes) *from = m->origins[i];
        bytes |= (m->undefined[i] != 0) << i / 8;
    }
    return bytes & ~given;
}

static void put(struct vm_gang *g, const struct vm_undef_collect *q)
{
    struct vm_group *grp = g->group;
    const size_t at = (size_t)grp->put_half * g->worker->run->group_items + g->first_item;
    const bool any = !q->clean && q->row && g->undef->flags[q->row];
    for (uint32_t i = 0; i < g->nlanes; i++) {
        if (!g->mask[i]) continue;
        grp->put_undef[at + i] = any ? vm_undef_row(g, q->row)[i] : 0;
        grp->put_origins[at + i] = any ? vm_undef_origins(g, q->row)[i] : 0;
    }
}

/** Does the function return another work-item's value? */
static bool exchanges(unsigned what)
{
    return what == BC_COL_BROADCAST || what == BC_COL_FIRST ||
           (what >= BC_COL_SHUFFLE && what <= BC_COL_ROTATE);
}

static uint64_t broadcast_of(struct vm_gang *g, const struct vm_collect *c, uint32_t lane)
{
    return c->how.what == BC_COL_BROADCAST
               ? vm_operand_bits(g, c->off[1], c->varying >> 1 & 1, 2, lane)
               : 0;
}

/** Is some lane's result undefined? now, from: V bits and origins of each. */
static bool of_group(struct vm_gang *g, const struct vm_undef_collect *q, uint8_t *now,
                     uint64_t *from)
{
    const struct vm_group *grp = g->group;
    const size_t at = (size_t)(grp->put_half ^ 1) * g->worker->run->group_items;
    const struct made_of m = {
        grp->put_undef + at, grp->put_origins + at, grp->put + at, NULL, grp->items, 0};
    const unsigned what = q->how->how.what;
    const bool differs = what == BC_COL_INCLUSIVE || what == BC_COL_EXCLUSIVE ||
                         what == BC_COL_BROADCAST;
    bool any = false, is = false;
    uint64_t origin = 0;
    for (uint32_t i = 0, seen = 0; i < g->nlanes && !grp->diverged; i++) {
        if (!g->mask[i]) continue;
        if (differs || !seen++)
            is = is_undefined(&m, what, g->first_item + i, broadcast_of(g, q->how, i), &origin);
        now[i] = is ? q->size : 0;
        from[i] = origin;
        any |= is;
    }
    return any;
}

/** The origin of a value that is read from a missing work-item; 0: not checked. */
static uint64_t nobodys(const struct vm_gang *g, const struct vm_undef_collect *q,
                        const struct bc_insn *insn)
{
    return q->may_lack && !g->group->diverged ? vm_origin_pack((struct vm_origin){.loc = insn->loc})
                                              : 0;
}

/** The operands of work-items [first, first + n). */
static struct made_of part_of(const struct made_of *m, uint32_t first, uint32_t n)
{
    return (struct made_of){
        m->undefined + first, m->origins + first, m->values + first, m->here + first, n, m->nobody};
}

/** The same for one sub-group, whose operands are m: now, from begin with its first lane. */
static bool of_sub_group(const struct vm_collective *how, const struct vm_sub_group *s,
                         const struct made_of *m, uint8_t size, uint8_t *now, uint64_t *from)
{
    const uint32_t n = s->size, cluster = s->cluster && s->cluster < n && !exchanges(how->what)
                                              ? (uint32_t)s->cluster
                                              : n;
    bool any = false;
    for (uint32_t i = 0; i < n; i++) {
        if (!s->active[i]) continue;
        const uint32_t low = i / cluster * cluster, end = low + cluster < n ? low + cluster : n;
        const struct made_of own = part_of(m, low, end - low);
        const uint64_t of = exchanges(how->what) ? vm_sub_group_source(how, s, i) : 0;
        if (how->what == BC_COL_BALLOT) now[i] = ballot_bytes(&own, &from[i]);
        else now[i] = is_undefined(&own, how->what, i - low, of, &from[i]) ? size : 0;
        any |= now[i] != 0;
    }
    return any;
}

static bool of_sub_groups(struct vm_gang *g, const struct vm_undef_collect *q,
                          const struct bc_insn *insn, uint8_t *now, uint64_t *from)
{
    const uint32_t size = vm_sub_group_size(g->worker->run->l),
                   row = !q->clean && g->undef->flags[q->row] ? q->row : 0; // 0: all defined
    const uint64_t nobody = nobodys(g, q, insn);
    const struct vm_collect *c = q->how;
    const bool values = c->has & 1 && !exchanges(c->how.what);
    bool any = false;
    for (uint32_t at = 0; (row || nobody) && at < g->nlanes; at += size) {
        const uint32_t n = at + size < g->nlanes ? size : g->nlanes - at;
        struct vm_sub_group s = {.first = at, .size = n, .whole = size};
        for (uint32_t i = 0; i < n; i++) {
            s.active[i] = g->mask[at + i];
            s.v[i] = values ? vm_operand_bits(g, c->off[0], c->varying & 1, 2, at + i) : 0;
            s.by[i] = c->has & 2 ? vm_operand_bits(g, c->off[1], c->varying >> 1 & 1, 2, at + i)
                                 : 0;
        }
        if (c->how.has_cluster)
            s.cluster = vm_operand_bits(g, c->off[2], c->varying >> 2 & 1, 2, at);
        const struct made_of m = {
            vm_undef_row(g, row) + at, vm_undef_origins(g, row) + at, s.v, s.active, n, nobody};
        any |= of_sub_group(&c->how, &s, &m, q->size, now + at, from + at);
    }
    return any;
}

void vm_undef_collect_stepped(struct vm_gang *const g[], const bool here[], uint32_t n)
{
    const struct vm_collect *c = NULL;
    uint64_t nobody = 0;
    struct vm_sub_group s = {.size = n, .whole = vm_sub_group_size(g[0]->worker->run->l)};
    uint8_t undefined[BC_MAX_SUB_GROUP] = {0}, now[BC_MAX_SUB_GROUP] = {0};
    uint64_t origins[BC_MAX_SUB_GROUP] = {0}, from[BC_MAX_SUB_GROUP] = {0};
    for (uint32_t i = 0; i < n; i++) {
        if (!here[i]) continue;
        const struct vm_undef_collect *q = g[i]->at->p;
        c = q->how;
        nobody = nobodys(g[i], q, g[i]->at->src);
        s.active[i] = true;
        if (c->has & 1) s.v[i] = vm_operand_bits(g[i], c->off[0], c->varying & 1, 2, 0);
        if (c->has & 2) s.by[i] = vm_operand_bits(g[i], c->off[1], c->varying >> 1 & 1, 2, 0);
        if (c->how.has_cluster)
            s.cluster = vm_operand_bits(g[i], c->off[2], c->varying >> 2 & 1, 2, 0);
        if (q->clean || !q->row || !g[i]->undef->flags[q->row]) continue;
        undefined[i] = *vm_undef_row(g[i], q->row);
        origins[i] = *vm_undef_origins(g[i], q->row);
    }
    const struct made_of m = {undefined, origins, s.v, s.active, n, nobody};
    const bool any = c && of_sub_group(&c->how, &s, &m, 0xff, now, from);
    for (uint32_t i = 0; i < n; i++) {
        if (!here[i]) continue;
        const struct vm_undef_collect *q = g[i]->at->p;
        if (q->clean && now[i]) { // switch to the same instruction in the other stream
            g[i]->at = vm_undef_switch(g[i], q->resume);
            q = g[i]->at->p;
        }
        const uint8_t bytes[VM_PAD] = {now[i] & q->size};
        const uint64_t came[VM_PAD] = {from[i]};
        if (!q->clean) vm_undef_put(g[i], q->dst, any && bytes[0] ? bytes : NULL, came, q->how_put);
        g[i]->at++;
    }
}

const struct vm_insn *vm_undef_collect(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_undef_collect *q = ip->p;
    if (q->how->how.what == BC_COL_PUT) {
        put(g, q);
        return ip + 1;
    }
    uint8_t now[VM_MAX_WIDTH] = {0};
    uint64_t from[VM_MAX_WIDTH] = {0};
    const bool any = q->is_group ? of_group(g, q, now, from)
                                 : of_sub_groups(g, q, ip->src, now, from);
    if (q->clean) return any ? vm_undef_switch(g, q->resume) : ip + 1;
    vm_undef_put(g, q->dst, any ? now : NULL, from, q->how_put);
    return ip + 1;
}
