// SPDX-License-Identifier: MIT
// Checkpoints: the state of one lane, and of its group without the lanes, as bytes.
//
// One walk over the state both saves and restores it. It visits the registers of the functions that
// the lane is in and, in arrays over lanes, the element of the lane. The instructions and objects
// that a checkpoint refers to must still exist: it is valid for gangs of the same code, until the
// launch ends.
#include "interp/stepping/checkpoint.h"

#include "interp/calls/async_copies.h"
#include "interp/core/divergence_point.h"
#include "interp/core/gang.h"
#include "interp/core/group.h"
#include "interp/core/schedule.h"
#include "interp/decode/code.h"
#include "interp/definedness/undef.h"
#include "interp/definedness/written_sets.h"
#include "interp/launch/run.h"
#include "interp/launch/worker.h"

#include <stdlib.h>
#include <string.h>

struct walk {
    struct str *to;   // saving
    const char *from; // restoring
};

static void pass(struct walk *w, void *p, size_t n)
{
    if (w->to) {
        str_put_n(w->to, p, n);
    } else {
        memcpy(p, w->from, n);
        w->from += n;
    }
}
#define PASS(w, x) pass(w, &(x), sizeof(x))

/** The gang has one lane; the padding of the mask is 0. */
static void pass_mask(struct walk *w, struct vm_gang *g, uint8_t *mask)
{
    uint8_t v = mask[0];
    PASS(w, v);
    if (w->to) return;
    memset(mask, 0, g->n);
    mask[0] = v;
}

static void pass_frame(struct walk *w, struct vm_gang *g, struct vm_frame *f)
{
    const struct bc_fn *fn = f->fn->bc;
    pass(w, f->pending, f->words * sizeof *f->pending);
    PASS(w, f->npending);
    PASS(w, f->block);
    PASS(w, f->spins);
    PASS(w, f->call);
    PASS(w, f->call_insn);
    pass_mask(w, g, f->mask);
    for (uint32_t b = 0; b < fn->nblocks; b++)
        if (f->pending[b >> 6] >> (b & 63) & 1) {
            pass_mask(w, g, f->masks[b]);
            f->waiting[b] = g->isa->count(f->masks[b], g->n);
        }
    pass(w, g->r + f->fn->uniform_off, 8 * (size_t)fn->nuniform);
    for (uint32_t i = 0; i < fn->nvarying; i++) pass(w, g->r + f->fn->varying_off[i], fn->vsize[i]);
}

/** The frames, outermost first; they determine whose variables are alive. */
static void pass_frames(struct walk *w, struct vm_gang *g)
{
    uint32_t n = 0, chain[64];
    if (w->to)
        for (const struct vm_frame *f = g->frame; f && n < 64; f = f->caller)
            chain[n++] = (uint32_t)(f - g->frames);
    PASS(w, n);
    pass(w, chain, n * sizeof *chain);
    if (!w->to)
        for (uint32_t f = 1; f < g->code->nfns; f++) vm_set_variables(g, &g->code->fns[f], false);
    for (uint32_t i = n; i-- > 0;) {
        struct vm_frame *f = &g->frames[chain[i]];
        pass_frame(w, g, f);
        if (w->to) continue;
        f->caller = i + 1 < n ? &g->frames[chain[i + 1]] : NULL;
        if (f->caller) vm_set_variables(g, f->fn, true);
        g->frame = f;
        g->mask = f->mask;
    }
}

/** The first word of each of n rows. */
static void pass_words(struct walk *w, uint32_t *rows, uint32_t n, uint32_t width)
{
    uint32_t some[256];
    for (uint32_t i = 0, k; i < n; i += k) {
        k = n - i < 256 ? n - i : 256;
        for (uint32_t j = 0; w->to && j < k; j++) some[j] = rows[(size_t)(i + j) * width];
        pass(w, some, 4 * (size_t)k);
        for (uint32_t j = 0; !w->to && j < k; j++) rows[(size_t)(i + j) * width] = some[j];
    }
}

static void pass_private(struct walk *w, struct vm_gang *g)
{
    const struct vm_code *c = g->code;
    pass_words(w, (uint32_t *)g->private_mem, c->private_words, c->width);
    if (!g->undef) return;
    pass_words(w, (uint32_t *)g->undef->private_bytes, c->private_words,
               c->width); // the shadow has the same layout
    for (uint32_t i = 0; i < c->module->nobjects; i++)
        if (c->module->objects[i].kind == BC_OBJ_PRIVATE) PASS(w, g->undef->shadows[i].own_count);
}

