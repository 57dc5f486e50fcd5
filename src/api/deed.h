// SPDX-License-Identifier: MIT
#ifndef API_DEED_H
#define API_DEED_H
#include "api/deeds.h"

/** What deeds are inside: for deeds.c, which has the theory, deed_order.c, deed_conflict.c and deed_watch.c. */

enum touch { READ = VM_TOUCH_READ, WRITE = VM_TOUCH_WRITE, ATOMIC_READ = VM_TOUCH_ATOMIC_READ, ATOMIC_WRITE = VM_TOUCH_ATOMIC_WRITE,
             TOUCHES = VM_TOUCHES };


struct range {
    uint64_t from, to; // addresses
};
struct use { // of one root allocation, of memory of the app's that a transfer was given, or of a program's variables
    cl_mem root; // an identity once the command was enqueued; NULL: the app's, or
    cl_program program; // whose variables they are. Ranges are then places in the map of these (vm_variable_room)
    cl_device_id device;
    bool is_shared; // other objects, or transfers, may have the same memory
    bool in_part;   // by a sub-buffer, or an image in the buffer's memory
    uint64_t base;  // its address
    uint64_t hash;  // of what lay there when it began; 0: it does not matter,
    uint8_t *before; // or that itself; NULL: the same
    unsigned how;      // may
    bool known;        // the ranges are what it does, or did
    VEC(struct range) by[TOUCHES];
    struct vm_touched *touched;
    uint64_t size;
    const void *created;
    const char *noun; // "buffer"
};

struct region { // a map in force
    unsigned refs;
    uint64_t from, to;
    bool writes, gone;
    struct api_deed *map;
};

struct api_deed {
    const char *function;
    const void *site;
    char *kernel;
    uint64_t launch;
    // The rest is guarded by the lock of deeds.c, but for the uses, which are the command's until it is done.
    unsigned refs;
    uint64_t queue, seq;
    bool in_order, known, gated, done, tracked, is_user, is_map;
    uint64_t mark; // of the collection it was met in
    VEC(struct api_deed *) before;
    VEC(struct use) uses;
    VEC(struct region *) mapped; // when it was enqueued
    struct region *unmaps;
};

struct entry {
    struct api_deed *deed;
    size_t use;
};
struct api_history {
    VEC(struct entry) list;
    VEC(struct region *) regions;
    bool is_shared;
};

struct pair {
    struct entry a, b; // in the order in which they were enqueued
};

// ---- deeds.c; what follows is called with the lock
void api_deeds_lock(void); // taken inside the graph's lock, and alone
void api_deeds_unlock(void);
struct api_deed *api_deed_get(struct api_deed *d);
void api_deed_drop(struct api_deed *d); // a reference
struct api_history *api_history_of(const struct use *u);
/** Those of memory that may be that of others. */
struct api_histories { VEC(struct api_history *) list; };
const struct api_histories *api_histories_shared(void);
void api_deed_pair(struct pair p); // to be judged when both have run; takes references

// ---- deed_conflict.c; no lock is held
/** Whether two uses are in each other's way, of which it is known what they do. */
bool api_deed_conflict(const struct use *a, const struct use *b);
/** Tells of it when the two use the same bytes. */
void api_deed_judge_pair(const struct pair *p);
/** Tells that the host wrote what the launch only read: these bytes of it, or (NULL) some. */
void api_deed_host_wrote(const struct api_deed *d, const struct use *u, const struct range *at);
/** Tells of it when d used bytes of the map that was in force. */
void api_deed_judge_mapped(const struct api_deed *d, const struct region *r);

// ---- deed_watch.c; no lock is held
/** It begins: looks at what the host must not change now. */
void api_deed_watch(struct api_deed *d);
/** It has run: tells of it when the host did. */
void api_deed_judge_host(const struct api_deed *d);
#endif
