// SPDX-License-Identifier: MIT
// Calling contexts. OpenCL C has no recursion, so the calls of a kernel form a finite tree (Ammons
// et al.'s calling context tree, PLDI 1997). It is numbered breadth first until the numbers are
// used up; calls beyond that share the numbers of their sites, and reports do not say how they were
// reached.
#include "interp/core/call_paths.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "interp/decode/code.h"
#include "interp/launch/worker.h"

#include <stdlib.h>

enum {
    MIN_NUMBERS = 512, // fit into stamps of 4 bytes for groups of 1024 work-items
    MAX_PATHS = 4096,
};

static uint32_t calls_of(const struct bc_fn *fn)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < fn->ninsns; i++) n += fn->insns[i].op == BC_CALL;
    return n;
}

struct walk {
    struct vm_code *c;
    VEC(struct vm_call_path) list;
    VEC(struct chk_path) paths;
    uint32_t *accesses; // by function: number of its sites
    uint32_t numbers, limit;
};

static void add_callee(struct walk *w, uint32_t at, uint32_t call, const struct bc_insn *b)
{
    const struct bc_fn *caller = w->c->fns[w->list.data[at].fn].bc;
    const uint32_t fn = w->c->fn_of[caller->ext[b->ext]], n = w->accesses[fn];
    if (n > w->limit - w->numbers || w->list.len == MAX_PATHS) return;
    w->list.data[at].callee[call] = (uint32_t)w->list.len;
    vec_push(&w->list,
             (struct vm_call_path){
                 .fn = fn,
                 .first = n ? w->numbers : 0,
                 .callee = arena_array(&w->c->arena, uint32_t, calls_of(w->c->fns[fn].bc) + 1)});
    vec_push(&w->paths, (struct chk_path){at, b->loc});
    w->numbers += n;
}

static void add_callees(struct walk *w, uint32_t at)
{
    const struct bc_fn *bc = w->c->fns[w->list.data[at].fn].bc;
    uint32_t k = 0;
    for (uint32_t i = 0; i < bc->nblocks; i++) { // as decode.c numbers them
        const struct bc_block *block = &bc->blocks[i];
        for (uint32_t j = block->first; j < block->first + block->count; j++)
            if (bc->insns[j].op == BC_CALL) add_callee(w, at, k++, &bc->insns[j]);
    }
}

/** The first site with the same key; none for key 0. */
static uint32_t first_of(struct map *firsts, uint64_t key, uint32_t site)
{
    bool is_new;
    if (!key) return site;
    uint64_t *at = map_put(firsts, key, &is_new);
    if (is_new) *at = site;
    return (uint32_t)*at;
}

static void find_places(const struct bc_module *m, uint32_t *place, uint32_t *statement)
{
    struct map places = {0}, lines = {0};
    for (uint32_t i = 1; i < m->nsites; i++) {
        const struct bc_loc *l = &m->locs[m->sites[i].loc];
        const uint64_t line = l->line ? (uint64_t)l->file << 32 | l->line : 0;
        place[i] = first_of(&places, l->col && line ? line << 16 ^ l->col : 0, i);
        statement[i] = first_of(&lines, line, i);
    }
    map_deinit(&places);
    map_deinit(&lines);
}

/** The first `numbers` numbers belong to the sites themselves. */
static void find_paths(struct vm_code *c, struct vm_call_paths *p, const uint32_t *fn_of_site,
                       uint32_t numbers)
{
    const struct bc_module *m = c->module;
    struct walk w = {.c = c,
                     .accesses = mem_alloc(c->nfns * sizeof *w.accesses),
                     .numbers = numbers,
                     .limit = MIN_NUMBERS};
    while (w.limit < numbers) w.limit *= 2;
    for (uint32_t i = 1; i < m->nsites; i++)
        if (fn_of_site[i] != UINT32_MAX) p->ordinal[i] = w.accesses[fn_of_site[i]]++;
    vec_push(&w.list, (struct vm_call_path){
                          .callee = arena_array(&c->arena, uint32_t, calls_of(c->fns[0].bc) + 1)});
    vec_push(&w.paths, (struct chk_path){0});
    for (uint32_t at = 0; at < w.list.len; at++) add_callees(&w, at);
    p->list = arena_dup(&c->arena, w.list.data, w.list.len * sizeof *w.list.data);
    p->paths = arena_dup(&c->arena, w.paths.data, w.paths.len * sizeof *w.paths.data);
    p->npaths = (uint32_t)w.list.len;
    p->nnumbers = w.numbers;
    vec_free(&w.list);
    vec_free(&w.paths);
    free(w.accesses);
}

