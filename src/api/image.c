// SPDX-License-Identifier: MIT
// Images: creation, formats, queries. An image is a memory object with a layout of pixels
// (vm_image), in its own memory, in host memory (CL_MEM_USE_HOST_PTR, with the host's pitches), or
// in a buffer.
#include "api/image.h"

#include "api/limits.h"
#include "devices/dev.h"
#include "devices/mapped_memory.h"

static unsigned dims_of(cl_mem_object_type t)
{
    return t == CL_MEM_OBJECT_IMAGE3D                                       ? 3
           : t == CL_MEM_OBJECT_IMAGE2D || t == CL_MEM_OBJECT_IMAGE2D_ARRAY ? 2
                                                                            : 1;
}
static bool is_array(cl_mem_object_type t)
{
    return t == CL_MEM_OBJECT_IMAGE1D_ARRAY || t == CL_MEM_OBJECT_IMAGE2D_ARRAY;
}

bool api_image_is_flat(const struct _cl_mem *m)
{
    return !is_array(m->type) && m->type != CL_MEM_OBJECT_IMAGE3D;
}

/** The size in the API's terms: the layers of a 1-D array are its second dimension. */
static void extent_of(const struct _cl_mem *m, size_t extent[3])
{
    const struct vm_image *v = &m->image;
    const bool lines = m->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    extent[0] = v->size[0];
    extent[1] = lines ? v->layers : v->size[1];
    extent[2] = lines ? 1 : v->is_array ? v->layers : v->size[2];
}

cl_int api_image_box(cl_mem m, const size_t *origin, const size_t *region, struct side *at)
{
    cl_context ctx = m->ctx;
    size_t extent[3];
    if (!origin || !region)
        return api_fail(ctx, CL_INVALID_VALUE, "%s is NULL", origin ? "region" : "origin");
    extent_of(m, extent);
    for (unsigned k = 0; k < 3; k++) {
        if (region[k] == 0) return api_fail(ctx, CL_INVALID_VALUE, "region[%u] is 0", k);
        if (origin[k] > extent[k] || region[k] > extent[k] - origin[k])
            return api_fail(ctx, CL_INVALID_VALUE,
                            "origin[%u] %zu and region[%u] %zu leave the image, which has %zu", k,
                            origin[k], k, region[k], extent[k]);
    }
    const struct vm_image *v = &m->image;
    at->mem = m;
    at->row = m->type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? v->slice_pitch : v->row_pitch;
    at->slice = v->slice_pitch;
    at->first = m->data + origin[2] * at->slice + origin[1] * at->row + origin[0] * v->format.size;
    return CL_SUCCESS;
}

// ---- formats

static const cl_channel_order orders[] = {
    CL_R,    CL_A,    CL_RG,        CL_RA,        CL_RGB,   CL_RGBA,  CL_BGRA,
    CL_ARGB, CL_ABGR, CL_INTENSITY, CL_LUMINANCE, CL_DEPTH, CL_sRGBA, CL_sBGRA,
};

static bool is_supported(cl_mem_flags flags, cl_mem_object_type type, cl_channel_order order,
                         cl_channel_type t, struct vm_pixel_format *f)
{
    if (!vm_pixel_format(order, t, f)) return false;
    const bool writes = flags & (CL_MEM_WRITE_ONLY | CL_MEM_KERNEL_READ_AND_WRITE);
    if (order == CL_DEPTH)
        return type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
    return !(f->srgb && writes); // cl_khr_srgb_image_writes is not supported
}

