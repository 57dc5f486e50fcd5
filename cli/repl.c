// SPDX-License-Identifier: MIT
// `cldbg -i …`: the debugger's command line. It starts the same command again without -i as its child, and is a
// client of the agent that will be in the app's process: what is typed goes there as `evaluate` in the context
// `repl`, what the agent shows is printed.
//
// The child shares the terminal; it ignores Ctrl-C, which is ours: it asks the agent to stop the kernel. While the
// program runs nobody reads the terminal here.
#include "cli/cmd.h"
#include "cli/dap_client.h"

#include "base/vec.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <readline/history.h>
#include <readline/readline.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char prompt[] = "(cldbg) ";

struct script { // a file that is read, from the innermost `source` out
    FILE *file;
    char *name;
};

struct repl {
    struct dap_listener listener;
    struct dap_stream agent;
    bool connected;
    pid_t child;
    bool child_done;
    int status;            // of the child
    bool batch, interactive, confirm, paginate;
    VEC(struct script) scripts;
    VEC(char *) pending;   // commands of a breakpoint
    char *last;            // what an empty line repeats
    bool stopped, running; // as the agent said last
    bool failed;           // a script's command failed
    char *history;
    FILE *terminal;        // where we read and write when it is not stdin
};
static struct repl r;
static volatile sig_atomic_t interrupted;

static void on_interrupt(int sig) { interrupted = 1; }

static FILE *output(void) { return r.terminal ? r.terminal : stdout; }

/** Says things a screen at a time on a terminal. */
static void show(const char *text)
{
    FILE *out = output();
    if (!r.interactive || !r.paginate) {
        fputs(text, out);
        fflush(out);
        return;
    }
    int rows = 24, columns = 80, shown = 0;
    rl_get_screen_size(&rows, &columns);
    while (*text) {
        const size_t n = strcspn(text, "\n");
        fwrite(text, 1, n + (text[n] == '\n'), out);
        text += n + (text[n] == '\n');
        shown += 1 + (int)n / (columns > 0 ? columns : 80);
        if (shown < rows - 1 || !*text || !strchr(text, '\n')) continue;
        fflush(out);
        char *answer = readline("--Type <RET> for more, q to quit--");
        const bool quit = !answer || *answer == 'q';
        free(answer);
        if (quit) break;
        shown = 0;
    }
    fflush(out);
}

// ---- messages
static void on_event(json_t *m)
{
    const char *event = json_string_value(json_object_get(m, "event"));
    json_t *body = json_object_get(m, "body");
    if (!event) return;
    if (!strcmp(event, "output")) {
        const char *text = json_string_value(json_object_get(body, "output"));
        if (text) show(text);
    } else if (!strcmp(event, "stopped")) {
        json_t *own = json_object_get(body, "cldbg"), *line;
        const char *text = json_string_value(json_object_get(own, "text"));
        size_t i;
        r.stopped = true;
        r.running = false;
        if (text) show(text);
        json_array_foreach(json_object_get(own, "commands"), i, line) vec_push(&r.pending, mem_strdup(json_string_value(line)));
    }
}

static void accept_agent(void)
{
    const int fd = accept4(r.listener.fd, NULL, NULL, SOCK_CLOEXEC);
    if (fd < 0) return;
    dap_close(&r.agent);
    dap_open(&r.agent, fd, fd);
    r.connected = true;
    r.running = false;
    r.stopped = false;
    dap_request(&r.agent, "initialize", json_pack("{s:s, s:s}", "clientID", "cldbg", "adapterID", "cldbg"));
    dap_request(&r.agent, "attach", json_pack("{s:b}", "waitForRun", 1));
    dap_request(&r.agent, "configurationDone", NULL);
}

static void look_after_child(bool wait)
{
    int status;
    if (r.child_done || r.child <= 0) return;
    const pid_t got = waitpid(r.child, &status, wait ? 0 : WNOHANG);
    if (got != r.child) return;
    r.child_done = true;
    r.status = status;
}

/** Waits for a message of the agent, for its coming or its end. NULL: something else happened. */
static json_t *next_message(void)
{
    json_t *m = r.connected ? dap_take(&r.agent, NULL) : NULL;
    if (m) return m;
    if (interrupted) {
        interrupted = 0;
        if (r.connected && r.running) dap_request(&r.agent, "pause", json_pack("{s:i}", "threadId", 1));
        else if (!r.connected) show("The program has not used OpenCL yet; Ctrl-C again ends it.\n");
    }
    struct pollfd p[2] = {{.fd = r.listener.fd, .events = POLLIN}, {.fd = r.connected ? r.agent.in : -1, .events = POLLIN}};
    if (r.connected) p[0].fd = -1; // another process of the app waits its turn
    const int n = poll(p, 2, 200);
    if (n > 0 && p[0].revents) accept_agent();
    if (n > 0 && r.connected && p[1].revents && !dap_read(&r.agent)) {
        r.connected = false;
        r.stopped = r.running = false;
    }
    look_after_child(false);
    return r.connected ? dap_take(&r.agent, NULL) : NULL;
}

