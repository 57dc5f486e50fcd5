// SPDX-License-Identifier: MIT
// From counts of blocks to counts of lines.
//
// A line ran as often as the most executed of its blocks. Where a function was inlined several
// times, or decoded in several variants, each copy counts for itself and the counts are added.
// Branches are identified by line, column and, where a macro has several at one place, their order.
// The kernel itself decides which outcomes they have, whichever variant of it runs.
#include "look/module_lines.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/vec.h"
#include "look/group_uniform.h"
#include "report/document.h"

#include <stdlib.h>
#include <string.h>

/** A line in one copy of a function. */
struct line {
    uint32_t file, line;
    uint64_t items;
};
struct lines {
    const struct bc_module *m;
    json_t *files;
    json_t **file_of;      // by file of the module: its object; borrowed, NULL: not made yet
    VEC(struct line) list; // of the function at hand
    bool *same;            // likewise: [block] as look_group_uniform finds it
    bool is_variant;       // likewise: of a function before it
    struct map index;      // hash of file, line, inlined_at → index in list, plus 1
    struct map seen;       // the same of line, column, inlined_at: branches met
};

static json_t *object_in(json_t *parent, const char *key)
{
    json_t *o = json_object_get(parent, key);
    if (!o) json_object_set_new(parent, key, o = json_object());
    return o;
}

static json_t *file_of(struct lines *x, uint32_t file)
{
    if (x->file_of[file]) return x->file_of[file];
    const struct bc_file *const f = &x->m->files[file];
    const char *const name = bc_str(x->m, f->name), *const path = f->path ? bc_str(x->m, f->path)
                                                                          : NULL;
    char *const real = path ? realpath(path, NULL) : NULL;
    const char *const key = real ? real : path ? path : name;
    json_t *const o = object_in(x->files, key);
    if (!json_object_get(o, "name")) {
        json_object_set_new(o, "name", rep_json_text(name, strlen(name)));
        if (!path && f->text) {
            const char *const text = bc_str(x->m, f->text);
            json_object_set_new(o, "text", rep_json_text(text, strlen(text)));
        } else if (!path) {
            json_object_set_new(o, "unread", json_true());
        }
    }
    free(real);
    return x->file_of[file] = o;
}

static void add_number(json_t *to, const char *key, uint64_t n)
{
    const json_int_t had = json_integer_value(json_object_get(to, key));
    json_object_set_new(to, key, json_integer(had + (json_int_t)n));
}

/** Adds the numbers to the list under the key. */
static void add_list(json_t *to, const char *key, const uint64_t *v, unsigned n)
{
    json_t *list = json_object_get(to, key);
    if (!list) json_object_set_new(to, key, list = json_array());
    for (unsigned i = 0; i < n; i++) {
        const json_int_t had = json_integer_value(json_array_get(list, i));
        if (i < json_array_size(list))
            json_array_set_new(list, i, json_integer(had + (json_int_t)v[i]));
        else json_array_append_new(list, json_integer((json_int_t)v[i]));
    }
}

static bool is_known(const struct bc_module *m, uint32_t loc)
{
    return loc && m->locs[loc].line && m->locs[loc].file < m->nfiles;
}

static void note_line(struct lines *x, const struct bc_loc *at, uint64_t items)
{
    const uint32_t key[] = {at->file, at->line, at->inlined_at};
    uint64_t *const slot = map_put(&x->index, hash_bytes(key, sizeof key, 1), NULL);
    if (!*slot) {
        vec_push(&x->list, (struct line){at->file, at->line, 0});
        *slot = x->list.len;
    }
    struct line *const l = &x->list.data[*slot - 1];
    if (l->items < items) l->items = items;
}

