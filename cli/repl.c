// SPDX-License-Identifier: MIT
// `cldbg -i …`: the debugger's command line. It starts the same command again without -i as its
// child, and is a client of the agent that will be in the app's process: typed lines go there
// as `evaluate` in the context `repl`, and the output of the agent is printed.
//
// The child shares the terminal; it ignores Ctrl-C, which is ours: it asks the agent to stop the
// kernel. While the program runs, the debugger does not read the terminal. When it has ended, `run`
// starts it again: breakpoints, displays and settings are carried over
// (src/debug/adapter/saved_session.c says what there is).
#include "cli/repl.h"

#include "base/mem.h"
#include "base/str.h"
#include "cli/cmd.h"
#include "cli/repl_json.h"
#include "cli/tui.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <readline/readline.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void on_interrupt(int sig) { repl_interrupted = 1; }

// ---- messages
static void keep_session(json_t *own)
{
    json_t *session = json_object_get(own, "savedSession");
    if (!session) return;
    json_decref(repl.session);
    repl.session = json_incref(session);
}

static void on_event(json_t *m)
{
    const char *event = json_string_value(json_object_get(m, "event"));
    json_t *body = json_object_get(m, "body");
    if (!event) return;
    tui_relay(true); // what the app wrote before
    if (!strcmp(event, "savedSession")) {
        keep_session(body);
    } else if (!strcmp(event, "output")) {
        const char *text = json_string_value(json_object_get(body, "output"));
        if (text) repl_show(text);
    } else if (!strcmp(event, "stopped")) {
        json_t *own = json_object_get(body, "cldbg");
        const char *text = json_string_value(json_object_get(own, "text"));
        size_t i;
        repl.stopped = true;
        repl.running = false;
        keep_session(own);
        const json_t *list = json_object_get(own, "commands");
        const char *first = json_string_value(json_array_get(list, 0));
        const bool silent = first && !strcmp(first, "silent"); // gdb's word
        if (repl.json) repl_json_stopped(body);
        else if (text && !silent) repl_show(text);
        for (i = json_array_size(list); i-- > (size_t)silent;)
            repl_do_first(json_string_value(json_array_get(list, i)));
    } else if (repl.json) {
        repl_json_event(event, body);
    }
}

static int exit_code(void)
{
    return WIFSIGNALED(repl.status) ? 128 + WTERMSIG(repl.status) : WEXITSTATUS(repl.status);
}

static char *terminal_of_app; // another than ours; or NULL

static void send_terminal(void)
{
    if (repl.connected && terminal_of_app)
        dap_request(&repl.agent, "cldbgOutput", json_pack("{s:s}", "terminal", terminal_of_app));
}

static void redirect(const char *path)
{
    free(terminal_of_app);
    terminal_of_app = mem_strdup(path);
    send_terminal();
}

static void accept_agent(void)
{
    const int fd = dap_accept(&repl.listener);
    if (fd < 0) return;
    dap_close(&repl.agent);
    dap_open(&repl.agent, fd, fd);
    repl.connected = true;
    repl.met |= repl.idle <= 0;
    repl.running = false;
    repl.stopped = false;
    json_t *how = json_pack("{s:b, s:b, s:b, s:I, s:b, s:b}", "waitForRun", 1, "allowFiles", 1,
                            "colors", repl_colors(), "seed", (json_int_t)repl.seed, "idle",
                            repl.idle > 0, "structured", repl.json);
    if (repl.idle > 0) json_object_set_new(how, "exitCode", json_integer(exit_code()));
    if (repl.session) json_object_set(how, "savedSession", repl.session);
    dap_request(&repl.agent, "initialize",
                json_pack("{s:s, s:s}", "clientID", "cldbg", "adapterID", "cldbg"));
    dap_request(&repl.agent, "attach", how);
    send_terminal(); // it may have been started before
    dap_request(&repl.agent, "configurationDone", NULL);
}

