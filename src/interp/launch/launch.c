// SPDX-License-Identifier: MIT
// A launch: what ids stand for, what is watched for races, how groups are spread over workers, and
// the findings at the end.
#include "interp/launch/packing.h"

#include "base/mem.h"
#include "bytecode/pipe_head.h"
#include "interp/core/call_paths.h"
#include "interp/launch/counters.h"
#include "interp/core/compaction.h"
#include "interp/launch/preconditions.h"
#include "interp/launch/pool.h"
#include "interp/launch/privatized_reduction.h"

#include <fenv.h>
#include <stdlib.h>
#include <string.h>

enum {
    // Registers of 2 KiB: more of them than a kernel mostly has stay in L1, and each instruction is
    // dispatched once for many. A gang of 256 took a fifth to a half longer for grids' and short
    // kernels, too.
    GANG_LANES = 512,
    // Of groups that share a gang and have barriers or local memory: what is the same for a group
    // is no more for the gang, which costs large groups more than they gain; and patterns of more
    // lanes are none to the race check.
    FORM_LANES = 256,
    WORTH_MEASURING = 64, // batches: whether workers are in each other's way
    SMALL_LAUNCH = 512,   // work-items: below, waking threads costs more than it gives
    MAX_WAITING_GROUPS = 256,
};
static const uint64_t MAX_PRIVATE_BYTES = 64 << 20; // of a gang; more makes gangs narrower
static const uint64_t MAX_LOCAL_BYTES =
    256 << 10; // of a batch: what is more does not stay in the second cache

/** Of all local memory of a group. */
static uint64_t local_size(const struct vm_launch *l)
{
    uint64_t n = l->kernel->local_size;
    for (uint32_t i = 0; i < l->kernel->nargs; i++)
        if (l->program->module->args[l->kernel->first_arg + i].kind == BC_ARG_LOCAL)
            n += l->args[i].local_size;
    return n;
}

/** The kernel, or its form for batches: the one that can be in such; NULL: neither. */
static const struct bc_kernel *batch_form(const struct vm_launch *l, uint32_t items)
{
    const struct bc_kernel *k = l->kernel->batch && items <= BC_FORM_ITEMS
                                    ? &l->program->module->kernels[l->kernel->batch]
                                    : l->kernel;
    return vm_program_batches(l->program, k) ? k : NULL;
}

/** The width of gangs, how many groups one holds, and which form of the kernel runs. */
static uint32_t lanes_for(const struct vm_launch *l, uint32_t items, uint64_t ngroups,
                          uint32_t *batch, const struct bc_kernel **kernel)
{
    *batch = 1;
    if (l->debugger || l->schedule) return 1;
    uint32_t most = l->gang ? l->gang : GANG_LANES;
    if (most > VM_MAX_WIDTH) most = VM_MAX_WIDTH;
    while (most > VM_PAD && l->kernel->private_size * most > MAX_PRIVATE_BYTES) most /= 2;
    const struct bc_kernel *const form = items <= most / 2 && ngroups > 1 ? batch_form(l, items)
                                                                          : NULL;
    const uint64_t own = form && form != l->kernel ? local_size(l) : 0;
    uint64_t room = form && form != l->kernel && most > FORM_LANES && !l->gang ? FORM_LANES : most;
    if (own && room > MAX_LOCAL_BYTES / own * items) room = MAX_LOCAL_BYTES / own * items;
    if (form && items <= room / 2) *batch = vm_batch_size(items, ngroups, (uint32_t)room);
    if (*batch > 1) {
        *kernel = form;
        return *batch * items;
    }
    const uint32_t unit =
        l->program->sub_groups && vm_sub_group_size(l) > VM_PAD ? vm_sub_group_size(l) : VM_PAD;
    if (l->gang) return l->program->sub_groups ? (most + unit - 1) / unit * unit : most;
    const uint32_t gangs = (items + most - 1) / most, each = (items + gangs - 1) / gangs;
    return (each + unit - 1) / unit * unit;
}

static bool wants(const struct vm_launch *l, enum vm_check check, enum rep_kind k)
{
    return l->checks & check && l->rep && rep_wants(l->rep, k);
}

/** What is to be followed: see enum vm_mode. */
static unsigned mode_of(const struct vm_launch *l)
{
    unsigned mode = wants(l, VM_CHECK_ARITH, REP_INVALID_CONVERSION) ? VM_CONVERSIONS : 0;
    if (l->debugger || l->schedule) mode |= VM_STEPPED;
    if (wants(l, VM_CHECK_BOUNDS, REP_SUBOBJECT_OVERFLOW)) mode |= VM_SUBOBJECTS;
    if (!wants(l, VM_CHECK_UNINIT, REP_UNINITIALIZED_READ)) return mode;
    mode |= VM_UNDEF_ON;
    if (l->program->copies_structs) mode |= VM_UNDEF_GLOBAL_READ | VM_UNDEF_GLOBAL_WRITE;
    for (uint32_t i = 0; i < l->kernel->nargs; i++) {
        const struct bc_arg *a = &l->program->module->args[l->kernel->first_arg + i];
        if (a->kind == BC_ARG_IMAGE && a->may_read && l->args[i].buffer.written)
            mode |= VM_UNDEF_IMAGE;
        if (a->kind != BC_ARG_BUFFER || !l->args[i].buffer.host || !l->args[i].buffer.written)
            continue;
        if (a->may_read) mode |= VM_UNDEF_GLOBAL_READ;
        mode |= VM_UNDEF_GLOBAL_WRITE;
    }
    return mode;
}

