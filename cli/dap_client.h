// SPDX-License-Identifier: MIT
#ifndef CLI_DAP_CLIENT_H
#define CLI_DAP_CLIENT_H
#include "base/err.h"
#include "base/local_socket.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/** A stream of messages of the Debug Adapter Protocol, either end of it. */
struct dap_stream {
    int in, out;
    char *data;
    size_t len, cap;
    size_t max; // bytes of a message, with its head; a longer one ends the stream
    long long seq;
    bool broken;      // its end was met
    bool never_waits; // a socket: if its reader is too slow, the connection is closed
};
void dap_open(struct dap_stream *s, int in, int out);
void dap_close(struct dap_stream *s);
/**
 * The next complete message; NULL: none yet (read more). Bad ones are skipped and reported in *bad
 * (may be NULL).
 */
json_t *dap_take(struct dap_stream *s, bool *bad);
/** Reads the available data, or blocks until there are some; false at the end. */
bool dap_read(struct dap_stream *s);
/** Sends a message as it is (taken over); where it has no seq it gets one. */
bool dap_send(struct dap_stream *s, json_t *message);
/** Sends a request and gives its seq. */
long long dap_request(struct dap_stream *s, const char *command, json_t *arguments);

/**
 * Answers a request of the stream's other side; message: why not, or NULL. Takes the body over;
 * NULL: none.
 */
void dap_answer(struct dap_stream *s, const json_t *request, bool success, const char *message,
                json_t *body);
// ---- dap_capabilities.c
/** What a debug adapter of cldbg can do, for the answer to `initialize`. */
json_t *dap_capabilities(void);

// ---- dap_client.c
/**
 * The socket that CLDBG_DEBUG names to the process that is debugged: in the abstract namespace,
 * under a name of 128 random bits.
 */
struct dap_listener {
    int fd;
    char name[LOCAL_SOCKET_NAME];
};
struct err *dap_listen(struct dap_listener *l);
/** The agent's connection; -1: none. A connection of another user is closed and reported, once. */
int dap_accept(const struct dap_listener *l);
void dap_listener_close(struct dap_listener *l);
#endif
