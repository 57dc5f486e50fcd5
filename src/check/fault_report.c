// SPDX-License-Identifier: MIT
// Accesses that are wrong, and division: one finding for each place.
#include "check/divergence.h"

#include <string.h>

#define LL(x) ((unsigned long long)(x))

static const enum rep_kind kind_of[] = {
    [CHK_NULL] = REP_NULL_DEREFERENCE,
    [CHK_WILD] = REP_ADDRESS_SPACE,
    [CHK_SPACE] = REP_ADDRESS_SPACE,
    [CHK_RELEASED] = REP_USE_AFTER_RELEASE,
    [CHK_SUBOBJECT] = REP_SUBOBJECT_OVERFLOW,
    [CHK_BOUNDS] = REP_OUT_OF_BOUNDS,
    [CHK_ALIGN] = REP_MISALIGNED_ACCESS,
    [CHK_READ_ONLY] = REP_READ_ONLY_WRITE,
    [CHK_WRITE_ONLY] = REP_WRITE_ONLY_READ,
    [CHK_OVERLAP] = REP_OVERLAPPING_COPY,
    [CHK_NOT_WAITED] = REP_ASYNC_NOT_WAITED,
    [CHK_EVENT] = REP_INVALID_EVENT,
    [CHK_SUB_GROUP] = REP_BARRIER_DIVERGENCE,
    [CHK_UNFENCED] = REP_MISSING_FENCE,
    [CHK_ID] = REP_OUT_OF_BOUNDS,
    [CHK_COMPONENT] = REP_OUT_OF_BOUNDS,
    [CHK_UNREACHABLE] = REP_UNREACHABLE,
    [CHK_DIV] = REP_DIVISION_BY_ZERO,
    [CHK_CONVERT] = REP_INVALID_CONVERSION,
    [CHK_UNDEF_BRANCH] = REP_UNINITIALIZED_READ,
    [CHK_UNDEF_ADDRESS] = REP_UNINITIALIZED_READ,
    [CHK_UNDEF_PRINT] = REP_UNINITIALIZED_READ,
    [CHK_UNDEF_STORE] = REP_UNINITIALIZED_READ,
    [CHK_UNDEF_ATOMIC] = REP_UNINITIALIZED_READ,
};

static const char *access_text(const struct bc_mem *m, uint64_t size, struct arena *a)
{
    static const char *const verb[] = {"address",       "read",        "write",
                                       "atomic update", "atomic read", "atomic write"};
    return arena_printf(a, "%s of %llu byte%s", verb[m->kind], LL(size), size == 1 ? "" : "s");
}

/** "the access is at offset 1024, 0 bytes past the end" */
static const char *where_text(const struct chk_fault *f, const struct chk_object *o,
                              struct arena *a)
{
    if (f->offset == INT64_MIN || f->offset == INT64_MAX)
        return "the access is far outside, beyond what an address can say";
    const long long at = f->offset;
    if (at < 0)
        return arena_printf(a, "the access begins %llu bytes before its beginning",
                            LL(-(at + 1)) + 1);
    if ((uint64_t)at >= o->size)
        return at == (long long)o->size
                   ? arena_printf(a, "the access is at offset %lld, just past its end", at)
                   : arena_printf(a, "the access is at offset %lld, %llu bytes past its end", at,
                                  LL(at - o->size));
    return arena_printf(a,
                        "the access begins inside at offset %lld and ends %llu bytes past its end",
                        at, LL(at + f->size - o->size));
}

/**
 * "element 100, by the index `i + 1`; it has 100, 0 to 99", where the access is one of an array's
 * elements. Those of an array of arrays are counted through, as far as it is sure that all brackets
 * are its own: one may be that of an array of pointers.
 */
