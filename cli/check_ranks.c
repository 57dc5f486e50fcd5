// SPDX-License-Identifier: MIT
// `mpirun -n N cldbg check`: the ranks take files from one queue, and rank 0 gets the results.
//
// A rank that ends too early must not stop the others. Each rank shows that it lives by a counter
// in rank 0's memory. When every other rank has either finished or shown no sign of life for
// PATIENCE, rank 0 runs the files that have no result: those are the ones that the missing ranks
// had taken.
#include "cli/cmd.h"
#include "cli/check_files.h"

#include "base/mem.h"
#include "report/document.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 10 }; // seconds

struct check_rank {
    bool is_finished, is_lost;
    uint64_t beats, changed; // when `beats` changed (ms)
};

static uint64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000u + (uint64_t)t.tv_nsec / 1000000u;
}

struct err *check_ranks_begin(struct check *c, struct err *e)
{
    json_t *const files = json_array();
    for (size_t i = 0; i < c->files.len && !e; i++)
        json_array_append_new(
            files,
            json_pack("[o, b]", rep_json_text(c->files.data[i].path, strlen(c->files.data[i].path)),
                      (int)c->files.data[i].is_done));
    char *const text = c->ranks->rank ? NULL : json_dumps(files, JSON_COMPACT), *const all =
                                                                                    c->ranks->share(
                                                                                        text);
    json_decref(files);
    free(text);
    json_t *const list = json_loads(all, 0, NULL), *file;
    free(all);
    size_t i;
    c->is_released = !json_array_size(list); // rank 0 has failed
    c->others = mem_array(NULL, (size_t)c->ranks->size, sizeof *c->others);
    for (int r = 0; r < c->ranks->size; r++)
        c->others[r] = (struct check_rank){.changed = now_ms()};
    if (c->ranks->rank) {
        c->files.len = 0;
        json_array_foreach(list, i, file)
            vec_push(&c->files, (struct check_file){
                                    .path = arena_strdup(
                                        &c->s->arena, json_string_value(json_array_get(file, 0))),
                                    .is_done = json_is_true(json_array_get(file, 1))});
    }
    json_decref(list);
    return e;
}

static void take_messages(struct check *c, struct err **e)
{
    int from;
    enum ranks_message what;
    char *data;
    size_t n;
    while (!*e && c->ranks->receive(&from, &what, &data, &n)) {
        c->last_news = now_ms();
        if (what == RANKS_RELEASE) c->is_released = true, c->has_lost_rank = *data != 0;
        if (what == RANKS_FINISHED) c->others[from].is_finished = true;
        if (what == RANKS_RESULT) {
            json_t *const result = json_loads(data, 0, NULL);
            struct check_file *const f = check_find(c, rep_json_get(result, "file"));
            if (f && !f->is_done) {
                json_object_set_new(result, "size", json_integer((json_int_t)f->size));
                json_object_set_new(result, "mtime", json_integer((json_int_t)f->mtime));
                *e = check_journal_add(c, f, result);
            }
            json_decref(result);
        }
        free(data);
    }
}

/** Has a rank shown no sign of life for too long? */
static bool is_lost(struct check *c, int rank)
{
    struct check_rank *const r = &c->others[rank];
    const uint64_t beats = c->ranks->beats(rank), now = now_ms();
    if (beats != r->beats) r->changed = now;
    r->beats = beats;
    return now - r->changed > PATIENCE * 1000u;
}

static void look_at_others(struct check *c)
{
    for (int r = 1; r < c->ranks->size; r++) {
        struct check_rank *const other = &c->others[r];
        if (other->is_lost || !is_lost(c, r)) continue;
        other->is_lost = true;
        c->has_lost_rank = true;
        cmd_say("rank %d shows no sign of life; other ranks check its files", r);
    }
}

/** Rank 0: another rank has taken a file. */
static void look_at_queue(struct check *c)
{
    const uint64_t taken = c->ranks->taken();
    if (taken != c->taken) c->last_news = now_ms();
    c->taken = taken;
}

uint64_t check_ranks_quiet_ms(const struct check *c) { return now_ms() - c->last_news; }

struct err *check_ranks_tick(struct check *c)
{
    enum { PERIOD = 500 }; // ms
    struct err *e = NULL;
    take_messages(c, &e);
    if (!c->ranks->rank) look_at_queue(c);
    c->ranks->is_sent();
    if (now_ms() - c->last_beat < PERIOD) return e;
    c->last_beat = now_ms();
    c->ranks->beat();
    if (!c->ranks->rank) look_at_others(c);
    else if (!e && is_lost(c, 0)) e = err_new("rank 0 shows no sign of life");
    return e;
}

bool check_ranks_left(const struct check *c)
{
    if (c->ranks->rank) return !c->is_released;
    for (int r = 1; r < c->ranks->size; r++)
        if (!c->others[r].is_finished && !c->others[r].is_lost) return true;
    return false;
}

void check_ranks_send(struct check *c, enum ranks_message what, const json_t *result)
{
    char *const text = result ? json_dumps(result, JSON_COMPACT) : NULL;
    c->ranks->send(0, what, text, text ? strlen(text) : 0);
    free(text);
}

void check_ranks_release(struct check *c)
{
    if (!c->ranks->rank)
        for (int r = 1; r < c->ranks->size; r++)
            if (!c->others[r].is_lost)
                c->ranks->send(r, RANKS_RELEASE, "lost", c->has_lost_rank ? 4 : 0);
    for (int i = 0; i < 1000 && !c->ranks->is_sent(); i++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

void check_ranks_end(struct check *c, int status)
{
    // Without all ranks, the end of MPI would never return.
    if (c->has_lost_rank || c->signal) {
        sigprocmask(SIG_SETMASK, &c->mask, NULL);
        fflush(NULL);
        if (!c->ranks->rank && !c->signal) c->ranks->end_all(status);
        sleep(c->signal ? 0 : PATIENCE); // until rank 0 ends this process
        _exit(status);
    }
    c->ranks->end();
}
