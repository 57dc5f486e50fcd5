// SPDX-License-Identifier: MIT
// Gangs: their storage, and their setup for the lanes of a work-group.
#include "interp/enqueued.h"
#include "interp/core/gang.h"

#include "base/mem.h"
#include "interp/core/call_paths.h"
#include "interp/core/compaction.h"
#include "interp/core/divergence_point.h"
#include "interp/core/group.h"
#include "interp/core/idle_gangs.h"
#include "interp/core/memory_object.h"
#include "interp/core/schedule.h"
#include "interp/decode/code.h"
#include "interp/definedness/undef.h"
#include "interp/lanes/lane_shapes.h"
#include "interp/launch/packing.h"
#include "interp/launch/privatized_reduction.h"
#include "interp/launch/run.h"
#include "interp/launch/shared_program.h"
#include "interp/launch/worker.h"
#include "interp/livelock/fingerprint.h"
#include "interp/livelock/gang_livelock.h"
#include "interp/vm.h"

#include <stdlib.h>
#include <string.h>

static size_t round_up(size_t n, size_t to) { return (n + to - 1) / to * to; }

/** Allocates pieces of one block; with base NULL it only computes the size. */
struct pieces {
    char *base;
    size_t at;
};
static void *piece(struct pieces *p, size_t size)
{
    const size_t at = p->at;
    p->at += round_up(size, 64);
    return p->base ? p->base + at : NULL;
}

static void lay_out(struct vm_gang *g, const struct vm_code *c, struct pieces *p)
{
    const size_t w = c->width;
    g->r = piece(p, c->file_size);
    g->spread = piece(p, 8 * w); // adjacent, so that it can be addressed as a register
    g->full_mask = piece(p, w);
    g->spare_mask = piece(p, w);
    g->fail_mask = piece(p, w);
    g->ok_mask = piece(p, w);
    g->returned = piece(p, w);
    g->parked = piece(p, 4 * w);
    g->flags = piece(p, 4 * w);
    g->entered = piece(p, c->mode & VM_COVERAGE ? 4 * (size_t)c->nblocks : 0);
    g->trips = piece(p, c->mode & VM_COVERAGE ? c->nloops : 0);
    g->nchoices = piece(p, c->decides ? 4 * w : 0);
    g->choices = piece(p, c->decides ? VM_CHOICES * sizeof *g->choices * w : 0);
    g->offsets = piece(p, 8 * w);
    g->elements = piece(p, 4 * w);
    g->lane_ids = piece(p, 2 * w);
    g->values = piece(p, 8 * VM_MAX_COMPS * w);
    for (int i = 0; i < VM_LANE_NUMBERS; i++)
        g->lid[i] = piece(p, i <= VM_LANE_LINEAR || c->packed ? 4 * w : 0);
    for (int i = 0; i < 6; i++)
        g->gids[i / 3][i % 3] = piece(
            p, c->ids_used >> ((i / 3 ? BC_GROUP_ID : BC_GLOBAL_ID) * 3 + i % 3) & 1 ? 8 * w : 0);
    struct vm_frame *frames = piece(p, c->nfns * sizeof *frames);
    for (uint32_t i = 0; i < c->nfns; i++) {
        const uint32_t nblocks = c->fns[i].bc->nblocks;
        struct vm_frame f = {.fn = &c->fns[i], .words = (nblocks + 63) / 64};
        f.pending = piece(p, 8 * (size_t)f.words);
        f.masks = piece(p, nblocks * sizeof *f.masks);
        f.waiting = piece(p, nblocks * sizeof *f.waiting);
        f.mask = piece(p, w);
        f.sparse = piece(p, c->fns[i].bc->nloops * sizeof *f.sparse);
        f.patience = piece(p, c->fns[i].bc->nloops * sizeof *f.patience);
        f.path = !i ? &c->call_paths->list[0] : NULL;
        char *masks = piece(p, nblocks * round_up(w, 64));
        if (!p->base) continue;
        for (uint32_t b = 0; b < nblocks; b++) f.masks[b] = (uint8_t *)masks + b * round_up(w, 64);
        frames[i] = f;
    }
    g->frames = frames;
    g->private_mem = piece(p, 4 * (size_t)c->private_words * w);
}

/** Of a gang: limit, so that kernels with giant arrays are rejected before memory runs out. */
static const uint64_t MAX_PRIVATE = 2ull << 30;

