// SPDX-License-Identifier: MIT
// The output of the app and of kernel printf. Usually the app writes to the terminal itself. When
// the text user interface is switched on, stdout and stderr of the app become a pseudo-terminal: of
// a running app by a request to its agent, of later ones when they start. From then on the debugger
// passes its output on to the command window or, while the interface is off, to the terminal. The
// app always reads from the real terminal.
#include "cli/tui.h"

#include <fcntl.h>
#include <poll.h>
#include <readline/readline.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int master = -1, slave = -1;
static const char *name;

void tui_app_open(void)
{
    if (master >= 0) return;
    master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (master < 0 || grantpt(master) || unlockpt(master) || !(name = ptsname(master)) ||
        (slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)) < 0) {
        if (master >= 0) close(master);
        master = -1; // the app writes to the terminal directly
        return;
    }
    // Our end of the slave stays open: the end of an app does not end the master.
    fcntl(master, F_SETFL, fcntl(master, F_GETFL) | O_NONBLOCK);
    struct termios t = tui_terminal;
    t.c_oflag &= ~(tcflag_t)OPOST; // the terminal does it
    tcsetattr(slave, TCSANOW, &t);
}

const char *tui_app_terminal(void) { return master < 0 ? NULL : name; }

void tui_app_begins(void)
{
    if (slave < 0) return;
    if (isatty(STDOUT_FILENO)) dup2(slave, STDOUT_FILENO);
    if (isatty(STDERR_FILENO)) dup2(slave, STDERR_FILENO);
}

void tui_app_resize(int rows, int columns)
{
    const struct winsize w = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
    if (master >= 0) ioctl(master, TIOCSWINSZ, &w);
}

int tui_app_fd(void) { return master; }

/** While readline shows a line, output goes above it. */
static void show(const char *text, size_t n)
{
    const bool above = tui.reading && !tui.on;
    if (above) rl_clear_visible_line();
    tui_put(text, n);
    if (above) rl_on_new_line(), rl_forced_update_display();
}

void tui_relay(bool settle)
{
    // The kernel passes data of pseudo-terminals on with a delay.
    enum { DELAY_MS = 2 };
    char data[4096];
    ssize_t n;
    if (master < 0) return;
    if (settle) poll(&(struct pollfd){.fd = master, .events = POLLIN}, 1, DELAY_MS);
    for (int i = 0; i < 64 && (n = read(master, data, sizeof data)) > 0; i++)
        show(data, (size_t)n); // Ctrl-C gets its turn
}

void tui_wait(void)
{
    enum { MOMENT_MS = 20 };
    poll(&(struct pollfd){.fd = master, .events = POLLIN}, 1, MOMENT_MS);
    tui_relay(false);
    tui_attend();
}