static void pass_rows(struct walk *w, struct vm_gang *g)
{
    const struct vm_code *c = g->code;
    if (!g->undef) return;
    uint32_t left = g->nundef;
    PASS(w, left);
    if (!w->to) vm_undef_clear(g);
    for (uint32_t i = 0; left && i < c->undef_rows; i++) {
        uint8_t flag = g->undef->flags[i];
        uint64_t from = flag ? *vm_undef_origins(g, i) : 0;
        PASS(w, flag);
        if (!flag) continue;
        pass_mask(w, g, vm_undef_row(g, i));
        PASS(w, from);
        if (!w->to) vm_undef_flag(g, i, from);
        left--;
    }
}

static void pass_lane(struct walk *w, struct vm_gang *g)
{
    PASS(w, g->state);
    PASS(w, g->fresh);
    PASS(w, g->stop);
    PASS(w, g->at);
    PASS(w, g->nactive);
    PASS(w, g->nparked);
    PASS(w, g->nreturned);
    PASS(w, g->ncopied);
    PASS(w, g->parked[0]);
    PASS(w, g->flags[0]);
    pass_mask(w, g, g->returned);
    if (g->code->decides) {
        PASS(w, g->nchoices[0]);
        const uint32_t n = g->nchoices[0] < VM_CHOICES ? g->nchoices[0] : VM_CHOICES;
        for (uint32_t i = 0; i < n; i++) PASS(w, g->choices[(size_t)i * g->code->width]);
    }
    if (g->state == VM_DONE) { // the rest is unused
        g->frame = &g->frames[0];
        return;
    }
    pass_frames(w, g);
    pass_private(w, g);
    pass_rows(w, g);
}

void vm_lane_save(struct vm_gang *g, struct str *to)
{
    struct walk w = {.to = to};
    pass_lane(&w, g);
}

void vm_lane_restore(struct vm_gang *g, const char *from)
{
    struct walk w = {.from = from};
    pass_lane(&w, g);
}

// ---- the group
static void pass_copies(struct walk *w, struct vm_group *grp)
{
    uint64_t n = grp->copies.len;
    PASS(w, n);
    if (!w->to) vec_clear(&grp->copies);
    for (uint64_t i = 0; i < n; i++) {
        struct vm_copy c = {0};
        if (w->to) c = grp->copies.data[i];
        PASS(w, c);
        if (!w->to) vec_push(&grp->copies, c);
    }
    if (!w->to) vm_copies_restored(grp);
}

static void pass_group(struct walk *w, struct vm_group *grp)
{
    const struct vm_run *run = grp->worker->run;
    PASS(w, grp->diverged);
    PASS(w, grp->put_half);
    PASS(w, grp->barriers);
    PASS(w, grp->rendezvous);
    PASS(w, grp->first_args);
    PASS(w, grp->ncopied);
    PASS(w, grp->drops_copies);
    PASS(w, grp->events_differ);
    PASS(w, grp->wrong_event);
    PASS(w, grp->cycle);
    pass_copies(w, grp);
    if (grp->put) pass(w, grp->put, 2 * sizeof *grp->put * run->group_items);
    if (grp->put_undef) pass(w, grp->put_undef, 2 * (size_t)run->group_items);
    if (grp->put_undef) pass(w, grp->put_origins, 2 * sizeof *grp->put_origins * run->group_items);
    uint64_t printed = grp->out.len;
    PASS(w, printed);
    if (!w->to && printed < grp->out.len) {
        grp->out.len = printed;
        grp->out.data[printed] = 0;
    }
    if (grp->local_mem) pass(w, grp->local_mem, run->local_bytes);
    if (grp->local_shadow) pass(w, grp->local_shadow, run->local_bytes);
    for (uint32_t id = 0; grp->shadows && id < run->nobjects; id++) {
        struct vm_shadow *const s = &grp->shadows[id];
        PASS(w, s->own_count);
        if (s->written_sets && !w->to) s->written_set = ++s->written_sets->made;
    }
}

void vm_group_save(struct vm_group *grp, struct str *to)
{
    struct walk w = {.to = to};
    pass_group(&w, grp);
}

void vm_group_restore(struct vm_group *grp, const char *from)
{
    struct walk w = {.from = from};
    pass_group(&w, grp);
}
