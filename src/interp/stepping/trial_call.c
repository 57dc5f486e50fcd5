// SPDX-License-Identifier: MIT
#include "interp/stepping/trial_call.h"

#include "interp/core/gang.h"
#include "interp/core/idle_gangs.h"
#include "interp/decode/code.h"
#include "interp/definedness/undef.h"

#include <string.h>

static bool is_private(const struct vm_code *c, uint32_t object)
{
    return c->module->objects[object].kind == BC_OBJ_PRIVATE && c->has_object[object];
}

/** Private memory with its definedness, and whose variables are alive. */
static void copy_private(struct vm_gang *to, const struct vm_gang *from)
{
    const struct vm_code *c = to->code;
    const size_t bytes = 4 * (size_t)c->private_words * c->width;
    memcpy(to->private_mem, from->private_mem, bytes);
    if (to->undef) memcpy(to->undef->private_bytes, from->undef->private_bytes, bytes);
    for (uint32_t k = 0; k < c->module->nobjects; k++) {
        if (!is_private(c, k)) continue;
        to->objects[k + 1].spaces = from->objects[k + 1].spaces;
        to->objects[k + 1].flags = from->objects[k + 1].flags;
        if (to->undef) to->undef->shadows[k].own_count = from->undef->shadows[k].own_count;
    }
}

/** May the called functions write the private object? */
static bool is_own(const struct vm_code *c, uint32_t object, const bool *reached, uint32_t result)
{
    const uint32_t f = c->fn_of[c->module->objects[object].fn];
    return object + 1 == result || (f != UINT32_MAX && reached[f]);
}

/** Makes everything read-only that is not the called functions' own, and switches checks off. */
static void protect(struct vm_gang *g, const bool *reached, uint32_t result)
{
    const struct vm_code *c = g->code;
    for (uint32_t id = 1; id < g->nobjects; id++) {
        struct vm_object *o = &g->objects[id];
        o->touched = NULL;
        o->flags &= (uint8_t)~(VM_WATCH_LOCAL | VM_WATCH_GLOBAL | VM_WRITABLE);
        const bool own = o->kind == VM_OBJ_PRIVATE && id <= c->module->nobjects &&
                         is_own(c, id - 1, reached, result);
        if (!own) o->flags |= VM_READ_ONLY;
    }
}

bool vm_trial_begin(struct vm_trial *t, struct vm_gang *g, const struct vm_fn *fn,
                    const bool *reached, uint32_t result)
{
    if (t->copy && t->copy->code != g->code) vm_trial_deinit(t);
    if (!t->copy) t->copy = vm_gang_create(g->code);
    if (!t->copy) return false;
    struct vm_group *const grp = g->group;
    vm_gang_bind(t->copy, grp);
    vm_gang_start(t->copy, grp,
                  g->first_item -
                      (uint32_t)(grp->linear - grp->pack) * grp->worker->run->group_items);
    copy_private(t->copy, g);
    protect(t->copy, reached, result);
    vm_step_enter(t->copy, fn);
    t->fault = NULL;
    return true;
}

/** Do the callers' variables have other contents than before? */
static bool has_written(const struct vm_trial *t, const struct vm_gang *g)
{
    const struct vm_code *c = g->code;
    bool any = false;
    for (uint32_t k = 0; k < c->module->nobjects && !any; k++) {
        if (!is_private(c, k) || !(t->copy->objects[k + 1].flags & VM_READ_ONLY)) continue;
        const size_t at = 4 * (size_t)c->private_word[k] * c->width;
        any = memcmp(t->copy->private_mem + at, g->private_mem + at,
                     (c->module->objects[k].size + 3) / 4 * 4 * c->width) != 0;
    }
    return any;
}

enum vm_trial_end vm_trial_run(struct vm_trial *t, const struct vm_gang *g, uint64_t limit)
{
    struct vm_group *const grp = g->group;
    struct vm_worker *const w = grp->worker;
    struct race_worker *const race = grp->race;
    const struct vm_stats stats = w->stats;
    bool changed = false;
    t->copy->worker_changed = &changed;
    grp->race = NULL;
    w->trial = t;
    for (uint64_t n = 0; t->copy->at && !t->fault && n < limit; n++) vm_step(t->copy);
    w->trial = NULL;
    w->stats = stats;
    grp->race = race;
    return t->fault            ? VM_TRIAL_FAILED
           : t->copy->at       ? VM_TRIAL_ENDLESS
           : has_written(t, g) ? VM_TRIAL_WROTE
                               : VM_TRIAL_RETURNED;
}

void vm_trial_deinit(struct vm_trial *t)
{
    vm_gang_free(t->copy);
    t->copy = NULL;
}
