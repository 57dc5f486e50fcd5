// SPDX-License-Identifier: MIT
// The tables of kinds, generated from kinds.def and explain.def.
#include "report/finding.h"

#include "base/str.h"

#include <ctype.h>
#include <string.h>

const struct rep_kind_info rep_kinds[REP_KIND_COUNT] = {
#define KIND(name, id, severity, what, fix) [REP_##name] = {id, REP_##severity, what, fix},
#include "report/kinds.def"
};

const struct rep_explanation rep_explanations[REP_KIND_COUNT] = {
#define EXPLAIN(name, rule, wrong, fixed) [REP_##name] = {rule, wrong, fixed},
#include "report/explain.def"
};

const struct rep_fix_info rep_fix_hints[REP_FIX_COUNT] = {
#define FIX_HINT(name, kind, when, how) [REP_FIX_##name] = {REP_##kind, when, how},
#include "report/fix_hints.def"
};

char *rep_next_fix(enum rep_kind kind, enum rep_fix *m)
{
    while (++*m < REP_FIX_COUNT && rep_fix_hints[*m].kind != kind) {}
    if (*m >= REP_FIX_COUNT) return NULL;
    const struct rep_fix_info *x = &rep_fix_hints[*m];
    struct str s = {0};
    str_printf(&s, "%c%s: %s", toupper((unsigned char)*x->when), x->when + 1, x->how);
    return str_take(&s);
}

#define EXPLAIN(name, rule, wrong, fixed) +1
_Static_assert(REP_KIND_COUNT == 0
#include "report/explain.def"
               ,
               "every kind of finding is explained");

int rep_kind_find(const char *id)
{
    for (int k = 0; k < REP_KIND_COUNT; k++)
        if (!strcmp(rep_kinds[k].id, id)) return k;
    return -1;
}
