// SPDX-License-Identifier: MIT
// The writers of an object's elements, for the picture of a fault.
#include "check/fault_report.h"

#include <string.h>

enum { LARGEST_UNIT = 128, MOST_BEFORE = CHK_MOST_ELEMENTS / 2 };

static uint64_t lesser(uint64_t a, uint64_t b) { return a < b ? a : b; }

void chk_writers_choose(struct chk_writers *w, const struct chk_fault *f, uint64_t object_size,
                        unsigned least)
{
    *w = (struct chk_writers){0};
    const struct chk_origin *const from = &f->detail.origin;
    const bool is_undefined = f->kind >= CHK_UNDEF_BRANCH;
    if (!is_undefined && f->kind != CHK_BOUNDS) return;
    if (is_undefined && (!f->object || from->rewritten)) return;
    uint64_t unit = is_undefined ? from->size : f->detail.access.size;
    if (is_undefined && (unit & (unit - 1) || from->offset % unit)) unit = 1;
    if (unit < least) unit = least;
    if (!unit || unit % least || unit > LARGEST_UNIT || unit > object_size) return;
    const uint64_t all = object_size / unit, at = is_undefined ? from->offset / unit : 0;
    const bool is_at_end = !is_undefined && f->detail.access.offset >= 0;
    w->unit = unit;
    w->n = (uint32_t)lesser(all, is_undefined ? CHK_MOST_ELEMENTS - 1 : CHK_MOST_ELEMENTS - 8);
    const uint64_t last = all - w->n; // the first element of a picture of the end
    w->first = unit * (is_at_end ? last : at > MOST_BEFORE ? lesser(at - MOST_BEFORE, last) : 0);
    w->at_access = is_undefined;
}

void chk_put_writers(const struct chk_subject *s)
{
    static const char *const by[] = {"unknown", "never", "before", "item", "copy", "mixed"};
    const struct chk_writers *const w = s->r->writers;
    bool is_known = false;
    for (uint32_t i = 0; w && i < w->n; i++) is_known |= w->of[i].by != CHK_BY_UNKNOWN;
    if (!is_known || !s->o || s->image || s->o->packets.size) return;
    struct rep_writers *const out = arena_alloc(s->a, sizeof *out);
    *out = (struct rep_writers){.when = w->at_access         ? "access"
                                        : chk_is_of_local(s) ? "group"
                                                             : "launch",
                                .first = w->first,
                                .unit = w->unit,
                                .n = w->n};
    for (uint32_t i = 0; i < w->n; i++) {
        out->of[i].by = by[w->of[i].by];
        out->of[i].group = w->of[i].item.group;
        out->of[i].item = w->of[i].item.item;
    }
    s->out->scene.writers = out;
}
