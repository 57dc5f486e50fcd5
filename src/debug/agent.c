// SPDX-License-Identifier: MIT
// The agent: a thread of the app's process that reads requests from the socket, and the events that
// go out.
//
// The launching thread holds the lock while a kernel runs. Who wants it knocks; that thread looks
// for it between two instructions. A client that goes away leaves the app running, undebugged: it
// is the user's program.
#include "debug/dap.h"
#include "debug/dap_request.h"

#include "base/env.h"
#include "base/local_socket.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int channel = -1;
static bool let_go; // the app may run
enum { MAX_MESSAGE = 16 << 20 };

bool dbg_wanted(void)
{
    const char *name = env_get("CLDBG_DEBUG");
    return name && *name;
}

// ---- out
static bool write_all(const char *data, size_t n)
{
    while (n) {
        const ssize_t k = send(channel, data, n, MSG_NOSIGNAL);
        if (k < 0 && errno == EINTR) continue;
        if (k <= 0) return false;
        data += k;
        n -= (size_t)k;
    }
    return true;
}

void dbg_send(json_t *message)
{
    static long long seq;
    json_object_set_new(message, "seq", json_integer(++seq));
    char *text = json_dumps(message, JSON_COMPACT);
    json_decref(message);
    if (!text) return; // a string that is no UTF-8
    char head[64];
    snprintf(head, sizeof head, "Content-Length: %zu\r\n\r\n", strlen(text));
    if (channel >= 0 && (!write_all(head, strlen(head)) || !write_all(text, strlen(text))))
        dbg.ended = true;
    free(text);
}

static void send_event(const char *name, json_t *body)
{
    json_t *m = json_object();
    json_object_set_new(m, "type", json_string("event"));
    json_object_set_new(m, "event", json_string(name));
    if (body) json_object_set_new(m, "body", body);
    dbg_send(m);
}

void dbg_send_output(const char *text)
{
    json_t *body = json_object();
    json_object_set_new(body, "category", json_string("console"));
    json_object_set_new(body, "output", dbg_dap_text(text));
    send_event("output", body);
}

void dbg_send_continued(void)
{
    json_t *body = json_object();
    json_object_set_new(body, "threadId", json_integer(dbg.focus + 1));
    json_object_set_new(body, "allThreadsContinued", json_true());
    send_event("continued", body);
}

void dbg_send_stopped(const char *reason, const char *description, const char *text,
                      unsigned number)
{
    json_t *body = json_object(), *own = json_object();
    dbg_dap_forget();
    json_object_set_new(body, "reason", json_string(reason));
    if (description) json_object_set_new(body, "description", json_string(description));
    json_object_set_new(body, "threadId", json_integer(dbg.focus + 1));
    json_object_set_new(body, "allThreadsStopped", json_true());
    if (!strcmp(reason, "exception")) json_object_set_new(body, "text", dbg_dap_text(text));
    if (number) json_object_set_new(body, "hitBreakpointIds", json_pack("[i]", (int)number));
    struct str all = {0};
    str_put(&all, text);
    dbg_stop_extras(&all);
    json_object_set_new(own, "text", dbg_dap_text(str_text(&all)));
    str_deinit(&all);
    const struct dbg_break *b = number ? dbg_break_find(number) : NULL;
    if (b && b->commands.len) {
        json_t *list = json_array();
        for (size_t i = 0; i < b->commands.len; i++)
            json_array_append_new(list, dbg_dap_text(b->commands.data[i]));
        json_object_set_new(own, "commands", list);
    }
    if (dbg.waits_for_run) json_object_set_new(own, "carried", dbg_carry_out());
    json_object_set_new(body, "cldbg", own);
    send_event("stopped", body);
}

void dbg_send_carried(void)
{
    if (dbg.waits_for_run) send_event("carried", json_pack("{s:o}", "carried", dbg_carry_out()));
}

// ---- in
struct input {
    char data[1 << 16];
    size_t at, len;
};

static int get_char(struct input *in)
{
    if (in->at == in->len) {
        ssize_t n;
        while ((n = read(channel, in->data, sizeof in->data)) < 0 && errno == EINTR) {}
        if (n <= 0) return -1;
        in->at = 0;
        in->len = (size_t)n;
    }
    return (unsigned char)in->data[in->at++];
}

/** The length that a message's head says; 0: a head without; -1: the end. */
static long long read_head(struct input *in)
{
    char line[256];
    size_t n = 0;
    long long length = 0;
    for (bool any = false;;) {
        const int c = get_char(in);
        if (c < 0) return -1;
        if (c == '\n') {
            if (n && line[n - 1] == '\r') n--;
            line[n] = 0;
            if (!n && any) return length;
            any |= n > 0;
            if (!strncasecmp(line, "Content-Length:", 15)) length = strtoll(line + 15, NULL, 10);
            n = 0;
        } else if (n + 1 < sizeof line) {
            line[n++] = (char)c;
        }
    }
}

