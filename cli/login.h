// SPDX-License-Identifier: MIT
#ifndef CLI_LOGIN_H
#define CLI_LOGIN_H
#include "cli/dap_client.h"

/**
 * Where `cldbg --dap… ./app` waits for an editor: a Unix socket, or a port of the loopback with a
 * token.
 */
struct login_place {
    const char *socket; // its path; NULL: a private folder in the user's runtime directory
    long port;          // -1: the Unix socket; 0: any free port
};
/**
 * Waits until an editor has logged in: it is the same user's (or root's) on the Unix socket, or
 * gave the token in its `attach` (or `launch`) request. *editor is its connection, *attach that
 * request, still to be answered; "client" in its arguments are those of `initialize`. The socket is
 * removed then, and when a signal ends cldbg.
 */
struct err *login_wait(const struct login_place *place, struct dap_stream *editor, json_t **attach);
#endif
