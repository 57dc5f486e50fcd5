// SPDX-License-Identifier: MIT
// Notes and fix hints of faults that depend on the circumstances: the object, the source text,
// other findings.
#include "check/divergence.h"
#include "check/fault_report.h"

#include <string.h>

// ---- accesses
/** "the access is at offset 1024, 0 bytes past the end" */
static const char *where_text(const struct chk_subject *s)
{
    const struct chk_object *o = s->o;
    struct arena *a = s->a;
    const int64_t offset = s->f->detail.access.offset;
    if (offset == INT64_MIN || offset == INT64_MAX)
        return "the access is far outside, beyond the range of an address";
    const long long at = offset;
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
                        at, LL(at + s->f->detail.access.size - o->size));
}

/**
 * "element 100, by the index `i + 1`; it has 100, 0 to 99", for an access to an element of an
 * array. Elements of an array of arrays are numbered consecutively if all brackets certainly belong
 * to it: one may index an array of pointers.
 */
static const char *element_text(const struct chk_subject *s)
{
    const struct chk_object *o = s->o;
    const struct bc_mem *m = s->m;
    struct arena *a = s->a;
    const int64_t offset = s->f->detail.access.offset, bytes = (int64_t)s->f->detail.access.size;
    const struct chk_index index = chk_index(&s->out->sides[0].place, a);
    if (!index.text) return NULL; // the target of a macro or a pointer need not be such an array
    const bool nested = index.brackets > 1,
               has_scale = m->index_kind != BC_IDX_NONE && m->scale > 0;
    if (index.has_member && (nested || !has_scale)) return NULL;
    if (nested && !(o->name && index.base && !strcmp(o->name, index.base))) return NULL;
    const int64_t size = has_scale && !nested ? m->scale : bytes;
    if (offset == INT64_MIN || offset == INT64_MAX || size < bytes || !o->size ||
        o->size % (uint64_t)size)
        return NULL;
    const int64_t element = offset / size - (offset % size < 0);
    const char *what =
        nested ? arena_printf(a, "that is element %lld of the flattened array, by the indices `%s`",
                              (long long)element, index.text)
               : arena_printf(a, "that is element %lld, by the index `%s`", (long long)element,
                              index.text);
    if (o->size == (uint64_t)size) return arena_printf(a, "%s; it has only element 0", what);
    return arena_printf(a, "%s; it has elements 0 to %lld", what,
                        (long long)(o->size / (uint64_t)size) - 1);
}

/**
 * An access that is far out of bounds (by the range of an int) may come from a 64-bit argument with
 * garbage in the upper half: the host passed a variable of 4 bytes as 8 bytes.
 */
static void note_wide_arguments(const struct chk_subject *s)
{
    const struct chk_launch *l = s->l;
    struct arena *a = s->a;
    const int64_t offset = s->f->detail.access.offset;
    const struct bc_module *m = l->module;
    if (offset >= -INT32_MAX && offset <= (int64_t)s->o->size + INT32_MAX) return;
    for (uint32_t i = 0; i < l->kernel->nargs; i++) {
        const struct bc_arg *arg = &m->args[l->kernel->first_arg + i];
        const struct chk_object *given = &l->objects[m->nobjects + 1 + l->inherited + i];
        if (!given->value || arg->size != sizeof(uint64_t) ||
            (strcmp(bc_str(m, arg->type), "ulong") && strcmp(bc_str(m, arg->type), "long")))
            continue;
        uint64_t value;
        memcpy(&value, given->value, sizeof value);
        if (value >> 32 == 0 || value >> 32 == UINT32_MAX) continue;
        const char *name = given->name ? arena_printf(a, "'%s'", given->name)
                                       : arena_printf(a, "number %u", i);
        chk_note(s->out, arena_printf(a,
                                      "argument %s is 0x%llx: if the host's variable has only 4 "
                                      "bytes, the upper half is whatever follows it in memory",
                                      name, LL(value)));
    }
}

/**
 * Lists arguments that a null pointer may come from: the one with its name, in the kernel itself,
 * or any.
 */
