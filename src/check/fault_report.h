// SPDX-License-Identifier: MIT
#ifndef CHECK_FAULT_REPORT_H
#define CHECK_FAULT_REPORT_H
#include "check/place.h"

// Private to check/: from a fault to a finding.

#define LL(x) ((unsigned long long)(x))

/** A fault, with the subjects of its texts. */
struct chk_subject {
    const struct chk_launch *l;
    const struct chk_fault_record *r;
    const struct chk_fault *f;
    const struct bc_mem *m;        // the access
    const struct chk_object *o;    // the object, or NULL
    const struct chk_image *image; // the image, or NULL
    const char *pointer;           // the variable with the null or wild pointer, or NULL
    bool in_pipe; // in a function of pipes (where the program's pointers are generic)
    struct arena *a;
    struct rep_finding *out;
};

/** Adds notes to s->out, or changes what the row of faults.def chose. */
typedef void chk_details_fn(const struct chk_subject *s);
chk_details_fn chk_unreachable_details, chk_null_details, chk_foreign_details, chk_released_details,
    chk_bounds_details, chk_align_details, chk_read_only_details, chk_not_waited_details,
    chk_event_details, chk_sub_group_details, chk_division_details, chk_undefined_details;
/** Were the bytes read too early, by a race? Then the race is reported. */
bool chk_is_read_too_early(const struct chk_launch *l, const struct chk_fault_record *r);
/** Did the value of a missing work-item of its sub-group cause it? */
bool chk_is_of_lane(const struct chk_fault *f);
/** Its object is one of each work-group, not of each work-item. */
bool chk_is_of_group(const struct chk_subject *s);
/** Is its object local memory? */
bool chk_is_of_local(const struct chk_subject *s);
/** Adds the writers of the object's elements to the scene, if they are known. */
void chk_put_writers(const struct chk_subject *s);
/** The divided component of a vector: "y"; NULL: not one of several. */
const char *chk_divided_component(const struct chk_subject *s);
#endif
