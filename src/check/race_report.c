// SPDX-License-Identifier: MIT
// Findings of pairs of racing accesses.
#include "check/place.h"
#include "check/program_order.h"

#include <string.h>

#define LL(x) ((unsigned long long)(x))

static bool is_copy(const struct chk_launch *l, const struct race_access *x)
{
    return x->item >= l->items;
}

static uint32_t site_of(const struct chk_launch *l, const struct race_access *x)
{
    return l->race_site ? l->race_site[x->site] : x->site;
}

static bool is_left(const struct chk_launch *l, const struct race_access *x)
{
    return is_copy(l, x) && l->left && l->left[l->module->sites[site_of(l, x)].loc].is_left;
}

/** Records the first access that overlaps a copy without a wait, for the finding of the copy. */
static void note_use(const struct chk_launch *l, const struct race_pair *p)
{
    if (!is_left(l, &p->first) || is_copy(l, &p->second) || p->first.group != p->second.group)
        return;
    struct chk_left *left = &l->left[l->module->sites[site_of(l, &p->first)].loc];
    const uint32_t at = l->module->sites[site_of(l, &p->second)].loc;
    if (left->used && left->used <= at) return;
    left->used = at;
    left->is_write = p->second.is_write;
}

/**
 * "read of 12 bytes (copy)": clang implements assignments and initialization of structs so. NULL:
 * another access.
 */
static const char *assignment_text(const struct bc_module *m, uint32_t site, struct arena *a)
{
    if (m->sites[site].fn >= m->nfns) return NULL;
    const struct bc_fn *fn = &m->fns[m->sites[site].fn];
    for (uint32_t i = 0; i < fn->ninsns; i++) {
        const struct bc_insn *b = &fn->insns[i];
        if ((b->op != BC_COPY && b->op != BC_SET) ||
            (b->site != site && (b->op != BC_COPY || b->ext != site)))
            continue;
        const char *verb = m->sites[site].kind == BC_READ ? "read" : "write",
                   *what = b->op == BC_SET ? "fill" : "copy";
        if (b->c >= fn->nconst) return arena_printf(a, "%s (%s)", verb, what);
        return arena_printf(a, "%s of %llu byte%s (%s)", verb, LL(fn->consts[b->c]),
                            fn->consts[b->c] == 1 ? "" : "s", what);
    }
    return NULL;
}

/** `among`: the other side is of the same work-group. */
static const char *access_text(const struct chk_launch *l, const struct race_access *x,
                               unsigned object, bool among, struct arena *a)
{
    const struct bc_mem *m = &l->module->sites[site_of(l, x)];
    if (l->objects[object].image.pixel) return x->is_write ? "write of a pixel" : "read of a pixel";
    if (is_copy(l, x))
        return arena_printf(a, "%s by async copy, started here%s", x->is_write ? "write" : "read",
                            among ? " and not yet waited for" : "");
    const char *assignment =
        m->elem == 1 && m->kind <= BC_WRITE ? assignment_text(l->module, site_of(l, x), a) : NULL;
    if (assignment) return assignment;
    const unsigned size = (unsigned)(m->elem ? m->elem : 1) * (m->ncomp ? m->ncomp : 1);
    const char *verb = m->kind == BC_ATOMIC_RMW
                           ? x->is_write ? "atomic update" : "failed compare-exchange"
                       : m->kind == BC_ATOMIC_LOAD  ? "atomic read"
                       : m->kind == BC_ATOMIC_STORE ? "atomic write"
                       : x->is_write                ? "write"
                                                    : "read";
    return arena_printf(a, "%s of %u byte%s", verb, size, size == 1 ? "" : "s");
}

static struct rep_side side_of(const struct chk_launch *l, const struct race_access *x,
                               unsigned object, bool among, struct arena *a)
{
    uint32_t calls[CHK_MAX_CALLS];
    unsigned n = 0;
    for (uint32_t at = l->race_path ? l->race_path[x->site] : 0; at && n < CHK_MAX_CALLS;
         at = l->paths[at].caller)
        calls[n++] = l->paths[at].loc;
    return (struct rep_side){
        chk_place(l, a, (struct chk_where){l->module->sites[site_of(l, x)].loc, calls, n}),
        is_copy(l, x) ? (struct rep_item){0}
                      : chk_rep_item(l, (struct chk_item){x->group, x->item}),
        access_text(l, x, object, among, a)};
}

static bool is_in_local(const struct chk_launch *l, uint32_t object)
{
    return !strcmp(l->objects[object].memory, "local memory");
}

