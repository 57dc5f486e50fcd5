// SPDX-License-Identifier: MIT
// Registers and memory of a single lane, for the paths that work lane by lane.
#include "interp/core/lane_operand.h"

#include "interp/core/gang.h"
#include "interp/core/memory_object.h"

#include <string.h>

uint64_t vm_operand_bits(struct vm_gang *g, uint32_t off, bool varying, unsigned elog,
                         uint32_t lane)
{
    const char *p = g->r + off + (varying ? (size_t)lane << elog : 0);
    switch (elog) {
    case 0: return *(const uint8_t *)p;
    case 1: return *(const uint16_t *)p;
    case 2: return *(const uint32_t *)p;
    default: return *(const uint64_t *)p;
    }
}

void vm_set_operand(struct vm_gang *g, uint32_t off, bool varying, unsigned elog, uint32_t lane,
                    uint64_t v)
{
    if (!varying) {
        *(uint64_t *)(g->r + off) = v;
        return;
    }
    memcpy(g->r + off + ((size_t)lane << elog), &v, (size_t)1 << elog);
}

// A byte of private memory: its words are interleaved over the lanes.
static char *private_byte(struct vm_gang *g, const struct vm_object *o, uint32_t lane, uint64_t off)
{
    return o->base + ((off >> 2) * g->code->width + lane) * 4 + (off & 3);
}

uint64_t vm_lane_read(struct vm_gang *g, const struct vm_object *o, uint32_t lane, uint64_t off,
                      unsigned size)
{
    uint64_t v = 0;
    if (o->kind != VM_OBJ_PRIVATE) {
        memcpy(&v, o->base + vm_own_copy(g, o, lane) + off, size);
    } else {
        for (unsigned i = 0; i < size; i++) ((char *)&v)[i] = *private_byte(g, o, lane, off + i);
    }
    return v;
}

void vm_lane_write(struct vm_gang *g, const struct vm_object *o, uint32_t lane, uint64_t off,
                   unsigned size, uint64_t v)
{
    const bool own = o->kind == VM_OBJ_PRIVATE ||
                     o->kind == VM_OBJ_LOCAL; // part of vm_group_fingerprint
    if (!own && vm_asks_for_change(g) &&
        vm_lane_read(g, o, lane, off, size) != (size == 8 ? v : v & ((1ull << size * 8) - 1)))
        g->worker_changed[0] = true;
    if (o->kind != VM_OBJ_PRIVATE) {
        memcpy(o->base + vm_own_copy(g, o, lane) + off, &v, size);
    } else {
        for (unsigned i = 0; i < size; i++) *private_byte(g, o, lane, off + i) = ((char *)&v)[i];
    }
}
