// SPDX-License-Identifier: MIT
// Requests of the Debug Adapter Protocol: the session, work-items as threads, frames, going on. A
// work-item of the group that runs is a thread (its number in the group plus 1); a frame's number
// is the item's and its level's. https://microsoft.github.io/debug-adapter-protocol
#include "debug/dap_request.h"

#include "base/mem.h"
#include "debug/command.h"
#include "debug/history.h"
#include "report/excerpt.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_THREADS = 256 }; // more than an editor can show

// ---- answers
/**
 * Bytes of a sequence that sets colors ("\033[1;31m"), as `map` writes them for a client that has
 * them; 0: there is none.
 */
static size_t color_at(const char *s)
{
    if (!dbg.colours || s[0] != '\033' || s[1] != '[') return 0;
    const size_t n = 2 + strspn(s + 2, "0123456789;");
    return s[n] == 'm' ? n + 1 : 0;
}

json_t *dbg_dap_text(const char *s)
{
    struct str safe = {0};
    for (size_t n; *s; s += n) {
        if ((n = color_at(s))) {
            str_put_n(&safe, s, n);
            continue;
        }
        n = 1 + strcspn(s + 1, "\033");
        rep_put_safe_lines(&safe, s, n);
    }
    json_t *t = json_string(str_text(&safe));
    str_deinit(&safe);
    return t;
}

void dbg_dap_answer(const json_t *request, json_t *body)
{
    json_t *m = json_object();
    json_object_set_new(m, "type", json_string("response"));
    json_object_set(m, "request_seq", json_object_get(request, "seq"));
    json_object_set_new(m, "success", json_true());
    json_object_set(m, "command", json_object_get(request, "command"));
    if (body) json_object_set_new(m, "body", body);
    dbg_send(m);
}

void dbg_dap_refuse(const json_t *request, const char *why)
{
    json_t *m = json_object(), *error = json_object(), *body = json_object();
    json_object_set_new(m, "type", json_string("response"));
    json_object_set(m, "request_seq", json_object_get(request, "seq"));
    json_object_set_new(m, "success", json_false());
    json_object_set(m, "command", json_object_get(request, "command"));
    json_object_set_new(m, "message", dbg_dap_text(why));
    json_object_set_new(error, "id", json_integer(1));
    json_object_set_new(error, "format", dbg_dap_text(why));
    json_object_set_new(body, "error", error);
    json_object_set_new(m, "body", body);
    dbg_send(m);
}

void dbg_dap_refuse_err(const json_t *request, struct err *e)
{
    dbg_dap_refuse(request, err_message(e));
    err_free(e);
}

const char *dbg_dap_string(const json_t *o, const char *key)
{
    return json_string_value(json_object_get(o, key));
}
json_int_t dbg_dap_integer(const json_t *o, const char *key, json_int_t dflt)
{
    const json_t *v = json_object_get(o, key);
    return json_is_integer(v) ? json_integer_value(v) : dflt;
}

// ---- requests
static void initialize(const json_t *r, const json_t *args)
{
    static const char *const can[] = {
#define CAN(name) name,
#include "debug/capabilities.def"
#undef CAN
    };
    json_t *body = json_object(), *filters = json_array();
    for (size_t i = 0; i < sizeof can / sizeof *can; i++)
        json_object_set_new(body, can[i], json_true());
    json_array_append_new(filters, json_pack("{s:s, s:s, s:b}", "filter", "findings", "label",
                                             "Findings (races, bounds, …)", "default", 1));
    json_object_set_new(body, "exceptionBreakpointFilters", filters);
    dbg_dap_answer(r, body);
    json_t *m = json_object();
    json_object_set_new(m, "type", json_string("event"));
    json_object_set_new(m, "event", json_string("initialized"));
    dbg_send(m);
}

struct vm_gang *dbg_dap_gang_of(uint32_t item)
{
    return dbg.state == DBG_STOPPED && item < dbg.grp->items ? dbg_gang(item) : NULL;
}

