// SPDX-License-Identifier: MIT
// The stepped gangs of a group have one lane each; here their lanes are copied into wide gangs and
// back. Registers and objects have the same numbers in both kinds of code, but different offsets.
//
// The wide gang has one value of a uniform register, so lanes may only be combined where it is the
// same for all: at the kernel's beginning, and after a barrier that the whole group has passed.
//
// Copying costs more than many kernels do between two barriers. So the wide gangs continue through
// barriers, as in a launch without a debugger, until the debugger stops them or the work-items of
// the group reach different barriers.
#include "interp/stepping/fast_forward_run.h"

#include "base/mem.h"
#include "interp/core/barrier.h"
#include "interp/core/divergence_point.h"
#include "interp/core/gang.h"
#include "interp/core/group.h"
#include "interp/core/memory_object.h"
#include "interp/core/schedule.h"
#include "interp/decode/code.h"
#include "interp/definedness/undef.h"
#include "interp/launch/run.h"
#include "interp/launch/shared_program.h"
#include "interp/launch/worker.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = VM_MAX_WIDTH };

struct vm_fast_forward {
    struct vm_run *run;
    struct vm_group group; // the view of the wide gangs while they run
    struct vm_code *code;
    struct vm_gang **gangs;
    uint32_t ngangs;
};

// ---- which kernels
/**
 * Is the order of the atomics unobservable: the kernel does not use their old values, and all are
 * of one kind, which commutes?
 */
static bool commutes(const struct bc_mem *m, const struct bc_insn *i, int *kind)
{
    const enum bc_atomic_op op = m->atomic_op == BC_ATOMIC_SUB ? BC_ATOMIC_ADD
                                                               : (enum bc_atomic_op)m->atomic_op;
    if (m->kind != BC_ATOMIC_RMW || i->dst != BC_NONE || op < BC_ATOMIC_ADD || op > BC_ATOMIC_UMAX)
        return false;
    const bool same = *kind < 0 || *kind == (int)op;
    *kind = (int)op;
    return same;
}

/**
 * Does the outcome depend on the order of the work-items between barriers? Their printed output is
 * not considered.
 */
static bool order_shows(const struct bc_module *m, const struct vm_code *c)
{
    int kind = -1;
    for (uint32_t f = 0; f < m->nfns; f++)
        for (uint32_t k = 0; c->fn_of[f] != UINT32_MAX && k < m->fns[f].ninsns; k++) {
            const struct bc_insn *i = &m->fns[f].insns[k];
            if (i->op == BC_ATOMIC && !commutes(&m->sites[i->site], i, &kind)) return true;
        }
    return false;
}

static bool has_sub_groups(const struct bc_module *m, const struct vm_code *c)
{
    for (uint32_t f = 0; f < m->nfns; f++)
        for (uint32_t k = 0; c->fn_of[f] != UINT32_MAX && k < m->fns[f].ninsns; k++)
            if (m->fns[f].insns[k].op == BC_COLLECT &&
                m->fns[f].insns[k].ext >> 24 != BC_SCOPE_GROUP)
                return true;
    return false;
}

struct vm_fast_forward *vm_fast_forward_create(struct vm_run *run)
{
    const struct vm_code *c = run->code;
    if (run->group_items < 2 || c->may_part || c->synchronizes || order_shows(c->module, c) ||
        has_sub_groups(c->module, c))
        return NULL;
    uint32_t lanes = run->group_items < LANES ? run->group_items : LANES;
    while (lanes > VM_PAD && (uint64_t)lanes * c->private_words > 8 << 20) lanes /= 2;
    struct vm_fast_forward *s = mem_alloc(sizeof *s);
    s->run = run;
    s->code = vm_program_code(run->l->program, run->l->kernel, lanes,
                              (c->mode & ~(unsigned)VM_STEPPED) | VM_FAST_FORWARDING);
    s->gangs = mem_array(NULL, (run->group_items + lanes - 1) / lanes, sizeof *s->gangs);
    for (; s->ngangs < (run->group_items + lanes - 1) / lanes; s->ngangs++)
        if (!(s->gangs[s->ngangs] = vm_gang_get(run->l->program, s->code))) {
            vm_fast_forward_destroy(s);
            return NULL;
        }
    return s;
}

