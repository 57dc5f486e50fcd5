// SPDX-License-Identifier: MIT
// The objects of a launch: a table by id (the module's objects, arguments, shared virtual memory),
// their names for reports, and their definedness shadows.
#include "interp/launch/launch_objects.h"

#include "base/mem.h"
#include "bytecode/pipe_head.h"
#include "interp/core/memory_object.h"
#include "interp/definedness/undef.h"
#include "interp/launch/run.h"
#include "interp/launch/shared_program.h"
#include "interp/launch/worker.h"
#include "interp/vm.h"

#include <stdlib.h>
#include <string.h>

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
            *to = object(VM_OBJ_PROGRAM, BC_GLOBAL,
                         run->l->storage && run->l->storage[i] ? run->l->storage[i] : p->storage[i],
                         o->size, 0);
            set_touched(to, run->l->variables, variables);
            if (run->l->writer && run->l->writer->root == p->storage[i])
                to->flags |= VM_WATCH_GLOBAL;
            break;
        }
    }
}

// Pointers of a kernel never point into an image, so it has no address space.
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

bool vm_root_is_written(const struct vm_run *run, const void *root)
{
    for (uint32_t i = 0; i < vm_nargs(run->l); i++) {
        const struct bc_arg *a = vm_arg_decl(run->l, run->code->module, i);
        if ((a->kind == BC_ARG_BUFFER || a->kind == BC_ARG_IMAGE) && a->may_write &&
            run->l->args[i].buffer.root == root)
            return true;
    }
    return false;
}

/**
 * A fully initialized buffer may get structs with undefined members: tracks its undefined bytes to
 * the end of the launch. One shadow per root; pages that stay defined cost nothing.
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

/**
 * Canonicalization: arguments that can point to the same memory are represented by the first of
 * them.
 */
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

/** The shadow of a buffer that has bytes that were never written. */
static void set_written(struct vm_run *run, uint32_t id, const struct vm_buffer *b)
{
    if (!run->shadows) run->shadows = mem_alloc(run->nobjects * sizeof *run->shadows);
    run->shadows[id] = (struct vm_shadow){
        .bytes = b->written->bytes + b->offset, .count = &b->written->missing, .flip = 0xff};
    run->objects[id].shadow = &run->shadows[id];
}

static void set_arguments(struct vm_run *run, struct chk_object *names)
{
    const struct bc_module *m = run->code->module;
    run->local_bytes = run->code->local_bytes;
    for (uint32_t i = 0; i < vm_nargs(run->l); i++) {
        const struct bc_arg *a = vm_arg_decl(run->l, m, i);
        const bool is_inherited = i < vm_inherited(run->l);
        const uint32_t id = m->nobjects + 1 + i;
        struct vm_object *o = &run->objects[id];
        struct chk_object *c = &names[id];
        *c = (struct chk_object){
            .name = a->name ? bc_str(m, a->name) : NULL, .loc = a->loc, .is_arg = true};
        *o = object(VM_OBJ_NONE, BC_GLOBAL, NULL, 0, 0);
        o->spaces = 0;
        if (a->kind == BC_ARG_VALUE) c->value = run->l->args[i].value;
        if (a->kind == BC_ARG_LOCAL && !is_inherited) {
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
            run->l->args[i].buffer.root_size &&
            vm_root_is_written(run, run->l->args[i].buffer.root))
            o->shadow = follow_structs(run, i, id);
        if ((run->code->undef || o->kind == VM_OBJ_IMAGE) && w)
            set_written(run, id, &run->l->args[i].buffer);
    }
}

/** In packs, each group has its own copy of each local object. */
static void share_local(struct vm_run *run)
{
    if (run->packed_groups == 1) return;
    run->local_bytes = (run->local_bytes + 7) / 8 * 8 * run->packed_groups;
    for (uint32_t id = 1; id < run->nobjects; id++) {
        struct vm_object *const o = &run->objects[id];
        if (o->kind != VM_OBJ_LOCAL) continue;
        run->local_off[id] *= run->packed_groups;
        o->step = (uint32_t)race_local_step(o->size);
        o->copies = run->packed_groups;
    }
}

/**
 * The name of the only argument that points into the allocation; NULL: several or none.
 */
static const char *name_of_svm(const struct vm_run *run, const struct vm_buffer *b)
{
    const struct bc_module *m = run->code->module;
    const char *name = NULL;
    for (uint32_t i = 0; i < vm_nargs(run->l); i++) {
        const struct bc_arg *decl = vm_arg_decl(run->l, m, i);
        if (decl->kind != BC_ARG_BUFFER || !run->l->args[i].buffer.is_svm ||
            run->l->args[i].buffer.host != b->host)
            continue;
        if (name) return NULL;
        name = decl->name ? bc_str(m, decl->name) : NULL;
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
        if (run->code->undef && b->written) set_written(run, id, b);
        names[id] = (struct chk_object){.name = name_of_svm(run, b),
                                        .memory = "shared virtual memory",
                                        .origin = b->origin,
                                        .is_arg = true,
                                        .size = b->size};
    }
    for (uint32_t i = 0; i < l->ngone; i++) {
        const uint32_t id = run->nobjects - l->ngone + i;
        run->objects[id] = object(VM_OBJ_BUFFER, BC_GLOBAL, NULL, l->gone[i].size, VM_GONE);
        run->objects[id].spaces = 0; // no pointer may use it: the fast paths reject it
        names[id] = (struct chk_object){.memory = "shared virtual memory",
                                        .origin = l->gone[i].origin,
                                        .is_arg = true,
                                        .size = l->gone[i].size,
                                        .release = l->gone[i].call,
                                        .released = l->gone[i].called};
    }
}

void vm_set_objects(struct vm_run *run, struct chk_object *names)
{
    run->objects[0].kind = VM_OBJ_NULL;
    run->objects[run->nobjects].kind = VM_OBJ_NONE;
    set_module_objects(run, names);
    set_arguments(run, names);
    share_local(run);
    set_svm(run, names);
}