cl_int api_clGetSupportedImageFormats(cl_context context, cl_mem_flags flags,
                                      cl_mem_object_type image_type, cl_uint num_entries,
                                      cl_image_format *image_formats, cl_uint *num_image_formats)
{
    API_ENTER();
    if (!api_is(context, API_CONTEXT)) return api_bad_handle(NULL, context, API_CONTEXT);
    cl_int bad =
        api_check_mem_flags(context,
                            flags & ~(cl_mem_flags)(CL_MEM_KERNEL_READ_AND_WRITE |
                                                    CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR),
                            NULL);
    if (bad) return bad;
    if (image_type < CL_MEM_OBJECT_IMAGE2D || image_type > CL_MEM_OBJECT_IMAGE1D_BUFFER)
        return api_fail(context, CL_INVALID_VALUE, "image_type 0x%x", image_type);
    if (num_entries == 0 && image_formats)
        return api_fail(context, CL_INVALID_VALUE,
                        "num_entries is 0 and image_formats is not NULL");
    cl_uint n = 0;
    for (size_t o = 0; o < sizeof orders / sizeof *orders; o++)
        for (cl_channel_type t = CL_SNORM_INT8; t <= CL_UNORM_INT_101010_2; t++) {
            struct vm_pixel_format f;
            if (!is_supported(flags, image_type, orders[o], t, &f)) continue;
            if (image_formats && n < num_entries)
                image_formats[n] = (cl_image_format){orders[o], t};
            n++;
        }
    if (num_image_formats) *num_image_formats = n;
    return CL_SUCCESS;
}

// ---- creation

static cl_int check_desc(cl_context ctx, const cl_image_desc *d)
{
    const cl_mem_object_type t = d->image_type;
    static const char *const sides[] = {"width", "height", "depth"}, *const queries[] = {"WIDTH",
                                                                                         "HEIGHT",
                                                                                         "DEPTH"};
    const size_t given[] = {d->image_width, d->image_height, d->image_depth};
    if (t < CL_MEM_OBJECT_IMAGE2D || t > CL_MEM_OBJECT_IMAGE1D_BUFFER)
        return api_fail(ctx, CL_INVALID_IMAGE_DESCRIPTOR, "image_type 0x%x", t);
    if (d->num_mip_levels || d->num_samples)
        return api_fail(ctx, CL_INVALID_IMAGE_DESCRIPTOR,
                        "num_mip_levels is %u, num_samples %u: the device has neither",
                        d->num_mip_levels, d->num_samples);
    const size_t max = t == CL_MEM_OBJECT_IMAGE1D_BUFFER ? (size_t)API_IMAGE_BUFFER_MAX
                       : t == CL_MEM_OBJECT_IMAGE3D      ? (size_t)API_IMAGE3D_MAX
                                                         : (size_t)API_IMAGE2D_MAX;
    for (unsigned k = 0; k < dims_of(t); k++) {
        if (given[k] && given[k] <= max) continue;
        char query[64] = "CL_DEVICE_IMAGE_MAX_BUFFER_SIZE";
        if (t != CL_MEM_OBJECT_IMAGE1D_BUFFER)
            snprintf(query, sizeof query, "CL_DEVICE_IMAGE%dD_MAX_%s",
                     t == CL_MEM_OBJECT_IMAGE3D ? 3 : 2, queries[k]);
        return api_fail(ctx, CL_INVALID_IMAGE_SIZE,
                        "image_%s is %zu; from 1 to %s, %zu, are allowed", sides[k], given[k],
                        query, max);
    }
    if (is_array(t) && (!d->image_array_size || d->image_array_size > API_IMAGE_LAYERS_MAX))
        return api_fail(
            ctx, CL_INVALID_IMAGE_SIZE,
            "image_array_size is %zu; from 1 to CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, %d, are allowed",
            d->image_array_size, API_IMAGE_LAYERS_MAX);
    return CL_SUCCESS;
}

struct request { // for an image, as the app gives it
    cl_mem_flags flags;
    const cl_image_format *format;
    const cl_image_desc *desc;
    void *host_ptr;
    cl_int wrong_pitch; // the error code for a wrong pitch
};

