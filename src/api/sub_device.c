// SPDX-License-Identifier: MIT
// The device and parts of it. A sub-device is a number of compute units: its launches run on that
// many worker threads. Everything else is as for the root device. There are no affinity domains:
// all compute units share one memory.
#include "api/platform.h"

#include "base/mem.h"
#include "devices/dev.h"

cl_uint api_device_units(cl_device_id d)
{
    if (d->parent) return d->units;
    const unsigned n = dev_settings()->compute_units;
    return n ? n : 1;
}

static void device_ref(cl_device_id d)
{
    if (d->parent) api_ref(d);
}

static void device_put(cl_device_id d)
{
    if (!d->parent || !api_unref(d)) return;
    cl_device_id parent = d->parent;
    free(d->partition);
    api_delete(d);
    device_put(parent);
}

bool api_devices_have(const struct api_devices *l, cl_device_id d)
{
    for (unsigned i = 0; i < l->n; i++)
        if (l->list[i] == d) return true;
    return false;
}

void api_devices_take(struct api_devices *to, cl_uint n, const cl_device_id *list)
{
    *to = (struct api_devices){mem_array(NULL, n, sizeof *list), 0};
    for (cl_uint i = 0; i < n; i++) {
        if (api_devices_have(to, list[i])) continue; // said twice
        device_ref(list[i]);
        to->list[to->n++] = list[i];
    }
}

void api_devices_drop(struct api_devices *l)
{
    for (unsigned i = 0; i < l->n; i++) device_put(l->list[i]);
    free(l->list);
    *l = (struct api_devices){0};
}

cl_int api_check_devices(cl_context ctx, const struct api_devices *among, cl_uint n,
                         const cl_device_id *list)
{
    if (!list && n == 0) return CL_SUCCESS;
    if (!list || n == 0)
        return api_fail(ctx, CL_INVALID_VALUE, "num_devices is %u and device_list is %p", n,
                        (const void *)list);
    for (cl_uint i = 0; i < n; i++) {
        if (!api_is(list[i], API_DEVICE)) return api_bad_handle(ctx, list[i], API_DEVICE);
        if (among && !api_devices_have(among, list[i]))
            return api_fail(ctx, CL_INVALID_DEVICE,
                            "device %u of the list is not one that it was created for", i);
    }
    return CL_SUCCESS;
}

cl_int api_check_device(cl_context ctx, const struct api_devices *among, cl_device_id d)
{
    if (!d && among->n == 1) return CL_SUCCESS;
    if (!d)
        return api_fail(ctx, CL_INVALID_DEVICE, "device is NULL, and there are %u to choose from",
                        among->n);
    return api_check_devices(ctx, among, 1, &d);
}

// ---- partitions

/**
 * Computes the compute units of each part. Returns the number of parts; 0 with *why: invalid.
 * `parts` has room for one part per unit.
 */
static cl_uint parts_of(cl_device_id in, const cl_device_partition_property *p, cl_uint *parts,
                        cl_int *code, const char **why)
{
    const cl_uint units = api_device_units(in);
    cl_uint n = 0, sum = 0;
    *code = CL_INVALID_VALUE;
    if (!p || !p[0]) {
        *why = "there are no properties";
    } else if (p[0] == CL_DEVICE_PARTITION_EQUALLY) {
        if (p[1] <= 0 || p[2])
            *why = "CL_DEVICE_PARTITION_EQUALLY takes one number of compute units, and nothing "
                   "follows";
        else if (p[1] > units)
            *code = CL_INVALID_DEVICE_PARTITION_COUNT,
            *why = "the device has not so many compute units";
        else if (p[1] == units)
            *code = CL_DEVICE_PARTITION_FAILED, *why = "the one part would be the whole device";
        else
            for (; sum + (cl_uint)p[1] <= units; sum += (cl_uint)p[1]) parts[n++] = (cl_uint)p[1];
    } else if (p[0] == CL_DEVICE_PARTITION_BY_COUNTS) {
        for (p++; *p != CL_DEVICE_PARTITION_BY_COUNTS_LIST_END; p++) {
            if (*p < 0 || *p > units || n == units || sum + (cl_uint)*p > units) {
                *code = CL_INVALID_DEVICE_PARTITION_COUNT;
                *why = "the counts ask for more compute units, or parts, than the device has";
                return 0;
            }
            sum += parts[n++] = (cl_uint)*p;
        }
        *why = "the list of counts is empty";
        if (p[1]) n = 0, *why = "something follows the list of counts";
    } else if (p[0] == CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN) {
        *why = "the device has no affinity domains";
    } else {
        *why = "the kind of partition is not known";
    }
    return n;
}

static unsigned length(const cl_device_partition_property *p)
{
    unsigned n = 0;
    const bool counts = p[0] == CL_DEVICE_PARTITION_BY_COUNTS;
    while (p[n]) n++;
    return n + 1 + counts; // the list of counts has its own terminator
}

static cl_device_id create(cl_device_id in, const cl_device_partition_property *p, cl_uint units)
{
    cl_device_id d = api_new(API_DEVICE, sizeof *d);
    if (!d) return NULL;
    device_ref(in);
    d->parent = in;
    d->units = units;
    d->npartition = length(p);
    d->partition = mem_dup(p, d->npartition * sizeof *p);
    return d;
}

cl_int api_clCreateSubDevices(cl_device_id in_device,
                              const cl_device_partition_property *partition_properties,
                              cl_uint num_entries, cl_device_id *out_devices, cl_uint *num_devices)
{
    API_ENTER();
    if (!api_is(in_device, API_DEVICE)) return api_bad_handle(NULL, in_device, API_DEVICE);
    cl_uint *parts = mem_array(NULL, api_device_units(in_device), sizeof *parts);
    const char *why = NULL;
    cl_int code;
    const cl_uint n = parts_of(in_device, partition_properties, parts, &code, &why);
    if (!n) {
        code = api_fail(NULL, code, "%s", why);
    } else if (out_devices && num_entries < n) {
        code = api_fail(NULL, CL_INVALID_VALUE, "num_entries is %u, and there are %u sub-devices",
                        num_entries, n);
    } else {
        code = CL_SUCCESS;
        for (cl_uint i = 0; out_devices && i < n && !code; i++) {
            out_devices[i] = create(in_device, partition_properties, parts[i]);
            if (out_devices[i]) continue;
            code = CL_OUT_OF_HOST_MEMORY;
            while (i--) device_put(out_devices[i]);
            break;
        }
        if (!code && num_devices) *num_devices = n;
    }
    free(parts);
    return code;
}

// The root device is not counted.
cl_int api_clRetainDevice(cl_device_id device)
{
    API_ENTER();
    if (!api_is(device, API_DEVICE)) return api_bad_handle(NULL, device, API_DEVICE);
    if (device->parent) api_user_retain(device);
    return CL_SUCCESS;
}

cl_int api_clReleaseDevice(cl_device_id device)
{
    API_ENTER();
    if (!api_is(device, API_DEVICE)) return api_bad_handle(NULL, device, API_DEVICE);
    if (!device->parent) return CL_SUCCESS;
    if (!api_user_release(device))
        return api_fail(NULL, CL_INVALID_DEVICE,
                        "the sub-device is released more often than retained");
    device_put(device);
    return CL_SUCCESS;
}