/** RACE_RELAXED: the memory order of the atomic between the two. */
static unsigned through_order(const struct chk_launch *l, const struct race_pair *p)
{
    return p->through.site
               ? l->module->sites[l->race_site ? l->race_site[p->through.site] : p->through.site]
                     .order
               : BC_CL1;
}

/** RACE_RELAXED: is the atomic an acquire or a release in other memory than the pair? */
static bool is_through_other_memory(const struct chk_launch *l, const struct race_pair *p)
{
    if (p->verdict != RACE_RELAXED || !p->through.site ||
        is_in_local(l, p->object) == is_in_local(l, p->through.object))
        return false;
    return through_order(l, p) < BC_CL1;
}

static const char *other_memory_note(const struct chk_launch *l, const struct race_pair *p,
                                     struct arena *a)
{
    const uint32_t site = l->race_site ? l->race_site[p->through.site] : p->through.site;
    const char *at = chk_loc_text(l, a, l->module->sites[site].loc),
               *memory = is_in_local(l, p->through.object) ? "local" : "global";
    return arena_printf(
        a,
        "ordered only by an atomic on %s, byte %llu%s%s%s: it orders %s memory only, unless both "
        "sides are memory_order_seq_cst",
        chk_object_text(l, a, p->through.object), LL(p->through.offset), at ? " (read at " : "",
        at ? at : "", at ? ")" : "", memory);
}

static const char *relaxed_note(const struct chk_launch *l, const struct race_pair *p,
                                struct arena *a)
{
    const char *through = "";
    if (is_through_other_memory(l, p)) return other_memory_note(l, p, a);
    if (p->through.site) {
        const uint32_t site = l->race_site ? l->race_site[p->through.site] : p->through.site;
        const char *at = chk_loc_text(l, a, l->module->sites[site].loc);
        through = arena_printf(a, " on %s, byte %llu%s%s%s,",
                               chk_object_text(l, a, p->through.object), LL(p->through.offset),
                               at ? " (read at " : "", at ? at : "", at ? ")" : "");
    }
    if (through_order(l, p) < BC_CL1)
        return arena_printf(a,
                            "ordered only by relaxed atomics%s and mem_fence; OpenCL guarantees "
                            "no ordering for these: use "
                            "atomic_work_item_fence, or memory_order_release and "
                            "memory_order_acquire in atomic_…_explicit",
                            through);
    return arena_printf(
        a,
        "ordered only by relaxed atomics%s and a mem_fence or barrier; OpenCL 1.x guarantees no "
        "ordering of other memory for these, although most devices provide it; in OpenCL 2.0, "
        "use atomic_…_explicit with memory_order_release and memory_order_acquire",
        through);
}

static bool orders(const struct bc_module *m, const struct bc_insn *b, enum bc_order how)
{
    const uint32_t order = b->op == BC_FENCE    ? b->ext >> 8 & 0xff
                           : b->op == BC_ATOMIC ? m->sites[b->site].order
                                                : BC_RELAXED;
    return order == how || order == BC_ACQ_REL || order == BC_SEQ_CST;
}

/**
 * The barrier without the flag of global memory between an access and the atomic that releases it
 * (in the first group) or acquires it (in the second): it does not order global memory for the
 * other work-items of its group.
 */
static const struct bc_insn *unfenced_barrier(const struct chk_launch *l, const struct race_pair *p,
                                              bool second)
{
    const struct bc_module *m = l->module;
    const uint32_t site = site_of(l, second ? &p->second : &p->first);
    if (!l->synchronizes || p->verdict != RACE_DATA || p->first.group == p->second.group ||
        m->sites[site].fn >= m->nfns)
        return NULL;
    const struct bc_fn *fn = &m->fns[m->sites[site].fn];
    const struct bc_insn *found = NULL;
    bool begun = false; // after the acquiring atomic, or after the access
    for (uint32_t i = 0; i < fn->ninsns; i++) {
        const struct bc_insn *b = &fn->insns[i];
        const bool is_access = b->site == site && !bc_ends_block(b->op);
        if (second ? is_access : begun && orders(m, b, BC_RELEASE)) return found;
        if (second ? orders(m, b, BC_ACQUIRE) : is_access) begun = true, found = NULL;
        if (!begun || b->op != BC_BARRIER || b->a != BC_BAR_BARRIER) continue;
        if (b->b >= fn->nconst || fn->consts[b->b] & BC_FENCE_GLOBAL) begun = false, found = NULL;
        else found = b;
    }
    return NULL;
}

