// SPDX-License-Identifier: MIT
// Which barriers of kernels are needed, by source location.
#include "look/look.h"
#include "look/module_lines.h"

#include "base/mem.h"
#include "base/vec.h"
#include "report/document.h"
#include "report/profile.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static json_t *place_of(const struct bc_module *m, uint32_t loc)
{
    const struct bc_loc *const at = &m->locs[loc];
    const struct bc_file *const f = &m->files[at->file];
    const char *const name = bc_str(m, f->name), *const path = f->path ? bc_str(m, f->path) : NULL;
    char *const real = path ? realpath(path, NULL) : NULL;
    const char *const key = real ? real : path ? path : name;
    json_t *const o =
        json_pack("{s: o, s: o, s: i, s: i}", "file", rep_json_text(name, strlen(name)), "path",
                  rep_json_text(key, strlen(key)), "line", (int)at->line, "column", (int)at->col);
    free(real);
    return o;
}

static json_t *indices_of(uint64_t set)
{
    json_t *const list = json_array();
    for (; set; set &= set - 1) json_array_append_new(list, json_integer(__builtin_ctzll(set)));
    return list;
}

/** What is proved of a kernel. */
struct proof {
    const struct bc_module *m;
    uint32_t kernel;
    uint64_t set;
    char *sizes;
};
static struct {
    pthread_mutex_t lock; // guards `of`
    VEC(struct proof) of;
} proofs = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct proof *proof_of(const struct bc_module *m, uint32_t kernel)
{
    for (size_t i = 0; i < proofs.of.len; i++)
        if (proofs.of.data[i].m == m && proofs.of.data[i].kernel == kernel)
            return &proofs.of.data[i];
    return NULL;
}

void look_barriers_proved(const struct bc_module *m, uint32_t kernel, uint64_t set,
                          const char *sizes)
{
    pthread_mutex_lock(&proofs.lock);
    if (!proof_of(m, kernel)) vec_push(&proofs.of, (struct proof){.m = m, .kernel = kernel});
    struct proof *const p = proof_of(m, kernel);
    free(p->sizes);
    p->set = set;
    p->sizes = mem_strdup(sizes);
    pthread_mutex_unlock(&proofs.lock);
}

static void add_proof(json_t *uses, const struct bc_module *m, uint32_t kernel)
{
    pthread_mutex_lock(&proofs.lock);
    const struct proof *const p = proof_of(m, kernel);
    if (p && p->set) {
        json_object_set_new(uses, "proved", indices_of(p->set));
        json_object_set_new(uses, "proved_for", json_string(p->sizes));
    }
    pthread_mutex_unlock(&proofs.lock);
}

void look_forget_proofs(const struct bc_module *m)
{
    pthread_mutex_lock(&proofs.lock);
    for (size_t i = 0; i < proofs.of.len; i++)
        if (proofs.of.data[i].m == m) proofs.of.data[i].set = 0;
    pthread_mutex_unlock(&proofs.lock);
}

void look_add_barriers(json_t *barriers, const struct bc_module *m, const struct vm_coverage *c)
{
    for (uint32_t k = 0; c->barriers && k < m->nkernels; k++) {
        const struct vm_barrier_uses *const u = &c->barriers[k];
        const uint64_t named = (1ull << u->n) - 1;
        if (!u->n) continue;
        json_t *const places = json_array(), *const needed = json_array();
        for (uint32_t i = 0; i < u->n; i++) json_array_append_new(places, place_of(m, u->loc[i]));
        for (uint64_t one = u->uses.needed & named; one; one &= one - 1)
            json_array_append_new(needed, indices_of(one & -one));
        for (unsigned i = 0; i < u->uses.nsets; i++)
            json_array_append_new(needed, indices_of(u->uses.sets[i]));
        json_t *const more = json_pack("{s: [{s: o, s: o, s: o, s: b}]}",
                                       bc_str(m, m->kernels[k].name), "places", places, "passed",
                                       indices_of(u->uses.passed & named), "needed", needed,
                                       "unknown", u->is_unknown || u->uses.is_cut);
        add_proof(json_array_get(json_object_get(more, bc_str(m, m->kernels[k].name)), 0), m, k);
        rep_profile_add_barriers(barriers, more);
        json_decref(more);
    }
}
