// SPDX-License-Identifier: MIT
// Commands in and JSON events out, for programs that drive the debugger.
//
// A command is answered when it has been executed or has resumed the kernel. Commands that arrive
// while the program runs wait for its stop or end; an interrupt does not wait. Before a message of
// the agent is handled, the output that the app wrote earlier is passed on, so that the order of
// events is that of the app.
#include "cli/repl_json.h"

#include "base/mem.h"
#include "base/str.h"
#include "base/vec.h"
#include "cli/cmd.h"
#include "cli/json_lines.h"
#include "cli/repl.h"
#include "report/document.h"
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { INTERFACE = 1 }; // incremented for incompatible changes

static struct {
    bool open, is_object, failed;
    bool cut; // its block has no `end`
    json_t *id, *value;
    struct str out;
    char *why;
} command;

/** Output of a process, of which an incomplete character at the end waits for its rest. */
struct stream {
    int fd;
    const char *category; // NULL: it belongs to the open command
    char kept[4];
    size_t nkept;
};
static struct stream streams[] = {
    {-1, "stdout", {0}, 0}, {-1, "stderr", {0}, 0}, {-1, NULL, {0}, 0}};
enum { APP_OUT, APP_ERR, SHELL, STREAMS };
static int ends[2] = {-1, -1}; // that the app writes to
static pid_t shell;            // 0: none runs

static json_t *text_of(const char *text, size_t n) { return rep_json_text(text, n); }

static void put(json_t *object)
{
    if (json_lines_put(object)) return;
    if (repl.child > 0 && !repl.child_done) kill(repl.child, SIGTERM);
    exit(CMD_FAILED); // the client has ended
}

void repl_json_begin(void)
{
    const int out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    json_lines_open(STDIN_FILENO, out);
}

// ---- answers
static json_t *answer(const char *type, json_t *id)
{
    return json_pack("{s:s, s:O}", "type", type, "id", id ? id : json_null());
}

static void put_error(json_t *id, const char *why)
{
    json_t *m = answer("error", id);
    json_object_set_new(m, "output", json_string(""));
    json_object_set_new(m, "message", text_of(why, strlen(why)));
    put(m);
}

void repl_json_refuse(const char *why) { put_error(NULL, why); }

static void forget_request(struct json_request *r)
{
    json_decref(r->id);
    free(r->text);
}

/** Without an error's own text, its output is the message. */
static void put_failure(json_t *m)
{
    const char *why = command.why ? command.why : str_text(&command.out);
    size_t n = strlen(why);
    while (n && why[n - 1] == '\n') n--;
    const bool both = command.why && command.out.len;
    json_object_set_new(m, "output", text_of(str_text(&command.out), both ? command.out.len : 0));
    json_object_set_new(m, "message", text_of(why, n));
}

static void close_command(bool running)
{
    if (!command.open) return;
    json_t *m = answer(command.failed ? "error" : "done", command.id);
    if (command.failed) put_failure(m);
    else json_object_set_new(m, "output", text_of(str_text(&command.out), command.out.len));
    if (command.value && !command.failed) json_object_set(m, "value", command.value);
    if (running) json_object_set_new(m, "running", json_true());
    json_decref(command.value);
    json_decref(command.id);
    free(command.why);
    command.value = command.id = NULL;
    command.why = NULL;
    command.open = command.failed = false;
    str_clear(&command.out);
    put(m);
}

void repl_json_show(const char *text)
{
    if (command.open) str_put(&command.out, text);
    else if (*text)
        put(json_pack("{s:s, s:s, s:o}", "type", "output", "category", "console", "output",
                      text_of(text, strlen(text))));
}

void repl_json_fail(const char *why)
{
    if (!command.open) {
        repl_json_show(why);
        repl_json_show("\n");
    } else if (!command.why) {
        command.why = mem_strdup(why);
    }
}

void repl_json_value(json_t *value)
{
    json_decref(command.value);
    command.value = command.open ? json_incref(value) : NULL;
}

void repl_json_executed(void) { command.failed |= repl.failed; }

void repl_json_running(bool asks)
{
    if (asks) return;
    close_command(true);
    put(json_pack("{s:s}", "type", "running"));
}

// ---- requests
/** Is something executed that an interrupt stops? */
static bool is_busy(void)
{
    return shell > 0 || (repl.running && repl.connected) ||
           (repl.child > 0 && !repl.child_done && !repl.connected);
}

static void interrupt_if_asked(void)
{
    struct json_request r;
    while (is_busy() && (r = json_lines_take_interrupt()).kind != JSON_NONE) {
        json_t *m = answer("done", r.id);
        json_object_set_new(m, "output",
                            json_string(repl.connected || shell > 0
                                            ? ""
                                            : "The program has not used OpenCL yet; another "
                                              "interrupt ends it.\n"));
        put(m);
        forget_request(&r);
        if (shell > 0) kill(-shell, SIGINT);
        else repl_interrupted = 1;
        if (!repl.connected) return; // the next one ends it
    }
}

