// SPDX-License-Identifier: MIT
// The origin of an undefined value: a variable, bytes of an object, a missing work-item of the
// sub-group.
#include "check/fault_report.h"

#include <string.h>

/** Is it "f()", the return value of a function? */
static bool is_function(const char *name) { return name && strchr(name, '('); }

static const char *no_return(const struct chk_launch *l, struct arena *a, const char *name,
                             uint32_t loc, const char *through)
{
    const char *at = chk_loc_text(l, a, loc);
    return arena_printf(a, "%s%s%s ends without a return statement on this path%s", name,
                        at ? " at " : "", at ? at : "", through);
}

bool chk_is_of_lane(const struct chk_fault *f)
{
    return !f->object && !f->detail.origin.name && f->detail.origin.loc;
}

/** "'tmp' is 256 bytes of local memory (declared at k.cl:5), never written at bytes 12..15" */
static const char *origin_note(const struct chk_launch *l, const struct chk_fault *f,
                               struct arena *a)
{
    const char *through = f->detail.origin.rewritten ? "; it came here through other memory" : "";
    if (chk_is_of_lane(f)) {
        const char *at = chk_loc_text(l, a, f->detail.origin.loc);
        return arena_printf(a,
                            "the sub-group function%s%s was asked for the value of a work-item "
                            "that is not in the sub-group, or not active here: "
                            "its result is undefined%s",
                            at ? " at " : "", at ? at : "", through);
    }
    if (!f->object && !f->detail.origin.name)
        return "it came through other memory; which of many places it came from is not known";
    if (!f->object) {
        const char *at = chk_loc_text(l, a, f->detail.origin.loc),
                   *name = bc_str(l->module, f->detail.origin.name);
        if (is_function(name)) return no_return(l, a, name, f->detail.origin.loc, through);
        return arena_printf(a, "variable '%s'%s%s has no value on this path%s", name,
                            at ? " declared at " : "", at ? at : "", through);
    }
    const struct chk_object *o = &l->objects[f->object];
    if (is_function(o->name))
        return no_return(l, a, o->name, o->loc,
                         ""); // the caller's memory is an implementation detail
    const char *object = chk_object_note(l, a, f->object);
    const struct chk_image *image = &o->image;
    if (image->pixel && !f->detail.origin.rewritten) {
        int32_t at[3];
        chk_pixel_of(image, (uint64_t)f->detail.origin.offset, at);
        return arena_printf(a, "%s, never written at %s", object, chk_pixel_text(a, image, at));
    }
    if (f->detail.origin.rewritten)
        return arena_printf(a, "%s, never written where this was read%s", object, through);
    const long long from = (long long)f->detail.origin.offset,
                    to = from + (long long)f->detail.origin.size - 1;
    const char *or = l->stored_undefined && l->stored_undefined[f->object]
                         ? ", or written in this launch with what had no value itself"
                         : "";
    if (from == to) return arena_printf(a, "%s, never written at byte %lld%s", object, from, or);
    return arena_printf(a, "%s, never written at bytes %lld..%lld%s", object, from, to, or);
}

static enum rep_fix fix_of_undefined(const struct chk_launch *l, const struct chk_fault *f)
{
    if (chk_is_of_lane(f)) return REP_FIX_LANE;
    if (!f->object)
        return f->detail.origin.name && is_function(bc_str(l->module, f->detail.origin.name))
                   ? REP_FIX_NO_RETURN
                   : REP_FIX_OF_KIND;
    const struct chk_object *o = &l->objects[f->object];
    if (is_function(o->name)) return REP_FIX_NO_RETURN;
    if (l->stored_undefined && l->stored_undefined[f->object]) return REP_FIX_OF_KIND;
    return !strcmp(o->memory, "local memory") ? REP_FIX_LOCAL
           : o->packets.size                  ? REP_FIX_PIPE
           : o->is_arg                        ? REP_FIX_BUFFER
                                              : REP_FIX_OF_KIND;
}

/**
 * A debugger gets findings immediately (without l->raced), before it is known whether the value was
 * read too early.
 */
static bool may_be_written_later(const struct chk_launch *l, const struct chk_fault *f)
{
    const char *memory = f->object && f->object < l->nobjects ? l->objects[f->object].memory : NULL;
    return memory && (!strcmp(memory, "local memory") || !strcmp(memory, "global memory")) &&
           !is_function(l->objects[f->object].name);
}

bool chk_is_read_too_early(const struct chk_launch *l, const struct chk_fault_record *r)
{
    const struct chk_fault *f = &r->fault;
    const struct bits *raced = l->raced ? &l->raced[f->object] : NULL;
    if (!raced || !raced->n) return false;
    // If the bytes are not known, any race of a reader is the reason.
    return f->detail.origin.rewritten || (f->object && bits_has_all(raced, r->bytes));
}

void chk_undefined_details(const struct chk_subject *s)
{
    const struct chk_fault *f = s->f;
    const struct chk_origin *from = &f->detail.origin;
    struct rep_finding *out = s->out;
    out->calls_vary = true; // the uninitialized location must be fixed, for any call chain
    out->object = s->o                       ? s->o->name
                  : !f->object && from->name ? bc_str(s->l->module, from->name)
                                             : NULL;
    out->fix = fix_of_undefined(s->l, f);
    out->cause = f->object ? arena_printf(s->a, "object %u", f->object)
                           : arena_printf(s->a, "variable %u at %u", from->name, from->loc);
    chk_note(out, origin_note(s->l, f, s->a));
    chk_note(out, chk_layout_note(s->l, f->object, s->a));
    if (!s->l->raced && may_be_written_later(s->l, f))
        chk_note(out, "if another work-item writes it earlier in the program, without a barrier in "
                      "between, the report has that race instead");
}
