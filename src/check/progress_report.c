// SPDX-License-Identifier: MIT
// Launches that do not end, or that a limit ended; arguments of printf.
#include "check/place.h"

#define LL(x) ((unsigned long long)(x))

void chk_report_printf(const struct chk_launch *l, struct chk_where where, struct chk_item item,
                       const char *what)
{
    struct arena arena = {0}, *a = &arena;
    struct rep_finding out = chk_finding(l, REP_PRINTF_MISMATCH);
    out.title = "printf's arguments do not fit its format";
    out.sides[0] = (struct rep_side){chk_place(l, a, where), chk_rep_item(l, item), "printf"};
    out.nsides = 1;
    out.group_linear = item.group;
    chk_note(&out, what);
    chk_report(l, &out);
    arena_deinit(a);
}

void chk_report_no_progress(const struct chk_launch *l, struct chk_where where,
                            struct chk_item item, uint64_t waiting)
{
    struct arena arena = {0}, *a = &arena;
    struct rep_finding out = chk_finding(l, REP_NO_PROGRESS);
    out.title = "work-items wait for one another and none can continue";
    out.sides[0] =
        (struct rep_side){chk_place(l, a, where), chk_rep_item(l, item), "repeated without end"};
    out.nsides = 1;
    out.group_linear = item.group;
    chk_note(&out, arena_printf(a,
                                "%llu work-item%s of the group wait%s here; a full round of all "
                                "work-items changed nothing",
                                LL(waiting), waiting == 1 ? "" : "s", waiting == 1 ? "s" : ""));
    chk_report(l, &out);
    arena_deinit(a);
}

static void count_cut(const struct chk_launch *l)
{
    if (l->rep) __atomic_fetch_add(&rep_totals(l->rep)->cut_checks, 1, __ATOMIC_RELAXED);
}

void chk_report_livelock(const struct chk_launch *l, struct chk_where where, struct chk_item item,
                         enum chk_livelock why, uint64_t limit)
{
    struct arena arena = {0}, *a = &arena;
    struct rep_finding out = chk_finding(l, limit ? REP_INSTRUCTION_LIMIT : REP_NO_PROGRESS);
    out.fix = limit ? REP_FIX_OF_KIND : REP_FIX_ENDLESS;
    out.title =
        limit
            ? arena_printf(a,
                           "kernel '%s' was ended in a loop that did nothing for %llu instructions",
                           out.kernel, LL(limit))
            : "a loop never ends";
    out.sides[0] = (struct rep_side){chk_place(l, a, where), chk_rep_item(l, item),
                                     limit ? "repeated" : "repeated without end"};
    out.nsides = 1;
    out.group_linear = item.group;
    static const char *const reasons[] = {
        [CHK_LIVELOCK_STATE] =
            "it returned to the state of an earlier iteration, and nothing was written in between",
        [CHK_LIVELOCK_CLOSED] = "the loop has no exit",
        [CHK_LIVELOCK_BARRIERS] =
            "across its barriers the work-group returned to the state of an "
            "earlier iteration, and no memory that it reads was changed in between",
        [CHK_LIVELOCK_TIMEOUT] =
            "nothing was written and no barrier was passed; if that is intended, "
            "raise --livelock-limit",
    };
    chk_note(&out, reasons[why]);
    chk_note(&out, "the launch was ended here; the rest of it was not checked");
    chk_report(l, &out);
    count_cut(l);
    arena_deinit(a);
}

void chk_report_limit(const struct chk_launch *l, uint64_t limit)
{
    struct arena arena = {0}, *a = &arena;
    struct rep_finding out = chk_finding(l, REP_INSTRUCTION_LIMIT);
    const struct bc_fn *fn = &l->module->fns[l->kernel->fn];
    out.title =
        arena_printf(a, "kernel '%s' was ended after %llu instructions", out.kernel, LL(limit));
    out.sides[0] = (struct rep_side){.place = chk_place(l, a, (struct chk_where){fn->loc, NULL, 0}),
                                     .what = "declared here"};
    out.nsides = 1;
    chk_note(&out, "the rest of the launch was not checked");
    chk_report(l, &out);
    count_cut(l);
    arena_deinit(a);
}
