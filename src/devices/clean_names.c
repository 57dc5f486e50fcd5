// SPDX-License-Identifier: MIT
#include "devices/clean_names.h"

#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "report/excerpt.h"

#include <string.h>

struct cleaning {
    struct bc_module *m;
    struct map known;       // string → the clean one, of those met; they may be used often
    VEC(const char *) more; // clean ones that are to follow the module's strings
};

static char *cleaned(struct bc_module *m, const char *text)
{
    struct str s = {0};
    rep_put_safe(&s, text);
    char *copy = arena_strdup(&m->arena, str_text(&s));
    str_deinit(&s);
    return copy;
}

/** The module is its decoder's, in memory that can be written. */
static void clean(struct cleaning *c, const uint32_t *name)
{
    bool is_new;
    uint64_t *to = map_put(&c->known, *name, &is_new);
    if (is_new) {
        const char *text = bc_str(c->m, *name), *safe = cleaned(c->m, text);
        *to = *name;
        if (strcmp(text, safe)) {
            *to = c->m->nstrings + c->more.len;
            vec_push(&c->more, safe);
        }
    }
    *(uint32_t *)name = (uint32_t)*to;
}

#define EACH(m, list, n, member)                                                                   \
    for (uint32_t i = 0; i < (m)->n; i++) clean(&c, &(m)->list[i].member)

void dev_clean_names(struct bc_module *m)
{
    struct cleaning c = {.m = m};
    EACH(m, fns, nfns, name);
    for (uint32_t i = 0; i < m->nkernels + m->nvariants; i++) {
        struct bc_kernel *k = (struct bc_kernel *)&m->kernels[i];
        clean(&c, &k->name);
        clean(&c, &k->vec_type_hint);
        clean(&c, &k->attributes);
        if (k->refused) k->refused = cleaned(m, k->refused);
    }
    EACH(m, args, nargs, name);
    EACH(m, args, nargs, type);
    EACH(m, objects, nobjects, name);
    EACH(m, objects, nobjects, type);
    EACH(m, sites, nsites, pointer);
    EACH(m, locs, nlocs, fn_name);
    EACH(m, files, nfiles, name);
    EACH(m, dtypes, ndtypes, name);
    EACH(m, members, nmembers, name);
    EACH(m, scopes, nscopes, fn_name);
    EACH(m, vars, nvars, name);
    if (c.more.len) {
        const char **all = arena_array(&m->arena, const char *, m->nstrings + c.more.len);
        memcpy(all, m->strings, m->nstrings * sizeof *all);
        memcpy(all + m->nstrings, c.more.data, c.more.len * sizeof *all);
        m->strings = all;
        m->nstrings += (uint32_t)c.more.len;
    }
    map_deinit(&c.known);
    vec_free(&c.more);
}