static const char *unfenced_text(const struct chk_launch *l, const struct race_pair *p,
                                 struct arena *a)
{
    for (unsigned second = 0; second < 2; second++) {
        const struct bc_insn *b = unfenced_barrier(l, p, second);
        const char *at = b ? chk_loc_text(l, a, b->loc) : NULL;
        if (!at) continue;
        return arena_printf(
            a,
            "the two are in different work-groups, and the kernel's atomics do not order them: the "
            "barrier at %s, between %s, does not fence global memory, so only the work-item that "
            "%s is ordered",
            at,
            second ? "the atomic that acquires and the access after it"
                   : "the access and the atomic that releases after it",
            second ? "acquires" : "releases");
    }
    return NULL;
}

static bool are_atomics(const struct race_pair *p)
{
    return p->first.is_atomic && p->second.is_atomic;
}

/** The note for two atomics, one with a scope that excludes the other. */
static const char *scope_note(const struct chk_launch *l, const struct race_pair *p,
                              struct arena *a)
{
    static const char *const words[][2] = {[BC_SCOPE_ITEM] = {"work_item", "work-item"},
                                           [BC_SCOPE_SUB_GROUP] = {"sub_group", "sub-group"},
                                           [BC_SCOPE_GROUP] = {"work_group", "work-group"}};
    const uint8_t x = l->module->sites[site_of(l, &p->first)].scope,
                  y = l->module->sites[site_of(l, &p->second)].scope, least = x < y ? x : y;
    if (least > BC_SCOPE_GROUP) return "both are atomic";
    const bool between = p->first.group != p->second.group;
    return arena_printf(
        a, "both are atomic, but memory_scope_%s does not include the other %s: use %s",
        words[least][0], words[least][1],
        between ? "memory_scope_device" : "memory_scope_work_group");
}

/** Did another work-item see a release late? Then releases and acquires do not suffice. */
static bool is_late_release(const struct chk_launch *l)
{
    const uint32_t site = l->late_site ? *l->late_site : 0;
    const unsigned order = site ? l->module->sites[site].order : BC_RELAXED;
    return order == BC_RELEASE || order == BC_ACQ_REL || order == BC_SEQ_CST;
}

/** Why the atomics of the kernel do not order the two; "": it has no such atomics. */
static const char *atomics_text(const struct chk_launch *l, const struct race_pair *p)
{
    if (!l->global_atomics || p->first.is_atomic != p->second.is_atomic ||
        l->module->sites[site_of(l, &p->first)].space == BC_LOCAL)
        return "";
    if (!l->synchronizes && l->scoped_atomics)
        return ", and the kernel's atomics do not order them: atomic_…_explicit with "
               "memory_order_relaxed orders no other memory, and a barrier orders only its "
               "own work-group unless it is given memory_scope_device; use memory_order_release "
               "and memory_order_acquire";
    if (!l->synchronizes)
        return ", and the kernel's atomics do not order them: atomic_… of OpenCL 1.x order no "
               "other memory without a mem_fence";
    if (is_late_release(l)) return ", and the kernel's atomics do not order them";
    return ", and the kernel's atomics do not order them: that takes a release at an atomic that "
           "writes (or a fence of this memory before it) and an acquire at an atomic that reads "
           "its value (or such a fence after it), in a scope that includes both work-items";
}

/** The fence flag of the memory of the pair. */
static uint64_t fence_flag(const struct chk_launch *l, const struct race_pair *p)
{
    const struct chk_object *o = &l->objects[p->object];
    return o->image.pixel              ? BC_FENCE_IMAGE
           : is_in_local(l, p->object) ? BC_FENCE_LOCAL
                                       : BC_FENCE_GLOBAL;
}

/**
 * Describes a call that looks like a barrier in the functions of the two: between them in the
 * source, otherwise nearest to the first, unless the last barrier is in between; and why it is not
 * a barrier.
 */
