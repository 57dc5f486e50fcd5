// SPDX-License-Identifier: MIT
#include "devices/launch_question.h"

#include <string.h>

static struct proof_arg argument(const struct vm_launch *l, const struct bc_arg *decl, uint32_t i)
{
    const struct vm_arg *a = &l->args[i];
    const struct vm_buffer *b = &a->buffer;
    uint32_t first = 0; // argument in the same allocation
    switch ((enum bc_arg_kind)decl[i].kind) {
    case BC_ARG_VALUE:
    case BC_ARG_STRUCT:
        return (struct proof_arg){.kind = PROOF_VALUE, .bytes = a->value, .size = decl[i].size};
    case BC_ARG_LOCAL: return (struct proof_arg){.kind = PROOF_LOCAL, .size = a->local_size};
    case BC_ARG_BUFFER: break;
    default: return (struct proof_arg){.kind = PROOF_OPAQUE};
    }
    if (!b->host) return (struct proof_arg){.kind = PROOF_NULL};
    if (decl[i].is_pipe || b->is_svm) return (struct proof_arg){.kind = PROOF_OPAQUE};
    while (decl[first].kind != BC_ARG_BUFFER || l->args[first].buffer.root != b->root) first++;
    return (struct proof_arg){.kind = PROOF_BUFFER,
                              .size = b->size,
                              .object = first,
                              .start = b->offset,
                              .defined = !b->written,
                              .read_only = b->read_only || decl[i].space == BC_CONSTANT,
                              .write_only = b->write_only};
}

struct proof_question dev_launch_question(const struct vm_launch *l, const struct bc_module *m,
                                          struct arena *a)
{
    const struct bc_arg *decl = m->args + l->kernel->first_arg;
    struct proof_arg *args = arena_array(a, struct proof_arg, l->kernel->nargs + 1);
    enum { SECONDS = 4 };
    struct proof_question q = {.kernel = bc_str(m, l->kernel->name),
                               .seconds = SECONDS,
                               .work_dim = l->dims,
                               .sub_group = l->sub_group ? l->sub_group : BC_MAX_SUB_GROUP,
                               .nargs = l->kernel->nargs,
                               .args = args};
    memcpy(q.global, l->global, sizeof q.global);
    memcpy(q.local, l->local, sizeof q.local);
    memcpy(q.offset, l->offset, sizeof q.offset);
    for (uint32_t i = 0; i < l->kernel->nargs; i++) args[i] = argument(l, decl, i);
    return q;
}
