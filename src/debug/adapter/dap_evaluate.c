// SPDX-License-Identifier: MIT
// Expressions and the console of the Debug Adapter Protocol.
//
// `cldbg -i` sends command lines. In the console of an editor, a line is an expression if it can be
// parsed as one in the selected frame; otherwise it is a command. After a backtick it is always a
// command.
#include "debug/adapter/channel.h"
#include "debug/adapter/dap_request.h"
#include "debug/adapter/saved_session.h"
#include "debug/adapter/structured.h"
#include "debug/commands/commands.h"
#include "debug/expressions/expr.h"
#include "debug/session/focus.h"
#include "debug/session/goal.h"
#include "debug/session/session.h"
#include "debug/session/session_settings.h"

#include <ctype.h>
#include <string.h>

/** An expression whose members and elements can be appended to it. */
static bool is_postfix(const char *s)
{
    while (isalnum((unsigned char)*s) || (*s && strchr("_$.[]", *s))) s++;
    return !*s;
}

static void answer_value(const json_t *r, const json_t *args, const char *expression,
                         const struct dbg_value *v)
{
    const struct dbg_format f = dbg_dap_format(args);
    uint32_t item = dbg_focus.item;
    unsigned level;
    struct str name = {0};
    dbg_dap_frame_of(args, &item, &level);
    str_printf(&name, is_postfix(expression) ? "%s" : "(%s)", expression);
    json_t *o = dbg_dap_variable(expression, str_text(&name), item, v, &f);
    str_deinit(&name);
    json_object_set(o, "result", json_object_get(o, "value"));
    json_object_del(o, "value");
    json_object_del(o, "name");
    json_object_del(o, "evaluateName");
    dbg_dap_answer(r, o);
}

/** Sets the focus to the frame of the request. */
static void focus_on_frame(const json_t *args)
{
    uint32_t item;
    unsigned level;
    if (dbg_dap_frame_of(args, &item, &level) && item != dbg_focus.item)
        dbg_focus.item = item, dbg_focus.frame = level;
}

/**
 * Is the session to be saved after this command? Not after each `print`: the session contains the
 * value history, and is sent when the kernel goes on or the client acts.
 */
static bool is_saved_after(const struct dbg_done *done)
{
    static size_t values;
    const bool printed = dbg_values.list.len != values;
    values = dbg_values.list.len;
    return dbg_client.waits_for_run && (done->is_client || dbg.resume || !printed);
}

static void evaluate_command(const json_t *r, const char *line)
{
    struct str out = {0};
    struct dbg_done done;
    struct err *e = dbg_execute(line, &out, &done);
    if (!e && done.is_client && !dbg_client.waits_for_run)
        e = err_new(
            "`%s` works only at the prompt of `cldbg -i`. The editor has controls of its own "
            "to start, restart and end the program.",
            done.client);
    if (e) {
        struct str all = {0};
        str_printf(&all, "%s%s", str_text(&out), err_message(e));
        dbg_dap_refuse(r, str_text(&all));
        str_deinit(&all);
        err_free(e);
    } else {
        json_t *own = json_pack("{s:b, s:b, s:b, s:b}", "running", dbg.resume, "again", done.again,
                                "confirm", dbg_settings.confirm, "paginate", dbg_settings.paginate);
        if (done.is_client) {
            json_object_set_new(own, "client", json_string(done.client));
            json_object_set_new(own, "rest", dbg_json_text(done.rest));
        }
        if (is_saved_after(&done)) json_object_set_new(own, "savedSession", dbg_saved_session());
        if (dbg.resume && dbg_goal.kind == DBG_QUERY) json_object_set_new(own, "asks", json_true());
        json_t *value = dbg_client.structured ? dbg_structured_value(line) : NULL;
        if (value) json_object_set_new(own, "value", value);
        json_object_set_new(own, "stopped", json_boolean(dbg.state == DBG_STOPPED && !dbg.resume));
        dbg_dap_answer(r, json_pack("{s:o, s:i, s:o}", "result", dbg_json_text(str_text(&out)),
                                    "variablesReference", 0, "cldbg", own));
        if (dbg.resume) dbg_send_continued();
    }
    str_deinit(&out);
}

static void evaluate_expression(const json_t *r, const json_t *args, const char *expression)
{
    struct dbg_value v;
    struct err *e = dbg_dap_eval_in(args, expression, &v);
    if (e) dbg_dap_refuse_err(r, e);
    else answer_value(r, args, expression, &v);
}

/** Is it an expression with an error: the name of a variable and an operator ("i =")? */
static bool begins_expression(const char *line)
{
    size_t n = 0;
    while (isalnum((unsigned char)line[n]) || line[n] == '_') n++;
    const char next = line[n + strspn(line + n, " \t")];
    if (!n || !next || !strchr("=+-*[.<>&|^%?", next)) return false;
    struct str name = {0};
    struct dbg_expr *x = NULL;
    str_put_n(&name, line, n);
    struct err *e = dbg_parse(str_text(&name), &x);
    const bool begins = !e;
    str_deinit(&name);
    dbg_expr_free(x);
    err_free(e);
    return begins;
}

/** It is not an expression in the frame of the request, and begins with the name of a command. */
static bool is_command(const json_t *args, const char *line)
{
    const struct dbg_focus before = dbg_focus;
    struct dbg_expr *x = NULL;
    dbg_dap_frame_of(args, &dbg_focus.item, &dbg_focus.frame);
    struct err *e = dbg_parse(line, &x);
    const bool is_expression = !e || begins_expression(line);
    dbg_focus.item = before.item;
    dbg_focus.frame = before.frame;
    dbg_expr_free(x);
    err_free(e);
    return !is_expression && dbg_names_command(line);
}

void dbg_dap_evaluate(const json_t *r, const json_t *args)
{
    const char *expression = dbg_dap_string(args, "expression"),
               *context = dbg_dap_string(args, "context");
    if (!expression) {
        dbg_dap_refuse(r, "evaluate: there is no expression");
        return;
    }
    if (!context || strcmp(context, "repl") != 0) {
        evaluate_expression(r, args, expression);
        return;
    }
    const char *line = expression + strspn(expression, " \t");
    const bool is_editor = !dbg_client.waits_for_run;
    if (is_editor && *line != '`' && !is_command(args, line)) evaluate_expression(r, args, line);
    else focus_on_frame(args), evaluate_command(r, line + (is_editor && *line == '`'));
}
