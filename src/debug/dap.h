// SPDX-License-Identifier: MIT
#ifndef DEBUG_DAP_H
#define DEBUG_DAP_H
#include "debug/session.h"

#include <jansson.h>

/**
 * Answers one request of the Debug Adapter Protocol; the lock is held. The kernel goes on when
 * dbg.resume is set.
 */
void dbg_dap_request(const json_t *request);
/** What the client holds of variables is good until the kernel goes on. */
void dbg_dap_forget(void);
struct dbg_handle;
/** What the client keeps for when the program runs again, and is given then; a new reference. */
json_t *dbg_carry_out(void);
void dbg_carry_in(const json_t *list, bool idle); // idle: nothing runs, and what was found is shown
#endif