void vm_fast_forward_destroy(struct vm_fast_forward *s)
{
    if (!s) return;
    for (uint32_t i = 0; i < s->ngangs; i++) vm_gang_put(s->run->l->program, s->code, s->gangs[i]);
    free(s->gangs);
    free(s);
}

// ---- copying lanes
static void copy_words(uint32_t *to, uint32_t to_width, const uint32_t *from, uint32_t from_width,
                       uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) to[(size_t)i * to_width] = from[(size_t)i * from_width];
}

struct lane {
    struct vm_gang *g;
    uint32_t i;
};

/** The number of undefined bytes of a lane's private object. */
static uint64_t undefined_bytes(const struct lane *a, uint32_t object)
{
    const struct vm_code *c = a->g->code;
    const uint64_t size = c->module->objects[object].size;
    uint64_t n = 0;
    for (uint64_t k = 0; k < size; k++)
        n += a->g->undef->private_bytes
                 [((c->private_word[object] + k / 4) * (uint64_t)c->width + a->i) * 4 + k % 4] !=
             VM_WRITTEN;
    return n;
}

static void copy_undef(struct lane to, struct lane from)
{
    const struct vm_code *c = to.g->code, *d = from.g->code;
    if (!to.g->undef || !from.g->undef) return;
    copy_words((uint32_t *)to.g->undef->private_bytes + to.i, c->width,
               (const uint32_t *)from.g->undef->private_bytes + from.i, d->width, c->private_words);
    for (uint32_t k = 0; k < c->module->nobjects; k++) {
        if (c->module->objects[k].kind != BC_OBJ_PRIVATE) continue;
        uint64_t *count = &to.g->undef->shadows[k].own_count;
        const uint64_t n = from.g->undef->shadows[k].own_count ? undefined_bytes(&to, k) : 0;
        if (to.g->code->stepped) *count = n; // of one lane
        else *count += n;
    }
    for (uint32_t r = 0; from.g->nundef && r < c->undef_rows; r++) {
        if (!from.g->undef->flags[r] || !vm_undef_row(from.g, r)[from.i]) continue;
        memset(vm_undef_row(to.g, r), 0, c->width);
        vm_undef_row(to.g, r)[to.i] = vm_undef_row(from.g, r)[from.i];
        vm_undef_flag(to.g, r, vm_undef_origins(from.g, r)[from.i]);
    }
}

/** Private memory and the kernel's registers. */
static void copy_lane(struct lane to, struct lane from)
{
    const struct vm_code *c = to.g->code, *d = from.g->code;
    const struct vm_fn *x = &c->fns[0], *y = &d->fns[0];
    copy_words((uint32_t *)to.g->private_mem + to.i, c->width,
               (const uint32_t *)from.g->private_mem + from.i, d->width, c->private_words);
    memcpy(to.g->r + x->uniform_off, from.g->r + y->uniform_off, 8 * (size_t)x->bc->nuniform);
    for (uint32_t k = 0; k < x->bc->nvarying; k++) {
        const size_t size = x->bc->vsize[k];
        memcpy(to.g->r + x->varying_off[k] + size * to.i,
               from.g->r + y->varying_off[k] + size * from.i, size);
    }
    copy_undef(to, from);
}

/** The block + 1 before which a lane of a wide gang waits or (after a pause) runs; 0: none. */
static uint32_t block_of_lane(const struct vm_gang *w, uint32_t lane)
{
    const struct vm_frame *f = &w->frames[0];
    if (w->stop && f->mask[lane]) return f->block + 1;
    for (uint32_t b = 0; b < f->fn->bc->nblocks; b++)
        if (f->pending[b >> 6] >> (b & 63) & 1 && f->masks[b][lane]) return b + 1;
    return 0;
}