static void look_after_child(bool wait)
{
    int status;
    if (repl.child_done || repl.child <= 0) return;
    pid_t got;
    while (!(got = waitpid(repl.child, &status, WNOHANG)) && wait) tui_wait();
    if (got != repl.child) return;
    tui_relay(true);
    repl.child_done = true;
    repl.status = status;
}

/** A message that has arrived. */
static json_t *take_message(void)
{
    json_t *m = repl.connected ? dap_take(&repl.agent, NULL) : NULL;
    if (m && repl.json) repl_json_drain(); // the app wrote this before
    return m;
}

/** Waits for a message of the agent, for its coming or its end. NULL: something else happened. */
static json_t *next_message(void)
{
    json_t *m = take_message();
    if (m) return m;
    if (repl_interrupted) {
        repl_interrupted = 0;
        if (repl.connected && repl.running)
            dap_request(&repl.agent, "pause", json_pack("{s:i}", "threadId", 1));
        else if (!repl.connected && !repl.json)
            repl_show("The program has not used OpenCL yet; Ctrl-C again ends it.\n");
    }
    struct pollfd p[3] = {{.fd = repl.listener.fd, .events = POLLIN},
                          {.fd = repl.connected ? repl.agent.in : -1, .events = POLLIN},
                          {.fd = tui_app_fd(), .events = POLLIN}};
    if (repl.connected) p[0].fd = -1; // another process of the app waits its turn
    const int n = repl.json ? repl_json_poll(p, 2, 200) : poll(p, 3, 200);
    if (n > 0 && p[2].revents) tui_relay(false);
    tui_attend();
    if (n > 0 && p[0].revents) accept_agent();
    if (n > 0 && repl.connected && p[1].revents && !dap_read(&repl.agent)) {
        repl.connected = false;
        repl.stopped = repl.running = false;
    }
    look_after_child(false);
    return take_message();
}

static void wait_for_child(void)
{
    while (repl.json && repl.child > 0 && !repl.child_done) json_decref(next_message());
    look_after_child(true);
}

json_t *repl_answer_to(long long seq)
{
    while (repl.connected) {
        json_t *m = next_message();
        if (!m) continue;
        const char *type = json_string_value(json_object_get(m, "type"));
        if (type && !strcmp(type, "response")) {
            if (json_integer_value(json_object_get(m, "request_seq")) == seq) return m;
        } else {
            on_event(m);
        }
        json_decref(m);
    }
    return NULL;
}

// ---- for the text user interface
static json_t *view(const char *source)
{
    if (!repl.connected || repl.running) return NULL;
    return repl_answer_to(
        dap_request(&repl.agent, "cldbgView", json_pack("{s:s}", "source", source)));
}

static const char *state(void) { return repl.running ? "running" : repl.child ? NULL : "ended"; }

/** Until a kernel stops or the program ends. */
static void wait_while_running(void)
{
    while (repl.running && repl.connected) {
        json_t *m = next_message();
        const char *type = m ? json_string_value(json_object_get(m, "type")) : NULL;
        if (type && !strcmp(type, "event")) on_event(m);
        json_decref(m);
    }
}

/** Until an agent is there (true), or the child has ended. */
static bool wait_for_agent(void)
{
    int asked = 0;
    while (!repl.connected && repl.child && !repl.child_done) {
        if (repl_interrupted && ++asked > 1) kill(repl.child, SIGKILL);
        json_decref(next_message());
    }
    return repl.connected;
}

// ---- the child
static struct err *start_child(void)
{
    if (repl.json && !repl_json_pipes()) return err_new("a pipe cannot be created: %m");
    setenv("CLDBG_DEBUG", repl.listener.name, 1);
    repl.child = fork();
    if (repl.child < 0) return err_new("a process cannot be created: %m");
    if (!repl.child) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        signal(SIGINT, SIG_IGN); // Ctrl-C is for the debugger
        tui_app_begins();
        if (repl.json) repl_json_redirect();
        if (repl.batch || repl.json ||
            (repl.interactive && !repl.terminal)) { // the terminal, or the script, is ours to read
            const int null = open("/dev/null", O_RDONLY);
            if (null >= 0 && !repl.interactive) dup2(null, STDIN_FILENO);
        }
        execv("/proc/self/exe", repl.argv);
        cmd_say("the command cannot be started again: %m");
        _exit(CMD_FAILED);
    }
    unsetenv("CLDBG_DEBUG");
    repl.child_done = repl.killed = repl.met = false;
    if (repl.json) repl_json_read_from(), repl_json_started();
    return NULL;
}

