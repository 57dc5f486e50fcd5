// SPDX-License-Identifier: MIT
// Pixel conversion, one channel at a time, in loops over lanes. Normalized integers are divided,
// not multiplied by a reciprocal, so the result is the nearest float. Stores round to nearest even
// and saturate; NaN becomes 0.
#include "interp/images/pixel.h"

#include "builtins/builtins.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

static const struct {
    uint16_t order;
    uint8_t n, of[4];
    bool alpha;
} orders[] = {
    {VM_R, 1, {0}, false},
    {VM_A, 1, {3}, true},
    {VM_RG, 2, {0, 1}, false},
    {VM_RA, 2, {0, 3}, true},
    {VM_RGB, 3, {0, 1, 2}, false},
    {VM_RGBA, 4, {0, 1, 2, 3}, true},
    {VM_BGRA, 4, {2, 1, 0, 3}, true},
    {VM_ARGB, 4, {3, 0, 1, 2}, true},
    {VM_ABGR, 4, {3, 2, 1, 0}, true},
    {VM_INTENSITY, 1, {0}, true},
    {VM_LUMINANCE, 1, {0}, false},
    {VM_DEPTH, 1, {0}, false},
    {VM_sRGBA, 4, {0, 1, 2, 3}, true},
    {VM_sBGRA, 4, {2, 1, 0, 3}, true},
};

static const struct {
    uint16_t type;
    uint8_t elem, kind;
    bool packed;
} types[] = {
    {VM_SNORM_INT8, 1, VM_PIXEL_F, false},      {VM_SNORM_INT16, 2, VM_PIXEL_F, false},
    {VM_UNORM_INT8, 1, VM_PIXEL_F, false},      {VM_UNORM_INT16, 2, VM_PIXEL_F, false},
    {VM_UNORM_SHORT_565, 2, VM_PIXEL_F, true},  {VM_UNORM_SHORT_555, 2, VM_PIXEL_F, true},
    {VM_UNORM_INT_101010, 4, VM_PIXEL_F, true}, {VM_UNORM_INT_101010_2, 4, VM_PIXEL_F, true},
    {VM_SIGNED_INT8, 1, VM_PIXEL_S, false},     {VM_SIGNED_INT16, 2, VM_PIXEL_S, false},
    {VM_SIGNED_INT32, 4, VM_PIXEL_S, false},    {VM_UNSIGNED_INT8, 1, VM_PIXEL_U, false},
    {VM_UNSIGNED_INT16, 2, VM_PIXEL_U, false},  {VM_UNSIGNED_INT32, 4, VM_PIXEL_U, false},
    {VM_HALF_FLOAT, 2, VM_PIXEL_F, false},      {VM_FLOAT, 4, VM_PIXEL_F, false},
};

/** Is the combination of order and type permitted? §5.3.1.1, tables of channel orders and types. */
static bool agree(unsigned order, unsigned type, bool packed)
{
    const bool is_8 = type == VM_UNORM_INT8 || type == VM_SNORM_INT8 || type == VM_SIGNED_INT8 ||
                      type == VM_UNSIGNED_INT8;
    const bool is_norm = type <= VM_UNORM_INT16,
               is_float = type == VM_HALF_FLOAT || type == VM_FLOAT;
    switch (order) {
    case VM_RGB: return packed && type != VM_UNORM_INT_101010_2;
    case VM_RGBA: return !packed || type == VM_UNORM_INT_101010_2;
    case VM_BGRA:
    case VM_ARGB:
    case VM_ABGR: return is_8;
    case VM_INTENSITY:
    case VM_LUMINANCE: return is_norm || is_float;
    case VM_DEPTH: return type == VM_UNORM_INT16 || type == VM_FLOAT;
    case VM_sRGBA:
    case VM_sBGRA: return type == VM_UNORM_INT8;
    default: return !packed;
    }
}

bool vm_pixel_format(unsigned order, unsigned type, struct vm_pixel_format *f)
{
    unsigned o = 0, t = 0;
    while (o < sizeof orders / sizeof *orders && orders[o].order != order) o++;
    while (t < sizeof types / sizeof *types && types[t].type != type) t++;
    if (o == sizeof orders / sizeof *orders || t == sizeof types / sizeof *types ||
        !agree(order, type, types[t].packed))
        return false;
    *f = (struct vm_pixel_format){
        .elem = types[t].elem,
        .nchannel = orders[o].n,
        .kind = types[t].kind,
        .packed = types[t].packed,
        .alpha = orders[o].alpha,
        .srgb = order == VM_sRGBA || order == VM_sBGRA,
        .spread = order == VM_INTENSITY || order == VM_LUMINANCE,
        .order = (uint16_t)order,
        .type = (uint16_t)type,
    };
    memcpy(f->of, orders[o].of, sizeof f->of);
    f->size = f->packed ? f->elem : (uint8_t)(f->elem * f->nchannel);
    return true;
}

