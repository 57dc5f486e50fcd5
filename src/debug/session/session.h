// SPDX-License-Identifier: MIT
#ifndef DEBUG_SESSION_H
#define DEBUG_SESSION_H
#include "base/arena.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

/**
 * The debugger has one session per process and two threads. The launching thread runs kernels, the
 * agent's thread serves the client. `lock` guards all state of src/debug. A thread that runs a
 * kernel holds it, and releases it between two instructions while `lock_wanted` is set.
 */
enum dbg_state {
    DBG_BEGINNING, // connected; the app waits for `run`
    DBG_HOST,      // the app is outside of kernels
    DBG_RUNNING,   // a kernel runs
    DBG_STOPPED,   // a kernel is stopped
};

struct dbg_session {
    pthread_mutex_t lock;
    pthread_cond_t resumed;
    atomic_int lock_wanted; // set by the agent's thread
    atomic_int interrupt;   // Ctrl-C, or the protocol's `pause`
    enum dbg_state state;
    bool resume;        // the client resumes the stopped kernel
    bool connected;     // to a client, since the app's first use of OpenCL
    bool ended;         // the client ends the session; a stopped kernel continues
    bool detached;      // the client is disconnected: kernels run without stops
    bool repeats;       // an earlier launch runs again, without stops (repeated_launch.h)
    struct arena arena; // for permanent data
};
extern struct dbg_session dbg;
/** Kernels run without stops. */
static inline bool dbg_never_stops(void) { return dbg.detached || dbg.repeats; }

/** Called between two instructions while lock_wanted is set: lets the agent's thread work. */
void dbg_yield_lock(void);

/** Properties of the client, from its initialization. */
struct dbg_client {
    bool waits_for_run;  // it sends `run`; it also saves the session between runs
    bool allow_files;    // its commands may touch files and run programs
    bool idle;           // no program runs: this process only answers the client
    bool said_goodbye;   // it sent `disconnect` or `terminate`
    bool colors;         // it can show them
    bool shows_progress; // of long operations
    bool structured;     // it wants data in addition to text
    void (*leave)(void); // ends the app's process (dbg_start)
};
extern struct dbg_client dbg_client;

struct bc_module;
struct dbg_break;
struct dbg_module;
struct vm_launch;
/**
 * Events that the adapter sends to the client. The adapter fills in the functions when it connects;
 * until then they do nothing. The lock is held.
 */
struct dbg_events {
    void (*stopped)(const char *reason, const char *description, const char *text,
                    const struct dbg_break *which);
    void (*output)(const char *text);
    void (*answered)(const char *text); // the kernel is stopped where it was
    void (*breakpoint_changed)(const struct dbg_break *b);
    void (*launch_began)(const struct vm_launch *l, const struct bc_module *m);
    void (*launch_ended)(void);
    void (*found)(size_t index);                                     // in dbg_findings.all
    void (*module_changed)(const struct dbg_module *m, bool is_new); // otherwise it is released
};
extern struct dbg_events dbg_events;
#endif
