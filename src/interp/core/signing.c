// SPDX-License-Identifier: MIT
// Signed pointers: which lanes may use them.
//
// A signed pointer is, from the highest bit on: 1, the number of its owner, the object's id, the
// offset (from 2^(offset_bits - 1) on, so that its low bits are those of the unsigned pointer and
// address arithmetic on the number works). Unsigned pointers have ids below 2^15. The id and the
// offset take as many bits as the launch needs, the owner has the others.
//
// Owners have different numbers in different launches, as far as the bits suffice: launch n begins
// at n times the golden ratio (Knuth's multiplicative hashing), which spreads the launches evenly.
// A pointer that an earlier launch left in a buffer is then not taken for one of this launch.
//
// Pointers far outside their object are not signed. They are out of bounds for any owner.
#include "interp/core/signing.h"

#include "interp/calls/sys.h"
#include "interp/core/lane_identity.h"
#include "interp/core/lane_operand.h"
#include "interp/core/memory_object.h"
#include "interp/decode/code.h"
#include "interp/launch/run.h"
#include "interp/launch/worker.h"
#include "interp/vm.h"

#include <string.h>

enum { LEAST_OFFSET_BITS = 24, LEAST_ID_BITS = 8, FREE_IDS = 1 << 15 };

static bool has_owner(const struct vm_object *o)
{
    return o->kind == VM_OBJ_PRIVATE || o->kind == VM_OBJ_LOCAL;
}

struct vm_signing vm_signing_of(const struct vm_run *run)
{
    struct vm_signing s = {LEAST_OFFSET_BITS, LEAST_ID_BITS, 0, 0};
    if (run->nobjects >= FREE_IDS) return s;
    for (uint32_t id = 1; id < run->nobjects; id++) {
        if (!has_owner(&run->objects[id])) continue;
        while (run->objects[id].size >> (s.offset_bits - 2)) s.offset_bits++;
        while (id >> s.id_bits) s.id_bits++;
    }
    if (s.offset_bits + s.id_bits >= 63) return s;
    s.owner_bits = (uint8_t)(63 - s.offset_bits - s.id_bits);
    s.first = run->l->number * 0x9e3779b97f4a7c15 >> (64 - s.owner_bits);
    return s;
}

static uint64_t low(uint64_t x, unsigned bits) { return x & ((1ull << bits) - 1); }

static uint64_t owner_of(const struct vm_gang *g, const struct vm_object *o, uint32_t lane)
{
    const struct chk_item item = vm_item_of(g, lane);
    return o->kind == VM_OBJ_LOCAL ? item.group
                                   : item.group * g->worker->run->group_items + item.item;
}

static uint64_t signed_pointer(struct vm_gang *g, uint32_t lane, uint64_t p)
{
    const struct vm_signing s = g->worker->run->signing;
    const struct vm_object *const o = vm_object_of(g, p);
    const uint64_t at = (uint64_t)vm_offset_of(p) + (1ull << (s.offset_bits - 1)),
                   id = p >> BC_PTR_ID_SHIFT;
    if (!has_owner(o) || at >> s.offset_bits || !s.owner_bits) return p;
    const uint64_t owner = low(s.first + owner_of(g, o, lane), s.owner_bits);
    return 1ull << 63 | owner << (s.id_bits + s.offset_bits) | id << s.offset_bits | at;
}

struct vm_signed vm_signed_of(const struct vm_run *run, uint64_t p)
{
    const struct vm_signing s = run->signing;
    if (!s.owner_bits || !vm_is_signed(p)) return (struct vm_signed){0};
    struct vm_signed x = {.object = (uint32_t)low(p >> s.offset_bits, s.id_bits),
                          .owner = low((p >> (s.id_bits + s.offset_bits)) - s.first, s.owner_bits),
                          .offset = (int64_t)low(p, s.offset_bits) -
                                    (int64_t)(1ull << (s.offset_bits - 1))};
    if (x.object >= run->nobjects || !has_owner(&run->objects[x.object]))
        return (struct vm_signed){0};
    const bool is_local = run->objects[x.object].kind == VM_OBJ_LOCAL;
    if (x.owner >= run->ngroups * (is_local ? 1 : run->group_items)) x.owner = UINT64_MAX;
    return x;
}

uint64_t vm_authenticated(const struct vm_gang *g, uint32_t lane, uint64_t p)
{
    if (!vm_is_signed(p)) return p;
    const struct vm_signed x = vm_signed_of(g->worker->run, p);
    if (!x.object || x.owner != owner_of(g, &g->objects[x.object], lane)) return p;
    return BC_PTR(x.object, x.offset);
}

/** Whether signing changes none of n pointers: they are the same object's, which has no owner. */
static bool are_unowned(struct vm_gang *g, const uint64_t *p, uint32_t n)
{
    uint64_t other = 0;
    for (uint32_t i = 0; i < n; i++) other |= (p[i] ^ p[0]) >> BC_PTR_ID_SHIFT;
    return !other && !has_owner(vm_object_of(g, p[0]));
}

const struct vm_insn *vm_op_sign(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_operands *q = ip->p;
    const bool from_varies = q->varying & 2, to_varies = q->varying & 1;
    const uint64_t *from = vm_reg(g, q->off[1]);
    uint64_t *to = vm_reg(g, q->off[0]);
    const uint32_t n = to_varies ? vm_lanes_run(g) : 1;
    if (from_varies && are_unowned(g, from, n)) {
        memmove(to, from, n * sizeof *to);
        return ip + 1;
    }
    for (uint32_t i = 0; i < n; i++) to[i] = signed_pointer(g, i, from[from_varies ? i : 0]);
    return ip + 1;
}

const struct vm_insn *vm_op_authenticate(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_operands *q = ip->p;
    const bool from_varies = q->varying & 2, to_varies = q->varying & 1;
    const uint64_t *from = vm_reg(g, q->off[1]);
    uint64_t *to = vm_reg(g, q->off[0]), any = 0;
    const uint32_t n = to_varies ? vm_lanes_run(g) : 1;
    for (uint32_t i = 0; from_varies && i < n; i++) any |= from[i];
    if (from_varies && !vm_is_signed(any)) {
        memmove(to, from, n * sizeof *to);
        return ip + 1;
    }
    for (uint32_t i = 0; i < n; i++) to[i] = vm_authenticated(g, i, from[from_varies ? i : 0]);
    return ip + 1;
}
