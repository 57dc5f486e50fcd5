// SPDX-License-Identifier: MIT
// Images and samplers, by OpenCL C §6.15.15 and the specification's chapter on image addressing and
// filtering: a pixel is some bytes of the image's object. Pixels outside, and those that no sampler
// brings back inside is out of bounds.
#include "walker.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    NORMALIZED = 1,
    ADDRESS = 0xe,
    NONE = 0,
    EDGE = 2,
    CLAMP = 4,
    REPEAT = 6,
    MIRROR = 8,
    LINEAR = 0x20
}; // as clang numbers them

/**
 * What clang calls the parameter's type: target("spirv.Image", void, dimensions, depth, array,
 * samples, ...).
 */
static void type_of(unsigned i, int n[4])
{
    char *text = LLVMPrintTypeToString(LLVMTypeOf(LLVMGetParam(L.kernel->v, i))),
         *p = strstr(text, "spirv.Image");
    if (!p) give_up("an image for no image");
    p = strchr(p, ',');
    for (int k = 0; k < 4; k++) n[k] = (p = strchr(p + 1, ',')) ? atoi(p + 1) : 0;
    LLVMDisposeMessage(text);
}

struct object *image_new(unsigned i, const char *spec, const char **init, unsigned *bytes,
                         char *kind)
{
    static const struct {
        const char *name;
        unsigned bytes;
        char kind;
    } of[] = {
        {"char", 1, 'i'}, {"uchar", 1, 'u'}, {"short", 2, 'i'}, {"ushort", 2, 'u'},
        {"int", 4, 'i'},  {"uint", 4, 'u'},  {"float", 4, 'f'}, {"half", 2, 'f'},
    };
    struct image *m = calloc(1, sizeof *m);
    char *end = NULL;
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        const size_t len = strlen(of[k].name);
        if (strncmp(spec, of[k].name, len)) continue;
        m->channels = (unsigned)strtoul(spec + len, &end, 10);
        if (!m->channels) m->channels = 1;
        m->bytes = of[k].bytes;
        m->kind = of[k].kind;
    }
    int type[4]; // dimensions - 1, depth, array, samples
    type_of(i, type);
    if (!end || m->channels == 3 || type[0] > 2 || type[1] || type[3]) give_up("image %s", spec);
    if (!strncmp(end, "/norm", 5)) end += 5, m->kind = m->kind == 'u' ? 'n' : 'm';
    if (*end != '[') give_up("image %s", spec);
    uint64_t given[4] = {1, 1, 1, 1};
    unsigned n = 0;
    do given[n++] = strtoull(end + 1, &end, 10);
    while (*end == ',' && n < 4);
    m->ndims = (unsigned)type[0] + 1;
    for (unsigned d = 0; d < 3; d++) m->size[d] = d < m->ndims ? given[d] : 1;
    if (type[2]) m->layers = given[m->ndims];
    *init = strchr(end, '=') ? strchr(end, '=') + 1 : "0";
    *bytes = m->bytes;
    *kind = m->kind == 'f' ? 'f' : 'i';
    const bool undef = !strcmp(*init, "undef");
    struct object *o = object_new(L.kernel->arg_name[i], GLOBAL,
                                  m->size[0] * m->size[1] * m->size[2] *
                                      (m->layers ? m->layers : 1) * m->channels * m->bytes,
                                  !undef);
    o->image = m;
    return o;
}

uint64_t sampler_named(const char *words)
{
    static const struct {
        const char *word;
        unsigned bits;
    } all[] = {
        {"nearest", 0},   {"linear", LINEAR}, {"none", NONE},     {"edge", EDGE},
        {"clamp", CLAMP}, {"repeat", REPEAT}, {"mirror", MIRROR}, {"normalized", NORMALIZED},
    };
    uint64_t s = 0;
    char *copy = strdup(words);
    for (char *w = strtok(copy, ","); w; w = strtok(NULL, ","))
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            if (!strcmp(w, all[i].word)) s |= all[i].bits;
    free(copy);
    return s;
}

// ---- coordinates

/** Where a coordinate means, in pixels: u of `size`. */
static double unwound(double u, uint64_t sampler, uint64_t size)
{
    const double n = (double)size;
    if (!(sampler & NORMALIZED)) return u;
    switch (sampler & ADDRESS) {
    case REPEAT: return (u - floor(u)) * n;
    case MIRROR: return fabs(u - 2 * rint(u / 2)) * n;
    default: return u * n;
    }
}

/** The pixel that stands for number k of a row of `size`; -1: the border; -2: nothing does. */
static int64_t addressed(int64_t k, uint64_t sampler, uint64_t size)
{
    const int64_t n = (int64_t)size;
    if (k >= 0 && k < n) return k;
    switch (sampler & ADDRESS) {
    case EDGE:
    case MIRROR: return k < 0 ? 0 : n - 1;
    case REPEAT: return k < 0 ? k + n : k - n;
    case CLAMP: return -1;
    default: return -2;
    }
}

