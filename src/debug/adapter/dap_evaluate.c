// SPDX-License-Identifier: MIT
// Expressions and the console of the Debug Adapter Protocol.
#include "debug/adapter/channel.h"
#include "debug/adapter/dap_request.h"
#include "debug/adapter/saved_session.h"
#include "debug/commands/commands.h"
#include "debug/expressions/expr.h"
#include "debug/session/focus.h"
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

static void evaluate_command(const json_t *r, const char *line)
{
    struct str out = {0};
    struct dbg_done done;
    struct err *e = dbg_execute(line, &out, &done);
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
        if (dbg_client.waits_for_run) json_object_set_new(own, "savedSession", dbg_saved_session());
        json_object_set_new(own, "stopped", json_boolean(dbg.state == DBG_STOPPED && !dbg.resume));
        dbg_dap_answer(r, json_pack("{s:o, s:i, s:o}", "result", dbg_json_text(str_text(&out)),
                                    "variablesReference", 0, "cldbg", own));
        if (dbg.resume) dbg_send_continued();
    }
    str_deinit(&out);
}

void dbg_dap_evaluate(const json_t *r, const json_t *args)
{
    const char *expression = dbg_dap_string(args, "expression"),
               *context = dbg_dap_string(args, "context");
    if (!expression) {
        dbg_dap_refuse(r, "evaluate: there is no expression");
        return;
    }
    uint32_t item;
    unsigned level;
    if (context && !strcmp(context, "repl")) {
        if (dbg_dap_frame_of(args, &item, &level) && item != dbg_focus.item)
            dbg_focus.item = item, dbg_focus.frame = level;
        evaluate_command(r, expression);
        return;
    }
    struct dbg_value v;
    struct err *e = dbg_dap_eval_in(args, expression, &v);
    if (e) dbg_dap_refuse_err(r, e);
    else answer_value(r, args, expression, &v);
}
