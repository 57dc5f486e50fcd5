// SPDX-License-Identifier: MIT
// `workitem`: the focus, and commands applied to several work-items.
#include "base/mem.h"
#include "debug/commands/command.h"
#include "debug/commands/command_text.h"
#include "debug/commands/commands.h"
#include "debug/history/history.h"
#include "debug/history/item_diff.h"
#include "debug/session/item_order.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define LL(x) ((unsigned long long)(x))

static struct err *read_ids(const char *p, uint64_t out[3])
{
    for (unsigned k = 0; k < 3; k++) out[k] = 0;
    p += strspn(p, " \t(");
    for (unsigned k = 0; *p && *p != ')'; k++) {
        char *end;
        if (k == 3 || !isdigit((unsigned char)*p))
            return err_new("Up to three numbers are expected, near `%s'.", p);
        out[k] = strtoull(p, &end, 0);
        p = end + strspn(end, " \t,");
    }
    return NULL;
}

static bool only_looks(const char *command)
{
    static const char *const looking[] = {"print",    "p",         "output", "printf", "echo",
                                          "x",        "backtrace", "bt",     "where",  "info",
                                          "i",        "frame",     "f",      "whatis", "ptype",
                                          "workitem", "wi",        "thread", "list",   "l"};
    const size_t n = strcspn(command, " \t/");
    for (size_t i = 0; i < sizeof looking / sizeof *looking; i++)
        if (strlen(looking[i]) == n && !memcmp(looking[i], command, n)) return true;
    return false;
}

/**
 * Executes the command in work-items from–to. An error in some of them is shown in their place; if
 * all have the same error, it is returned once.
 */
static struct err *apply_to(unsigned long from, unsigned long to, const char *command,
                            struct str *out)
{
    struct str text = {0};
    struct err *first = NULL;
    bool same = true;
    for (unsigned long i = from; i <= to; i++) {
        struct dbg_done done;
        dbg_focus.item = (uint32_t)i;
        dbg_focus.frame = 0;
        str_printf(&text, "%sWork-item %lu, ", i > from ? "\n" : "", i);
        dbg_put_item(&text, dbg_focus.group_number, dbg_focus.item);
        str_put(&text, ":\n");
        struct err *e = dbg_execute(command, &text, &done);
        if (e) str_printf(&text, "%s\n", err_message(e));
        if (i == from) {
            first = e;
        } else {
            same = same && e && first && !strcmp(err_message(e), err_message(first));
            err_free(e);
        }
    }
    if (!first || !same) {
        str_put(out, str_text(&text));
        err_free(first);
        first = NULL;
    }
    str_deinit(&text);
    return first;
}

/** `apply all|FROM-TO COMMAND`: the command, for each of them. */
static struct err *apply(const char *args, struct str *out)
{
    const bool all = dbg_word_is(args, "all");
    char *end;
    unsigned long from = all ? 0 : strtoul(args, &end, 10),
                  to = all ? dbg_focus.group->items - 1 : from;
    if (!all && (end == args || !isdigit((unsigned char)*args)))
        return err_new(
            "For which work-items?  `thread apply all COMMAND`, `thread apply 0-3 COMMAND`");
    if (!all && *end == '-') to = strtoul(end + 1, &end, 10);
    const char *command = all ? args + dbg_word(args) : end;
    command += strspn(command, " \t");
    if (to >= dbg_focus.group->items || from > to)
        return err_new("The work-group has work-items 0 to %u.", dbg_focus.group->items - 1);
    if (!*command) return err_new("A command is expected.");
    if (!only_looks(command))
        return err_new("Only commands that show something can be applied to several work-items.");
    const uint32_t focus = dbg_focus.item;
    const unsigned frame = dbg_focus.frame;
    struct err *e = apply_to(from, to, command, out);
    dbg_focus.item = focus;
    dbg_focus.frame = frame;
    return e;
}

/** Converts dimension k of a global id to a local id. Zeros for y and z may be omitted. */
static struct err *local_of_global(uint64_t id[3], unsigned k)
{
    const struct vm_group *grp = dbg_focus.group;
    const struct vm_launch *l = dbg_launch.run->l;
    const bool left_out = k && !id[k];
    const uint64_t at = id[k] < l->offset[k] ? 0 : id[k] - l->offset[k];
    if ((id[k] < l->offset[k] && !left_out) || at >= l->global[k])
        return err_new("There is no work-item with that global id.");
    if (at / l->local[k] == grp->id[k]) {
        id[k] = at - grp->id[k] * l->local[k];
    } else if (left_out) {
        id[k] = 0;
    } else {
        return err_new("Work-item global (%llu,%llu,%llu) is in another work-group, which %s.",
                       LL(id[0]), LL(id[1]), LL(id[2]),
                       at / l->local[k] < grp->id[k]
                           ? "has run"
                           : "has not run yet (`until workgroup` goes there)");
    }
    return NULL;
}