static void set_grid(struct vm_run *run)
{
    const struct vm_launch *l = run->l;
    run->ngroups = 1;
    run->group_items = 1;
    for (int k = 0; k < 3; k++) {
        run->grid[k] = (l->global[k] + l->local[k] - 1) / l->local[k];
        run->max_shape[k] = (uint32_t)(l->global[k] < l->local[k] ? l->global[k] : l->local[k]);
        run->ngroups *= run->grid[k];
        run->group_items *= run->max_shape[k];
    }
}

static struct vm_object object(enum vm_object_kind kind, enum bc_space space, char *base,
                               uint64_t size, uint8_t flags)
{
    return (struct vm_object){
        base, size, (uint8_t)kind, flags, (uint8_t)space, (uint16_t)(1u << space),
        0,    NULL, NULL,          0,     NULL,           0,
        0,    0};
}

/** The host may want to know which bytes are touched. */
static void set_touched(struct vm_object *o, struct vm_touched *t, uint64_t origin)
{
    if (!t) return;
    o->touched = t;
    o->origin = origin;
    o->flags |= VM_WATCH_GLOBAL;
}

static void set_module_objects(struct vm_run *run, struct chk_object *names)
{
    const struct bc_module *m = run->code->module;
    const struct vm_program *p = run->l->program;
    uint64_t variables = 0;
    for (uint32_t i = 0; i < m->nobjects; variables += vm_variable_room(&m->objects[i++])) {
        const struct bc_object *o = &m->objects[i];
        static const char *const memory[] = {"private memory", "local memory", "constant memory",
                                             "global memory"};
        names[i + 1] = (struct chk_object){.name = o->name ? bc_str(m, o->name) : NULL,
                                           .memory = memory[o->kind],
                                           .size = o->size,
                                           .loc = o->loc};
        struct vm_object *to = &run->objects[i + 1];
        if (!run->code->has_object[i] &&
            (o->kind == BC_OBJ_PRIVATE || o->kind == BC_OBJ_LOCAL)) { // another kernel's
            *to = object(VM_OBJ_NONE, BC_PRIVATE, NULL, 0, 0);
            continue;
        }
        switch ((enum bc_object_kind)o->kind) {
        case BC_OBJ_PRIVATE: *to = object(VM_OBJ_PRIVATE, BC_PRIVATE, NULL, o->size, 0); break;
        case BC_OBJ_LOCAL:
            *to = object(VM_OBJ_LOCAL, BC_LOCAL, NULL, o->size, 0);
            run->local_off[i + 1] = run->code->local_off[i];
            break;
        case BC_OBJ_CONSTANT:
            *to = object(VM_OBJ_CONSTANT, BC_CONSTANT, p->storage[i], o->size, VM_READ_ONLY);
            break;
        case BC_OBJ_PROGRAM:
            *to = object(VM_OBJ_PROGRAM, BC_GLOBAL, p->storage[i], o->size, 0);
            set_touched(to, run->l->variables, variables);
            if (run->l->writer && run->l->writer->root == p->storage[i])
                to->flags |= VM_WATCH_GLOBAL;
            break;
        }
    }
}

// A pointer of a kernel never leads into an image: no space is its own.
static void set_image(const struct vm_arg *v, struct vm_object *o, struct chk_object *c)
{
    const struct vm_buffer *b = &v->buffer;
    const struct vm_image *m = &v->image;
    c->memory = "image";
    c->origin = b->origin;
    c->image = (struct chk_image){.pixel = m->format.size,
                                  .ndims = m->ndims,
                                  .is_array = m->is_array,
                                  .layers = m->layers,
                                  .row_pitch = m->row_pitch,
                                  .slice_pitch = m->slice_pitch};
    memcpy(c->image.size, m->size, sizeof m->size);
    *o = object(VM_OBJ_IMAGE, BC_GLOBAL, (char *)b->host + b->offset, b->size,
                (uint8_t)((b->read_only ? VM_READ_ONLY : 0) | (b->write_only ? VM_WRITE_ONLY : 0)));
    o->spaces = 0;
}

static bool root_is_written(const struct vm_run *run, const void *root)
{
    const struct bc_kernel *k = run->l->kernel;
    for (uint32_t i = 0; i < k->nargs; i++) {
        const struct bc_arg *a = &run->code->module->args[k->first_arg + i];
        if ((a->kind == BC_ARG_BUFFER || a->kind == BC_ARG_IMAGE) && a->may_write &&
            run->l->args[i].buffer.root == root)
            return true;
    }
    return false;
}

/**
 * A buffer that is wholly written may get structs that lack members: what the launch leaves
 * undefined of it is followed to the launch's end. One shadow a root; pages that stay defined cost
 * nothing.
 */