static const char *lesser_barrier_text(const struct chk_launch *l, const struct race_pair *p,
                                       const char *memory, struct arena *a)
{
    const struct bc_module *m = l->module;
    const struct bc_mem *x = &m->sites[site_of(l, &p->first)],
                        *y = &m->sites[site_of(l, &p->second)];
    const uint32_t from = m->locs[x->loc].line, to = m->locs[y->loc].line,
                   last = m->locs[p->barrier].line, fns[] = {x->fn, y->fn};
    const struct bc_insn *best = NULL;
    uint32_t far = UINT32_MAX; // of best
    uint64_t flags = 0;
    for (unsigned k = 0; k < 2 && !best && fns[k] < m->nfns; k++) {
        const struct bc_fn *fn = &m->fns[fns[k]];
        for (uint32_t i = 0; i < fn->ninsns; i++) {
            const struct bc_insn *b = &fn->insns[i];
            const bool is_sub = b->op == BC_COLLECT && (b->ext & 0xff) == BC_COL_BARRIER,
                       is_group = b->op == BC_BARRIER && b->a == BC_BAR_COLLECTIVE;
            const uint32_t line = m->locs[b->loc].line, d = line >= from && line <= to ? 0
                                                            : line < from              ? from - line
                                                                          : line - from;
            if (!(is_sub || is_group || b->op == BC_FENCE) || !line || d >= far ||
                (d && line <= last && last <= from))
                continue;
            best = b;
            far = d;
            flags = !is_sub ? b->ext : b->b < fn->nconst ? fn->consts[b->b] : UINT64_MAX;
        }
    }
    if (!best) return "";
    const char *at = chk_loc_text(l, a, best->loc);
    if (best->op == BC_BARRIER)
        return arena_printf(
            a,
            "; the work-group function at %s is not a barrier: all wait for its value, but "
            "it orders no memory",
            at);
    if (best->op == BC_FENCE)
        return arena_printf(
            a,
            "; the %s at %s is not a barrier: it orders the accesses of its own work-item, and no "
            "work-item waits there",
            best->ext & BC_FENCE_CL1 ? "mem_fence" : "atomic_work_item_fence", at);
    if (!(flags & fence_flag(l, p)))
        return arena_printf(a,
                            "; the sub_group_barrier at %s does not order these accesses, since "
                            "its flags do not fence %s",
                            at, memory);
    return arena_printf(
        a, "; the sub_group_barrier at %s orders the work-items of one sub-group only", at);
}

static const char *order_note(const struct chk_launch *l, const struct race_pair *p,
                              const char *memory, struct arena *a)
{
    if (p->verdict == RACE_RELAXED) return relaxed_note(l, p, a);
    if (are_atomics(p)) return scope_note(l, p, a);
    const char *atomics = atomics_text(l, p);
    const char *unfenced = *atomics ? unfenced_text(l, p, a) : NULL;
    if (unfenced) return unfenced;
    if (p->first.group != p->second.group)
        return *atomics ? arena_printf(a, "the two are in different work-groups%s", atomics)
                        : "the two are in different work-groups, which only atomics order within a "
                          "launch";
    const char *at = chk_loc_text(l, a, p->barrier);
    if (p->first.barriers < p->second.barriers)
        return arena_printf(a, "a barrier lies between the two%s%s, but its flags do not fence %s",
                            at ? ", at " : "", at ? at : "", memory);
    const bool begun = is_copy(l, &p->first);
    if (is_copy(l, &p->second))
        return begun ? "the two copies are in flight at once: wait for the first before starting "
                       "the second"
                     : "nothing orders the access before the copy: put a barrier between the two; "
                       "wait_group_events is not a barrier";
    if (begun) return "the copy may run until wait_group_events is called with its event";
    const char *wait = l->copies ? " (wait_group_events is not a barrier: it only waits for copies)"
                                 : "";
    const char *lesser = *atomics ? "" : lesser_barrier_text(l, p, memory, a);
    const char *sub = l->sub_barriers && !*lesser
                          ? " (a sub_group_barrier orders the work-items of one sub-group, and the "
                            "memory that its flags name)"
                          : "";
    const char *last = at ? arena_printf(a, "; the last one before them was at %s", at) : "";
    return arena_printf(a, "no barrier separates the two%s%s%s%s%s", wait, sub, last, lesser,
                        atomics);
}

/**
 * "'b' is the same memory: there the bytes are 0..3", for each other argument that contains the
 * racing bytes.
 */
static void note_aliases(const struct chk_launch *l, const struct race_pair *p,
                         struct rep_finding *out, struct arena *a)
{
    const struct chk_object *of = &l->objects[p->object];
    for (uint32_t i = 0; of->root && i < l->nobjects; i++) {
        const struct chk_object *o = &l->objects[i];
        const uint64_t at = of->root_at + p->offset - o->root_at;
        if (i == p->object || o->root != of->root || !o->name || at >= o->size) continue;
        chk_note(out,
                 p->size == 1
                     ? arena_printf(a, "'%s' is the same memory: there the byte is %llu", o->name,
                                    LL(at))
                     : arena_printf(a, "'%s' is the same memory: there the bytes are %llu..%llu",
                                    o->name, LL(at), LL(at + p->size - 1)));
    }
}

