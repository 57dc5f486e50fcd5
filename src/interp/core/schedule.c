// SPDX-License-Identifier: MIT
// Reconvergence: which lanes run next where they diverge.
//
// Blocks are numbered in topological order (except for back edges), and loops are contiguous. For
// each block, a frame keeps the mask of lanes that wait before it. One set of lanes runs at a time.
// At the end of its block, the pending block with the smallest number after the current one comes
// next, but no loop is left while lanes wait at its header. Lanes therefore reconverge as early as
// possible: at the immediate post-dominator of a branch, at the header of a loop, and after the
// loop when its last lane has left. For irreducible control flow the rule is the same; lanes merely
// reconverge later. (Thread frontiers, Diamos et al., MICRO 2011, schedule by the same priority.)
//
// Where lanes may wait for one another (bc_fn.may_part) this rule alone could starve the lane that
// the others wait for. After a budget of backward jumps, the running lanes go after all other lanes
// of the frame. If there are none, the gang yields to its group (group.c).
//
// Invariant: the masks of pending blocks, the running mask, the parked lanes and the returned lanes
// are disjoint, and together they are the lanes that entered the frame.
#include "interp/core/schedule.h"

#include "interp/core/call_paths.h"
#include "interp/core/compaction.h"
#include "interp/core/gang.h"
#include "interp/core/memory_object.h"
#include "interp/decode/code.h"
#include "interp/definedness/undef.h"
#include "interp/lanes/isa.h"
#include "interp/livelock/gang_livelock.h"
#include "interp/livelock/poll.h"

#include <string.h>

enum { SPIN_BUDGET = 256, YIELD_BUDGET = 4096, NOBODY = -1 };

static inline bool is_pending(const struct vm_frame *f, uint32_t b)
{
    return f->pending[b >> 6] >> (b & 63) & 1;
}
static inline void set_pending(struct vm_frame *f, uint32_t b)
{
    f->npending += !is_pending(f, b);
    f->pending[b >> 6] |= 1ull << (b & 63);
}
static inline void clear_pending(struct vm_frame *f, uint32_t b)
{
    f->npending--;
    f->pending[b >> 6] &= ~(1ull << (b & 63));
}

/** The first pending block from b on. */
static inline int64_t pending_from(const struct vm_frame *f, uint32_t b)
{
    uint32_t w = b >> 6;
    if (w >= f->words) return NOBODY;
    uint64_t bits = f->pending[w] & ~0ull << (b & 63);
    while (!bits) {
        if (++w == f->words) return NOBODY;
        bits = f->pending[w];
    }
    return (int64_t)w * 64 + __builtin_ctzll(bits);
}

static void add_pending(struct vm_gang *g, struct vm_frame *f, uint32_t t);
static const struct vm_insn *take(struct vm_gang *g, uint32_t t);
static uint32_t pick(const struct vm_frame *f)
{
    const struct bc_fn *fn = f->fn->bc;
    const int64_t next = pending_from(f, f->block + 1);
    for (int32_t l = f->fn->blocks[f->block].loop; l >= 0; l = fn->loops[l].parent) {
        if (next != NOBODY && next <= fn->loops[l].last) return (uint32_t)next;
        if (is_pending(f, fn->loops[l].header)) return fn->loops[l].header;
    }
    return (uint32_t)(next != NOBODY ? next : pending_from(f, 0));
}

static inline const struct vm_insn *run_block(struct vm_gang *g, struct vm_frame *f, uint32_t t)
{
    const struct vm_block *const b = &f->fn->blocks[t];
    const bool some = g->nactive != g->nlanes;
    f->block = t;
    g->insns += b->count;
    g->effects += b->effect;
    g->lane_insns += (uint64_t)b->count * g->nactive;
    if (g->nundef) return b->stream[2 + some];
    g->n = some && b->narrows ? g->end : g->all;
    return b->stream[some];
}

/** Compacted lanes leave their loop for t. */
static __attribute__((noinline)) const struct vm_insn *leave_compacted(struct vm_gang *g,
                                                                       uint32_t t)
{
    struct vm_frame *const f = g->frame;
    vm_compaction_end(g);
    add_pending(g, f, t);
    return take(g, pick(f));
}
static inline bool leaves_compacted(const struct vm_gang *g, const struct vm_frame *f, uint32_t t)
{
    return __builtin_expect(g->is_compacted, 0) && f == g->compaction->frame &&
           (t < g->compaction->first || t > g->compaction->last);
}

