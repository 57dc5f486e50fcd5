// SPDX-License-Identifier: MIT
// `mpirun -n N cldbg run`: messages between the ranks. One thread calls MPI, so that a rank shows
// signs of life and can be asked while its other threads run work-groups.
//
// A rank without a sign of life for PATIENCE is lost: the others do not wait for it. Rank 0 watches
// all ranks, and the others watch those that they receive from: rank 0, and their children in the
// tree of results (vm_division_parent).
#include "cli/run_ranks.h"
#include "cli/cmd.h"
#include "cli/ranks.h"

#include "base/launcher.h"
#include "base/mem.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 10000, BEAT = 500, BUSY = 20, IDLE = 4 }; // milliseconds

struct letter {
    int rank; // to, or from
    enum ranks_message what;
    char *data;
    size_t n;
};
struct peer {
    bool is_gone; // lost, or it sends nothing more
    char *why;    // its error, until it is printed
    uint64_t beats, changed;
};
static struct {
    pthread_mutex_t lock; // guards what follows
    pthread_cond_t news;
    pthread_t thread;
    bool runs, is_open, is_released, ends, has_lost;
    VEC(struct letter) in, out;
    struct peer *peers;
    int status;
    struct err *error;
    uint64_t tick;             // ms: when the thread was last alive
    const struct ranks *ranks; // called by the thread only, except rank and size
    struct dev_ranks device;
    bool is_divided;
} state = {.lock = PTHREAD_MUTEX_INITIALIZER, .news = PTHREAD_COND_INITIALIZER};

static uint64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000u + (uint64_t)t.tv_nsec / 1000000u;
}

// ---- the thread. It holds the lock except while it sleeps or calls MPI.

static void take(const struct letter *m)
{
    if (m->what == RANKS_RELEASE) state.is_released = true;
    if (m->what == RANKS_FINISHED) {
        state.peers[m->rank].is_gone = true;
        if (m->n) state.peers[m->rank].why = mem_strdup(m->data);
    }
    if (m->what == RANKS_RESULT) vec_push(&state.in, *m);
    else free(m->data);
    pthread_cond_broadcast(&state.news);
}

static bool take_all(void)
{
    struct letter m;
    bool any = false;
    while (state.ranks->receive(&m.rank, &m.what, &m.data, &m.n)) {
        pthread_mutex_lock(&state.lock);
        take(&m);
        pthread_mutex_unlock(&state.lock);
        any = true;
    }
    return any;
}

static bool send_all(void)
{
    bool any = false;
    for (;;) {
        pthread_mutex_lock(&state.lock);
        const bool has = state.out.len;
        struct letter m;
        if (has) {
            m = state.out.data[0];
            memmove(state.out.data, state.out.data + 1, --state.out.len * sizeof m);
        }
        pthread_mutex_unlock(&state.lock);
        if (!has) break;
        state.ranks->send(m.rank, m.what, m.data, m.n);
        free(m.data);
        any = true;
    }
    return !state.ranks->is_sent() || any;
}

static void look_at(int rank)
{
    struct peer *const p = &state.peers[rank];
    const uint64_t beats = state.ranks->beats(rank), now = now_ms();
    if (beats != p->beats || !p->changed) p->changed = now;
    p->beats = beats;
    if (p->is_gone || now - p->changed <= PATIENCE) return;
    pthread_mutex_lock(&state.lock);
    p->is_gone = true;
    state.has_lost |= !state.ranks->rank || !rank;
    pthread_cond_broadcast(&state.news);
    pthread_mutex_unlock(&state.lock);
    if (!state.ranks->rank) cmd_say("rank %d shows no sign of life", rank);
}

static int parent_of(int rank) { return (int)vm_division_parent((unsigned)rank); }

