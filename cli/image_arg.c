// SPDX-License-Identifier: MIT
// Images and samplers as arguments of `cldbg run`:
//   image:TYPE[W]=INIT, [W,H], [W,H,D]   pixels of TYPE (float4: CL_RGBA of CL_FLOAT; short: CL_R
//   of CL_SIGNED_INT16); of an array
//                                        the last number is the layers
//   image:uchar4/norm[W,H]=INIT          channels that are read as 0 to 1 (-1 to 1): CL_UNORM_INT8,
//   … sampler=WORD[,WORD…]                 linear (else nearest), none, edge, clamp, repeat or
//   mirror, normalized
#include "cli/host.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct err *cmd_image_sizes(const char **p, struct cmd_image *m, uint64_t *count)
{
    *count = 1;
    for (;;) {
        char *end;
        const char *digits = *p + 1;
        errno = 0;
        const uint64_t n = isdigit((unsigned char)*digits) ? strtoull(digits, &end, 0) : 0;
        if (errno || n > 1 << 27 || *count * n > 1ull << 32 ||
            (n > 1 << 20 && (m->ndims || *end != ']'))) // only buffers may be so long
            return err_new("no image is that large");
        if (!n) return err_new("an image has sizes such as [64], [64,32] or [64,32,4]");
        if (m->ndims == 3) return err_new("an image has at most three sizes");
        m->size[m->ndims++] = n;
        *count *= n;
        *p = end;
        if (*end == ']') break;
        if (*end != ',') return err_new("']' is expected after an image's sizes");
    }
    ++*p;
    return NULL;
}

static struct err *format_of(const struct cmd_arg *a, cl_image_format *f)
{
    static const struct {
        const char *type;
        cl_channel_type plain, norm;
    } types[] = {
        {"char", CL_SIGNED_INT8, CL_SNORM_INT8},
        {"uchar", CL_UNSIGNED_INT8, CL_UNORM_INT8},
        {"short", CL_SIGNED_INT16, CL_SNORM_INT16},
        {"ushort", CL_UNSIGNED_INT16, CL_UNORM_INT16},
        {"int", CL_SIGNED_INT32, 0},
        {"uint", CL_UNSIGNED_INT32, 0},
        {"half", CL_HALF_FLOAT, 0},
        {"float", CL_FLOAT, 0},
    };
    const unsigned n = a->type.ncomp;
    f->image_channel_order = n == 1 ? CL_R : n == 2 ? CL_RG : CL_RGBA;
    if (n != 1 && n != 2 && n != 4) return err_new("pixels have 1, 2 or 4 channels");
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcmp(types[i].type, a->type.scalar->name)) continue;
        f->image_channel_data_type = a->image.norm ? types[i].norm : types[i].plain;
        if (f->image_channel_data_type) return NULL;
    }
    return err_new("%s is not a type of %schannels", a->type.scalar->name,
                   a->image.norm ? "normalized " : "");
}

static const struct {
    const char *type;
    cl_mem_object_type object;
    unsigned ndims;
    bool is_array;
} kinds[] = {
    {"image1d_buffer_t", CL_MEM_OBJECT_IMAGE1D_BUFFER, 1, false},
    {"image1d_array_t", CL_MEM_OBJECT_IMAGE1D_ARRAY, 2, true},
    {"image2d_array_t", CL_MEM_OBJECT_IMAGE2D_ARRAY, 3, true},
    {"image1d_t", CL_MEM_OBJECT_IMAGE1D, 1, false},
    {"image2d_t", CL_MEM_OBJECT_IMAGE2D, 2, false},
    {"image3d_t", CL_MEM_OBJECT_IMAGE3D, 3, false},
};

static int kind_of(const char *type)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strstr(type, kinds[i].type)) return (int)i;
    return -1;
}

bool cmd_is_image(const char *type) { return kind_of(type) >= 0; }

struct err *cmd_image_check(const char *type, const struct cmd_arg *a)
{
    const int k = kind_of(type);
    cl_image_format f;
    if (a->image.ndims != kinds[k].ndims)
        return err_new("%s has %u size%s (%s), %u given", type, kinds[k].ndims,
                       kinds[k].ndims == 1 ? "" : "s",
                       kinds[k].ndims == 1   ? "width"
                       : kinds[k].ndims == 2 ? kinds[k].is_array ? "width, layers" : "width, height"
                       : kinds[k].is_array   ? "width, height, layers"
                                             : "width, height, depth",
                       a->image.ndims);
    return format_of(a, &f);
}