static const char *element_text(const struct chk_fault *f, const struct chk_object *o,
                                const struct bc_mem *m, const struct rep_place *p, struct arena *a)
{
    const struct chk_index index = chk_index(p, a);
    if (!index.text)
        return NULL; // what a macro or a pointer reaches need not be an array of such elements
    const bool nested = index.brackets > 1,
               has_scale = m->index_kind != BC_IDX_NONE && m->scale > 0;
    if (index.has_member && (nested || !has_scale)) return NULL;
    if (nested && !(o->name && index.base && !strcmp(o->name, index.base))) return NULL;
    const int64_t size = has_scale && !nested ? m->scale : (int64_t)f->size;
    if (f->offset == INT64_MIN || f->offset == INT64_MAX || size < (int64_t)f->size || !o->size ||
        o->size % (uint64_t)size)
        return NULL;
    const int64_t element = f->offset / size - (f->offset % size < 0);
    const char *what =
        nested ? arena_printf(a, "that is element %lld, counted through, by the indices `%s`",
                              (long long)element, index.text)
               : arena_printf(a, "that is element %lld, by the index `%s`", (long long)element,
                              index.text);
    if (o->size == (uint64_t)size) return arena_printf(a, "%s; it has only element 0", what);
    return arena_printf(a, "%s; it has elements 0 to %lld", what,
                        (long long)(o->size / (uint64_t)size) - 1);
}

/**
 * An access that is a whole int's range outside may come from an argument of 64 bits whose upper
 * half nobody meant: the host gave a variable of 4 bytes as one of 8.
 */
static void note_wide_arguments(const struct chk_launch *l, const struct chk_fault *f,
                                const struct chk_object *o, struct rep_finding *out,
                                struct arena *a)
{
    const struct bc_module *m = l->module;
    if (f->offset >= -INT32_MAX && f->offset <= (int64_t)o->size + INT32_MAX) return;
    for (uint32_t i = 0; i < l->kernel->nargs; i++) {
        const struct bc_arg *arg = &m->args[l->kernel->first_arg + i];
        const struct chk_object *given = &l->objects[m->nobjects + 1 + i];
        if (!given->value || arg->size != sizeof(uint64_t) ||
            (strcmp(bc_str(m, arg->type), "ulong") && strcmp(bc_str(m, arg->type), "long")))
            continue;
        uint64_t value;
        memcpy(&value, given->value, sizeof value);
        if (value >> 32 == 0 || value >> 32 == UINT32_MAX) continue;
        const char *name = given->name ? arena_printf(a, "'%s'", given->name)
                                       : arena_printf(a, "number %u", i);
        chk_note(out, arena_printf(a,
                                   "argument %s is 0x%llx: if the host's variable has only 4 "
                                   "bytes, the upper half is whatever lies behind it",
                                   name, LL(value)));
    }
}

// ---- conversions
static bool is_signed(uint16_t op) { return op >= BC_F2S_I8_F32; }

static const char *integer_text(uint16_t op)
{
    static const char *const names[2][4] = {{"uchar", "ushort", "uint", "ulong"},
                                            {"char", "short", "int", "long"}};
    return names[is_signed(op)][__builtin_ctz(bc_type_size(bc_ops[op].type))];
}

/** "float value 3e+09 is converted to int, which cannot hold it" */
static const char *conversion_title(const struct chk_fault *f, struct arena *a)
{
    const union {
        int64_t bits;
        double value;
    } x = {f->offset};
    const char *from = bc_ops[f->op].from == BC_F64 ? "double" : "float", *to = integer_text(f->op);
    if (x.value != x.value)
        return arena_printf(a, "a %s that is not a number is converted to %s", from, to);
    return arena_printf(a, "%s value %.9g is converted to %s, which cannot hold it", from, x.value,
                        to);
}

static const char *conversion_note(const struct chk_fault *f, struct arena *a)
{
    const unsigned bits = 8 * bc_type_size(bc_ops[f->op].type);
    const unsigned long long top = UINT64_MAX >> (64 - bits + is_signed(f->op));
    const char *low = is_signed(f->op) ? arena_printf(a, "-%llu", top + 1) : "0";
    return arena_printf(
        a, "%s holds %s to %llu; the result is the nearest of these here, 0 where there is none",
        integer_text(f->op), low, top);
}

/** What a pointer to no object stands in, as the source calls it; NULL: not known. */
static const char *pointer_of(const struct chk_launch *l, const struct chk_fault *f,
                              const struct rep_place *at, struct arena *a)
{
    if (f->kind != CHK_NULL && f->kind != CHK_WILD) return NULL;
    const uint32_t name = l->module->sites[f->site].pointer;
    return name ? bc_str(l->module, name) : chk_pointer_text(at, a);
}