struct vm_gang *vm_gang_create(const struct vm_code *c)
{
    if (c->private_words > MAX_PRIVATE / 4 / c->width) return NULL;
    struct vm_gang *g = mem_alloc(sizeof *g);
    struct pieces p = {0};
    lay_out(g, c, &p);
    g->block_mem = mem_try_alloc(p.at, 64);
    if (!g->block_mem) {
        free(g);
        return NULL;
    }
    g->block_size = p.at;
    p = (struct pieces){g->block_mem, 0};
    lay_out(g, c, &p);
    g->code = c;
    g->isa = c->isa;
    if (c->undef && !(g->undef = vm_undef_create(c))) {
        vm_gang_free(g);
        return NULL;
    }
    for (uint32_t i = 0; i < c->nfns; i++) { // constants never change
        const struct bc_fn *fn = c->fns[i].bc;
        if (fn->nconst)
            memcpy(g->r + c->fns[i].uniform_off, fn->consts, fn->nconst * sizeof *fn->consts);
    }
    return g;
}

void vm_gang_free(struct vm_gang *g)
{
    if (!g) return;
    vm_fingerprint_free(&g->livelock.reference);
    vm_undef_destroy(g->undef);
    vm_compaction_free(g);
    free(g->image_room);
    for (uint32_t i = 0; g->descriptions && i < g->code->width; i++)
        vm_enqueued_free(g->descriptions[i].launch);
    free(g->descriptions);
    vm_lane_shapes_free(g->lane_shapes);
    free(g->objects);
    free(g->block_mem);
    free(g);
}

/** Local ids of the lanes, for groups of this shape; in a pack they begin anew with each. */
static void number_lanes(struct vm_gang *g, const uint32_t shape[3], uint32_t first)
{
    if (!memcmp(g->lid_shape, shape, sizeof g->lid_shape) && g->lid_first == first) return;
    memcpy(g->lid_shape, shape, sizeof g->lid_shape);
    g->lid_first = first;
    if (g->code->packed) vm_lane_shapes_forget(g->lane_shapes); // the copies have moved
    const uint32_t items = shape[0] * shape[1] * shape[2];
    for (uint32_t i = 0; i < g->code->width; i++) {
        const uint32_t item = g->code->packed ? i % items : first + i;
        g->lid[VM_LANE_X][i] = item % shape[0];
        g->lid[VM_LANE_Y][i] = item / shape[0] % shape[1];
        g->lid[VM_LANE_Z][i] = item / shape[0] / shape[1];
        g->lid[VM_LANE_LINEAR][i] = item;
        if (!g->code->packed) continue;
        g->lid[VM_LANE_GROUP][i] = i / items;
        g->lid[VM_LANE_OFFSET][i] = i / items * shape[0] + item % shape[0];
        g->lid[VM_LANE_0][i] = 0;
    }
}

/** That of a full sub-group, unless the work-groups are smaller and the kernel requires no size. */
static uint64_t largest_sub_group(const struct vm_launch *l)
{
    const uint64_t size = vm_sub_group_size(l), items = l->local[0] * l->local[1] * l->local[2];
    return l->kernel->sub_group || size < items ? size : items;
}

static void set_ids(struct vm_gang *g, const struct vm_group *grp)
{
    const struct vm_run *run = grp->worker->run;
    const struct vm_launch *l = run->l;
    for (int k = 0; k < 3; k++) {
        g->ids[BC_GLOBAL_ID * 3 + k] = l->offset[k] + grp->id[k] * l->local[k];
        g->ids[BC_LOCAL_ID * 3 + k] = 0;
        g->ids[BC_GROUP_ID * 3 + k] = grp->id[k];
        g->ids[BC_GLOBAL_SIZE * 3 + k] = l->global[k];
        g->ids[BC_LOCAL_SIZE * 3 + k] = grp->shape[k];
        g->ids[BC_ENQUEUED_LOCAL_SIZE * 3 + k] = l->local[k];
        g->ids[BC_NUM_GROUPS * 3 + k] = run->grid[k];
        g->ids[BC_GLOBAL_OFFSET * 3 + k] = l->offset[k];
        g->ids[BC_WORK_DIM * 3 + k] = l->dims;
        g->ids[BC_SUB_GROUP_SIZE * 3 + k] = vm_sub_group_size(l);
        g->ids[BC_MAX_SUB_GROUP_SIZE * 3 + k] = largest_sub_group(l);
    }
}

/** Initializes a private object of every lane with the same bytes. */
static void fill_private(struct vm_gang *g, uint32_t object, const char *bytes, uint64_t size)
{
    const uint32_t w = g->code->width;
    for (uint64_t at = 0; at < size; at += 4) {
        uint32_t word = 0;
        memcpy(&word, bytes + at, size - at < 4 ? size - at : 4);
        uint32_t *row = (uint32_t *)g->private_mem +
                        (size_t)(g->code->private_word[object] + at / 4) * w;
        for (uint32_t i = 0; i < w; i++) row[i] = word;
    }
}

