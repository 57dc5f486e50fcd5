// SPDX-License-Identifier: MIT
#ifndef API_ACCESS_LOG_H
#define API_ACCESS_LOG_H
#include "api/access_set.h"

/**
 * The inside of access sets and logs: for access_set.c, ordering.c, access_log.c, conflict.c and
 * host_visibility.c.
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
struct use { // of one root allocation, of the application's memory that a transfer was given, or of
             // a program's variables
    cl_mem root; // an identity once the command was enqueued; NULL: the application's memory, or
    cl_program program; // the one whose variables they are. Ranges are then places in the map of
                        // these (vm_variable_room)
    cl_device_id device;
    struct api_access_log
        *log;         // referenced from being enqueued to being judged; an identity afterwards
    bool in_part;     // by a sub-buffer, or an image in the buffer's memory
    uint64_t base;    // its address
    struct range may; // of these bytes: what the arguments are
    uint64_t hash;    // of what was there when it began; 0: it does not matter,
    uint8_t *before;  // or that itself; NULL: the same
    unsigned how;     // may
    bool known;       // the ranges are what it does, or did
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
    struct api_access_set *map;
    const struct api_access_log *log; // an identity
};

struct api_access_set {
    const char *function;
    const void *site;
    char *kernel;
    uint64_t launch;
    // The rest is guarded by the lock, except for the uses, which are the command's until it is
    // done.
    unsigned refs;
    bool gated; // something that it waits for depends on a user event that is not set
    bool is_user, is_map, in_order, tracked;
    bool done, canceled;  // it has run; it will not
    bool pending, passed; // in the list of sets to be judged; younger ones do not wait for it
    uint64_t queue;       // its number
    uint64_t number;      // in the order in which sets were enqueued
    // ordering.c
    struct api_chain *chain;
    uint64_t epoch;
    struct api_clock *others;               // what it is ordered after in other chains
    uint64_t enqueued, host_time, observed; // times of the host's clock; 0: not observed
    struct api_access_set *chain_prev, *chain_next;
    // access_log.c
    struct api_access_set *prev, *next;
    VEC(struct use) uses;
    VEC(struct region *) mapped; // when it was enqueued
    struct region *unmaps;
};

struct pair { // enqueued in this order
    struct api_access_set *a, *b;
    uint32_t use_a, use_b;
    char *variable; // of the program: where the bytes are, or NULL
};

void api_access_lock(void); // taken inside the graph's lock, and alone
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
/** It is no longer needed: leaves its chain. */
void api_order_forget(struct api_access_set *a);

// ---- access_log.c; called with the lock
struct api_access_log *api_access_log_of(const struct use *u);
void api_access_log_put(struct api_access_log *l);
void api_access_log_add_map(struct api_access_log *l, struct region *r); // takes the reference
/** The last map that begins there, with the reference, or NULL. */
struct region *api_access_log_take_map(struct api_access_log *l, uint64_t from);
void api_region_put(struct region *r);
/** Its order is known: it waits for being judged. */
void api_access_log_enqueue(struct api_access_set *a);
/** It has run, or will not: judges and reports. Called without the lock. */
void api_access_log_settle(struct api_access_set *a, bool ran);

// ---- conflict.c; no lock is held
/**
 * Where the bytes are, if they are of a variable of the program, which must be there still; NULL
 * otherwise.
 */
char *api_conflict_variable(const struct pair *p);
/** Reports the conflict of two commands that nothing orders. */
void api_conflict_report(const struct pair *p);
/** Reports that the host wrote what the launch only read: these bytes of it, or (NULL) some. */
void api_conflict_host_wrote(const struct api_access_set *a, const struct use *u,
                             const struct range *at);
/** Reports it if a used bytes of the map that was in force. */
void api_conflict_mapped(const struct api_access_set *a, const struct region *r);

// ---- host_visibility.c; no lock is held
/** It begins: looks at what the host must not change now. */
void api_host_watch(struct api_access_set *a);
/** It has run: reports it if the host changed that. */
void api_host_check(const struct api_access_set *a);
#endif