static struct vm_shadow *follow_structs(struct vm_run *run, uint32_t arg, uint32_t id)
{
    const struct vm_buffer *b = &run->l->args[arg].buffer;
    if (!run->shadows) run->shadows = mem_alloc(run->nobjects * sizeof *run->shadows);
    struct vm_shadow *s = &run->shadows[id];
    for (uint32_t i = 0; i < arg; i++) {
        const struct vm_buffer *o = &run->l->args[i].buffer;
        const struct vm_shadow *same = &run->shadows[id - arg + i];
        if (!same->made || o->root != b->root) continue;
        *s = (struct vm_shadow){
            .bytes = same->made + b->offset, .count = same->count, .made = same->made};
        return s;
    }
    uint8_t *bytes = calloc(b->root_size, 1);
    if (!bytes) return NULL;
    *s = (struct vm_shadow){
        .bytes = bytes + b->offset, .count = &s->own_count, .made = bytes, .owns = true};
    return s;
}

/** Arguments from which pointers to the same places can be had are known by the first of them. */
static void find_same(struct vm_run *run, uint32_t first, uint32_t id)
{
    struct vm_object *const o = &run->objects[id];
    if (o->kind != VM_OBJ_BUFFER || !o->size) return;
    for (uint32_t other = first; other < id && !o->same; other++) {
        const struct vm_object *const x = &run->objects[other];
        if (x->kind != VM_OBJ_BUFFER || x->base != o->base || x->size != o->size) continue;
        o->same = (uint16_t)other;
        run->shares_arguments = true;
    }
}

static void set_arguments(struct vm_run *run, struct chk_object *names)
{
    const struct bc_module *m = run->code->module;
    const struct bc_kernel *k = run->l->kernel;
    run->local_bytes = run->code->local_bytes;
    for (uint32_t i = 0; i < k->nargs; i++) {
        const struct bc_arg *a = &m->args[k->first_arg + i];
        const uint32_t id = m->nobjects + 1 + i;
        struct vm_object *o = &run->objects[id];
        struct chk_object *c = &names[id];
        *c = (struct chk_object){
            .name = a->name ? bc_str(m, a->name) : NULL, .loc = a->loc, .is_arg = true};
        *o = object(VM_OBJ_NONE, BC_GLOBAL, NULL, 0, 0);
        o->spaces = 0;
        if (a->kind == BC_ARG_VALUE) c->value = run->l->args[i].value;
        if (a->kind == BC_ARG_LOCAL) {
            run->local_bytes = (run->local_bytes + 127) / 128 * 128;
            run->local_off[id] = run->local_bytes;
            run->local_bytes += run->l->args[i].local_size;
            *o = object(VM_OBJ_LOCAL, BC_LOCAL, NULL, run->l->args[i].local_size, 0);
            c->memory = "local memory";
        } else if (a->kind == BC_ARG_BUFFER) {
            const struct vm_buffer *b = &run->l->args[i].buffer;
            const bool constant = a->space == BC_CONSTANT;
            c->memory = a->is_pipe ? "pipe" : constant ? "constant memory" : "global memory";
            c->origin = b->origin;
            c->root = b->root;
            c->root_at = b->offset;
            if (a->is_pipe && b->host && b->size >= sizeof(struct bc_pipe_head)) {
                const struct bc_pipe_head *h = (const void *)((const char *)b->host + b->offset);
                c->packets = (struct chk_packets){h->size, h->most, h->data};
            }
            if (b->is_part) c->part = (struct chk_part){b->offset, b->root_size, b->root_origin};
            if (!b->host) {
                o->kind = VM_OBJ_NULL;
                c->is_null_arg = true;
            } else {
                *o = object(VM_OBJ_BUFFER, constant ? BC_CONSTANT : BC_GLOBAL,
                            (char *)b->host + b->offset, b->size,
                            (uint8_t)((b->read_only || constant ? VM_READ_ONLY : 0) |
                                      (b->write_only ? VM_WRITE_ONLY : 0) |
                                      (!constant && !b->is_foreign ? VM_WRITABLE : 0)));
            }
        }
        if (a->kind == BC_ARG_IMAGE) set_image(&run->l->args[i], o, c);
        find_same(run, m->nobjects + 1, id);
        c->size = o->size;
        if (o->kind == VM_OBJ_BUFFER || o->kind == VM_OBJ_IMAGE)
            set_touched(o, run->l->args[i].buffer.touched, run->l->args[i].buffer.offset);
        if (run->l->writer && run->l->writer->root == run->l->args[i].buffer.root && o->size) {
            o->origin = run->l->args[i].buffer.offset;
            o->flags |= VM_WATCH_GLOBAL;
        }
        struct vm_written *w = o->kind == VM_OBJ_BUFFER || o->kind == VM_OBJ_IMAGE
                                   ? run->l->args[i].buffer.written
                                   : NULL;
        if (run->code->undef && !w && o->kind == VM_OBJ_BUFFER && run->l->program->copies_structs &&
            run->l->args[i].buffer.root_size && root_is_written(run, run->l->args[i].buffer.root))
            o->shadow = follow_structs(run, i, id);
        if ((!run->code->undef && o->kind != VM_OBJ_IMAGE) || !w) continue;
        if (!run->shadows) run->shadows = mem_alloc(run->nobjects * sizeof *run->shadows);
        run->shadows[id] = (struct vm_shadow){
            .bytes = w->bytes + run->l->args[i].buffer.offset, .count = &w->missing, .flip = 0xff};
        o->shadow = &run->shadows[id];
    }
}

