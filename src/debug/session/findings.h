// SPDX-License-Identifier: MIT
#ifndef DEBUG_FINDINGS_H
#define DEBUG_FINDINGS_H
#include "base/vec.h"
#include "report/finding.h"

/** Findings of the checks, with the moment at which they were found. */
struct dbg_found {
    enum rep_kind kind;
    bool is_new;
    char *text;
    char *report; // as JSON, if the client wants data; otherwise NULL
    uint32_t item;
    uint64_t group, launch, time;
    struct rep_item sides[2];
    uint32_t lines[2];
    unsigned nsides;
    bool writes[2];     // the sides, of races
    char *object;       // name of the memory object; or NULL
    int64_t first_byte; // of the object
    uint64_t nbytes;
    uint32_t elsewhere; // divergence: a work-item that is not at the barrier; otherwise UINT32_MAX
};
struct dbg_findings {
    VEC(struct dbg_found) pending; // new findings
    VEC(struct dbg_found) all;     // findings of the process, for `info findings`
    size_t stopped_for;            // the one that the stop is for, from 1; 0: none
};
extern struct dbg_findings dbg_findings;
#endif
