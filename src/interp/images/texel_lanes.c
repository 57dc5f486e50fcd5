// SPDX-License-Identifier: MIT
// Texel addressing over lanes, one dimension or one texel of a filter at a time, in loops that a
// compiler vectorizes. Invariant: each lane gets the result that texel.h computes for a single one.
#include "interp/images/pixel.h"
#include "interp/images/texel.h"
#include "interp/vm.h"

void vm_texels_wrap(const struct vm_texels_axis *a, const uint32_t *restrict bits,
                    int32_t *restrict at)
{
    const unsigned n = a->n;
    const int32_t size = a->size;
    if (a->s->mode == VM_CLAMP_TO_EDGE)
        for (unsigned i = 0; i < n; i++)
            at[i] = vm_texel_wrap(VM_CLAMP_TO_EDGE, (int32_t)bits[i], size);
    else if (a->s->mode == VM_CLAMP)
        for (unsigned i = 0; i < n; i++) at[i] = vm_texel_wrap(VM_CLAMP, (int32_t)bits[i], size);
    else memcpy(at, bits, n * sizeof *at);
}

void vm_texels_sample(const struct vm_texels_axis *a, const uint32_t *restrict bits,
                      int32_t *restrict i0, int32_t *restrict i1, float *restrict weight)
{
    const struct vm_sampling *const p = a->s;
    const unsigned n = a->n;
    const int32_t size = a->size;
    // The mode and the filter are constants of each loop.
#define LOOP(MODE, NORMALIZED, LINEAR)                                                             \
    {                                                                                              \
        const struct vm_sampling s = {                                                             \
            .mode = (MODE), .normalized = (NORMALIZED), .linear = (LINEAR)};                       \
        for (unsigned i = 0; i < n; i++)                                                           \
            vm_texel_sample(&s, vm_pixel_float(bits[i]), size, &i0[i], &i1[i], &weight[i]);        \
    }                                                                                              \
    break
#define MODES(MODE)                                                                                \
    case (MODE) * 4 + 0: LOOP(MODE, false, false);                                                 \
    case (MODE) * 4 + 1: LOOP(MODE, false, true);                                                  \
    case (MODE) * 4 + 2: LOOP(MODE, true, false);                                                  \
    case (MODE) * 4 + 3: LOOP(MODE, true, true)
    switch (p->mode * 4 + p->normalized * 2 + p->linear) {
        MODES(VM_ADDRESS_NONE);
        MODES(VM_CLAMP_TO_EDGE);
        MODES(VM_CLAMP);
        MODES(VM_REPEAT);
        MODES(VM_MIRRORED_REPEAT);
    }
#undef MODES
#undef LOOP
}

bool vm_texels_offsets(const struct vm_image *m, const int32_t *const at[3],
                       const uint8_t *restrict mask, unsigned n, uint8_t *restrict ok,
                       uint64_t *restrict offsets)
{
    const int32_t *const x = at[0], *const y = at[1], *const z = at[2];
    const uint32_t w = (uint32_t)m->size[0], h = (uint32_t)m->size[1],
                   d = (uint32_t)(m->layers > 1 ? m->layers : m->size[2]);
    const uint64_t row = m->row_pitch, slice = m->slice_pitch, size = m->format.size;
    uint8_t bad = 0;
    for (unsigned i = 0; i < n; i++) {
        const uint8_t in =
            (uint8_t)-(((uint32_t)x[i] < w) & ((uint32_t)y[i] < h) & ((uint32_t)z[i] < d)) &
            mask[i];
        bad |= in ^ mask[i];
        ok[i] = in;
        offsets[i] = ((uint32_t)z[i] * slice + (uint32_t)y[i] * row + (uint32_t)x[i] * size) &
                     (uint64_t)-(int64_t)(in & 1);
    }
    return !bad;
}

void vm_texels_add(const struct vm_texels_corner *c, const struct vm_pixels *restrict texel,
                   struct vm_pixels *restrict sum)
{
    const unsigned from = c->from, end = c->end;
    float w[VM_PIXELS];
    for (unsigned i = from; i < end; i++) w[i] = 1;
    for (unsigned k = 0; k < c->ndims; k++) {
        const float *restrict const part = c->weight[k];
        if (c->corner >> k & 1)
            for (unsigned i = from; i < end; i++) w[i] *= part[i];
        else
            for (unsigned i = from; i < end; i++) w[i] *= 1 - part[i];
    }
    for (unsigned k = 0; k < 4; k++) {
        uint32_t *restrict const to = sum->c[k];
        const uint32_t *restrict const add = texel->c[k];
        for (unsigned i = from; i < end; i++)
            to[i] = vm_pixel_bits(vm_pixel_float(to[i]) + w[i] * vm_pixel_float(add[i]));
    }
}

void vm_texels_store(const uint32_t *restrict value, const uint8_t *restrict mask, unsigned n,
                     uint32_t *restrict row)
{
    for (unsigned i = 0; i < n; i++) row[i] = mask[i] ? value[i] : row[i];
}