bool dbg_dap_frame_of(const json_t *args, uint32_t *item, unsigned *level)
{
    const json_int_t id = dbg_dap_integer(args, "frameId", 0) - 1;
    if (id < 0 || !dbg_dap_gang_of((uint32_t)(id / DBG_MAX_FRAMES))) return false;
    *item = (uint32_t)(id / DBG_MAX_FRAMES);
    *level = (unsigned)(id % DBG_MAX_FRAMES);
    return true;
}

static void put_item_name(struct str *s, uint32_t item)
{
    uint64_t l[3], g[3], w[3];
    dbg_item_ids(dbg.group_number, item, l, g, w);
    str_printf(s, "global (%llu,%llu,%llu) local (%llu,%llu,%llu)", (unsigned long long)w[0],
               (unsigned long long)w[1], (unsigned long long)w[2], (unsigned long long)l[0],
               (unsigned long long)l[1], (unsigned long long)l[2]);
}

static void add_thread(json_t *list, uint32_t item)
{
    struct str s = {0};
    put_item_name(&s, item);
    json_array_append_new(list, json_pack("{s:i, s:s}", "id", (int)item + 1, "name", str_text(&s)));
    str_deinit(&s);
}

static void threads(const json_t *r, const json_t *args)
{
    json_t *list = json_array();
    if (dbg.state != DBG_STOPPED) {
        json_array_append_new(list, json_pack("{s:i, s:s}", "id", 1, "name", "program"));
    } else {
        // around the focus, when there are more than an editor can show
        const uint32_t n = dbg.grp->items,
                       middle = dbg.focus < MAX_THREADS / 2 ? 0 : dbg.focus - MAX_THREADS / 2;
        const uint32_t first = n <= MAX_THREADS           ? 0
                               : middle + MAX_THREADS > n ? n - MAX_THREADS
                                                          : middle;
        for (uint32_t i = first; i < n && i < first + MAX_THREADS; i++) add_thread(list, i);
    }
    dbg_dap_answer(r, json_pack("{s:o}", "threads", list));
}

json_t *dbg_dap_source_of(const struct bc_module *m, uint32_t file)
{
    const struct bc_file *f = &m->files[file];
    const char *name = dbg_file_name(m, file), *path = f->path ? bc_str(m, f->path) : NULL;
    json_t *s = json_pack("{s:s}", "name", dbg_base_name(name));
    if (path && !access(path, R_OK)) json_object_set_new(s, "path", dbg_dap_text(path));
    else json_object_set_new(s, "sourceReference", json_integer(file + 1));
    return s;
}

static void stack_trace(const json_t *r, const json_t *args)
{
    const json_int_t thread = dbg_dap_integer(args, "threadId", 0);
    struct vm_gang *g = thread > 0 ? dbg_dap_gang_of((uint32_t)thread - 1) : NULL;
    if (!g) {
        dbg_dap_refuse(r, "There is no such work-item, or no kernel is stopped.");
        return;
    }
    struct dbg_frame f[DBG_MAX_FRAMES];
    const unsigned n = dbg_frames(g, f);
    const struct bc_module *m = g->code->module;
    const json_int_t start = dbg_dap_integer(args, "startFrame", 0),
                     levels = dbg_dap_integer(args, "levels", 0);
    json_t *list = json_array();
    for (unsigned i = start > 0 ? (unsigned)start : 0; i < n && (levels <= 0 || i < start + levels);
         i++) {
        const struct bc_loc *l = &m->locs[f[i].loc];
        json_t *o = json_pack(
            "{s:I, s:o, s:i, s:i}", "id", (json_int_t)(thread - 1) * DBG_MAX_FRAMES + i + 1, "name",
            dbg_dap_text(f[i].name), "line", (int)l->line, "column", (int)(l->col ? l->col : 1));
        dbg_dap_put_instruction_reference(o, g, &f[i], i);
        if (f[i].loc && l->file < m->nfiles)
            json_object_set_new(o, "source", dbg_dap_source_of(m, l->file));
        json_array_append_new(list, o);
    }
    dbg_dap_answer(r, json_pack("{s:o, s:i}", "stackFrames", list, "totalFrames", (int)n));
}