/** same: work-items of a group never go both ways at once. */
static void add_branch(struct lines *x, const struct bc_insn *b, const struct vm_block_count *c,
                       bool same)
{
    const struct bc_loc *const at = &x->m->locs[b->loc];
    const uint32_t key[] = {at->file, at->line, at->col, at->inlined_at};
    const uint64_t nth = (*map_put(&x->seen, hash_bytes(key, sizeof key, 2), NULL))++;
    const uint64_t counts[] = {c->yes, c->items - c->yes, c->split};
    char name[64];
    snprintf(name, sizeof name, "%u:%u:%u", at->line, at->col, (unsigned)nth);
    json_t *const branches = object_in(file_of(x, at->file), "branches");
    const size_t has = json_array_size(json_object_get(branches, name));
    add_list(branches, name, counts, c->split || !(same || (x->is_variant && has == 2)) ? 3 : 2);
}

static void look_at_block(struct lines *x, const struct bc_fn *fn, uint32_t k,
                          const struct vm_block_count *c)
{
    const struct bc_module *const m = x->m;
    const struct bc_block *const block = &fn->blocks[k];
    for (uint32_t i = 0; i < block->count; i++) {
        const struct bc_insn *const b = &fn->insns[block->first + i];
        if (b->op == BC_UNDEF || b->op == BC_FORGET) continue; // a declaration does nothing
        for (uint32_t loc = b->loc; is_known(m, loc); loc = m->locs[loc].inlined_at)
            note_line(x, &m->locs[loc], c->items);
    }
    const struct bc_insn *const end = &fn->insns[block->first + block->count - 1];
    if (!is_known(m, end->loc)) return;
    const struct bc_loc *const at = &m->locs[end->loc];
    char name[32];
    snprintf(name, sizeof name, "%u:%u", at->line, at->col);
    if (end->op == BC_CBR) add_branch(x, end, c, x->same[k]);
    if (end->op == BC_BARRIER && end->a == BC_BAR_BARRIER)
        add_number(object_in(file_of(x, at->file), "barriers"), name, c->items);
}

static void add_function(struct lines *x, uint32_t file, uint32_t line, const char *name,
                         uint64_t hits)
{
    json_t *const functions = object_in(file_of(x, file), "functions");
    json_t *const known = json_object_get(functions, name);
    const json_int_t first = json_integer_value(json_array_get(known, 0));
    if (!known) json_object_set_new(functions, name, json_pack("[i, i]", (int)line, 0));
    json_t *const f = json_object_get(functions, name);
    if (line < first) json_array_set_new(f, 0, json_integer(line));
    json_array_set_new(f, 1,
                       json_integer(json_integer_value(json_array_get(f, 1)) + (json_int_t)hits));
}

/** Functions that were inlined into fn: each copy was called as often as its first block ran. */
static void add_inlined(struct lines *x, const struct bc_fn *fn, const struct vm_block_count *c)
{
    const struct bc_module *const m = x->m;
    struct map copies = {0}; // inlined_at and function → 1
    for (uint32_t k = 0; k < fn->nblocks; k++)
        for (uint32_t i = 0; i < fn->blocks[k].count; i++) {
            uint32_t loc = fn->insns[fn->blocks[k].first + i].loc;
            for (; is_known(m, loc) && m->locs[loc].inlined_at; loc = m->locs[loc].inlined_at) {
                const struct bc_loc *const at = &m->locs[loc];
                bool is_new;
                map_put(&copies, (uint64_t)at->inlined_at << 32 | at->fn_name, &is_new);
                if (is_new && at->fn_name)
                    add_function(x, at->file, at->line, bc_str(m, at->fn_name), c[k].items);
            }
        }
    map_deinit(&copies);
}

static void add_loops(struct lines *x, const struct bc_fn *fn, const struct vm_loop_count *c)
{
    for (uint32_t l = 0; l < fn->nloops && !fn->may_part; l++) {
        if (!is_known(x->m, fn->loops[l].loc)) continue;
        const struct bc_loc *const at = &x->m->locs[fn->loops[l].loc];
        const uint64_t trips[] = {c[l].entered - c[l].once, c[l].once - c[l].twice, c[l].twice};
        char name[32];
        snprintf(name, sizeof name, "%u:%u", at->line, at->col);
        add_list(object_in(file_of(x, at->file), "loops"), name, trips, 3);
    }
}

