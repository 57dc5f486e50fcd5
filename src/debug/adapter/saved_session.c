// SPDX-License-Identifier: MIT
// The state that the next run of the program restores: breakpoints with their numbers, displays,
// settings, printed values. The agent ends with the program, so the client keeps the session as
// JSON: the commands that restore it, and the properties that commands do not set. Only values that
// need no memory are kept: numbers and vectors.
#include "debug/adapter/saved_session.h"

#include "base/mem.h"
#include "base/str.h"
#include "debug/adapter/channel.h"
#include "debug/breakpoints/breakpoint.h"
#include "debug/commands/command.h"
#include "debug/commands/commands.h"
#include "debug/commands/settings_table.h"
#include "debug/session/findings.h"

#include <stdlib.h>
#include <string.h>

static json_t *break_of(const struct dbg_break *b)
{
    struct str line = {0};
    dbg_break_put_command(&line, b);
    json_t *o = json_pack("{s:s, s:i, s:b, s:I}", "line", str_text(&line), "number", (int)b->number,
                          "disabled", b->disabled, "ignore", (json_int_t)b->ignore);
    str_deinit(&line);
    json_t *list = json_array();
    for (size_t i = 0; i < b->commands.len; i++)
        json_array_append_new(list, json_string(b->commands.data[i]));
    if (o) json_object_set_new(o, "commands", list);
    if (o && b->kind == DBG_WATCH) { // it has no command outside of launches
        json_object_del(o, "line");
        json_object_set_new(o, "watch", json_string(b->spec));
        json_object_set_new(o, "access", json_integer(b->watch.access));
        if (b->condition) json_object_set_new(o, "condition", json_string(b->condition));
        json_object_set_new(
            o, "group",
            json_integer(b->watch.group == UINT64_MAX ? -1 : (json_int_t)b->watch.group));
        json_object_set_new(
            o, "item", json_integer(b->watch.item == UINT32_MAX ? -1 : (json_int_t)b->watch.item));
    }
    return o;
}

/** {type, bytes}; NULL for values in the program's memory. */
static json_t *value_of(const struct dbg_value *v)
{
    const struct dbg_type *t = dbg_strip(v->type);
    char hex[2 * DBG_MAX_BYTES + 1] = "";
    if (v->in_memory || v->big || !t->name || !dbg_type_named(t->name, strlen(t->name)) ||
        t->size > DBG_MAX_BYTES)
        return json_object();
    for (uint64_t i = 0; i < t->size; i++) snprintf(hex + 2 * i, 3, "%02x", v->bytes[i]);
    return json_pack("{s:s, s:s}", "type", t->name, "bytes", hex);
}

static struct dbg_value value_in(const json_t *o)
{
    const char *name = json_string_value(json_object_get(o, "type")),
               *hex = json_string_value(json_object_get(o, "bytes"));
    const struct dbg_type *t = name ? dbg_type_named(name, strlen(name)) : NULL;
    struct dbg_value v = {.type = t ? t : dbg_type_named("void", 4)};
    for (size_t i = 0; t && hex && i < t->size && str_hex_byte(hex + 2 * i, &v.bytes[i]); i++);
    return v;
}

static void put_setting(void *ctx, const char *command)
{
    json_array_append_new(ctx, json_pack("{s:s}", "line", command));
}

