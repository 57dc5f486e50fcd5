// SPDX-License-Identifier: MIT
// Storage of lane shapes: see lane_shapes.h.
#include "interp/lanes/lane_shapes.h"

#include "base/mem.h"

#include <stdlib.h>

struct vm_lane_shapes *vm_lane_shapes_create(void)
{
    return mem_alloc(sizeof(struct vm_lane_shapes));
}

void vm_lane_shapes_free(struct vm_lane_shapes *s)
{
    for (uint32_t i = 0; s && i < VM_LANE_SHAPES; i++) free(s->shape[i].index);
    free(s);
}

void vm_lane_shapes_forget(struct vm_lane_shapes *s)
{
    for (uint32_t i = 0; s && i < VM_LANE_SHAPES; i++) s->shape[i].n = 0;
}

struct vm_lane_shape *vm_lane_shape_new(struct vm_lane_shapes *s, uint32_t width)
{
    while (s->shape[s->next].used) { // used since the last visit
        s->shape[s->next].used = false;
        s->next = (s->next + 1) % VM_LANE_SHAPES;
    }
    static uint64_t made; // atomic
    struct vm_lane_shape *p = &s->shape[s->next];
    s->next = (s->next + 1) % VM_LANE_SHAPES;
    if (!p->index) { // all lane shapes of a gang have its width
        const size_t strips = width / VM_STRIP;
        p->index = mem_try_alloc(2 * 4 * (size_t)width + 5 * strips + 2 * (size_t)width, 64);
        if (!p->index) return NULL;
        p->element = p->index + width;
        p->from = p->element + width;
        p->inverse = (int8_t *)(p->from + strips);
        p->how = (uint8_t *)p->inverse + 2 * (size_t)width;
    }
    p->id = __atomic_add_fetch(&made, 1, __ATOMIC_RELAXED);
    return p;
}
