// SPDX-License-Identifier: MIT
#include "devices/compiled_undo.h"

#include "base/mem.h"
#include "base/vec.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct part {
    char *at, *data; // data: its contents
    uint64_t size;
};
struct written {
    struct vm_written *of, was;
};
struct compiled_undo {
    VEC(struct part) parts;
    VEC(struct written) written; // the bytes are parts
    char *block;                 // the data of all parts
    uint64_t size;
};

// The block of the last launch, for the next one: fresh memory costs more than to copy.
static struct {
    pthread_mutex_t lock;
    char *block;
    uint64_t size;
} spare = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool get_block(struct compiled_undo *u)
{
    uint64_t size = 0;
    for (size_t i = 0; i < u->parts.len; i++) size += u->parts.data[i].size;
    pthread_mutex_lock(&spare.lock);
    if (spare.size >= size) {
        u->block = spare.block;
        u->size = spare.size;
        spare.block = NULL;
        spare.size = 0;
    }
    pthread_mutex_unlock(&spare.lock);
    if (u->block || !size) return true;
    u->size = size;
    u->block = malloc(size);
    return u->block;
}

static void put_block(char *block, uint64_t size)
{
    pthread_mutex_lock(&spare.lock);
    char *const other = size > spare.size ? spare.block : block;
    if (other != block) {
        spare.block = block;
        spare.size = size;
    }
    pthread_mutex_unlock(&spare.lock);
    free(other);
}

struct compiled_undo *compiled_undo_take(const struct vm_launch *l, const struct bc_arg *decl,
                                         const struct proof_range *ranges)
{
    struct compiled_undo *u = mem_alloc(sizeof *u);
    for (uint32_t i = 0; i < l->kernel->nargs; i++) {
        const struct vm_buffer *b = &l->args[i].buffer;
        const uint64_t to = ranges[i].to < b->size ? ranges[i].to : b->size, from = ranges[i].from;
        if (decl[i].kind != BC_ARG_BUFFER || !decl[i].may_write || !b->host || from >= to) continue;
        const uint64_t at = b->offset + from;
        vec_push(&u->parts, ((struct part){(char *)b->host + at, NULL, to - from}));
        if (!b->written) continue;
        vec_push(&u->written, ((struct written){b->written, *b->written}));
        vec_push(&u->parts, ((struct part){(char *)b->written->bytes + at, NULL, to - from}));
    }
    if (!get_block(u)) {
        compiled_undo_free(u);
        return NULL;
    }
    char *data = u->block;
    for (size_t i = 0; i < u->parts.len; i++) {
        struct part *p = &u->parts.data[i];
        p->data = memcpy(data, p->at, p->size);
        data += p->size;
    }
    return u;
}

void compiled_undo_restore(const struct compiled_undo *u)
{
    for (size_t i = 0; i < u->parts.len; i++)
        memcpy(u->parts.data[i].at, u->parts.data[i].data, u->parts.data[i].size);
    for (size_t i = 0; i < u->written.len; i++) *u->written.data[i].of = u->written.data[i].was;
}

void compiled_undo_free(struct compiled_undo *u)
{
    if (!u) return;
    if (u->block) put_block(u->block, u->size);
    vec_free(&u->parts);
    vec_free(&u->written);
    free(u);
}