/** In batches each group has local memory of its own, object by object. */
static void share_local(struct vm_run *run)
{
    if (run->batch == 1) return;
    run->local_bytes = (run->local_bytes + 7) / 8 * 8 * run->batch;
    for (uint32_t id = 1; id < run->nobjects; id++) {
        struct vm_object *const o = &run->objects[id];
        if (o->kind != VM_OBJ_LOCAL) continue;
        run->local_off[id] *= run->batch;
        o->step = (uint32_t)race_local_step(o->size);
        o->copies = run->batch;
    }
}

/**
 * As the one argument that points into the allocation is called; NULL: there are several, or none.
 */
static const char *name_of_svm(const struct vm_run *run, const struct vm_buffer *b)
{
    const struct bc_module *m = run->code->module;
    const struct bc_arg *decl = m->args + run->l->kernel->first_arg;
    const char *name = NULL;
    for (uint32_t i = 0; i < run->l->kernel->nargs; i++) {
        if (decl[i].kind != BC_ARG_BUFFER || !run->l->args[i].buffer.is_svm ||
            run->l->args[i].buffer.host != b->host)
            continue;
        if (name) return NULL;
        name = decl[i].name ? bc_str(m, decl[i].name) : NULL;
    }
    return name;
}

static void set_svm(struct vm_run *run, struct chk_object *names)
{
    const struct vm_launch *l = run->l;
    for (uint32_t i = 0; i < l->nsvm; i++) {
        const struct vm_buffer *b = &l->svm[i];
        const uint32_t id = run->nobjects - l->ngone - l->nsvm + i;
        run->objects[id] = object(VM_OBJ_BUFFER, BC_GLOBAL, b->host, b->size,
                                  (uint8_t)((b->read_only ? VM_READ_ONLY : 0) |
                                            (b->write_only ? VM_WRITE_ONLY : 0) | VM_WRITABLE));
        set_touched(&run->objects[id], b->touched, b->offset);
        names[id] = (struct chk_object){.name = name_of_svm(run, b),
                                        .memory = "shared virtual memory",
                                        .origin = b->origin,
                                        .is_arg = true,
                                        .size = b->size};
    }
    for (uint32_t i = 0; i < l->ngone; i++) {
        const uint32_t id = run->nobjects - l->ngone + i;
        run->objects[id] = object(VM_OBJ_BUFFER, BC_GLOBAL, NULL, l->gone[i].size, VM_GONE);
        run->objects[id].spaces = 0; // in reach of no pointer: the quick paths leave it alone
        names[id] = (struct chk_object){.memory = "shared virtual memory",
                                        .origin = l->gone[i].origin,
                                        .is_arg = true,
                                        .size = l->gone[i].size,
                                        .release = l->gone[i].call,
                                        .released = l->gone[i].called};
    }
}

// ---- races
/** The largest size that all accesses to a space are multiples of. */
static unsigned granule(const struct vm_run *run, bool local)
{
    const struct bc_module *m = run->code->module;
    unsigned g = 8;
    for (uint32_t i = 1; i < m->nsites; i++) {
        const struct bc_mem *s = &m->sites[i];
        if (s->kind == BC_LEA_ONLY || s->space == BC_PRIVATE ||
            s->space == (local ? BC_GLOBAL : BC_LOCAL))
            continue;
        if (s->fn < m->nfns && run->code->fn_of[s->fn] == UINT32_MAX) continue;
        const unsigned unit = run->l->program->unit[i];
        if (unit && unit < g) g = unit;
    }
    return g;
}

/** The same of what is accessed through one argument, where that is known. */
static unsigned arg_granule(const struct bc_arg *a, unsigned of_all)
{
    return a->kind == BC_ARG_BUFFER && a->unit > of_all ? a->unit : of_all;
}

static unsigned pixel_granule(const struct vm_arg *v)
{
    const unsigned size = v->image.format.size;
    return v->image.row_pitch % size ? 1 : size < 8 ? size : 8;
}

/**
 * Can accesses through none of the arguments that share the allocation race? Atomics do not with
 * one another.
 */
bool vm_only_atomics(const struct vm_run *run, const void *root)
{
    const struct bc_kernel *k = run->l->kernel;
    if (run->l->nsvm) return false; // SVM blocks have no argument
    for (uint32_t i = 0; i < k->nargs; i++) {
        const struct bc_arg *a = &run->code->module->args[k->first_arg + i];
        if ((a->kind == BC_ARG_BUFFER || a->kind == BC_ARG_IMAGE) &&
            run->l->args[i].buffer.root == root && !a->only_atomics)
            return false;
    }
    return true;
}

static void race_seen(void *chk, const struct race_pair *p)
{
    struct vm_run *run = (struct vm_run *)((char *)chk - offsetof(struct vm_run, chk));
    run->l->debugger->race(run->l->debugger->ctx, run, p);
}

