// SPDX-License-Identifier: MIT
// Beginning and end of the text user interface.
//
// ncurses draws the whole screen and never reads: readline does. Both change the modes of the
// terminal, so there are three: those found at the start; with the interface on, the same without
// echo (a kernel runs; the app may read lines); and readline's own while a line is edited. The
// first are restored at the end, also when a signal ends the debugger.
#include "cli/tui.h"

#include "cli/cmd.h"
#include "cli/tui_text.h"

#define NCURSES_NOMACROS 1
#include <curses.h>
#include <term.h>
#undef columns // macros of term.h
#undef lines

#include <locale.h>
#include <readline/readline.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

struct tui tui = {.layout = TUI_LAYOUT_ALL, .focus = TUI_SRC, .status_y = -1};
struct tui_client tui_client;
struct termios tui_terminal;
static bool possible;
static SCREEN *screen;
static int out_fd;
static char leave_text[256]; // what leaves the screen of the interface
static volatile sig_atomic_t resized, stop_asked;

bool tui_is_on(void) { return tui.on; }

static json_int_t number(const json_t *o, const char *key)
{
    return json_integer_value(json_object_get(o, key));
}

// ---- signals
static void on_resize(int sig) { resized = 1; }
static void on_stop(int sig) { stop_asked = 1; }

static void on_death(int sig)
{
    if (tui.on && write(out_fd, leave_text, strlen(leave_text)) < 0) {}
    tcsetattr(out_fd, TCSANOW, &tui_terminal);
    signal(sig, SIG_DFL);
    raise(sig);
}

static void watch_signals(void)
{
    static const int deaths[] = {SIGHUP,  SIGTERM, SIGQUIT, SIGABRT,
                                 SIGSEGV, SIGBUS,  SIGFPE,  SIGILL};
    struct sigaction before;
    for (size_t i = 0; i < sizeof deaths / sizeof *deaths; i++) {
        sigaction(deaths[i], NULL, &before);
        if (before.sa_handler == SIG_DFL)
            sigaction(deaths[i], &(struct sigaction){.sa_handler = on_death}, NULL);
    }
    sigaction(SIGWINCH, &(struct sigaction){.sa_handler = on_resize}, NULL);
}

// ---- the terminal
static void add_leave_text(const char *capability)
{
    const char *text = tigetstr(capability);
    if (text && text != (char *)-1 && strlen(leave_text) + strlen(text) < sizeof leave_text)
        strcat(leave_text, text);
}

/** Why the interface cannot be shown, or NULL. */
static struct err *impossible(void)
{
    int why;
    const char *term = getenv("TERM");
    if (!tui_client.interactive)
        return err_new(tui_client.batch ? "the text user interface does not go with --batch"
                                        : "the text user interface needs a terminal");
    if (!term || !*term)
        return err_new("the text user interface needs a terminal, and TERM is not set");
    const char *move = setupterm(NULL, fileno(tui_client.out), &why) == OK ? tigetstr("cup") : NULL;
    if (!move || move == (char *)-1)
        return err_new(
            "the text user interface needs a terminal with a movable cursor, and TERM is "
            "\"%s\"",
            term);
    return NULL;
}

static void measure(int *rows, int *columns)
{
    struct winsize w = {0};
    ioctl(out_fd, TIOCGWINSZ, &w);
    *rows = w.ws_row ? w.ws_row : 24;
    *columns = w.ws_col ? w.ws_col : 80;
}

void tui_begin(const struct tui_client *client)
{
    tui_client = *client;
    struct err *e = impossible();
    possible = !e;
    if (client->interactive) signal(SIGTSTP, on_stop);
    if (possible) {
        setlocale(LC_CTYPE, "");
        out_fd = fileno(tui_client.out);
        tcgetattr(out_fd, &tui_terminal);
        tui_app_open();
        measure(&tui.rows, &tui.columns);
        tui_app_resize(tui.rows, tui.columns);
        watch_signals();
        tui_keys_begin();
        if (tui_client.wanted) e = tui_enable();
    }
    if (e && tui_client.wanted) cmd_say("--tui: %s; it is switched off", err_message(e));
    err_free(e);
}

static struct err *open_screen(void)
{
    screen = newterm(NULL, tui_client.out, rl_instream ? rl_instream : stdin);
    if (!screen) return err_new("the text user interface cannot be shown on this terminal");
    tui.colors = tui_client.colors && has_colors();
    if (tui.colors) {
        start_color();
        use_default_colors();
        for (short i = 0; i < 8; i++) init_pair((short)(i + 1), i, -1);
    }
    struct termios t; // ncurses wants newlines that do not return to the first column
    tcgetattr(out_fd, &t);
    t.c_lflag |= ICANON | ISIG;
    t.c_lflag &= ~(tcflag_t)ECHO;
    t.c_iflag |= ICRNL;
    tcsetattr(out_fd, TCSANOW, &t);
    def_prog_mode();
    static const char *const leave[] = {"sgr0", "cnorm", "rmcup"};
    for (size_t i = 0; i < sizeof leave / sizeof *leave; i++) add_leave_text(leave[i]);
    return NULL;
}

