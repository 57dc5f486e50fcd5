// SPDX-License-Identifier: MIT
#include "bytecode/bytecode.h"

#include "base/mem.h"

#include <stdlib.h>

struct bc_module *bc_module_create(void) { return mem_alloc(sizeof(struct bc_module)); }

void bc_module_destroy(struct bc_module *m)
{
    if (!m) return;
    arena_deinit(&m->arena);
    free(m);
}
