// SPDX-License-Identifier: MIT
// Memory accesses of an instruction before its execution, for the history and for watchpoints.
#include "debug/breakpoints/memory_access.h"

#include <string.h>

bool dbg_writes(const struct bc_insn *i) { return bc_ops[i->op].effects & BC_WRITES; }
bool dbg_reads(const struct bc_insn *i) { return bc_ops[i->op].effects & BC_READS; }

static uint64_t operand(const struct vm_gang *g, const struct vm_fn *fn, uint32_t op, unsigned size,
                        uint32_t lane)
{
    uint64_t v = 0;
    if (op != BC_NONE)
        memcpy(&v,
               g->r + (op & BC_V ? fn->varying_off[op & ~BC_V] + size * lane
                                 : fn->uniform_off + 8 * op),
               size);
    return v;
}

bool dbg_access_of(const struct vm_gang *g, const struct bc_insn *i, uint32_t lane, bool reads,
                   uint64_t *address, uint64_t *size)
{
    const struct vm_fn *fn = g->frame->fn;
    const uint64_t a = operand(g, fn, i->a, 8, lane);
    switch ((enum bc_op)i->op) {
    case BC_LOAD:
    case BC_STORE:
    case BC_ATOMIC: {
        const struct bc_mem *m = &g->code->module->sites[i->site];
        const uint64_t b = operand(g, fn, i->b, m->index_kind == BC_IDX_I64 ? 8 : 4, lane);
        const int64_t index = m->index_kind == BC_IDX_NONE  ? 0
                              : m->index_kind == BC_IDX_S32 ? (int32_t)b
                                                            : (int64_t)b;
        const int64_t off = vm_offset_of(a) + index * m->scale + m->disp;
        *address = BC_PTR(a >> BC_PTR_ID_SHIFT, off);
        *size = (uint64_t)m->elem * m->ncomp;
        return off >= 0;
    }
    case BC_COPY:
    case BC_SET:
        *address = reads ? operand(g, fn, i->b, 8, lane) : a;
        *size = operand(g, fn, i->c, 8, lane);
        return true;
    case BC_ASYNC_COPY:
    case BC_IMAGE:
        *address = BC_PTR(a >> BC_PTR_ID_SHIFT, 0);
        *size = UINT64_MAX;
        return !reads;
    default: return false;
    }
}