static void end_program(void)
{
    if (!repl.child || repl.child_done) return;
    repl.killed = true;
    if (repl.connected) {
        dap_request(&repl.agent, "disconnect", json_pack("{s:b}", "terminateDebuggee", 1));
        while (repl.connected) json_decref(next_message());
    } else {
        kill(repl.child, SIGTERM);
    }
    wait_for_child();
    if (repl.json) repl_json_ended();
}

/**
 * It could not begin, and has said why: the exit statuses are those of shells, env(1) and `cldbg
 * run`.
 */
static bool is_refused(void)
{
    if (repl.met || repl.again || !WIFEXITED(repl.status)) return false;
    const int code = WEXITSTATUS(repl.status);
    return repl.asked ||
           (!strcmp(repl.argv[1], "run") ? code : code >= CMD_FAILED && code <= CMD_NOT_FOUND);
}

static void say_end(void)
{
    if (repl.json) repl_json_ended();
    else if (WIFSIGNALED(repl.status))
        repl_say("[The program was ended by signal %d (%s)]\n", WTERMSIG(repl.status),
                 strsignal(WTERMSIG(repl.status)));
    else if (WEXITSTATUS(repl.status))
        repl_say("[The program ended with exit status %d]\n", WEXITSTATUS(repl.status));
    else repl_show("[The program ended normally]\n");
    repl.child = 0;
}

// ---- while no program runs: an agent in a process of its own, with no app, answers
static void end_idle(void)
{
    if (repl.idle <= 0) return;
    dap_close(&repl.agent);
    repl.connected = false;
    kill(repl.idle, SIGTERM);
    waitpid(repl.idle, NULL, 0);
    repl.idle = 0;
}

static bool start_idle(void)
{
    if (repl.idle < 0) return false; // it could not
    setenv("CLDBG_DEBUG", repl.listener.name, 1);
    repl.idle = fork();
    if (!repl.idle) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        signal(SIGINT, SIG_IGN);
        cmd_debug_idle();
        _exit(0);
    }
    unsetenv("CLDBG_DEBUG");
    while (repl.idle > 0 && !repl.connected) {
        json_decref(next_message());
        if (!repl.connected && waitpid(repl.idle, NULL, WNOHANG) == repl.idle) repl.idle = -1;
    }
    return repl.connected;
}

/** From its beginning; then the command that asked for it: run, start. */
static void run_again(const char *command)
{
    if (repl.child && !repl.child_done) {
        if (!repl_yes(
                "The program has been started already.\nStart it from the beginning? (y or n) "))
            return;
        end_program();
    }
    end_idle();
    repl.again = true;
    struct err *e = start_child();
    if (e) {
        repl_say("%s\n", err_message(e));
        err_free(e);
        repl.child = 0;
        return;
    }
    repl_do_first(command);
}

static void kill_program(void)
{
    if (!repl.child || repl.child_done) {
        repl_show("The program is not being run.\n");
        repl.failed = true;
    } else if (repl_yes("Kill the program being debugged? (y or n) ")) {
        end_program();
        repl.child = 0;
        repl_show("[The program was killed]\n");
    }
}

/** It goes on without us; we end with it. */
static bool detach(void)
{
    if (!repl.child || repl.child_done) {
        repl_show("The program is not being run.\n");
        repl.failed = true;
        return true;
    }
    repl_show("[Detached: the program goes on without the debugger]\n");
    dap_request(&repl.agent, "disconnect", json_pack("{s:b}", "terminateDebuggee", 0));
    while (repl.connected) json_decref(next_message());
    wait_for_child();
    if (repl.json) repl_json_ended();
    return false;
}