// ---- a pixel's channels

/**
 * An image that a kernel both reads and writes: a work-item sees its own writes after a fence only.
 */
static bool is_read_write(const struct insn *in) { return strstr(in->params, "_rw"); }

static void reads(struct item *w, const struct insn *in, struct object *o, const int64_t at[4],
                  struct sc *out)
{
    const struct image *m = o->image;
    const bool is_float = in->type->cells[0].kind == 'f';
    for (unsigned c = 0; c < in->type->n; c++)
        out[c] = (struct sc){.v = c == 3 ? is_float ? from_double(1, 32) : 1 : 0};
    for (unsigned d = 0; d < 4; d++)
        if (at[d] == -1) { // the border's color: its fourth channel is 0 where pixels have one
            if (m->channels == 4) out[3].v = 0;
            return;
        }
    const uint64_t pixel = (uint64_t)m->channels * m->bytes;
    const uint64_t off =
        ((((uint64_t)at[3] * m->size[2] + (uint64_t)at[2]) * m->size[1] + (uint64_t)at[1]) *
             m->size[0] +
         (uint64_t)at[0]) *
        pixel;
    for (unsigned c = 0; c < m->channels; c++) {
        const struct sc s = object_get(o, off + c * m->bytes, m->bytes);
        const int64_t i = m->bytes == 1 ? (int8_t)s.v : m->bytes == 2 ? (int16_t)s.v : (int32_t)s.v;
        const double most = m->kind == 'n'  ? m->bytes == 1 ? 255 : 65535
                            : m->bytes == 1 ? 127
                                            : 32767;
        if (c >= in->type->n) continue;
        out[c].v = m->kind == 'f'   ? from_double(as_double(s.v, m->bytes * 8), 32)
                   : m->kind == 'n' ? from_double((double)s.v / most, 32)
                   : m->kind == 'm' ? from_double(fmax((double)i / most, -1), 32)
                   : m->kind == 'i' ? (uint32_t)i
                                    : s.v;
        if (s.u) out[c].u = 0xffffffff, out[c].path = s.path;
    }
    if (o->writers && is_read_write(in) &&
        o->writers[off] == ((uint64_t)w->image_fences << 32 | (w->number + 1)))
        finding("missing-fence", in, o->name, "error");
    accessed(w, in, o, off, pixel, READ);
}

static uint64_t channel(const struct image *m, uint64_t v)
{
    const unsigned bits = m->bytes * 8;
    const double d = as_double(v, 32);
    if (m->kind == 'f') return from_double(d, bits);
    const int64_t most = m->kind == 'n' || m->kind == 'u' ? (int64_t)((1ull << bits) - 1)
                                                          : (int64_t)(1ull << (bits - 1)) - 1;
    const int64_t least = m->kind == 'n' || m->kind == 'u' ? 0 : m->kind == 'i' ? -most - 1 : -most;
    double x = m->kind == 'n' || m->kind == 'm' ? (isnan(d) ? 0 : rint(d * (double)most))
               : m->kind == 'i'                 ? (double)(int32_t)v
                                                : (double)(uint32_t)v;
    x = x<(double)least ? (double)least : x>(double) most ? (double)most : x;
    return (uint64_t)(int64_t)x & (bits == 64 ? ~0ull : (1ull << bits) - 1);
}

static bool outside(const struct insn *in, const struct object *o, const int64_t at[4])
{
    for (unsigned d = 0; d < 4; d++)
        if (at[d] == -2) return finding("out-of-bounds", in, o->name, "error"), true;
    return false;
}

static void written(struct item *w, const struct insn *in, struct object *o, const int64_t at[4],
                    const struct sc *v)
{
    const struct image *m = o->image;
    if (outside(in, o, at)) return;
    const uint64_t pixel = (uint64_t)m->channels * m->bytes;
    const uint64_t off =
        ((((uint64_t)at[3] * m->size[2] + (uint64_t)at[2]) * m->size[1] + (uint64_t)at[1]) *
             m->size[0] +
         (uint64_t)at[0]) *
        pixel;
    for (unsigned c = 0; c < m->channels; c++) {
        if (v[c].u) undefined(w, in, v[c], "stored");
        object_put(o, off + c * m->bytes, m->bytes, (struct sc){.v = channel(m, v[c].v)});
    }
    if (is_read_write(in)) {
        if (!o->writers) o->writers = calloc(o->size, sizeof *o->writers);
        o->writers[off] = (uint64_t)w->image_fences << 32 | (w->number + 1);
    }
    accessed(w, in, o, off, pixel, WRITE);
}

// ---- the functions

