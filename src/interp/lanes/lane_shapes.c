// SPDX-License-Identifier: MIT
#include "interp/lanes/lane_shapes.h"

#include "base/mem.h"

#include <stdlib.h>

struct vm_layouts *vm_layouts_create(void) { return mem_alloc(sizeof(struct vm_layouts)); }

void vm_layouts_free(struct vm_layouts *s)
{
    for (uint32_t i = 0; s && i < VM_LAYOUTS; i++) free(s->layout[i].index);
    free(s);
}

void vm_layouts_forget(struct vm_layouts *s)
{
    for (uint32_t i = 0; s && i < VM_LAYOUTS; i++) s->layout[i].n = 0;
}

struct vm_layout *vm_layout_new(struct vm_layouts *s, uint32_t width)
{
    while (s->layout[s->next].used) { // since it was passed here
        s->layout[s->next].used = false;
        s->next = (s->next + 1) % VM_LAYOUTS;
    }
    static uint64_t made; // atomic
    struct vm_layout *p = &s->layout[s->next];
    s->next = (s->next + 1) % VM_LAYOUTS;
    if (!p->index) { // a gang's layouts are all of its width
        const size_t units = width / VM_UNIT;
        p->index = mem_try_alloc(2 * 4 * (size_t)width + 5 * units + 2 * (size_t)width, 64);
        if (!p->index) return NULL;
        p->place = p->index + width;
        p->from = p->place + width;
        p->inverse = (int8_t *)(p->from + units);
        p->how = (uint8_t *)p->inverse + 2 * (size_t)width;
    }
    p->id = __atomic_add_fetch(&made, 1, __ATOMIC_RELAXED);
    return p;
}
