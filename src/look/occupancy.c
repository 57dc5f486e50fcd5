// SPDX-License-Identifier: MIT
// How many waves of a kernel's groups a compute unit of the device model can hold at once.
#include "look/module_lines.h"

#include "report/profile.h"

/** What a compute unit holds of such groups, if there are enough of them. */
static json_t *group_of(const struct vm_group_size *s, const struct vm_device_model *m)
{
    const unsigned waves = (s->items + m->simd_width - 1) / m->simd_width;
    uint64_t groups = m->resident_waves / waves;
    const char *limit = "waves";
    if (groups > m->resident_groups) groups = m->resident_groups, limit = "groups";
    if (s->local_bytes && groups > m->local_memory / s->local_bytes)
        groups = m->local_memory / s->local_bytes, limit = "local memory";
    return json_pack("{s: i, s: I, s: I, s: i, s: I, s: I, s: s}", "items", (int)s->items,
                     "local_bytes", (json_int_t)s->local_bytes, "launches", (json_int_t)s->launches,
                     "waves", (int)waves, "resident_groups", (json_int_t)groups, "resident_waves",
                     (json_int_t)(groups * waves), "limit", limit);
}

void look_add_groups(json_t *groups, const struct bc_module *m, const struct vm_coverage *c)
{
    for (size_t i = 0; i < c->sizes.len; i++) {
        const struct vm_group_size *const s = &c->sizes.data[i];
        json_t *const more =
            json_pack("{s: [o]}", bc_str(m, m->kernels[s->kernel].name), group_of(s, &c->model));
        rep_profile_add_groups(groups, more);
        json_decref(more);
    }
}
