// SPDX-License-Identifier: MIT
#ifndef API_SVM_H
#define API_SVM_H
#include "api/object.h"

/**
 * The allocation of clSVMAlloc that holds the address, with a reference; ctx NULL: of any context.
 * NULL: none.
 */
cl_mem api_svm_get(cl_context ctx, const void *p);

bool api_svm_holds(const void *p); // in an allocation of any context?

/** A new allocation, registered; m->data is its address. NULL: there is no memory. */
cl_mem api_svm_new(cl_context ctx, cl_mem_flags flags, size_t size);
/**
 * Frees the allocation that begins at p (NULL: nothing). `later`: the time when the command that
 * frees it was enqueued, or 0.
 */
cl_int api_svm_free(cl_context ctx, void *p, const void *site, const char *call, uint64_t later);
/** Enqueue commands on such memory and other memory of the host, with all checks of arguments. */
struct api_request;
cl_int api_svm_copy(const struct api_request *r, void *to, const void *from, size_t size);
cl_int api_svm_fill(const struct api_request *r, void *to, const void *pattern, size_t pattern_size,
                    size_t size);
/** A command that moves nothing, but counts as an access. */
cl_int api_svm_touch(const struct api_request *r, const void *p, size_t size, bool writes);

/** Adds a memory object of clSVMAlloc; the registry takes its reference. */
void api_svm_add(cl_mem m);
/**
 * Removes the allocation that begins at p, and returns it with its reference. NULL: there is none.
 */
cl_mem api_svm_take(const void *p);
/** Records that an allocation was freed. The texts must remain valid. */
void api_svm_freed(const struct vm_gone *g);

/**
 * All allocations of a context by ascending address, each with a reference. The caller frees *out.
 */
unsigned api_svm_all(cl_context ctx, cl_mem **out);

/**
 * Recently freed allocations: an array that the caller frees; its texts remain valid. NULL: none.
 */
struct vm_gone *api_svm_gone(uint32_t *n);

/**
 * For launches that are repeated: sets the address of the allocation that begins at p in kernels to
 * that in the captured launch, because pointers in memory may contain it. An extension function,
 * cldbgSvmAddress.
 */
void api_svm_address(const void *p, uint64_t address);
/**
 * For launches that are repeated: records an allocation that had been freed, as in api_svm_gone
 * (the texts are copied). An extension function, cldbgSvmGone.
 */
void api_svm_was(const struct vm_gone *g);
#endif
