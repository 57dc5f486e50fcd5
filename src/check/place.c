// SPDX-License-Identifier: MIT
#include "check/place.h"

#include "base/vec.h"

#include <string.h>

static struct rep_place one_place(const struct bc_module *m, uint32_t loc)
{
    const struct bc_loc *l = &m->locs[loc];
    struct rep_place p = {.line = l->line, .col = l->col, .text_first_line = 1};
    if (loc && l->file < m->nfiles) {
        const struct bc_file *f = &m->files[l->file];
        p.file = bc_str(m, f->name);
        if (f->path) p.path = bc_str(m, f->path);
        if (f->text) p.text = bc_str(m, f->text);
        p.text_first_line = f->first_line ? f->first_line : 1;
    }
    if (l->fn_name) p.fn = bc_str(m, l->fn_name);
    return p;
}

bool chk_in_library(const struct chk_launch *l, struct chk_where where)
{
    const struct bc_loc *at = &l->module->locs[where.loc];
    bool has_pipe = false;
    for (uint32_t i = 0; i < l->kernel->nargs; i++)
        has_pipe |= l->module->args[l->kernel->first_arg + i].is_pipe;
    return has_pipe && !at->line && !at->fn_name;
}

// For functions without source, such as those of pipes: the location of the call in the user's
// code.
static struct rep_place skip_library(struct rep_place p)
{
    while (!p.line && !p.fn && p.called_from) p = *p.called_from;
    return p;
}

struct rep_place chk_place(const struct chk_launch *l, struct arena *a, struct chk_where where)
{
    const struct bc_module *m = l->module;
    struct rep_place first = one_place(m, where.loc), *last = &first;
    uint32_t at = where.loc;
    for (unsigned i = 0;; i++) {
        for (at = m->locs[at].inlined_at; at; at = m->locs[at].inlined_at) {
            struct rep_place *p = arena_new(a, struct rep_place);
            *p = one_place(m, at);
            last->called_from = p;
            last = p;
        }
        if (i == where.ncalls) return skip_library(first);
        at = where.calls[i];
        struct rep_place *p = arena_new(a, struct rep_place);
        *p = one_place(m, at);
        last->called_from = p;
        last = p;
    }
}

static void group_id(const struct chk_launch *l, uint64_t group, uint64_t id[3])
{
    id[0] = group % l->grid[0];
    id[1] = group / l->grid[0] % l->grid[1];
    id[2] = group / l->grid[0] / l->grid[1];
}

uint64_t chk_shape(const struct chk_launch *l, uint64_t group, uint64_t shape[3])
{
    uint64_t id[3], all = 1;
    group_id(l, group, id);
    for (int k = 0; k < 3; k++) {
        const uint64_t left = l->global[k] - id[k] * l->local[k];
        shape[k] = left < l->local[k] ? left : l->local[k];
        all *= shape[k];
    }
    return all;
}

struct rep_item chk_rep_item(const struct chk_launch *l, struct chk_item item)
{
    struct rep_item r = {.known = true};
    const uint64_t items = l->local[0] * l->local[1] * l->local[2];
    uint64_t shape[3];
    group_id(l, item.group, r.group);
    chk_shape(l, item.group, shape);
    r.local[0] = item.item % shape[0];
    r.local[1] = item.item / shape[0] % shape[1];
    r.local[2] = item.item / shape[0] / shape[1];
    for (int k = 0; k < 3; k++) r.global[k] = l->offset[k] + r.group[k] * l->local[k] + r.local[k];
    r.linear = item.group * items + item.item;
    return r;
}

const char *chk_object_name(const struct chk_launch *l, uint32_t id)
{
    return id < l->nobjects ? l->objects[id].name : NULL;
}

const char *chk_loc_text(const struct chk_launch *l, struct arena *a, uint32_t loc)
{
    const struct rep_place p = one_place(l->module, loc);
    return p.file && p.line ? arena_printf(a, "%s:%u", p.file, p.line) : NULL;
}

const char *chk_object_text(const struct chk_launch *l, struct arena *a, uint32_t id)
{
    const struct chk_object *o = &l->objects[id];
    return o->name ? arena_printf(a, "%s '%s'", o->memory, o->name)
                   : arena_printf(a, "%s", o->memory);
}

const char *chk_pixel_text(struct arena *a, const struct chk_image *m, const int32_t at[3])
{
    const char *layer = m->is_array ? arena_printf(a, " of layer %d", at[2]) : "";
    return m->ndims == 1   ? arena_printf(a, "pixel %d%s", at[0], layer)
           : m->ndims == 2 ? arena_printf(a, "pixel (%d, %d)%s", at[0], at[1], layer)
                           : arena_printf(a, "pixel (%d, %d, %d)", at[0], at[1], at[2]);
}

void chk_pixel_of(const struct chk_image *m, uint64_t offset, int32_t at[3])
{
    at[2] = m->slice_pitch && (m->is_array || m->ndims == 3) ? (int32_t)(offset / m->slice_pitch)
                                                             : 0;
    if (m->slice_pitch && (m->is_array || m->ndims == 3)) offset %= m->slice_pitch;
    at[1] = m->ndims > 1 && m->row_pitch ? (int32_t)(offset / m->row_pitch) : 0;
    if (m->ndims > 1 && m->row_pitch) offset %= m->row_pitch;
    at[0] = (int32_t)(offset / m->pixel);
}

/** "16 x 16 pixels of 4 bytes" */
static const char *image_text(struct arena *a, const struct chk_image *m)
{
    const char *s = arena_printf(a, "%llu", (unsigned long long)m->size[0]);
    for (unsigned k = 1; k < m->ndims; k++)
        s = arena_printf(a, "%s x %llu", s, (unsigned long long)m->size[k]);
    if (m->is_array)
        s = arena_printf(a, "%llu layer%s of %s", (unsigned long long)m->layers,
                         m->layers == 1 ? "" : "s", s);
    return arena_printf(a, "%s pixels of %u byte%s", s, m->pixel, m->pixel == 1 ? "" : "s");
}