static __attribute__((noinline)) const struct vm_insn *jump_back(struct vm_gang *g, uint32_t t)
{
    struct vm_frame *const f = g->frame;
    if (vm_poll(g)) return NULL;
    if (g->nactive <= g->nlanes / 2 && g->nlanes >= 4 * VM_PAD && f->fn->compact_loops)
        vm_compact(g, t);
    return leaves_compacted(g, f, t) ? leave_compacted(g, t) : run_block(g, f, t);
}

static inline const struct vm_insn *enter(struct vm_gang *g, uint32_t t)
{
    struct vm_frame *const f = g->frame;
    if (t <= f->block) return jump_back(g, t);
    return leaves_compacted(g, f, t) ? leave_compacted(g, t) : run_block(g, f, t);
}
const struct vm_insn *vm_enter(struct vm_gang *g, uint32_t t) { return enter(g, t); }

/** Runs the lanes that wait before block t. */
static const struct vm_insn *take(struct vm_gang *g, uint32_t t)
{
    struct vm_frame *f = g->frame;
    uint8_t *m = f->mask;
    f->mask = f->masks[t];
    f->masks[t] = m;
    clear_pending(f, t);
    g->mask = f->mask;
    g->nactive = f->waiting[t].n;
    g->end = f->waiting[t].end;
    return enter(g, t);
}

/** The counts of the union of two disjoint masks. */
static inline struct vm_lane_count combined(struct vm_lane_count a, struct vm_lane_count b)
{
    return (struct vm_lane_count){a.n + b.n, a.end > b.end ? a.end : b.end};
}

static void add_pending(struct vm_gang *g, struct vm_frame *f, uint32_t t)
{
    struct vm_lane_count *const waiting = &f->waiting[t];
    if (is_pending(f, t)) {
        g->isa->merge(f->masks[t], f->mask, g->all);
        *waiting = combined(*waiting, (struct vm_lane_count){g->nactive, g->end});
        return;
    }
    *waiting = (struct vm_lane_count){g->nactive, g->end};
    uint8_t *m = f->masks[t];
    f->masks[t] = f->mask;
    f->mask = m;
    set_pending(f, t);
}

/** All lanes are pending after a backward jump. Rotates if there were too many of these. */
static const struct vm_insn *take_fairly(struct vm_gang *g, uint32_t t)
{
    struct vm_frame *f = g->frame;
    if (t <= f->block && ++f->spins % SPIN_BUDGET == 0) {
        if (f->spins >= YIELD_BUDGET && !f->caller) {
            f->spins = 0;
            g->nactive = 0;
            g->state = VM_YIELDED;
            vm_gang_livelock_reset(g);
            f->block = t;
            return NULL;
        }
        const int64_t other = pending_from(f, t + 1);
        t = (uint32_t)(other != NOBODY ? other : pending_from(f, 0));
    }
    return take(g, t);
}

const struct vm_insn *vm_go(struct vm_gang *g, uint32_t t)
{
    struct vm_frame *f = g->frame;
    vm_widen(g);
    if (__builtin_expect(f->fn->bc->may_part, 0)) {
        if (!f->npending && t > f->block) return vm_enter(g, t);
        add_pending(g, f, t);
        return take_fairly(g, pick(f));
    }
    if (!f->npending) return enter(g, t);
    const bool was = is_pending(f, t);
    set_pending(f, t);
    if (pick(f) == t) { // the usual case: the same lanes continue, with those that waited at t
        clear_pending(f, t);
        if (was) {
            g->isa->merge(f->mask, f->masks[t], g->all);
            g->nactive += f->waiting[t].n;
            if (g->end < f->waiting[t].end) g->end = f->waiting[t].end;
        }
        return enter(g, t);
    }
    if (!was) clear_pending(f, t);
    add_pending(g, f, t);
    return take(g, pick(f));
}