/**
 * The arguments that a null pointer may come from: the one of its name, in the kernel itself, or
 * any.
 */
static void note_null_arguments(const struct chk_launch *l, const char *pointer,
                                struct rep_finding *out, struct arena *a)
{
    bool is_argument = false;
    for (int named = 1; named >= 0 && !is_argument; named--)
        for (uint32_t i = 0; i < l->nobjects; i++) {
            const char *name = l->objects[i].is_null_arg ? l->objects[i].name : NULL;
            if (!name ||
                (named && !(pointer && !out->sides[0].place.called_from && !strcmp(pointer, name))))
                continue;
            is_argument = true;
            chk_note(out, arena_printf(a, "argument '%s' was given no memory object", name));
        }
}

static const char *title_of(const struct chk_launch *l, const struct chk_fault *f,
                            const char *access, const char *pointer, struct arena *a)
{
    const char *object =
        f->kind >= CHK_SPACE && f->kind != CHK_EVENT ? chk_object_text(l, a, f->object) : "";
    switch (f->kind) {
    case CHK_NULL:
        return pointer ? arena_printf(a, "%s through '%s', a null pointer", access, pointer)
                       : arena_printf(a, "%s through a null pointer", access);
    case CHK_WILD:
        return pointer ? arena_printf(a, "%s through '%s', a pointer to no memory object", access,
                                      pointer)
                       : arena_printf(a, "%s through a pointer to no memory object", access);
    case CHK_SPACE:
        return arena_printf(a, "%s through a pointer into another address space, to %s", access,
                            object);
    case CHK_RELEASED:
        if (l->objects[f->object].release)
            return arena_printf(a, "%s through a pointer to %s, which was freed", access, object);
        return arena_printf(a, "%s through a pointer to %s, whose function has returned", access,
                            object);
    case CHK_BOUNDS:
        return arena_printf(a,
                            l->objects[f->object].packets.size ? "%s outside its reservation in %s"
                                                               : "%s outside %s",
                            access, object);
    case CHK_SUBOBJECT:
        return arena_printf(a, "index %lld is outside its array of %llu elements, in %s",
                            (long long)f->offset, LL(f->size), object);
    case CHK_COMPONENT:
        return arena_printf(a, "index %lld is outside a vector of %llu components",
                            (long long)f->offset, LL(f->size));
    case CHK_ALIGN: return arena_printf(a, "misaligned %s in %s", access, object);
    case CHK_READ_ONLY: return arena_printf(a, "%s to read-only %s", access, object);
    case CHK_WRITE_ONLY: return arena_printf(a, "%s of write-only %s", access, object);
    case CHK_OVERLAP:
        return arena_printf(a, "copy of %llu bytes between places of %s that overlap", LL(f->size),
                            object);
    case CHK_NOT_WAITED: return arena_printf(a, "an async copy to %s is never waited for", object);
    case CHK_UNFENCED:
        return arena_printf(
            a, "a work-item reads a pixel of %s that it wrote itself, with no fence between",
            object);
    case CHK_EVENT:
        return f->offset ? "wait_group_events is given an event that was already waited for"
                         : "wait_group_events is given an event that no async copy returned";
    case CHK_CONVERT: return conversion_title(f, a);
    case CHK_UNREACHABLE:
        return "a place is reached that __builtin_unreachable says is never reached";
    case CHK_SUB_GROUP: return "sub-group function not reached by all work-items of the sub-group";
    case CHK_ID:
        if (f->offset == BC_NO_ID)
            return "a broadcast's id is outside the work-group in one of its dimensions";
        return arena_printf(
            a, "the id %lld of a broadcast is outside the %s-group, which has work-item%s 0%s",
            (long long)f->offset, f->at[0] ? "sub" : "work", f->size == 1 ? "" : "s",
            f->size == 1 ? "" : arena_printf(a, " to %llu", LL(f->size - 1)));
    default: break;
    }
    return f->offset ? "integer division whose result overflows: the smallest number divided by -1"
                     : "integer division by zero";
}

/**
 * "packet 7 of a reservation of 7 (0 to 6)": what the offset says, as __cldbg_pipe_reserved of
 * frontend/pipes.cl made it.
 */
