// SPDX-License-Identifier: MIT
// Going backwards, by going forwards again.
//
// The engine is deterministic: what a work-group does follows from global memory at its beginning and from the order
// in which its work-items ran. So little has to be kept: for each group that order (runs of instructions of an item),
// the pages of global memory that it wrote, as they were before, and what the user wrote by hand. To be at time T of a
// group, the pages are put back, from the last group to that one, the group begins anew, and its order is followed up
// to T. Where to go to is found on a first pass, which looks at all that lies before.
//
// While that is done, and as long as the user moves in the past, nothing is checked: it was, the first time. The race
// check's shadow stands at the frontier and fits again when the frontier is reached. Memory is bounded: the groups
// that began first are forgotten.
#include "debug/history.h"

#include "base/mem.h"
#include "debug/command.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096 };

struct turn {
    uint32_t item;
    uint64_t from; // time
};
struct page {
    char *at, *bytes;
    uint32_t size;
};
struct by_hand {
    uint64_t time, address, size;
    uint32_t item;
    uint8_t *bytes;
};
struct past_group {
    uint64_t linear;
    uint64_t length; // time that it has got to
    VEC(struct turn) turns;
    VEC(struct page) pages;
    struct map saved; // address of a page → 1
    VEC(struct by_hand) writes;
    uint64_t bytes;
};

static struct {
    VEC(struct past_group *) groups;
    size_t at;     // the group that runs
    size_t cursor; // turn of it
    uint64_t bytes, forgotten;
    bool off;
    bool unchecked; // the user changed the past: the race check does not know this group any more
    struct race_worker *race; // kept while in the past
} H;

void dbg_history_mark(void)
{
    if (!H.off && !dbg.past && H.groups.len) H.groups.data[H.at]->length = dbg.time;
}

static void forget(struct past_group *p)
{
    for (size_t i = 0; i < p->pages.len; i++) free(p->pages.data[i].bytes);
    for (size_t i = 0; i < p->writes.len; i++) free(p->writes.data[i].bytes);
    vec_free(&p->pages);
    vec_free(&p->writes);
    vec_free(&p->turns);
    map_deinit(&p->saved);
    H.bytes -= p->bytes;
    free(p);
}

static void forget_first(void)
{
    forget(H.groups.data[0]);
    memmove(H.groups.data, H.groups.data + 1, --H.groups.len * sizeof *H.groups.data);
    H.at -= H.at > 0;
    H.forgotten++;
}

void dbg_history_launch(const struct vm_run *run)
{
    H.off = run->workers[0].max_contexts > 1; // groups that wait for one another run by turns
    H.forgotten = 0;
}

void dbg_history_launch_ends(void)
{
    while (H.groups.len) forget(vec_pop(&H.groups));
    H.at = 0;
    dbg.past = H.unchecked = false;
}

// ---- checks: off in the past
static void enter_past(struct vm_group *grp)
{
    if (!dbg.past && !H.unchecked) H.race = grp->race;
    dbg.past = true;
    grp->race = NULL;
    grp->worker->muted = true;
    for (uint32_t k = 0; k < grp->ngangs; k++)
        for (uint32_t id = 0; id < grp->gangs[k]->nobjects; id++) grp->gangs[k]->objects[id].flags &= (uint8_t)~(VM_WATCH_LOCAL | VM_WATCH_GLOBAL);
}

static void leave_past(struct vm_group *grp)
{
    const struct vm_run *run = grp->worker->run;
    dbg.past = H.unchecked = false;
    grp->race = H.race;
    grp->worker->muted = false;
    for (uint32_t k = 0; k < grp->ngangs; k++)
        for (uint32_t id = 0; id < grp->gangs[k]->nobjects; id++) grp->gangs[k]->objects[id].flags = run->objects[id].flags;
}

static void charge(struct past_group *p, uint64_t n)
{
    p->bytes += n;
    H.bytes += n;
}

