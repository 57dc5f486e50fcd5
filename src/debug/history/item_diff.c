// SPDX-License-Identifier: MIT
// Compares the paths of two work-items: the instructions that each of them executed, from the
// group's beginning on. The history is replayed segment by segment. Instructions of the work-item
// that is ahead wait until the other one executes its own. If they belong to different groups, the
// first one's path is replayed first.
#include "debug/history/item_diff.h"

#include "debug/expressions/expr.h"
#include "debug/expressions/frame_text.h"
#include "debug/history/event_trace.h"
#include "debug/history/history.h"
#include "debug/session/frames.h"
#include "debug/session/session_settings.h"

#include <string.h>

#define H     dbg_timeline
#define LL(x) ((unsigned long long)(x))

enum { MOST_AHEAD = 1 << 23 }; // instructions that one work-item may be ahead

struct step {
    const struct bc_insn *insn;
    uint64_t time;
};
static struct {
    struct dbg_diff_side side[2];
    unsigned replayed;            // the sides whose group is replayed: bits
    VEC(struct step) ahead;       // of one of them
    size_t begin;                 // the first of `ahead` that was not compared
    unsigned who;                 // which
    uint64_t common;              // instructions that were equal
    const struct bc_insn *branch; // the last equal one
    uint64_t last[2];             // its times
    struct step parted[2];
    bool has_parted, is_full;
    bool is_cut; // the path of the first one goes on after `ahead`
    struct dbg_diff_result result;
} D;

void dbg_diff_choose(struct dbg_diff_side a, struct dbg_diff_side b)
{
    D.side[0] = a;
    D.side[1] = b;
}

/** The index of the side's group in the history. */
static size_t group_of(unsigned who)
{
    size_t at = 0;
    dbg_history_find(D.side[who].group, &at);
    return at;
}

static bool is_replayed(unsigned who, uint32_t item)
{
    return D.replayed >> who & 1 && D.side[who].item == item;
}

static void see(void *ctx, struct vm_gang *g, uint32_t item)
{
    const unsigned who = !is_replayed(0, item);
    if ((who && !is_replayed(1, item)) || D.has_parted || D.is_full) return;
    const struct step s = {g->at->src, dbg_history.time};
    if (D.begin == D.ahead.len || D.who == who) {
        if (D.begin == D.ahead.len) vec_clear(&D.ahead), D.begin = 0;
        D.who = who;
        D.is_full = D.ahead.len == MOST_AHEAD || D.is_cut;
        if (!D.is_full) vec_push(&D.ahead, s);
        return;
    }
    const struct step other = D.ahead.data[D.begin++];
    D.has_parted = s.insn != other.insn;
    D.parted[who] = s;
    D.parted[!who] = other;
    if (D.has_parted) return;
    D.branch = s.insn;
    D.last[who] = s.time;
    D.last[!who] = other.time;
    D.common++;
}

/** Does one of the replayed sides run in segment k? */
static bool runs_in(const struct dbg_past_group *p, size_t k)
{
    for (unsigned who = 0; who < 2; who++)
        if (D.replayed >> who & 1 && (!k || dbg_segment_has(p->segments.data[k], D.side[who].item)))
            return true;
    return false;
}

/** Replays the group of these sides up to the present, or to its end. */
static enum dbg_searched replay(struct vm_group *grp, unsigned sides)
{
    const size_t at = group_of(sides == 2);
    const struct dbg_past_group *p = H.groups.data[at];
    const struct dbg_moment until = {.group = H.groups.data[at]};
    const struct dbg_observer o = {.see = see, .blind = true};
    D.replayed = sides;
    for (size_t k = 0; k < p->segments.len && !D.has_parted && !D.is_full; k++) {
        const struct dbg_segment *s = p->segments.data[k];
        if (s->from >= dbg_moment_time(until)) break;
        if (!runs_in(p, k)) continue;
        if (dbg_history_is_unwanted()) return DBG_SEARCH_INTERRUPTED;
        if (s->has_fast_forward && dbg_history_is_closed(grp, p, k)) return DBG_SEARCH_CLOSED;
        if (s->has_fast_forward) dbg_trace_expand(grp, at, k);
        const uint64_t now = dbg_moment_time(until),
                       end = k + 1 < p->segments.len ? p->segments.data[k + 1]->from : now;
        dbg_history_rewind(grp, at, k);
        const enum dbg_replayed r = dbg_history_replay(grp, end < now ? end : now, &o);
        if (r != DBG_REPLAYED) return r == DBG_CUT_SHORT ? DBG_SEARCH_INTERRUPTED : DBG_SEARCH_LOST;
    }
    return DBG_SEARCH_FOUND;
}

