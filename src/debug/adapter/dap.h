// SPDX-License-Identifier: MIT
#ifndef DEBUG_DAP_H
#define DEBUG_DAP_H
#include <jansson.h>

/**
 * Answers one request of the Debug Adapter Protocol; the lock is held. The kernel continues if the
 * request set dbg.resume.
 */
void dbg_dap_request(const json_t *request);
/** Invalidates the client's variable numbers, when the kernel continues. */
void dbg_dap_forget(void);
#endif
