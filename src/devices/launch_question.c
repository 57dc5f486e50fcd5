// SPDX-License-Identifier: MIT
#include "devices/launch_question.h"

#include <string.h>

static bool has_root(const struct bc_arg *decl, const struct vm_arg *a, const void *root)
{
    const bool has_memory = decl->kind == BC_ARG_BUFFER || decl->kind == BC_ARG_IMAGE;
    return has_memory && a->buffer.host && a->buffer.root == root;
}

/** An image whose memory no other argument has. */
static struct proof_arg image(const struct vm_launch *l, const struct bc_arg *decl, uint32_t i)
{
    const struct vm_arg *a = &l->args[i];
    const struct vm_image *m = &a->image;
    for (uint32_t k = 0; k < l->kernel->nargs; k++)
        if (k != i && has_root(&decl[k], &l->args[k], a->buffer.root))
            return (struct proof_arg){.kind = PROOF_OPAQUE};
    struct proof_arg r = {.kind = PROOF_IMAGE, .object = i, .defined = !a->buffer.written};
    for (unsigned d = 0; d < 3; d++)
        r.image[d] = d < m->ndims ? m->size[d] : d == m->ndims && m->is_array ? m->layers : 1;
    return r;
}

static struct proof_arg argument(const struct vm_launch *l, const struct bc_arg *decl, uint32_t i,
                                 bool has_images)
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
    case BC_ARG_IMAGE:
        return has_images ? image(l, decl, i) : (struct proof_arg){.kind = PROOF_OPAQUE};
    case BC_ARG_SAMPLER: { // its addressing mode: see struct vm_arg
        const bool clamps = *(const uint64_t *)a->value & 0xe;
        return (struct proof_arg){.kind = clamps ? PROOF_CLAMPING_SAMPLER : PROOF_OPAQUE};
    }
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
                                          struct arena *a, bool has_images)
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
    for (uint32_t i = 0; i < l->kernel->nargs; i++) args[i] = argument(l, decl, i, has_images);
    return q;
}
