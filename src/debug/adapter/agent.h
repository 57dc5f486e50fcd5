// SPDX-License-Identifier: MIT
#ifndef DEBUG_AGENT_H
#define DEBUG_AGENT_H
#include "debug/session/session.h"

/**
 * Connects to the client that CLDBG_DEBUG names, and waits until it lets the app run. Called once.
 */
void dbg_agent_connect(void);
/** Take and release the lock, in threads other than the one that runs kernels. */
void dbg_agent_lock(void), dbg_agent_unlock(void);
extern const struct dbg_events dbg_adapter_events; // events.c
#endif
