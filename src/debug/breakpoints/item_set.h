// SPDX-License-Identifier: MIT
#ifndef DEBUG_ITEM_SET_H
#define DEBUG_ITEM_SET_H
#include "base/err.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

/** A set of work-items, with a range for each dimension: `(0..3,*)`. */
struct dbg_items {
    bool given;
    uint64_t from[3], to[3]; // global ids, inclusive
};

/** Parses "(0..3,*)"; *end is after it. */
struct err *dbg_items_parse(const char *text, const char **end, struct dbg_items *out);
void dbg_items_put(struct str *out, const struct dbg_items *s);
bool dbg_items_contain(const struct dbg_items *s, uint64_t group, uint32_t item);
#endif
