// SPDX-License-Identifier: MIT
#ifndef CHECK_FAULT_REPORT_H
#define CHECK_FAULT_REPORT_H
#include "check/place.h"

// Private to check/: the finding that is made of a fault.

#define LL(x) ((unsigned long long)(x))

/** A fault, and what its texts are about. */
struct chk_subject {
    const struct chk_launch *l;
    const struct chk_fault_record *r;
    const struct chk_fault *f;
    const struct bc_mem *m;        // the access
    const struct chk_object *o;    // that it is of, or NULL
    const struct chk_image *image; // that this is, or NULL
    const char *pointer;           // the variable with the null or wild pointer, or NULL
    bool in_pipe; // in a function of pipes (the program's own pointers are generic there)
    struct arena *a;
    struct rep_finding *out;
};

/** Adds notes to s->out, or changes what the row of faults.def chose. */
typedef void chk_details_fn(const struct chk_subject *s);
chk_details_fn chk_null_details, chk_foreign_details, chk_released_details, chk_bounds_details,
    chk_align_details, chk_read_only_details, chk_not_waited_details, chk_event_details,
    chk_sub_group_details, chk_division_details, chk_undefined_details;
/** Bytes that are read too early, by a race, are that finding's. */
bool chk_is_read_too_early(const struct chk_launch *l, const struct chk_fault_record *r);
/** No value reached it from a work-item of its sub-group. */
bool chk_is_of_lane(const struct chk_fault *f);
/** Its object is one of each work-group, not of each work-item. */
bool chk_is_of_group(const struct chk_subject *s);
/** A component of a vector that is divided: "y"; NULL: not one of several. */
const char *chk_divided_component(const struct chk_subject *s);
#endif
