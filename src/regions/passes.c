// SPDX-License-Identifier: MIT
// The pass runner: prepares the program, and converts a function with known variables and
// uniformity to its work-group form.
#include "config.h"

#include "regions/form.h"

#include <stdio.h>
#include <stdlib.h>

struct state {
    struct rg_fn *f;
    struct arena *a;
    unsigned flags;
    struct rg_workgroup w;
};

static void form(struct state *s) { rg_form(s->f, s->flags, s->a, &s->w); }

static void horizontal(struct state *s)
{
    unsigned more = 0;
    for (unsigned l = 0; l < s->f->nloops; l++)
        more += !s->f->loops[l].has_barrier && rg_is_b_loop(s->f, &s->f->loops[l], RG_HORIZONTAL);
    if (!more || !s->w.is_regions) return;
    s->flags |= RG_HORIZONTAL;
    form(s);
}

static const struct {
    const char *name;
    void (*run)(struct state *);
    bool may_skip;
} passes[] = {
    {"form", form, false},
    {"horizontal", horizontal, true},
};

static bool names(const char *list, const char *name)
{
    size_t n = strlen(name);
    for (const char *p = list; p && *p; p += strcspn(p, ","), p += *p == ',')
        if ((!strncmp(p, name, n) && (p[n] == ',' || !p[n])) || !strncmp(p, "all", 3)) return true;
    return false;
}

struct err *rg_normalize(LLVMModuleRef m)
{
    rg_returned(m);
    struct err *e = rg_inline(m);
    if (!e && !names(getenv("CLDBG_REGIONS_SKIP"), "split")) rg_split(m);
    return e;
}

struct err *rg_run_passes(struct rg_fn *f, const char *name, struct arena *a,
                          struct rg_workgroup *out)
{
    struct state s = {.f = f, .a = a};
    struct err *e = NULL;
#ifdef CLDBG_DEVELOPER
    bool validate = true;
#else
    bool validate = getenv("CLDBG_REGIONS_VALIDATE") != NULL;
#endif
    for (size_t p = 0; p < sizeof passes / sizeof *passes && !e; p++) {
        if (passes[p].may_skip && names(getenv("CLDBG_REGIONS_SKIP"), passes[p].name)) continue;
        passes[p].run(&s);
        struct str text = {0};
        if (names(getenv("CLDBG_REGIONS_PRINT"), passes[p].name)) {
            rg_dump(&s.w, name, NULL, NULL, &text);
            fprintf(stderr, "after %s:\n%s", passes[p].name, str_text(&text));
            str_clear(&text);
        }
        if (validate) rg_validate(&s.w, &text);
        if (text.len)
            e = err_new("internal error: regions of '%s' after pass %s:\n%s", name, passes[p].name,
                        text.data);
        str_deinit(&text);
    }
    *out = s.w;
    return e;
}
