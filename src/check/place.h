// SPDX-License-Identifier: MIT
#ifndef CHECK_PLACE_H
#define CHECK_PLACE_H
#include "base/arena.h"
#include "check/check.h"

// Private to check/: words for places, work-items and objects. Everything lives in the arena given.

/** The place of a loc, with the calls it was inlined through and those above it. */
struct rep_place chk_place(const struct chk_launch *l, struct arena *a, struct chk_where where);
/**
 * The work-items of a group along each dimension; the last ones may have fewer. How many in all.
 */
uint64_t chk_shape(const struct chk_launch *l, uint64_t group, uint64_t shape[3]);
struct rep_item chk_rep_item(const struct chk_launch *l, struct chk_item item);
/** "'tmp' (1024 bytes of local memory)" */
const char *chk_object_text(const struct chk_launch *l, struct arena *a, uint32_t id);
/** "'tmp' is 1024 bytes of local memory (declared at reduce.cl:5)" */
const char *chk_object_note(const struct chk_launch *l, struct arena *a, uint32_t id);
const char *chk_object_name(const struct chk_launch *l, uint32_t id); // NULL if it has none
/** "reduce.cl:5", or NULL */
const char *chk_loc_text(const struct chk_launch *l, struct arena *a, uint32_t loc);
/**
 * The source of the condition (or the value of the switch) that stands at loc, as far as that is
 * known.
 */
struct chk_condition {
    const char *text;         // or NULL
    const char *left, *right; // of a comparison; else NULL
    char op[3];               // "<", "==", …; else ""
};
struct chk_condition chk_condition(const struct chk_launch *l, struct arena *a, uint32_t loc);
/** What stands in the brackets of the access at this place. */
struct chk_index {
    const char *text;  // `i - 1`; of several pairs `[i][j]`. NULL: none are found, or they are of a
                       // member, or in what a pointer leads to
    const char *base;  // the name before the brackets; NULL: it is an expression
    unsigned brackets; // pairs
    bool has_member;   // of the element, `.x`
};
struct chk_index chk_index(const struct rep_place *p, struct arena *a);
/**
 * What the access goes through: `p->next` of `p->next->v`, `pp[2]` of `pp[2][1]`, `p->q` of
 * `*p->q`. NULL: not sure.
 */
const char *chk_pointer_text(const struct rep_place *p, struct arena *a);
/**
 * What stands at the place itself; NUL where that is not known. In a macro's place stands its name.
 */
char chk_letter_at(const struct rep_place *p);
/**
 * `b` of `p[i + 1].b`, the member of a struct that the expression names; NULL: it names none, or an
 * element of a vector.
 */
const char *chk_member_text(const struct rep_place *p, struct arena *a);
/** Ready but for title, sides and notes. */
struct rep_finding chk_finding(const struct chk_launch *l, enum rep_kind kind);
/** "pixel (3, 4)", "pixel (3, 4) of layer 2" */
const char *chk_pixel_text(struct arena *a, const struct chk_image *m, const int32_t at[3]);
/** The pixel that holds this byte of an image. */
void chk_pixel_of(const struct chk_image *m, uint64_t offset, int32_t at[3]);
/**
 * Of a buffer of structs whose size is not a multiple of theirs: that host and device may lay them
 * out differently. NULL: nothing to say.
 */
const char *chk_layout_note(const struct chk_launch *l, uint32_t id, struct arena *a);
void chk_note(struct rep_finding *f, const char *note);
/** To the report, and to who listens. */
void chk_report(const struct chk_launch *l, const struct rep_finding *f);
#endif
