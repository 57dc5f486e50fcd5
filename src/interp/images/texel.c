// SPDX-License-Identifier: MIT
// One pixel at a time, for machine code: the same steps in the same order as over lanes
// (sys_image.c), so that both give the same bits.
#include "interp/images/texel.h"

#include "interp/images/pixel.h"
#include "interp/vm.h"

#include <string.h>

struct pixel {
    const struct vm_image *m;
    char *base;
    struct vm_sampling s;
    unsigned ndims;
    int32_t at[2][3]; // x, y, then z or the layer; [1]: of linear filters
    float weight[3];
};

static int32_t layer_of(const struct pixel *p, const struct vm_texel_op *op, uint32_t bits)
{
    const int32_t last = (int32_t)p->m->layers - 1;
    const int32_t v = op->what & BC_IMAGE_FLOAT_COORDS ? vm_texel_int(rintf(vm_pixel_float(bits)))
                                                       : (int32_t)bits;
    return !op->has_sampler ? v : v < 0 ? 0 : v > last ? last : v;
}

static void find(struct pixel *p, const struct vm_texel_op *op)
{
    for (unsigned k = 0; k < p->ndims; k++) {
        const int32_t size = (int32_t)p->m->size[k];
        if (op->what & BC_IMAGE_FLOAT_COORDS)
            vm_texel_sample(&p->s, vm_pixel_float(op->coord[k]), size, &p->at[0][k], &p->at[1][k],
                            &p->weight[k]);
        else p->at[0][k] = vm_texel_wrap(p->s.mode, (int32_t)op->coord[k], size);
    }
    if (op->what & BC_IMAGE_ARRAY) p->at[0][2] = layer_of(p, op, op->coord[op->ncoord - 1]);
    if (p->ndims < 3) p->at[1][2] = p->at[0][2];
}

// The pixel's address, or NULL: it is outside.
static char *place(const struct pixel *p, int32_t a, int32_t b, int32_t c)
{
    const struct vm_image *m = p->m;
    const uint64_t depth = m->layers > 1 ? m->layers : m->size[2];
    if ((uint32_t)a >= (uint32_t)m->size[0] || (uint32_t)b >= (uint32_t)m->size[1] ||
        (uint32_t)c >= (uint32_t)depth)
        return NULL;
    return p->base + (uint64_t)c * m->slice_pitch + (uint64_t)b * m->row_pitch +
           (uint64_t)a * m->format.size;
}

static void fetch(const struct pixel *p, int32_t a, int32_t b, int32_t c, uint32_t value[4])
{
    const struct vm_pixel_format *f = &p->m->format;
    const char *from = place(p, a, b, c);
    if (from) {
        vm_pixel_read(f, from, value);
        return;
    }
    memset(value, 0, 4 * sizeof *value);
    if (p->s.mode == VM_CLAMP && !f->alpha)
        value[3] = f->kind == VM_PIXEL_F ? vm_pixel_bits(1.0f) : 1;
}

static void filter(const struct pixel *p, uint32_t value[4])
{
    uint32_t texel[4];
    memset(value, 0, 4 * sizeof *value);
    for (unsigned corner = 0; corner < 1u << p->ndims; corner++) {
        float w = 1;
        fetch(p, p->at[corner & 1][0], p->at[corner >> 1 & 1][1], p->at[corner >> 2 & 1][2], texel);
        for (unsigned k = 0; k < p->ndims; k++)
            w *= corner >> k & 1 ? p->weight[k] : 1 - p->weight[k];
        for (unsigned k = 0; k < 4; k++)
            value[k] = vm_pixel_bits(vm_pixel_float(value[k]) + w * vm_pixel_float(texel[k]));
    }
}

/** A block access (BC_IMAGE_BLOCK): byte by byte. */
static void block(const struct vm_texel_op *op, uint32_t *value)
{
    const struct vm_image *const m = op->image;
    unsigned char bytes[4];
    memcpy(bytes, value, sizeof bytes);
    for (unsigned k = 0; k < 1u << (op->what >> BC_IMAGE_BLOCK_LOG); k++) {
        struct vm_image_byte at = {(int64_t)(int32_t)op->coord[0] + (int32_t)op->coord[2] + k,
                                   (int32_t)op->coord[1]};
        if (!(op->what & BC_IMAGE_WRITE)) {
            vm_image_clamp_byte(m, &at);
            bytes[k] = 0;
        }
        if (!vm_image_has_byte(m, &at)) continue;
        char *p = op->base + vm_image_byte_offset(m, &at);
        if (op->what & BC_IMAGE_WRITE) *p = (char)bytes[k];
        else bytes[k] = (unsigned char)*p;
    }
    memcpy(value, bytes, sizeof bytes);
}

void vm_texel_access(const struct vm_texel_op *op, uint32_t *value)
{
    if (op->what & BC_IMAGE_BLOCK) {
        block(op, value);
        return;
    }
    const struct vm_image *const m = op->image;
    struct pixel p = {.m = m,
                      .base = op->base,
                      .s = vm_sampling_of(op->sampler, op->what & BC_IMAGE_FLOAT_COORDS,
                                          m->format.kind == VM_PIXEL_F),
                      .ndims = op->ncoord - !!(op->what & BC_IMAGE_ARRAY)};
    find(&p, op);
    if (!(op->what & BC_IMAGE_WRITE)) {
        if (p.s.linear) filter(&p, value);
        else fetch(&p, p.at[0][0], p.at[0][1], p.at[0][2], value);
        return;
    }
    char *to = place(&p, p.at[0][0], p.at[0][1], p.at[0][2]);
    if (to) vm_pixel_write(&m->format, value, to);
}
