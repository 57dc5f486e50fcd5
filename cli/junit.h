// SPDX-License-Identifier: MIT
#ifndef CLI_JUNIT_H
#define CLI_JUNIT_H
#include <jansson.h>
#include <stdbool.h>

/** The document as JUnit's XML: a case for each kernel and check. `strict`: warnings fail, too. The caller frees it. */
char *cmd_junit(const json_t *doc, bool strict);
#endif