/** Copies the state of a lane of a wide gang to its stepped gang. */
static void bring_back(struct vm_gang *g, struct vm_gang *wide, uint32_t lane)
{
    const uint32_t block1 = wide->parked[lane] ? 0 : block_of_lane(wide, lane);
    if (wide->fresh) return; // it paused earlier
    g->at = NULL;
    g->fresh = false;
    g->frame = &g->frames[0];
    memset(g->frame->pending, 0, g->frame->words * sizeof *g->frame->pending);
    g->frame->npending = 0;
    g->nactive = 0;
    if (!wide->parked[lane] && !block1) {
        g->state = VM_DONE;
        g->nreturned = 1;
        g->returned[0] = 0xff;
        return;
    }
    if (g->undef) vm_undef_clear(g);
    copy_lane((struct lane){g, 0}, (struct lane){wide, lane});
    g->ncopied = wide->ncopied;
    if (block1) {
        g->state = VM_RUNNING;
        g->nparked = 0;
        g->frame->block = block1 - 1;
        vm_frame_pend(g, g->frame, block1 - 1, 0);
    } else {
        g->state = VM_WAITING;
        g->parked[0] = wide->parked[lane];
        g->flags[0] = wide->flags[lane];
        g->nparked = 1;
        g->frame->block = wide->parked[lane] - 1;
    }
    if (!g->code->decides) return;
    g->nchoices[0] = wide->nchoices[lane];
    for (uint32_t k = 0; k < VM_CHOICES; k++)
        g->choices[(size_t)k * g->code->width] =
            wide->choices[(size_t)k * wide->code->width + lane];
}

// ---- running
uint32_t vm_fast_forward_block(const struct vm_gang *g)
{
    const struct vm_frame *f = &g->frames[0];
    if (g->at || g->fresh || g->state != VM_RUNNING || g->nparked || f->npending != 1 || g->nundef)
        return 0;
    for (uint32_t b = 0; b < f->fn->bc->nblocks; b++)
        if (f->pending[b >> 6] >> (b & 63) & 1) return b + 1;
    return 0;
}

/** Copies the chosen lanes from their stepped gangs into a wide gang. */
static uint32_t take_lanes(struct vm_gang *w, struct vm_fast_forward *s, const struct vm_group *grp,
                           const struct vm_fast_forward_start *from, uint32_t first)
{
    const uint8_t *chosen = from->chosen;
    const uint32_t block1 = from->block1;
    struct vm_frame *f = &w->frames[0];
    uint32_t n = 0;
    vm_gang_bind(w, &s->group);
    vm_gang_start(w, &s->group, first);
    for (uint32_t id = 0; !grp->race && id < w->nobjects; id++)
        w->objects[id].flags &= (uint8_t)~(VM_WATCH_LOCAL | VM_WATCH_GLOBAL);
    for (uint32_t i = 0; i < w->nlanes; i++) n += chosen[first + i] != 0;
    if (!n) return 0;
    for (uint32_t i = 0; i < w->nlanes; i++) f->mask[i] = chosen[first + i] ? 0xff : 0;
    w->nactive = n;
    w->ncopied = grp->is_begun ? grp->gangs[first]->ncopied : 0;
    if (!block1) return n;
    for (uint32_t k = 0; w->undef && k < w->code->module->nobjects; k++)
        w->undef->shadows[k].own_count = 0;
    if (w->undef)
        memset(w->undef->private_bytes, VM_WRITTEN,
               4 * (size_t)w->code->private_words * w->code->width);
    for (uint32_t i = 0; i < w->nlanes; i++) {
        if (!chosen[first + i]) continue;
        copy_lane((struct lane){w, i}, (struct lane){grp->gangs[first + i], 0});
        vm_frame_pend(w, f, block1 - 1, i);
    }
    f->block = grp->gangs[first]->frames[0].block;
    w->fresh = false;
    return n;
}

