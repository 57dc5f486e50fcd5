// SPDX-License-Identifier: MIT
// Messages to the client.
#include "debug/adapter/channel.h"

#include "debug/session/focus.h"
#include "debug/session/session.h"
#include "report/excerpt.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

int dbg_channel = -1;

static bool write_all(const char *data, size_t n)
{
    while (n) {
        const ssize_t k = send(dbg_channel, data, n, MSG_NOSIGNAL);
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
    if (!text) return; // a string that is not UTF-8
    char head[64];
    snprintf(head, sizeof head, "Content-Length: %zu\r\n\r\n", strlen(text));
    if (dbg_channel >= 0 && (!write_all(head, strlen(head)) || !write_all(text, strlen(text))))
        dbg.ended = true;
    free(text);
}

void dbg_send_event(const char *name, json_t *body)
{
    json_t *m = json_object();
    json_object_set_new(m, "type", json_string("event"));
    json_object_set_new(m, "event", json_string(name));
    if (body) json_object_set_new(m, "body", body);
    dbg_send(m);
}

/** The length of a color sequence ("\033[1;31m"), for a client that shows colors; otherwise 0.
 */
static size_t color_at(const char *s)
{
    if (!dbg_client.colors || s[0] != '\033' || s[1] != '[') return 0;
    const size_t n = 2 + strspn(s + 2, "0123456789;");
    return s[n] == 'm' ? n + 1 : 0;
}

json_t *dbg_json_text(const char *s)
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

void dbg_send_output(const char *text)
{
    json_t *body = json_object();
    json_object_set_new(body, "category", json_string("console"));
    json_object_set_new(body, "output", dbg_json_text(text));
    dbg_send_event("output", body);
}

void dbg_send_continued(void)
{
    json_t *body = json_object();
    json_object_set_new(body, "threadId", json_integer(dbg_focus.item + 1));
    json_object_set_new(body, "allThreadsContinued", json_true());
    dbg_send_event("continued", body);
}
