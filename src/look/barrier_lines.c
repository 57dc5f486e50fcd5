// SPDX-License-Identifier: MIT
// Which barriers of kernels are needed, by source location.
#include "look/module_lines.h"

#include "report/document.h"
#include "report/profile.h"

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
        rep_profile_add_barriers(barriers, more);
        json_decref(more);
    }
}
