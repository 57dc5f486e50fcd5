// SPDX-License-Identifier: MIT
// The table of settings: `set`, `show`, and the values that the next run restores.
#include "debug/commands/command.h"
#include "debug/commands/command_text.h"
#include "debug/commands/settings_table.h"
#include "debug/session/item_order.h"
#include "debug/session/session_settings.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum kind {
    ON_OFF,
    COUNT,
    COUNT_OR_ALL,
    BYTES,
    SEED,
    LOCKING,
    TERMINALS
}; // TERMINALS: accepted without effect, so that scripts for gdb work
static const struct setting {
    const char *name;
    enum kind kind;
    void *value;
    const char *words; // text of `show`, for a number or for "on" and "off"
} settings[] = {
    {"stop-on-findings", ON_OFF, &dbg_settings.stop_on_findings, "stop-on-findings is %s."},
    {"stop-at-launch-end", ON_OFF, &dbg_settings.stop_at_launch_end, "stop-at-launch-end is %s."},
    {"record-launches", ON_OFF, &dbg_settings.record_launches,
     "record-launches is %s (record launches in which nothing can stop)."},
    {"listsize", COUNT, &dbg_settings.list_size, "listsize is %" PRIu64 "."},
    {"history-size", BYTES, &dbg_settings.history_limit, "history-size is %" PRIu64 " bytes."},
    {"print pretty", ON_OFF, &dbg_settings.print_pretty,
     "print pretty is %s (one struct member per line)."},
    {"print elements", COUNT_OR_ALL, &dbg_settings.print_elements,
     "print elements is %" PRIu64 " (limit for arrays; 0: none)."},
    {"seed", SEED, NULL, NULL},
    {"scheduler-locking", LOCKING, NULL, NULL},
    {"pagination", ON_OFF, &dbg_settings.paginate,
     "pagination is %s (long answers stop at each screen)."},
    {"confirm", ON_OFF, &dbg_settings.confirm, "confirm is %s (ask before destructive commands)."},
    {"width", TERMINALS, NULL, "width is that of the terminal."},
    {"height", TERMINALS, NULL, "height is that of the terminal."},
};
enum { N = sizeof settings / sizeof *settings };
const char *const dbg_setting_names[] = {"stop-on-findings",
                                         "stop-at-launch-end",
                                         "record-launches",
                                         "listsize",
                                         "history-size",
                                         "print",
                                         "pretty",
                                         "elements",
                                         "seed",
                                         "scheduler-locking",
                                         "pagination",
                                         "confirm",
                                         "width",
                                         "height",
                                         "var",
                                         NULL};

static struct err *on_off(const char *text, bool *to)
{
    if (!*text) text = "on";
    if (strcmp(text, "on") && strcmp(text, "off")) return err_new("\"on\" or \"off\" expected.");
    *to = !strcmp(text, "on");
    return NULL;
}

static struct err *set_order(const char *text)
{
    char *end;
    const unsigned long long k = strtoull(text, &end, 10);
    if (strcmp(text, "off") && (end == text || *end))
        return err_new("A number is expected, or \"off\".");
    dbg_item_order.seeded = strcmp(text, "off");
    dbg_item_order.seed = k;
    return NULL;
}

static const char *const locking_names[] = {
    [DBG_LOCK_OFF] = "off", [DBG_LOCK_ON] = "on", [DBG_LOCK_STEP] = "step"};

static struct err *set_locking(const char *text)
{
    for (unsigned i = 0; i < sizeof locking_names / sizeof *locking_names; i++)
        if (!strcmp(locking_names[i], text)) {
            dbg_settings.locking = (enum dbg_locking)i;
            return NULL;
        }
    return err_new("\"step\", \"on\" or \"off\" expected.");
}

static struct err *set(const struct setting *s, const char *text)
{
    char *end;
    const unsigned long long k = strtoull(text, &end, 10);
    const unsigned shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
    const bool all = s->kind == COUNT_OR_ALL && (!strcmp(text, "unlimited") || (end != text && !k));
    switch (s->kind) {
    case ON_OFF: return on_off(text, s->value);
    case SEED: return set_order(text);
    case LOCKING: return set_locking(text);
    case TERMINALS: return NULL;
    case BYTES:
        if (end == text || *text == '-' || (*end && (!shift || end[1])))
            return err_new("A size is expected, such as 64M.");
        *(uint64_t *)s->value = k << shift;
        return NULL;
    case COUNT:
    case COUNT_OR_ALL:
        if (!all && (end == text || *text == '-' || *end || !k || k > UINT32_MAX))
            return err_new("A number of at least %d is expected.", s->kind == COUNT ? 1 : 0);
        *(unsigned *)s->value = all ? 0 : (unsigned)k;
        return NULL;
    }
    return NULL;
}