/** The pitches: those that the app gives for host memory or a buffer, or the smallest ones. */
static cl_int pitches(cl_context ctx, const struct request *a, const struct vm_image *v,
                      size_t *row, size_t *slice)
{
    const cl_image_desc *const d = a->desc;
    const cl_int code = a->wrong_pitch;
    const size_t tight = v->size[0] * v->format.size;
    if (!a->host_ptr && !d->mem_object && (d->image_row_pitch || d->image_slice_pitch))
        return api_fail(ctx, code, "pitches are given without host_ptr");
    *row = d->image_row_pitch ? d->image_row_pitch : tight;
    if (*row < tight || *row % v->format.size) // for a buffer, CL_DEVICE_IMAGE_PITCH_ALIGNMENT
                                               // applies instead, with its own error code
        return api_fail(ctx,
                        d->mem_object && *row >= tight ? CL_INVALID_IMAGE_FORMAT_DESCRIPTOR : code,
                        "image_row_pitch is %zu: less than a row of %zu bytes, or not a multiple "
                        "of %u bytes, the size of a pixel",
                        *row, tight, v->format.size);
    size_t plane; // of a 1-D array: one line
    if (__builtin_mul_overflow(*row, v->size[1], &plane))
        return api_fail(ctx, CL_INVALID_IMAGE_SIZE, "the image is too large");
    const bool has_slices = v->is_array || v->ndims == 3;
    *slice = has_slices && d->image_slice_pitch ? d->image_slice_pitch : plane;
    if (*slice < plane || *slice % *row)
        return api_fail(ctx, code,
                        "image_slice_pitch is %zu: less than a slice of %zu bytes, or not a "
                        "multiple of the row pitch",
                        *slice, plane);
    return CL_SUCCESS;
}

static void copy_in(cl_mem m, const uint8_t *host, size_t row, size_t slice)
{
    const struct vm_image *v = &m->image;
    const size_t slices = v->is_array ? v->layers : v->size[2];
    for (size_t z = 0; z < slices; z++)
        for (size_t y = 0; y < v->size[1]; y++)
            memcpy(m->data + z * v->slice_pitch + y * v->row_pitch, host + z * slice + y * row,
                   v->size[0] * v->format.size);
}

static cl_int take_memory(cl_mem m, void *host_ptr, size_t row, size_t slice)
{
    struct vm_image *v = &m->image;
    v->row_pitch = row;
    v->slice_pitch = slice;
    if (m->flags & CL_MEM_USE_HOST_PTR) {
        m->data = m->host_ptr = host_ptr;
        return CL_SUCCESS;
    }
    if (host_ptr) { // copied: rows of our memory have no padding
        v->row_pitch = v->size[0] * v->format.size;
        v->slice_pitch = v->row_pitch * v->size[1];
    }
    m->size = v->slice_pitch * (v->is_array ? v->layers : v->size[2]);
    m->data = dev_memory_alloc(m->size);
    m->owns_data = true;
    if (!m->data)
        return api_fail(m->ctx, CL_MEM_OBJECT_ALLOCATION_FAILURE, "no memory for %zu bytes",
                        m->size);
    if (host_ptr) copy_in(m, host_ptr, row, slice);
    else api_mem_follow(m);
    return CL_SUCCESS;
}

/**
 * May an image with order `of` have a view with order `view`? See the table of compatible image
 * channel orders.
 */
static bool are_compatible(cl_channel_order view, cl_channel_order of)
{
    static const cl_channel_order pairs[][2] = {{CL_sBGRA, CL_BGRA},
                                                {CL_BGRA, CL_sBGRA},
                                                {CL_sRGBA, CL_RGBA},
                                                {CL_RGBA, CL_sRGBA},
                                                {CL_DEPTH, CL_R}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i][0] == view && pairs[i][1] == of) return true;
    return false;
}

