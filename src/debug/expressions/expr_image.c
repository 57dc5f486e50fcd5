// SPDX-License-Identifier: MIT
// Expressions: images. Their sizes and formats, and pixels: with a sampler as in kernels, or
// without one by coordinates inside the image.
#include "debug/expressions/expr_image.h"

#include "debug/expressions/expr.h"
#include "debug/session/focus.h"
#include "interp/stepping/step.h"
#include "interp/images/texel.h"

#include <string.h>

/** The image of a kernel's parameter. */
static struct err *image_of(struct dbg_eval *x, const struct dbg_node *n, const struct dbg_value *v,
                            const struct vm_arg **out, const struct vm_object **object)
{
    const struct vm_run *run = dbg_launch.run;
    if (!x->g || !run) return BAD(x, n, "No kernel is stopped: there are no images.");
    const uint64_t id = dbg_strip(v->type)->size == 8 ? dbg_pointer_of(v) >> BC_PTR_ID_SHIFT : 0,
                   first = run->code->module->nobjects + 1;
    if (id < first || id - first >= run->l->kernel->nargs ||
        vm_object_of(x->g, BC_PTR(id, 0))->kind != VM_OBJ_IMAGE)
        return BAD(x, n, "Not an image.");
    *out = &run->l->args[id - first];
    *object = vm_object_of(x->g, BC_PTR(id, 0));
    return NULL;
}

/** Coordinate k of a number or vector; other types than float are converted to int. */
static uint32_t coordinate(const struct dbg_value *v, unsigned k, bool as_float)
{
    const struct dbg_type *el = dbg_element(v->type);
    const uint8_t *at = v->bytes + k * el->size;
    const float f = (float)dbg_as_float(el, at);
    const int32_t i = vm_texel_int(f);
    uint32_t bits;
    if (as_float) memcpy(&bits, &f, sizeof bits);
    else bits = (uint32_t)(el->kind == BC_T_FLOAT ? i : dbg_as_int(el, at));
    return bits;
}

/** read_imagef(image, coordinates), or with a sampler between them. */
static struct err *read_pixel(struct dbg_eval *x, const struct dbg_node *n, const struct vm_arg *a,
                              const struct vm_object *o, const struct dbg_value *args,
                              struct dbg_value *v)
{
    const struct vm_image *img = &a->image;
    const struct dbg_value *sampler = n->n == 3 ? &args[1] : NULL, *at = &args[n->n - 1];
    const unsigned want = img->ndims + img->is_array,
                   count = dbg_strip(at->type)->kind == BC_T_VECTOR
                               ? (unsigned)dbg_strip(at->type)->count
                               : 1;
    const uint64_t size[3] = {img->size[0],
                              img->ndims == 1 && img->is_array ? img->layers : img->size[1],
                              img->ndims == 2 && img->is_array ? img->layers : img->size[2]};
    static const char *const names[] = {
        [VM_PIXEL_F] = "read_imagef", [VM_PIXEL_S] = "read_imagei", [VM_PIXEL_U] = "read_imageui"};
    static const char *const types[] = {
        [VM_PIXEL_F] = "float", [VM_PIXEL_S] = "int", [VM_PIXEL_U] = "uint"};
    if (strcmp(n->name, names[img->format.kind]))
        return BAD(x, n, "This image is read by %s.", names[img->format.kind]);
    if (count < want) return BAD(x, n, "The image has %u coordinates.", want);
    if (!o->base) return BAD(x, n, "The image has no memory.");
    const bool floats = sampler && dbg_element(at->type)->kind == BC_T_FLOAT;
    uint32_t p[4] = {0};
    for (unsigned k = 0; k < want && k < 3; k++) {
        p[k] = coordinate(at, k, floats);
        if (!sampler && p[k] >= size[k])
            return BAD(x, n, "Coordinate %d is outside of the image, which has %llu there.",
                       (int32_t)p[k], (unsigned long long)size[k]);
    }
    uint64_t bits = 0;
    if (sampler)
        memcpy(&bits, sampler->bytes,
               dbg_strip(sampler->type)->size < 8 ? dbg_strip(sampler->type)->size : 8);
    uint32_t value[4];
    const unsigned what = (unsigned)img->format.kind | (floats ? BC_IMAGE_FLOAT_COORDS : 0) |
                          (img->is_array ? BC_IMAGE_ARRAY : 0);
    vm_texel_access(&(struct vm_texel_op){img, o->base, what, sampler, bits, p, want}, value);
    *v = (struct dbg_value){
        .type = dbg_type_vector(
            dbg_type_named(types[img->format.kind], strlen(types[img->format.kind])), 4)};
    memcpy(v->bytes, value, sizeof value);
    return NULL;
}

bool dbg_is_image_function(const char *name)
{
    static const char *const all[] = {"get_image_width",
                                      "get_image_height",
                                      "get_image_depth",
                                      "get_image_array_size",
                                      "get_image_channel_data_type",
                                      "get_image_channel_order",
                                      "read_imagef",
                                      "read_imagei",
                                      "read_imageui"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(all[i], name)) return true;
    return false;
}

struct err *dbg_image_call(struct dbg_eval *x, const struct dbg_node *n,
                           const struct dbg_value *args, struct dbg_value *v)
{
    const struct vm_arg *a = NULL;
    const struct vm_object *o = NULL;
    const bool reads = !strncmp(n->name, "read", 4);
    if (reads ? n->n != 2 && n->n != 3 : n->n != 1)
        return BAD(x, n,
                   reads ? "%s takes an image, perhaps a sampler, and coordinates."
                         : "%s takes an image.",
                   n->name);
    struct err *e = image_of(x, n, &args[0], &a, &o);
    if (e) return e;
    if (reads) return read_pixel(x, n, a, o, args, v);
    const struct vm_image *img = &a->image;
    const char *what = n->name + strlen("get_image_");
    const uint64_t is = *what == 'w'                     ? img->size[0]
                        : *what == 'h'                   ? img->size[1]
                        : *what == 'd'                   ? img->size[2]
                        : *what == 'a'                   ? img->layers
                        : !strcmp(what, "channel_order") ? img->format.order
                                                         : img->format.type;
    *v = dbg_value_int(dbg_type_named(*what == 'a' ? "ulong" : "int", *what == 'a' ? 5 : 3), is);
    return NULL;
}
