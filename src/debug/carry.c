// SPDX-License-Identifier: MIT
// What a program that is run again takes over from the run before: breakpoints with their numbers, displays, settings.
// The agent's process ends with the program, so the client keeps them meanwhile: a list in JSON, of the commands that
// make things and of what these commands do not say. Watchpoints look at memory that is gone; they are left out.
#include "debug/dap.h"

#include "base/mem.h"
#include "debug/command.h"

#include <stdlib.h>
#include <string.h>

static void put_set(struct str *out, const struct dbg_items *s)
{
    if (!s->given) return;
    str_put(out, " wi ");
    dbg_items_put(out, s);
}

static json_t *break_of(const struct dbg_break *b)
{
    struct str line = {0};
    str_printf(&line, "%s %s", b->kind == DBG_CATCH ? "catch" : b->temporary ? "tbreak" : "break", b->spec);
    put_set(&line, &b->items);
    if (b->condition) str_printf(&line, " if %s", b->condition);
    json_t *o = json_pack("{s:s, s:i, s:b, s:I}", "line", str_text(&line), "number", (int)b->number, "disabled", b->disabled, "ignore", (json_int_t)b->ignore);
    str_deinit(&line);
    json_t *list = json_array();
    for (size_t i = 0; i < b->commands.len; i++) json_array_append_new(list, json_string(b->commands.data[i]));
    if (o) json_object_set_new(o, "commands", list);
    return o;
}

json_t *dbg_carry_out(void)
{
    json_t *list = json_array();
    char setting[64];
    for (size_t i = 0; i < dbg.breaks.len; i++) {
        const struct dbg_break *b = dbg.breaks.data[i];
        if (b->kind != DBG_WATCH && b->number && !b->dap) json_array_append_new(list, break_of(b));
    }
    for (size_t i = 0; i < dbg.displays.len; i++)
        if (dbg.displays.data[i]) json_array_append_new(list, json_pack("{s:s}", "display", dbg.displays.data[i]));
    snprintf(setting, sizeof setting, "set listsize %u", dbg.list_size);
    json_array_append_new(list, json_pack("{s:s}", "line", setting));
    snprintf(setting, sizeof setting, "set history-size %llu", (unsigned long long)dbg.history_limit);
    json_array_append_new(list, json_pack("{s:s}", "line", setting));
    json_array_append_new(list, json_pack("{s:s}", "line", dbg.stop_on_findings ? "set stop-on-findings on" : "set stop-on-findings off"));
    if (dbg.order.given) snprintf(setting, sizeof setting, "set seed %llu", (unsigned long long)dbg.order.seed);
    json_array_append_new(list, json_pack("{s:s}", "line", dbg.order.given ? setting : "set seed off"));
    json_array_append_new(list, json_pack("{s:i}", "last", (int)dbg.last_number));
    return list;
}

static void make_break(const json_t *o, const char *line)
{
    const json_int_t number = json_integer_value(json_object_get(o, "number"));
    struct str ignored = {0};
    struct dbg_done done;
    dbg.last_number = (unsigned)number - 1;
    err_free(dbg_execute(line, &ignored, &done));
    str_deinit(&ignored);
    struct dbg_break *b = dbg_break_find((unsigned)number);
    if (!b) return;
    b->disabled = json_is_true(json_object_get(o, "disabled"));
    b->ignore = (uint64_t)json_integer_value(json_object_get(o, "ignore"));
    size_t i;
    json_t *x;
    json_array_foreach(json_object_get(o, "commands"), i, x) if (json_is_string(x)) vec_push(&b->commands, mem_strdup(json_string_value(x)));
}

void dbg_carry_in(const json_t *list)
{
    size_t i;
    json_t *o;
    json_array_foreach((json_t *)list, i, o)
    {
        const char *line = json_string_value(json_object_get(o, "line")), *display = json_string_value(json_object_get(o, "display"));
        const json_t *last = json_object_get(o, "last");
        struct str ignored = {0};
        struct dbg_done done;
        if (display) vec_push(&dbg.displays, mem_strdup(display));
        else if (line && json_object_get(o, "number")) make_break(o, line);
        else if (line) err_free(dbg_execute(line, &ignored, &done));
        if (json_is_integer(last)) dbg.last_number = (unsigned)json_integer_value(last);
        str_deinit(&ignored);
    }
    dbg_break_plant();
}
