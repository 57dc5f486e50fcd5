// SPDX-License-Identifier: MIT
#include "api/object.h"

#include "base/mem.h"

uint64_t api_sampler_bits(const struct _cl_sampler *s)
{
    return (s->normalized ? 1 : 0) | (uint64_t)(s->addressing - CL_ADDRESS_NONE) << 1 |
           (s->filter == CL_FILTER_LINEAR ? 0x20 : 0x10);
}

static cl_sampler create(cl_context ctx, cl_bool normalized, cl_addressing_mode addressing,
                         cl_filter_mode filter, cl_int *errcode_ret)
{
    if (normalized != CL_TRUE && normalized != CL_FALSE)
        API_RETURN(api_fail(ctx, CL_INVALID_VALUE, "normalized_coords is %u", normalized), NULL);
    if (addressing < CL_ADDRESS_NONE || addressing > CL_ADDRESS_MIRRORED_REPEAT)
        API_RETURN(api_fail(ctx, CL_INVALID_VALUE, "addressing_mode 0x%x", addressing), NULL);
    if (filter != CL_FILTER_NEAREST && filter != CL_FILTER_LINEAR)
        API_RETURN(api_fail(ctx, CL_INVALID_VALUE, "filter_mode 0x%x", filter), NULL);
    if (!normalized && addressing >= CL_ADDRESS_REPEAT)
        API_RETURN(api_fail(ctx, CL_INVALID_VALUE,
                            "the repeating addressing modes need normalized coordinates"),
                   NULL);
    cl_sampler s = api_new(API_SAMPLER, sizeof *s);
    if (!s) API_RETURN(CL_OUT_OF_HOST_MEMORY, NULL);
    api_ref(ctx);
    s->ctx = ctx;
    s->normalized = normalized;
    s->addressing = addressing;
    s->filter = filter;
    API_RETURN(CL_SUCCESS, s);
}

cl_sampler api_clCreateSampler(cl_context context, cl_bool normalized_coords,
                               cl_addressing_mode addressing_mode, cl_filter_mode filter_mode,
                               cl_int *errcode_ret)
{
    API_ENTER();
    if (!api_is(context, API_CONTEXT)) API_RETURN(api_bad_handle(NULL, context, API_CONTEXT), NULL);
    return create(context, normalized_coords, addressing_mode, filter_mode, errcode_ret);
}

cl_sampler api_clCreateSamplerWithProperties(cl_context context,
                                             const cl_sampler_properties *sampler_properties,
                                             cl_int *errcode_ret)
{
    API_ENTER();
    if (!api_is(context, API_CONTEXT)) API_RETURN(api_bad_handle(NULL, context, API_CONTEXT), NULL);
    cl_sampler_properties value[3] = {CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST};
    unsigned n = 0, seen = 0;
    for (; sampler_properties && sampler_properties[n]; n += 2) {
        const cl_sampler_properties p = sampler_properties[n];
        const unsigned k = p == CL_SAMPLER_NORMALIZED_COORDS ? 0
                           : p == CL_SAMPLER_ADDRESSING_MODE ? 1
                           : p == CL_SAMPLER_FILTER_MODE     ? 2
                                                             : 3;
        if (k == 3 || seen >> k & 1)
            API_RETURN(api_fail(context, CL_INVALID_VALUE, "sampler property 0x%llx is %s",
                                (unsigned long long)p, k == 3 ? "not known" : "given twice"),
                       NULL);
        seen |= 1u << k;
        if (sampler_properties[n + 1] >> 32)
            API_RETURN(api_fail(context, CL_INVALID_VALUE,
                                "the value of sampler property 0x%llx is 0x%llx",
                                (unsigned long long)p,
                                (unsigned long long)sampler_properties[n + 1]),
                       NULL);
        value[k] = sampler_properties[n + 1];
    }
    cl_sampler s = create(context, (cl_bool)value[0], (cl_addressing_mode)value[1],
                          (cl_filter_mode)value[2], errcode_ret);
    if (s && sampler_properties) {
        s->nproperties = n + 1;
        s->properties = mem_dup(sampler_properties, s->nproperties * sizeof *sampler_properties);
    }
    return s;
}

void api_sampler_put(cl_sampler s)
{
    if (!api_unref(s)) return;
    cl_context ctx = s->ctx;
    free(s->properties);
    api_delete(s);
    api_context_put(ctx);
}

cl_int api_clRetainSampler(cl_sampler sampler)
{
    API_ENTER();
    if (!api_is(sampler, API_SAMPLER)) return api_bad_handle(NULL, sampler, API_SAMPLER);
    api_user_retain(sampler);
    return CL_SUCCESS;
}

cl_int api_clReleaseSampler(cl_sampler sampler)
{
    API_ENTER();
    if (!api_is(sampler, API_SAMPLER)) return api_bad_handle(NULL, sampler, API_SAMPLER);
    if (!api_user_release(sampler))
        return api_fail(sampler->ctx, CL_INVALID_SAMPLER,
                        "the sampler is released more often than retained");
    api_sampler_put(sampler);
    return CL_SUCCESS;
}

cl_int api_clGetSamplerInfo(cl_sampler sampler, cl_sampler_info param_name, size_t param_value_size,
                            void *param_value, size_t *param_value_size_ret)
{
    API_ENTER();
    if (!api_is(sampler, API_SAMPLER)) return api_bad_handle(NULL, sampler, API_SAMPLER);
    switch (param_name) {
    case CL_SAMPLER_REFERENCE_COUNT: return REPLY(cl_uint, api_user_refs(sampler));
    case CL_SAMPLER_CONTEXT: return REPLY(cl_context, sampler->ctx);
    case CL_SAMPLER_NORMALIZED_COORDS: return REPLY(cl_bool, sampler->normalized);
    case CL_SAMPLER_ADDRESSING_MODE: return REPLY(cl_addressing_mode, sampler->addressing);
    case CL_SAMPLER_FILTER_MODE: return REPLY(cl_filter_mode, sampler->filter);
    case CL_SAMPLER_PROPERTIES:
        return REPLY_BYTES(sampler->properties, sampler->nproperties * sizeof *sampler->properties);
    }
    return api_fail(sampler->ctx, CL_INVALID_VALUE, "param_name 0x%x is not a query of samplers",
                    param_name);
}
