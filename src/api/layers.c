// SPDX-License-Identifier: MIT
// Layers of the app's user (OPENCL_LAYERS): tracers and validators that an ICD loader
// would load between the app and its drivers. cldbg's libOpenCL takes the loader's place, so it
// loads them.
#include "api/layers.h"

#include "api/dispatch.h"

#include <CL/cl_layer.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRIES = sizeof(cl_icd_dispatch) / sizeof(void *) };

union table {
    cl_icd_dispatch dispatch;
    void *entry[ENTRIES];
};

/**
 * Puts a loaded library in front of `target`; returns the table of both, which is never freed, or
 * NULL and why not.
 */
static const cl_icd_dispatch *put_in_front(void *library, const cl_icd_dispatch *target,
                                           const char **why)
{
    const pfn_clGetLayerInfo get_info = (pfn_clGetLayerInfo)dlsym(library, "clGetLayerInfo");
    const pfn_clInitLayer init = (pfn_clInitLayer)dlsym(library, "clInitLayer");
    cl_layer_api_version version = 0;
    *why = "it has no clGetLayerInfo and clInitLayer";
    if (!get_info || !init) return NULL;
    *why = "its interface is not of version 100";
    if (get_info(CL_LAYER_API_VERSION, sizeof version, &version, NULL) ||
        version != CL_LAYER_API_VERSION_100)
        return NULL;
    cl_uint n = 0;
    const cl_icd_dispatch *own = NULL;
    *why = "its clInitLayer failed";
    if (init(ENTRIES, target, &n, &own) || !own) return NULL;
    union table *both = malloc(sizeof *both);
    *why = "out of memory";
    if (!both) return NULL;
    both->dispatch = *target;
    for (cl_uint i = 0; i < n && i < ENTRIES; i++) {
        void *entry;
        memcpy(&entry, (const char *)own + i * sizeof entry, sizeof entry);
        if (entry) both->entry[i] = entry;
    }
    return &both->dispatch;
}

static const cl_icd_dispatch *add(const char *path, const cl_icd_dispatch *target)
{
    const char *why;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const cl_icd_dispatch *both = library ? put_in_front(library, target, &why) : NULL;
    if (!library) why = dlerror();
    if (!both)
        fprintf(stderr, "cldbg: note: OPENCL_LAYERS: the layer '%s' is not used: %s\n", path, why);
    if (!both && library) dlclose(library);
    return both ? both : target;
}

static _Atomic(const cl_icd_dispatch *) first_table;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void)
{
    const cl_icd_dispatch *table = cldbg_dispatch();
    const char *names = getenv("OPENCL_LAYERS");
    char *const copy = names ? strdup(names) : NULL;
    char *rest = copy;
    for (const char *path; (path = strsep(&rest, ":"));)
        if (*path) table = add(path, table);
    free(copy);
    atomic_store(&first_table, table);
}

const struct _cl_icd_dispatch *layers_dispatch(void)
{
    const cl_icd_dispatch *table = atomic_load_explicit(&first_table, memory_order_acquire);
    if (table) return table;
    pthread_once(&once, load);
    return atomic_load(&first_table);
}
