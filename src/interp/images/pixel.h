// SPDX-License-Identifier: MIT
#ifndef INTERP_PIXEL_H
#define INTERP_PIXEL_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/**
 * Pixels of images: the layout of channel orders and types in memory, and their conversions (OpenCL
 * C §6.15.15, "Conversion rules"). Orders and types have the numbers of the API.
 */
enum vm_channel_order {
    VM_R = 0x10B0,
    VM_A,
    VM_RG,
    VM_RA,
    VM_RGB,
    VM_RGBA,
    VM_BGRA,
    VM_ARGB,
    VM_INTENSITY,
    VM_LUMINANCE,
    VM_DEPTH = 0x10BD,
    VM_sRGBA = 0x10C1,
    VM_sBGRA,
    VM_ABGR
};
enum vm_channel_type {
    VM_SNORM_INT8 = 0x10D0,
    VM_SNORM_INT16,
    VM_UNORM_INT8,
    VM_UNORM_INT16,
    VM_UNORM_SHORT_565,
    VM_UNORM_SHORT_555,
    VM_UNORM_INT_101010,
    VM_SIGNED_INT8,
    VM_SIGNED_INT16,
    VM_SIGNED_INT32,
    VM_UNSIGNED_INT8,
    VM_UNSIGNED_INT16,
    VM_UNSIGNED_INT32,
    VM_HALF_FLOAT,
    VM_FLOAT,
    VM_UNORM_INT_101010_2 = 0x10E0
};

enum vm_pixel_kind {
    VM_PIXEL_F,
    VM_PIXEL_S,
    VM_PIXEL_U
}; // for read_imagef, read_imagei, read_imageui

struct vm_pixel_format {
    uint8_t size; // bytes of a pixel: 1, 2, 4, 8 or 16
    uint8_t elem; // bytes of a channel; of the whole pixel if channels are packed
    uint8_t nchannel;
    uint8_t kind;  // enum vm_pixel_kind
    uint8_t of[4]; // component of channel k in memory: 0 red … 3 alpha
    bool packed, srgb;
    bool spread; // INTENSITY, LUMINANCE: the channel is red, green and blue (and alpha)
    bool alpha;  // border color: alpha is 0, not 1
    uint16_t order, type;
};
/** False: there is no such format. */
bool vm_pixel_format(unsigned order, unsigned type, struct vm_pixel_format *f);

enum { VM_PIXELS = 1024 }; // the most at once
/** Components by lane: floats or integers as the format's kind says. */
struct vm_pixels {
    uint32_t c[4][VM_PIXELS] __attribute__((aligned(64)));
};
/** A float component from and to its bits. */
static inline float vm_pixel_float(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, 4);
    return x;
}
static inline uint32_t vm_pixel_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, 4);
    return bits;
}
/** Reads the pixels of lanes from … end-1, at base + offset[lane]. */
void vm_pixels_read(const struct vm_pixel_format *f, const char *base, const uint64_t *offset,
                    unsigned from, unsigned end, struct vm_pixels *p);
/** One pixel, the same way. */
void vm_pixel_read(const struct vm_pixel_format *f, const char *at, uint32_t value[4]);
void vm_pixel_write(const struct vm_pixel_format *f, const uint32_t value[4], char *to);
/** Encodes the pixels of lanes from … end-1, one after the other. */
void vm_pixels_encode(const struct vm_pixel_format *f, const struct vm_pixels *p, unsigned from,
                      unsigned end, char *to);
#endif