void dbg_history_group(struct vm_group *grp)
{
    if (H.off) return;
    if (H.unchecked) {
        leave_past(grp);
        if (grp->race) race_group_begin(grp->race, grp->linear);
    }
    struct past_group *p = mem_alloc(sizeof *p);
    p->linear = grp->linear;
    vec_push(&H.groups, p);
    H.at = H.groups.len - 1;
    charge(p, sizeof *p);
    while (H.bytes > dbg.history_limit && H.groups.len > 1) forget_first();
}

// ---- recording
/** Keeps the pages of an object that hold [off, off + size); what lies beside the object in memory is not touched. */
static void save(struct past_group *p, const struct vm_object *o, uint64_t off, uint64_t size)
{
    for (uint64_t at = off / PAGE * PAGE; at < off + size; at += PAGE) {
        bool is_new;
        map_put_ptr(&p->saved, o->base + at, &is_new);
        if (!is_new) continue;
        const uint32_t n = (uint32_t)(o->size - at < PAGE ? o->size - at : PAGE);
        vec_push(&p->pages, ((struct page){o->base + at, mem_dup(o->base + at, n), n}));
        charge(p, n + sizeof(struct page) + 16);
    }
}

static void save_object(struct past_group *p, const struct vm_gang *g, uint64_t address, uint64_t size)
{
    const uint64_t id = address >> BC_PTR_ID_SHIFT;
    const struct vm_object *o = &g->objects[id < g->nobjects ? id : g->nobjects];
    const int64_t off = vm_offset_of(address);
    if ((o->kind != VM_OBJ_BUFFER && o->kind != VM_OBJ_PROGRAM && o->kind != VM_OBJ_IMAGE) || !o->base) return;
    if (off < 0 || (uint64_t)off >= o->size) return;
    save(p, o, (uint64_t)off, size < o->size - (uint64_t)off ? size : o->size - (uint64_t)off);
}

static uint64_t operand(const struct vm_gang *g, const struct vm_fn *fn, uint32_t op, unsigned size)
{
    uint64_t v = 0;
    if (op != BC_NONE) memcpy(&v, g->r + (op & BC_V ? fn->varying_off[op & ~BC_V] : fn->uniform_off + 8 * op), size);
    return v;
}

/** What the instruction is about to write to global memory is kept as it is. */
static void save_written(struct past_group *p, const struct vm_gang *g, const struct bc_insn *i)
{
    const struct vm_fn *fn = g->frame->fn;
    const uint64_t a = operand(g, fn, i->a, 8);
    const uint64_t first = BC_PTR(a >> BC_PTR_ID_SHIFT, 0);
    switch ((enum bc_op)i->op) {
    case BC_STORE:
    case BC_ATOMIC: {
        const struct bc_mem *m = &g->code->module->sites[i->site];
        const uint64_t b = operand(g, fn, i->b, m->index_kind == BC_IDX_I64 ? 8 : 4);
        const int64_t index = m->index_kind == BC_IDX_NONE ? 0 : m->index_kind == BC_IDX_S32 ? (int32_t)b : (int64_t)b;
        const int64_t off = vm_offset_of(a) + index * m->scale + m->disp;
        if (off >= 0) save_object(p, g, BC_PTR(a >> BC_PTR_ID_SHIFT, off), (uint64_t)m->elem * m->ncomp);
        break;
    }
    case BC_COPY:
    case BC_SET: save_object(p, g, a, operand(g, fn, i->c, 8)); break;
    case BC_ASYNC_COPY:
    case BC_IMAGE: save_object(p, g, first, UINT64_MAX); break;
    default: break;
    }
}

void dbg_history_record(struct vm_gang *g, uint32_t item, const struct bc_insn *insn)
{
    if (H.off || dbg.past || !H.groups.len) return;
    struct past_group *p = H.groups.data[H.at];
    p->length = dbg.time;
    if (!p->turns.len || vec_last(&p->turns).item != item || item == DBG_JUDGE) {
        vec_push(&p->turns, ((struct turn){item, dbg.time}));
        charge(p, sizeof(struct turn));
    }
    if (g && (insn->op == BC_STORE || insn->op == BC_ATOMIC || insn->op == BC_COPY || insn->op == BC_SET || insn->op == BC_ASYNC_COPY || insn->op == BC_IMAGE))
        save_written(p, g, insn);
}

