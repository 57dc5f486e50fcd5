// SPDX-License-Identifier: MIT
#ifndef RACE_CALL_H
#define RACE_CALL_H
#include "race/shadow.h"

/**
 * The part of an access that traces and memos compare. False: the layout of the lanes has no name.
 */
static inline bool race_call_of(const struct race_op *op, struct race_call *c)
{
    if (op->shape == RACE_INDEXED || (op->shape == RACE_ELEMENTS && !op->layout)) return false;
    const bool in_elements = op->shape == RACE_ELEMENTS;
    c->layout = in_elements ? op->layout : 0;
    c->first = in_elements ? op->element0 + op->elements[0] : op->offset0;
    c->site = op->site;
    c->size = op->size;
    c->first_item = op->first_item;
    c->n = op->n;
    c->layout_lane = in_elements ? op->layout_lane : 0;
    c->kind = (uint32_t)op->shape | (uint32_t)op->is_write << 2 | (uint32_t)op->is_atomic << 3 |
              (uint32_t)(op->values != NULL) << 4 | (in_elements ? op->element_shift << 5 : 0);
    return true;
}

/** Compares everything except masks and values. */
static inline bool race_call_equals(const struct race_call *a, const struct race_call *b)
{
    uint64_t x[5], y[5]; // all members except the log's state
    memcpy(x, a, sizeof x);
    memcpy(y, b, sizeof y);
    return !((x[0] ^ y[0]) | (x[1] ^ y[1]) | (x[2] ^ y[2]) | (x[3] ^ y[3]) | (x[4] ^ y[4]));
}
#endif
