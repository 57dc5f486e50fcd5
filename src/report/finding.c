// SPDX-License-Identifier: MIT
// The session: merges, counts, and gives what is new to the sinks at the end of each launch.
#include "report/finding.h"

#include "base/map.h"
#include "base/vec.h"
#include "report/sink.h"

#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

enum {
    MAX_RECORDS = 100000, // distinct findings kept; beyond them memory matters more
};

struct rep_session {
    struct rep_options options;
    struct rep_totals *totals, private_totals;
    pthread_mutex_t lock; // guards all below; no other lock is taken under it
    struct map by_hash;   // rep_key_hash → struct rep_record *
    VEC(struct rep_record *) records, fresh; // fresh: not yet shown
    VEC(struct rep_sink *) sinks;
    struct rep_sources *sources;
    bool helped[REP_KIND_COUNT];
    uint64_t shown;
    bool full, limit_told;
};

/** The page that CLDBG_STATUS_FD=FD[,PID] names, or NULL. A program may close what its children inherit. */
static struct rep_totals *shared_totals(void)
{
    const char *where = getenv("CLDBG_STATUS_FD"), *pid = where ? strchr(where, ',') : NULL;
    if (!where || !*where) return NULL;
    struct rep_totals *t = rep_totals_map(atoi(where));
    if (t || !pid) return t;
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", atoi(pid + 1), atoi(where));
    int fd = open(path, O_RDWR | O_CLOEXEC);
    t = rep_totals_map(fd);
    if (fd >= 0) close(fd);
    return t;
}

struct rep_session *rep_create(const struct rep_options *o)
{
    struct rep_session *s = mem_alloc(sizeof *s);
    s->options = o ? *o : (struct rep_options){.color = -1};
    s->totals = shared_totals();
    if (!s->totals) {
        s->totals = &s->private_totals;
        s->totals->magic = REP_TOTALS_MAGIC;
    }
    rep_count(&s->totals->processes, 1);
    pthread_mutex_init(&s->lock, NULL);
    s->sources = rep_sources_create();
    vec_push(&s->sinks, rep_sink_text(s->options.out ? s->options.out : stderr, s->options.color));
    return s;
}

void rep_destroy(struct rep_session *s)
{
    if (!s) return;
    rep_flush(s);
    for (size_t i = 0; i < s->sinks.len; i++) s->sinks.data[i]->ops->destroy(s->sinks.data[i]);
    for (size_t i = 0; i < s->records.len; i++) rep_record_destroy(s->records.data[i]);
    vec_free(&s->sinks);
    vec_free(&s->records);
    vec_free(&s->fresh);
    map_deinit(&s->by_hash);
    rep_sources_destroy(s->sources);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

bool rep_wants(const struct rep_session *s, enum rep_kind k) { return !s->options.kinds_off[k]; }

struct rep_totals *rep_totals(struct rep_session *s) { return s->totals; }

/** The records of this hash; a place for them is made. */
static struct rep_record **bucket(struct rep_session *s, const struct rep_key *key)
{
    return (struct rep_record **)map_put(&s->by_hash, rep_key_hash(key), NULL);
}

static void count_new(struct rep_session *s, const struct rep_finding *f)
{
    struct rep_totals *t = s->totals;
    if (f->possible) {
        rep_count(&t->possible, 1);
        return;
    }
    rep_count(&t->findings[f->kind], 1);
    rep_count(rep_severity_of(f) == REP_ERROR ? &t->errors : &t->warnings, 1);
}

static void add_new(struct rep_session *s, struct rep_record **in, const struct rep_key *key,
                    const struct rep_finding *f)
{
    if (s->records.len >= MAX_RECORDS) {
        if (!s->full) rep_count(&s->totals->cut_checks, 1);
        s->full = true;
        return;
    }
    struct rep_record *r = rep_record_create(key, f, s->sources);
    r->same_hash = *in;
    *in = r;
    vec_push(&s->records, r);
    vec_push(&s->fresh, r);
    rep_record_count(r, f);
    count_new(s, f);
}

void rep_add(struct rep_session *s, const struct rep_finding *f)
{
    assert(f->kind < REP_KIND_COUNT && f->nsides <= REP_MAX_SIDES && f->nnotes <= REP_MAX_NOTES);
    if (!rep_wants(s, f->kind)) return;
    struct rep_key key;
    rep_key_make(&key, f);
    pthread_mutex_lock(&s->lock);
    struct rep_record **in = bucket(s, &key), *r = *in;
    while (r && memcmp(&r->key, &key, sizeof key)) r = r->same_hash;
    if (!r)
        add_new(s, in, &key, f);
    else {
        rep_record_count(r, f);
        if (!r->shown && rep_is_better_example(f, &r->example)) rep_record_take(r, f, s->sources);
    }
    pthread_mutex_unlock(&s->lock);
}

static int by_order(const void *a, const void *b)
{
    return rep_record_order(*(struct rep_record *const *)a, *(struct rep_record *const *)b);
}

static void show(struct rep_session *s, struct rep_record *r)
{
    r->shown = true;
    if (s->options.max_findings && s->shown >= s->options.max_findings) {
        for (size_t i = 0; !s->limit_told && i < s->sinks.len; i++)
            s->sinks.data[i]->ops->limit(s->sinks.data[i], s->shown);
        s->limit_told = true;
        return;
    }
    s->shown++;
    r->help = !s->helped[r->example.kind];
    s->helped[r->example.kind] = true;
    bool ok = true;
    for (size_t i = 0; i < s->sinks.len; i++)
        ok &= s->sinks.data[i]->ops->finding(s->sinks.data[i], r, s->sources);
    if (!ok) rep_count(&s->totals->unwritten, 1);
}

void rep_flush(struct rep_session *s)
{
    pthread_mutex_lock(&s->lock);
    if (s->fresh.len) qsort(s->fresh.data, s->fresh.len, sizeof *s->fresh.data, by_order);
    for (size_t i = 0; i < s->fresh.len; i++) show(s, s->fresh.data[i]);
    vec_clear(&s->fresh);
    pthread_mutex_unlock(&s->lock);
}