void dbg_history_write(struct vm_gang *g, uint64_t address, const void *bytes, uint64_t size)
{
    if (H.off || !H.groups.len) return;
    struct past_group *p = H.groups.data[H.at];
    save_object(p, g, address, size);
    if (dbg.past) { // what lies ahead is not what it was: the order is made anew, and races of this group are not looked for
        while (H.groups.len > H.at + 1) forget(vec_pop(&H.groups));
        dbg_history_turn();
        p->turns.len = p->turns.len ? H.cursor + 1 : 0;
        p->length = dbg.time;
        dbg.past = false;
        H.unchecked = true;
        dbg.grp->worker->muted = false;
    }
    while (p->writes.len && vec_last(&p->writes).time > dbg.time) free(vec_pop(&p->writes).bytes);
    vec_push(&p->writes, ((struct by_hand){dbg.time, address, size, g->first_item, mem_dup(bytes, size)}));
    charge(p, sizeof(struct by_hand) + size);
}

// ---- moving in time
static void write_by_hand(struct vm_group *grp)
{
    const struct past_group *p = H.groups.data[H.at];
    for (size_t i = 0; i < p->writes.len; i++)
        if (p->writes.data[i].time == dbg.time) err_free(dbg_write_raw(grp->gangs[p->writes.data[i].item], p->writes.data[i].address, p->writes.data[i].bytes, p->writes.data[i].size));
}

static void restart(struct vm_group *grp, size_t at)
{
    H.at = at;
    H.cursor = 0;
    str_clear(&grp->out);
    vm_group_start(grp, H.groups.data[at]->linear, 1);
    dbg.group_number = grp->linear;
    dbg.time = 0;
    dbg_enter_kernel(grp);
    enter_past(grp); // vm_gang_start may have made the objects anew
    write_by_hand(grp);
}

/** Global memory as it was when group `at` began, and that group at its beginning. */
static void rewind_to(struct vm_group *grp, size_t at)
{
    enter_past(grp);
    for (size_t k = H.at + 1; k-- > at;) {
        const struct past_group *p = H.groups.data[k];
        for (size_t i = p->pages.len; i-- > 0;) memcpy(p->pages.data[i].at, p->pages.data[i].bytes, p->pages.data[i].size);
    }
    restart(grp, at);
}

uint32_t dbg_history_turn(void)
{
    if (!dbg.past) return UINT32_MAX;
    const struct past_group *p = H.groups.data[H.at];
    if (dbg.time >= p->length || !p->turns.len) return UINT32_MAX; // the group is done
    while (H.cursor + 1 < p->turns.len && p->turns.data[H.cursor + 1].from <= dbg.time) H.cursor++;
    return p->turns.data[H.cursor].item;
}

bool dbg_history_advance(struct vm_group *grp)
{
    if (!dbg.past) return false;
    const struct past_group *p = H.groups.data[H.at];
    write_by_hand(grp);
    if (H.at + 1 == H.groups.len && dbg.time >= p->length) {
        leave_past(grp);
        return true;
    }
    return H.cursor + 1 < p->turns.len && p->turns.data[H.cursor + 1].from <= dbg.time;
}

bool dbg_history_next_group(struct vm_group *grp)
{
    if (!dbg.past || H.at + 1 >= H.groups.len) return false;
    restart(grp, H.at + 1);
    if (!H.groups.data[H.at]->length && H.at + 1 == H.groups.len) leave_past(grp);
    return true;
}

