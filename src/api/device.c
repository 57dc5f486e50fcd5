// SPDX-License-Identifier: MIT
#include "config.h"

#include "api/limits.h"
#include "api/new_names.h"
#include "api/device_queue.h"
#include "api/platform.h"

#include "base/spirv.h"
#include "devices/dev.h"

static const cl_name_version extensions[] = {
#define EXTENSION(name) {CL_MAKE_VERSION(1, 0, 0), #name},
#define HEADER(name)    {CL_MAKE_VERSION(1, 0, 0), #name},
#include "base/cl_features.def"
    {CL_MAKE_VERSION(1, 0, 0), "cl_khr_extended_versioning"},
    {CL_MAKE_VERSION(1, 0, 0), "cl_khr_icd"},
    {CL_MAKE_VERSION(1, 0, 0), "cl_khr_create_command_queue"},
    {CL_MAKE_VERSION(1, 0, 0), "cl_khr_priority_hints"},
    {CL_MAKE_VERSION(1, 0, 0), "cl_khr_suggested_local_work_size"},
    {CL_MAKE_VERSION(1, 0, 0), "cl_khr_throttle_hints"},
    {CL_MAKE_VERSION(1, 0, 0), "cl_khr_device_uuid"},
    {CL_MAKE_VERSION(1, 0, 0), "cl_khr_image2d_from_buffer"},
    {CL_MAKE_VERSION(1, 0, 0), "cl_khr_semaphore"},
    {CL_MAKE_VERSION(0, 9, 8), "cl_khr_command_buffer"},
    {CL_MAKE_VERSION(0, 9, 5), "cl_khr_command_buffer_mutable_dispatch"},
    {CL_MAKE_VERSION(1, 0, 0), "cl_khr_spir"},
    {CL_MAKE_VERSION(1, 0, 0), "cl_intel_unified_shared_memory"},
    {CL_MAKE_VERSION(2, 0, 0), "cl_arm_printf"},
    {CL_MAKE_VERSION(1, 0, 0), "cl_khr_il_program"}, // the last: only where SPIR-V can be read
};
static const cl_name_version ils[] = {
    {CL_MAKE_VERSION(1, 0, 0), "SPIR-V"},
    {CL_MAKE_VERSION(1, 1, 0), "SPIR-V"},
    {CL_MAKE_VERSION(1, 2, 0), "SPIR-V"},
    {CL_MAKE_VERSION(1, 3, 0), "SPIR-V"},
};
_Static_assert(sizeof ils / sizeof *ils == SPIRV_MINOR + 1, "the versions that are read");
static const cl_name_version features[] = {
#define FEATURE(name)        {CL_MAKE_VERSION(3, 0, 0), #name},
#define HEADER_FEATURE(name) {CL_MAKE_VERSION(3, 0, 0), #name},
#include "base/cl_features.def"
};

const cl_name_version *api_extensions(unsigned *n)
{
    *n = sizeof extensions / sizeof *extensions - !spirv_translator();
    return extensions;
}

const char *api_extensions_text(void)
{
    static char text[sizeof extensions / sizeof *extensions * CL_NAME_VERSION_MAX_NAME_SIZE];
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards text while it is made
    pthread_mutex_lock(&lock);
    if (!*text)
        for (unsigned i = 0, n; api_extensions(&n), i < n; i++) {
            if (i) strcat(text, " ");
            strcat(text, extensions[i].name);
        }
    pthread_mutex_unlock(&lock);
    return text;
}

// Apps cache binaries by this text: it changes with the format of binaries.
static const char *api_driver_version(void)
{
    static char text[64];
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards text while it is made
    pthread_mutex_lock(&lock);
    snprintf(text, sizeof text, "%s.%08x%s", PACKAGE_VERSION,
             (unsigned)(bc_layout() ^ bc_layout() >> 32),
             dev_settings()->native ? " native" : ""); // its binaries contain other code
    pthread_mutex_unlock(&lock);
    return text;
}

static const struct {
    const char *name;
    cl_device_type type;
} device_types[] = {{"gpu", CL_DEVICE_TYPE_GPU},
                    {"cpu", CL_DEVICE_TYPE_CPU},
                    {"accelerator", CL_DEVICE_TYPE_ACCELERATOR}};

