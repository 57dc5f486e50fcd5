// SPDX-License-Identifier: MIT
#include "base/local_socket.h"

#include <errno.h>
#include <string.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

bool local_socket_secret(char hex[LOCAL_SOCKET_SECRET])
{
    unsigned char bytes[(LOCAL_SOCKET_SECRET - 1) / 2];
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes) return false;
    for (size_t i = 0; i < sizeof bytes; i++) snprintf(hex + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

/** The address's length; 0: the name is too long. */
static socklen_t address_of(const char *name, struct sockaddr_un *a)
{
    const size_t n = strlen(name);
    *a = (struct sockaddr_un){.sun_family = AF_UNIX};
    if (n >= sizeof a->sun_path) return 0;
    memcpy(a->sun_path, name, n);
    if (*name != '@') return sizeof *a;
    a->sun_path[0] = 0;
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + n);
}

static int close_keeping_errno(int fd)
{
    const int why = errno;
    if (fd >= 0) close(fd);
    errno = why;
    return -1;
}

/** Of the listener, SO_PEERCRED has the user at the time of listen(2). */
static int checked(int fd)
{
    struct ucred peer;
    socklen_t n = sizeof peer;
    if (!getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &n) && (peer.uid == geteuid() || !peer.uid))
        return fd;
    errno = EPERM;
    return close_keeping_errno(fd);
}

struct err *local_socket_listen(const char *name, int backlog, int *fd)
{
    struct sockaddr_un a;
    const socklen_t n = address_of(name, &a);
    *fd = -1;
    if (!n)
        return err_new("the name of the socket is longer than %zu bytes: %s", sizeof a.sun_path - 1,
                       name);
    const int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const mode_t mask = umask(0177); // bind makes the file, and has no argument for its mode
    const bool bound = s >= 0 && !bind(s, (struct sockaddr *)&a, n);
    umask(mask);
    if (bound && !listen(s, backlog)) {
        *fd = s;
        return NULL;
    }
    struct err *e = err_new("the socket %s cannot be made: %s", name, strerror(errno));
    if (bound && *name != '@') unlink(name);
    close_keeping_errno(s);
    return e;
}

int local_socket_connect(const char *name)
{
    struct sockaddr_un a;
    const socklen_t n = address_of(name, &a);
    if (!n) {
        errno = ENAMETOOLONG;
        return -1;
    }
    const int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (s < 0 || connect(s, (struct sockaddr *)&a, n)) return close_keeping_errno(s);
    return checked(s);
}

int local_socket_accept(int listener)
{
    const int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    return fd < 0 ? -1 : checked(fd);
}