static const char *packet_text(const struct chk_fault *f, const struct chk_packets *p,
                               struct arena *a)
{
    const uint64_t packet = ((uint64_t)f->offset - p->data) / p->size - p->most,
                   n = packet % (p->most + 1ull), behind = packet / (p->most + 1ull);
    const char *which = n == 1 ? "only 0" : arena_printf(a, "0 to %llu", LL(n - 1));
    return arena_printf(a, "the index is %s%llu, in a reservation of %llu packet%s (%s)",
                        behind == 0x7fff ? "at least " : "", LL(n + behind), LL(n),
                        n == 1 ? "" : "s", which);
}

/** Is it "f()", what a function returns? */
static bool is_function(const char *name) { return name && strchr(name, '('); }

static const char *no_return(const struct chk_launch *l, struct arena *a, const char *name,
                             uint32_t loc, const char *through)
{
    const char *at = chk_loc_text(l, a, loc);
    return arena_printf(a, "%s%s%s ends without a return statement on this path%s", name,
                        at ? " at " : "", at ? at : "", through);
}

/** Did a function of the sub-group give the value of a work-item that is absent? */
static bool is_of_lane(const struct chk_fault *f)
{
    return !f->object && !f->origin_name && f->origin_loc;
}

/** "'tmp' is 256 bytes of local memory (declared at k.cl:5), never written at bytes 12..15" */
static const char *origin_note(const struct chk_launch *l, const struct chk_fault *f,
                               struct arena *a)
{
    const char *through = f->rewritten ? "; it came here through other memory" : "";
    if (is_of_lane(f)) {
        const char *at = chk_loc_text(l, a, f->origin_loc);
        return arena_printf(a,
                            "the sub-group function%s%s was asked for the value of a work-item "
                            "that is not in the sub-group, or not active here: "
                            "what it gives is undefined%s",
                            at ? " at " : "", at ? at : "", through);
    }
    if (!f->object && !f->origin_name)
        return "it came through memory from one of very many places that lack a value";
    if (!f->object) {
        const char *at = chk_loc_text(l, a, f->origin_loc),
                   *name = bc_str(l->module, f->origin_name);
        if (is_function(name)) return no_return(l, a, name, f->origin_loc, through);
        return arena_printf(a, "variable '%s'%s%s has no value on this path%s", name,
                            at ? " declared at " : "", at ? at : "", through);
    }
    const struct chk_object *o = &l->objects[f->object];
    if (is_function(o->name))
        return no_return(l, a, o->name, o->loc,
                         ""); // that it came through the caller's memory is how it is done
    const char *object = chk_object_note(l, a, f->object);
    const struct chk_image *image = &o->image;
    if (image->pixel && !f->rewritten) {
        int32_t at[3];
        chk_pixel_of(image, (uint64_t)f->offset, at);
        return arena_printf(a, "%s, never written at %s", object, chk_pixel_text(a, image, at));
    }
    if (f->rewritten)
        return arena_printf(a, "%s, never written where this was read%s", object, through);
    const long long from = (long long)f->offset, to = from + (long long)f->size - 1;
    const char *or = l->hollow && l->hollow[f->object]
                         ? ", or written in this launch with what had no value itself"
                         : "";
    if (from == to) return arena_printf(a, "%s, never written at byte %lld%s", object, from, or);
    return arena_printf(a, "%s, never written at bytes %lld..%lld%s", object, from, to, or);
}

static enum rep_mend mend_of_undefined(const struct chk_launch *l, const struct chk_fault *f)
{
    if (is_of_lane(f)) return REP_MEND_LANE;
    if (!f->object)
        return f->origin_name && is_function(bc_str(l->module, f->origin_name)) ? REP_MEND_NO_RETURN
                                                                                : REP_MEND_OF_KIND;
    const struct chk_object *o = &l->objects[f->object];
    if (is_function(o->name)) return REP_MEND_NO_RETURN;
    if (l->hollow && l->hollow[f->object]) return REP_MEND_OF_KIND;
    return !strcmp(o->memory, "local memory") ? REP_MEND_LOCAL
           : o->is_arg                        ? REP_MEND_BUFFER
                                              : REP_MEND_OF_KIND;
}

