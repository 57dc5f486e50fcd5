// SPDX-License-Identifier: MIT
// `cldbg dap`, for editors: a debug adapter on stdin and stdout, or on a socket (`cldbg --dap
// ./app`; login.c has who may connect there).
//
// It answers `initialize`, starts the app at `launch`, and passes all other requests on to the
// agent in the process of the app; they wait until the agent is connected. Output of the app
// becomes `output` events. When the app ends, the editor gets an event. `restart` starts it again:
// the new agent's event `initialized` makes the editor send its breakpoints again. Unknown messages
// are ignored with a message. `attach` to `cldbg dap` names the socket of another cldbg: all
// messages are passed on to it, and its messages come back.
#include "cli/cmd.h"
#include "cli/login.h"

#include "base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OWN_SEQ = 1 << 30 }; // of requests that we make of the agent

struct adapter {
    struct dap_stream editor, agent;
    struct dap_listener listener;
    bool connected, started, done, attached;
    pid_t child;
    int out, err;             // what the child writes
    json_t *arguments;        // of launch
    json_t *client;           // the arguments of the editor's `initialize`, or NULL
    VEC(json_t *) waiting;    // for the agent to connect
    VEC(json_t *) unanswered; // requests that the agent has
    char **command;           // --dap…: what is run; else NULL
    bool relays;              // `agent` is another adapter
    bool allow_files;         // the editor's commands may touch files and run programs
};
static struct adapter a;

static void answer(const json_t *request, bool success, const char *message, json_t *body)
{
    dap_answer(&a.editor, request, success, message, body);
}

static void event(const char *name, json_t *body)
{
    json_t *m = json_pack("{s:s, s:s}", "type", "event", "event", name);
    if (body) json_object_set_new(m, "body", body);
    dap_send(&a.editor, m);
}

static void output(const char *category, const char *text, size_t n)
{
    json_t *t = json_stringn(text, n);
    if (!t) { // no UTF-8
        char *own = mem_dup(text, n);
        for (size_t i = 0; i < n; i++)
            if (own[i] & 0x80) own[i] = '?';
        t = json_stringn(own, n);
        free(own);
    }
    event("output", json_pack("{s:s, s:o}", "category", category, "output", t));
}

// ---- the app
typedef VEC(char *) words;

static void add_strings(words *w, const json_t *list)
{
    size_t i;
    json_t *x;
    json_array_foreach((json_t *)list, i, x)
        if (json_is_string(x)) vec_push(w, mem_strdup(json_string_value(x)));
}

static bool is_kernel(const char *program)
{
    return str_ends(program, ".cl") || str_ends(program, ".sim");
}

/** cldbg [options] program args…, or cldbg run [options] kernel.cl args… */
static words command_line(const json_t *args, const char *program)
{
    words w = {0};
    vec_push(&w, mem_strdup("cldbg"));
    if (is_kernel(program)) vec_push(&w, mem_strdup("run"));
    add_strings(&w, json_object_get(args, "cldbgOptions"));
    vec_push(&w, mem_strdup(program));
    add_strings(&w, json_object_get(args, "args"));
    vec_push(&w, NULL);
    return w;
}

static void become(char **argv, const json_t *args, const int out[2], const int err[2])
{
    const char *cwd = json_string_value(json_object_get(args, "cwd")), *key;
    json_t *value;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(out[1], STDOUT_FILENO);
    dup2(err[1], STDERR_FILENO);
    if (a.editor.in == STDIN_FILENO) {
        const int null = open("/dev/null", O_RDONLY); // what the editor says is not for the app
        if (null >= 0) dup2(null, STDIN_FILENO);
    }
    if (a.command) args = NULL, cwd = NULL; // the command line determines program and folder
    json_object_foreach(json_object_get(args, "env"), key, value)
        if (json_is_string(value)) setenv(key, json_string_value(value), 1);
    setenv("CLDBG_DEBUG", a.listener.name, 1);
    if (cwd && chdir(cwd)) cmd_say("cwd %s: %m", cwd);
    else execv("/proc/self/exe", argv), cmd_say("the command cannot be started again: %m");
    _exit(CMD_FAILED);
}

static bool is_in_path(const char *program, const json_t *args)
{
    const char *own = json_string_value(json_object_get(json_object_get(args, "env"), "PATH")),
               *p = own ? own : getenv("PATH");
    bool found = false;
    for (; p && *p && !found; p += *p == ':') {
        const size_t n = strcspn(p, ":");
        struct str path = {0};
        str_printf(&path, "%.*s/%s", (int)n, p, program);
        found = !access(str_text(&path), X_OK);
        str_deinit(&path);
        p += n;
    }
    return found;
}