json_t *dbg_saved_session(void)
{
    json_t *list = json_array();
    for (size_t i = 0; i < dbg_breaks.list.len; i++) {
        const struct dbg_break *b = dbg_breaks.list.data[i];
        if (b->number && !b->dap) json_array_append_new(list, break_of(b));
    }
    for (size_t i = 0; i < dbg_displays.list.len; i++)
        json_array_append_new(list, json_pack("{s:s?}", "display", dbg_displays.list.data[i]));
    for (size_t i = 0; i < dbg_values.list.len; i++)
        json_array_append_new(list,
                              json_pack("{s:o}", "value", value_of(&dbg_values.list.data[i])));
    for (size_t i = 0; i < dbg_values.names.len; i++)
        json_array_append_new(list, json_pack("{s:s, s:o}", "name", dbg_values.names.data[i].name,
                                              "is", value_of(dbg_values.names.data[i].value)));
    dbg_settings_each(put_setting, list);
    for (size_t i = 0; i < dbg_findings.all.len; i++) {
        const struct dbg_found *f = &dbg_findings.all.data[i];
        json_array_append_new(list, json_pack("{s:o, s:i, s:i}", "finding", dbg_json_text(f->text),
                                              "kind", (int)f->kind, "sides", (int)f->nsides));
    }
    json_array_append_new(list, json_pack("{s:i}", "last", (int)dbg_breaks.last_number));
    return list;
}

static void make_watch(const json_t *o)
{
    const char *spec = json_string_value(json_object_get(o, "watch")),
               *condition = json_string_value(json_object_get(o, "condition"));
    struct dbg_break *b = dbg_break_add(DBG_WATCH, spec ? spec : "");
    b->watch.group = (uint64_t)json_integer_value(json_object_get(o, "group")); // -1: UINT64_MAX
    b->watch.access = (enum dbg_access)json_integer_value(json_object_get(o, "access"));
    b->watch.item = (uint32_t)json_integer_value(json_object_get(o, "item"));
    b->condition = condition ? mem_strdup(condition) : NULL;
}

static void make_break(const json_t *o, const char *line)
{
    const json_int_t number = json_integer_value(json_object_get(o, "number"));
    struct str ignored = {0};
    struct dbg_done done;
    dbg_breaks.last_number = (unsigned)number - 1;
    if (line) err_free(dbg_execute(line, &ignored, &done));
    else make_watch(o);
    str_deinit(&ignored);
    struct dbg_break *b = dbg_break_find((unsigned)number);
    if (!b) return;
    b->disabled = json_is_true(json_object_get(o, "disabled"));
    b->ignore = (uint64_t)json_integer_value(json_object_get(o, "ignore"));
    size_t i;
    json_t *x;
    json_array_foreach(json_object_get(o, "commands"), i, x)
        if (json_is_string(x)) vec_push(&b->commands, mem_strdup(json_string_value(x)));
}

/** Restores a finding of the last run, which is shown while no program runs. */
static void take_finding(const json_t *o, const char *text)
{
    vec_push(
        &dbg_findings.all,
        ((struct dbg_found){.kind = (enum rep_kind)json_integer_value(json_object_get(o, "kind")),
                            .text = mem_strdup(text),
                            .nsides = (unsigned)json_integer_value(json_object_get(o, "sides"))}));
}

void dbg_restore_session(const json_t *list, bool idle)
{
    size_t i;
    json_t *o;
    json_array_foreach((json_t *)list, i, o) {
        const char *line = json_string_value(json_object_get(o, "line")),
                   *display = json_string_value(json_object_get(o, "display"));
        const json_t *last = json_object_get(o, "last");
        struct str ignored = {0};
        struct dbg_done done;
        const char *name = json_string_value(json_object_get(o, "name")),
                   *finding = json_string_value(json_object_get(o, "finding"));
        if (finding && idle) take_finding(o, finding);
        if (json_object_get(o, "display"))
            vec_push(&dbg_displays.list, display ? mem_strdup(display) : NULL);
        else if (json_object_get(o, "value"))
            vec_push(&dbg_values.list, value_in(json_object_get(o, "value")));
        else if (name) *dbg_named_value(name) = value_in(json_object_get(o, "is"));
        else if (json_object_get(o, "number")) make_break(o, line);
        else if (line) err_free(dbg_execute(line, &ignored, &done));
        if (json_is_integer(last)) dbg_breaks.last_number = (unsigned)json_integer_value(last);
        str_deinit(&ignored);
    }
    dbg_break_plant();
}