static enum rep_mend mend_of_fault(const struct chk_launch *l, const struct chk_fault *f,
                                   bool in_pipe)
{
    const struct chk_object *o = f->object && f->object < l->nobjects ? &l->objects[f->object]
                                                                      : NULL;
    switch (f->kind) {
    case CHK_SUB_GROUP: return REP_MEND_SUB_GROUP;
    case CHK_UNFENCED: return REP_MEND_OWN_PIXEL;
    case CHK_ID: return REP_MEND_ID;
    case CHK_NULL: return in_pipe ? REP_MEND_RESERVATION : REP_MEND_OF_KIND;
    case CHK_WILD: return REP_MEND_WILD;
    case CHK_RELEASED: return o && o->release ? REP_MEND_OF_KIND : REP_MEND_RETURNED;
    case CHK_BOUNDS:
        return in_pipe               ? REP_MEND_PACKETS
               : o && o->image.pixel ? REP_MEND_PIXELS
               : o && !o->is_arg     ? REP_MEND_ARRAY
                                     : REP_MEND_OF_KIND;
    case CHK_DIV: return f->offset ? REP_MEND_QUOTIENT : REP_MEND_OF_KIND;
    case CHK_ALIGN:
        return l->module->sites[f->site].kind >= BC_ATOMIC_RMW ? REP_MEND_MISALIGNED_ATOMIC
                                                               : REP_MEND_OF_KIND;
    case CHK_READ_ONLY: return o && !o->is_arg ? REP_MEND_CONSTANT : REP_MEND_OF_KIND;
    default: return REP_MEND_OF_KIND;
    }
}

/**
 * A debugger is told at once (without l->raced): then nobody knows yet whether it was read too
 * early.
 */
static bool may_be_written_later(const struct chk_launch *l, const struct chk_fault *f)
{
    const char *memory = f->object && f->object < l->nobjects ? l->objects[f->object].memory : NULL;
    return memory && (!strcmp(memory, "local memory") || !strcmp(memory, "global memory")) &&
           !is_function(l->objects[f->object].name);
}

/**
 * Are these bytes all of those that raced? Where it is not known which they are, any race of a
 * reader is the reason.
 */
static bool is_read_too_early(const struct bits *raced, const struct chk_fault *f)
{
    if (f->rewritten) return raced->n && (f->object || f->rewritten);
    return f->object && raced->n && bits_has_all(raced, f->bytes);
}

static void report_undefined(const struct chk_launch *l, const struct chk_fault *f)
{
    // Bytes that are read too early, by a race, are that finding's; where it is not known which
    // object they were of, that may be any.
    if (l->raced && is_read_too_early(&l->raced[f->object], f)) return;
    struct arena arena = {0}, *a = &arena;
    static const char *const titles[] = {
        [CHK_UNDEF_BRANCH] = "a branch depends on %s",
        [CHK_UNDEF_ADDRESS] = "an address depends on %s",
        [CHK_UNDEF_PRINT] = "%s is printed",
        [CHK_UNDEF_STORE] = "%s is stored to global memory",
        [CHK_UNDEF_ATOMIC] = "%s is given to an atomic operation",
    };
    static const char *const what[] = {[CHK_UNDEF_BRANCH] = "branch",
                                       [CHK_UNDEF_ADDRESS] = "access",
                                       [CHK_UNDEF_PRINT] = "printf",
                                       [CHK_UNDEF_STORE] = "write",
                                       [CHK_UNDEF_ATOMIC] = "atomic operation"};
    struct rep_finding out = chk_finding(l, REP_UNINITIALIZED_READ);
    out.title =
        arena_printf(a, titles[f->kind],
                     is_of_lane(f) ? "an undefined value" : "a value that was never written");
    out.sides[0] =
        (struct rep_side){chk_place(l, a, f->where), chk_rep_item(l, f->item), what[f->kind]};
    out.nsides = 1;
    out.group_linear = f->item.group;
    out.count = f->count;
    out.groups = f->groups;
    // Who left it without a value is what is to be mended, by whatever calls it came here.
    out.calls_vary = true;
    out.object = !f->object ? f->origin_name ? bc_str(l->module, f->origin_name) : NULL
                 : f->object < l->nobjects ? l->objects[f->object].name
                                           : NULL;
    out.mend = mend_of_undefined(l, f);
    out.cause = f->object ? arena_printf(a, "object %u", f->object)
                          : arena_printf(a, "variable %u at %u", f->origin_name, f->origin_loc);
    chk_note(&out, origin_note(l, f, a));
    if (!l->raced && may_be_written_later(l, f))
        chk_note(&out, "if another work-item writes it later with no barrier between, that race is "
                       "the reason, and the report has the race alone");
    chk_tell(l, &out);
    arena_deinit(a);
}