/** "G H I", "local L M N" or "linear N". */
static struct err *find_item(const char *args, uint32_t *item)
{
    const struct vm_group *grp = dbg_focus.group;
    const bool word = isalpha((unsigned char)*args), local = word && dbg_word_is(args, "local"),
               linear = word && !local && dbg_word_is(args, "linear"),
               global = word && !local && !linear && dbg_word_is(args, "global");
    uint64_t given[3], id[3];
    struct err *e = read_ids(local || linear || global ? args + dbg_word(args) : args, given);
    if (e) return e;
    if (linear && given[0] >= grp->items)
        return err_new("The work-group has %u work-items.", grp->items);
    *item = (uint32_t)given[0];
    if (linear) return NULL;
    memcpy(id, given, sizeof id);
    for (unsigned k = 0; k < 3 && !e; k++) {
        uint64_t one[3] = {given[0], given[1], given[2]};
        if (!local) e = local_of_global(one, k);
        id[k] = one[k];
        if (!e && id[k] >= grp->shape[k])
            e = err_new("The work-group has %u x %u x %u work-items.", grp->shape[0], grp->shape[1],
                        grp->shape[2]);
    }
    *item = (uint32_t)(id[0] + grp->shape[0] * (id[1] + (uint64_t)grp->shape[1] * id[2]));
    return e;
}

COMMAND(workitem, ITEMS, "workitem", "wi thread", 0,
        "[G [H [I]] | local L [M [N]] | linear N | apply all | FROM-TO COMMAND]",
        "Show the focused work-item, or focus on another one of the running group, by global id, "
        "local id or number in the group. The others stay where they are. `apply` executes a "
        "command that only shows something in several work-items, by their numbers in the group. "
        "An error in one work-item does not stop the others.")
{
    struct err *e = dbg_need_stopped();
    if (e) return e;
    if (dbg_word_is(args, "apply") && dbg_word(args) > 2)
        return apply(args + dbg_word(args) + strspn(args + dbg_word(args), " \t"), out);
    if (*args) {
        uint32_t item = 0;
        e = find_item(args, &item);
        if (e) return e;
        dbg_focus.item = item;
        dbg_item_order.prefer = dbg_focus.item;
        dbg_focus.frame = 0;
        dbg_focus.shown_item = dbg_focus.item;
    }
    str_put(out, "Work-item ");
    dbg_put_item(out, dbg_focus.group_number, dbg_focus.item);
    str_put(out, "\n");
    dbg_show_place(out);
    return NULL;
}

/** A global id in any work-group that is in the history. */
static struct err *find_elsewhere(const char *args, struct dbg_diff_side *out)
{
    const struct vm_launch *l = dbg_launch.run->l;
    const uint64_t *grid = dbg_launch.run->grid;
    uint64_t id[3], group[3], shape[3];
    size_t at;
    struct err *e = read_ids(args, id);
    for (unsigned k = 0; k < 3 && !e; k++) {
        if (id[k] < l->offset[k] || id[k] - l->offset[k] >= l->global[k])
            return err_new("There is no work-item with that global id.");
        id[k] -= l->offset[k];
        group[k] = id[k] / l->local[k];
        id[k] -= group[k] * l->local[k];
        const uint64_t left = l->global[k] - group[k] * l->local[k];
        shape[k] = left < l->local[k] ? left : l->local[k];
    }
    if (e) return e;
    out->group = group[0] + grid[0] * (group[1] + grid[1] * group[2]);
    out->item = (uint32_t)(id[0] + shape[0] * (id[1] + shape[1] * id[2]));
    if (dbg_history.off || dbg_history_find(out->group, &at)) return NULL;
    return err_new("The work-group of work-item %s %s.", args,
                   out->group < dbg_focus.group_number
                       ? "is not in the history any more (`set history-size`)"
                       : "has not run yet (`until workgroup` goes there)");
}

/** A work-item of the running group, or of an earlier one. */
static struct err *find_side(const char *args, struct dbg_diff_side *out)
{
    out->group = dbg_focus.group_number;
    struct err *e = find_item(args, &out->item);
    if (!e || !isdigit((unsigned char)*args)) return e;
    err_free(e);
    return find_elsewhere(args, out);
}

COMMAND(
    diff, ITEMS, "diff", "", 0, "items G[,H[,I]] [G[,H[,I]]]",
    "Show where two work-items parted. The answer is the first branch at which they went different "
    "ways, and the variables that differed there. Work-items are given by global id, also of "
    "work-groups that ran before; one alone is compared with the focused work-item.")
{
    char ids[2][64];
    struct dbg_diff_side side[2] = {{0}, {dbg_focus.group_number, dbg_focus.item}};
    struct err *e = dbg_need_stopped();
    if (!e && !dbg_word_is(args, "items")) e = err_new("diff of what?  `diff items 0 1`");
    if (e) return e;
    unsigned n = 0;
    for (args += dbg_word(args); *(args += strspn(args, " \t")); args += dbg_word(args)) {
        if (n == 2 || dbg_word(args) >= sizeof *ids)
            return err_new("Two work-items are expected: `diff items 0,1 0,2`.");
        snprintf(ids[n++], sizeof *ids, "%.*s", (int)dbg_word(args), args);
    }
    if (!n) return err_new("Which work-items?  `diff items 0 1`");
    for (unsigned k = 0; k < n && !e; k++) e = find_side(ids[k], &side[k]);
    if (!e && side[0].group == side[1].group && side[0].item == side[1].item)
        e = err_new("These are the same work-item.");
    if (e) return e;
    dbg_diff_choose(side[n == 1], side[n != 1]); // the focus first
    return dbg_ask(dbg_diff_answer);
}
