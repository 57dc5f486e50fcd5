// SPDX-License-Identifier: MIT
#ifndef INTERP_FINGERPRINT_H
#define INTERP_FINGERPRINT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * The state of a gang or a group, for cycle detection. A visitor passes every byte of the state to
 * vm_visit, in a fixed order. The bytes are hashed, kept, or compared with kept ones: equal states
 * are equal byte by byte.
 */
struct vm_fingerprint {
    char *bytes;
    size_t len, room;
};
enum vm_visit_for { VM_VISIT_HASH, VM_VISIT_KEEP, VM_VISIT_COMPARE };
struct vm_visit {
    enum vm_visit_for purpose;
    struct vm_fingerprint *of; // KEEP, COMPARE
    size_t at;
    uint64_t hash;
    bool differs; // COMPARE: a difference was found; the rest need not be visited
};
void vm_visit(struct vm_visit *v, const void *data, size_t size);
/** COMPARE: the result, after the visit. */
static inline bool vm_visit_is_same(const struct vm_visit *v)
{
    return !v->differs && v->at == v->of->len;
}
void vm_fingerprint_free(struct vm_fingerprint *s);
#endif