static void watch(struct vm_run *run)
{
    const struct bc_module *m = run->code->module;
    const struct bc_kernel *k = run->l->kernel;
    const unsigned kinds = VM_CHECK_RACES;
    const struct rep_session *rep = run->l->rep;
    const bool alone = run->group_items == 1 && !run->code->copies;
    if (!(run->l->checks & kinds) || (alone && run->ngroups == 1)) return;
    if (rep && !rep_wants(rep, REP_DATA_RACE) && !rep_wants(rep, REP_MISSING_FENCE) &&
        !rep_wants(rep, REP_SAME_VALUE_RACE))
        return;
    const unsigned local = granule(run, true), global = granule(run, false);
    struct race_launch *r = NULL;
    for (uint32_t id = 1; id < run->nobjects - run->l->ngone; id++) {
        struct vm_object *o = &run->objects[id];
        const uint32_t after_args = m->nobjects + 1 + k->nargs;
        const bool is_svm = id >= after_args, is_arg = id > m->nobjects && !is_svm;
        const struct vm_buffer *b = is_svm   ? &run->l->svm[id - after_args]
                                    : is_arg ? &run->l->args[id - m->nobjects - 1].buffer
                                             : NULL;
        const bool is_local = o->kind == VM_OBJ_LOCAL && o->size && !alone;
        const bool is_global = ((o->kind == VM_OBJ_BUFFER || o->kind == VM_OBJ_IMAGE) &&
                                (is_svm || root_is_written(run, b->root))) ||
                               o->kind == VM_OBJ_PROGRAM;
        if (!is_local && !is_global) continue;
        const bool is_followed = is_arg && is_global && !run->code->narrow_atomics &&
                                 vm_only_atomics(run, b->root);
        if (is_followed && !run->code->synchronises) continue;
        if (!r) {
            const struct race_config c = {
                .workers = run->nworkers > 1 ? 2 * run->nworkers : run->workers[0].max_contexts,
                .ngroups = run->ngroups,
                .group_items = run->group_items,
                .copies = run->code->copies,
                .at_once = run->batch,
                .nsites = run->code->call_paths->nnumbers,
                .site_of = run->code->call_paths->place,
                .statement_of = run->code->call_paths->statement,
                .nobjects = run->nobjects,
                .found = chk_report_race,
                .ctx = &run->chk,
                .ordered = run->code->synchronises,
                .wide_scopes = !run->code->narrow_scopes,
                .scope_of = run->code->call_paths->scope,
                .sub_group = vm_sub_group_size(run->l),
                .apart = run->code->weak_orders && run->local_bytes,
                .seen = run->l->debugger ? race_seen : NULL,
            };
            r = race_launch_create(&c);
        }
        o->flags |= is_local ? VM_WATCH_LOCAL : VM_WATCH_GLOBAL;
        if (is_local) race_watch_local(r, id, o->size, local);
        else if (o->kind == VM_OBJ_IMAGE)
            race_watch_global(r, id, b->root, b->offset, o->size,
                              pixel_granule(&run->l->args[id - m->nobjects - 1]));
        else if (b)
            race_watch_global(
                r, id, b->root, b->offset, o->size,
                is_arg ? arg_granule(&m->args[k->first_arg + id - m->nobjects - 1], global)
                       : global);
        else race_watch_global(r, id, o->base, 0, o->size, global);
        if (o->kind == VM_OBJ_IMAGE) race_is_image(r, id);
        if (is_followed) race_follow(r, id);
    }
    run->chk.race_site = run->code->call_paths->site;
    run->chk.race_path = run->code->call_paths->path;
    run->chk.paths = run->code->call_paths->paths;
    run->race = r;
}

void vm_note_touched(const struct vm_object *o, const struct race_op *op)
{
    uint8_t *const to =
        vm_touched_bytes(o, (op->is_atomic ? VM_TOUCH_ATOMIC_READ : VM_TOUCH_READ) + op->is_write);
    if (op->shape == RACE_CONTIGUOUS) {
        memset(to + op->offset0, 1, (size_t)op->n * op->size);
        return;
    }
    for (uint32_t i = 0; i < op->n; i++) {
        if (op->mask && !op->mask[i]) continue;
        memset(to + race_offset_of(op, i), 1, op->size);
        if (op->shape == RACE_UNIFORM) return;
    }
}

static const void *root_of(const struct vm_run *run, uint32_t id)
{
    const uint32_t nobjects = run->code->module->nobjects;
    if (id <= nobjects) return id ? run->l->program->storage[id - 1] : NULL;
    return id - nobjects - 1 < run->l->kernel->nargs ? run->l->args[id - nobjects - 1].buffer.root
                                                     : NULL;
}

void vm_note_writer(struct vm_gang *g, const struct vm_object *o, const struct race_op *op,
                    const struct bc_insn *src)
{
    struct vm_writer *w = g->worker->run->l->writer;
    if (!w || !op->is_write || root_of(g->worker->run, (uint32_t)(o - g->objects)) != w->root)
        return;
    const uint64_t at = w->offset - o->origin;
    for (uint32_t i = 0; i < op->n; i++) {
        if ((op->mask && !op->mask[i]) || at - race_offset_of(op, i) >= op->size) continue;
        const struct chk_item item = vm_item_of(g, op->first_item - g->first_item + i);
        w->found = true;
        w->group = item.group;
        w->item = item.item;
        w->loc = src ? src->loc : 0;
    }
}