/** Variants of a function follow it. */
static bool is_variant(const struct bc_module *m, uint32_t f)
{
    for (uint32_t k = 0; k < f; k++)
        if (m->fns[k].loc == m->fns[f].loc && m->fns[k].name == m->fns[f].name) return true;
    return false;
}

void look_add_coverage(json_t *files, const struct bc_module *m, const struct vm_coverage *c)
{
    struct lines x = {.m = m, .files = files};
    x.file_of = mem_alloc((m->nfiles + 1) * sizeof(json_t *));
    for (uint32_t f = 0; f < m->nfns; f++) {
        const struct bc_fn *const fn = &m->fns[f];
        const struct vm_block_count *const blocks = c->blocks + c->first_block[f];
        map_clear(&x.index);
        map_clear(&x.seen);
        vec_clear(&x.list);
        x.is_variant = is_variant(m, f);
        x.same = mem_alloc(fn->nblocks);
        look_group_uniform(m, fn, x.same);
        for (uint32_t k = 0; k < fn->nblocks; k++) look_at_block(&x, fn, k, &blocks[k]);
        for (size_t i = 0; i < x.list.len; i++) {
            const struct line *const l = &x.list.data[i];
            char name[16];
            snprintf(name, sizeof name, "%u", l->line);
            add_number(object_in(file_of(&x, l->file), "lines"), name, l->items);
        }
        if (is_known(m, fn->loc))
            add_function(&x, m->locs[fn->loc].file, m->locs[fn->loc].line, bc_str(m, fn->name),
                         blocks[0].items);
        free(x.same);
        add_inlined(&x, fn, blocks);
        add_loops(&x, fn, c->loops + c->first_loop[f]);
    }
    map_deinit(&x.index);
    map_deinit(&x.seen);
    vec_free(&x.list);
    free(x.file_of);
}

static json_t *line_of(struct lines *x, const struct bc_loc *at)
{
    char name[16];
    snprintf(name, sizeof name, "%u", at->line);
    return object_in(object_in(file_of(x, at->file), "lines"), name);
}

static void add_cost(json_t *line, const struct vm_access_cost *c)
{
    const struct {
        const char *name;
        uint64_t n;
    } members[] = {
        {"accesses", c->lanes},
        {"access_waves", c->waves},
        {"global_bytes", c->global_bytes},
        {"transactions", c->transactions},
        {"ideal_transactions", c->ideal_transactions},
        {"local_bytes", c->local_bytes},
        {"bank_cycles", c->bank_cycles},
        {"ideal_bank_cycles", c->ideal_bank_cycles},
    };
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (members[i].n) add_number(line, members[i].name, members[i].n);
}

void look_add_costs(json_t *files, const struct bc_module *m, const struct vm_coverage *c)
{
    struct lines x = {.m = m, .files = files};
    x.file_of = mem_alloc((m->nfiles + 1) * sizeof(json_t *));
    for (uint32_t f = 0; f < m->nfns && c->waves; f++)
        for (uint32_t k = 0; k < m->fns[f].nblocks; k++) {
            const uint32_t block = c->first_block[f] + k;
            const struct bc_block *const b = &m->fns[f].blocks[k];
            const struct vm_wave_count *const w = &c->waves[block];
            for (uint32_t i = 0; i < b->count && w->waves; i++) {
                const struct bc_insn *const insn = &m->fns[f].insns[b->first + i];
                if (!is_known(m, insn->loc) || insn->op == BC_UNDEF || insn->op == BC_FORGET)
                    continue;
                json_t *const line = line_of(&x, &m->locs[insn->loc]);
                add_number(line, "instructions", c->blocks[block].items);
                add_number(line, "issued_lanes", w->waves * c->model.simd_width);
                if (w->missing) add_number(line, "missing_lanes", w->missing);
                if (bc_is_access(insn->op)) add_cost(line, &c->costs[insn->site]);
            }
        }
    free(x.file_of);
}
