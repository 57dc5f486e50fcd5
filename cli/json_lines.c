// SPDX-License-Identifier: MIT
// Requests are read whenever there is time, so that an interrupt overtakes commands that wait, and
// a client that writes much before it reads does not block.
#include "cli/json_lines.h"

#include "base/mem.h"
#include "base/str.h"
#include "base/vec.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_WAITING = 64 << 20, PIECE = 4096 }; // PIECE: PIPE_BUF, which never blocks after POLLOUT

static struct {
    int in, out;
    bool ended, skips; // skips: the rest of a line that is too long
    struct str line;
    size_t waiting; // bytes of the queue
    size_t first;   // of the queue: those before it were taken
    VEC(struct json_request) queue;
} lines = {.in = -1, .out = -1};

void json_lines_open(int in, int out) { lines.in = in, lines.out = out; }

int json_lines_input(void) { return lines.ended || lines.waiting > MAX_WAITING ? -1 : lines.in; }
int json_lines_output(void) { return lines.out; }
bool json_lines_ended(void) { return lines.ended; }

// ---- requests
static void add(enum json_request_kind kind, json_t *id, const char *text)
{
    lines.waiting += strlen(text) + 1;
    vec_push(&lines.queue, ((struct json_request){kind, json_incref(id), mem_strdup(text)}));
}

static void add_bad(json_t *id, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add_bad(json_t *id, const char *format, ...)
{
    struct str s = {0};
    va_list v;
    va_start(v, format);
    str_vprintf(&s, format, v);
    va_end(v);
    add(JSON_BAD, id, str_text(&s));
    str_deinit(&s);
}

static void add_object(const json_t *o)
{
    json_t *id = json_object_get(o, "id");
    const json_t *command = json_object_get(o, "command"),
                 *interrupt = json_object_get(o, "interrupt");
    if (id && !json_is_string(id) && !json_is_number(id) && !json_is_null(id))
        add_bad(NULL, "id: a string or a number is expected");
    else if (interrupt && (command || !json_is_true(interrupt)))
        add_bad(id, "interrupt: true is expected, without a command");
    else if (interrupt) add(JSON_INTERRUPT, id, "");
    else if (json_is_string(command)) add(JSON_COMMAND, id, json_string_value(command));
    else if (command) add_bad(id, "command: a string is expected");
    else add_bad(id, "the object has neither \"command\" nor \"interrupt\"");
}

static void add_line(bool whole)
{
    const char *text = str_text(&lines.line);
    size_t n = lines.line.len;
    if (n && text[n - 1] == '\r') lines.line.data[--n] = 0;
    const size_t blank = strspn(text, " \t\r");
    json_error_t error;
    json_t *valid = json_stringn(text, n);
    if (blank == n) {
        // not a request
    } else if (memchr(text, 0, n)) {
        add_bad(NULL, "the line contains a NUL character");
    } else if (!valid) {
        add_bad(NULL, "the line is not valid UTF-8");
    } else if (text[blank] != '{') {
        add(JSON_LINE, NULL, text);
    } else {
        json_t *o = json_loadb(text, n, JSON_REJECT_DUPLICATES, &error);
        if (o) add_object(o);
        else if (!whole) add_bad(NULL, "the input ended in the middle of an object");
        else add_bad(NULL, "invalid JSON at column %d: %s", error.column, error.text);
        json_decref(o);
    }
    json_decref(valid);
}

/** The line is complete, or the input has ended. */
static void end_line(bool whole)
{
    if (lines.skips)
        add_bad(NULL, "the line is longer than %d bytes and was skipped", JSON_MAX_LINE);
    else add_line(whole);
    str_clear(&lines.line);
    lines.skips = false;
}

void json_lines_read(void)
{
    static char data[1 << 16];
    const ssize_t n = read(lines.in, data, sizeof data);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (n <= 0) {
        lines.ended = true;
        if (lines.line.len || lines.skips) end_line(false);
        return;
    }
    for (const char *p = data, *end = data + n; p < end;) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        const size_t k = (size_t)((newline ? newline : end) - p);
        if (lines.line.len + k > JSON_MAX_LINE) lines.skips = true;
        if (lines.skips) str_clear(&lines.line);
        else str_put_n(&lines.line, p, k);
        p += k;
        if (newline) end_line(true), p++;
    }
}

enum json_request_kind json_lines_next(void)
{
    return lines.first < lines.queue.len ? lines.queue.data[lines.first].kind : JSON_NONE;
}

struct json_request json_lines_take(void)
{
    if (lines.first == lines.queue.len) return (struct json_request){JSON_NONE};
    const struct json_request r = lines.queue.data[lines.first++];
    lines.waiting -= strlen(r.text) + 1;
    if (lines.first == lines.queue.len) vec_clear(&lines.queue), lines.first = 0;
    return r;
}

struct json_request json_lines_take_interrupt(void)
{
    size_t i = lines.first;
    while (i < lines.queue.len && lines.queue.data[i].kind != JSON_INTERRUPT) i++;
    if (i == lines.queue.len) return (struct json_request){JSON_NONE};
    const struct json_request r = lines.queue.data[i];
    memmove(lines.queue.data + lines.first + 1, lines.queue.data + lines.first,
            (i - lines.first) * sizeof r);
    lines.queue.data[lines.first] = r;
    return json_lines_take();
}

// ---- objects
static bool write_all(const char *text, size_t n)
{
    while (n) {
        struct pollfd p[2] = {{.fd = lines.out, .events = POLLOUT},
                              {.fd = json_lines_input(), .events = POLLIN}};
        if (poll(p, 2, -1) < 0) continue; // a signal
        if (p[1].revents) json_lines_read();
        if (p[0].revents & (POLLERR | POLLHUP | POLLNVAL)) return false;
        if (!(p[0].revents & POLLOUT)) continue;
        const ssize_t k = write(lines.out, text, n < PIECE ? n : PIECE);
        if (k < 0 && errno != EINTR && errno != EAGAIN) return false;
        if (k > 0) text += k, n -= (size_t)k;
    }
    return true;
}

bool json_lines_put(json_t *object)
{
    struct str line = {0};
    char *text = json_dumps(object, JSON_COMPACT);
    json_decref(object);
    str_put(&line,
            text ? text : "{\"type\":\"error\",\"id\":null,\"message\":\"a text is not UTF-8\"}");
    str_put_char(&line, '\n');
    free(text);
    const bool written = write_all(str_text(&line), line.len);
    str_deinit(&line);
    return written;
}