// ---- packed channels: bit positions in the pixel
struct packed_channel {
    uint8_t shift, bits;
};
static const struct packed_channel *packed(unsigned type)
{
    static const struct packed_channel p565[] = {{11, 5}, {5, 6}, {0, 5}},
                                       p555[] = {{10, 5}, {5, 5}, {0, 5}},
                                       p101010[] = {{20, 10}, {10, 10}, {0, 10}},
                                       p1010102[] = {{22, 10}, {12, 10}, {2, 10}, {0, 2}};
    return type == VM_UNORM_SHORT_565    ? p565
           : type == VM_UNORM_SHORT_555  ? p555
           : type == VM_UNORM_INT_101010 ? p101010
                                         : p1010102;
}

// ---- reading

/**
 * The 256 values of an sRGB channel as linear floats: the specification's formula is a power, too
 * slow for each pixel.
 */
static float linear[256];
static pthread_once_t linear_once = PTHREAD_ONCE_INIT;
static void make_linear(void)
{
    for (unsigned x = 0; x < 256; x++) {
        const float c = (float)x / 255.0f;
        linear[x] = c <= 0.04045f ? c / 12.92f : (float)pow((c + 0.055) / 1.055, 2.4);
    }
}

// Converts a channel x to a component. Floats and integers of 32 bits, and half, are handled
// elsewhere.
#define READS(X)                                                                                   \
    X(VM_UNORM_INT8, uint8_t, vm_pixel_bits(x / 255.0f))                                           \
    X(VM_UNORM_INT16, uint16_t, vm_pixel_bits(x / 65535.0f))                                       \
    X(VM_SNORM_INT8, int8_t, vm_pixel_bits(x < -127 ? -1.0f : x / 127.0f))                         \
    X(VM_SNORM_INT16, int16_t, vm_pixel_bits(x < -32767 ? -1.0f : x / 32767.0f))                   \
    X(VM_SIGNED_INT8, int8_t, (uint32_t)x)                                                         \
    X(VM_SIGNED_INT16, int16_t, (uint32_t)x)                                                       \
    X(VM_UNSIGNED_INT8, uint8_t, x)                                                                \
    X(VM_UNSIGNED_INT16, uint16_t, x)

/** Gathers the pixels' bytes as up to four words each, word by word. */
static void gather(const char *base, const uint64_t *restrict offset, unsigned n, unsigned size,
                   uint32_t (*restrict raw)[VM_PIXELS])
{
#define WORDS(T, word)                                                                             \
    for (unsigned i = 0; i < n; i++) {                                                             \
        T x;                                                                                       \
        memcpy(&x, base + offset[i] + (word) * sizeof x, sizeof x);                                \
        raw[word][i] = x;                                                                          \
    }
    if (size == 1) WORDS(uint8_t, 0)
    if (size == 2) WORDS(uint16_t, 0)
    for (unsigned k = 0; k < size / 4; k++) WORDS(uint32_t, k)
#undef WORDS
}

/** Reads a channel of pixels; `raw` has the words that contain it, from bit `shift` on. */
static void read_channel(unsigned type, const uint32_t *restrict raw, unsigned shift, unsigned n,
                         uint32_t *restrict d)
{
#define CASE(name, T, expr)                                                                        \
    case name:                                                                                     \
        for (unsigned i = 0; i < n; i++) {                                                         \
            const T x = (T)(raw[i] >> shift);                                                      \
            d[i] = (expr);                                                                         \
        }                                                                                          \
        break;
    switch (type) {
        READS(CASE)
    case VM_HALF_FLOAT: {
        uint16_t h[VM_PIXELS];
        for (unsigned i = 0; i < n; i++) h[i] = (uint16_t)(raw[i] >> shift);
        bi_lane_fns[BI_FN_half_F32].fn((void *const[]){d}, (const void *const[]){h}, n);
        break;
    }
    default: memcpy(d, raw, n * sizeof *d);
    }
#undef CASE
}