static void source(const json_t *r, const json_t *args)
{
    json_int_t ref = dbg_dap_integer(args, "sourceReference", 0);
    if (!ref) ref = dbg_dap_integer(json_object_get(args, "source"), "sourceReference", 0);
    const struct bc_module *m = dbg.modules.len ? vec_last(&dbg.modules).m : NULL;
    if (dbg.run) m = dbg.run->code->module;
    size_t len;
    const char *line = m && ref > 0 ? dbg_source_line(m, (uint32_t)ref - 1, 1, &len) : NULL;
    if (!line) {
        dbg_dap_refuse(r, "The source is not there.");
        return;
    }
    dbg_dap_answer(r, json_pack("{s:s}", "content", line));
}

// ---- going on
static void go_on(const json_t *r, const json_t *args, const char *command)
{
    struct str out = {0};
    struct dbg_done done;
    const json_int_t thread = dbg_dap_integer(args, "threadId", 0);
    if (thread > 0 && dbg_dap_gang_of((uint32_t)thread - 1) && dbg.focus != thread - 1)
        dbg.focus = (uint32_t)thread - 1, dbg.frame = 0;
    const char *unit = dbg_dap_string(args, "granularity");
    struct err *e = dbg_execute(unit && !strcmp(unit, "instruction")
                                    ? strncmp(command, "reverse", 7) ? "stepi" : "reverse-stepi"
                                    : command,
                                &out, &done);
    if (e) dbg_dap_refuse_err(r, e);
    else if (!strcmp(command, "continue"))
        dbg_dap_answer(r, json_pack("{s:b}", "allThreadsContinued", 1));
    else dbg_dap_answer(r, NULL);
    str_deinit(&out);
}
static void go_continue(const json_t *r, const json_t *args) { go_on(r, args, "continue"); }
static void go_next(const json_t *r, const json_t *args) { go_on(r, args, "next"); }
static void go_step(const json_t *r, const json_t *args) { go_on(r, args, "step"); }
static void go_out(const json_t *r, const json_t *args) { go_on(r, args, "finish"); }
static void go_back(const json_t *r, const json_t *args) { go_on(r, args, "reverse-next"); }
static void go_far_back(const json_t *r, const json_t *args) { go_on(r, args, "reverse-continue"); }

static void pause_kernel(const json_t *r, const json_t *args)
{
    if (dbg.state != DBG_STOPPED) atomic_store(&dbg.interrupt, 1);
    dbg_dap_answer(r, NULL);
}

static void configuration_done(const json_t *r, const json_t *args)
{
    dbg_dap_answer(r, NULL);
    if (dbg.state == DBG_BEGINNING && !dbg.waits_for_run) dbg.resume = true;
}

/** launch and attach are the command's business; here they say what kind of client this is. */
static void attach(const json_t *r, const json_t *args)
{
    dbg.waits_for_run = json_is_true(json_object_get(args, "waitForRun"));
    dbg.allow_files = json_is_true(json_object_get(args, "allowFiles"));
    if (json_is_true(json_object_get(args, "stopOnEntry")))
        dbg.goal = (struct dbg_goal){.kind = DBG_TO_LAUNCH, .count = 1};
    dbg.colours = json_is_true(json_object_get(args, "colours"));
    const json_int_t seed = dbg_dap_integer(args, "seed", -1);
    if (seed >= 0) dbg.order.given = true, dbg.order.seed = (uint64_t)seed;
    dbg.idle = json_is_true(json_object_get(args, "idle"));
    dbg_carry_in(json_object_get(args, "carried"), dbg.idle);
    if (dbg.idle)
        *dbg_named_value("$_exitcode") =
            dbg_value_int(dbg_type_named("int", 3), (uint64_t)dbg_dap_integer(args, "exitCode", 0));
    dbg_dap_answer(r, NULL);
}

