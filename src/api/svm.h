// SPDX-License-Identifier: MIT
#ifndef API_SVM_H
#define API_SVM_H
#include "api/object.h"

/**
 * The allocation of clSVMAlloc that holds the address, with a reference; ctx NULL: of any context.
 * NULL: none.
 */
cl_mem api_svm_get(cl_context ctx, const void *p);

bool api_svm_holds(const void *p); // is the address in an allocation of any context

/** Adds a memory object that clSVMAlloc made. Its reference is the registry's. */
void api_svm_add(cl_mem m);
/** Removes the allocation that begins at p, with its reference. NULL: there is none. */
cl_mem api_svm_take(const void *p);
/** Records that an allocation was freed; the texts must stay. */
void api_svm_freed(const struct vm_gone *g);

/**
 * All allocations of a context by ascending address, each with a reference; *out is the caller's,
 * freed with free.
 */
unsigned api_svm_all(cl_context ctx, cl_mem **out);

/**
 * Allocations that were freed lately: an array that is the caller's, freed with free; its
 * texts stay. NULL: nothing.
 */
struct vm_gone *api_svm_gone(uint32_t *n);

/**
 * For launches that are repeated: kernels know the allocation that begins at p by another address,
 * that it had when the launch was captured. Pointers in memory may hold it. An extension
 * function, cldbgSvmAddress.
 */
void api_svm_address(const void *p, uint64_t address);
/**
 * For them, too: what had been freed, as api_svm_gone gives it (the texts are copied). An extension
 * function, cldbgSvmGone.
 */
void api_svm_was(const struct vm_gone *g);
#endif