/** Checks a view of the image m: everything except the channel order must be equal. */
static cl_int check_view(cl_context ctx, const cl_image_format *f, const cl_image_desc *d,
                         const struct _cl_mem *m)
{
    if (d->image_type != CL_MEM_OBJECT_IMAGE2D || m->type != CL_MEM_OBJECT_IMAGE2D)
        return api_fail(ctx, CL_INVALID_IMAGE_DESCRIPTOR,
                        "mem_object is an image: an image is created from another one only if "
                        "both are 2-D");
    if (d->image_width != m->image.size[0] || d->image_height != m->image.size[1] ||
        (d->image_row_pitch && d->image_row_pitch != m->image.row_pitch))
        return api_fail(
            ctx, CL_INVALID_IMAGE_DESCRIPTOR,
            "%zu x %zu pixels with a row pitch of %zu; mem_object has %llu x %llu with %llu",
            d->image_width, d->image_height, d->image_row_pitch,
            (unsigned long long)m->image.size[0], (unsigned long long)m->image.size[1],
            (unsigned long long)m->image.row_pitch);
    if (f->image_channel_data_type != m->format.image_channel_data_type ||
        !are_compatible(f->image_channel_order, m->format.image_channel_order))
        return api_fail(ctx, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
                        "channel order 0x%x with type 0x%x cannot show mem_object's 0x%x with 0x%x",
                        f->image_channel_order, f->image_channel_data_type,
                        m->format.image_channel_order, m->format.image_channel_data_type);
    return CL_SUCCESS;
}

/** Checks the memory object that an image is created from, if any. */
static cl_int check_parent(cl_context ctx, const cl_image_format *f, const cl_image_desc *d)
{
    const cl_mem b = d->mem_object;
    if (!b) {
        if (d->image_type != CL_MEM_OBJECT_IMAGE1D_BUFFER) return CL_SUCCESS;
        return api_fail(ctx, CL_INVALID_IMAGE_DESCRIPTOR, "a 1-D image buffer needs a buffer");
    }
    if (!api_is(b, API_MEM))
        return api_fail(ctx, CL_INVALID_IMAGE_DESCRIPTOR, "mem_object %p is not a memory object",
                        (void *)b);
    if (b->ctx != ctx)
        return api_fail(ctx, CL_INVALID_CONTEXT, "mem_object belongs to another context");
    if (api_is_image(b)) return check_view(ctx, f, d, b);
    if (b->type ||
        (d->image_type != CL_MEM_OBJECT_IMAGE1D_BUFFER && d->image_type != CL_MEM_OBJECT_IMAGE2D))
        return api_fail(
            ctx, CL_INVALID_IMAGE_DESCRIPTOR,
            "mem_object: only 1-D image buffers and 2-D images are created from a buffer");
    return CL_SUCCESS;
}

// Does the specification have such a format: its names, and the orders of packed channels?
static bool is_format(const cl_image_format *f)
{
    const cl_channel_order o = f->image_channel_order;
    const cl_channel_type t = f->image_channel_data_type;
    if (o < CL_R || o > CL_ABGR || t < CL_SNORM_INT8 || t > CL_UNORM_INT_101010_2) return false;
    const bool packed = t == CL_UNORM_SHORT_565 || t == CL_UNORM_SHORT_555 ||
                        t == CL_UNORM_INT_101010;
    return !packed || o == CL_RGB || o == CL_RGBx;
}

/** The bytes of an image, checked against the device's limit and the size of its buffer. */
static cl_int size_of(cl_context ctx, const cl_image_desc *d, const struct vm_image *v,
                      size_t slice, size_t *size)
{
    if (__builtin_mul_overflow(slice, v->is_array ? v->layers : v->size[2], size) ||
        *size > dev_settings()->max_alloc_size)
        return api_fail(ctx, CL_INVALID_IMAGE_SIZE,
                        "the image has more than CL_DEVICE_MAX_MEM_ALLOC_SIZE, %llu bytes",
                        (unsigned long long)dev_settings()->max_alloc_size);
    if (d->mem_object && *size > d->mem_object->size)
        return api_fail(ctx, CL_INVALID_IMAGE_SIZE, "the image needs %zu bytes, the buffer has %zu",
                        *size, d->mem_object->size);
    return CL_SUCCESS;
}

