// SPDX-License-Identifier: MIT
#ifndef CLI_JUNIT_H
#define CLI_JUNIT_H
#include "base/err.h"

#include <jansson.h>
#include <stdbool.h>

/**
 * The document as JUnit's XML: a case for each kernel and check. `strict`: warnings fail, too.
 * *text is the caller's to free; an error (libxml2 is missing) leaves it as it is.
 */
struct err *cmd_junit(const json_t *doc, bool strict, char **text);
#endif
