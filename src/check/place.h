// SPDX-License-Identifier: MIT
#ifndef CHECK_PLACE_H
#define CHECK_PLACE_H
#include "base/arena.h"
#include "check/check.h"

// Private to check/: texts of locations, work-items and objects, allocated in the given arena.

/**
 * The work-items of a group in each dimension (the last groups may have fewer), and in total.
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
 * The source of the condition (or the value of the switch) at loc, as far as known.
 */
struct chk_condition {
    const char *text;         // or NULL
    const char *left, *right; // of a comparison; otherwise NULL
    char op[3];               // "<", "==", …; else ""
};
struct chk_condition chk_condition(const struct chk_launch *l, struct arena *a, uint32_t loc);
/** The text in the brackets of the access at this location. */
struct chk_index {
    const char *text;  // `i - 1`; several pairs: `[i][j]`. NULL: none, or they belong to a member
                       // or to the target of a pointer
    const char *base;  // the name before the brackets; NULL: it is an expression
    unsigned brackets; // pairs
    bool has_member;   // of the element, `.x`
};
struct chk_index chk_index(const struct rep_place *p, struct arena *a);
/** Whether the source line of the location is known and has the text. */
bool chk_line_has(const struct rep_place *p, const char *text, struct arena *a);
/**
 * The pointer of an access: `p->next` in `p->next->v`, `pp[2]` in `pp[2][1]`, `p->q` in `*p->q`.
 * NULL: not certain.
 */
const char *chk_pointer_text(const struct rep_place *p, struct arena *a);
/**
 * The character at the location; NUL: not known. For a macro this is its name.
 */
char chk_letter_at(const struct rep_place *p);
/**
 * `b` of `p[i + 1].b`, the struct member in the expression; NULL: none, or a vector component.
 */
const char *chk_member_text(const struct rep_place *p, struct arena *a);
/** A finding without title, sides and notes. */
struct rep_finding chk_finding(const struct chk_launch *l, enum rep_kind kind);
/** "pixel (3, 4)", "pixel (3, 4) of layer 2" */
const char *chk_pixel_text(struct arena *a, const struct chk_image *m, const int32_t at[3]);
/** The pixel that contains this byte of an image. */
void chk_pixel_of(const struct chk_image *m, uint64_t offset, int32_t at[3]);
/**
 * A note for a buffer whose size is not a multiple of its structs: host and device may have
 * different layouts. NULL: none.
 */
const char *chk_layout_note(const struct chk_launch *l, uint32_t id, struct arena *a);
void chk_note(struct rep_finding *f, const char *note);
/** Passes a finding to the report and to on_finding. */
void chk_report(const struct chk_launch *l, const struct rep_finding *f);
#endif
