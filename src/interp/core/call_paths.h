// SPDX-License-Identifier: MIT
#ifndef INTERP_CALL_PATHS_H
#define INTERP_CALL_PATHS_H
#include "check/check.h"
#include "interp/core/gang.h"

/**
 * Calling contexts: the call chains from a kernel to the functions that it calls. Each has its own
 * numbers for the accesses of its function, so the number that the race check stores for an access
 * also identifies the calls that led to it.
 */
struct vm_call_path {
    uint32_t fn;      // index in code->fns
    uint32_t first;   // number of the function's first access; 0: numbers are those of the sites
                      // (vm_call_paths.number)
    uint32_t *callee; // by call in the function: index of the callee's path; 0: paths are not
                      // distinguished
};
struct vm_call_paths {
    struct vm_call_path *list; // [0] is the kernel's
    struct chk_path *paths;    // the same, for reports
    uint32_t npaths;
    uint32_t *ordinal; // by site: index within its function
    uint32_t *number;  // by site: number without a call path; 0: the kernel cannot reach it
    uint32_t nnumbers;
    // by number:
    uint32_t *site;  // of the module
    uint8_t *scope;  // of an atomic: race_config.scope_of
    uint8_t *bytes;  // of an access: race_config.bytes_of
    uint32_t *path;  // index in list
    uint32_t *place; // a site that represents all accesses at its line and column, by any call path
    uint32_t *statement; // a site that represents all accesses of its line
};

/** In the code's arena. */
struct vm_call_paths *vm_call_paths_make(struct vm_code *c);

/** The number that the race check gets for an access of the running function. */
static inline uint32_t vm_race_site(const struct vm_gang *g, uint32_t site)
{
    const struct vm_call_path *p = g->frame->path;
    if (!p || !p->first || g->code->module->sites[site].fn != g->frame->fn->index)
        return g->code->call_paths->number[site];
    return p->first + g->code->call_paths->ordinal[site];
}

static inline const struct vm_call_path *vm_path_of_call(const struct vm_gang *g,
                                                         const struct vm_frame *caller,
                                                         uint32_t call)
{
    const uint32_t at = caller->path ? caller->path->callee[call] : 0;
    return at ? &g->code->call_paths->list[at] : NULL;
}
#endif
