// SPDX-License-Identifier: MIT
#ifndef DEBUG_SETTINGS_TABLE_H
#define DEBUG_SETTINGS_TABLE_H
#include "base/err.h"

/** "NAME VALUE" of a setting; false: there is no such setting. */
bool dbg_setting_set(const char *text, struct err **e);
/** Calls fn for each with the command that restores it: "set listsize 10". */
void dbg_settings_each(void (*fn)(void *ctx, const char *command), void *ctx);
extern const char *const dbg_setting_names[]; // up to NULL
#endif