struct err *tui_enable(void)
{
    struct err *e = tui.on ? NULL : impossible();
    if (e || tui.on) return e;
    fflush(tui_client.out);
    if (!screen && (e = open_screen())) return e;
    tui_app_redirect();
    tui.on = true;
    tui.log_begin = tui_log.total;
    resized = 1;
    tui_keys_switch(true);
    tui_update();
    tui_redraw();
    return NULL;
}

static void leave_screen(void)
{
    endwin();
    tcsetattr(out_fd, TCSADRAIN, &tui_terminal);
}

/** What was shown in the command window, as far as it fits on the screen, stays visible. */
static void show_last_lines(void)
{
    const size_t fits = tui.rows > 2 ? (size_t)tui.rows - 2 : 1;
    size_t n = tui_log.total - tui.log_begin;
    if (n > fits) n = fits;
    if (n > tui_log.lines.len) n = tui_log.lines.len;
    for (size_t i = tui_log.lines.len - n; i < tui_log.lines.len; i++)
        fprintf(tui_client.out, "%s\n", tui_log.lines.data[i]);
    fputs(tui_log_open_line(), tui_client.out);
    fflush(tui_client.out);
}

void tui_disable(void)
{
    if (!tui.on) return;
    tui.on = false;
    leave_screen();
    tui_keys_switch(false);
    tui_app_resize(tui.rows, tui.columns);
    show_last_lines();
}

void tui_end(void)
{
    tui_relay(true);
    tui_disable();
    json_decref(tui.view);
    tui.view = NULL;
}

void tui_suspend(void)
{
    if (tui.on) leave_screen();
}

void tui_resume(void)
{
    if (!tui.on) return;
    fputs("[Return goes back to the debugger]", tui_client.out);
    fflush(tui_client.out);
    for (int c = getc(rl_instream ? rl_instream : stdin); c != '\n' && c != EOF;)
        c = getc(rl_instream ? rl_instream : stdin);
    tui_redraw();
}

/** Ctrl-Z: the shell gets its terminal back, until `fg`. */
static void stop_process(void)
{
    stop_asked = 0;
    if (tui.reading) rl_deprep_terminal();
    if (tui.on) leave_screen();
    signal(SIGTSTP, SIG_DFL);
    raise(SIGTSTP);
    signal(SIGTSTP, on_stop);
    resized = 1;
    if (tui.on) tui_redraw();
    if (!tui.reading) return;
    rl_prep_terminal(1);
    if (tui.on) return;
    rl_on_new_line();
    rl_forced_update_display();
}

void tui_redraw(void)
{
    clearok(curscr, TRUE);
    tui.dirty = true;
    tui_attend();
}

void tui_attend(void)
{
    if (stop_asked) stop_process();
    if (!possible) return;
    if (resized) {
        resized = 0;
        measure(&tui.rows, &tui.columns);
        if (tui.on) {
            resizeterm(tui.rows, tui.columns);
            clearok(curscr, TRUE);
            tui_arrange();
            if (number(tui.view, "line")) tui_show_line((int)number(tui.view, "line"));
        }
        tui_app_resize(tui.on ? tui.at[TUI_CMD].h : tui.rows, tui.columns);
        rl_set_screen_size(tui.rows, tui.columns);
        tui.dirty = true;
    }
    if (tui.on && tui.dirty) tui_draw();
}

void tui_put(const char *text, size_t n)
{
    if (possible) tui_log_put(text, n);
    if (tui.on) {
        tui.dirty = true;
        if (tui.reading) tui_draw();
        return;
    }
    fwrite(text, 1, n, tui_client.out);
    fflush(tui_client.out);
}

// ---- the view
static void take_source(const char *key, const char *name, const char *text)
{
    free(tui.source);
    free(tui.name);
    free(tui.text);
    tui.source = mem_strdup(key);
    tui.name = mem_strdup(name ? name : "");
    tui.text = mem_strdup(text);
    vec_clear(&tui.lines);
    for (const char *p = tui.text; *p;) {
        vec_push(&tui.lines, p);
        p += strcspn(p, "\n");
        p += *p == '\n';
    }
    tui.top[TUI_SRC] = 0;
}

void tui_update(void)
{
    if (!tui.on) return;
    json_t *m = tui_client.view(tui.source ? tui.source : "");
    json_t *view = json_object_get(m, "body"), *old = tui.view;
    const char *key = json_string_value(json_object_get(view, "source")),
               *text = json_string_value(json_object_get(view, "text"));
    if (key && text) take_source(key, json_string_value(json_object_get(view, "name")), text);
    const json_int_t listed = number(view, "listed"), line = number(view, "line");
    const bool moved = line != number(old, "line") || number(old, "listed") ||
                       !json_equal(json_object_get(old, "source"), json_object_get(view, "source"));
    tui.view = json_incref(view);
    tui_arrange();
    if (listed && listed != number(old, "listed")) tui.top[TUI_SRC] = (int)listed - 1;
    else if (line && !listed && moved) tui_show_line((int)line);
    json_decref(old);
    json_decref(m);
    tui.dirty = true;
}