static void shell(const char *command)
{
    fflush(NULL);
    tui_suspend();
    const int status = repl.json ? repl_json_shell(command)
                                 : system(*command          ? command
                                          : getenv("SHELL") ? getenv("SHELL")
                                                            : "/bin/sh");
    tui_resume();
    if (status < 0) repl_say("shell: %s\n", strerror(errno));
    repl.failed = status != 0;
}

// ---- commands
static void remember(const char *line)
{
    free(repl.last);
    repl.last = line ? mem_strdup(line) : NULL;
}

static bool quits(void)
{
    return !repl.stopped || repl_yes("A kernel is stopped.\nQuit anyway? (y or n) ");
}

static bool hand_over(const char *line);

/** A block of which only the first line is there: with the others. false: the debugger ends. */
static bool read_block(const char *head)
{
    if (repl_user_command(head)) return true; // define, document
    char *whole = repl_with_body(head, !strncmp(head, "commands", 8) ? "breakpoint(s)" : "");
    const bool go_on = repl_json_block_is_cut() || hand_over(whole);
    free(whole);
    return go_on;
}

/** Executes a command that the client, not the agent, handles. false: the debugger ends. */
static bool execute_own(const char *name, const char *rest, const char *line)
{
    struct str head = {0};
    bool go_on = true;
    if (!strcmp(name, "quit")) return !quits();
    if (!strcmp(name, "source")) repl_open_script(rest);
    else if (!strcmp(name, "kill")) kill_program();
    else if (!strcmp(name, "detach")) return detach();
    else if (!strcmp(name, "shell")) shell(rest);
    else if (!strcmp(name, "complete")) repl_put_completions(rest);
    else if (tui_command(name, rest, &repl.failed)) return true;
    else if (!strcmp(name, "run") || !strcmp(name, "start")) run_again(name);
    else if (strchr(line, '\n')) repl_flow(line, *rest == '1');
    else
        str_printf(&head, "%s %s", name, rest),
            go_on = read_block(str_text(&head)); // its name in full
    str_deinit(&head);
    return go_on;
}

/** Sends a line to the agent, and does what the agent leaves to the client. false: the debugger
 * ends. */
static bool hand_over(const char *line)
{
    bool go_on = true;
    json_t *m = repl_evaluate(line);
    if (m) {
        json_t *body = json_object_get(m, "body"), *own = json_object_get(body, "cldbg");
        const char *text = json_string_value(json_object_get(body, "result")),
                   *client = json_string_value(json_object_get(own, "client"));
        const char *rest = json_string_value(json_object_get(own, "rest"));
        if (text) repl_show(text);
        remember(json_is_true(json_object_get(own, "again")) ? line : NULL);
        repl.confirm = json_is_true(json_object_get(own, "confirm"));
        repl.paginate = json_is_true(json_object_get(own, "paginate"));
        if (repl.json && json_object_get(own, "value"))
            repl_json_value(json_object_get(own, "value"));
        if (json_is_true(json_object_get(own, "running"))) {
            repl.running = true, repl.stopped = false;
            if (repl.json) repl_json_running(json_is_true(json_object_get(own, "asks")));
        }
        if (client) go_on = execute_own(client, rest ? rest : "", line);
    } else if (repl_opens_block(line) && !strchr(line, '\n')) {
        repl_skip_body(line);
    }
    json_decref(m);
    return go_on;
}

bool repl_has_agent(void) { return repl.connected || start_idle(); }

json_t *repl_evaluate(const char *line)
{
    if (!repl_has_agent()) {
        repl_show("The program is not being run.  `run` starts it again.\n");
        repl.failed = true;
        return NULL;
    }
    json_t *m = repl_answer_to(dap_request(
        &repl.agent, "evaluate", json_pack("{s:s, s:s}", "expression", line, "context", "repl")));
    if (m && json_is_true(json_object_get(m, "success"))) {
        keep_session(json_object_get(json_object_get(m, "body"), "cldbg"));
        return m;
    }
    const char *why = json_string_value(json_object_get(m, "message"));
    if (m && repl.json) repl_json_fail(why ? why : "?");
    else if (m) repl_say("%s\n", why ? why : "?");
    repl.failed = true;
    json_decref(m);
    return NULL;
}

