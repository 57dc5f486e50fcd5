// SPDX-License-Identifier: MIT
// The agent: a thread of the app's process that reads requests from the socket.
//
// If the client disconnects, the app continues without a debugger.
#include "debug/adapter/agent.h"

#include "base/own_thread.h"
#include "base/env.h"
#include "base/local_socket.h"
#include "base/mem.h"
#include "debug/adapter/channel.h"
#include "debug/adapter/dap_request.h"
#include "debug/breakpoints/breakpoint.h"
#include "debug/history/unrecorded_launch.h"
#include "debug/session/goal.h"
#include "debug/session/programs.h"
#include "debug/session/session.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static bool let_go; // the app may run
enum { MAX_MESSAGE = 16 << 20 };

struct input {
    char data[1 << 16];
    size_t at, len;
};

static int get_char(struct input *in)
{
    if (in->at == in->len) {
        ssize_t n;
        while ((n = read(dbg_channel, in->data, sizeof in->data)) < 0 && errno == EINTR) {}
        if (n <= 0) return -1;
        in->at = 0;
        in->len = (size_t)n;
    }
    return (unsigned char)in->data[in->at++];
}

/** The length in a message's header; 0: no length; -1: end of input. */
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

void dbg_agent_lock(void)
{
    atomic_fetch_add(&dbg.lock_wanted, 1);
    pthread_mutex_lock(&dbg.lock);
    atomic_fetch_sub(&dbg.lock_wanted, 1);
}

void dbg_agent_unlock(void) { pthread_mutex_unlock(&dbg.lock); }

static void complain(const char *what)
{
    dbg_agent_lock();
    struct str s = {0};
    str_printf(&s, "cldbg: a message that cannot be understood (%s) was left out\n", what);
    dbg_send_output(str_text(&s));
    str_deinit(&s);
    dbg_agent_unlock();
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
        dbg_agent_lock();
        const uint64_t changes = dbg_breaks.changes;
        dbg_dap_request(request);
        dbg_dap_progress_begins();
        if (dbg_breaks.changes != changes) dbg_unrecorded_cut();
        if (dbg.resume || dbg.ended) {
            if (dbg.state == DBG_BEGINNING) dbg.state = DBG_HOST, let_go = true;
            if (dbg.state == DBG_STOPPED)
                dbg.state = DBG_RUNNING; // for the next request, although the launching thread has
                                         // not woken up yet
            pthread_cond_broadcast(&dbg.resumed);
        }
        dbg_agent_unlock();
    }
    json_decref(request);
}

static void client_is_gone(void)
{
    dbg_agent_lock();
    const bool was_stopped = dbg.state == DBG_STOPPED || dbg.state == DBG_BEGINNING;
    dbg.detached = dbg.ended = let_go = true;
    while (dbg_breaks.list.len) dbg_break_remove(vec_last(&dbg_breaks.list));
    dbg_goal.kind = DBG_GO;
    atomic_store(&dbg.interrupt, 0);
    if (was_stopped && !dbg_client.idle && !dbg_client.said_goodbye)
        fprintf(stderr, "cldbg: the debugger disconnected; the program continues without it\n");
    pthread_cond_broadcast(&dbg.resumed);
    dbg_agent_unlock();
}

static void *serve(void *unused)
{
    struct input *in = mem_alloc(sizeof *in);
    struct str body = {0};
    while (!dbg.ended) {
        const long long n = read_head(in);
        if (n < 0) break;
        if (!n || n > MAX_MESSAGE) {
            complain("its header has no valid Content-Length");
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
static void in_child(void) // after fork: no thread; the socket belongs to the parent
{
    if (dbg_channel >= 0) close(dbg_channel);
    dbg_channel = -1;
    dbg.detached = true;
    dbg.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

void dbg_agent_connect(void)
{
    dbg_channel = local_socket_connect(env_get("CLDBG_DEBUG"));
    if (dbg_channel < 0) {
        dbg.detached =
            true; // it serves another process or has ended; its name may belong to another user now
        return;
    }
    dbg_programs.sources = rep_sources_create();
    dbg_events = dbg_adapter_events;
    dbg.connected = true;
    dbg.state = DBG_BEGINNING;
    const bool serves = own_thread_start(serve, NULL, 0);
    pthread_atfork(NULL, NULL, in_child);
    if (!serves) {
        dbg.connected = false;
        return;
    }
    pthread_mutex_lock(&dbg.lock);
    while (!let_go) pthread_cond_wait(&dbg.resumed, &dbg.lock);
    pthread_mutex_unlock(&dbg.lock);
}