/** The answer to a request; events on the way are shown. NULL: there is no agent any more. */
static json_t *answer_to(long long seq)
{
    while (r.connected) {
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

/** Until a kernel stops or the program ends. */
static void wait_while_running(void)
{
    while (r.running && r.connected) {
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
    while (!r.connected && !r.child_done) {
        if (interrupted && ++asked > 1) kill(r.child, SIGKILL);
        json_decref(next_message());
    }
    return r.connected;
}

// ---- commands
static bool is_blank(const char *s) { return !s[strspn(s, " \t\r\n")]; }

static void end_program(void)
{
    if (r.connected) {
        dap_request(&r.agent, "disconnect", json_pack("{s:b}", "terminateDebuggee", 1));
        while (r.connected) json_decref(next_message());
    } else if (!r.child_done) {
        kill(r.child, SIGTERM);
    }
    look_after_child(true);
}

static bool yes(const char *question)
{
    if (!r.interactive || !r.confirm) return true;
    for (;;) {
        char *answer = readline(question);
        if (!answer) return true;
        const char c = (char)tolower((unsigned char)*answer);
        free(answer);
        if (c == 'y' || c == 'n') return c == 'y';
        show("Please answer y or n.\n");
    }
}

static void open_script(const char *name)
{
    FILE *f = fopen(name, "re");
    if (!f) {
        struct str s = {0};
        str_printf(&s, "%s: %s.\n", name, strerror(errno));
        show(str_text(&s));
        str_deinit(&s);
        r.failed = true;
        return;
    }
    if (r.scripts.len > 50) {
        show("source: files are nested too deeply.\n");
        fclose(f);
        return;
    }
    vec_push(&r.scripts, ((struct script){f, mem_strdup(name)}));
}

static char *read_line(const char *with);

/** `commands` and `define` take the lines up to `end`. */
static char *with_body(const char *line)
{
    struct str s = {0};
    str_put(&s, line);
    if (r.interactive && !r.scripts.len) show("Type commands for breakpoint(s), one per line.\nEnd with a line saying just \"end\".\n");
    for (;;) {
        char *next = read_line(">");
        if (!next) break;
        const char *p = next + strspn(next, " \t");
        const bool end = !strncmp(p, "end", 3) && is_blank(p + 3);
        str_printf(&s, "\n%s", p);
        free(next);
        if (end) break;
    }
    return str_take(&s);
}

static bool is_settings(const char *line, const char *name, bool *to)
{
    char command[32], key[32], value[32];
    if (sscanf(line, "%31s %31s %31s", command, key, value) != 3 || strcmp(command, "set") || strcmp(key, name)) return false;
    *to = !strcmp(value, "on");
    return true;
}

/** false: the debugger ends. */
static bool execute(const char *line)
{
    char *whole = NULL;
    const char *p = line + strspn(line, " \t");
    if (!strncmp(p, "commands", 8) && (!p[8] || p[8] == ' ')) line = whole = with_body(p);
    is_settings(p, "confirm", &r.confirm);
    is_settings(p, "pagination", &r.paginate);
    json_t *m = answer_to(dap_request(&r.agent, "evaluate", json_pack("{s:s, s:s}", "expression", line, "context", "repl")));
    bool go_on = true;
    if (m && !json_is_true(json_object_get(m, "success"))) {
        const char *why = json_string_value(json_object_get(m, "message"));
        struct str s = {0};
        str_printf(&s, "%s\n", why ? why : "?");
        show(str_text(&s));
        str_deinit(&s);
        r.failed = true;
    } else if (m) {
        json_t *body = json_object_get(m, "body"), *own = json_object_get(body, "cldbg");
        const char *text = json_string_value(json_object_get(body, "result")), *client = json_string_value(json_object_get(own, "client"));
        if (text) show(text);
        if (json_is_true(json_object_get(own, "again")) && line != r.last) {
            free(r.last);
            r.last = mem_strdup(line);
        } else if (!json_is_true(json_object_get(own, "again"))) {
            free(r.last);
            r.last = NULL;
        }
        if (client && !strcmp(client, "quit")) {
            if (!r.stopped || yes("A kernel is stopped.\nQuit anyway? (y or n) ")) go_on = false;
        } else if (client && !strcmp(client, "source")) {
            open_script(json_string_value(json_object_get(own, "rest")));
        }
        if (json_is_true(json_object_get(own, "running"))) r.running = true, r.stopped = false;
    }
    json_decref(m);
    free(whole);
    wait_while_running();
    return go_on;
}

// ---- lines
static char *read_line(const char *with)
{
    while (r.scripts.len) {
        char *line = NULL;
        size_t cap = 0;
        const ssize_t n = getline(&line, &cap, vec_last(&r.scripts).file);
        if (n >= 0) {
            while (n && strlen(line) && strchr("\r\n", line[strlen(line) - 1])) line[strlen(line) - 1] = 0;
            fprintf(output(), "%s%s\n", with, line); // as if it had been typed
            fflush(output());
            return line;
        }
        free(line);
        struct script s = vec_pop(&r.scripts);
        fclose(s.file);
        free(s.name);
    }
    if (r.batch) return NULL;
    if (r.interactive) {
        char *line = readline(with);
        if (line && !is_blank(line)) add_history(line);
        if (!line) fprintf(output(), "quit\n");
        return line;
    }
    char *line = NULL; // a pipe: read as it is, with the prompt
    size_t cap = 0;
    fputs(with, output());
    fflush(output());
    const ssize_t n = getline(&line, &cap, stdin);
    if (n < 0) {
        free(line);
        fprintf(output(), "quit\n");
        return NULL;
    }
    if (n && line[n - 1] == '\n') line[n - 1] = 0;
    fprintf(output(), "%s\n", line);
    return line;
}

static char *next_line(bool *from_breakpoint)
{
    *from_breakpoint = r.pending.len > 0;
    if (!r.pending.len) return read_line(prompt);
    char *line = r.pending.data[0];
    memmove(r.pending.data, r.pending.data + 1, --r.pending.len * sizeof *r.pending.data);
    return line;
}

// ---- completion
static json_t *targets;

static char *complete_next(const char *word, int state)
{
    static size_t at;
    if (!state) at = 0;
    while (at < json_array_size(targets)) {
        const char *label = json_string_value(json_object_get(json_array_get(targets, at++), "label"));
        if (label && !strncmp(label, word, strlen(word))) return strdup(label);
    }
    return NULL;
}

static char **complete(const char *word, int start, int end)
{
    rl_attempted_completion_over = 1;
    if (!r.connected || r.running) return NULL;
    char *line = strndup(rl_line_buffer, (size_t)end);
    json_t *m = answer_to(dap_request(&r.agent, "completions", json_pack("{s:s, s:i}", "text", line, "column", end + 1)));
    free(line);
    json_decref(targets);
    targets = json_incref(json_object_get(json_object_get(m, "body"), "targets"));
    json_decref(m);
    char **list = rl_completion_matches(word, complete_next);
    const size_t n = list && list[0] ? strlen(list[0]) : 0;
    rl_completion_append_character = n && strchr("(:", list[0][n - 1]) ? 0 : ' ';
    return list;
}

static void prepare_terminal(void)
{
    rl_readline_name = "cldbg";
    rl_attempted_completion_function = complete;
    rl_completer_word_break_characters = (char *)" \t\n()[]{}*&!,=<>+-/|^~?;";
    rl_catch_signals = 0; // Ctrl-C: fresh_line
    using_history();
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    struct str s = {0};
    if (getenv("CLDBG_HISTFILE")) str_put(&s, getenv("CLDBG_HISTFILE"));
    else if (state && *state == '/') str_printf(&s, "%s/cldbg_history", state);
    else if (home) str_printf(&s, "%s/.cldbg_history", home);
    r.history = s.len ? str_take(&s) : NULL;
    if (r.history) read_history(r.history);
    stifle_history(1000);
}

/** Readline's own way of Ctrl-C at the prompt: a fresh line. */
static int fresh_line(void)
{
    if (!interrupted) return 0;
    interrupted = 0;
    fprintf(rl_outstream, "Quit\n");
    rl_replace_line("", 0);
    rl_on_new_line();
    rl_forced_update_display();
    return 0;
}

// ---- the child
static struct err *start_child(char **argv)
{
    setenv("CLDBG_DEBUG", r.listener.path, 1);
    r.child = fork();
    if (r.child < 0) return err_new("no new process: %m");
    if (!r.child) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        signal(SIGINT, SIG_IGN); // Ctrl-C is for the debugger
        if (r.batch || (r.interactive && !r.terminal)) { // the terminal, or the script, is ours to read
            const int null = open("/dev/null", O_RDONLY);
            if (null >= 0 && !r.interactive) dup2(null, STDIN_FILENO);
        }
        execv("/proc/self/exe", argv);
        cmd_say("the command cannot be started again: %m");
        _exit(CMD_FAILED);
    }
    unsetenv("CLDBG_DEBUG");
    return NULL;
}

static void say_end(void)
{
    struct str s = {0};
    if (WIFSIGNALED(r.status)) str_printf(&s, "[The program was ended by signal %d (%s)]\n", WTERMSIG(r.status), strsignal(WTERMSIG(r.status)));
    else if (WEXITSTATUS(r.status)) str_printf(&s, "[The program ended with exit status %d]\n", WEXITSTATUS(r.status));
    else str_put(&s, "[The program ended normally]\n");
    show(str_text(&s));
    str_deinit(&s);
}

static int converse(void)
{
    bool go_on = true, quit = false;
    while (go_on) {
        if (!wait_for_agent()) break;
        bool from_breakpoint;
        char *line = next_line(&from_breakpoint);
        if (!line) {
            quit = true;
            break;
        }
        const bool repeat = is_blank(line) && !from_breakpoint && !r.scripts.len && r.last;
        if (repeat) go_on = execute(r.last);
        else if (!is_blank(line)) go_on = execute(line);
        quit = !go_on;
        free(line);
    }
    if (quit) end_program();
    look_after_child(true);
    if (!quit) say_end();
    // In a script's hands the program's end is what counts; who quits has seen enough.
    return quit ? CMD_OK : WIFSIGNALED(r.status) ? 128 + WTERMSIG(r.status) : WEXITSTATUS(r.status);
}

/** Takes -i, --batch and -x FILE out of the arguments; what is left is the child's. */
static struct err *take_options(int argc, char **argv, char **rest)
{
    VEC(const char *) files = {0};
    int n = 0;
    struct err *e = NULL;
    rest[n++] = argv[0];
    int i = 1;
    for (; i < argc && !e; i++) {
        const char *a = argv[i];
        if (!strcmp(a, "-i")) continue;
        if (!strcmp(a, "--batch")) {
            r.batch = true;
        } else if (!strcmp(a, "-x")) {
            if (++i == argc) e = err_new("-x: which file?");
            else vec_push(&files, argv[i]);
        } else if (a[0] == '-' && a[1]) {
            rest[n++] = argv[i]; // an option
            if (!strcmp(a, "--native")) e = err_new("-i and --native do not go together: machine code is not stepped");
            if (!strcmp(a, "--")) {
                i++;
                break;
            }
        } else {
            if (strcmp(a, "run")) break;
            rest[n++] = argv[i]; // options follow
            if (n > 2 && strcmp(rest[1], "run")) e = err_new("options of `cldbg run` stand behind `run`");
        }
    }
    for (; i < argc && !e; i++) rest[n++] = argv[i];
    rest[n] = NULL;
    for (size_t k = files.len; k-- > 0 && !e;) {
        FILE *f = fopen(files.data[k], "re");
        if (!f) e = err_new("%s: %m", files.data[k]);
        else vec_push(&r.scripts, ((struct script){f, mem_strdup(files.data[k])}));
    }
    if (!e && n == 1) e = err_new("no app is named; `cldbg --help` shows how");
    vec_free(&files);
    return e;
}

int cmd_debug(int argc, char **argv)
{
    char **rest = mem_alloc((size_t)(argc + 2) * sizeof *rest);
    r.confirm = r.paginate = true;
    r.agent.in = r.agent.out = -1;
    r.listener.fd = -1;
    struct err *e = take_options(argc, argv, rest);
    if (!e && !r.batch) {
        r.interactive = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
        if (!r.interactive && !r.scripts.len && !isatty(STDIN_FILENO) && isatty(STDERR_FILENO)) { // the app's input is redirected
            r.terminal = fopen("/dev/tty", "r+e");
            if (r.terminal) {
                setvbuf(r.terminal, NULL, _IONBF, 0);
                rl_instream = rl_outstream = r.terminal;
                r.interactive = true;
            }
        }
    }
    if (!e) e = dap_listen(&r.listener);
    if (!e) {
        sigaction(SIGINT, &(struct sigaction){.sa_handler = on_interrupt}, NULL);
        signal(SIGPIPE, SIG_IGN);
        if (r.interactive) prepare_terminal();
        rl_event_hook = rl_signal_event_hook = fresh_line; // the first: a signal that comes just before the read
        e = start_child(rest);
    }
    int status = e ? 0 : converse();
    if (r.history) write_history(r.history);
    dap_listener_close(&r.listener);
    dap_close(&r.agent);
    free(rest);
    return e ? cmd_fail(CMD_FAILED, e) : status;
}
