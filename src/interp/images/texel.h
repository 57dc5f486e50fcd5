// SPDX-License-Identifier: MIT
#ifndef INTERP_TEXEL_H
#define INTERP_TEXEL_H
#include "bytecode/bytecode.h"
#include "interp/vm.h"

#include <math.h>

/**
 * Computes the texels of a coordinate, by addressing mode and filter (OpenCL C §6.15.15 and the
 * specification's §8.2), one coordinate at a time: for sys_image.c, which vectorizes it, and for
 * machine code.
 */
enum {
    VM_ADDRESS_NONE,
    VM_CLAMP_TO_EDGE,
    VM_CLAMP,
    VM_REPEAT,
    VM_MIRRORED_REPEAT
}; // sampler bits 1-3

struct vm_sampling {
    unsigned mode;
    bool normalized, linear;
};

/**
 * Decodes a sampler's number (0: no sampler) for a type of coordinates and pixels.
 */
static inline struct vm_sampling vm_sampling_of(uint64_t sampler, bool float_coords,
                                                bool float_pixels)
{
    struct vm_sampling s = {.mode = sampler >> 1 & 7, .normalized = sampler & 1};
    if (s.mode > VM_MIRRORED_REPEAT || (s.mode >= VM_REPEAT && !(s.normalized && float_coords)))
        s.mode = VM_ADDRESS_NONE;
    s.linear = (sampler & 0x20) && float_pixels && float_coords;
    return s;
}

/** Floor as an int for any float: values beyond the largest image saturate. */
static inline int32_t vm_texel_int(float x)
{
    const float far = 1 << 30;
    if (!(x > -far)) return -(1 << 30);
    if (!(x < far)) return 1 << 30;
    const int32_t towards_0 = (int32_t)x;
    return towards_0 - (x < (float)towards_0);
}

// floorf and rintf as arithmetic, so that loops over lanes vectorize (libm's are calls). The sign
// of a zero may differ; no result depends on it.
static inline float vm_texel_floor(float x)
{
    const float far = 1 << 23; // from here on all floats are integers
    return fabsf(x) < far ? (float)vm_texel_int(x) : x;
}
static inline float vm_texel_rint(float x)
{
    const float far = 1 << 23, a = fabsf(x), whole = a + far - far;
    return a < far ? (x < 0 ? -whole : whole) : x;
}

/** An integer coordinate after its addressing mode. */
static inline int32_t vm_texel_wrap(unsigned mode, int32_t i, int32_t size)
{
    if (mode == VM_CLAMP_TO_EDGE) return i < 0 ? 0 : i >= size ? size - 1 : i;
    if (mode == VM_CLAMP) return i < -1 ? -1 : i > size ? size : i;
    return i;
}

/**
 * One dimension of a sampled access: the texel, or for linear filters the two and the second's
 * weight.
 */
static inline void vm_texel_sample(const struct vm_sampling *p, float s, int32_t size, int32_t *i0,
                                   int32_t *i1, float *weight)
{
    float u = s;
    if (p->mode == VM_REPEAT) u = (s - vm_texel_floor(s)) * (float)size;
    else if (p->mode == VM_MIRRORED_REPEAT)
        u = fabsf(s - 2 * vm_texel_rint(0.5f * s)) * (float)size;
    else if (p->normalized) u = s * (float)size;
    if (!p->linear) {
        const int32_t i = vm_texel_int(u);
        if (p->mode == VM_REPEAT) *i0 = i >= size ? i - size : i;
        else if (p->mode == VM_MIRRORED_REPEAT) *i0 = i >= size ? size - 1 : i;
        else *i0 = vm_texel_wrap(p->mode, i, size);
        return;
    }
    const float v = u - 0.5f;
    int32_t a = vm_texel_int(v), b = a + 1;
    *weight = v - vm_texel_floor(v);
    if (p->mode == VM_REPEAT) {
        if (a < 0) a += size;
        if (b >= size) b -= size;
    } else if (p->mode == VM_MIRRORED_REPEAT) {
        if (a < 0) a = 0;
        if (b >= size) b = size - 1;
    } else {
        a = vm_texel_wrap(p->mode, a, size);
        b = vm_texel_wrap(p->mode, b, size);
    }
    *i0 = a;
    *i1 = b;
}

/** One work-item's access. */
struct vm_texel_op {
    const struct vm_image *image;
    char *base;
    unsigned what;    // enum bc_image
    bool has_sampler; // otherwise `sampler` is 0
    uint64_t sampler;
    const uint32_t *coord; // those of the image, then the layer
    unsigned ncoord;
};
/**
 * Unchecked: outside, reads give zeros or the border color, and writes are dropped. value: 4
 * components, which a read fills.
 */
void vm_texel_access(const struct vm_texel_op *op, uint32_t *value);

/** A byte of a 2D image: its position in a row, and the row. */
struct vm_image_byte {
    int64_t x, y;
};
static inline bool vm_image_has_byte(const struct vm_image *m, const struct vm_image_byte *p)
{
    return p->x >= 0 && (uint64_t)p->x < m->size[0] * m->format.size && p->y >= 0 &&
           (uint64_t)p->y < m->size[1];
}
static inline uint64_t vm_image_byte_offset(const struct vm_image *m, const struct vm_image_byte *p)
{
    return (uint64_t)p->y * m->row_pitch + (uint64_t)p->x;
}
/**
 * Block reads: a byte outside of an image with pixels of 4 bytes is the one of the nearest pixel.
 * Other images are left as they are.
 */
static inline void vm_image_clamp_byte(const struct vm_image *m, struct vm_image_byte *p)
{
    const int64_t width = (int64_t)m->size[0] * 4, height = (int64_t)m->size[1];
    if (m->format.size != 4) return;
    if (p->x < 0) p->x &= 3;
    else if (p->x >= width) p->x = width - 4 + (p->x & 3);
    p->y = p->y < 0 ? 0 : p->y < height ? p->y : height - 1;
}

/** n lanes' coordinates along one dimension of an image. */
struct vm_texels_axis {
    const struct vm_sampling *s;
    unsigned n;
    int32_t size; // of the image
};
/**
 * The same over lanes: `bits` are coordinates, integers or floats; i1 and weight: for linear
 * filters only.
 */
void vm_texels_wrap(const struct vm_texels_axis *a, const uint32_t *bits, int32_t *at);
void vm_texels_sample(const struct vm_texels_axis *a, const uint32_t *bits, int32_t *i0,
                      int32_t *i1, float *weight);
/**
 * Finds the texels of `mask` inside the image, at x, y and z: ok (0xff, 0), and their offsets, 0
 * for others. False: one is outside.
 */
bool vm_texels_offsets(const struct vm_image *m, const int32_t *const at[3], const uint8_t *mask,
                       unsigned n, uint8_t *ok, uint64_t *offsets);
/**
 * One of the 2, 4 or 8 texels of a linear filter, for lanes from … end-1. Bit k of corner: the
 * second texel along dimension k.
 */
struct vm_texels_corner {
    unsigned corner, ndims;
    float (*weight)[VM_PIXELS]; // by dimension
    unsigned from, end;
};
/** Adds the texel by its weight. */
void vm_texels_add(const struct vm_texels_corner *c, const struct vm_pixels *texel,
                   struct vm_pixels *sum);
/** Copies the values of lanes in mask (0xff, 0). */
void vm_texels_store(const uint32_t *value, const uint8_t *mask, unsigned n, uint32_t *row);
#endif