static enum dbg_searched compare(struct vm_group *grp)
{
    if (D.side[0].group == D.side[1].group) return replay(grp, 3);
    enum dbg_searched r = replay(grp, 1);
    D.is_cut = D.is_full;
    D.is_full = false;
    if (r == DBG_SEARCH_FOUND) r = replay(grp, 2);
    return r;
}

// ---- values
static void collect(struct dbg_diff_variables *v, struct vm_gang *g)
{
    struct dbg_frame f[DBG_MAX_FRAMES];
    const unsigned n = dbg_frames(g, f);
    for (unsigned level = 0; level < n; level++) {
        struct dbg_scope_vars vars;
        dbg_vars_of_frame(g, level, &vars);
        for (size_t i = 0; i < vars.list.len; i++) {
            const struct dbg_var *x = &vars.list.data[i];
            bool seen = vm_object_of(g, x->address)->kind != VM_OBJ_PRIVATE;
            for (size_t k = 0; k < v->list.len; k++) seen |= v->list.data[k].address == x->address;
            if (seen) continue;
            struct dbg_diff_variable *y = vec_add(&v->list);
            y->name = x->name;
            y->fn = level ? f[level].name : NULL;
            y->address = x->address;
        }
        dbg_vars_free(&vars);
    }
}

/** Reads the variables as work-item `who` has them. */
static void read_variables(struct dbg_diff_variables *v, struct vm_gang *g, unsigned who)
{
    struct dbg_frame f[DBG_MAX_FRAMES];
    const unsigned n = dbg_frames(g, f);
    for (unsigned level = 0; level < n; level++) {
        struct dbg_scope_vars vars;
        dbg_vars_of_frame(g, level, &vars);
        for (size_t i = 0; i < vars.list.len; i++)
            for (size_t k = 0; k < v->list.len; k++) {
                struct dbg_diff_variable *y = &v->list.data[k];
                if (y->address != vars.list.data[i].address || y->text[who].len) continue;
                const struct dbg_value x = dbg_value_at(vars.list.data[i].type, y->address);
                dbg_value_put(&y->text[who], g, &x, NULL);
            }
        dbg_vars_free(&vars);
    }
}

static void forget_variables(struct dbg_diff_variables *v)
{
    for (size_t i = 0; i < v->list.len; i++)
        str_deinit(&v->list.data[i].text[0]), str_deinit(&v->list.data[i].text[1]);
    vec_free(&v->list);
}

/** Finds the variables with different values. */
static void find_variables(struct vm_group *grp)
{
    const struct dbg_observer whole = {.blind = true, .whole = true};
    struct dbg_diff_variables v = {{0}};
    for (unsigned who = 0; who < 2; who++) {
        const size_t at = group_of(who);
        dbg_history_rewind(grp, at, dbg_segment_of(at, D.last[who], false));
        dbg_history_replay(grp, D.last[who], &whole);
        struct vm_gang *g = grp->gangs[D.side[who].item];
        if (!who) collect(&v, g);
        read_variables(&v, g, who);
    }
    size_t kept = 0;
    for (size_t i = 0; i < v.list.len; i++) {
        struct dbg_diff_variable *x = &v.list.data[i];
        if (strcmp(str_text(&x->text[0]), str_text(&x->text[1])) != 0) v.list.data[kept++] = *x;
        else str_deinit(&x->text[0]), str_deinit(&x->text[1]);
    }
    v.list.len = kept;
    D.result.variables = v;
}

