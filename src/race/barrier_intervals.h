// SPDX-License-Identifier: MIT
#ifndef RACE_BARRIER_INTERVALS_H
#define RACE_BARRIER_INTERVALS_H
#include "race/shadow.h"

/** The state of a worker that finds out which barriers order something: see barrier_intervals.c. */
struct race_barrier_intervals *intervals_create(const struct race_launch *l);
void intervals_destroy(struct race_barrier_intervals *x); // NULL does nothing
void intervals_group_begin(struct race_barrier_intervals *x);
/** A barrier with these fences is passed; then its number, or 0. */
void intervals_barrier(struct race_barrier_intervals *x, unsigned fences);
void intervals_barrier_at(struct race_barrier_intervals *x, unsigned number);
/** `offset`: of the object in its root. */
void intervals_access(struct race_barrier_intervals *x, const struct race_op *op, uint64_t offset);
#endif
