// SPDX-License-Identifier: MIT
// Findings while a kernel is debugged: kept for `info findings`, and possible stops.
#include "debug/execution/finding_stop.h"

#include "debug/execution/stop.h"
#include "debug/history/history.h"
#include "debug/session/findings.h"
#include "debug/session/frames.h"
#include "debug/session/session.h"
#include "debug/session/session_settings.h"
#include "report/document.h"

#include <stdlib.h>
#include <string.h>

static char *finding_text(const struct rep_finding *f)
{
    struct str s = {0};
    const bool warning = f->mild || f->possible || rep_kinds[f->kind].severity == REP_WARNING;
    str_printf(&s, "%s: %s [%s]\n", warning ? "warning" : "error", f->title, rep_kinds[f->kind].id);
    for (unsigned i = 0; i < f->nsides; i++) {
        const struct rep_side *x = &f->sides[i];
        str_printf(&s, "  %s:%u: %s", x->place.file ? dbg_base_name(x->place.file) : "?",
                   x->place.line, x->what ? x->what : "");
        if (x->item.known)
            str_printf(&s, " by work-item local (%llu,%llu,%llu) group (%llu,%llu,%llu)",
                       (unsigned long long)x->item.local[0], (unsigned long long)x->item.local[1],
                       (unsigned long long)x->item.local[2], (unsigned long long)x->item.group[0],
                       (unsigned long long)x->item.group[1], (unsigned long long)x->item.group[2]);
        str_put(&s, "\n");
    }
    for (unsigned i = 0; i < f->nnotes; i++) str_printf(&s, "  %s\n", f->notes[i]);
    return str_take(&s);
}

/** The finding as in a report of the format json, without the counts that reports have. */
static char *finding_report(const struct rep_finding *f)
{
    static const char *const later[] = {"also",  "known",       "fingerprint", "identity",
                                        "times", "work_groups", "launches"};
    if (!dbg_client.structured) return NULL;
    const struct rep_record r = {.example = *f};
    json_t *programs = json_object(), *o = rep_document_finding(&r, dbg_programs.sources, programs);
    for (size_t i = 0; i < sizeof later / sizeof *later; i++) json_object_del(o, later[i]);
    char *text = json_dumps(o, JSON_COMPACT);
    json_decref(o);
    json_decref(programs);
    return text;
}

struct pending_ctx {
    bool is_new;
};

static void add_pending(void *ctx, const struct rep_finding *f)
{
    const struct pending_ctx *h = ctx;
    if (dbg_launch.run->chk.rep && !rep_is_reported(dbg_launch.run->chk.rep, f)) return;
    struct dbg_found x = {.kind = f->kind,
                          .is_new = h->is_new,
                          .text = finding_text(f),
                          .report = finding_report(f),
                          .object = f->object ? mem_strdup(f->object) : NULL,
                          .first_byte = f->scene.first_byte,
                          .nbytes = f->scene.nbytes,
                          .elsewhere = f->scene.nparties > 1
                                           ? (uint32_t)strtoul(f->scene.parties[1].items, NULL, 10)
                                           : UINT32_MAX,
                          .nsides = f->nsides < 2 ? f->nsides : 2};
    for (unsigned i = 0; i < x.nsides; i++) {
        x.sides[i] = f->sides[i].item;
        x.lines[i] = f->sides[i].place.line;
        x.writes[i] = f->sides[i].what && !strncmp(f->sides[i].what, "write", 5);
    }
    vec_push(&dbg_findings.pending, x);
}

/** Collects the text of a finding without reporting it; the launch reports it at its end. */
static struct chk_launch with_listener(struct vm_run *run, struct pending_ctx *h)
{
    struct chk_launch l = run->chk;
    l.rep = NULL;
    l.raced = NULL;
    l.on_finding = add_pending;
    l.on_finding_ctx = h;
    return l;
}

void dbg_on_fault(void *ctx, struct vm_gang *g, const struct vm_fault_record *r, bool first)
{
    struct pending_ctx h = {first};
    bool wanted = first;
    for (size_t i = 0; i < dbg_breaks.list.len; i++)
        wanted |= dbg_breaks.list.data[i]->kind == DBG_CATCH &&
                  dbg_breaks.list.data[i]->finding != DBG_LAUNCH_END &&
                  !dbg_breaks.list.data[i]->first_only;
    if (!wanted || dbg_never_stops()) return;
    const struct chk_launch l = with_listener(g->worker->run, &h);
    struct vm_fault_record one = *r;
    one.item = vm_item_of(g, 0);
    one.count = 1;
    vm_fault_report(&l, &one);
}

void dbg_on_race(void *ctx, struct vm_run *run, const struct race_pair *p)
{
    struct pending_ctx h = {true};
    if (run->workers[0].fast_forwarding) run->workers[0].fast_forward_failed = true;
    if (dbg_never_stops() || run->workers[0].fast_forwarding || run->races_reported)
        return; // the last ones come by dbg_on_finding
    struct chk_launch l = with_listener(run, &h);
    chk_report_race(&l, p);
}