/** "y", "s11", of a vector's; NULL: nothing has so many. */
static const char *component_text(unsigned at, unsigned of, struct arena *a)
{
    if (of > 16 || at >= of) return NULL;
    return of <= 4 ? arena_printf(a, "%c", "xyzw"[at]) : arena_printf(a, "s%x", at);
}

/**
 * "8 of the 32 work-items of the sub-group are here: work-items 32..39; work-items 40..63 are not"
 */
static const char *sub_group_text(const struct chk_launch *l, const struct chk_fault *f,
                                  struct arena *a)
{
    uint64_t shape[3];
    const uint64_t items = chk_shape(l, f->item.group, shape),
                   missing = (uint64_t)f->offset - f->size;
    const struct chk_divergence d = {
        .group = f->item.group,
        .items = (uint32_t)items,
        .shape = {(uint32_t)shape[0], (uint32_t)shape[1], (uint32_t)shape[2]}};
    uint8_t *who[2] = {arena_array(a, uint8_t, items), arena_array(a, uint8_t, items)};
    for (uint32_t i = 0; i < (uint32_t)f->offset && (uint32_t)f->at[0] + i < items; i++)
        who[(uint32_t)f->at[1] >> i & 1][(uint32_t)f->at[0] + i] = 1;
    return arena_printf(a, "%llu of the %lld work-items of the sub-group %s here: %s; %s %s not",
                        LL(f->size), (long long)f->offset, f->size == 1 ? "is" : "are",
                        chk_items_text(l, &d, who[1], a), chk_items_text(l, &d, who[0], a),
                        missing == 1 ? "is" : "are");
}

