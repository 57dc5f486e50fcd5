// SPDX-License-Identifier: MIT
#ifndef API_ACCESS_LOG_H
#define API_ACCESS_LOG_H
#include "api/access_set.h"

/**
 * Private to access_set.c, ordering.c, access_log.c, conflict.c and host_visibility.c: access sets
 * and logs.
 */

enum touch {
    READ = VM_TOUCH_READ,
    WRITE = VM_TOUCH_WRITE,
    ATOMIC_READ = VM_TOUCH_ATOMIC_READ,
    ATOMIC_WRITE = VM_TOUCH_ATOMIC_WRITE,
    TOUCHES = VM_TOUCHES
};

struct range {
    uint64_t from, to; // addresses
};
struct use {     // the use of a root allocation, of host memory by a transfer, or of a program's
                 // variables
    cl_mem root; // only an identity after the command was enqueued; NULL: memory of the
                 // application, or
    cl_program program; // the program of the variables; ranges are offsets in their map
                        // (vm_variable_room)
    cl_device_id device;
    struct api_access_log *log; // referenced from enqueue to judgment; only an identity afterwards
    bool in_part;               // through a sub-buffer, or an image in the buffer's memory
    uint64_t base;              // its address
    struct range may;           // the bytes of the arguments
    uint64_t hash;              // of the contents at the start; 0: not needed,
    uint8_t *before;            // or a copy of the contents; NULL: not needed
    unsigned how;               // may
    bool known;                 // the ranges are exact
    VEC(struct range) by[TOUCHES];
    struct vm_touched *touched;
    uint64_t size;
    const void *created;
    const char *noun; // "buffer"
};

struct region { // a current map
    unsigned refs;
    uint64_t from, to;
    bool writes, gone;
    struct api_access_set *map;
    const struct api_access_log *log; // an identity
};

struct api_access_set {
    const char *function;
    const void *site;
    char *kernel;
    uint64_t launch;
    // The rest is guarded by the lock, except for the uses, which belong to the command until it is
    // done.
    unsigned refs;
    bool gated; // it depends on a user event that is not set
    bool is_user, is_map, in_order, tracked;
    bool done, canceled;  // it has run; it will not run
    bool pending, passed; // in the list of sets to be judged; later ones do not wait for it
    uint64_t queue;       // its number
    uint64_t group;       // of api_order_queue
    uint64_t number;      // in the order in which sets were enqueued
    // ordering.c
    struct api_chain *chain;
    uint64_t epoch;
    struct api_clock *others;               // its predecessors in other chains
    uint64_t enqueued, host_time, observed; // times of the host's clock; 0: not observed
    struct api_access_set *chain_prev, *chain_next;
    // access_log.c
    struct api_access_set *prev, *next;
    VEC(struct use) uses;
    VEC(struct region *) mapped; // at the time of enqueue
    struct region *unmaps;
};

struct pair { // enqueued in this order
    struct api_access_set *a, *b;
    uint32_t use_a, use_b;
    char *variable; // a description of the program's variable, or NULL
};

void api_access_lock(void); // taken inside the graph's lock or alone
void api_access_unlock(void);

// ---- access_set.c; called with the lock
struct api_access_set *api_access_set_get(struct api_access_set *a);
void api_access_set_drop(struct api_access_set *a); // a reference

// ---- ordering.c; called with the lock
/** Is x ordered before y? Both were enqueued. */
bool api_order_before(const struct api_access_set *x, const struct api_access_set *y);
bool api_order_is_observed(const struct api_access_set *a);
/** The chains with commands that use memory and that the host has not observed. */
unsigned api_order_open_chains(void);
/** Removes a set that is no longer needed from its chain. */
void api_order_forget(struct api_access_set *a);

// ---- access_log.c; called with the lock
struct api_access_log *api_access_log_of(const struct use *u);
void api_access_log_put(struct api_access_log *l);
void api_access_log_add_map(struct api_access_log *l, struct region *r); // takes the reference
/** The last map that begins there, with its reference, or NULL. */
struct region *api_access_log_take_map(struct api_access_log *l, uint64_t from);
void api_region_put(struct region *r);
/** Appends a set, whose order is known, to the list of sets to be judged. */
void api_access_log_enqueue(struct api_access_set *a);
/** The command has run, or will not: judges and reports. Called without the lock. */
void api_access_log_settle(struct api_access_set *a, bool ran);

// ---- conflict.c; no lock is held
/**
 * A description of the program's variable that contains the bytes; otherwise NULL. The program must
 * still exist.
 */
char *api_conflict_variable(const struct pair *p);
/** Reports the conflict of two commands that nothing orders. */
void api_conflict_report(const struct pair *p);
/** Reports that the host wrote bytes that the launch only read: these, or (NULL) unknown ones. */
void api_conflict_host_wrote(const struct api_access_set *a, const struct use *u,
                             const struct range *at);
/** Reports a if it used bytes of a current map. */
void api_conflict_mapped(const struct api_access_set *a, const struct region *r);

// ---- host_visibility.c; no lock is held
/** The command begins: records the memory that the host must not change. */
void api_host_watch(struct api_access_set *a);
/** The command has run: reports changes by the host. */
void api_host_check(const struct api_access_set *a);
#endif
