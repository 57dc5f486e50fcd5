// SPDX-License-Identifier: MIT
#include "cli/dap_client.h"

#include "base/io.h"
#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MAX_MESSAGE = 64 << 20 };

void dap_open(struct dap_stream *s, int in, int out)
{
    *s = (struct dap_stream){.in = in, .out = out, .max = MAX_MESSAGE};
}

void dap_close(struct dap_stream *s)
{
    if (s->in >= 0) close(s->in);
    if (s->out >= 0 && s->out != s->in) close(s->out);
    free(s->data);
    *s = (struct dap_stream){.in = -1, .out = -1, .broken = true};
}

bool dap_read(struct dap_stream *s)
{
    if (s->broken || s->len > s->max) {
        s->broken = true;
        return false;
    }
    if (s->cap - s->len < 4096) s->data = mem_realloc(s->data, s->cap = s->cap * 2 + (1 << 16));
    const ssize_t n = read(s->in, s->data + s->len, s->cap - s->len);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) return true;
    if (n <= 0) {
        s->broken = true;
        return false;
    }
    s->len += (size_t)n;
    return true;
}

static void drop(struct dap_stream *s, size_t n)
{
    memmove(s->data, s->data + n, s->len - n);
    s->len -= n;
}

/**
 * The length that a header line gives, or 0. After a header with a wrong length, the next one
 * follows the rest of a message.
 */
static size_t length_in(const char *line, size_t n)
{
    enum { NAME = 15 };
    for (size_t at = n; at-- > NAME;)
        if (!strncasecmp(line + at - NAME, "Content-Length:", NAME))
            return strtoul(line + at, NULL, 10);
    return 0;
}

/** Where the head ends, and the length it says (0: it says none); 0: it is not complete. */
static size_t head(const struct dap_stream *s, size_t *length)
{
    *length = 0;
    for (size_t at = 0;;) {
        const char *end = at < s->len ? memchr(s->data + at, '\n', s->len - at) : NULL;
        if (!end) return 0;
        const size_t n = (size_t)(end - s->data) - at;
        if (n == 0 || (n == 1 && s->data[at] == '\r')) return (size_t)(end - s->data) + 1;
        const size_t says = length_in(s->data + at, n);
        if (says) *length = says;
        at = (size_t)(end - s->data) + 1;
    }
}

json_t *dap_take(struct dap_stream *s, bool *bad)
{
    for (;;) {
        size_t length;
        const size_t start = head(s, &length);
        if (!start) return NULL;
        if (!length || length > s->max) {
            if (bad) *bad = true;
            drop(s, start);
            continue;
        }
        if (s->len - start < length) return NULL;
        json_t *m = json_loadb(s->data + start, length, JSON_ALLOW_NUL, NULL);
        drop(s, start + length);
        if (json_is_object(m)) return m;
        json_decref(m);
        if (bad) *bad = true;
    }
}

static bool put(const struct dap_stream *s, const char *text, size_t n)
{
    if (s->never_waits) return send(s->out, text, n, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)n;
    return io_write_all(s->out, text, n);
}

bool dap_send(struct dap_stream *s, json_t *message)
{
    if (!json_object_get(message, "seq"))
        json_object_set_new(message, "seq", json_integer(++s->seq));
    char *text = json_dumps(message, JSON_COMPACT);
    json_decref(message);
    char line[64];
    snprintf(line, sizeof line, "Content-Length: %zu\r\n\r\n", strlen(text));
    s->broken = s->broken || !put(s, line, strlen(line)) || !put(s, text, strlen(text));
    free(text);
    return !s->broken;
}

long long dap_request(struct dap_stream *s, const char *command, json_t *arguments)
{
    const long long seq = ++s->seq;
    dap_send(s, json_pack("{s:s, s:s, s:I, s:o}", "type", "request", "command", command, "seq",
                          (json_int_t)seq, "arguments", arguments ? arguments : json_object()));
    return seq;
}

void dap_answer(struct dap_stream *s, const json_t *request, bool success, const char *message,
                json_t *body)
{
    json_t *m = json_pack("{s:s, s:O, s:O, s:b}", "type", "response", "request_seq",
                          json_object_get(request, "seq"), "command",
                          json_object_get(request, "command"), "success", success);
    if (!m) { // a request without a number
        json_decref(body);
        return;
    }
    if (message) json_object_set_new(m, "message", json_string(message));
    if (!success && !body)
        body =
            json_pack("{s:{s:i, s:s}}", "error", "id", 1, "format", message ? message : "failed");
    if (body) json_object_set_new(m, "body", body);
    dap_send(s, m);
}

struct err *dap_listen(struct dap_listener *l)
{
    char secret[LOCAL_SOCKET_SECRET];
    *l = (struct dap_listener){.fd = -1};
    if (!local_socket_secret(secret)) return err_new("no random numbers are available: %m");
    snprintf(l->name, sizeof l->name, "@cldbg-%s", secret);
    return local_socket_listen(l->name, 4, &l->fd);
}

int dap_accept(const struct dap_listener *l)
{
    static bool reported;
    const int fd = local_socket_accept(l->fd);
    if (fd < 0 && errno == EPERM && !reported)
        fprintf(stderr, "cldbg: a process of another user connected to the debugger's socket and "
                        "was disconnected\n"),
            reported = true;
    return fd;
}

void dap_listener_close(struct dap_listener *l)
{
    if (l->fd >= 0) close(l->fd);
    l->fd = -1;
}
