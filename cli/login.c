// SPDX-License-Identifier: MIT
// An editor logs in. On the Unix socket the kernel says whose process connected (SO_PEERCRED); on a
// port, where every user of the machine and every page in a browser can connect, the `attach`
// request must have the token of 128 random bits that cldbg printed.
//
// Until then a connection is a visitor. Visitors are served by one poll loop without blocking, so
// that a slow one does not delay the others. A visitor is disconnected at once if its data does not
// begin with a message of the protocol (HTTP, for example), if a message is above 64 KiB, if it
// does not read its answers, and if its token is wrong. There are 16 places; a place is given to
// the next visitor after a second at the earliest, also if the last one was disconnected: that
// bounds guesses to 16 a second, and gives an editor a second to log in when there are many
// visitors. Of a visitor's requests only `initialize`, `attach`, `launch` and `disconnect` are
// processed.
#include "cli/login.h"

#include "base/mem.h"
#include "base/str.h"
#include "base/temp_folder.h"
#include "cli/cmd.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PLACES = 16, KEEP_MS = 1000, MAX_BEFORE_LOGIN = 1 << 16, MOST_REPORTED = 5 };

struct visitor {
    struct dap_stream s;
    bool is_there;
    int64_t since;  // ms; 0: the place is free at once
    json_t *client; // the arguments of its `initialize`, or NULL
};
static struct {
    int fd; // listens
    bool has_token;
    char token[LOCAL_SOCKET_SECRET];
    struct visitor visitors[PLACES];
    unsigned reported;
    struct temp_folder folder;
    char *path; // of the Unix socket; NULL: none
} login;

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