static cl_mem create(cl_context ctx, const struct request *a, cl_int *errcode_ret)
{
    cl_int bad;
    cl_mem_flags flags = a->flags;
    const cl_image_format *const format = a->format;
    const cl_image_desc *const d = a->desc;
    void *const host_ptr = a->host_ptr;
    if (!api_is(ctx, API_CONTEXT)) API_RETURN(api_bad_handle(NULL, ctx, API_CONTEXT), NULL);
    if (!format)
        API_RETURN(api_fail(ctx, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "image_format is NULL"), NULL);
    if (!is_format(format))
        API_RETURN(api_fail(ctx, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
                            "channel order 0x%x with type 0x%x is not an image format",
                            format->image_channel_order, format->image_channel_data_type),
                   NULL);
    if (!d) API_RETURN(api_fail(ctx, CL_INVALID_IMAGE_DESCRIPTOR, "image_desc is NULL"), NULL);
    if ((bad = check_desc(ctx, d))) API_RETURN(bad, NULL);
    if ((bad = check_parent(ctx, format, d)) ||
        (d->mem_object && (bad = api_inherit_flags(d->mem_object, &flags))))
        API_RETURN(bad, NULL);
    if (!d->mem_object && (bad = api_check_mem_flags(ctx, flags, host_ptr))) API_RETURN(bad, NULL);
    if (d->mem_object && host_ptr)
        API_RETURN(
            api_fail(ctx, CL_INVALID_HOST_PTR, "host_ptr must be NULL if mem_object is given"),
            NULL);
    struct vm_image v = {.size = {d->image_width, 1, 1},
                         .layers = 1,
                         .ndims = (uint8_t)dims_of(d->image_type),
                         .is_array = is_array(d->image_type)};
    if (!is_supported(flags, d->image_type, format->image_channel_order,
                      format->image_channel_data_type, &v.format))
        API_RETURN(api_fail(ctx, CL_IMAGE_FORMAT_NOT_SUPPORTED, "channel order 0x%x with type 0x%x",
                            format->image_channel_order, format->image_channel_data_type),
                   NULL);
    if (v.ndims > 1) v.size[1] = d->image_height;
    if (v.ndims > 2) v.size[2] = d->image_depth;
    if (v.is_array) v.layers = d->image_array_size;
    size_t row = 0, slice = 0, size;
    if (d->mem_object && api_is_image(d->mem_object)) {
        row = d->mem_object->image.row_pitch;
        slice = d->mem_object->image.slice_pitch;
    } else if ((bad = pitches(ctx, a, &v, &row, &slice))) {
        API_RETURN(bad, NULL);
    }
    if ((bad = size_of(ctx, d, &v, slice, &size))) API_RETURN(bad, NULL);
    cl_mem m = api_mem_new(ctx, flags, size);
    if (!m) API_RETURN(CL_OUT_OF_HOST_MEMORY, NULL);
    m->type = d->image_type;
    m->format = *format;
    m->image = v;
    if (d->mem_object) {
        api_ref(d->mem_object);
        m->parent = d->mem_object;
        m->data = d->mem_object->data;
        m->host_ptr = d->mem_object->host_ptr;
        m->image.row_pitch = row;
        m->image.slice_pitch = slice;
    } else if ((bad = take_memory(m, host_ptr, row, slice))) {
        m->obj.refs = 1;
        api_mem_put(m);
        API_RETURN(bad, NULL);
    }
    API_RETURN(CL_SUCCESS, m);
}

cl_mem api_clCreateImage(cl_context context, cl_mem_flags flags,
                         const cl_image_format *image_format, const cl_image_desc *image_desc,
                         void *host_ptr, cl_int *errcode_ret)
{
    API_ENTER();
    return create(
        context,
        &(struct request){flags, image_format, image_desc, host_ptr, CL_INVALID_IMAGE_DESCRIPTOR},
        errcode_ret);
}