const struct vm_insn *vm_split(struct vm_gang *g, const uint8_t *cond, uint32_t t_true,
                               uint32_t t_false)
{
    struct vm_frame *f = g->frame;
    if (t_true == t_false) return vm_go(g, t_true);
    const unsigned add = (unsigned)is_pending(f, t_true) | (unsigned)is_pending(f, t_false) << 1;
    struct vm_lane_count *const w_true = &f->waiting[t_true], *const w_false = &f->waiting[t_false];
    vm_widen(g);
    const struct vm_split_count some =
        g->isa->split(f->mask, cond, f->masks[t_true], f->masks[t_false], g->all, add);
    *w_true = add & 1 ? combined(*w_true, some.yes) : some.yes;
    *w_false = add & 2 ? combined(*w_false, some.no) : some.no;
    set_pending(f, t_true);
    set_pending(f, t_false);
    const uint32_t t = pick(f);
    return f->fn->bc->may_part ? take_fairly(g, t) : take(g, t);
}

const struct vm_insn *vm_next(struct vm_gang *g)
{
    struct vm_frame *f = g->frame;
    vm_widen(g);
    g->nactive = 0;
    return f->npending ? take(g, pick(f)) : NULL;
}

void vm_frame_start(struct vm_gang *g, struct vm_frame *f, const uint8_t *mask)
{
    memset(f->pending, 0, f->words * sizeof *f->pending);
    f->npending = 0;
    f->spins = 0;
    f->block = 0;
    f->caller = NULL;
    memcpy(f->mask, mask, g->n);
    g->frame = f;
    g->mask = f->mask;
}

void vm_frame_pend(struct vm_gang *g, struct vm_frame *f, uint32_t block, uint32_t lane)
{
    if (!is_pending(f, block)) {
        memset(f->masks[block], 0, g->all);
        f->waiting[block] = (struct vm_lane_count){0, 0};
        set_pending(f, block);
    }
    f->masks[block][lane] = 0xff;
    f->waiting[block] =
        combined(f->waiting[block], (struct vm_lane_count){1, (lane / VM_PAD + 1) * VM_PAD});
}

const struct vm_insn *vm_frame_resume(struct vm_gang *g, struct vm_frame *f)
{
    g->frame = f;
    const int64_t t = pending_from(f, f->block + 1);
    return take(g, (uint32_t)(t != NOBODY ? t : pending_from(f, 0)));
}

// ---- terminators and calls
const struct vm_insn *vm_op_br(struct vm_gang *g, const struct vm_insn *ip)
{
    return vm_go(g, ip->b);
}

const struct vm_insn *vm_op_cbr_uniform(struct vm_gang *g, const struct vm_insn *ip)
{
    return vm_go(g, *(const uint8_t *)(g->r + ip->a) ? ip->b : ip->c);
}

const struct vm_insn *vm_op_ret(struct vm_gang *g, const struct vm_insn *ip)
{
    if (!g->frame->caller) {
        g->isa->merge(g->returned, g->mask, g->n);
        g->nreturned += g->nactive;
    }
    return vm_next(g);
}

void vm_set_variables(struct vm_gang *g, const struct vm_fn *fn, bool there)
{
    for (uint32_t i = 0; i < fn->nobjects; i++) {
        struct vm_object *o = &g->objects[fn->objects[i]];
        o->spaces = there ? vm_spaces(BC_PRIVATE) : 0;
        o->flags = (uint8_t)(there ? o->flags & ~VM_GONE : o->flags | VM_GONE);
    }
}

const struct vm_insn *vm_op_call(struct vm_gang *g, const struct vm_insn *ip)
{
    struct vm_frame *const caller = g->frame, *const f = &g->frames[ip->imm];
    const uint32_t nactive = g->nactive, end = g->end;
    vm_frame_start(g, f, g->mask);
    f->caller = caller;
    f->call = ip->src;
    f->path = vm_path_of_call(g, caller, ip->b);
    vm_set_variables(g, f->fn, true);
    for (const struct vm_insn *p = vm_enter(g, 0); p;) p = p->fn(g, p);
    vm_set_variables(g, f->fn, false);
    g->frame = caller;
    g->mask = caller->mask;
    g->nactive = nactive;
    g->end = end;
    return g->stop ? NULL : ip + 1;
}

/** In the clean stream: a call that returns an undefined value. */
const struct vm_insn *vm_undef_call(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_insn *next = vm_op_call(g, ip);
    return next && g->nundef ? vm_undef_switch(g, ip->a) : next;
}