static bool same_group(const struct rep_finding *f)
{
    const struct rep_item *a = &f->sides[0].item, *b = &f->sides[1].item;
    return f->nsides < 2 || !a->known || !b->known || !memcmp(a->group, b->group, sizeof a->group);
}

/**
 * Findings that the interpreter reports while it runs: barriers; and at the end races. Races within
 * groups were seen before.
 */
void dbg_on_finding(void *ctx, const struct rep_finding *f)
{
    struct pending_ctx h = {true};
    if (!dbg_never_stops() && !(dbg_launch.run->races_reported && same_group(f)))
        add_pending(&h, f);
}

/**
 * Evaluates the condition of a catchpoint for the work-item. A condition with an error counts as
 * false.
 */
static bool condition_holds(const struct dbg_break *b, uint32_t item)
{
    if (!b->condition) return true;
    struct vm_gang *g = dbg_gang(item);
    struct dbg_frame f[DBG_MAX_FRAMES];
    struct dbg_expr *x = NULL;
    struct dbg_value v;
    struct arena a = {0};
    bool holds = false;
    const unsigned n = dbg_frames(g, f);
    struct err *e = dbg_expr_parse(b->condition, g->code->module, n ? f[0].fn : g->code->fns[0].bc,
                                   n ? f[0].loc : 0, &x);
    if (!e && x) e = dbg_expr_eval(x, g, &a, &v);
    if (!e && x) e = dbg_value_true(g, &v, &holds);
    err_free(e);
    dbg_expr_free(x);
    arena_deinit(&a);
    return holds;
}

/** Is this a stop? Counts the hit of a catchpoint whose event has occurred. */
static bool is_caught(struct dbg_break *b, uint32_t item)
{
    if (!condition_holds(b, item)) return false;
    b->hits++;
    if (!b->ignore) return true;
    b->ignore--;
    return false;
}

bool dbg_may_stop_at_launch_end(void)
{
    bool may = dbg_settings.stop_at_launch_end;
    for (size_t k = 0; k < dbg_breaks.list.len; k++) {
        const struct dbg_break *b = dbg_breaks.list.data[k];
        may |= b->kind == DBG_CATCH && b->finding == DBG_LAUNCH_END && !b->disabled;
    }
    return may && !dbg_never_stops();
}

void dbg_stop_at_launch_end(uint32_t item)
{
    bool stop = dbg_settings.stop_at_launch_end;
    struct dbg_break *which = NULL;
    for (size_t k = 0; k < dbg_breaks.list.len; k++) {
        struct dbg_break *b = dbg_breaks.list.data[k];
        if (b->kind == DBG_CATCH && b->finding == DBG_LAUNCH_END && !b->disabled &&
            is_caught(b, item))
            which = b;
    }
    if (!stop && !which) return;
    str_clear(&dbg_stop_text);
    if (which)
        str_printf(&dbg_stop_text, "%s %u, ",
                   which->temporary ? "Temporary catchpoint" : "Catchpoint", which->number);
    str_printf(&dbg_stop_text, "%s of launch %llu: %s\n", which ? "end" : "End",
               (unsigned long long)dbg_launch.run->chk.number, vec_last(&dbg_launch.log).text);
    dbg_focus.at_launch_end = true;
    dbg_stop_here(item, which ? "breakpoint" : "exception", "Launch ended", false, which);
    dbg_focus.at_launch_end = false;
}

bool dbg_stop_for_findings(uint32_t item)
{
    bool stop = false;
    struct dbg_break *which = NULL;
    str_clear(&dbg_stop_text);
    dbg_findings.stopped_for = 0;
    for (size_t i = 0; i < dbg_findings.pending.len; i++) {
        struct dbg_found *f = &dbg_findings.pending.data[i];
        f->item = item;
        f->group = dbg_focus.group_number;
        f->launch = dbg_launch.run->chk.number;
        f->time = dbg_history.time;
        bool wants = dbg_settings.stop_on_findings && f->is_new;
        for (size_t k = 0; k < dbg_breaks.list.len; k++) {
            struct dbg_break *b = dbg_breaks.list.data[k];
            if (b->kind != DBG_CATCH || b->disabled || (b->first_only && !f->is_new) ||
                (b->finding != DBG_ALL_FINDINGS && b->finding != (int)f->kind))
                continue;
            if (!is_caught(b, item)) continue;
            wants = true;
            which = b;
        }
        if (wants) {
            if (which) str_printf(&dbg_stop_text, "Catchpoint %u, ", which->number);
            str_put(&dbg_stop_text, f->text);
            stop = true;
        }
        vec_push(&dbg_findings.all, *f);
        if (wants) dbg_findings.stopped_for = dbg_findings.all.len;
        dbg_events.found(dbg_findings.all.len - 1);
    }
    vec_clear(&dbg_findings.pending);
    if (!stop) return false;
    dbg_stop_here(item, "exception", "Finding", true, which);
    return true;
}