/** Does what was done until `time`; `see` looks at each instruction before it is done, `saw` behind it. */
struct observer {
    void (*see)(void *ctx, struct vm_gang *g, uint32_t item);
    void (*saw)(void *ctx, struct vm_gang *g, uint32_t item, const struct bc_insn *insn);
    void *ctx;
};
static void replay(struct vm_group *grp, uint64_t time, const struct observer *o)
{
    const struct vm_insn *prev = NULL;
    while (dbg.time < time) {
        const uint32_t item = dbg_history_turn();
        if (item == DBG_JUDGE) {
            vm_group_judge(grp);
            dbg.time++;
            write_by_hand(grp);
            prev = NULL;
            continue;
        }
        struct vm_gang *g = grp->gangs[item];
        if (!vm_step_begin(g)) return; // cannot be
        const struct vm_insn *ip = g->at;
        const bool begins = !prev || ip != prev + 1 || ip->src != prev->src;
        if (o && begins && o->see) o->see(o->ctx, g, item);
        prev = ip;
        vm_step(g);
        dbg.time++;
        write_by_hand(grp);
        if (o && o->saw) o->saw(o->ctx, g, item, ip->src);
    }
}

static void go_to(struct vm_group *grp, size_t at, uint64_t time)
{
    rewind_to(grp, at);
    replay(grp, time, NULL);
    if (H.at + 1 == H.groups.len && dbg.time >= H.groups.data[H.at]->length) leave_past(grp);
}

// ---- where to go back to
struct event { // a work-item comes to another line, or depth
    uint64_t time;
    uint32_t file, line, inlined_at;
    unsigned depth;
};
struct lines {
    uint32_t item;
    VEC(struct event) events;
    uint64_t last; // its last instruction
    bool any;
};

static void see_lines(void *ctx, struct vm_gang *g, uint32_t item)
{
    struct lines *x = ctx;
    if (item != x->item) return;
    x->last = dbg.time;
    x->any = true;
    const uint32_t loc = g->at->src->loc;
    const struct bc_loc *l = &g->code->module->locs[loc];
    if (!loc || !l->line) return;
    const struct event e = {dbg.time, l->file, l->line, l->inlined_at, dbg_depth(g, loc)};
    const struct event *p = x->events.len ? &vec_last(&x->events) : NULL;
    if (p && p->file == e.file && p->line == e.line && p->inlined_at == e.inlined_at && p->depth == e.depth) return;
    vec_push(&x->events, e);
}

/** The event to go back to before time t, as the kind of step wants; -1: none. */
static int64_t earlier(const struct lines *x, enum dbg_goal_kind kind, uint64_t t, unsigned depth)
{
    for (size_t i = x->events.len; i-- > 0;) {
        const struct event *e = &x->events.data[i];
        if (e->time >= t) continue;
        if (kind != DBG_REVERSE_TO_LINE && i && x->events.data[i - 1].depth > e->depth && x->events.data[i - 1].time < t) continue; // in the middle of a line, behind a call
        if (kind == DBG_REVERSE_TO_LINE && e->line != dbg.goal.line) continue;
        if (kind == DBG_REVERSE_NEXT && e->depth > depth) continue;
        if (kind == DBG_REVERSE_FINISH && e->depth >= depth) continue;
        return (int64_t)i;
    }
    return -1;
}

static void step_back(struct vm_group *grp, struct str *out)
{
    struct lines x = {.item = dbg.goal.item};
    const struct observer o = {see_lines, NULL, &x};
    const uint64_t now = dbg.time;
    const size_t at = H.at;
    uint64_t t = now;
    unsigned depth = dbg.goal.depth;
    rewind_to(grp, at);
    replay(grp, now, &o);
    bool stuck = false;
    for (uint64_t n = dbg.goal.count ? dbg.goal.count : 1; n-- && !stuck;) {
        if (dbg.goal.kind == DBG_REVERSE_STEPI) {
            stuck = !x.any;
            t = x.any ? x.last : 0;
            if (n) { // further back: one at a time
                x.any = false;
                rewind_to(grp, at);
                replay(grp, t, &o);
            }
            continue;
        }
        const int64_t e = earlier(&x, dbg.goal.kind, t, depth);
        if (e < 0) {
            stuck = true;
            t = x.events.len ? x.events.data[0].time : 0;
        } else {
            t = x.events.data[e].time;
            depth = x.events.data[e].depth;
        }
    }
    vec_free(&x.events);
    go_to(grp, at, t < now ? t : now);
    if (stuck) str_put(out, "\nNo more reverse-execution history: the work-item begins here.\n");
}