static void note_null_arguments(const struct chk_subject *s)
{
    const struct chk_launch *l = s->l;
    bool is_argument = false;
    for (int named = 1; named >= 0 && !is_argument; named--)
        for (uint32_t i = 0; i < l->nobjects; i++) {
            const char *name = l->objects[i].is_null_arg ? l->objects[i].name : NULL;
            if (!name || (named && !(s->pointer && !s->out->sides[0].place.called_from &&
                                     !strcmp(s->pointer, name))))
                continue;
            is_argument = true;
            chk_note(s->out, arena_printf(s->a, "argument '%s' was given no memory object", name));
        }
}

/** A comment `cldbg-assume` (frontend/assumptions.h) is a branch to unreachable code, too. */
void chk_unreachable_details(const struct chk_subject *s)
{
    if (!chk_line_has(&s->out->sides[0].place, "cldbg-assume:", s->a)) return;
    s->out->title = "an assumption does not hold";
    s->out->fix = REP_FIX_ASSUMPTION;
}

void chk_null_details(const struct chk_subject *s)
{
    if (!s->in_pipe) {
        note_null_arguments(s);
        return;
    }
    s->out->title = "an invalid pipe reservation is used";
    s->out->fix = REP_FIX_RESERVATION;
    chk_note(s->out,
             "the reservation failed (see is_valid_reserve_id), was already committed, or is "
             "for the other direction");
}

bool chk_is_of_group(const struct chk_subject *s)
{
    const struct bc_module *m = s->l->module;
    const uint32_t k = s->f->object - 1;
    return k >= m->nobjects || m->objects[k].kind == BC_OBJ_LOCAL;
}

void chk_foreign_details(const struct chk_subject *s)
{
    const uint64_t owner = s->f->detail.access.owner;
    const bool of_group = chk_is_of_group(s);
    if (owner == UINT64_MAX) {
        chk_note(s->out, "the pointer was stored by another launch");
        return;
    }
    const uint64_t items = s->l->items ? s->l->items : 1;
    const struct rep_item i =
        chk_rep_item(s->l, of_group ? (struct chk_item){owner, 0}
                                    : (struct chk_item){owner / items, (uint32_t)(owner % items)});
    const char *group = arena_printf(s->a, "work-group (%llu,%llu,%llu)", LL(i.group[0]),
                                     LL(i.group[1]), LL(i.group[2]));
    chk_note(s->out, of_group
                         ? arena_printf(s->a, "the pointer belongs to %s", group)
                         : arena_printf(s->a,
                                        "the pointer belongs to work-item "
                                        "(%llu,%llu,%llu) of %s",
                                        LL(i.local[0]), LL(i.local[1]), LL(i.local[2]), group));
}

void chk_released_details(const struct chk_subject *s)
{
    if (!s->o || !s->o->release) {
        s->out->fix = REP_FIX_RETURNED;
        return;
    }
    chk_note(s->out, arena_printf(s->a, "%s was %s", s->o->release,
                                  s->o->released ? s->o->released : "called before the launch"));
}

/**
 * "packet 7 of a reservation of 7 (0 to 6)": from the offset that __cldbg_pipe_reserved of
 * frontend/pipes.cl computed.
 */
static const char *packet_text(const struct chk_subject *s)
{
    const struct chk_packets *p = &s->o->packets;
    struct arena *a = s->a;
    const uint64_t packet = ((uint64_t)s->f->detail.access.offset - p->data) / p->size - p->most,
                   n = packet % (p->most + 1ull), past = packet / (p->most + 1ull);
    const char *which = n == 1 ? "only 0" : arena_printf(a, "0 to %llu", LL(n - 1));
    return arena_printf(a, "the index is %s%llu, in a reservation of %llu packet%s (%s)",
                        past == 0x7fff ? "at least " : "", LL(n + past), LL(n), n == 1 ? "" : "s",
                        which);
}

void chk_bounds_details(const struct chk_subject *s)
{
    const struct chk_object *o = s->o;
    s->out->fix = s->in_pipe        ? REP_FIX_PACKETS
                  : s->image        ? REP_FIX_PIXELS
                  : o && !o->is_arg ? REP_FIX_ARRAY
                                    : REP_FIX_OF_KIND;
    if (!o) return;
    if (s->image) {
        if (s->f->detail.pixel.is_filtered)
            chk_note(s->out, "a linear filter reads the pixels around the coordinates; with "
                             "CLK_ADDRESS_NONE all of them must be inside the image");
        return;
    }
    // A too small object is one cause for all accesses to the same part of it.
    s->out->cause = arena_printf(s->a, "object %u at %lld", s->f->object,
                                 (long long)s->f->detail.access.offset);
    if (o->packets.size) {
        chk_note(s->out, packet_text(s));
        return;
    }
    chk_note(s->out, where_text(s));
    if (o->memory) chk_note(s->out, element_text(s));
    note_wide_arguments(s);
}