/**
 * Numbers only the sites that the kernel can reach: fewer numbers leave more bits of a stamp for
 * the epoch.
 */
static uint32_t number_sites(const struct vm_code *c, uint32_t *number)
{
    const struct bc_module *m = c->module;
    uint32_t n = 1;
    for (uint32_t i = 1; i < m->nsites; i++)
        if (m->sites[i].fn >= m->nfns || c->fn_of[m->sites[i].fn] != UINT32_MAX) number[i] = n++;
    return n;
}

/** Copies and images have accesses of several sizes. */
static void find_bytes(const struct bc_module *m, uint8_t *bytes)
{
    for (uint32_t i = 0; i < m->nsites; i++) bytes[i] = UINT8_MAX;
    for (uint32_t f = 0; f < m->nfns; f++)
        for (uint32_t i = 0; i < m->fns[f].ninsns; i++) {
            const struct bc_insn *b = &m->fns[f].insns[i];
            if (b->op == BC_LOAD || b->op == BC_STORE)
                bytes[b->site] = (uint8_t)(m->sites[b->site].elem * m->sites[b->site].ncomp);
        }
}

struct vm_call_paths *vm_call_paths_make(struct vm_code *c)
{
    const struct bc_module *m = c->module;
    struct vm_call_paths *p = arena_new(&c->arena, struct vm_call_paths);
    uint32_t *fn_of_site = arena_array(&c->arena, uint32_t, m->nsites),
             *place = arena_array(&c->arena, uint32_t, m->nsites),
             *statement = arena_array(&c->arena, uint32_t, m->nsites);
    uint8_t *bytes = arena_array(&c->arena, uint8_t, m->nsites + 1);
    for (uint32_t i = 1; i < m->nsites; i++)
        fn_of_site[i] = m->sites[i].fn < m->nfns ? c->fn_of[m->sites[i].fn] : UINT32_MAX;
    p->ordinal = arena_array(&c->arena, uint32_t, m->nsites);
    p->number = arena_array(&c->arena, uint32_t, m->nsites);
    find_paths(c, p, fn_of_site, number_sites(c, p->number));
    for (unsigned k = 0; k < 4; k++)
        *(uint32_t **[]){&p->site, &p->path, &p->place, &p->statement}[k] =
            arena_array(&c->arena, uint32_t, p->nnumbers);
    p->bytes = arena_array(&c->arena, uint8_t, p->nnumbers);
    if (c->narrow_atomics) p->scope = arena_array(&c->arena, uint8_t, p->nnumbers);
    find_places(m, place, statement);
    find_bytes(m, bytes);
    for (uint32_t k = 0; k < p->npaths; k++)
        for (uint32_t i = 1; (!k || p->list[k].first) && i < m->nsites; i++) {
            if (k ? fn_of_site[i] != p->list[k].fn : !p->number[i]) continue;
            const uint32_t number = k ? p->list[k].first + p->ordinal[i] : p->number[i];
            p->site[number] = i;
            p->path[number] = k;
            p->place[number] = place[i];
            p->statement[number] = statement[i];
            p->bytes[number] = bytes[i];
            if (p->scope)
                p->scope[number] = m->sites[i].kind >= BC_ATOMIC_RMW &&
                                           !bc_is_cl1(m->sites[i].order)
                                       ? m->sites[i].scope
                                       : BC_SCOPE_ALL;
        }
    return p;
}