/** A call of the race check ended that began at `begin`. */
static void time_check(struct vm_worker *w, uint64_t begin)
{
    const uint64_t ns = vm_clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin;
    const uint64_t own = ns > w->clock_cost ? ns - w->clock_cost : 0;
    if (w->watched == 1) { // it makes the shadow, and stands for no others
        w->stats.race_ns = own;
        return;
    }
    w->timed++;
    w->timed_ns += own;
}

static void time_worker(struct vm_worker *w, uint64_t begin)
{
    w->stats.cpu_ns = vm_clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin;
    if (w->timed)
        w->stats.race_ns += (uint64_t)((double)w->timed_ns / (double)w->timed * (double)w->watched);
}

/** n elements of 1 << elog bytes, all of that value; n is a multiple of VM_PAD. */
static void repeat(char *to, uint64_t value, unsigned elog, uint32_t n)
{
    typedef uint64_t two __attribute__((vector_size(16), may_alias, aligned(8)));
    static const uint64_t each[] = {0x0101010101010101, 0x0001000100010001, 0x0000000100000001, 1};
    const uint64_t word = elog == 3 ? value : (value & ((1ull << (8u << elog)) - 1)) * each[elog];
    for (uint32_t i = 0; i < n << elog; i += sizeof(two)) *(two *)(to + i) = (two){word, word};
}

void vm_watch_part(struct vm_gang *g, const struct vm_access *x, const struct vm_object *o,
                   bool write, enum vm_shape shape, uint64_t offset0,
                   const struct vm_places *places, uint32_t lane, uint32_t n)
{
    const bool all = shape == VM_SHAPE_CONTIGUOUS ||
                     (shape == VM_SHAPE_ELEMENTS && n == g->nactive);
    struct race_op
        op; // member by member: to clear it first takes as long as the check of many an access
    op.site = vm_race_site(g, x->site);
    op.object = (unsigned)(o - g->objects);
    op.is_write = write;
    op.is_atomic = x->m->kind >= BC_ATOMIC_RMW;
    op.shape = (enum race_shape)shape;
    op.size = x->bytes;
    op.offset0 = offset0;
    op.offsets = g->offsets + lane;
    op.elements = places ? places->elements + lane : NULL;
    op.element0 = places ? places->first : 0;
    op.element_shift = x->elog;
    op.layout = places ? places->layout : 0;
    op.layout_lane = lane;
    op.mask = all ? NULL : g->mask + lane;
    op.first_item = g->first_item + lane;
    op.n = n;
    op.values = NULL;
    if (o->touched) vm_note_touched(o, &op);
    if (g->worker->run->l->writer) vm_note_writer(g, o, &op, x->src);
    if (!g->group->race) return;
    if (x->packed) {
        op.values = g->values + (size_t)lane * x->bytes;
    } else if (write && x->src && x->src->op == BC_STORE) {
        if (x->ncomp == 1 && x->val_varying) {
            op.values = g->r + x->val[0] + ((size_t)lane << x->elog);
        } else {
            for (uint32_t j = 0; j < x->ncomp; j++) {
                if (x->ncomp == 1) { // the same for all
                    repeat(g->values, *(const uint64_t *)(g->r + x->val[0]), x->elog, g->all);
                    break;
                }
                const char *const from = g->r + x->val[j];
                const uint32_t step = x->val_varying >> j & 1, k = x->ncomp;
#define PACK(T)                                                                                    \
    for (uint32_t i = lane; i < lane + n; i++)                                                     \
    ((T *)g->values)[i * k + j] = ((const T *)from)[i * step]
                switch (x->elog) {
                case 0: PACK(uint8_t); break;
                case 1: PACK(uint16_t); break;
                case 2: PACK(uint32_t); break;
                default: PACK(uint64_t);
                }
#undef PACK
            }
            op.values = g->values + (size_t)lane * x->bytes;
        }
    }
    if (g->is_dense) vm_dense_spread(g, &op, lane);
    const bool timed = g->worker->run->counts &&
                       (!g->worker->watched++ || g->worker->watched % VM_TIMED == 0);
    const uint64_t begin = timed ? vm_clock_ns(CLOCK_THREAD_CPUTIME_ID) : 0;
    if (o->flags & VM_WATCH_LOCAL) race_local(g->group->race, &op);
    else race_global(g->group->race, &op);
    if (timed) time_check(g->worker, begin);
}

/**
 * Where each group of a batch has a copy, INDEXED are offsets in the lanes' own ones; the race
 * check has them one behind the other.
 */
static void add_copies(struct vm_gang *g, uint64_t step)
{
    for (uint32_t i = 0; i < g->nlanes; i++)
        if (g->mask[i]) g->offsets[i] += step * g->lid[VM_LANE_GROUP][i];
}

void vm_watch(struct vm_gang *g, const struct vm_access *x, const struct vm_object *o, bool write,
              enum vm_shape shape, uint64_t offset0)
{
    const uint64_t step = shape == VM_SHAPE_INDEXED ? o->step : 0;
    if (step) add_copies(g, step);
    vm_watch_part(g, x, o, write, shape, offset0, NULL, 0, g->nlanes);
    if (step) add_copies(g, -step);
}

