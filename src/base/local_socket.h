// SPDX-License-Identifier: MIT
#ifndef BASE_LOCAL_SOCKET_H
#define BASE_LOCAL_SOCKET_H
#include "base/err.h"

#include <stdbool.h>

/**
 * Unix stream sockets between processes of one user. A name that begins with '@' is in the abstract
 * namespace (unix(7)): it is not in the file system, and the kernel frees it when the process ends,
 * in whatever way. Any user can connect to such a name, and can take it when its owner has ended;
 * therefore both sides check the user of the other one (SO_PEERCRED): the same user and root are
 * accepted.
 */
enum { LOCAL_SOCKET_NAME = 104, LOCAL_SOCKET_SECRET = 33 };

/** 128 random bits as hexadecimal digits; false: the kernel gives none. */
bool local_socket_secret(char hex[LOCAL_SOCKET_SECRET]);
/** Listens. Only the user may connect to a socket that is in the file system (mode 0600). */
struct err *local_socket_listen(const char *name, int backlog, int *fd);
/** -1: errno says why not; EPERM: another user listens there. */
int local_socket_connect(const char *name);
/** -1: errno says why not; EPERM: another user connected and was disconnected. */
int local_socket_accept(int listener);
#endif
