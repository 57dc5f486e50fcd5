// SPDX-License-Identifier: MIT
// How many waves of a kernel's groups a compute unit of the device model can hold at once.
#include "look/module_lines.h"

#include "bytecode/registers.h"
#include "report/profile.h"

/** What a compute unit holds of such groups, if there are enough of them. */
static json_t *group_of(const struct vm_group_size *s, unsigned registers,
                        const struct vm_device_model *m)
{
    const unsigned waves = (s->items + m->simd_width - 1) / m->simd_width;
    uint64_t groups = m->resident_waves / waves;
    const char *limit = "waves";
    if (groups > m->resident_groups) groups = m->resident_groups, limit = "groups";
    if (s->local_bytes && groups > m->local_memory / s->local_bytes)
        groups = m->local_memory / s->local_bytes, limit = "local memory";
    const uint64_t of_group = (uint64_t)registers * m->simd_width * waves;
    if (of_group && groups > m->registers / of_group)
        groups = m->registers / of_group, limit = "registers";
    return json_pack("{s: i, s: I, s: i, s: I, s: i, s: I, s: I, s: s}", "items", (int)s->items,
                     "local_bytes", (json_int_t)s->local_bytes, "registers", (int)registers,
                     "launches", (json_int_t)s->launches, "waves", (int)waves, "resident_groups",
                     (json_int_t)groups, "resident_waves", (json_int_t)(groups * waves), "limit",
                     limit);
}

void look_add_groups(json_t *groups, const struct bc_module *m, const struct vm_coverage *c)
{
    for (size_t i = 0; i < c->sizes.len; i++) {
        const struct vm_group_size *const s = &c->sizes.data[i];
        const struct bc_kernel *const k = &m->kernels[s->kernel];
        json_t *const more = json_pack("{s: [o]}", bc_str(m, k->name),
                                       group_of(s, bc_registers(m, k->fn), &c->model));
        rep_profile_add_groups(groups, more);
        json_decref(more);
    }
}