/**
 * If one access is atomic and the other is not: the atomic form of the plain one. NULL: both are of
 * the same kind.
 */
static const char *half_atomic_note(const struct chk_launch *l, const struct race_pair *p)
{
    if (p->verdict != RACE_DATA || p->first.is_atomic == p->second.is_atomic ||
        is_copy(l, &p->first) || is_copy(l, &p->second))
        return NULL;
    const bool writes = p->first.is_atomic ? p->second.is_write : p->first.is_write;
    return writes ? "one of the two is not atomic: atomic_store, or atomic_xchg in OpenCL 1.x, "
                    "would write without a race"
                  : "one of the two is not atomic: atomic_load, or atomic_or with 0 in OpenCL 1.x, "
                    "would read without a race";
}

/**
 * Is the common location of two accesses that of a macro, which all of its statements share? (In
 * x++ and x += y each write has a read.)
 */
static bool is_macro(const struct chk_launch *l, const struct race_pair *p)
{
    const struct bc_module *m = l->module;
    const struct bc_mem *x = &m->sites[site_of(l, &p->first)];
    uint32_t reads = 0, writes = 0;
    if (p->first.is_write == p->second.is_write) return false;
    for (uint32_t i = 0; i < m->nsites; i++) {
        const struct bc_mem *y = &m->sites[i];
        if (y->loc != x->loc || y->fn != x->fn || y->space != x->space) continue;
        reads += y->kind == BC_READ;
        writes += y->kind == BC_WRITE;
    }
    return reads > writes;
}

static enum rep_fix fix_of(const struct chk_launch *l, const struct race_pair *p)
{
    if (p->verdict == RACE_RELAXED)
        return is_through_other_memory(l, p) ? REP_FIX_OTHER_MEMORY : REP_FIX_RELAXED;
    if (are_atomics(p)) return REP_FIX_SCOPE;
    if (p->verdict != RACE_DATA) return REP_FIX_OF_KIND;
    const bool copies = is_copy(l, &p->first) || is_copy(l, &p->second);
    if (copies && p->first.group == p->second.group) return REP_FIX_COPY;
    if (p->first.group != p->second.group &&
        (unfenced_barrier(l, p, false) || unfenced_barrier(l, p, true)))
        return REP_FIX_PASSED_ON;
    if (!copies && p->first.is_atomic != p->second.is_atomic) return REP_FIX_HALF_ATOMIC;
    if (p->first.group != p->second.group)
        return is_late_release(l) ? REP_FIX_LATE : REP_FIX_GROUPS;
    const struct bc_loc *a = &l->module->locs[l->module->sites[site_of(l, &p->first)].loc],
                        *b = &l->module->locs[l->module->sites[site_of(l, &p->second)].loc];
    const bool here = a->file == b->file && a->line == b->line && a->col == b->col;
    return p->is_statement || (here && !is_macro(l, p)) ? REP_FIX_STATEMENT : REP_FIX_OF_KIND;
}

/**
 * Orders the sides independently of gangs: a write first, then by source location, then by
 * work-item.
 */
static bool is_shown_second(const struct chk_launch *l, const struct race_access *a,
                            const struct race_access *b)
{
    if (a->is_write != b->is_write) return !a->is_write;
    const struct bc_loc *x = &l->module->locs[l->module->sites[site_of(l, a)].loc],
                        *y = &l->module->locs[l->module->sites[site_of(l, b)].loc];
    const uint64_t at[] = {x->file, x->line, x->col, a->group, a->item},
                   than[] = {y->file, y->line, y->col, b->group, b->item};
    for (unsigned i = 0; i < sizeof at / sizeof *at; i++)
        if (at[i] != than[i]) return at[i] > than[i];
    return false;
}

/** "'t' is 32 bytes of local memory (declared at k.cl:4); the bytes are 28..31" */
static const char *bytes_note(const struct chk_launch *l, const struct race_pair *p,
                              const struct rep_finding *out, struct arena *a)
{
    const char *note = chk_object_note(l, a, p->object);
    const struct chk_image *image = &l->objects[p->object].image;
    int32_t at[3];
    if (image->pixel) chk_pixel_of(image, p->offset, at);
    const char *member = chk_member_text(&out->sides[0].place, a);
    if (!member) member = chk_member_text(&out->sides[1].place, a);
    const char *of = member ? arena_printf(a, ", of member '%s'", member) : "";
    return image->pixel   ? arena_printf(a, "%s; it is %s", note, chk_pixel_text(a, image, at))
           : p->size == 1 ? arena_printf(a, "%s; the byte is %llu%s", note, LL(p->offset), of)
                          : arena_printf(a, "%s; the bytes are %llu..%llu%s", note, LL(p->offset),
                                         LL(p->offset + p->size - 1), of);
}

