// SPDX-License-Identifier: MIT
// The plug-in with MPI. A window in rank 0 has a counter for the queue and the heartbeats; results
// are messages. Nothing here waits for another rank, except the collective functions, since a rank
// may have ended.
#include "cli/ranks.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

struct sending {
    struct sending *next;
    MPI_Request request;
    char data[];
};
static struct {
    struct ranks ranks;
    MPI_Win window;
    uint64_t *words; // rank 0: the queue's counter, then the heartbeats
    uint64_t beats;  // of this rank
    MPI_Request asked;
    uint64_t number; // the answer
    struct sending *sending;
} state;

static uint64_t fetch_and(MPI_Op op, uint64_t value, int at)
{
    uint64_t old = 0;
    MPI_Fetch_and_op(&value, &old, MPI_UINT64_T, 0, at, op, state.window);
    MPI_Win_flush(0, state.window);
    return old;
}

static void ask(void)
{
    static const uint64_t one = 1;
    MPI_Rget_accumulate(&one, 1, MPI_UINT64_T, &state.number, 1, MPI_UINT64_T, 0, 0, 1,
                        MPI_UINT64_T, MPI_SUM, state.window, &state.asked);
}

static bool answer(uint64_t *number)
{
    int done = 0;
    MPI_Test(&state.asked, &done, MPI_STATUS_IGNORE);
    *number = state.number;
    return done;
}

static uint64_t taken(void) { return fetch_and(MPI_NO_OP, 0, 0); }

static void beat(void) { fetch_and(MPI_SUM, 1, 1 + state.ranks.rank); }

static uint64_t beats(int rank) { return fetch_and(MPI_NO_OP, 0, 1 + rank); }

static char *share(const char *text)
{
    uint64_t n = text ? strlen(text) : 0;
    MPI_Bcast(&n, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    char *const copy = calloc(1, n + 1);
    if (!copy) abort();
    if (text) memcpy(copy, text, n);
    enum { PART = 1 << 30 }; // counts of MPI are int
    for (uint64_t at = 0; at < n; at += PART)
        MPI_Bcast(copy + at, (int)(n - at < PART ? n - at : PART), MPI_CHAR, 0, MPI_COMM_WORLD);
    return copy;
}

static void send(int to, enum ranks_message what, const void *data, size_t n)
{
    struct sending *const s = malloc(sizeof *s + n + 1);
    if (!s) abort();
    if (n) memcpy(s->data, data, n);
    MPI_Isend(s->data, (int)n, MPI_CHAR, to, what, MPI_COMM_WORLD, &s->request);
    s->next = state.sending;
    state.sending = s;
}

static bool is_sent(void)
{
    for (struct sending **at = &state.sending; *at;) {
        struct sending *const s = *at;
        int done = 0;
        MPI_Test(&s->request, &done, MPI_STATUS_IGNORE);
        if (done) {
            *at = s->next;
            free(s);
        } else {
            at = &s->next;
        }
    }
    return !state.sending;
}

static bool receive(int *from, enum ranks_message *what, char **data, size_t *size)
{
    int is_there = 0, n = 0;
    MPI_Message message;
    MPI_Status status;
    MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, &message, &status);
    if (!is_there) return false;
    MPI_Get_count(&status, MPI_CHAR, &n);
    *data = calloc(1, (size_t)n + 1);
    if (!*data) abort();
    MPI_Mrecv(*data, n, MPI_CHAR, &message, MPI_STATUS_IGNORE);
    *size = (size_t)n;
    *from = status.MPI_SOURCE;
    *what = (enum ranks_message)status.MPI_TAG;
    return true;
}

/** Messages that have no receiver any more; MPICH prints a line for each that is left. */
static void drain(void)
{
    int from;
    enum ranks_message what;
    char *data;
    size_t size;
    while (receive(&from, &what, &data, &size)) free(data);
}

static void end(void)
{
    MPI_Win_unlock_all(state.window);
    MPI_Win_free(&state.window); // all ranks are here
    drain();
    MPI_Finalize();
}

static void end_all(int status) { MPI_Abort(MPI_COMM_WORLD, status); }

__attribute__((visibility("default"))) const struct ranks *cldbg_ranks(void)
{
    int level; // the process has other threads, which do not call MPI
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level)) return NULL;
    struct ranks *const r = &state.ranks;
    *r = (struct ranks){.share = share,
                        .ask = ask,
                        .answer = answer,
                        .taken = taken,
                        .beat = beat,
                        .beats = beats,
                        .send = send,
                        .is_sent = is_sent,
                        .receive = receive,
                        .end = end,
                        .end_all = end_all};
    MPI_Comm_rank(MPI_COMM_WORLD, &r->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &r->size);
    MPI_Comm node;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, r->rank, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &r->on_node);
    MPI_Comm_free(&node);
    const MPI_Aint bytes = r->rank ? 0 : (MPI_Aint)sizeof(uint64_t) * (r->size + 1);
    MPI_Win_allocate(bytes, sizeof(uint64_t), MPI_INFO_NULL, MPI_COMM_WORLD, &state.words,
                     &state.window);
    if (!r->rank) memset(state.words, 0, (size_t)bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, state.window);
    return r;
}