/** Why the program cannot be started, or NULL. */
static const char *check_program(const json_t *args)
{
    static struct str why;
    const char *program = json_string_value(json_object_get(args, "program")),
               *cwd = json_string_value(json_object_get(args, "cwd"));
    if (!program || !*program) return "launch: \"program\" is missing: the program, or a kernel.cl";
    if (!strcmp(program, "run")) return NULL; // cldbg's own: the kernel is among the arguments
    const bool kernel = is_kernel(program);
    struct str path = {0};
    if (cwd && *program != '/') str_printf(&path, "%s/", cwd);
    str_put(&path, program);
    const bool found = kernel || strchr(program, '/')
                           ? !access(str_text(&path), kernel ? R_OK : X_OK)
                           : is_in_path(program, args);
    str_deinit(&path);
    str_clear(&why);
    if (!found) str_printf(&why, "launch: %s: %s", program, strerror(errno ? errno : ENOENT));
    return found ? NULL : str_text(&why);
}

static const char *start(const json_t *args)
{
    const char *program = json_string_value(json_object_get(args, "program")),
               *why = a.command ? NULL : check_program(args);
    if (why) return why;
    words w = {0};
    if (!a.command) w = command_line(args, program);
    int out[2], err[2];
    struct err *e = dap_listen(&a.listener);
    if (e || pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC)) {
        err_free(e);
        return "no socket or pipe is available";
    }
    json_t *arguments = json_is_object(args) ? json_deep_copy(args) : json_object();
    json_decref(a.arguments);
    a.arguments = arguments;
    json_object_del(a.arguments, "token");
    if (a.client) json_object_set(a.arguments, "client", a.client);
    json_object_set_new(a.arguments, "allowFiles",
                        json_boolean(a.allow_files)); // the agent's, never the editor's own
    a.child = fork();
    if (a.child < 0) return "a process cannot be created";
    if (!a.child) become(a.command ? a.command : w.data, args, out, err);
    close(out[1]);
    close(err[1]);
    a.out = out[0];
    a.err = err[0];
    a.started = true;
    for (size_t i = 0; i < w.len; i++) free(w.data[i]);
    vec_free(&w);
    return NULL;
}

static void send_to_agent(json_t *m)
{
    vec_push(&a.unanswered, json_incref(m));
    dap_send(&a.agent, json_incref(m));
}

static void accept_agent(void)
{
    const int fd = dap_accept(&a.listener);
    if (fd < 0) return;
    dap_open(&a.agent, fd, fd);
    a.agent.seq = OWN_SEQ;
    a.connected = true;
    dap_request(&a.agent, "initialize", NULL);
    dap_request(&a.agent, "attach", json_incref(a.arguments));
    for (size_t i = 0; i < a.waiting.len; i++) {
        send_to_agent(a.waiting.data[i]);
        json_decref(a.waiting.data[i]);
    }
    vec_clear(&a.waiting);
}

static void pass_output(int *fd, const char *category)
{
    char buf[4096];
    const ssize_t n = read(*fd, buf, sizeof buf);
    if (n < 0 && errno == EINTR) return;
    if (n > 0) {
        output(category, buf, (size_t)n);
        return;
    }
    close(*fd);
    *fd = -1;
}

// ---- messages
static void end_app(void)
{
    if (a.started && !a.done) kill(a.child, SIGKILL);
}

/** Refuses requests, and drops them. */
static void refuse_all(json_t **requests, size_t *n, const char *why)
{
    for (size_t i = 0; i < *n; i++) {
        answer(requests[i], false, why, NULL);
        json_decref(requests[i]);
    }
    *n = 0;
}

/** Ends the app, and starts it again with the arguments of the request or of the last start. */
static void restart(const json_t *m)
{
    json_t *args = json_object_get(json_object_get(m, "arguments"), "arguments");
    if (!a.started) {
        answer(m, false, "no program was launched yet", NULL);
        return;
    }
    end_app();
    if (!a.done) waitpid(a.child, NULL, 0);
    if (a.out >= 0) close(a.out);
    if (a.err >= 0) close(a.err);
    a.out = a.err = -1;
    if (a.connected) dap_close(&a.agent);
    dap_listener_close(&a.listener);
    a.connected = a.started = a.done = false;
    refuse_all(a.unanswered.data, &a.unanswered.len, "the program was restarted");
    refuse_all(a.waiting.data, &a.waiting.len, "the program was restarted");
    const char *why = start(json_is_object(args) ? args : a.arguments);
    answer(m, !why, why, NULL);
    if (why) event("terminated", NULL);
    else event("continued", json_pack("{s:i, s:b}", "threadId", 1, "allThreadsContinued", 1));
}