static void live(uint64_t *last)
{
    const uint64_t now = now_ms();
    pthread_mutex_lock(&state.lock);
    state.tick = now;
    pthread_mutex_unlock(&state.lock);
    if (now - *last < BEAT) return;
    *last = now;
    state.ranks->beat();
    const int rank = state.ranks->rank;
    if (rank) look_at(0);
    for (int r = rank + 1; r < state.ranks->size; r++)
        if (!rank || parent_of(r) == rank) look_at(r);
}

static bool is_over(void)
{
    pthread_mutex_lock(&state.lock);
    const bool over = state.ends && !state.out.len;
    pthread_mutex_unlock(&state.lock);
    return over;
}

static void open_ranks(void)
{
    const struct ranks *r = NULL;
    struct err *const e = ranks_open(&r);
    pthread_mutex_lock(&state.lock);
    state.ranks = e ? NULL : r;
    state.error = e;
    if (r) state.peers = mem_alloc((size_t)r->size * sizeof *state.peers);
    state.is_open = true;
    pthread_cond_broadcast(&state.news);
    pthread_mutex_unlock(&state.lock);
}

static void *serve(void *ctx)
{
    (void)ctx;
    uint64_t beat = 0, busy = 0;
    open_ranks();
    if (!state.ranks || state.error) return NULL;
    for (bool sending = false; !is_over() || sending;) {
        const bool received = take_all();
        sending = send_all();
        if (received || sending) busy = now_ms();
        live(&beat);
        if (now_ms() - busy > BUSY) nanosleep(&(struct timespec){.tv_nsec = IDLE * 1000000}, NULL);
    }
    if (!state.has_lost) state.ranks->end(); // otherwise it would never return
    else if (!state.ranks->rank) state.ranks->end_all(state.status);
    return NULL;
}

// ---- the other threads

static void post(int to, enum ranks_message what, const void *data, size_t n)
{
    const struct letter m = {to, what, n ? mem_dup(data, n) : NULL, n};
    pthread_mutex_lock(&state.lock);
    vec_push(&state.out, m);
    pthread_mutex_unlock(&state.lock);
}

static void send(int to, const void *data, size_t n) { post(to, RANKS_RESULT, data, n); }

/** Waits for news; under the lock. */
static void wait_for_news(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    pthread_cond_timedwait(&state.news, &state.lock, &until);
}

/** The thread of another rank may wait for a lost rank 0 for good. Under the lock. */
static bool is_stuck(void) { return state.ranks->rank && now_ms() > state.tick + 2 * PATIENCE; }

/** The errors of other ranks; rank 0 gets those. */
static void say_errors(void)
{
    for (int r = 1; r < state.ranks->size; r++) {
        pthread_mutex_lock(&state.lock);
        char *const why = state.peers[r].why;
        state.peers[r].why = NULL;
        pthread_mutex_unlock(&state.lock);
        if (why) cmd_say("rank %d: %s", r, why);
        free(why);
    }
}

static char *receive(int from, size_t *n)
{
    char *data = NULL;
    *n = 0;
    pthread_mutex_lock(&state.lock);
    for (bool waits = true; waits;) {
        waits = !state.peers[from].is_gone && !state.is_released && !is_stuck();
        for (size_t i = 0; i < state.in.len && !data; i++) {
            if (state.in.data[i].rank != from) continue;
            data = state.in.data[i].data;
            *n = state.in.data[i].n;
            memmove(&state.in.data[i], &state.in.data[i + 1],
                    (--state.in.len - i) * sizeof *state.in.data);
        }
        waits &= !data;
        if (waits) wait_for_news();
    }
    pthread_mutex_unlock(&state.lock);
    say_errors();
    return data;
}