cl_mem api_clCreateImageWithProperties(cl_context context, const cl_mem_properties *properties,
                                       cl_mem_flags flags, const cl_image_format *image_format,
                                       const cl_image_desc *image_desc, void *host_ptr,
                                       cl_int *errcode_ret)
{
    API_ENTER();
    if (api_is(context, API_CONTEXT) && properties && properties[0])
        API_RETURN(api_fail(context, CL_INVALID_PROPERTY, "image property 0x%llx is not known",
                            (unsigned long long)properties[0]),
                   NULL);
    cl_mem m = create(
        context,
        &(struct request){flags, image_format, image_desc, host_ptr, CL_INVALID_IMAGE_DESCRIPTOR},
        errcode_ret);
    if (m && properties) {
        m->nproperties = 1;
        m->properties = mem_alloc(sizeof *properties);
    }
    return m;
}

cl_mem api_clCreateImage2D(cl_context context, cl_mem_flags flags,
                           const cl_image_format *image_format, size_t image_width,
                           size_t image_height, size_t image_row_pitch, void *host_ptr,
                           cl_int *errcode_ret)
{
    API_ENTER();
    const cl_image_desc d = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                             .image_width = image_width,
                             .image_height = image_height,
                             .image_row_pitch = image_row_pitch};
    return create(context,
                  &(struct request){flags, image_format, &d, host_ptr, CL_INVALID_IMAGE_SIZE},
                  errcode_ret);
}

cl_mem api_clCreateImage3D(cl_context context, cl_mem_flags flags,
                           const cl_image_format *image_format, size_t image_width,
                           size_t image_height, size_t image_depth, size_t image_row_pitch,
                           size_t image_slice_pitch, void *host_ptr, cl_int *errcode_ret)
{
    API_ENTER();
    const cl_image_desc d = {.image_type = CL_MEM_OBJECT_IMAGE3D,
                             .image_width = image_width,
                             .image_height = image_height,
                             .image_depth = image_depth,
                             .image_row_pitch = image_row_pitch,
                             .image_slice_pitch = image_slice_pitch};
    if (api_is(context, API_CONTEXT) && image_depth == 1)
        API_RETURN(api_fail(context, CL_INVALID_IMAGE_SIZE,
                            "image_depth is 1: clCreateImage3D makes images of 2 and more slices"),
                   NULL);
    return create(context,
                  &(struct request){flags, image_format, &d, host_ptr, CL_INVALID_IMAGE_SIZE},
                  errcode_ret);
}

// ---- queries

cl_int api_clGetImageInfo(cl_mem image, cl_image_info param_name, size_t param_value_size,
                          void *param_value, size_t *param_value_size_ret)
{
    API_ENTER();
    if (!api_is(image, API_MEM)) return api_bad_handle(NULL, image, API_MEM);
    if (!api_is_image(image))
        return api_fail(image->ctx, CL_INVALID_MEM_OBJECT,
                        "the memory object is a %s, not an image",
                        api_is_pipe(image) ? "pipe" : "buffer");
    const struct vm_image *v = &image->image;
    switch (param_name) {
    case CL_IMAGE_FORMAT: return REPLY_BYTES(&image->format, sizeof image->format);
    case CL_IMAGE_ELEMENT_SIZE: return REPLY(size_t, v->format.size);
    case CL_IMAGE_ROW_PITCH: return REPLY(size_t, v->row_pitch);
    case CL_IMAGE_SLICE_PITCH: return REPLY(size_t, api_image_is_flat(image) ? 0 : v->slice_pitch);
    case CL_IMAGE_WIDTH: return REPLY(size_t, v->size[0]);
    case CL_IMAGE_HEIGHT: return REPLY(size_t, v->ndims > 1 ? v->size[1] : 0);
    case CL_IMAGE_DEPTH: return REPLY(size_t, v->ndims > 2 ? v->size[2] : 0);
    case CL_IMAGE_ARRAY_SIZE: return REPLY(size_t, v->is_array ? v->layers : 0);
    case CL_IMAGE_BUFFER:
        return REPLY(cl_mem, image->parent && !image->parent->type ? image->parent : NULL);
    case CL_IMAGE_NUM_MIP_LEVELS:
    case CL_IMAGE_NUM_SAMPLES: return REPLY(cl_uint, 0);
    }
    return api_fail(image->ctx, CL_INVALID_VALUE, "param_name 0x%x is not a query of images",
                    param_name);
}