void chk_align_details(const struct chk_subject *s)
{
    if (s->m->kind >= BC_ATOMIC_RMW) s->out->fix = REP_FIX_MISALIGNED_ATOMIC;
}

void chk_read_only_details(const struct chk_subject *s)
{
    if (s->o && !s->o->is_arg) s->out->fix = REP_FIX_CONSTANT;
}

// ---- functions of groups
void chk_not_waited_details(const struct chk_subject *s)
{
    const struct chk_launch *l = s->l;
    const struct chk_left *left = l->left ? &l->left[s->r->where.loc] : NULL;
    const char *at = left && left->used ? chk_loc_text(l, s->a, left->used) : NULL;
    chk_note(s->out, "the work-group ended with the copy in flight: no wait_group_events was given "
                     "its event");
    if (at)
        chk_note(s->out,
                 arena_printf(s->a, "it was %s at %s:%u, before the copy was known to be complete",
                              left->is_write ? "written" : "read", at,
                              l->module->locs[left->used].col));
}

void chk_event_details(const struct chk_subject *s)
{
    if (!s->f->detail.was_waited_for)
        chk_note(s->out,
                 "the event is 0, was never written, or does not come from "
                 "async_work_group_copy or async_work_group_strided_copy of this work-group");
}

/**
 * "8 of the 32 work-items of the sub-group are here: work-items 32..39; work-items 40..63 are not"
 */
void chk_sub_group_details(const struct chk_subject *s)
{
    const uint32_t first = s->f->detail.sub_group.first, n = s->f->detail.sub_group.items,
                   mask = s->f->detail.sub_group.here, here = (uint32_t)__builtin_popcount(mask),
                   missing = n - here;
    uint64_t shape[3];
    const uint64_t items = chk_shape(s->l, s->r->item.group, shape);
    const struct chk_divergence d = {
        .group = s->r->item.group,
        .items = (uint32_t)items,
        .shape = {(uint32_t)shape[0], (uint32_t)shape[1], (uint32_t)shape[2]}};
    uint8_t *who[2] = {arena_array(s->a, uint8_t, items), arena_array(s->a, uint8_t, items)};
    for (uint32_t i = 0; i < n && first + i < items; i++) who[mask >> i & 1][first + i] = 1;
    chk_note(s->out,
             arena_printf(s->a, "%u of the %u work-items of the sub-group %s here: %s; %s %s not",
                          here, n, here == 1 ? "is" : "are", chk_items_text(s->l, &d, who[1], s->a),
                          chk_items_text(s->l, &d, who[0], s->a), missing == 1 ? "is" : "are"));
}

// ---- division
const char *chk_divided_component(const struct chk_subject *s)
{
    // A vector operation has an instruction for each component, all with the same location.
    const struct bc_module *m = s->l->module;
    const struct bc_insn *insn = s->f->insn;
    const char letter = chk_letter_at(&s->out->sides[0].place);
    unsigned at = 0, of = 0;
    for (uint32_t k = 0; k < m->nfns; k++) {
        const struct bc_fn *fn = &m->fns[k];
        if (insn < fn->insns || insn >= fn->insns + fn->ninsns) continue;
        for (const struct bc_insn *i = fn->insns; i < fn->insns + fn->ninsns; i++) {
            if (i->op != insn->op || i->loc != insn->loc) continue;
            at += i < insn;
            of++;
        }
    }
    if (of < 2 || of > 16 || (letter != '/' && letter != '%')) return NULL;
    return of <= 4 ? arena_printf(s->a, "%c", "xyzw"[at]) : arena_printf(s->a, "s%x", at);
}

void chk_division_details(const struct chk_subject *s)
{
    if (s->f->detail.divisor) s->out->fix = REP_FIX_QUOTIENT;
}