/** false: the debugger ends. */
static bool execute(const char *line)
{
    static const char *const ends[] = {"quit", "q", "exit"}, *const begins[] = {"run", "r",
                                                                                "start"};
    const char *p = line + strspn(line, " \t");
    const size_t word = strcspn(p, " \t");
    repl.failed = false;
    if (*p == '#' || repl_user_command(line)) return true;
    for (size_t i = 0; i < 3 && !repl.connected; i++) { // it needs no agent to be said
        if (strlen(ends[i]) == word && !memcmp(ends[i], p, word)) return false;
        if (strlen(begins[i]) == word && !memcmp(begins[i], p, word) && repl_is_blank(p + word))
            return run_again(p), true;
    }
    const bool go_on = hand_over(line);
    wait_while_running();
    return go_on;
}

static void forget_pending(void)
{
    for (size_t i = 0; i < repl.pending.len; i++) free(repl.pending.data[i]);
    vec_clear(&repl.pending);
}

static int converse(void)
{
    bool go_on = true;
    while (go_on) {
        if (!wait_for_agent() && repl.child) { // it has ended
            look_after_child(true);
            if (is_refused()) {
                if (repl.json) repl_json_ended();
                break;
            }
            if (!repl.killed) say_end();
            if (!repl.met) forget_pending(); // the `run` among them would begin it all again
        }
        bool typed;
        char *line = repl_next_line(&typed);
        if (!line) break;
        const bool repeat = repl_is_blank(line) && typed && !repl.scripts.len && repl.last &&
                            !repl.json;
        char *again = repeat ? mem_strdup(repl.last) : NULL;
        if (again || !repl_is_blank(line)) go_on = execute(again ? again : line);
        free(again);
        free(line);
        if (repl.json) repl_json_executed();
        if (repl.failed && (!typed || repl.json))
            forget_pending(); // the rest of them counted on it
    }
    if (repl.json) repl_json_close();
    end_program();
    end_idle();
    if (repl.json) repl_json_end();
    // A script has the exit status of the program; an interactive session that was ended has 0.
    return repl.killed && !repl.batch ? CMD_OK : exit_code();
}

int cmd_debug(int argc, char **argv)
{
    char **rest = mem_alloc((size_t)(argc + 2) * sizeof *rest);
    repl.argv = rest;
    repl.seed = -1;
    repl.confirm = repl.paginate = true;
    repl.agent.in = repl.agent.out = -1;
    repl.listener.fd = -1;
    struct err *e = repl_take_options(argc, argv, rest);
    if (repl.json) repl_json_begin();
    if (!e && !repl.batch && !repl.json) {
        repl.interactive = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
        if (!repl.interactive && !repl.scripts.len && !isatty(STDIN_FILENO) &&
            isatty(STDERR_FILENO)) { // the app's input is redirected
            repl.terminal = fopen("/dev/tty", "r+e");
            if (repl.terminal) {
                setvbuf(repl.terminal, NULL, _IONBF, 0);
                rl_instream = rl_outstream = repl.terminal;
                repl.interactive = true;
            }
        }
    }
    if (!e) e = dap_listen(&repl.listener);
    if (!e) {
        sigaction(SIGINT, &(struct sigaction){.sa_handler = on_interrupt}, NULL);
        signal(SIGPIPE, SIG_IGN);
        if (repl.interactive) repl_terminal_begin();
        tui_begin(&(struct tui_client){.out = repl_output(),
                                       .interactive = repl.interactive,
                                       .batch = repl.batch,
                                       .wanted = repl.tui,
                                       .colors = repl_colors(),
                                       .view = view,
                                       .state = state,
                                       .redirect = redirect});
        e = start_child();
    }
    int status = e ? 0 : converse();
    tui_end();
    repl_terminal_end();
    dap_listener_close(&repl.listener);
    dap_close(&repl.agent);
    free(rest);
    if (e && repl.json) repl_json_refuse(err_message(e));
    return e ? cmd_fail(CMD_FAILED, e) : status;
}
