// SPDX-License-Identifier: MIT
#ifndef CLI_TUI_H
#define CLI_TUI_H
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <termios.h>

#include "base/err.h"
#include "base/vec.h"

/**
 * The text user interface of the debugger: windows with the source, the map of the work-group and
 * variables, drawn by ncurses, above a window with commands and output, in which readline edits
 * the line. tui.c begins and ends it, tui_layout.c has the windows and commands, tui_draw.c draws,
 * tui_keys.c connects it with readline, tui_app.c receives the output of the app.
 *
 * The functions up to tui_interrupted also work when it is off, or when there is no terminal.
 */
struct tui_client {
    FILE *out; // the terminal
    bool interactive, batch, wanted, colors;
    json_t *(*view)(const char *source); // the answer to cldbgView; NULL: there is none now
    const char *(*state)(void);          // of the program; NULL: as the view says
    void (*redirect)(const char *path);  // the running app writes to that terminal from now on
};
void tui_begin(const struct tui_client *client); // before the first child
void tui_end(void);
bool tui_is_on(void);
/** Output of the debugger: to the command window, or to where the debugger writes. */
void tui_put(const char *text, size_t n);
/** A line from the terminal, as readline gives it. */
char *tui_readline(const char *prompt);
/** Gets what the windows show from the agent. */
void tui_update(void);
/** Does what signals asked for, and draws what has changed. */
void tui_attend(void);
/** A command of this interface; false: it is another one. */
bool tui_command(const char *name, const char *arguments, bool *failed);
/** Around another program that uses the terminal. */
void tui_suspend(void), tui_resume(void);
/** Ctrl-C at the prompt. */
void tui_interrupted(void);

// ---- tui_app.c: the app writes to a pseudo-terminal, so that it cannot destroy the picture
void tui_app_open(void);
/** The interface is switched on: the app must not write to the terminal from now on. */
void tui_app_redirect(void);
/** In the child. */
void tui_app_begins(void);
void tui_app_resize(int rows, int columns);
/** Where its output comes; -1: it goes to the terminal directly. */
int tui_app_fd(void);
/** Shows what the app has written. settle: it has just written, and goes on later. */
void tui_relay(bool settle);
/** Waits for a moment, or for output of the app. */
void tui_wait(void);

// ---- inside
enum tui_window { TUI_SRC, TUI_MAP, TUI_VARIABLES, TUI_WATCH, TUI_CMD, TUI_WINDOWS };
enum tui_layout { TUI_LAYOUT_SRC, TUI_LAYOUT_MAP, TUI_LAYOUT_REGS, TUI_LAYOUT_ALL, TUI_LAYOUTS };
struct tui_rect {
    int y, x, h, w; // h 0: the window is not shown
};
struct tui {
    bool on, reading; // reading: readline edits a line
    bool dirty;       // something has changed since it was drawn
    bool colors;
    int rows, columns;
    enum tui_layout layout;
    enum tui_window focus;
    int cmd_height; // 0: a third of the screen
    int status_y;   // -1: there is none
    struct tui_rect at[TUI_WINDOWS];
    int top[TUI_WINDOWS]; // the first line that is shown; of TUI_CMD: rows back from the end
    int left;             // the first column of the source
    json_t *view;         // of the agent, or NULL
    char *source;         // its name there; NULL: no source is known
    char *name, *text;
    VEC(const char *) lines; // of the source, each up to its newline
    size_t log_begin;        // of tui_log.total, when it was switched on
};
extern struct tui tui;
extern struct tui_client tui_client;
extern struct termios tui_terminal; // before it was changed

struct err *tui_enable(void);
void tui_disable(void);
/** Erases and draws everything again. */
void tui_redraw(void);
// ---- tui_layout.c
void tui_arrange(void);
void tui_layout_step(int step);
void tui_focus_step(int step);
// ---- tui_draw.c
void tui_draw(void);
/** Scrolls the source so that the line is visible. */
void tui_show_line(int line);
/** The lines of a small window for that width, separated by newlines; the caller frees them. */
char *tui_window_text(enum tui_window w, int width);
// ---- tui_keys.c
void tui_keys_begin(void);
/** Readline writes to the command window, or to the terminal. */
void tui_keys_switch(bool on);
#endif