// ---- files to remove, also when a signal ends cldbg
static const int ends[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
enum { ENDS = sizeof ends / sizeof *ends };
static struct sigaction before[ENDS];

static void on_end(int sig)
{
    unlink(login.path);
    if (login.folder.path) rmdir(login.folder.path);
    signal(sig, SIG_DFL);
    raise(sig);
}

static void close_door(void)
{
    if (login.fd >= 0) close(login.fd);
    if (!login.path) return;
    unlink(login.path);
    temp_folder_destroy(&login.folder);
    for (int i = 0; i < ENDS; i++) sigaction(ends[i], &before[i], NULL);
    free(login.path);
    login.path = NULL;
}

// ---- visitors
static void let_go(struct visitor *v)
{
    dap_close(&v->s);
    json_decref(v->client);
    v->client = NULL;
    v->is_there = false;
}

/** The place stays taken until its second is over. */
static void turn_away(struct visitor *v, const char *why)
{
    let_go(v);
    if (login.reported++ < MOST_REPORTED) cmd_say("a connection was closed: %s", why);
}

static struct visitor *free_place(int64_t now)
{
    struct visitor *best = NULL;
    for (int i = 0; i < PLACES; i++) {
        struct visitor *v = &login.visitors[i];
        if (v->since && now - v->since < KEEP_MS) continue;
        if (!best || v->is_there < best->is_there ||
            (v->is_there == best->is_there && v->since < best->since))
            best = v;
    }
    return best;
}

static void receive(struct visitor *v, int64_t now)
{
    const int fd = login.has_token ? accept4(login.fd, NULL, NULL, SOCK_CLOEXEC)
                                   : local_socket_accept(login.fd);
    if (fd < 0) {
        if (!v->is_there) v->since = now;
        if (errno == EPERM && login.reported++ < MOST_REPORTED)
            cmd_say("a connection was closed: it came from another user");
        return;
    }
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    if (v->is_there) let_go(v);
    dap_open(&v->s, fd, fd);
    v->s.max = MAX_BEFORE_LOGIN;
    v->s.never_waits = true;
    v->is_there = true;
    v->since = now;
}

/** In constant time, so that the time does not show how many characters are right. */
static bool has_token(const json_t *request)
{
    const json_t *t = json_object_get(json_object_get(request, "arguments"), "token");
    unsigned char differs = 0;
    if (!login.has_token) return true;
    if (json_string_length(t) != strlen(login.token)) return false;
    for (size_t i = 0; i < strlen(login.token); i++)
        differs |= (unsigned char)(json_string_value(t)[i] ^ login.token[i]);
    return !differs;
}

static bool begins_as_message(const struct dap_stream *s)
{
    static const char header[] = "Content-";
    const size_t n = s->len < strlen(header) ? s->len : strlen(header);
    return !n || !strncasecmp(s->data, header, n);
}

/** Processes the input from a visitor. Returns the request that logged it in, or NULL. */
static json_t *serve(struct visitor *v)
{
    if (!dap_read(&v->s)) {
        let_go(v);
        v->since = 0;
        return NULL;
    }
    for (bool bad = false;;) {
        json_t *m = begins_as_message(&v->s) ? dap_take(&v->s, &bad) : (bad = true, NULL);
        if (bad) turn_away(v, "its data is not a message of the Debug Adapter Protocol");
        if (bad || !m) {
            json_decref(m);
            return NULL;
        }
        const char *command = json_string_value(json_object_get(m, "command"));
        const bool enters = command && (!strcmp(command, "attach") || !strcmp(command, "launch")),
                   leaves = command && !strcmp(command, "disconnect");
        if (enters && has_token(m)) {
            if (v->client) json_object_set(json_object_get(m, "arguments"), "client", v->client);
            return m;
        }
        if (enters)
            dap_answer(&v->s, m, false,
                       "the \"token\" is missing or wrong; cldbg printed it when it started", NULL);
        else if (command && !strcmp(command, "initialize")) {
            json_decref(v->client);
            v->client = json_incref(json_object_get(m, "arguments"));
            dap_answer(&v->s, m, true, NULL, dap_capabilities());
        } else
            dap_answer(&v->s, m, leaves, leaves ? NULL : "the first request must be `attach`",
                       NULL);
        json_decref(m);
        if (enters) turn_away(v, "the token in its attach request is missing or wrong");
        else if (leaves) let_go(v);
        else if (v->s.broken) turn_away(v, "it does not read what it is answered");
        if (!v->is_there) return NULL;
    }
}

static void handshake(struct dap_stream *editor, json_t **attach)
{
    for (*attach = NULL; !*attach;) {
        const int64_t now = now_ms();
        struct visitor *place = free_place(now);
        struct pollfd p[PLACES + 1] = {{.fd = place ? login.fd : -1, .events = POLLIN}};
        for (int i = 0; i < PLACES; i++)
            p[i + 1] = (struct pollfd){
                .fd = login.visitors[i].is_there ? login.visitors[i].s.in : -1, .events = POLLIN};
        if (poll(p, PLACES + 1, place ? -1 : KEEP_MS / 10) <= 0) continue;
        for (int i = 0; i < PLACES && !*attach; i++) {
            struct visitor *v = &login.visitors[i];
            if (!p[i + 1].revents || !(*attach = serve(v))) continue;
            *editor = v->s;
            json_decref(v->client);
            v->client = NULL;
            v->is_there = false;
        }
        if (p[0].revents && !*attach) receive(place, now);
    }
    for (int i = 0; i < PLACES; i++)
        if (login.visitors[i].is_there) let_go(&login.visitors[i]);
    fcntl(editor->in, F_SETFL, fcntl(editor->in, F_GETFL) & ~O_NONBLOCK);
    struct dap_stream fresh;
    dap_open(&fresh, editor->in, editor->out);
    editor->max = fresh.max;
    editor->never_waits = false;
}

// ---- where it listens
static struct err *listen_on_port(long port)
{
    const int s = login.fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t n = sizeof at;
    setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (s < 0 || bind(s, (const struct sockaddr *)&at, sizeof at) || listen(s, PLACES) ||
        getsockname(s, (struct sockaddr *)&at, &n))
        return err_new("port %ld of this machine: %m", port);
    login.has_token = true;
    if (!local_socket_secret(login.token)) return err_new("no random numbers are available: %m");
    cmd_say("waiting for an editor on port %u; its attach request needs \"token\": \"%s\"",
            ntohs(at.sin_port), login.token);
    return NULL;
}

/** Is it a socket of this user without a listener, because its cldbg was killed? */
static bool is_left_over(const char *path)
{
    struct stat st;
    if (lstat(path, &st) || !S_ISSOCK(st.st_mode) || st.st_uid != geteuid()) return false;
    const int fd = local_socket_connect(path);
    if (fd < 0) return errno == ECONNREFUSED;
    close(fd);
    return false;
}

/** The user's runtime directory; NULL: it does not exist, or others can enter it. */
static const char *runtime_directory(void)
{
    const char *path = getenv("XDG_RUNTIME_DIR");
    struct stat st;
    return path && *path == '/' && !stat(path, &st) && S_ISDIR(st.st_mode) &&
                   st.st_uid == geteuid() && !(st.st_mode & 077)
               ? path
               : NULL;
}

static struct err *listen_at_path(const char *path)
{
    struct err *e = path ? NULL : temp_folder_create(&login.folder, runtime_directory(), "dap");
    if (e) return e;
    struct str s = {0};
    if (path) str_put(&s, path);
    else str_printf(&s, "%s/editor", login.folder.path);
    if (path && is_left_over(path)) unlink(path);
    e = local_socket_listen(str_text(&s), PLACES, &login.fd);
    if (e) {
        temp_folder_destroy(&login.folder);
        str_deinit(&s);
        return e;
    }
    login.path = str_take(&s);
    for (int i = 0; i < ENDS; i++) {
        sigaction(ends[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN) signal(ends[i], on_end); // (of nohup)
    }
    cmd_say("waiting for an editor at %s", login.path);
    return NULL;
}

struct err *login_wait(const struct login_place *place, struct dap_stream *editor, json_t **attach)
{
    login.fd = -1;
    signal(SIGPIPE, SIG_IGN);
    struct err *e = place->port >= 0 ? listen_on_port(place->port) : listen_at_path(place->socket);
    if (!e) handshake(editor, attach);
    close_door();
    return e;
}
