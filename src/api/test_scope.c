// SPDX-License-Identifier: MIT
// The findings of one test.
#include "api/test_scope.h"

#include "api/cmdgraph.h"
#include "devices/dev.h"

void api_scope_begin(void)
{
    api_settle();
    rep_scope_begin(dev_report());
}

char *api_scope_end(unsigned *errors, unsigned *warnings)
{
    api_settle();
    return rep_scope_end(dev_report(), errors, warnings);
}