/**
 * Would the bytes that one side reads have a value without the race? Not if the program writes them
 * only after it.
 */
static bool explains_no_value(const struct chk_launch *l, const struct race_pair *p)
{
    return p->first.is_write ? chk_may_precede(l, &p->first, &p->second)
                             : chk_may_precede(l, &p->second, &p->first);
}

void chk_report_race(void *ctx, const struct race_pair *p)
{
    const struct chk_launch *l = ctx;
    if (l->raced && p->bytes && explains_no_value(l, p)) {
        bits_unite(&l->raced[0], p->bytes);
        bits_unite(&l->raced[p->object], p->bytes);
    }
    note_use(l, p);
    if (is_left(l, &p->first))
        return; // reported as missing wait; overtaking an access is a different error
    struct arena arena = {0}, *a = &arena;
    static const enum rep_kind kind[] = {[RACE_DATA] = REP_DATA_RACE,
                                         [RACE_FENCE] = REP_MISSING_FENCE,
                                         [RACE_SAME_VALUE] = REP_SAME_VALUE_RACE,
                                         [RACE_RELAXED] = REP_MISSING_FENCE};
    static const char *const what[] = {[RACE_DATA] = "data race",
                                       [RACE_FENCE] = "missing fence",
                                       [RACE_SAME_VALUE] = "same-value race",
                                       [RACE_RELAXED] = "missing fence (relaxed atomics only)"};
    struct rep_finding out = chk_finding(l, kind[p->verdict]);
    out.mild = p->verdict == RACE_FENCE && !p->first.is_write;
    out.possible = p->verdict == RACE_RELAXED;
    out.fix = fix_of(l, p);
    out.title = arena_printf(a, "%s on %s",
                             is_through_other_memory(l, p)
                                 ? "missing fence (only an atomic in other memory)"
                                 : what[p->verdict],
                             chk_object_text(l, a, p->object));
    const bool swap = p->verdict != RACE_FENCE && p->verdict != RACE_RELAXED &&
                      is_shown_second(l, &p->first, &p->second);
    const bool among = p->first.group == p->second.group;
    out.sides[0] = side_of(l, swap ? &p->second : &p->first, p->object, among, a);
    out.sides[1] = side_of(l, swap ? &p->first : &p->second, p->object, among, a);
    out.nsides = 2;
    out.object = chk_object_name(l, p->object);
    out.scene.object_bytes = l->objects[p->object].size;
    out.scene.first_byte = (int64_t)p->offset;
    out.scene.nbytes = p->size;
    if (p->verdict != RACE_RELAXED && !is_copy(l, &p->first) &&
        !is_copy(l, &p->second)) // another barrier orders them, or nothing does
        out.cause = p->first.group == p->second.group
                        ? arena_printf(a, "object %u after %u", p->object, p->barrier)
                        : arena_printf(a, "object %u between groups", p->object);
    chk_note(&out, bytes_note(l, p, &out, a));
    chk_note(&out, chk_layout_note(l, p->object, a));
    note_aliases(l, p, &out, a);
    const struct chk_object *const o = &l->objects[p->object];
    chk_note(&out, order_note(l, p, o->image.pixel ? "images" : o->memory, a));
    if (p->within) chk_note(&out, "work-items of one work-group race here, too");
    chk_note(&out, half_atomic_note(l, p));
    if (p->is_statement)
        chk_note(&out, "the statement reads and writes, so its writes by different work-items also "
                       "race with each other");
    if (p->verdict == RACE_SAME_VALUE)
        chk_note(&out, p->first.is_write && p->second.is_write
                           ? "all of them store the same value"
                           : "all work-items store the same value here, also the one that reads");
    out.calls_vary = true;
    out.overtaken = is_copy(l, &p->second) && !is_copy(l, &p->first);
    out.group_linear = p->second.group;
    out.count = p->count;
    out.between = p->between;
    out.within = p->within;
    out.groups = p->in;
    chk_report(l, &out);
    arena_deinit(a);
}