/** A request that waits for the agent is taken back; the others are the agent's. */
static void cancel(json_t *m)
{
    const json_int_t id =
        json_integer_value(json_object_get(json_object_get(m, "arguments"), "requestId"));
    for (size_t i = 0; i < a.waiting.len; i++) {
        json_t *x = a.waiting.data[i];
        if (json_integer_value(json_object_get(x, "seq")) != id) continue;
        answer(x, false, "cancelled", NULL);
        json_decref(x);
        memmove(a.waiting.data + i, a.waiting.data + i + 1,
                (--a.waiting.len - i) * sizeof *a.waiting.data);
        break;
    }
    if (a.connected) send_to_agent(m);
    else answer(m, true, NULL, NULL);
}

/** Before `launch`: what sets it up waits for it. */
static bool is_for_later(const char *command)
{
    return !strcmp(command, "configurationDone") ||
           (str_starts(command, "set") && str_ends(command, "Breakpoints"));
}

static void answer_before_launch(const json_t *m, const char *command)
{
    if (!strcmp(command, "threads")) answer(m, true, NULL, json_pack("{s:[]}", "threads"));
    else answer(m, false, "no program was launched yet", NULL);
}

/** To the adapter that waits at the socket; gives why not, or NULL. */
static const char *relay(json_t *m)
{
    const char *path =
        json_string_value(json_object_get(json_object_get(m, "arguments"), "socket"));
    if (!path) return "attach: \"socket\" is missing: the path that cldbg --dap ./app prints";
    const int fd = local_socket_connect(path);
    if (fd < 0)
        return errno == EPERM ? "attach: another user listens at the socket"
                              : "attach: no cldbg --dap waits at the socket";
    dap_open(&a.agent, fd, fd);
    if (a.client) json_object_set(json_object_get(m, "arguments"), "client", a.client);
    a.connected = a.relays = true;
    dap_send(&a.agent, json_incref(m));
    return NULL;
}

static void attach_or_launch(json_t *m, const char *command)
{
    const bool relayed = !a.started && !a.command && !strcmp(command, "attach");
    const char *why = a.started ? "the app runs already"
                      : relayed ? relay(m)
                                : start(json_object_get(m, "arguments"));
    if (why || !relayed) answer(m, !why, why, NULL); // else the other adapter answers
}

static bool from_editor(json_t *m) // false: the end
{
    const char *type = json_string_value(json_object_get(m, "type")),
               *command = json_string_value(json_object_get(m, "command"));
    if (!type || strcmp(type, "request") || !command ||
        !json_is_integer(json_object_get(m, "seq"))) {
        output("console", "cldbg: a message that is not a request was ignored\n", 49);
    } else if (a.relays) {
        dap_send(&a.agent, json_incref(m));
    } else if (!strcmp(command, "initialize")) {
        json_decref(a.client);
        a.client = json_incref(json_object_get(m, "arguments"));
        answer(m, true, NULL, dap_capabilities());
    } else if (!strcmp(command, "restart")) {
        restart(m);
    } else if (!strcmp(command, "cancel")) {
        cancel(m);
    } else if (!strcmp(command, "launch") || !strcmp(command, "attach")) {
        attach_or_launch(m, command);
    } else if (!strcmp(command, "disconnect") || !strcmp(command, "terminate")) {
        const json_t *keep = json_object_get(json_object_get(m, "arguments"), "terminateDebuggee");
        answer(m, true, NULL, NULL);
        if (!json_is_false(keep)) end_app();
        if (!strcmp(command, "disconnect")) return false;
    } else if (a.connected) {
        send_to_agent(m);
    } else if (a.done) {
        answer(m, false, "the program has ended", NULL);
    } else if (!a.started && !is_for_later(command)) {
        answer_before_launch(m, command);
    } else {
        vec_push(&a.waiting, json_incref(m));
    }
    return true;
}

static void from_agent(json_t *m)
{
    const json_int_t answers = json_integer_value(json_object_get(m, "request_seq"));
    if (!a.relays && answers > OWN_SEQ) return; // ours
    for (size_t i = 0; answers && i < a.unanswered.len; i++) {
        json_t *x = a.unanswered.data[i];
        if (json_integer_value(json_object_get(x, "seq")) != answers) continue;
        json_decref(x);
        a.unanswered.data[i] = vec_last(&a.unanswered);
        a.unanswered.len--;
        break;
    }
    json_object_del(m, "seq");
    dap_send(&a.editor, json_incref(m));
}

/** What the agent sent before it ended, and answers to the requests that it left. */
static void drain_agent(void)
{
    static const char *const runs[] = {"continue", "next",     "stepIn",         "stepOut",
                                       "pause",    "stepBack", "reverseContinue"};
    json_t *m;
    while (a.connected) {
        while ((m = dap_take(&a.agent, NULL))) {
            from_agent(m);
            json_decref(m);
        }
        if (!dap_read(&a.agent)) a.connected = false;
    }
    for (size_t i = 0; i < a.unanswered.len; i++) {
        json_t *x = a.unanswered.data[i];
        const char *command = json_string_value(json_object_get(x, "command"));
        bool ran = false; // until the program ended
        for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) ran |= !strcmp(command, runs[k]);
        answer(x, ran, ran ? NULL : "the program has ended", NULL);
        json_decref(x);
    }
    vec_clear(&a.unanswered);
}

