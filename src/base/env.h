// SPDX-License-Identifier: MIT
#ifndef BASE_ENV_H
#define BASE_ENV_H
/**
 * getenv for cldbg's settings: CLDBG_*, HOME and XDG_CACHE_HOME also have the values that they had
 * when the process began, so that an app that clears its environment (clearenv, as daemons do) is
 * checked all the same. A value set since counts first.
 */
const char *env_get(const char *name);
/** Those that the process began with, "NAME=value"; NULL at the end, or NULL. */
char **env_original(void);
/** A copy that stays, for values that hardly ever change: the same pointer for the same text. */
const char *env_keep(const char **kept, const char *text);
#endif
