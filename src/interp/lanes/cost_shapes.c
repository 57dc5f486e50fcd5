// SPDX-License-Identifier: MIT
// Storage of the memo of costs: see cost_shapes.h.
#include "interp/lanes/cost_shapes.h"

#include "base/mem.h"
#include "interp/decode/code.h"

#include <stdlib.h>
#include <string.h>

struct vm_cost_shapes *vm_cost_shapes_create(void)
{
    return mem_alloc(sizeof(struct vm_cost_shapes));
}

void vm_cost_shapes_free(struct vm_cost_shapes *s)
{
    for (uint32_t i = 0; s && i < VM_COST_SHAPES; i++) free(s->shape[i].at);
    free(s);
}

void vm_cost_shape_reset(struct vm_cost_shape *s)
{
    if (!s->at) {
        s->at = mem_array(NULL, VM_MAX_WIDTH, sizeof *s->at + 1);
        s->mask = (uint8_t *)(s->at + VM_MAX_WIDTH);
    }
    memset(s->costs, 0, sizeof s->costs);
}