static void fill(uint32_t *d, unsigned n, uint32_t v)
{
    for (unsigned i = 0; i < n; i++) d[i] = v;
}

void vm_pixels_read(const struct vm_pixel_format *f, const char *base, const uint64_t *offset,
                    unsigned from, unsigned end, struct vm_pixels *p)
{
    const bool whole = f->nchannel == 4;
    const unsigned n = end - from;
    uint32_t raw[4][VM_PIXELS];
    gather(base, offset + from, n, f->size, raw);
    if (f->srgb) pthread_once(&linear_once, make_linear);
    for (unsigned k = 0; k < 3 && !whole; k++) fill(p->c[k] + from, n, 0);
    if (!whole) fill(p->c[3] + from, n, f->kind == VM_PIXEL_F ? vm_pixel_bits(1.0f) : 1);
    for (unsigned k = 0; k < f->nchannel; k++) {
        uint32_t *d = p->c[f->of[k]] + from;
        if (f->packed) {
            const struct packed_channel c = packed(f->type)[k];
            const uint32_t max = (1u << c.bits) - 1;
            for (unsigned i = 0; i < n; i++)
                d[i] = vm_pixel_bits((float)(int32_t)(raw[0][i] >> c.shift & max) / (float)max);
        } else if (f->srgb && f->of[k] < 3) {
            for (unsigned i = 0; i < n; i++)
                d[i] = vm_pixel_bits(linear[raw[0][i] >> 8 * k & 0xff]);
        } else {
            const unsigned at = k * f->elem;
            read_channel(f->type, raw[at / 4], at % 4 * 8, n, d);
        }
    }
    if (f->spread)
        for (unsigned k = 1; k < (f->order == VM_INTENSITY ? 4 : 3); k++)
            memcpy(p->c[k] + from, p->c[0] + from, n * sizeof(uint32_t));
}

void vm_pixel_read(const struct vm_pixel_format *f, const char *at, uint32_t value[4])
{
    const bool plain = !f->packed && !f->srgb && !f->spread && f->type != VM_HALF_FLOAT;
    if (!plain) {
        struct vm_pixels
            p; // (on the stack: thread-local memory is taken from the threads of the app)
        vm_pixels_read(f, at, &(const uint64_t){0}, 0, 1, &p);
        for (unsigned k = 0; k < 4; k++) value[k] = p.c[k][0];
        return;
    }
    value[0] = value[1] = value[2] = 0;
    value[3] = f->kind == VM_PIXEL_F ? vm_pixel_bits(1.0f) : 1;
#define CHANNELS(T, expr)                                                                          \
    for (unsigned k = 0; k < f->nchannel; k++) {                                                   \
        T x;                                                                                       \
        memcpy(&x, at + k * sizeof x, sizeof x);                                                   \
        value[f->of[k]] = (expr);                                                                  \
    }                                                                                              \
    break;
#define CASE(type, T, expr)                                                                        \
    case type: CHANNELS(T, expr)
    switch (f->type) {
        READS(CASE)
    default: CHANNELS(uint32_t, x)
    }
#undef CASE
#undef CHANNELS
}

// ---- writing
/**
 * convert_T_sat_rte(x * scale), where lo and hi are less than 2^22: adding 1.5 * 2^23 rounds the
 * fraction away.
 */
static inline int32_t quantum(float x, float scale, int32_t lo, int32_t hi)
{
    const float whole = 12582912.0f;
    float q = x * scale;
    q = q > (float)lo ? q : (float)lo;
    q = q < (float)hi ? q : (float)hi;
    return x != x ? 0 : (int32_t)(q + whole - whole);
}

static float srgb_of(float c)
{
    if (!(c > 0)) return 0;
    if (c > 1) return 1;
    return c < 0.0031308f ? 12.92f * c : (float)(1.055 * pow(c, 1.0 / 2.4) - 0.055);
}

static uint32_t clamp_s(uint32_t v, int32_t lo, int32_t hi)
{
    const int32_t x = (int32_t)v;
    return (uint32_t)(x < lo ? lo : x > hi ? hi : x);
}
static uint32_t clamp_u(uint32_t v, uint32_t hi) { return v > hi ? hi : v; }

