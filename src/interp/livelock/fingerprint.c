// SPDX-License-Identifier: MIT
// State fingerprints for cycle detection: see fingerprint.h.
#include "interp/livelock/fingerprint.h"

#include "base/map.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static void keep(struct vm_fingerprint *s, const void *data, size_t size)
{
    if (s->room - s->len < size) {
        s->room = s->len + size > 2 * s->room ? s->len + size : 2 * s->room;
        s->bytes = mem_array(s->bytes, s->room, 1);
    }
    memcpy(s->bytes + s->len, data, size);
    s->len += size;
}

void vm_visit(struct vm_visit *v, const void *data, size_t size)
{
    if (!size || v->differs) return;
    switch (v->purpose) {
    case VM_VISIT_HASH: v->hash = hash_bytes(data, size, v->hash); break;
    case VM_VISIT_KEEP:
        if (!v->at) v->of->len = 0;
        keep(v->of, data, size);
        break;
    case VM_VISIT_COMPARE:
        v->differs = v->of->len - v->at < size || memcmp(v->of->bytes + v->at, data, size) != 0;
        break;
    }
    v->at += size;
}

void vm_fingerprint_free(struct vm_fingerprint *s)
{
    free(s->bytes);
    *s = (struct vm_fingerprint){0};
}