/** The lines of a command: the first one, and the others as commands that wait. */
static char *first_line(char *text)
{
    char *rest = strchr(text, '\n');
    if (!rest) return text;
    VEC(char *) others = {0};
    while (rest) {
        *rest++ = 0;
        vec_push(&others, rest);
        rest = strchr(rest, '\n');
    }
    for (size_t i = others.len; i-- > 0;) repl_do_first(others.data[i]);
    vec_free(&others);
    return text;
}

static char *open_command(struct json_request r)
{
    command.open = true;
    command.is_object = r.kind == JSON_COMMAND;
    command.id = r.id;
    return first_line(r.text);
}

/** The next line of an open block; NULL: another request comes, or the end. */
static char *block_line(void)
{
    if (!command.is_object && json_lines_next() == JSON_LINE) return json_lines_take().text;
    command.cut = true;
    return NULL;
}

char *repl_json_next_line(bool continues)
{
    if (!continues) close_command(false);
    for (;;) {
        while (json_lines_next() == JSON_NONE && !json_lines_ended() &&
               !(continues && command.is_object))
            repl_json_poll(NULL, 0, -1);
        if (json_lines_next() == JSON_INTERRUPT) {
            struct json_request r = json_lines_take();
            put_error(r.id, "Nothing is running.");
            forget_request(&r);
        } else if (continues) {
            return block_line();
        } else if (json_lines_next() == JSON_NONE) {
            return NULL;
        } else if (json_lines_next() == JSON_BAD) {
            struct json_request r = json_lines_take();
            put_error(r.id, r.text);
            forget_request(&r);
        } else {
            return open_command(json_lines_take());
        }
    }
}

bool repl_json_block_is_cut(void)
{
    const bool is = repl.json && command.cut;
    command.cut = false;
    if (is) repl_json_fail("The block has no `end`."), repl.failed = true;
    return is;
}

void repl_json_close(void) { close_command(false); }

void repl_json_end(void)
{
    while (json_lines_next() != JSON_NONE) {
        struct json_request r = json_lines_take();
        put_error(r.id, r.kind == JSON_BAD ? r.text : "The debugger has ended.");
        forget_request(&r);
    }
}

// ---- events
static void put_event(const char *type, const json_t *members)
{
    json_t *m = json_pack("{s:s}", "type", type);
    json_object_update(m, (json_t *)members);
    put(m);
}

void repl_json_event(const char *name, const json_t *body)
{
    if (!strcmp(name, "finding") || !strcmp(name, "launch")) put_event(name, body);
}

void repl_json_stopped(const json_t *body)
{
    json_t *own = json_object_get(body, "cldbg");
    if (json_is_true(json_object_get(body, "preserveFocusHint"))) { // it answered a question
        if (json_object_get(own, "value")) repl_json_value(json_object_get(own, "value"));
        return;
    }
    json_t *m = json_object();
    json_object_set(m, "reason", json_object_get(body, "reason"));
    json_object_update(m, own);
    json_object_del(m, "commands");
    json_object_del(m, "savedSession");
    json_t *hit = json_array_get(json_object_get(body, "hitBreakpointIds"), 0);
    if (hit) json_object_set(m, "breakpoint", hit);
    put_event("stopped", m);
    json_decref(m);
}

void repl_json_started(void)
{
    put(json_pack("{s:s, s:i, s:s, s:i}", "type", "started", "interface", INTERFACE, "version",
                  PACKAGE_VERSION, "pid", (int)repl.child));
}

static void flush_stream(struct stream *s);

void repl_json_ended(void)
{
    const bool signaled = WIFSIGNALED(repl.status);
    repl_json_drain();
    flush_stream(&streams[APP_OUT]);
    flush_stream(&streams[APP_ERR]);
    json_t *m = json_pack("{s:s, s:i, s:b}", "type", "ended", "status",
                          signaled ? 128 + WTERMSIG(repl.status) : WEXITSTATUS(repl.status),
                          "killed", repl.killed);
    if (signaled) json_object_set_new(m, "signal", json_integer(WTERMSIG(repl.status)));
    put(m);
}

// ---- the output of processes
bool repl_json_pipes(void)
{
    for (int i = APP_OUT; i <= APP_ERR; i++) {
        int p[2];
        if (streams[i].fd >= 0) close(streams[i].fd);
        if (ends[i] >= 0) close(ends[i]);
        streams[i].fd = ends[i] = -1;
        if (pipe2(p, O_CLOEXEC)) return false;
        streams[i].fd = p[0];
        ends[i] = p[1];
        fcntl(p[0], F_SETFL, O_NONBLOCK);
    }
    return true;
}

void repl_json_redirect(void)
{
    dup2(ends[APP_OUT], STDOUT_FILENO);
    dup2(ends[APP_ERR], STDERR_FILENO);
}

void repl_json_read_from(void)
{
    for (int i = APP_OUT; i <= APP_ERR; i++) close(ends[i]), ends[i] = -1;
}