static void put_variables(struct str *out)
{
    const struct dbg_diff_variables *v = &D.result.variables;
    str_put(out,
            v->list.len ? "Variables that differ there:\n" : "Their variables are equal there.\n");
    for (size_t i = 0; i < v->list.len; i++) {
        const struct dbg_diff_variable *x = &v->list.data[i];
        str_printf(out, "  %s%s%s = %s and %s\n", x->fn ? x->fn : "", x->fn ? "::" : "", x->name,
                   str_text(&x->text[0]), str_text(&x->text[1]));
    }
}

// ---- the answer
static void put_line(struct str *out, const struct bc_module *m, const struct bc_insn *i)
{
    dbg_put_line(out, m, &m->locs[i->loc]);
    str_put(out, "\n");
}

/** The first instruction from i on with a line. */
static const struct bc_insn *with_line(const struct bc_module *m, const struct bc_insn *i)
{
    while (!bc_ends_block(i->op) && (!i->loc || !m->locs[i->loc].line)) i++;
    return i;
}

static void put_item(struct str *out, unsigned who)
{
    uint64_t l[3], w[3], g[3];
    dbg_item_ids(D.side[who].group, D.side[who].item, l, w, g);
    str_printf(out, "(%llu,%llu,%llu)", LL(g[0]), LL(g[1]), LL(g[2]));
}

static void put_both(struct str *out)
{
    str_put(out, "Work-items global ");
    put_item(out, 0);
    str_put(out, " and ");
    put_item(out, 1);
}

/** The end of the comparison without a difference. */
static void put_no_difference(struct str *out)
{
    static const char *const ends[] = {
        [DBG_DIFF_INTERRUPTED] = ". The comparison was interrupted there",
        [DBG_DIFF_CLOSED] =
            ". The kernel then ran at full speed up to the interrupt, which cannot be compared",
        [DBG_DIFF_LOST] = ". Execution then differs when it is repeated",
        [DBG_DIFF_TOO_FAR] = ". One is too far ahead of the other to compare further"};
    put_both(out);
    str_printf(out, " have run the same %llu instructions", LL(D.common));
    if (D.result.end != DBG_DIFF_EQUAL) {
        str_put(out, ends[D.result.end]);
    } else if (D.begin < D.ahead.len) {
        str_put(out, "; ");
        put_item(out, D.who);
        str_printf(out, " is %zu ahead", D.ahead.len - D.begin);
    }
    str_put(out, ".\n");
}

static void put_difference(struct vm_group *grp, struct str *out)
{
    const struct bc_module *m = grp->gangs[0]->code->module;
    put_both(out);
    if (D.common) {
        str_printf(out, " part after %llu equal instructions, at ", LL(D.common));
        put_line(out, m, D.branch);
        D.result.branch = D.branch;
    } else {
        str_put(out, " part at the beginning.\n");
    }
    for (unsigned who = 0; who < 2; who++) {
        D.result.parted[who] = with_line(m, D.parted[who].insn);
        str_put(out, "  ");
        put_item(out, who);
        str_put(out, " continues at ");
        put_line(out, m, D.result.parted[who]);
    }
    if (!D.common) return;
    find_variables(grp);
    put_variables(out);
}

static enum dbg_diff_end end_of(enum dbg_searched r)
{
    return r == DBG_SEARCH_INTERRUPTED ? DBG_DIFF_INTERRUPTED
           : r == DBG_SEARCH_CLOSED    ? DBG_DIFF_CLOSED
           : r == DBG_SEARCH_LOST      ? DBG_DIFF_LOST
           : D.has_parted              ? DBG_DIFF_PARTED
           : D.is_full                 ? DBG_DIFF_TOO_FAR
                                       : DBG_DIFF_EQUAL;
}

void dbg_diff_answer(struct vm_group *grp, struct str *out)
{
    D.begin = 0;
    D.common = 0;
    D.has_parted = D.is_full = D.is_cut = false;
    forget_variables(&D.result.variables);
    D.result = (struct dbg_diff_result){.end = end_of(compare(grp))};
    if (D.result.end == DBG_DIFF_PARTED) put_difference(grp, out);
    else put_no_difference(out);
    D.result.common = D.common;
    D.result.sides[0] = D.side[0];
    D.result.sides[1] = D.side[1];
    vec_free(&D.ahead);
}

const struct dbg_diff_result *dbg_diff_result(void) { return &D.result; }