void chk_report_fault(const struct chk_launch *l, const struct chk_fault *f)
{
    if (f->kind >= CHK_UNDEF_BRANCH) {
        report_undefined(l, f);
        return;
    }
    struct arena arena = {0}, *a = &arena;
    const struct bc_mem *m = &l->module->sites[f->site];
    struct rep_finding out = chk_finding(l, kind_of[f->kind]);
    const struct chk_image *image = f->object < l->nobjects && l->objects[f->object].image.pixel
                                        ? &l->objects[f->object].image
                                        : NULL;
    const char *access = f->kind == CHK_DIV                                     ? "division"
                         : f->kind == CHK_CONVERT                               ? "conversion"
                         : f->kind == CHK_SUBOBJECT || f->kind == CHK_COMPONENT ? "index"
                         : f->kind == CHK_NOT_WAITED                            ? "async copy begun"
                         : f->kind == CHK_EVENT                                 ? "waited for"
                         : f->kind == CHK_ID                                    ? "asked for"
                         : f->kind == CHK_SUB_GROUP || f->kind == CHK_UNREACHABLE ? "reached"
                         : f->kind == CHK_OVERLAP
                             ? arena_printf(a, "copy of %llu bytes", LL(f->size))
                         : image
                             ? arena_printf(a, "%s of %s", m->kind == BC_WRITE ? "write" : "read",
                                            chk_pixel_text(a, image, f->at))
                             : access_text(m, f->size, a);
    const bool in_pipe =
        m->space == BC_GLOBAL &&
        chk_in_library(l, f->where); // (the program's own pointers are generic there)
    out.mend = mend_of_fault(l, f, in_pipe);
    out.sides[0] = (struct rep_side){chk_place(l, a, f->where), chk_rep_item(l, f->item), access};
    out.object = in_pipe ? NULL : pointer_of(l, f, &out.sides[0].place, a);
    out.title = in_pipe && f->kind == CHK_NULL ? "a pipe's reservation is used that is none"
                                               : title_of(l, f, access, out.object, a);
    out.nsides = 1;
    out.group_linear = f->item.group;
    out.count = f->count;
    out.groups = f->groups;
    if (f->kind == CHK_NULL && !in_pipe) note_null_arguments(l, out.object, &out, a);
    const bool has_object = f->kind != CHK_WILD && f->object && f->object < l->nobjects;
    if (has_object) {
        const struct chk_object *o = &l->objects[f->object];
        out.object = o->name;
        if (o->memory && !o->is_null_arg) chk_note(&out, chk_object_note(l, a, f->object));
        if (f->kind == CHK_RELEASED && o->release)
            chk_note(&out, arena_printf(a, "%s was %s", o->release,
                                        o->released ? o->released : "called before the launch"));
        if (f->kind == CHK_BOUNDS &&
            !image) // an object that is too small is so wherever that part of it is used
            out.cause = arena_printf(a, "object %u at %lld", f->object, (long long)f->offset);
        if (f->kind == CHK_BOUNDS && image && f->offset)
            chk_note(&out, "a linear filter reads the pixels around the coordinates, and "
                           "CLK_ADDRESS_NONE is a promise that none of them lies outside");
        if (f->kind == CHK_BOUNDS && o->packets.size) {
            chk_note(&out, packet_text(f, &o->packets, a));
        } else if (f->kind == CHK_BOUNDS && !image) {
            chk_note(&out, where_text(f, o, a));
            if (o->memory) chk_note(&out, element_text(f, o, m, &out.sides[0].place, a));
            note_wide_arguments(l, f, o, &out, a);
        }
        if (f->kind == CHK_ALIGN)
            chk_note(&out,
                     arena_printf(a, "the access is at offset %lld, which is no multiple of %u",
                                  (long long)f->offset, m->align));
    }
    if (in_pipe && f->kind == CHK_NULL)
        chk_note(&out, "it was not given, as is_valid_reserve_id tells, or was committed before, "
                       "or is for the other direction");
    if (f->kind <= CHK_BOUNDS)
        chk_note(&out, m->kind == BC_WRITE  ? "the store was dropped"
                       : m->kind == BC_READ ? image ? "what is read is undefined; here it is 0"
                                                    : "the value read is 0"
                                            : NULL);
    if (f->kind == CHK_OVERLAP)
        chk_note(&out,
                 arena_printf(a, "the destination begins %llu bytes %s the source and overlaps it",
                              LL(f->offset < 0 ? -f->offset : f->offset),
                              f->offset < 0 ? "before" : "behind"));
    if (f->kind == CHK_NOT_WAITED) {
        chk_note(&out, "the work-group ended with the copy under way: no wait_group_events was "
                       "given its event");
        const struct chk_left *left = l->left ? &l->left[f->where.loc] : NULL;
        const char *at = left && left->used ? chk_loc_text(l, a, left->used) : NULL;
        if (at)
            chk_note(&out,
                     arena_printf(
                         a, "it was %s at %s:%u, when nothing said that the copy had ended",
                         left->is_write ? "written" : "read", at, l->module->locs[left->used].col));
    }
    if (f->kind == CHK_EVENT && !f->offset)
        chk_note(&out, "the event is 0, was never written, or does not come from "
                       "async_work_group_copy or async_work_group_strided_copy of this work-group");
    if (f->kind == CHK_SUBOBJECT)
        chk_note(&out, "the access stays inside the object: it reaches what lies beside the array");
    if (f->kind == CHK_WRITE_ONLY)
        chk_note(&out, "what a kernel reads of it is undefined; here it is what the memory holds");
    if (f->kind == CHK_SUB_GROUP) {
        chk_note(&out, sub_group_text(l, f, a));
        chk_note(&out, "what it gives is undefined; here it takes the values of those that reached "
                       "it together");
    }
    if (f->kind == CHK_ID) chk_note(&out, "what it gives is undefined; here it is 0");
    if (f->kind == CHK_COMPONENT)
        chk_note(&out,
                 "the result is undefined; here a read gives 0 and a write changes no component");
    if (f->kind == CHK_UNREACHABLE)
        chk_note(&out, "a compiler may take it that the condition which leads here is never true; "
                       "here the function ends");
    if (f->kind == CHK_DIV) {
        const char letter = chk_letter_at(&out.sides[0].place);
        const char *component = f->at[1] > 1 && (letter == '/' || letter == '%')
                                    ? component_text((unsigned)f->at[0], (unsigned)f->at[1], a)
                                    : NULL;
        chk_note(&out, component ? arena_printf(
                                       a, "the divisor's component %s is %s; the result there is 0",
                                       component, f->offset ? "-1" : "0")
                                 : "the result is 0");
    }
    if (f->kind == CHK_CONVERT) chk_note(&out, conversion_note(f, a));
    chk_tell(l, &out);
    arena_deinit(a);
}