/** ", a sub-buffer: bytes 1024..1279 of a buffer of 4096 bytes (created at main.c:30)", or "" */
static const char *part_text(struct arena *a, const struct chk_object *o)
{
    const struct chk_part *p = &o->part;
    if (!p->of || !o->size) return "";
    const unsigned long long from = p->from, of = p->of;
    return arena_printf(a, ", a sub-buffer: bytes %llu..%llu of a buffer of %llu bytes%s%s%s", from,
                        from + o->size - 1, of, p->origin ? " (" : "", p->origin ? p->origin : "",
                        p->origin ? ")" : "");
}

const char *chk_object_note(const struct chk_launch *l, struct arena *a, uint32_t id)
{
    const struct chk_object *o = &l->objects[id];
    const char *at = chk_loc_text(l, a, o->loc);
    const char *name = o->name ? arena_printf(a, "'%s'", o->name) : "the object";
    const char *where = o->is_arg && o->origin ? o->origin
                        : at                   ? arena_printf(a, "declared at %s", at)
                                               : NULL;
    if (o->image.pixel)
        return arena_printf(a, "%s is an image of %s%s%s%s", name, image_text(a, &o->image),
                            where ? " (" : "", where ? where : "", where ? ")" : "");
    if (o->packets.size)
        return arena_printf(a, "%s is a pipe of %u packet%s of %u byte%s%s%s%s", name,
                            o->packets.most, o->packets.most == 1 ? "" : "s", o->packets.size,
                            o->packets.size == 1 ? "" : "s", where ? " (" : "", where ? where : "",
                            where ? ")" : "");
    return arena_printf(a, "%s is %llu byte%s of %s%s%s%s%s", name, (unsigned long long)o->size,
                        o->size == 1 ? "" : "s", o->memory, where ? " (" : "", where ? where : "",
                        where ? ")" : "", part_text(a, o));
}

struct rep_finding chk_finding(const struct chk_launch *l, enum rep_kind kind)
{
    struct rep_finding f = {.kind = kind,
                            .kernel = bc_str(l->module, l->kernel->name),
                            .launch = l->number,
                            .host_site = l->host_site,
                            .schedule = l->schedule};
    memcpy(f.scene.global, l->global, sizeof f.scene.global);
    memcpy(f.scene.local, l->local, sizeof f.scene.local);
    memcpy(f.scene.offset, l->offset, sizeof f.scene.offset);
    return f;
}

void chk_note(struct rep_finding *f, const char *note)
{
    if (note && f->nnotes < REP_MAX_NOTES) f->notes[f->nnotes++] = note;
}

/** What the memory model allowed under the schedule. NULL: nothing that the note would explain. */
static const char *late_note(const struct chk_launch *l, struct arena *a)
{
    const struct bc_mem *const m = l->late_site && *l->late_site ? &l->module->sites[*l->late_site]
                                                                 : NULL;
    const char *const at = m ? chk_loc_text(l, a, m->loc) : NULL;
    if (!at) return NULL;
    const char *const what = m->kind == BC_ATOMIC_RMW ? "update" : "store";
    if (m->order == BC_SEQ_CST)
        return arena_printf(a,
                            "the atomic %s at %s was seen late, as the memory model allows: later "
                            "loads of other locations may precede it unless they are "
                            "memory_order_seq_cst, too",
                            what, at);
    return arena_printf(a,
                        "the atomic %s at %s was seen late, as its memory order allows: only "
                        "memory_order_seq_cst at both orders it before a later load of another "
                        "location%s",
                        what, at,
                        m->order == BC_RELAXED || m->order == BC_ACQUIRE
                            ? ", and only a later release orders it before other stores"
                            : "");
}

void chk_report(const struct chk_launch *l, const struct rep_finding *f)
{
    struct arena arena = {0};
    struct rep_finding own = *f;
    chk_note(&own, late_note(l, &arena));
    if (f->schedule)
        chk_note(&own,
                 arena_printf(&arena, "seen under schedule %llu; repeat it with --schedule=%llu",
                              (unsigned long long)f->schedule, (unsigned long long)f->schedule));
    if (l->on_finding) l->on_finding(l->on_finding_ctx, &own);
    if (l->rep) rep_add(l->rep, &own);
    arena_deinit(&arena);
}

void chk_checked_lines(const struct chk_launch *l, const struct bc_fn *fn)
{
    const struct bc_module *m = l->module;
    struct lines { // of one function in one file, including functions inlined into it
        struct rep_place first;
        uint32_t file, fn_name, last;
    };
    VEC(struct lines) all = {0};
    for (uint32_t i = 0; i <= fn->ninsns; i++) {
        const uint32_t loc = i < fn->ninsns ? fn->insns[i].loc : fn->loc;
        const struct bc_loc *at = &m->locs[loc];
        size_t k = 0;
        if (!at->line || !loc) continue;
        while (k < all.len && (all.data[k].file != at->file || all.data[k].fn_name != at->fn_name))
            k++;
        if (k == all.len)
            vec_push(&all, (struct lines){one_place(m, loc), at->file, at->fn_name, at->line});
        struct lines *of = &all.data[k];
        if (at->line < of->first.line) of->first.line = at->line;
        if (at->line > of->last) of->last = at->line;
    }
    for (size_t k = 0; k < all.len; k++)
        rep_checked_lines(l->rep, &all.data[k].first, all.data[k].last);
    vec_free(&all);
}