/** The bytes at the end that begin a character of UTF-8 without completing it. */
static size_t incomplete(const char *text, size_t n)
{
    for (size_t k = 1; k <= 3 && k <= n; k++) {
        const unsigned char c = (unsigned char)text[n - k];
        if ((c & 0xc0) == 0x80) continue;
        return k < (size_t)(c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 1) ? k : 0;
    }
    return 0;
}

/** Bytes that are not UTF-8 are replaced in the text; then `hex` has all bytes. */
static void pass_on(const char *category, const char *text, size_t n)
{
    static const char digits[] = "0123456789abcdef";
    json_t *valid = json_stringn(text, n);
    if (!category) {
        json_t *t = text_of(text, n);
        repl_json_show(json_string_value(t));
        json_decref(t);
    } else {
        json_t *m = json_pack("{s:s, s:s, s:o}", "type", "output", "category", category, "output",
                              text_of(text, n));
        struct str hex = {0};
        for (size_t i = 0; i < n && !valid; i++) {
            str_put_char(&hex, digits[(unsigned char)text[i] >> 4]);
            str_put_char(&hex, digits[text[i] & 15]);
        }
        if (!valid) json_object_set_new(m, "hex", json_string(str_text(&hex)));
        str_deinit(&hex);
        put(m);
    }
    json_decref(valid);
}

static void flush_stream(struct stream *s)
{
    if (s->nkept) pass_on(s->category, s->kept, s->nkept);
    s->nkept = 0;
}

/** false: nothing is available. */
static bool read_stream(struct stream *s)
{
    char data[sizeof s->kept + (1 << 14)];
    if (s->fd < 0) return false;
    memcpy(data, s->kept, s->nkept);
    const ssize_t n = read(s->fd, data + s->nkept, sizeof data - s->nkept);
    if (n < 0) return errno == EINTR;
    if (!n) {
        flush_stream(s);
        close(s->fd);
        s->fd = -1;
        return false;
    }
    const size_t all = s->nkept + (size_t)n;
    s->nkept = incomplete(data, all);
    memcpy(s->kept, data + all - s->nkept, s->nkept);
    if (all > s->nkept) pass_on(s->category, data, all - s->nkept);
    return true;
}

void repl_json_drain(void)
{
    while (read_stream(&streams[APP_OUT])) {}
    while (read_stream(&streams[APP_ERR])) {}
}

int repl_json_poll(struct pollfd *p, nfds_t n, int timeout)
{
    enum { OWN = STREAMS + 2, MOST = OWN + 2 };
    struct pollfd all[MOST];
    interrupt_if_asked(); // by a request that was read before
    if (repl_interrupted) timeout = 0;
    for (int i = 0; i < STREAMS; i++)
        all[i] = (struct pollfd){.fd = streams[i].fd, .events = POLLIN};
    all[STREAMS] = (struct pollfd){.fd = json_lines_input(), .events = POLLIN};
    all[STREAMS + 1] = (struct pollfd){.fd = json_lines_output()};
    for (nfds_t i = 0; i < n; i++) all[OWN + i] = p[i], p[i].revents = 0;
    const int ready = poll(all, OWN + n, timeout);
    if (ready <= 0) return ready;
    for (int i = 0; i < STREAMS; i++)
        if (all[i].revents) read_stream(&streams[i]);
    if (all[STREAMS].revents) json_lines_read();
    if (all[STREAMS + 1].revents & (POLLERR | POLLHUP)) {
        if (repl.child > 0 && !repl.child_done) kill(repl.child, SIGTERM);
        exit(CMD_FAILED); // the client has ended
    }
    int others = 0;
    for (nfds_t i = 0; i < n; i++) p[i].revents = all[OWN + i].revents, others += p[i].revents != 0;
    interrupt_if_asked();
    return others;
}

int repl_json_shell(const char *line)
{
    int p[2], status = -1;
    if (pipe2(p, O_CLOEXEC)) return -1;
    fcntl(p[0], F_SETFL, O_NONBLOCK);
    shell = fork();
    if (!shell) {
        const int null = open("/dev/null", O_RDONLY);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        setpgid(0, 0);
        dup2(null, STDIN_FILENO);
        dup2(p[1], STDOUT_FILENO);
        dup2(p[1], STDERR_FILENO);
        execl("/bin/sh", "sh", "-c", line, (char *)NULL);
        _exit(CMD_NOT_FOUND);
    }
    close(p[1]);
    streams[SHELL].fd = p[0];
    while (shell > 0 && waitpid(shell, &status, WNOHANG) != shell) repl_json_poll(NULL, 0, 20);
    while (read_stream(&streams[SHELL])) {}
    flush_stream(&streams[SHELL]);
    if (streams[SHELL].fd >= 0) close(streams[SHELL].fd); // a process in the background has it
    streams[SHELL].fd = -1;
    shell = 0;
    return status;
}
