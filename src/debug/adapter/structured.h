// SPDX-License-Identifier: MIT
#ifndef DEBUG_STRUCTURED_H
#define DEBUG_STRUCTURED_H
#include <jansson.h>

/**
 * Data for a client that asks for it at `attach` ("structured"): `cldbg -i --interpreter=json`.
 * doc/DEBUGGER.md describes the members. Places, work-items and findings are those of the report
 * format json.
 */
/** place, work_item, launch and kernel of the focus. Only while a kernel is stopped. */
json_t *dbg_structured_position(void);
struct vm_launch;
struct bc_module;
/** The launch that begins. */
json_t *dbg_structured_launch(const struct vm_launch *l, const struct bc_module *m);
json_t *dbg_structured_finding(size_t index); // of dbg_findings.all
/** The answer to the question about the past that was just asked (dbg_goal.query), with its text.
 */
json_t *dbg_structured_answer(const char *text);
/** The result of the command line, which was executed; NULL: it has only text. */
json_t *dbg_structured_value(const char *line);
#endif
