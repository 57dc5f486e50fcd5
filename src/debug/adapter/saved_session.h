// SPDX-License-Identifier: MIT
#ifndef DEBUG_SAVED_SESSION_H
#define DEBUG_SAVED_SESSION_H
#include <jansson.h>
#include <stdbool.h>

/** The state that the client stores between runs of the program; a new reference. */
json_t *dbg_saved_session(void);
/** idle: nothing runs, and the findings of the last run are shown. */
void dbg_restore_session(const json_t *list, bool idle);
#endif
