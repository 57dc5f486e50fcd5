// SPDX-License-Identifier: MIT
// Findings: `info findings`, `info race`, `info divergence`, and `explain`, which goes to the
// access.
#include "debug/commands/command.h"
#include "debug/history/finding_story.h"
#include "debug/history/history.h"
#include "debug/session/findings.h"
#include "debug/session/focus.h"
#include "debug/session/goal.h"
#include "debug/session/session.h"

#include <stdlib.h>
#include <string.h>

#define LL(x) ((unsigned long long)(x))

struct err *dbg_info_findings(const char *args, struct str *out)
{
    if (!dbg_findings.all.len) str_put(out, "Nothing was found so far.\n");
    for (size_t i = 0; i < dbg_findings.all.len; i++) {
        const char *text = dbg_findings.all.data[i].text;
        str_printf(out, "%zu: %.*s\n", i + 1, (int)strcspn(text, "\n"), text);
        text += strcspn(text, "\n");
        for (unsigned k = 0; k < dbg_findings.all.data[i].nsides && *text; k++) {
            text++;
            const size_t n = strcspn(text, "\n");
            str_printf(out, "   %.*s\n", (int)n, text);
            text += n;
        }
    }
    return NULL;
}

/** The number of a work-item in its group; the last groups may be smaller. */
static uint32_t number_in_group(const struct rep_item *x)
{
    const struct vm_launch *l = dbg_launch.run->l;
    uint64_t shape[3];
    for (unsigned k = 0; k < 3; k++) {
        const uint64_t left = l->global[k] - x->group[k] * l->local[k];
        shape[k] = left < l->local[k] ? left : l->local[k];
    }
    return (uint32_t)(x->local[0] + shape[0] * (x->local[1] + shape[1] * x->local[2]));
}

/** The work-item of a side (from 0), which must be in the history. */
static struct err *find_side(const struct dbg_found *f, unsigned side, struct dbg_story_side *out,
                             size_t *at)
{
    if (side >= f->nsides || !f->sides[side].known)
        return err_new("The finding has no side %u with a work-item.", side + 1);
    const struct rep_item *x = &f->sides[side];
    if (f->launch != dbg_launch.run->chk.number)
        return err_new(
            "That was in launch %llu, which is over; `run` and `until launch %llu` go there again.",
            LL(f->launch), LL(f->launch));
    const uint64_t *grid = dbg_launch.run->grid;
    *out = (struct dbg_story_side){.group = x->group[0] +
                                            grid[0] * (x->group[1] + grid[1] * x->group[2]),
                                   .item = number_in_group(x),
                                   .line = f->lines[side],
                                   .is_write = f->writes[side]};
    if (dbg_history_find(out->group, at)) return NULL;
    return err_new(dbg_history.off
                       ? "This launch has no history: its work-groups wait for each other."
                       : "Work-group (%llu,%llu,%llu) of that work-item is no longer kept; `set "
                         "history-size` before the launch keeps more.",
                   LL(x->group[0]), LL(x->group[1]), LL(x->group[2]));
}

// ---- stories
static bool is_race(enum rep_kind k)
{
    return k == REP_DATA_RACE || k == REP_SAME_VALUE_RACE || k == REP_MISSING_FENCE;
}
static bool is_divergence(enum rep_kind k) { return k == REP_BARRIER_DIVERGENCE; }

/** The finding that the arguments name; none: the last one of the kind. */
static struct err *find_finding(const char *args, const char *what, bool (*fits)(enum rep_kind),
                                size_t *out)
{
    char *end;
    const unsigned long n = strtoul(args, &end, 10);
    if (*args && (end == args || *end)) return err_new("A number of `info findings` is expected.");
    for (size_t i = dbg_findings.all.len; i-- > 0;) {
        if ((*args && i + 1 != n) || !fits(dbg_findings.all.data[i].kind)) continue;
        *out = i;
        return NULL;
    }
    return *args ? err_new("Finding %lu of `info findings` is not a %s.", n, what)
                 : err_new("No %s was found yet.", what);
}

/** Shows the finding, and its story or the reason why there is none. */
static struct err *show_story(struct err *e, const struct dbg_story *s,
                              void (*query)(struct vm_group *grp, struct str *out), struct str *out)
{
    str_printf(out, "Finding %zu: %s", s->finding + 1, dbg_findings.all.data[s->finding].text);
    dbg_story_choose(s);
    if (!e) e = dbg_ask(query);
    if (e) str_printf(out, "%s\n", err_message(e));
    err_free(e);
    return NULL;
}

struct err *dbg_info_race(const char *args, struct str *out)
{
    struct dbg_story s = {0};
    size_t at;
    struct err *e = find_finding(args, "race", is_race, &s.finding);
    if (!e) e = dbg_need_stopped();
    if (e) return e;
    for (unsigned k = 0; k < 2 && !e; k++)
        e = find_side(&dbg_findings.all.data[s.finding], k, &s.sides[k], &at);
    return show_story(e, &s, dbg_story_race, out);
}

struct err *dbg_info_divergence(const char *args, struct str *out)
{
    struct dbg_story s = {0};
    size_t at;
    struct err *e = find_finding(args, "barrier divergence", is_divergence, &s.finding);
    if (!e) e = dbg_need_stopped();
    if (e) return e;
    const struct dbg_found *f = &dbg_findings.all.data[s.finding];
    e = find_side(f, 0, &s.sides[0], &at);
    if (!e && f->elsewhere == UINT32_MAX)
        e = err_new("The finding does not name a work-item that is elsewhere.");
    s.sides[1] = s.sides[0];
    s.sides[1].item = f->elsewhere;
    return show_story(e, &s, dbg_story_divergence, out);
}

COMMAND(explain, DATA, "explain", "", 0, "[NUMBER] [1 | 2]",
        "Show a finding of `info findings`. With a side, go to the work-item and line of that "
        "access, in this work-group or an earlier one of the same launch.")
{
    if (!dbg_findings.all.len) return err_new("Nothing was found yet.");
    char *end;
    unsigned long n = strtoul(args, &end, 10), side = 0;
    if (end == args) n = dbg_findings.all.len;
    else {
        end += strspn(end, " \t");
        side = strtoul(end, NULL, 10);
    }
    if (!n || n > dbg_findings.all.len)
        return err_new("There %s %zu finding%s.", dbg_findings.all.len == 1 ? "is" : "are",
                       dbg_findings.all.len, dbg_findings.all.len == 1 ? "" : "s");
    const struct dbg_found *f = &dbg_findings.all.data[n - 1];
    if (!side) {
        str_printf(out, "Finding %lu: %s", n, f->text);
        if (f->nsides > 1 && !dbg_client.idle)
            str_printf(out,
                       "`explain %lu 1` and `explain %lu 2` go to the work-item of either side.\n",
                       n, n);
        return NULL;
    }
    struct err *e = dbg_need_stopped();
    if (e) return e;
    struct dbg_story_side x;
    size_t at;
    e = find_side(f, (unsigned)side - 1, &x, &at);
    if (e) return e;
    dbg_goal = (struct dbg_goal){.kind = DBG_REVERSE_TO_LINE,
                                 .count = 1,
                                 .line = x.line,
                                 .group = at,
                                 .before = x.group == f->group ? f->time : UINT64_MAX,
                                 .item = x.item};
    dbg.resume = true; // to its last access there
    return NULL;
}
