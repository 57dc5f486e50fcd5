// SPDX-License-Identifier: MIT
#ifndef CLI_TUI_TEXT_H
#define CLI_TUI_TEXT_H
#include "base/vec.h"

#include <stdbool.h>
#include <wchar.h>

/** A character on the screen: a cell, or two if it is wide. */
struct tui_cell {
    wchar_t c;
    unsigned style;    // TUI_BOLD …
    signed char color; // 0 … 7; -1: that of the terminal
    unsigned char width;
};
enum { TUI_BOLD = 1, TUI_DIM = 2, TUI_UNDERLINE = 4, TUI_REVERSE = 8 };
struct tui_cells {
    VEC(struct tui_cell) list;
};
/**
 * Appends the cells of a line of UTF-8. Escape sequences of colors set the style; tabs become
 * blanks; what cannot be shown becomes '?'.
 */
void tui_decode(struct tui_cells *to, const char *text, size_t n);

/** The text of the command window, which is also that of the plain debugger: its last lines. */
struct tui_log {
    VEC(char *) lines;
    size_t total; // lines so far, including those that were dropped
};
extern struct tui_log tui_log;
/** Appends output. Escape sequences other than colors are left out, a carriage return clears. */
void tui_log_put(const char *text, size_t n);
/** The last line, which has no newline yet. */
const char *tui_log_open_line(void);
#endif
