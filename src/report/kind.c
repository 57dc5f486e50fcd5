// SPDX-License-Identifier: MIT
// The table of kinds as data, made from kinds.def.
#include "report/finding.h"

#include <string.h>

const struct rep_kind_info rep_kinds[REP_KIND_COUNT] = {
#define KIND(name, id, severity, what, mend) [REP_##name] = {id, REP_##severity, what, mend},
#include "report/kinds.def"
};

int rep_kind_find(const char *id)
{
    for (int k = 0; k < REP_KIND_COUNT; k++)
        if (!strcmp(rep_kinds[k].id, id)) return k;
    return -1;
}
