// SPDX-License-Identifier: MIT
#ifndef DEBUG_WATCH_EXPRESSION_H
#define DEBUG_WATCH_EXPRESSION_H
#include "debug/expressions/expr.h"

/** A watched value that is not in memory, such as `a + b`. */
struct dbg_watched_part {
    uint64_t address, size;
};
struct dbg_watch_expression {
    struct dbg_expr *e; // its locations are fixed
    VEC(struct dbg_watched_part) parts;
    bool reads_more; // it may also read other memory, in a function
    uint8_t *seen;   // at the last check: the bytes of each part, and the enum vm_byte of each
    struct dbg_value value; // likewise
    char *error;            // why it had no value then; or NULL
};
/** Takes e, except on failure. The result depends on memory of the work-item or group of g, or not.
 */
struct err *dbg_watch_expression_create(const char *spec, struct dbg_expr *e, struct vm_gang *g,
                                        struct dbg_watch_expression **out);
void dbg_watch_expression_destroy(struct dbg_watch_expression *w);
/** Does it depend on an object of the kind (enum vm_object_kind)? */
bool dbg_watch_expression_uses(const struct dbg_watch_expression *w, struct vm_gang *g,
                               unsigned kind);
void dbg_watch_expression_refresh(struct dbg_watch_expression *w, struct vm_gang *g);
/** Has its value changed? Writes the values, and the parts that `item` wrote. */
bool dbg_watch_expression_changed(struct dbg_watch_expression *w, struct vm_gang *g, uint32_t item,
                                  struct str *out);
#endif
