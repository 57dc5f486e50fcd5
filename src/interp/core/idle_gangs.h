// SPDX-License-Identifier: MIT
#ifndef INTERP_IDLE_GANGS_H
#define INTERP_IDLE_GANGS_H
#include <stdbool.h>
#include <stddef.h>

struct vm_code;
struct vm_gang;
struct vm_program;

/**
 * Gangs that no launch uses (vm_gang_get, vm_gang_put of gang.h), kept for the next launch of the
 * same code. An app may have thousands of programs: beyond a total of 32 MiB, those of the
 * programs that were launched longest ago are freed.
 */
struct vm_idle_gangs { // of a program
    struct vm_program *older, *newer;
    size_t bytes;
    bool is_listed;
};
void vm_idle_gangs_free(struct vm_program *p); // it will not run again
/** One without values; NULL: there is no memory for it. */
struct vm_gang *vm_gang_create(const struct vm_code *c);
#endif
