// SPDX-License-Identifier: MIT
// What a program that is run again takes over from the run before: breakpoints with their numbers,
// displays, settings. The agent's process ends with the program, so the client keeps them
// meanwhile: a list in JSON, of the commands that make things and of what these commands do not
// say. Of values, those go over that need no memory: numbers and vectors.
#include "debug/dap_request.h"

#include "base/mem.h"
#include "base/str.h"
#include "debug/command.h"

#include <stdlib.h>
#include <string.h>

static void put_set(struct str *out, const struct dbg_items *s)
{
    if (!s->given) return;
    str_put(out, " wi ");
    dbg_items_put(out, s);
}

static const char *command_of(const struct dbg_break *b)
{
    static const char *const watches[] = {"watch", "rwatch", "awatch"};
    return b->kind == DBG_WATCH   ? watches[b->access]
           : b->kind == DBG_CATCH ? "catch"
           : b->temporary         ? "tbreak"
                                  : "break";
}

void dbg_breaks_as_commands(struct str *out)
{
    for (size_t i = 0; i < dbg.breaks.len; i++) {
        const struct dbg_break *b = dbg.breaks.data[i];
        if (!b->number) continue;
        str_printf(out, "%s %s", command_of(b), b->spec);
        put_set(out, &b->items);
        str_printf(out, "%s%s\n", b->condition ? " if " : "", b->condition ? b->condition : "");
        if (b->ignore) str_printf(out, "ignore $bpnum %llu\n", (unsigned long long)b->ignore);
        if (b->disabled) str_put(out, "disable $bpnum\n");
        if (b->commands.len) str_put(out, "commands\n");
        for (size_t k = 0; k < b->commands.len; k++) str_printf(out, "  %s\n", b->commands.data[k]);
        if (b->commands.len) str_put(out, "end\n");
    }
}

static json_t *break_of(const struct dbg_break *b)
{
    struct str line = {0};
    str_printf(&line, "%s %s", command_of(b), b->spec);
    put_set(&line, &b->items);
    if (b->condition) str_printf(&line, " if %s", b->condition);
    json_t *o = json_pack("{s:s, s:i, s:b, s:I}", "line", str_text(&line), "number", (int)b->number,
                          "disabled", b->disabled, "ignore", (json_int_t)b->ignore);
    str_deinit(&line);
    json_t *list = json_array();
    for (size_t i = 0; i < b->commands.len; i++)
        json_array_append_new(list, json_string(b->commands.data[i]));
    if (o) json_object_set_new(o, "commands", list);
    if (o && b->kind == DBG_WATCH) { // it has no command before there is a launch
        json_object_del(o, "line");
        json_object_set_new(o, "watch", json_string(b->spec));
        json_object_set_new(o, "access", json_integer(b->access));
        if (b->condition) json_object_set_new(o, "condition", json_string(b->condition));
        json_object_set_new(o, "group",
                            json_integer(b->group == UINT64_MAX ? -1 : (json_int_t)b->group));
        json_object_set_new(o, "item",
                            json_integer(b->item == UINT32_MAX ? -1 : (json_int_t)b->item));
    }
    return o;
}

/** {type, bytes}; NULL for what lives in the program. */
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

json_t *dbg_carry_out(void)
{
    json_t *list = json_array();
    for (size_t i = 0; i < dbg.breaks.len; i++) {
        const struct dbg_break *b = dbg.breaks.data[i];
        if (b->number && !b->dap) json_array_append_new(list, break_of(b));
    }
    for (size_t i = 0; i < dbg.displays.len; i++)
        json_array_append_new(list, json_pack("{s:s?}", "display", dbg.displays.data[i]));
    for (size_t i = 0; i < dbg.values.len; i++)
        json_array_append_new(list, json_pack("{s:o}", "value", value_of(&dbg.values.data[i])));
    for (size_t i = 0; i < dbg.names.len; i++)
        json_array_append_new(list, json_pack("{s:s, s:o}", "name", dbg.names.data[i].name, "is",
                                              value_of(dbg.names.data[i].value)));
    dbg_settings_each(put_setting, list);
    for (size_t i = 0; i < dbg.findings.len; i++) {
        const struct dbg_found *f = &dbg.findings.data[i];
        json_array_append_new(list, json_pack("{s:o, s:i, s:i}", "finding", dbg_dap_text(f->text),
                                              "kind", (int)f->kind, "sides", (int)f->nsides));
    }
    json_array_append_new(list, json_pack("{s:i}", "last", (int)dbg.last_number));
    return list;
}

static void make_watch(const json_t *o)
{
    const char *spec = json_string_value(json_object_get(o, "watch")),
               *condition = json_string_value(json_object_get(o, "condition"));
    struct dbg_break *b;
    err_free(dbg_break_add(DBG_WATCH, spec ? spec : "", &b));
    b->group = (uint64_t)json_integer_value(json_object_get(o, "group")); // -1: UINT64_MAX
    b->access = (enum dbg_access)json_integer_value(json_object_get(o, "access"));
    b->item = (uint32_t)json_integer_value(json_object_get(o, "item"));
    b->condition = condition ? mem_strdup(condition) : NULL;
}

static void make_break(const json_t *o, const char *line)
{
    const json_int_t number = json_integer_value(json_object_get(o, "number"));
    struct str ignored = {0};
    struct dbg_done done;
    dbg.last_number = (unsigned)number - 1;
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

/** For whom nothing runs it is what there was; a new run finds its own. */
static void take_finding(const json_t *o, const char *text)
{
    vec_push(
        &dbg.findings,
        ((struct dbg_found){.kind = (enum rep_kind)json_integer_value(json_object_get(o, "kind")),
                            .text = mem_strdup(text),
                            .nsides = (unsigned)json_integer_value(json_object_get(o, "sides"))}));
}

void dbg_carry_in(const json_t *list, bool idle)
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
            vec_push(&dbg.displays, display ? mem_strdup(display) : NULL);
        else if (json_object_get(o, "value"))
            vec_push(&dbg.values, value_in(json_object_get(o, "value")));
        else if (name) *dbg_named_value(name) = value_in(json_object_get(o, "is"));
        else if (json_object_get(o, "number")) make_break(o, line);
        else if (line) err_free(dbg_execute(line, &ignored, &done));
        if (json_is_integer(last)) dbg.last_number = (unsigned)json_integer_value(last);
        str_deinit(&ignored);
    }
    dbg_break_plant();
}