static void look_after_child(void)
{
    int status;
    if (!a.started || a.done || waitpid(a.child, &status, WNOHANG) != a.child) return;
    while (a.out >= 0) pass_output(&a.out, "stdout");
    while (a.err >= 0) pass_output(&a.err, "stderr");
    a.done = true;
    drain_agent();
    refuse_all(a.waiting.data, &a.waiting.len, "the program ended without using OpenCL");
    event("exited", json_pack("{s:i}", "exitCode",
                              WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status)));
    event("terminated", NULL);
}

static int serve(void)
{
    bool go_on = true, bad = false;
    signal(SIGPIPE, SIG_IGN);
    a.out = a.err = -1;
    while (go_on) {
        json_t *m;
        while (go_on && (m = dap_take(&a.editor, &bad))) {
            go_on = from_editor(m);
            json_decref(m);
        }
        if (bad) {
            output("console", "cldbg: a message that cannot be understood was left out\n", 56);
            bad = false;
        }
        while (a.connected && (m = dap_take(&a.agent, NULL))) {
            from_agent(m);
            json_decref(m);
        }
        if (!go_on) break;
        struct pollfd p[5] = {
            {.fd = a.editor.in, .events = POLLIN},
            {.fd = a.started && !a.connected && !a.done ? a.listener.fd : -1, .events = POLLIN},
            {.fd = a.connected ? a.agent.in : -1, .events = POLLIN},
            {.fd = a.out, .events = POLLIN},
            {.fd = a.err, .events = POLLIN}};
        if (poll(p, 5, 200) < 0 && errno != EINTR) break;
        if (p[0].revents && !dap_read(&a.editor)) break;
        if (p[1].revents) accept_agent();
        if (p[2].revents && !dap_read(&a.agent)) drain_agent(), go_on = !a.relays;
        if (p[3].revents) pass_output(&a.out, "stdout");
        if (p[4].revents) pass_output(&a.err, "stderr");
        look_after_child();
    }
    if (a.started && !a.done && !a.attached) {
        end_app();
        waitpid(a.child, NULL, 0);
    }
    dap_listener_close(&a.listener);
    return CMD_OK;
}

int cmd_dap(int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--dap-allow-files"))
            return cmd_fail(CMD_FAILED,
                            err_new("cldbg dap takes no arguments except --dap-allow-files: the "
                                    "request of the editor names the program (man cldbg)"));
        a.allow_files = true;
    }
    dap_open(&a.editor, STDIN_FILENO, STDOUT_FILENO);
    a.listener.fd = -1;
    return serve();
}

/** Is it one of the options of cmd_dap_wait? Then it is taken. */
static struct err *take_option(const char *word, struct login_place *place, bool *taken)
{
    struct err *e = NULL;
    *taken = true;
    if (!strcmp(word, "--dap-allow-files")) {
        a.allow_files = true;
    } else if (str_starts(word, "--dap-socket=")) {
        place->socket = word + strlen("--dap-socket=");
        if (!*place->socket) e = err_new("%s: a path is expected", word);
    } else if (str_starts(word, "--dap-port=")) {
        char *end;
        const char *number = word + strlen("--dap-port=");
        place->port = strtol(number, &end, 10);
        if (!*number || *end || place->port < 0 || place->port > 65535)
            e = err_new("%s: a port from 0 (any free port) to 65535 is expected", word);
    } else {
        *taken = !strcmp(word, "--dap");
    }
    return e;
}

int cmd_dap_wait(int argc, char **argv)
{
    char **rest = mem_alloc((size_t)(argc + 1) * sizeof *rest);
    struct login_place place = {.port = -1};
    struct err *e = NULL;
    int n = 0, i = 0;
    for (rest[n++] = argv[i++]; i < argc && argv[i][0] == '-' && strcmp(argv[i], "--") && !e; i++) {
        bool taken;
        e = take_option(argv[i], &place, &taken);
        if (!taken) rest[n++] = argv[i];
    }
    if (!e && i == argc) e = err_new("no app is named; `cldbg --help` shows how");
    if (!e && place.socket && place.port >= 0)
        e = err_new("--dap-socket and --dap-port cannot be combined");
    for (; i < argc; i++) rest[n++] = argv[i];
    rest[n] = NULL;
    json_t *attach = NULL;
    a.command = rest;
    a.listener.fd = -1;
    if (!e) e = login_wait(&place, &a.editor, &attach);
    if (e) return cmd_fail(CMD_FAILED, e);
    from_editor(attach);
    json_decref(attach);
    return serve();
}