void chk_report_printf(const struct chk_launch *l, struct chk_where where, struct chk_item item,
                       const char *what)
{
    struct arena arena = {0}, *a = &arena;
    struct rep_finding out = chk_finding(l, REP_PRINTF_MISMATCH);
    out.title = "printf's arguments do not fit its format";
    out.sides[0] = (struct rep_side){chk_place(l, a, where), chk_rep_item(l, item), "printf"};
    out.nsides = 1;
    out.group_linear = item.group;
    chk_note(&out, what);
    chk_tell(l, &out);
    arena_deinit(a);
}

void chk_report_no_progress(const struct chk_launch *l, struct chk_where where,
                            struct chk_item item, uint64_t waiting)
{
    struct arena arena = {0}, *a = &arena;
    struct rep_finding out = chk_finding(l, REP_NO_PROGRESS);
    out.title = "work-items wait for one another and none can go on";
    out.sides[0] =
        (struct rep_side){chk_place(l, a, where), chk_rep_item(l, item), "repeated without end"};
    out.nsides = 1;
    out.group_linear = item.group;
    chk_note(&out, arena_printf(a,
                                "%llu work-item%s of the group wait%s here; a full round of all "
                                "work-items changed nothing",
                                LL(waiting), waiting == 1 ? "" : "s", waiting == 1 ? "s" : ""));
    chk_tell(l, &out);
    arena_deinit(a);
}

static void count_cut(const struct chk_launch *l)
{
    if (l->rep) __atomic_fetch_add(&rep_totals(l->rep)->cut_checks, 1, __ATOMIC_RELAXED);
}

void chk_report_endless(const struct chk_launch *l, struct chk_where where, struct chk_item item,
                        enum chk_endless why, uint64_t limit)
{
    struct arena arena = {0}, *a = &arena;
    struct rep_finding out = chk_finding(l, limit ? REP_INSTRUCTION_LIMIT : REP_NO_PROGRESS);
    out.mend = limit ? REP_MEND_OF_KIND : REP_MEND_ENDLESS;
    out.title =
        limit
            ? arena_printf(a,
                           "kernel '%s' was ended in a loop that did nothing for %llu instructions",
                           out.kernel, LL(limit))
            : "a loop never ends";
    out.sides[0] = (struct rep_side){chk_place(l, a, where), chk_rep_item(l, item),
                                     limit ? "repeated" : "repeated without end"};
    out.nsides = 1;
    out.group_linear = item.group;
    static const char *const reasons[] = {
        [CHK_ENDLESS_STATE] =
            "it came back to the very state of an earlier round, and nothing was written meanwhile",
        [CHK_ENDLESS_CLOSED] = "nothing leads out of the loop",
        [CHK_ENDLESS_BARRIERS] = "through its barriers the work-group came back to the state of an "
                                 "earlier round, and no memory that it reads was changed meanwhile",
        [CHK_ENDLESS_QUIET] =
            "nothing was written, and no barrier passed; where that is meant, raise --quiet-limit",
    };
    chk_note(&out, reasons[why]);
    chk_note(&out, "the launch was ended here: what it would have done after that was not checked");
    chk_tell(l, &out);
    count_cut(l);
    arena_deinit(a);
}

void chk_report_limit(const struct chk_launch *l, uint64_t limit)
{
    struct arena arena = {0}, *a = &arena;
    struct rep_finding out = chk_finding(l, REP_INSTRUCTION_LIMIT);
    const struct bc_fn *fn = &l->module->fns[l->kernel->fn];
    out.title =
        arena_printf(a, "kernel '%s' was ended after %llu instructions", out.kernel, LL(limit));
    out.sides[0] = (struct rep_side){.place = chk_place(l, a, (struct chk_where){fn->loc, NULL, 0}),
                                     .what = "declared here"};
    out.nsides = 1;
    chk_note(&out, "what it would have done after that was not checked");
    chk_tell(l, &out);
    count_cut(l);
    arena_deinit(a);
}
