// SPDX-License-Identifier: MIT
#ifndef REPORT_PROGRESS_LINE_H
#define REPORT_PROGRESS_LINE_H
#include <stdbool.h>

/**
 * A line at the bottom of the terminal with the progress of a long launch. It is on stderr, if that
 * is a terminal that can erase it, and is erased before other output of cldbg. Thread-safe.
 */
bool rep_progress_wanted(void);
void rep_progress_show(const char *line); // replaces the previous line; truncated to the terminal's
                                          // width
void rep_progress_clear(void);
#endif
