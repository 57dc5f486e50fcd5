// SPDX-License-Identifier: MIT
// The output of the command that runs the app is a pseudo-terminal, which the debugger passes on to
// the terminal or the command window. The app itself gets the terminal (cli/app.c), until the text
// user interface is switched on: then a running app is redirected by a request to its agent, and
// later ones begin with the pseudo-terminal. The app always reads from the real terminal.
#include "cli/tui.h"

#include "cli/cmd.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <readline/readline.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int master = -1, slave = -1;
static const char *name;
static bool was_on; // the interface

void tui_app_open(void)
{
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

void tui_app_redirect(void)
{
    was_on = true;
    if (master >= 0) tui_client.redirect(name);
}

void tui_app_begins(void)
{
    if (slave < 0) return;
    if (!was_on) {
        char own[30];
        snprintf(own, sizeof own, "%d,%d", dup(STDOUT_FILENO), dup(STDERR_FILENO));
        setenv(CMD_APP_OUTPUT, own, 1);
    }
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
