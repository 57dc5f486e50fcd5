// SPDX-License-Identifier: MIT
// A buffer or variable with different values after machine code and after checked execution.
#include "check/place.h"

#define LL(x) ((unsigned long long)(x))

void chk_report_mismatch(const struct chk_launch *l, const struct chk_mismatch *x)
{
    struct arena arena = {0}, *a = &arena;
    struct rep_finding out = chk_finding(l, REP_NATIVE_MISMATCH);
    out.object = x->name;
    out.title =
        arena_printf(a, "'%s' differs between machine code and checked execution", out.object);
    const bool known = x->writer == CHK_WRITER_KNOWN;
    const uint32_t loc = known && x->loc ? x->loc : l->module->fns[l->kernel->fn].loc;
    out.sides[0] = (struct rep_side){.place = chk_place(l, a, (struct chk_where){loc, NULL, 0}),
                                     .what = "in this kernel"};
    if (known) out.sides[0].item = chk_rep_item(l, x->item);
    if (known && x->loc)
        out.sides[0].what = x->is_pixel ? "wrote the first pixel that differs"
                                        : "wrote the first element that differs";
    out.nsides = 1;
    const char *what = x->is_pixel     ? arena_printf(a, "channel %llu", LL(x->element))
                       : x->total == 1 ? out.object
                                       : arena_printf(a, "%s[%llu]", out.object, LL(x->element));
    const char *how_many = x->total == 1
                               ? ""
                               : arena_printf(a, ": the first of %llu that differ, of %llu",
                                              LL(x->count), LL(x->total));
    chk_note(&out, arena_printf(a, "%s is %s as machine code and %s checked%s", what, x->native,
                                x->checked, how_many));
    if (x->writer == CHK_WRITER_NONE)
        chk_note(&out, arena_printf(a, "in checked execution no work-item writes %s", what));
    chk_note(&out, "the app continues with the result of checked execution");
    if (l->rep) rep_add(l->rep, &out);
    arena_deinit(a);
}