static bool run_gang(struct vm_gang *w)
{
    if (!w->fresh && !w->frames[0].npending) return true; // all its lanes have returned or wait
    w->state = VM_RUNNING;
    const struct vm_insn *ip;
    if (w->fresh) {
        w->fresh = false;
        ip = vm_enter(w, 0);
    } else {
        ip = vm_frame_resume(w, &w->frames[0]);
    }
    while (ip) ip = ip->fn(w, ip);
    return !w->stop && !w->worker->fast_forward_failed && w->state == VM_RUNNING;
}

/** Have all work-items returned? */
static bool all_returned(const struct vm_fast_forward *s)
{
    bool all = !s->group.worker->fast_forward_paused;
    for (uint32_t k = 0; k < s->group.ngangs; k++) all &= !s->gangs[k]->nparked;
    return all;
}

/** Runs until all have returned, must stay at a barrier, or pause. False: give up. */
static bool run_gangs(struct vm_fast_forward *s)
{
    struct vm_worker *w = s->group.worker;
    for (;;) {
        bool waiting = false;
        for (uint32_t k = 0; k < s->group.ngangs; k++) {
            struct vm_gang *g = s->gangs[k];
            if (g->nlanes && !run_gang(g)) return w->fast_forward_paused && !w->fast_forward_failed;
            waiting |= g->nlanes && g->nparked;
        }
        if (!waiting || !vm_group_arrived(&s->group) || !vm_fast_forward_may_pass(&s->group))
            return !w->fast_forward_failed;
        vm_group_judge(&s->group);
        vm_fast_forward_has_passed(&s->group);
    }
}

bool vm_fast_forward_run(struct vm_fast_forward *s, struct vm_group *grp,
                         const struct vm_fast_forward_start *from,
                         const struct vm_fast_forward_span *until, struct vm_fast_forward_span *ran)
{
    struct vm_worker *w = grp->worker;
    const uint32_t lanes = s->code->lanes;
    s->group = *grp;
    s->group.gangs = s->gangs;
    s->group.ngangs = (grp->items + lanes - 1) / lanes;
    for (uint32_t k = 0; k < s->group.ngangs; k++)
        if (!take_lanes(s->gangs[k], s, grp, from, k * lanes)) s->gangs[k]->nlanes = 0;
    w->fast_forwarding = true;
    w->fast_forward_failed = w->fast_forward_asked = w->fast_forward_paused = false;
    w->fast_forward_passed = w->fast_forward_looks = 0;
    w->fast_forward_most = until ? until->barriers : UINT64_MAX;
    w->fast_forward_last = until ? until->looks : 0;
    vm_fast_forward_arm(w, grp);
    const bool ok = run_gangs(s), is_whole = ok && !grp->is_begun && all_returned(s);
    w->fast_forwarding = false;
    *ran = (struct vm_fast_forward_span){w->fast_forward_passed,
                                         w->fast_forward_paused ? w->fast_forward_looks : 0, 0};
    s->group.gangs = grp->gangs;
    s->group.ngangs = grp->ngangs;
    *grp = s->group;
    if (!grp->is_begun && ok && !is_whole) from->begin(grp);
    for (uint32_t i = 0; i < grp->items && ok && !is_whole; i++)
        if (from->chosen[i]) bring_back(grp->gangs[i], s->gangs[i / lanes], i % lanes);
    for (uint32_t i = grp->items; i-- > 0 && w->fast_forward_paused;)
        if (s->gangs[i / lanes]->stop && s->gangs[i / lanes]->frames[0].mask[i % lanes])
            ran->item = i;
    for (uint32_t k = 0; k < (grp->items + lanes - 1) / lanes; k++) s->gangs[k]->stop = false;
    return ok;
}