static void take(void)
{
    atomic_fetch_add(&dbg.knock, 1);
    pthread_mutex_lock(&dbg.lock);
    atomic_fetch_sub(&dbg.knock, 1);
}

static void complain(const char *what)
{
    take();
    struct str s = {0};
    str_printf(&s, "cldbg: a message that cannot be understood (%s) was left out\n", what);
    dbg_send_output(str_text(&s));
    str_deinit(&s);
    pthread_mutex_unlock(&dbg.lock);
}

static void serve_one(const char *text, size_t n)
{
    json_error_t error;
    json_t *request = json_loadb(text, n, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &error);
    if (!json_is_object(request)) {
        complain(request ? "no object" : error.text);
        json_decref(request);
        return;
    }
    const char *type = json_string_value(json_object_get(request, "type"));
    if (!type || strcmp(type, "request")) {
        complain("no request");
    } else {
        take();
        dbg_dap_request(request);
        if (dbg.resume || dbg.ended) {
            if (dbg.state == DBG_BEGINNING) dbg.state = DBG_HOST, let_go = true;
            if (dbg.state == DBG_STOPPED)
                dbg.state = DBG_RUNNING; // for the next request, though the launching thread has
                                         // yet to wake
            pthread_cond_broadcast(&dbg.resumed);
        }
        pthread_mutex_unlock(&dbg.lock);
    }
    json_decref(request);
}

static void client_is_gone(void)
{
    take();
    const bool was_stopped = dbg.state == DBG_STOPPED || dbg.state == DBG_BEGINNING;
    dbg.undebugged = dbg.ended = let_go = true;
    while (dbg.breaks.len) dbg_break_remove(vec_last(&dbg.breaks));
    dbg.goal.kind = DBG_GO;
    atomic_store(&dbg.interrupt, 0);
    if (was_stopped && !dbg.idle && !dbg.said_goodbye)
        fprintf(stderr, "cldbg: the debugger's client is gone; the program goes on without it\n");
    pthread_cond_broadcast(&dbg.resumed);
    pthread_mutex_unlock(&dbg.lock);
}

static void *serve(void *unused)
{
    struct input *in = mem_alloc(sizeof *in);
    struct str body = {0};
    while (!dbg.ended) {
        const long long n = read_head(in);
        if (n < 0) break;
        if (!n || n > MAX_MESSAGE) {
            complain("its head says no length");
            if (n > MAX_MESSAGE) break;
            continue;
        }
        str_clear(&body);
        int c = 0;
        for (long long i = 0; i < n && (c = get_char(in)) >= 0; i++) str_put_char(&body, (char)c);
        if (c < 0) break;
        serve_one(body.data, body.len);
    }
    client_is_gone();
    str_deinit(&body);
    free(in);
    return NULL;
}

// ---- beginning
static void in_child(void) // of fork: the thread is not there, and the socket is the parent's
{
    if (channel >= 0) close(channel);
    channel = -1;
    dbg.undebugged = true;
    dbg.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

static void connect_to_client(void)
{
    channel = local_socket_connect(env_get("CLDBG_DEBUG"));
    if (channel < 0) {
        dbg.undebugged =
            true; // it listens to another process, or is gone; another user may have its name now
        return;
    }
    dbg.sources = rep_sources_create();
    dbg.connected = true;
    dbg.state = DBG_BEGINNING;
    pthread_t t;
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old); // the app's signals are for its own threads
    const int failed = pthread_create(&t, &attr, serve, NULL);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    pthread_attr_destroy(&attr);
    pthread_atfork(NULL, NULL, in_child);
    if (failed) {
        dbg.connected = false;
        return;
    }
    pthread_mutex_lock(&dbg.lock);
    while (!let_go) pthread_cond_wait(&dbg.resumed, &dbg.lock);
    pthread_mutex_unlock(&dbg.lock);
}

void dbg_start(void (*leave)(void))
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (!dbg_wanted()) return;
    dbg.leave = leave;
    pthread_once(&once, connect_to_client);
}

void dbg_module_added(const struct bc_module *m, const char *options)
{
    if (!dbg.connected || !m) return;
    take();
    vec_push(&dbg.modules, ((struct dbg_module){m, dbg_types_of(m, &dbg.arena),
                                                arena_strdup(&dbg.arena, options ? options : "")}));
    dbg_break_module_added(m);
    pthread_mutex_unlock(&dbg.lock);
}

void dbg_module_removed(const struct bc_module *m)
{
    if (!dbg.connected || !m) return;
    take();
    size_t kept = 0;
    for (size_t i = 0; i < dbg.modules.len; i++)
        if (dbg.modules.data[i].m != m) dbg.modules.data[kept++] = dbg.modules.data[i];
    dbg.modules.len = kept;
    dbg_break_module_removed(m);
    if (dbg.list_module == m) dbg.list_module = NULL, dbg.list_line = 0;
    pthread_mutex_unlock(&dbg.lock);
}