/** Why rank 0 has to run all work-groups; NULL: the ranks may share them. */
static const char *why_alone(const struct dev_option_set *s)
{
    static const enum dev_option others[] = {DEV_OPT_NATIVE,   DEV_OPT_BOTH,   DEV_OPT_SCHEDULES,
                                             DEV_OPT_SCHEDULE, DEV_OPT_ADVISE, DEV_OPT_CAPTURE};
    static char text[64];
    if (cmd_is_debugged()) return "it is debugged";
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (!s->v[others[i]].given) continue;
        snprintf(text, sizeof text, "--%s needs one process", dev_option_infos[others[i]].name);
        return text;
    }
    const char *const engine = s->v[DEV_OPT_ENGINE].given ? s->v[DEV_OPT_ENGINE].text : "auto";
    if (!strcmp(engine, "auto") || !strcmp(engine, "interpret")) return NULL;
    snprintf(text, sizeof text, "--engine=%s needs one process", engine);
    return text;
}

static struct err *start_thread(void)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before); // signals are for the other threads
    const int failed = pthread_create(&state.thread, NULL, serve, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed) return err_new("no thread can be started");
    state.runs = true;
    pthread_mutex_lock(&state.lock);
    while (!state.is_open) pthread_cond_wait(&state.news, &state.lock);
    struct err *const e = state.error;
    state.tick = now_ms();
    pthread_mutex_unlock(&state.lock);
    return e;
}

/** The ranks of a machine share its cores. */
static struct err *share_cores(struct dev_option_set *s)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN) / state.ranks->on_node;
    char units[24];
    if (s->v[DEV_OPT_COMPUTE_UNITS].given) return NULL;
    snprintf(units, sizeof units, "%ld", cores > 0 ? cores : 1);
    return dev_option_put(s, DEV_OPT_COMPUTE_UNITS, units);
}

bool run_ranks_is_silent(void) { return ranks_number() && state.runs; }

static struct err *be_silent(struct dev_option_set *s)
{
    if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
        return err_new("/dev/null cannot be written to");
    cmd_reports_split(CMD_REPORTS_NONE, NULL);
    s->v[DEV_OPT_DUMP].list.len = 0;
    return dev_option_put(s, DEV_OPT_LOG_FILE, "/dev/null");
}

struct err *run_ranks_begin(struct dev_option_set *s, bool *leaves)
{
    struct launcher l;
    if (cmd_has_parent() || !launcher_find(&l) || !l.has_pmi || l.size < 2) return NULL;
    struct err *e = start_thread();
    if (e || !state.ranks) return e;
    if (state.ranks->rank) e = be_silent(s);
    const char *const why = why_alone(s);
    state.is_divided = !why && !e;
    *leaves = state.ranks->rank && !state.is_divided;
    if (why && !state.ranks->rank) cmd_say("rank 0 runs all work-groups: %s", why);
    state.device = (struct dev_ranks){
        .rank = state.ranks->rank, .size = state.ranks->size, .send = send, .receive = receive};
    return e || why ? e : share_cores(s);
}

const struct dev_ranks *run_ranks(void) { return state.is_divided ? &state.device : NULL; }

void run_ranks_end(int status, struct err *e)
{
    if (!state.runs) return;
    const bool leads = state.ranks && !state.ranks->rank;
    if (state.ranks && !leads) {
        const char *const text = e ? err_message(e) : "";
        post(0, RANKS_FINISHED, text, e ? strlen(text) + 1 : 0);
        if (parent_of(state.ranks->rank))
            post(parent_of(state.ranks->rank), RANKS_FINISHED, NULL, 0);
    }
    for (int r = 1; leads && r < state.ranks->size; r++)
        if (!state.has_lost) post(r, RANKS_RELEASE, NULL, 0);
    fflush(NULL);
    pthread_mutex_lock(&state.lock);
    while (state.ranks && !leads && !state.is_released && !state.peers[0].is_gone && !is_stuck())
        wait_for_news();
    const bool is_lost = state.ranks && !leads && !state.is_released;
    state.status = status;
    state.ends = true;
    pthread_mutex_unlock(&state.lock);
    err_free(e);
    if (is_lost) _exit(CMD_RUN_FAILED); // MPI would wait for rank 0
    pthread_join(state.thread, NULL);
    state.runs = false;
}