/** The types of --device-type, and the first of them. */
static cl_device_type named_types(cl_device_type *first)
{
    cl_device_type all = 0;
    for (const char *at = dev_settings()->device_type; *at; at += *at == ',') {
        const size_t n = strcspn(at, ",");
        for (size_t i = 0; i < sizeof device_types / sizeof *device_types; i++)
            if (strlen(device_types[i].name) == n && !strncmp(at, device_types[i].name, n)) {
                if (!all) *first = device_types[i].type;
                all |= device_types[i].type;
            }
        at += n;
    }
    return all;
}

// Many programs request one type, fail without it, and compare the device's type for equality. So a
// device with several types reports the one that was requested last.
static _Atomic cl_device_type asked_type; // 0: no single type

static cl_device_type api_device_type(void)
{
    cl_device_type first = CL_DEVICE_TYPE_GPU;
    named_types(&first);
    return asked_type ? asked_type : first;
}

cl_int api_check_device_type(cl_device_type t)
{
    const cl_device_type known = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
                                 CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM;
    if (t != CL_DEVICE_TYPE_ALL && (!t || t & ~known))
        return api_fail(NULL, CL_INVALID_DEVICE_TYPE, "device type 0x%llx", (unsigned long long)t);
    if (t == CL_DEVICE_TYPE_ALL || t & CL_DEVICE_TYPE_DEFAULT) return CL_SUCCESS;
    cl_device_type first = CL_DEVICE_TYPE_GPU;
    const cl_device_type fits = t & named_types(&first);
    if (!fits)
        return api_fail(NULL, CL_DEVICE_NOT_FOUND,
                        "there is no device of type 0x%llx; the types of cldbg's device are those "
                        "of --device-type (%s)",
                        (unsigned long long)t, dev_settings()->device_type);
    if (!(fits & (fits - 1))) asked_type = fits;
    return CL_SUCCESS;
}

cl_int api_clGetDeviceIDs(cl_platform_id platform, cl_device_type device_type, cl_uint num_entries,
                          cl_device_id *devices, cl_uint *num_devices)
{
    API_ENTER();
    if (platform && !api_is(platform, API_PLATFORM))
        return api_bad_handle(NULL, platform, API_PLATFORM);
    if ((devices && num_entries == 0) || (!devices && !num_devices))
        return api_fail(NULL, CL_INVALID_VALUE, "num_entries is %u, devices %p, num_devices %p",
                        num_entries, (void *)devices, (void *)num_devices);
    cl_int bad = api_check_device_type(device_type);
    if (bad) {
        if (num_devices) *num_devices = 0;
        return bad;
    }
    if (devices) devices[0] = &api_device;
    if (num_devices) *num_devices = 1;
    return CL_SUCCESS;
}

cl_int api_clGetDeviceInfo(cl_device_id device, cl_device_info param_name, size_t param_value_size,
                           void *param_value, size_t *param_value_size_ret)
{
    API_ENTER();
    if (!api_is(device, API_DEVICE)) return api_bad_handle(NULL, device, API_DEVICE);
    const struct dev_settings *s = dev_settings();
    switch (param_name) {
#define INFO(param, T, value)                                                                      \
    case param: return REPLY(T, value);
#define TEXT(param, string)                                                                        \
    case param: return REPLY_STR(string);
#define LIST(param, T, ...)                                                                        \
    case param: return REPLY_BYTES(((T[]){__VA_ARGS__}), sizeof((T[]){__VA_ARGS__}));
#include "api/device_info.def"
    case CL_DEVICE_PARTITION_TYPE:
        return REPLY_BYTES(device->partition, device->npartition * sizeof *device->partition);
    case CL_DEVICE_EXTENSIONS_WITH_VERSION: {
        unsigned n;
        const cl_name_version *list = api_extensions(&n);
        return REPLY_BYTES(list, n * sizeof *list);
    }
    case CL_DEVICE_OPENCL_C_FEATURES: return REPLY_BYTES(features, sizeof features);
    case CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION: return REPLY_BYTES("", 0);
    case CL_DEVICE_ILS_WITH_VERSION: return REPLY_BYTES(ils, spirv_translator() ? sizeof ils : 0);
    }
    if (param_name == CL_DEVICE_PCI_BUS_INFO_KHR)
        return api_fail(NULL, CL_INVALID_VALUE,
                        "CL_DEVICE_PCI_BUS_INFO_KHR: the device is on no PCI bus, so it lacks "
                        "cl_khr_pci_bus_info");
    return api_fail(NULL, CL_INVALID_VALUE, "param_name 0x%x is not a query of devices",
                    param_name);
}