static void sampled(struct item *w, const struct insn *in, struct object *o, uint64_t sampler,
                    const double u[4], struct sc *out)
{
    const struct image *m = o->image;
    const bool linear = sampler & LINEAR;
    int64_t low[4] = {0}, at[4];
    double part[4] = {0}, sum[4] = {0};
    for (unsigned d = 0; d < m->ndims; d++) {
        const double x = unwound(u[d], sampler, m->size[d]) - (linear ? 0.5 : 0), whole = floor(x);
        low[d] = whole < -1e9 || isnan(whole) ? -1000000000
                 : whole > 1e9                ? 1000000000
                                              : (int64_t)whole;
        part[d] = x - whole;
        if (!linear && (sampler & NORMALIZED) &&
            ((sampler & ADDRESS) == MIRROR || (sampler & ADDRESS) == REPEAT) &&
            low[d] >= (int64_t)m->size[d])
            low[d] = (sampler & ADDRESS) == MIRROR ? (int64_t)m->size[d] - 1
                                                   : low[d] - (int64_t)m->size[d];
    }
    at[3] = 0;
    if (m->layers) { // the nearest there is, whatever the sampler says
        const double l = rint(u[3]);
        at[3] = l < 0 ? 0 : l >= (double)m->layers ? (int64_t)m->layers - 1 : (int64_t)l;
    }
    struct sc bad[4] = {{0}};
    for (unsigned corner = 0; corner < (linear ? 1u << m->ndims : 1u); corner++) {
        double share = 1;
        for (unsigned d = 0; d < 3; d++) {
            const unsigned next = corner >> d & 1;
            at[d] = d < m->ndims ? addressed(low[d] + next, sampler, m->size[d]) : 0;
            if (linear && d < m->ndims) share *= next ? part[d] : 1 - part[d];
        }
        for (unsigned d = 0; d < 3; d++)
            if (at[d] == -2 && share == 0) at[d] = -1; // of no weight: whatever it is
        if (outside(in, o, at)) {
            memset(out, 0, in->type->n * sizeof *out);
            return;
        }
        struct sc now[4];
        reads(w, in, o, at, now);
        for (unsigned c = 0; c < in->type->n; c++) {
            if (!linear) out[c] = now[c];
            if (now[c].u && share > 0) bad[c] = now[c];
            sum[c] += share * as_double(now[c].v, 32);
        }
    }
    for (unsigned c = 0; linear && c < in->type->n; c++)
        out[c] = (struct sc){.v = from_double(sum[c], 32), .u = bad[c].u, .path = bad[c].path};
}

bool images(struct item *w, const struct insn *in, struct sc **a, struct sc *out)
{
    const char *n = in->builtin;
    if (!strcmp(n, "__translate_sampler_initializer")) return *out = *a[0], true;
    const bool is_read = !strncmp(n, "read_image", 10), is_write = !strncmp(n, "write_image", 11);
    if (!is_read && !is_write && strncmp(n, "get_image_", 10)) return false;
    int64_t off;
    struct object *o = object_at(w, a[0]->v, &off);
    const struct image *m = o ? o->image : NULL;
    if (!m || strstr(in->params, "depth") || strstr(in->params, "msaa"))
        give_up("%s(%s)", n, in->params);
    if (!is_read && !is_write) {
        const char *what = n + 10;
        for (unsigned i = 0; i < in->type->n; i++)
            out[i] = (struct sc){.v = i < 3 ? m->size[i] : 0};
        if (!strcmp(what, "height")) out->v = m->size[1];
        else if (!strcmp(what, "depth")) out->v = m->size[2];
        else if (!strcmp(what, "array_size")) out->v = m->layers;
        else if (strcmp(what, "width") && strcmp(what, "dim")) give_up("%s", n);
        return true;
    }
    const bool has_sampler = strstr(in->params, "ocl_sampler");
    const unsigned k = has_sampler ? 2 : 1;
    if (in->nops > k + (is_write ? 2 : 1)) give_up("%s of a level", n);
    const struct type *t = code_type(LLVMTypeOf(LLVMGetOperand(in->v, k)));
    double u[4] = {0};
    int64_t at[4] = {0};
    for (unsigned i = 0; i < m->ndims + !!m->layers; i++) {
        const unsigned d = i < m->ndims ? i : 3;
        if (a[k][i].u) undefined(w, in, a[k][i], "address");
        u[d] = t->cells[0].kind == 'f' ? as_double(a[k][i].v, 32) : (double)(int32_t)a[k][i].v;
        const uint64_t room = d < 3 ? m->size[d] : m->layers;
        at[d] = u[d] >= 0 && u[d] < (double)room ? (int64_t)u[d] : -2;
    }
    if (is_write) {
        written(w, in, o, at, a[2]);
    } else if (has_sampler) {
        sampled(w, in, o, a[1]->v, u, out);
    } else {
        memset(out, 0, in->type->n * sizeof *out);
        if (!outside(in, o, at)) reads(w, in, o, at, out);
    }
    return true;
}
