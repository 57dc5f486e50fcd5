// SPDX-License-Identifier: MIT
// The tables of kinds as data, made from kinds.def and explain.def.
#include "report/finding.h"

#include "base/str.h"

#include <ctype.h>
#include <string.h>

const struct rep_kind_info rep_kinds[REP_KIND_COUNT] = {
#define KIND(name, id, severity, what, mend) [REP_##name] = {id, REP_##severity, what, mend},
#include "report/kinds.def"
};

const struct rep_explanation rep_explanations[REP_KIND_COUNT] = {
#define EXPLAIN(name, rule, wrong, mended) [REP_##name] = {rule, wrong, mended},
#include "report/explain.def"
};

const struct rep_mend_info rep_mends[REP_MEND_COUNT] = {
#define MEND(name, kind, when, how) [REP_MEND_##name] = {REP_##kind, when, how},
#include "report/mends.def"
};

char *rep_next_mend(enum rep_kind kind, enum rep_mend *m)
{
    while (++*m < REP_MEND_COUNT && rep_mends[*m].kind != kind) {}
    if (*m >= REP_MEND_COUNT) return NULL;
    const struct rep_mend_info *x = &rep_mends[*m];
    struct str s = {0};
    str_printf(&s, "%c%s: %s", toupper((unsigned char)*x->when), x->when + 1, x->how);
    return str_take(&s);
}

#define EXPLAIN(name, rule, wrong, mended) +1
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
