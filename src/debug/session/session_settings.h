// SPDX-License-Identifier: MIT
#ifndef DEBUG_SETTINGS_H
#define DEBUG_SETTINGS_H
#include <stdbool.h>
#include <stdint.h>

/** The work-items that stop at breakpoints. */
enum dbg_locking {
    DBG_LOCK_OFF,  // all
    DBG_LOCK_ON,   // the focused one; the others run only when it waits for them
    DBG_LOCK_STEP, // all; while one is stepped, only that one
};
/** The settings; commands/cmd_settings.c has the table. */
struct dbg_settings {
    bool stop_on_findings;
    bool stop_at_launch_end;
    bool record_launches; // also those in which nothing but a finding can stop
    bool print_pretty;
    bool confirm, paginate; // for the client
    enum dbg_locking locking;
    unsigned list_size;
    unsigned print_elements; // 0: all
    uint64_t history_limit;  // bytes
};
extern struct dbg_settings dbg_settings;
#endif