// ---- workers
static void set_workers(struct vm_run *run)
{
    const struct vm_launch *l = run->l;
    const bool alone = run->code->may_part || run->code->synchronises || l->schedule;
    uint64_t n = l->threads && !l->debugger ? l->threads : 1;
    if (n > run->nbatches) n = run->nbatches;
    if (alone || run->ngroups * run->group_items < SMALL_LAUNCH) n = 1;
    run->nworkers = (unsigned)n;
    run->workers = mem_alloc(n * sizeof *run->workers);
    for (unsigned i = 0; i < n; i++) {
        struct vm_worker *w = &run->workers[i];
        w->run = run;
        w->index = i;
        const uint64_t most = run->ngroups < MAX_WAITING_GROUPS ? run->ngroups : MAX_WAITING_GROUPS;
        w->max_contexts = run->code->may_part || l->schedule ? (uint32_t)most : 1;
    }
    run->in_order = l->kernel->uses_printf;
    crowd_init(&run->crowd,
               vm_tally_leaves_some(run) && !run->in_order && run->nbatches >= WORTH_MEASURING
                   ? run->nworkers
                   : 1,
               run->nbatches);
    for (unsigned i = 0; i < n; i++) { // a contiguous share each
        struct vm_share *s = &run->workers[i].share;
        pthread_mutex_init(&s->lock, NULL);
        s->next = (uint64_t)((unsigned __int128)run->nbatches * i / n);
        s->end = (uint64_t)((unsigned __int128)run->nbatches * (i + 1) / n);
    }
}

// In the default floating-point environment: rounding, subnormals and traps that the app has set
// for its threads (-ffast-math does at the start of a program) are not the kernel's.
static void run_worker(void *ctx, unsigned i)
{
    struct vm_run *run = ctx;
    fenv_t app;
    fegetenv(&app);
    fesetenv(FE_DFL_ENV);
    const uint64_t begin = run->counts ? vm_clock_ns(CLOCK_THREAD_CPUTIME_ID) : 0;
    if (run->counts) run->workers[i].clock_cost = vm_clock_cost();
    vm_worker_run(&run->workers[i]);
    if (run->counts) time_worker(&run->workers[i], begin);
    fesetenv(&app);
}

// ---- the end
/** Of an operation on vectors there is an instruction for each component, and all of one place. */
static void find_component(const struct bc_module *m, const struct bc_insn *insn,
                           struct chk_fault *f)
{
    for (uint32_t k = 0; k < m->nfns; k++) {
        const struct bc_fn *fn = &m->fns[k];
        if (insn < fn->insns || insn >= fn->insns + fn->ninsns) continue;
        for (const struct bc_insn *i = fn->insns; i < fn->insns + fn->ninsns; i++) {
            if (i->op != insn->op || i->loc != insn->loc) continue;
            f->at[0] += i < insn;
            f->at[1]++;
        }
    }
}

void vm_fault_tell(const struct chk_launch *l, const struct vm_fault_record *r)
{
    struct chk_fault f = {
        .kind = (enum chk_fault_kind)r->run.kind,
        .where = {r->run.src->loc, r->calls, r->ncalls},
        .item = r->item,
        .op = r->run.src->op,
        .site = r->run.site,
        .object = r->run.object,
        .offset = r->run.offset,
        .at = {r->run.at[0], r->run.at[1], r->run.at[2]},
        .size = r->run.size,
        .count = r->count,
        .groups = &r->groups,
        .bytes = &r->bytes,
        .origin_name = r->run.origin.name,
        .origin_loc = r->run.origin.loc,
        .rewritten = r->run.origin.rewritten,
    };
    if (f.kind == CHK_DIV) find_component(l->module, r->run.src, &f);
    chk_report_fault(l, &f);
}

/** An index that leaves its array is no news where the access left the object, or found none. */
static bool is_told(const struct vm_run *run, const struct vm_fault_record *index)
{
    for (unsigned i = 0; i < run->nworkers; i++)
        for (const struct vm_fault_record *r = run->workers[i].fault_list; r; r = r->next)
            if (r->run.kind <= VM_FAULT_BOUNDS && r->run.src->loc == index->run.src->loc)
                return true;
    return false;
}

static void report_faults(struct vm_run *run)
{
    for (unsigned i = 0; i < run->nworkers; i++)
        for (const struct vm_fault_record *r = run->workers[i].fault_list; r; r = r->next)
            if (r->run.kind != VM_FAULT_SUBOBJECT || !is_told(run, r)) vm_fault_tell(&run->chk, r);
}

/** What the words on races take into account. */
static void mark_left_copies(struct vm_run *run)
{
    for (unsigned i = 0; i < run->nworkers; i++)
        for (const struct vm_fault_record *r = run->workers[i].fault_list; r; r = r->next) {
            if (r->run.kind != VM_FAULT_NOT_WAITED) continue;
            if (!run->chk.left)
                run->chk.left = mem_alloc(run->code->module->nlocs * sizeof *run->chk.left);
            run->chk.left[r->run.src->loc].is_left = true;
        }
}

void vm_races_tell(struct vm_run *run)
{
    if (run->races_told) return;
    run->races_told = true;
    mark_left_copies(run);
    if (run->race) race_launch_end(run->race);
}