cl_int cmd_image_make(struct cmd_kernel *k, const char *type, struct cmd_arg *a)
{
    const int kind = kind_of(type);
    cl_image_format f;
    err_free(format_of(a, &f)); // was checked
    cl_image_desc d = {.image_type = kinds[kind].object, .image_width = a->image.size[0]};
    const unsigned last = a->image.ndims - 1;
    if (kinds[kind].is_array) d.image_array_size = a->image.size[last];
    if (a->image.ndims - kinds[kind].is_array > 1) d.image_height = a->image.size[1];
    if (a->image.ndims - kinds[kind].is_array > 2) d.image_depth = a->image.size[2];
    cl_int code = CL_SUCCESS;
    cl_mem_flags flags = CL_MEM_READ_WRITE | (a->data ? CL_MEM_COPY_HOST_PTR : 0);
    if (d.image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER) {
        d.mem_object = k->cl->clCreateBuffer(k->context, flags, a->size, a->data, &code);
        if (code) return code;
        vec_push(&k->made, d.mem_object);
        flags = CL_MEM_READ_WRITE;
    }
    a->mem = k->cl->clCreateImage(k->context, flags, &f, &d,
                                  flags & CL_MEM_COPY_HOST_PTR ? a->data : NULL, &code);
    if (!code) vec_push(&k->made, a->mem);
    return code;
}

cl_int cmd_image_read(struct cmd_kernel *k, const struct cmd_arg *a, void *to)
{
    const size_t origin[3] = {0},
                 region[3] = {a->image.size[0], a->image.ndims > 1 ? a->image.size[1] : 1,
                              a->image.ndims > 2 ? a->image.size[2] : 1};
    return k->cl->clEnqueueReadImage(k->queue, a->mem, CL_TRUE, origin, region, 0, 0, to, 0, NULL,
                                     NULL);
}

struct err *cmd_sampler_spec(const char *words, struct cmd_arg *out)
{
    static const struct {
        const char *word;
        cl_addressing_mode mode;
    } modes[] = {{"none", CL_ADDRESS_NONE},
                 {"edge", CL_ADDRESS_CLAMP_TO_EDGE},
                 {"clamp", CL_ADDRESS_CLAMP},
                 {"repeat", CL_ADDRESS_REPEAT},
                 {"mirror", CL_ADDRESS_MIRRORED_REPEAT}};
    out->kind = CMD_ARG_SAMPLER;
    out->sampler = (struct cmd_sampler){false, CL_ADDRESS_NONE, CL_FILTER_NEAREST};
    bool has_filter = false, has_mode = false;
    for (const char *p = words; *p;) {
        const size_t n = strcspn(p, ",");
        bool found = false, again = false;
#define IS(w) (strlen(w) == n && !memcmp(p, w, n))
        if (IS("normalized")) found = out->sampler.normalized = true;
        if (IS("linear") || IS("nearest")) {
            found = true, again = has_filter, has_filter = true;
            out->sampler.filter = *p == 'l' ? CL_FILTER_LINEAR : CL_FILTER_NEAREST;
        }
        for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
            if (IS(modes[i].word))
                found = true, again = has_mode, has_mode = true,
                out->sampler.addressing = modes[i].mode;
#undef IS
        if (!found)
            return err_new(
                "'%.*s' is not a property of a sampler: nearest, linear, none, edge, clamp, "
                "repeat, mirror, normalized",
                (int)n, p);
        if (again)
            return err_new("'%.*s': a sampler has one filter (nearest, linear) and one addressing "
                           "mode (none, edge, clamp, repeat, mirror)",
                           (int)n, p);
        p += n + (p[n] == ',');
    }
    return NULL;
}

cl_int cmd_sampler_set(struct cmd_kernel *k, unsigned i, const struct cmd_sampler *s)
{
    cl_int code;
    cl_sampler sampler =
        k->cl->clCreateSampler(k->context, s->normalized, s->addressing, s->filter, &code);
    if (!code) code = k->cl->clSetKernelArg(k->kernel, i, sizeof sampler, &sampler);
    if (sampler) k->cl->clReleaseSampler(sampler);
    return code;
}
