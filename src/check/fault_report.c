// SPDX-License-Identifier: MIT
// Converts a fault to a finding: faults.def has the texts, this file fills in their placeholders,
// fault_details.c adds notes that depend on the circumstances.
#include "check/fault_report.h"

#include "base/str.h"

#include <string.h>

static const struct row {
    enum rep_kind kind;
    enum rep_fix fix;
    const char *title, *side, *note;
    chk_details_fn *more;
} rows[] = {
#define FAULT(name, kind, check, title, side, note, fix, more)                                     \
    [CHK_##name] = {REP_##kind, REP_FIX_##fix, title, side, note, more},
#include "check/faults.def"
};

// ---- placeholders
static const char *access_text(const struct chk_subject *s)
{
    static const char *const verb[] = {"address",       "read",        "write",
                                       "atomic update", "atomic read", "atomic write"};
    const uint64_t size = s->f->detail.access.size;
    if (s->image)
        return arena_printf(s->a, "%s of %s", s->m->kind == BC_WRITE ? "write" : "read",
                            chk_pixel_text(s->a, s->image, s->f->detail.pixel.at));
    return arena_printf(s->a, "%s of %llu byte%s", verb[s->m->kind], LL(size),
                        size == 1 ? "" : "s");
}

static const char *object_text(const struct chk_subject *s)
{
    return chk_object_text(s->l, s->a, s->f->object);
}

static const char *pointer_text(const struct chk_subject *s)
{
    return s->pointer ? arena_printf(s->a, "'%s', ", s->pointer) : "";
}

bool chk_is_of_local(const struct chk_subject *s)
{
    return s->o && s->o->memory && !strcmp(s->o->memory, "local memory");
}

static const char *owner_text(const struct chk_subject *s)
{
    return chk_is_of_group(s) ? "work-group" : "work-item";
}

static const char *partial_text(const struct chk_subject *s)
{
    const uint32_t n = s->f->detail.partial.items;
    return arena_printf(s->a, "%u work-item%s, and a full one has %u", n, n == 1 ? "" : "s",
                        s->f->detail.partial.most);
}

static const char *released_text(const struct chk_subject *s)
{
    return s->o && s->o->release ? "which was freed" : "whose function has returned";
}

static const char *reservation_text(const struct chk_subject *s)
{
    return s->o && s->o->packets.size ? "its reservation in " : "";
}

static const char *dropped_text(const struct chk_subject *s)
{
    return s->m->kind == BC_WRITE  ? "the store was dropped"
           : s->m->kind != BC_READ ? ""
           : s->image              ? "the value read is undefined; cldbg returns 0"
                                   : "the value read is 0";
}

static const char *number(const struct chk_subject *s, int64_t x)
{
    return arena_printf(s->a, "%lld", (long long)x);
}
static const char *offset_text(const struct chk_subject *s)
{
    return number(s, s->f->detail.access.offset);
}
static const char *alignment_text(const struct chk_subject *s) { return number(s, s->m->align); }
static const char *index_text(const struct chk_subject *s)
{
    return number(s, s->f->detail.index.at);
}
static const char *count_text(const struct chk_subject *s)
{
    return number(s, (int64_t)s->f->detail.index.count);
}
static const char *bytes_text(const struct chk_subject *s)
{
    return number(s, (int64_t)s->f->detail.overlap.size);
}

static const char *distance_text(const struct chk_subject *s)
{
    const int64_t d = s->f->detail.overlap.distance;
    return arena_printf(s->a, "%llu bytes %s", LL(d < 0 ? -d : d), d < 0 ? "before" : "after");
}

static const char *event_text(const struct chk_subject *s)
{
    return s->f->detail.was_waited_for ? "was already waited for" : "no async copy returned";
}

static const char *broadcast_text(const struct chk_subject *s)
{
    const int64_t id = s->f->detail.broadcast.id;
    const uint64_t items = s->f->detail.broadcast.items;
    if (id == BC_NO_ID)
        return "the id of a broadcast is outside the work-group in one of its dimensions";
    return arena_printf(
        s->a,
        items == 1 ? "the id %lld of a broadcast is outside the %s-group, which has work-item 0"
                   : "the id %lld of a broadcast is outside the %s-group, which has "
                     "work-items 0 to %llu",
        (long long)id, s->f->detail.broadcast.of_sub_group ? "sub" : "work", LL(items - 1));
}

static const char *division_text(const struct chk_subject *s)
{
    return s->f->detail.divisor
               ? "integer division whose result overflows: the smallest number divided by -1"
               : "integer division by zero";
}

static const char *quotient_text(const struct chk_subject *s)
{
    const char *component = chk_divided_component(s);
    return component ? arena_printf(s->a, "component %s of the divisor is %s; its result is 0",
                                    component, s->f->detail.divisor ? "-1" : "0")
                     : "the result is 0";
}

static bool is_signed(uint16_t op) { return op >= BC_F2S_I8_F32; }

static const char *integer_text(uint16_t op)
{
    static const char *const names[2][4] = {{"uchar", "ushort", "uint", "ulong"},
                                            {"char", "short", "int", "long"}};
    return names[is_signed(op)][__builtin_ctz(bc_type_size(bc_ops[op].type))];
}

/** "float value 3e+09 is converted to int, which cannot hold it" */
static const char *conversion_text(const struct chk_subject *s)
{
    const uint16_t op = s->f->insn->op;
    const double value = s->f->detail.value;
    const char *from = bc_ops[op].from == BC_F64 ? "double" : "float", *to = integer_text(op);
    if (value != value)
        return arena_printf(s->a, "a %s that is not a number is converted to %s", from, to);
    return arena_printf(s->a, "%s value %.9g is converted to %s, which cannot hold it", from, value,
                        to);
}

static const char *range_text(const struct chk_subject *s)
{
    const uint16_t op = s->f->insn->op;
    const unsigned bits = 8 * bc_type_size(bc_ops[op].type);
    const unsigned long long top = UINT64_MAX >> (64 - bits + is_signed(op));
    const char *low = is_signed(op) ? arena_printf(s->a, "-%llu", top + 1) : "0";
    return arena_printf(s->a,
                        "%s holds %s to %llu; cldbg takes the nearest of these, and 0 for a NaN",
                        integer_text(op), low, top);
}

static const char *undefined_text(const struct chk_subject *s)
{
    return chk_is_of_lane(s->f) ? "an undefined value" : "a value that was never written";
}

static const char *enqueue_text(const struct chk_subject *s)
{
    static const char *const texts[] = {
        [CHK_RETAINS] = "retain_event is given a value that is not an event",
        [CHK_RELEASES] = "release_event is given a value that is not an event, or was released "
                         "before",
        [CHK_SETS] = "set_user_event_status is given a value that is not a user event, an event "
                     "that has its status, or a status that is not CL_COMPLETE or an error",
        [CHK_PROFILES] = "capture_event_profiling_info is given a value that is not an event",
        [CHK_TOO_DEEP] = "kernels enqueue kernels without end: the block would run at depth 513",
        [CHK_TOO_MANY] = "kernels enqueue kernels without end: a launch of the host led to more "
                         "than 262144 launches",
    };
    return texts[s->f->detail.enqueue];
}

static const struct {
    const char *name;
    const char *(*text)(const struct chk_subject *s);
} placeholders[] = {
    {"access", access_text},     {"object", object_text},       {"pointer", pointer_text},
    {"owner", owner_text},       {"released", released_text},   {"reservation", reservation_text},
    {"dropped", dropped_text},   {"offset", offset_text},       {"alignment", alignment_text},
    {"index", index_text},       {"count", count_text},         {"bytes", bytes_text},
    {"distance", distance_text}, {"event", event_text},         {"broadcast", broadcast_text},
    {"division", division_text}, {"quotient", quotient_text},   {"conversion", conversion_text},
    {"range", range_text},       {"undefined", undefined_text}, {"partial", partial_text},
    {"enqueue", enqueue_text},
};

/** The text with its placeholders filled in; NULL for NULL and for an empty one. */
static const char *filled(const struct chk_subject *s, const char *text)
{
    struct str out = {0};
    for (const char *end; text && *text; text = end + (*end == '}')) {
        const bool is_name = *text == '{';
        text += is_name;
        end = text + strcspn(text, is_name ? "}" : "{");
        const size_t n = (size_t)(end - text);
        if (!is_name) str_printf(&out, "%.*s", (int)n, text);
        for (size_t k = 0; is_name && k < sizeof placeholders / sizeof *placeholders; k++)
            if (!strncmp(placeholders[k].name, text, n) && !placeholders[k].name[n])
                str_put(&out, placeholders[k].text(s));
    }
    const char *all = out.len ? arena_strdup(s->a, str_text(&out)) : NULL;
    str_deinit(&out);
    return all;
}

// ---- the finding
/** The source name of the variable with a pointer to no object; NULL: not known. */
static const char *pointer_of(const struct chk_subject *s)
{
    if (s->in_pipe || (s->f->kind != CHK_NULL && s->f->kind != CHK_WILD)) return NULL;
    return s->m->pointer ? bc_str(s->l->module, s->m->pointer)
                         : chk_pointer_text(&s->out->sides[0].place, s->a);
}

/** The bytes without a value, for the picture. */
static void put_undefined_bytes(const struct chk_subject *s)
{
    const struct chk_origin *const from = &s->f->detail.origin;
    if (s->f->kind < CHK_UNDEF_BRANCH || !s->o || !s->f->object || from->rewritten || s->image ||
        !s->o->name || strchr(s->o->name, '('))
        return;
    s->out->scene.object_bytes = s->o->size;
    s->out->scene.first_byte = (int64_t)from->offset;
    s->out->scene.nbytes = from->size;
}

void chk_report_fault(const struct chk_launch *l, const struct chk_fault_record *r)
{
    if (r->fault.kind >= CHK_UNDEF_BRANCH && chk_is_read_too_early(l, r)) return;
    const struct row *row = &rows[r->fault.kind];
    struct arena arena = {0};
    struct rep_finding out = chk_finding(l, row->kind);
    struct chk_subject s = {.l = l,
                            .r = r,
                            .f = &r->fault,
                            .m = &l->module->sites[r->fault.site],
                            .a = &arena,
                            .out = &out};
    if (s.f->object && s.f->object < l->nobjects) s.o = &l->objects[s.f->object];
    if (s.o && s.o->image.pixel) s.image = &s.o->image;
    s.in_pipe = s.m->space == BC_GLOBAL && chk_in_library(l, r->where);
    out.sides[0].place = chk_place(l, &arena, r->where);
    s.pointer = pointer_of(&s);
    out.title = filled(&s, row->title);
    out.sides[0].item = chk_rep_item(l, r->item);
    out.sides[0].what = filled(&s, row->side);
    out.nsides = 1;
    out.group_linear = r->item.group;
    out.count = r->count;
    out.groups = r->groups;
    out.fix = row->fix;
    out.object = s.pointer;
    if (s.o && s.f->kind != CHK_WILD && s.f->kind < CHK_UNDEF_BRANCH) {
        out.object = s.o->name;
        if (s.o->memory && !s.o->is_null_arg)
            chk_note(&out, chk_object_note(l, &arena, s.f->object));
        chk_note(&out, chk_layout_note(l, s.f->object, &arena));
    }
    if (s.f->kind >= CHK_RELEASED && s.f->kind <= CHK_WRITE_ONLY && s.o && !s.image) {
        out.scene.object_bytes = s.o->size;
        out.scene.first_byte = s.f->detail.access.offset;
        out.scene.nbytes = s.f->detail.access.size;
    }
    put_undefined_bytes(&s);
    chk_put_writers(&s);
    if (row->more) row->more(&s);
    chk_note(&out, filled(&s, row->note));
    chk_report(l, &out);
    arena_deinit(&arena);
}