// Converts a component v to its form in memory; half and types of 32 bits are handled elsewhere.
#define WRITES(X)                                                                                  \
    X(VM_UNORM_INT8, uint8_t, quantum(vm_pixel_float(v), 255, 0, 255))                             \
    X(VM_UNORM_INT16, uint16_t, quantum(vm_pixel_float(v), 65535, 0, 65535))                       \
    X(VM_SNORM_INT8, int8_t, quantum(vm_pixel_float(v), 127, -128, 127))                           \
    X(VM_SNORM_INT16, int16_t, quantum(vm_pixel_float(v), 32767, -32768, 32767))                   \
    X(VM_SIGNED_INT8, int8_t, clamp_s(v, -128, 127))                                               \
    X(VM_SIGNED_INT16, int16_t, clamp_s(v, -32768, 32767))                                         \
    X(VM_UNSIGNED_INT8, uint8_t, clamp_u(v, 255))                                                  \
    X(VM_UNSIGNED_INT16, uint16_t, clamp_u(v, 65535))

/** One channel of n pixels that are `stride` bytes apart. */
static void write_channel(unsigned type, const uint32_t *from, unsigned n, char *to,
                          unsigned stride)
{
#define CHANNEL(T, expr)                                                                           \
    for (unsigned i = 0; i < n; i++, to += stride) {                                               \
        const uint32_t v = from[i];                                                                \
        const T x = (T)(expr);                                                                     \
        memcpy(to, &x, sizeof x);                                                                  \
    }                                                                                              \
    break;
#define CASE(type, T, expr)                                                                        \
    case type: CHANNEL(T, expr)
    switch (type) {
        WRITES(CASE)
    case VM_HALF_FLOAT: {
        uint16_t h[VM_PIXELS];
        bi_lane_fns[BI_FN_half_of_F32_rte].fn((void *const[]){h}, (const void *const[]){from}, n);
        for (unsigned i = 0; i < n; i++, to += stride) memcpy(to, &h[i], 2);
        break;
    }
    default: CHANNEL(uint32_t, v)
    }
#undef CASE
#undef CHANNEL
}

static void write_packed(const struct vm_pixel_format *f, const struct vm_pixels *p, unsigned from,
                         unsigned end, char *to)
{
    for (unsigned i = from; i < end; i++, to += f->size) {
        uint32_t whole = 0;
        for (unsigned k = 0; k < f->nchannel; k++) {
            const struct packed_channel c = packed(f->type)[k];
            const int32_t max = (int32_t)(1u << c.bits) - 1;
            whole |= (uint32_t)quantum(vm_pixel_float(p->c[f->of[k]][i]), (float)max, 0, max)
                     << c.shift;
        }
        memcpy(to, &whole, f->size);
    }
}

void vm_pixels_encode(const struct vm_pixel_format *f, const struct vm_pixels *p, unsigned from,
                      unsigned end, char *to)
{
    if (f->packed) {
        write_packed(f, p, from, end, to);
        return;
    }
    for (unsigned k = 0; k < f->nchannel; k++) {
        const uint32_t *const c = p->c[f->of[k]] + from;
        uint32_t coded[VM_PIXELS];
        const bool srgb = f->srgb && f->of[k] < 3;
        for (unsigned i = 0; srgb && i < end - from; i++)
            coded[i] = vm_pixel_bits(srgb_of(vm_pixel_float(c[i])));
        write_channel(f->type, srgb ? coded : c, end - from, to + k * f->elem, f->size);
    }
}

void vm_pixel_write(const struct vm_pixel_format *f, const uint32_t value[4], char *to)
{
    const bool plain = !f->packed && !f->srgb && f->type != VM_HALF_FLOAT;
    if (!plain) {
        struct vm_pixels
            p; // (on the stack: thread-local memory is taken from the threads of the app)
        for (unsigned k = 0; k < 4; k++) p.c[k][0] = value[k];
        vm_pixels_encode(f, &p, 0, 1, to);
        return;
    }
#define CHANNELS(T, expr)                                                                          \
    for (unsigned k = 0; k < f->nchannel; k++) {                                                   \
        const uint32_t v = value[f->of[k]];                                                        \
        const T x = (T)(expr);                                                                     \
        memcpy(to + k * sizeof x, &x, sizeof x);                                                   \
    }                                                                                              \
    break;
#define CASE(type, T, expr)                                                                        \
    case type: CHANNELS(T, expr)
    switch (f->type) {
        WRITES(CASE)
    default: CHANNELS(uint32_t, v)
    }
#undef CASE
#undef CHANNELS
}