static void set_args(struct vm_gang *g, const struct vm_run *run)
{
    const struct bc_module *m = g->code->module;
    const struct bc_kernel *k = g->code->kernel;
    const uint32_t slots = g->code->fns[0].uniform_off;
    for (uint32_t i = 0; i < k->nargs; i++) {
        const struct bc_arg *a = &m->args[k->first_arg + i];
        const struct vm_arg *v = &run->l->args[vm_inherited(run->l) + i];
        const uint32_t id = m->nobjects + 1 + vm_inherited(run->l) + i;
        if (a->kind == BC_ARG_STRUCT) {
            fill_private(g, a->object, v->value,
                         a->size < m->objects[a->object].size ? a->size
                                                              : m->objects[a->object].size);
            if (g->undef) vm_undef_define_private(g, a->object + 1);
            continue;
        }
        for (uint32_t j = 0; j < a->npieces; j++) {
            const struct bc_piece *p = &m->pieces[a->first_piece + j];
            uint64_t bits = 0;
            if (a->kind == BC_ARG_BUFFER || a->kind == BC_ARG_LOCAL || a->kind == BC_ARG_IMAGE)
                bits = run->objects[id].kind == VM_OBJ_NULL ? 0
                       : v->buffer.is_svm                   ? v->buffer.address + v->buffer.offset
                                                            : BC_PTR(id, 0);
            else memcpy(&bits, (const char *)v->value + p->offset, p->size);
            memcpy(g->r + slots + 8 * (size_t)p->reg, &bits, 8);
        }
    }
}

/** The gang's view of the launch's objects: private memory is its own, local memory its group's. */
void vm_gang_bind(struct vm_gang *g, struct vm_group *grp)
{
    const struct vm_run *run = grp->worker->run;
    const struct vm_code *c = g->code;
    const struct bc_module *m = c->module;
    g->group = grp;
    g->worker = grp->worker;
    g->worker_changed = &grp->worker->changed;
    if (g->nobjects != run->nobjects || !g->objects)
        g->objects = mem_array(g->objects, run->nobjects + 1, sizeof *g->objects);
    g->nobjects = run->nobjects;
    memcpy(g->objects, run->objects, (run->nobjects + 1) * sizeof *g->objects);
    for (uint32_t id = 1; id < run->nobjects; id++) {
        struct vm_object *o = &g->objects[id];
        if (o->kind == VM_OBJ_LOCAL && grp->local_mem)
            o->base = grp->local_mem + run->local_off[id]; // otherwise it has no bytes
        if (o->kind == VM_OBJ_PRIVATE && id <= m->nobjects)
            o->base = g->private_mem + 4 * (size_t)c->private_word[id - 1] * c->width;
        if (!g->undef) continue;
        if (o->kind == VM_OBJ_LOCAL && grp->shadows) o->shadow = &grp->shadows[id];
        if (o->kind == VM_OBJ_PRIVATE && id <= m->nobjects) o->shadow = &g->undef->shadows[id - 1];
    }
    vm_privatize_bind(g);
    for (uint32_t f = 1; f < c->nfns; f++) vm_set_variables(g, &c->fns[f], false);
}

void vm_gang_start(struct vm_gang *g, struct vm_group *grp, uint32_t first)
{
    const struct vm_code *c = g->code;
    const uint32_t left = grp->items > first ? grp->items - first : 0;
    g->first_item = (uint32_t)(grp->linear - grp->pack) * grp->worker->run->group_items + first;
    if (g->is_compacted) vm_compaction_drop(g);
    vm_gang_count_slots(g);
    g->nlanes = left < c->lanes ? left : c->lanes;
    g->n = g->all = g->end = (uint32_t)round_up(g->nlanes, VM_PAD);
    g->stop = false;
    g->row_mask = NULL;
    g->nparked = g->nreturned = g->ncopied = 0;
    g->state = g->nlanes ? VM_RUNNING : VM_DONE;
    if (!g->nlanes) return;
    number_lanes(g, grp->shape, first);
    set_ids(g, grp);
    if (c->packed) vm_packed_ids(g, grp);
    if (c->private_words) memset(g->private_mem, 0, 4 * (size_t)c->private_words * c->width);
    if (g->undef) vm_undef_start(g);
    set_args(g, grp->worker->run);
    memset(g->full_mask, 0, g->n);
    memset(g->full_mask, 0xff, g->nlanes);
    memset(g->returned, 0, g->n);
    if (c->parks) memset(g->parked, 0, 4 * (size_t)g->n);
    vm_choices_forget(g);
    g->nactive = g->nlanes;
    vm_frame_start(g, &g->frames[0], g->full_mask);
    vm_gang_livelock_start(g);
    g->fresh = true;
    g->at = NULL;
}