/**
 * The setting whose name begins the text; *rest is after it. A blank in the name matches any number
 * of blanks.
 */
static const struct setting *find(const char *text, const char **rest)
{
    for (size_t i = 0; i < N; i++) {
        const char *p = text, *q = settings[i].name;
        while (*q && (*q == ' ' ? *p == ' ' || *p == '\t' : *p == *q))
            p += *q == ' ' ? strspn(p, " \t") : 1, q++;
        if (*q || (*p && *p != ' ' && *p != '\t')) continue;
        *rest = p + strspn(p, " \t");
        return **rest == '=' ? NULL : &settings[i]; // a variable with that name
    }
    return NULL;
}

bool dbg_setting_set(const char *text, struct err **e)
{
    const char *rest;
    const struct setting *s = find(text, &rest);
    *e = s ? set(s, rest) : NULL;
    if (!s && dbg_word(text) == 5 && !memcmp(text, "print", 5))
        *e = err_new("There are: set print pretty on|off, set print elements N.");
    return s || *e;
}

/** The value of a number; 0 for other kinds. */
static uint64_t number_of(const struct setting *s)
{
    return s->kind == BYTES                              ? *(const uint64_t *)s->value
           : s->kind == COUNT || s->kind == COUNT_OR_ALL ? *(const unsigned *)s->value
                                                         : 0;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void show(const struct setting *s, struct str *out)
{
    if (s->kind == SEED && dbg_item_order.seeded)
        str_printf(out, "seed is %" PRIu64 " (a random order of work-items between barriers).",
                   dbg_item_order.seed);
    else if (s->kind == LOCKING)
        str_printf(out, "scheduler-locking is %s.", locking_names[dbg_settings.locking]);
    else if (s->kind == TERMINALS) str_put(out, s->words);
    else if (s->kind == SEED)
        str_put(out, "seed is off (work-items run in the order of their ids).");
    else if (s->kind == ON_OFF) str_printf(out, s->words, *(const bool *)s->value ? "on" : "off");
    else str_printf(out, s->words, number_of(s));
    str_put(out, "\n");
}
#pragma GCC diagnostic pop

COMMAND(show, DATA, "show", "", 0, "[SETTING | convenience | values]",
        "Show settings, convenience variables ($name), or the value history.")
{
    const char *rest;
    const struct setting *s = *args ? find(args, &rest) : NULL;
    if (dbg_word_is(args, "convenience") && dbg_word(args) > 3) return dbg_show_names(out);
    if (dbg_word_is(args, "values") && dbg_word(args) > 2) return dbg_show_values(out);
    if (*args && !s) {
        struct err *e = dbg_unsupported_after("show", args);
        return e ? e : err_new("There is no setting \"%s\"; `show` lists them.", args);
    }
    for (size_t i = 0; i < N; i++)
        if (*args ? s == &settings[i] : settings[i].kind != TERMINALS) show(&settings[i], out);
    return NULL;
}

void dbg_settings_each(void (*fn)(void *ctx, const char *command), void *ctx)
{
    for (size_t i = 0; i < N; i++) {
        const struct setting *s = &settings[i];
        struct str line = {0};
        if (s->kind == TERMINALS) continue;
        str_printf(&line, "set %s ", s->name);
        if (s->kind == ON_OFF) str_put(&line, *(const bool *)s->value ? "on" : "off");
        else if (s->kind == LOCKING) str_put(&line, locking_names[dbg_settings.locking]);
        else if (s->kind == SEED && !dbg_item_order.seeded) str_put(&line, "off");
        else str_printf(&line, "%" PRIu64, s->kind == SEED ? dbg_item_order.seed : number_of(s));
        fn(ctx, str_text(&line));
        str_deinit(&line);
    }
}
