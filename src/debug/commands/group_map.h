// SPDX-License-Identifier: MIT
#ifndef DEBUG_GROUP_MAP_H
#define DEBUG_GROUP_MAP_H
#include "base/str.h"

/** A location of work-items of the stopped group. */
struct dbg_map_place {
    char letter;              // of its work-items in the map
    const char *name, *color; // "at barrier"; the color as in an escape sequence
    uint32_t file, line;      // line 0: none
    uint32_t count;           // of work-items
};
enum { DBG_MAX_PLACES = 64 };
/**
 * The data of `map`: the distinct locations, whose number is returned, and in `cells` a character
 * for each work-item: the letter of its location, '@' for the focus, '!' if it took part in a
 * finding. A kernel is stopped.
 */
size_t dbg_group_map(struct dbg_map_place to[DBG_MAX_PLACES], struct str *cells);
#endif
