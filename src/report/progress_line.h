// SPDX-License-Identifier: MIT
#ifndef REPORT_PROGRESS_LINE_H
#define REPORT_PROGRESS_LINE_H
#include <stdbool.h>

/**
 * A line at the bottom of the terminal that says how far a long launch is. It is on stderr, only
 * when that is a terminal that can take it back, and taken back before anything else of ours is
 * written. All of it from any thread.
 */
bool rep_progress_wanted(void);
void rep_progress_show(const char *line); // in place of the one before; cut to the terminal's width
void rep_progress_clear(void);
#endif
