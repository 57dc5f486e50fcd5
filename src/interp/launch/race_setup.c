// SPDX-License-Identifier: MIT
// Chooses the objects of a launch that are checked for races, their granularity, and the kind of
// check: shadow memory, or vector clocks if atomics may order other memory.
#include "interp/launch/race_setup.h"

#include "interp/core/call_paths.h"
#include "interp/core/memory_object.h"
#include "interp/launch/barrier_uses.h"
#include "interp/launch/launch_objects.h"
#include "interp/launch/privatized_reduction.h"
#include "interp/launch/run.h"
#include "interp/launch/shared_program.h"
#include "interp/launch/worker.h"
#include "interp/vm.h"

unsigned vm_race_granularity(const struct vm_run *run, bool local)
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

/** The same for accesses through one argument, if known. */
static unsigned arg_granularity(const struct bc_arg *a, unsigned of_all)
{
    return a->kind == BC_ARG_BUFFER && a->unit > of_all ? a->unit : of_all;
}

static unsigned pixel_granularity(const struct vm_arg *v)
{
    const unsigned size = v->image.format.size;
    return v->image.row_pitch % size ? 1 : size < 8 ? size : 8;
}

static void race_seen(void *chk, const struct race_pair *p)
{
    struct vm_run *run = (struct vm_run *)((char *)chk - offsetof(struct vm_run, chk));
    if (run->l->cut) *run->l->cut = 1;
    if (run->l->debugger) run->l->debugger->race(run->l->debugger->ctx, run, p);
}

static void set_paths(struct vm_run *run)
{
    run->chk.race_site = run->code->call_paths->site;
    run->chk.race_path = run->code->call_paths->path;
    run->chk.paths = run->code->call_paths->paths;
}

void vm_race_setup(struct vm_run *run)
{
    const struct bc_module *m = run->code->module;
    const unsigned kinds = VM_CHECK_RACES;
    const struct rep_session *rep = run->l->rep;
    const bool alone = run->group_items == 1 && !run->code->copies;
    if (!(run->l->checks & kinds) || (alone && run->ngroups == 1)) return;
    if (rep && !rep_wants(rep, REP_DATA_RACE) && !rep_wants(rep, REP_MISSING_FENCE) &&
        !rep_wants(rep, REP_SAME_VALUE_RACE))
        return;
    const unsigned local = vm_race_granularity(run, true), global = vm_race_granularity(run, false);
    struct race_launch *r = NULL;
    for (uint32_t id = 1; id < run->nobjects - run->l->ngone; id++) {
        struct vm_object *o = &run->objects[id];
        const uint32_t after_args = m->nobjects + 1 + vm_nargs(run->l);
        const bool is_svm = id >= after_args, is_arg = id > m->nobjects && !is_svm;
        const struct vm_buffer *b = is_svm   ? &run->l->svm[id - after_args]
                                    : is_arg ? &run->l->args[id - m->nobjects - 1].buffer
                                             : NULL;
        const bool is_local = o->kind == VM_OBJ_LOCAL && o->size && !alone;
        const bool is_global = ((o->kind == VM_OBJ_BUFFER || o->kind == VM_OBJ_IMAGE) &&
                                (is_svm || vm_root_is_written(run, b->root))) ||
                               o->kind == VM_OBJ_PROGRAM;
        if (!is_local && !is_global) continue;
        const bool is_followed = is_arg && is_global && !run->code->narrow_atomics &&
                                 vm_only_atomics(run, b->root);
        if (is_followed && !run->code->synchronizes) continue;
        if (!r) {
            struct race_config c = {
                .workers = run->nworkers > 1 ? 2 * run->nworkers : run->workers[0].max_contexts,
                .ngroups = run->ngroups,
                .group_items = run->group_items,
                .copies = run->code->copies,
                .at_once = run->packed_groups,
                .nsites = run->code->call_paths->nnumbers,
                .site_of = run->code->call_paths->place,
                .statement_of = run->code->call_paths->statement,
                .bytes_of = run->code->call_paths->bytes,
                .nobjects = run->nobjects,
                .found = chk_report_race,
                .ctx = &run->chk,
                .ordered = run->code->synchronizes,
                .wide_scopes = !run->code->narrow_scopes,
                .scope_of = run->code->call_paths->scope,
                .sub_group = vm_sub_group_size(run->l),
                .apart = run->code->weak_orders && run->local_bytes,
                .seen = run->l->debugger || run->l->cut ? race_seen : NULL,
            };
            vm_barriers_number(run, &c);
            r = race_launch_create(&c);
        }
        o->flags |= is_local ? VM_WATCH_LOCAL : VM_WATCH_GLOBAL;
        if (is_local) race_watch_local(r, id, o->size, local);
        else if (o->kind == VM_OBJ_IMAGE)
            race_watch_global(r, id, b->root, b->offset, o->size,
                              pixel_granularity(&run->l->args[id - m->nobjects - 1]));
        else if (b)
            race_watch_global(
                r, id, b->root, b->offset, o->size,
                is_arg ? arg_granularity(vm_arg_decl(run->l, m, id - m->nobjects - 1), global)
                       : global);
        else race_watch_global(r, id, o->base, 0, o->size, global);
        if (o->kind == VM_OBJ_IMAGE) race_is_image(r, id);
        if (is_followed) race_follow(r, id);
    }
    set_paths(run);
    run->race = r;
}