static struct err *finish(struct vm_run *run, struct vm_stats *st)
{
    struct err *e = NULL;
    struct vm_stats sum = {0};
    const uint64_t begin = st ? vm_clock_ns(CLOCK_THREAD_CPUTIME_ID) : 0;
    vm_races_tell(run);
    if (st) sum.race_ns = sum.cpu_ns = vm_clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin;
    if (run->race && run->l->rep && !run->chk.schedule && race_launch_was_cut(run->race))
        __atomic_fetch_add(&rep_totals(run->l->rep)->cut_checks, 1, __ATOMIC_RELAXED);
    report_faults(run);
    const bool is_first = run->l->rep &&
                          !__atomic_exchange_n(&run->code->was_checked, true, __ATOMIC_RELAXED);
    for (uint32_t i = 0; is_first && i < run->code->nfns; i++)
        chk_checked_lines(&run->chk, run->code->fns[i].bc);
    if (atomic_load(&run->stopped) == VM_STOP_LIMIT)
        chk_report_limit(&run->chk, run->l->instruction_limit);
    for (unsigned i = 0; i < run->nworkers; i++) {
        struct vm_worker *w = &run->workers[i];
        vm_stats_add(&sum, &w->stats);
        if (w->failure && !e) e = w->failure;
        else err_free(w->failure);
        vm_worker_deinit(w);
    }
    if (st) *st = sum;
    if (run->l->lane_insns) *run->l->lane_insns = sum.lane_insns;
    return e;
}

struct err *vm_run(const struct vm_launch *launch, struct vm_stats *st)
{
    const struct bc_module *m = launch->program->module;
    if (st) *st = (struct vm_stats){0};
    if (launch->kernel->refused)
        return err_new("kernel '%s' cannot be run: %s", bc_str(m, launch->kernel->name),
                       launch->kernel->refused);
    struct vm_launch own = *launch;
    const struct vm_launch *const l = &own;
    if (vm_guards_hold(l)) own.kernel = &m->kernels[launch->kernel->guarded];
    struct vm_run run = {.l = l, .counts = st != NULL};
    set_grid(&run);
    if (!run.ngroups) return NULL;
    const uint32_t lanes = lanes_for(l, run.group_items, run.ngroups, &run.batch, &own.kernel);
    run.nbatches = (run.ngroups + run.batch - 1) / run.batch;
    run.code =
        vm_program_code(l->program, l->kernel, lanes,
                        mode_of(l) | (run.batch > 1 ? VM_BATCHES : 0) | (st ? VM_COUNTS : 0));
    run.gangs_per_group = (run.group_items * run.batch + run.code->lanes - 1) / run.code->lanes;
    run.nobjects = m->nobjects + 1 + l->kernel->nargs + l->nsvm + l->ngone;
    run.objects = mem_alloc((run.nobjects + 1) * sizeof *run.objects);
    run.local_off = mem_alloc((run.nobjects + 1) * sizeof *run.local_off);
    struct chk_object *names = mem_alloc((run.nobjects + 1) * sizeof *names);
    run.chk = (struct chk_launch){
        .module = m,
        .kernel = l->kernel,
        .rep = l->rep,
        .number = l->number,
        .host_site = l->host_site,
        .schedule = l->schedule && l->schedule->is_repeated ? l->schedule->number : 0,
        .dims = l->dims,
        .objects = names,
        .nobjects = run.nobjects,
        .items = run.group_items,
        .synchronises = run.code->synchronises,
        .copies = run.code->copies,
        .sub_barriers = run.code->synchronises && !run.code->uses_atomics,
        .global_atomics = run.code->global_atomics,
        .scoped_atomics = run.code->scoped_atomics,
        .raced = mem_alloc(run.nobjects * sizeof *run.chk.raced),
        .hollow = mem_alloc(run.nobjects * sizeof *run.chk.hollow)};
    for (int k = 0; k < 3; k++) {
        run.chk.global[k] = l->global[k];
        run.chk.local[k] = l->local[k];
        run.chk.offset[k] = l->offset[k];
        run.chk.grid[k] = run.grid[k];
    }
    run.objects[0].kind = VM_OBJ_NULL;
    run.objects[run.nobjects].kind = VM_OBJ_NONE;
    pthread_mutex_init(&run.out_lock, NULL);
    set_module_objects(&run, names);
    set_arguments(&run, names);
    share_local(&run);
    set_svm(&run, names);
    vm_tally_find(&run);
    set_workers(&run);
    watch(&run);
    if (l->debugger) {
        l->debugger->begin(l->debugger->ctx, &run);
        run_worker(&run, 0);
        l->debugger->end(l->debugger->ctx, &run);
    } else {
        vm_progress_start(&run);
        pool_run(run.nworkers, run_worker, &run);
        vm_progress_end(&run);
    }
    struct err *e = finish(&run, st);
    if (run.race) race_launch_destroy(run.race);
    pthread_mutex_destroy(&run.out_lock);
    crowd_destroy(&run.crowd);
    vm_tally_deinit(&run);
    free(run.workers);
    free(names);
    for (uint32_t i = 0; i < run.nobjects; i++) bits_deinit(&run.chk.raced[i]);
    free(run.chk.raced);
    free(run.chk.hollow);
    free(run.chk.left);
    free(run.local_off);
    for (uint32_t i = 0; run.shadows && i < run.nobjects; i++)
        if (run.shadows[i].owns) free(run.shadows[i].made);
    free(run.shadows);
    free(run.objects);
    return e;
}
