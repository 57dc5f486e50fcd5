// SPDX-License-Identifier: MIT
#ifndef INTERP_ACTIVE_LANES_H
#define INTERP_ACTIVE_LANES_H
#include "interp/core/gang.h"

#include <string.h>

/** Are the active lanes consecutive? Then they are lanes [first, first + nactive). */
struct active {
    bool in_row;
    uint32_t first;
};
static inline struct active active_lanes(struct vm_gang *g)
{
    if (g->nactive == g->nlanes) return (struct active){true, 0};
    if (g->row_at == g->insns && g->row_mask == g->mask)
        return (struct active){g->in_row, g->row_first}; // cached by the block's previous access
    const uint8_t *one = memchr(g->mask, 0xff, g->n);
    const uint32_t first = one ? (uint32_t)(one - g->mask) : 0;
    g->in_row = one && first + g->nactive <= g->nlanes && !memchr(one, 0, g->nactive);
    g->row_first = first;
    g->row_at = g->insns;
    g->row_mask = g->mask;
    return (struct active){g->in_row, first};
}
#endif