struct hits {
    bool any;
    uint64_t time;
    uint32_t item;
    struct dbg_break *which;
    struct str text;
};

static void see_breaks(void *ctx, struct vm_gang *g, uint32_t item)
{
    struct hits *h = ctx;
    struct dbg_break *b = g->at->src->flags & BC_BREAK ? dbg_break_would_hit(g, item, g->at->src) : NULL;
    if (!b) return;
    h->any = true;
    h->time = dbg.time;
    h->item = item;
    h->which = b;
    str_clear(&h->text);
    str_printf(&h->text, "Breakpoint %u, ", b->number);
}

static void saw_writes(void *ctx, struct vm_gang *g, uint32_t item, const struct bc_insn *insn)
{
    struct hits *h = ctx;
    struct dbg_break *b = NULL;
    struct str text = {0};
    if (insn->op != BC_STORE && insn->op != BC_ATOMIC && insn->op != BC_COPY && insn->op != BC_SET) return;
    if (dbg_any_watch() && dbg_watch_hit(g, item, insn, &text, &b)) {
        h->any = true;
        h->time = dbg.time - 1; // before the write
        h->item = item;
        h->which = b;
        str_clear(&h->text);
        str_put(&h->text, str_text(&text));
    }
    str_deinit(&text);
}

static void continue_back(struct vm_group *grp, struct str *out, struct dbg_break **which)
{
    struct hits h = {0};
    const struct observer o = {see_breaks, saw_writes, &h};
    uint64_t until = dbg.time;
    const uint32_t focus = dbg.focus;
    for (size_t at = H.at;; at--) {
        rewind_to(grp, at);
        dbg_watch_refresh();
        replay(grp, until, &o);
        if (h.any || !at) {
            go_to(grp, at, h.any ? h.time : 0);
            break;
        }
        until = H.groups.data[at - 1]->length;
    }
    dbg_watch_refresh();
    dbg.focus = h.any ? h.item : focus < grp->items ? focus : 0;
    if (h.any) str_put(out, str_text(&h.text)), *which = h.which;
    else str_printf(out, "\nNo more reverse-execution history: %s.\n",
                    H.forgotten ? "what was before is forgotten (`set history-size`)" : "the launch begins here");
    str_deinit(&h.text);
}

void dbg_history_back(struct vm_group *grp, struct str *out, struct dbg_break **which)
{
    *which = NULL;
    if (H.off || !H.groups.len) {
        str_put(out, "There is no history of this launch: its work-groups wait for one another and run by turns.\n");
        return;
    }
    if (dbg.goal.kind == DBG_REVERSE_CONTINUE) continue_back(grp, out, which);
    else step_back(grp, out);
}

struct err *dbg_info_history(struct str *out)
{
    if (!H.groups.len) {
        str_put(out, H.off ? "This launch has no history: its work-groups wait for one another.\n" : "No kernel is stopped: there is no history.\n");
        return NULL;
    }
    str_printf(out, "%zu work-group%s, %llu bytes of at most %llu; time %llu of %llu%s\n", H.groups.len, H.groups.len == 1 ? "" : "s",
               (unsigned long long)H.bytes, (unsigned long long)dbg.history_limit, (unsigned long long)dbg.time,
               (unsigned long long)H.groups.data[H.at]->length, dbg.past ? ", in the past" : "");
    if (H.forgotten) str_printf(out, "%llu work-groups before are forgotten.\n", (unsigned long long)H.forgotten);
    return NULL;
}
