// SPDX-License-Identifier: MIT
// printf: the text of the active lanes, in lane order, goes to the buffer of the group. The buffer
// is bounded: a kernel that prints endlessly, or a string without a terminator, must not use up
// memory. Text that does not fit is dropped, and the result of printf says so.
#include "interp/calls/printf_format.h"
#include "interp/calls/sys.h"
#include "interp/core/gang.h"
#include "interp/core/group.h"
#include "interp/core/lane_identity.h"
#include "interp/core/lane_operand.h"
#include "interp/core/memory_object.h"
#include "interp/decode/code.h"
#include "interp/launch/run.h"
#include "interp/launch/worker.h"

#include <string.h>

enum {
    MAX_TEXT = 1 << 20,
    MAX_GROUP = 64 << 20
}; // bytes of one %s (CL_DEVICE_PRINTF_BUFFER_SIZE); of a work-group
static const char full[] =
    "\n(printf: a work-group's buffer, 64 MiB, is full; the rest is left out)\n";

static void put_text(void *context, uint64_t p, struct str *text)
{
    struct vm_gang *g = context;
    const struct vm_object *o = vm_object_of(g, p);
    int64_t at = vm_offset_of(p);
    if (o->kind >= VM_OBJ_LOCAL && at >= 0)
        for (; (uint64_t)at < o->size && o->base[at] && text->len < MAX_TEXT; at++)
            str_put_char(text, o->base[at]);
    else str_put(text, "(null)");
}

static void mismatch(struct vm_gang *g, const struct vm_insn *ip, uint32_t lane, const char *what)
{
    struct vm_run *run = g->worker->run;
    uint32_t calls[CHK_MAX_CALLS];
    const unsigned n = vm_calls_of(g, calls);
    chk_report_printf(&run->chk, (struct chk_where){ip->src->loc, calls, n}, vm_item_of(g, lane),
                      what);
}

static bool print_lane(struct vm_gang *g, const struct vm_insn *ip, uint32_t lane)
{
    const struct vm_printf *q = ip->p;
    struct str *out = &g->group->out;
    if (out->len >= MAX_GROUP) return true;
    struct vm_format_value *args = mem_alloc((q->nargs + 1) * sizeof *args);
    uint64_t *bits = mem_alloc((q->nargs * 16 + 1) * sizeof *bits);
    for (uint32_t k = 0; k < q->nargs; k++) {
        const struct vm_printf_arg *a = &q->args[k];
        const unsigned elog = (unsigned)__builtin_ctz(bc_type_size((enum bc_type)a->type));
        args[k] = (struct vm_format_value){a->type, a->ncomp, bits + 16 * k};
        for (unsigned j = 0; j < a->ncomp; j++)
            bits[16 * k + j] = vm_operand_bits(g, a->off[j], a->varying >> j & 1, elog, lane);
    }
    char wrong[VM_FORMAT_WRONG];
    const bool ok =
        vm_format(out, &(struct vm_printf_call){q->format, args, q->nargs, put_text, g}, wrong);
    if (!ok) mismatch(g, ip, lane, wrong);
    if (out->len >= MAX_GROUP) str_put(out, full);
    free(bits);
    free(args);
    return !ok;
}

const struct vm_insn *vm_op_printf(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_printf *q = ip->p;
    for (uint32_t i = 0; i < g->nlanes; i++) {
        if (!g->mask[i]) continue;
        const bool wrong = print_lane(g, ip, i);
        if (q->has_dst) vm_set_operand(g, q->dst, q->dst_varying, 2, i, wrong ? UINT32_MAX : 0);
    }
    return ip + 1;
}
