// SPDX-License-Identifier: MIT
#ifndef DEBUG_SETTINGS_H
#define DEBUG_SETTINGS_H
#include <stdbool.h>
#include <stdint.h>

/** What `set` changes and `show` shows; commands/cmd_settings.c has the table. */
struct dbg_settings {
    bool stop_on_findings;
    bool print_pretty;
    bool confirm, paginate; // for the client
    unsigned list_size;
    unsigned print_elements; // 0: all
    uint64_t history_limit;  // bytes
};
extern struct dbg_settings dbg_settings;
#endif