struct offers {
    json_t *list;
};
static void add_offer(void *ctx, const char *s)
{
    struct offers *o = ctx;
    size_t i;
    json_t *x;
    json_array_foreach(o->list, i, x)
        if (!strcmp(json_string_value(json_object_get(x, "label")), s)) return;
    json_array_append_new(o->list, json_pack("{s:o}", "label", dbg_dap_text(s)));
}
static void completions(const json_t *r, const json_t *args)
{
    struct offers o = {json_array()};
    const char *line = dbg_dap_string(args, "text");
    char *own = mem_strdup(line ? line : "");
    const json_int_t column = dbg_dap_integer(args, "column", (json_int_t)strlen(own) + 1);
    if (column >= 1 && (size_t)column - 1 < strlen(own)) own[column - 1] = 0;
    dbg_complete(own, add_offer, &o);
    free(own);
    dbg_dap_answer(r, json_pack("{s:o}", "targets", o.list));
}

static void exception_info(const json_t *r, const json_t *args)
{
    if (!dbg.findings.len) {
        dbg_dap_refuse(r, "Nothing was found.");
        return;
    }
    const struct dbg_found *f = &vec_last(&dbg.findings);
    dbg_dap_answer(r, json_pack("{s:s, s:o, s:s}", "exceptionId", rep_kinds[f->kind].id,
                                "description", dbg_dap_text(f->text), "breakMode", "always"));
}

/** The app ends with the launch that runs, which goes no further. */
static void leave(void)
{
    if (!dbg.leave) _exit(0);
    dbg.ended = dbg.said_goodbye = true;
    dbg.leave();
}

static void disconnect(const json_t *r, const json_t *args)
{
    dbg_dap_answer(r, NULL);
    if (json_is_true(json_object_get(args, "terminateDebuggee"))) leave();
    dbg.ended = dbg.said_goodbye = true;
}

static void terminate(const json_t *r, const json_t *args)
{
    dbg_dap_answer(r, NULL);
    leave();
}

void dbg_dap_request(const json_t *r)
{
    static const struct {
        const char *name;
        void (*run)(const json_t *r, const json_t *args);
    } requests[] = {
        {"initialize", initialize},
        {"launch", attach},
        {"attach", attach},
        {"configurationDone", configuration_done},
        {"setBreakpoints", dbg_dap_set_breakpoints},
        {"setFunctionBreakpoints", dbg_dap_set_function_breakpoints},
        {"setExceptionBreakpoints", dbg_dap_set_exception_breakpoints},
        {"setDataBreakpoints", dbg_dap_set_data_breakpoints},
        {"dataBreakpointInfo", dbg_dap_data_breakpoint_info},
        {"threads", threads},
        {"stackTrace", stack_trace},
        {"scopes", dbg_dap_scopes},
        {"variables", dbg_dap_variables},
        {"setVariable", dbg_dap_set_variable},
        {"setExpression", dbg_dap_set_expression},
        {"evaluate", dbg_dap_evaluate},
        {"continue", go_continue},
        {"next", go_next},
        {"stepIn", go_step},
        {"stepOut", go_out},
        {"stepBack", go_back},
        {"reverseContinue", go_far_back},
        {"pause", pause_kernel},
        {"source", source},
        {"completions", completions},
        {"exceptionInfo", exception_info},
        {"readMemory", dbg_dap_read_memory},
        {"disassemble", dbg_dap_disassemble},
        {"loadedSources", dbg_dap_loaded_sources},
        {"breakpointLocations", dbg_dap_breakpoint_locations},
        {"disconnect", disconnect},
        {"terminate", terminate},
    };
    const char *command = dbg_dap_string(r, "command");
    const json_t *args = json_object_get(r, "arguments");
    json_t *none = json_object();
    if (!json_is_object(args)) args = none;
    size_t i = 0;
    while (command && i < sizeof requests / sizeof *requests && strcmp(requests[i].name, command))
        i++;
    if (!command || i == sizeof requests / sizeof *requests) {
        struct str s = {0};
        str_printf(&s, "The request \"%s\" is not known.", command ? command : "");
        dbg_dap_refuse(r, str_text(&s));
        str_deinit(&s);
    } else {
        requests[i].run(r, args);
    }
    json_decref(none);
}
