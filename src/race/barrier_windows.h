// SPDX-License-Identifier: MIT
#ifndef RACE_BARRIER_WINDOWS_H
#define RACE_BARRIER_WINDOWS_H
#include "race/shadow.h"

/** The state of a worker that finds out which barriers order something: see barrier_windows.c. */
struct race_windows *windows_create(const struct race_launch *l);
void windows_destroy(struct race_windows *x); // NULL does nothing
void windows_group_begin(struct race_windows *x);
/** A barrier with these fences is passed; then its number, or 0. */
void windows_barrier(struct race_windows *x, unsigned fences);
void windows_barrier_at(struct race_windows *x, unsigned number);
/** `offset`: of the object in its root. */
void windows_access(struct race_windows *x, const struct race_op *op, uint64_t offset);
#endif
