// SPDX-License-Identifier: MIT
// The session: merges and counts findings, and passes new ones to the sinks at the end of each
// launch.
#include "report/finding.h"

#include "base/env.h"
#include "base/map.h"
#include "base/vec.h"
#include "report/document.h"
#include "report/filter.h"
#include "report/keep.h"
#include "report/sink.h"

#include <ctype.h>
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

enum {
    MAX_RECORDS = 100000, // limit of distinct findings, to bound memory
};

struct rep_session {
    struct rep_options options;
    struct rep_totals *totals, private_totals;
    struct rep_session *trial_of; // or NULL
    pthread_mutex_t lock;         // guards all below; only is_captured takes a lock under it
    struct map by_hash;           // rep_key_hash → struct rep_record *
    VEC(struct rep_record *) records, fresh; // fresh: not yet shown
    VEC(struct rep_record *) found_now;      // those of running launches
    VEC(struct rep_sink *) sinks;
    struct rep_sources *sources;
    struct rep_ignores *ignores;
    bool helped[REP_KIND_COUNT + REP_FIX_COUNT]; // by kind, by fix hint
    struct rep_keep *keep;                       // report files; NULL: none requested
    uint64_t shown, errors;
    bool full, limit_reported;
    uint64_t lost; // findings missing from the report files, as in the totals
};

/**
 * The page given by CLDBG_STATUS_FD=FD[,PID], or NULL. A program may close descriptors that its
 * children inherit.
 */
static struct rep_totals *shared_totals(void)
{
    const char *where = env_get("CLDBG_STATUS_FD"), *pid = where ? strchr(where, ',') : NULL;
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
    s->ignores = rep_ignores_create();
    if (!s->options.only_keeps_text)
        vec_push(&s->sinks, rep_sink_text(s->options.out ? s->options.out : stderr,
                                          s->options.color, s->options.gen_suppressions));
    s->keep = rep_keep_create(&s->options);
    return s;
}

struct rep_session *rep_create_trial(struct rep_session *of)
{
    struct rep_session *s = mem_alloc(sizeof *s);
    memcpy(s->options.kinds_off, of->options.kinds_off, sizeof s->options.kinds_off);
    s->trial_of = of;
    s->totals = &s->private_totals;
    s->totals->magic = REP_TOTALS_MAGIC;
    pthread_mutex_init(&s->lock, NULL);
    s->sources = rep_sources_create();
    s->ignores = rep_ignores_create();
    s->keep = rep_keep_create(&s->options);
    return s;
}

void rep_destroy(struct rep_session *s)
{
    if (!s) return;
    rep_finish(s);
    rep_keep_destroy(s->keep);
    rep_filter_destroy(s->options.filter);
    for (size_t i = 0; i < s->sinks.len; i++) s->sinks.data[i]->ops->destroy(s->sinks.data[i]);
    for (size_t i = 0; i < s->records.len; i++) rep_record_destroy(s->records.data[i]);
    vec_free(&s->sinks);
    vec_free(&s->records);
    vec_free(&s->fresh);
    vec_free(&s->found_now);
    map_deinit(&s->by_hash);
    rep_ignores_destroy(s->ignores);
    rep_sources_destroy(s->sources);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

bool rep_wants(const struct rep_session *s, enum rep_kind k) { return !s->options.kinds_off[k]; }

struct rep_totals *rep_totals(struct rep_session *s) { return s->totals; }

/** The list of records with this hash, created if necessary. */
static struct rep_record **bucket(struct rep_session *s, const struct rep_key *key)
{
    return (struct rep_record **)map_put(&s->by_hash, rep_key_hash(key), NULL);
}

static struct rep_record *find(struct rep_session *s, const struct rep_key *key)
{
    uint64_t *in = map_get(&s->by_hash, rep_key_hash(key));
    struct rep_record *r = in ? (struct rep_record *)(uintptr_t)*in : NULL;
    while (r && memcmp(&r->key, key, sizeof *key)) r = r->same_hash;
    return r;
}

/** n is -1 for a finding that turns out not to be reported. */
static void count(struct rep_session *s, const struct rep_finding *f, uint64_t n)
{
    struct rep_totals *t = s->totals;
    if (f->possible) {
        rep_count(&t->possible, n);
        return;
    }
    bool error = rep_severity_of(f) == REP_ERROR;
    rep_count(&t->findings[f->kind], n);
    rep_count(error ? &t->errors : &t->warnings, n);
    if (error) s->errors += n;
}

/** Counts an occurrence. Is it the first one of its launch? */
static bool count_found(struct rep_session *s, struct rep_record *r, const struct rep_finding *f)
{
    const bool is_first = rep_record_count(r, f);
    if (is_first && r->running.len == 1) vec_push(&s->found_now, r);
    return is_first;
}

static void add_new(struct rep_session *s, struct rep_record **in, const struct rep_key *key,
                    const struct rep_finding *f)
{
    if (s->records.len >= MAX_RECORDS && !s->trial_of) { // (a trial must know of each)
        if (!s->full) rep_count(&s->totals->cut_checks, 1);
        s->full = true;
        return;
    }
    struct rep_record *r = rep_record_create(key, f, s->sources);
    r->same_hash = *in;
    *in = r;
    vec_push(&s->records, r);
    vec_push(&s->fresh, r);
    count_found(s, r, f);
    count(s, f, 1);
}

/** Counts an occurrence of a known finding. */
static void count_again(struct rep_session *s, struct rep_record *r, const struct rep_finding *f)
{
    if (rep_record_has(r, f)) return;
    if (count_found(s, r, f) && r->shown && !r->silent && !r->known && !r->is_taken)
        rep_count(&s->totals->repeats, 1);
}

void rep_add(struct rep_session *s, const struct rep_finding *f)
{
    assert(f->kind < REP_KIND_COUNT && f->nsides <= REP_MAX_SIDES && f->nnotes <= REP_MAX_NOTES);
    if (!rep_wants(s, f->kind)) return;
    struct rep_key key;
    pthread_mutex_lock(&s->lock);
    rep_key_make(&key, f, s->sources);
    struct rep_record **in = bucket(s, &key), *r = *in;
    while (r && memcmp(&r->key, &key, sizeof key)) r = r->same_hash;
    if (!r) add_new(s, in, &key, f);
    else if (!rep_record_has(r, f)) {
        count_again(s, r, f);
        if (!r->shown && rep_is_better_example(f, &r->example)) rep_record_take(r, f, s->sources);
    }
    pthread_mutex_unlock(&s->lock);
}

bool rep_is_reported(struct rep_session *s, const struct rep_finding *f)
{
    if (!rep_wants(s, f->kind)) return false;
    struct rep_key key;
    pthread_mutex_lock(&s->lock);
    rep_key_make(&key, f, s->sources);
    const struct rep_record *r = find(s, &key);
    const bool reported = r && r->shown ? !r->known && !r->silent
                                        : rep_filter_judge(s->options.filter, f,
                                                           rep_fingerprint(f, s->sources), false,
                                                           s->ignores, s->sources) == REP_NEW;
    pthread_mutex_unlock(&s->lock);
    return reported;
}

static int by_order(const void *a, const void *b)
{
    return rep_record_order(*(struct rep_record *const *)a, *(struct rep_record *const *)b);
}

/**
 * Is the race of equal writes also a race of writes of different values? Then the data race reports
 * it.
 */
static bool is_reported_as_race(struct rep_session *s, const struct rep_record *r)
{
    if (r->example.kind != REP_SAME_VALUE_RACE) return false;
    struct rep_key key = r->key;
    key.kind = REP_DATA_RACE;
    return find(s, &key);
}

/** Decides whether the finding is reported. */
static void judge(struct rep_session *s, struct rep_record *r)
{
    r->shown = true;
    r->fingerprint = rep_fingerprint(&r->example, s->sources);
    r->capture = rep_capture_path(s, r->example.kernel, r->example.launch);
    if (r->capture &&
        !s->options.is_captured(r->capture)) { // it could not be written; this was reported
        free(r->capture);
        r->capture = NULL;
    }
    bool is_reported = is_reported_as_race(s, r);
    enum rep_verdict v = is_reported
                             ? REP_NEW
                             : rep_filter_judge(s->options.filter, &r->example, r->fingerprint,
                                                true, s->ignores, s->sources);
    r->known = v == REP_KNOWN;
    r->silent = is_reported || v == REP_SUPPRESSED;
    if (r->known || r->silent) count(s, &r->example, (uint64_t)-1);
    if (v == REP_KNOWN) rep_count(&s->totals->known, 1);
    if (v == REP_SUPPRESSED) {
        rep_count(&s->totals->suppressed, 1);
        rep_keep_suppressed(s->keep, s->options.filter);
    }
}

static bool has_cause_of(const struct rep_record *r, const struct rep_record *other)
{
    const struct rep_finding *f = &r->example, *g = &other->example;
    return f->kind == g->kind && f->launch == g->launch && f->mild == g->mild &&
           f->possible == g->possible && !strcmp(f->cause, g->cause) &&
           r->key.object == other->key.object && f->kernel && g->kernel &&
           !strcmp(f->kernel, g->kernel);
}

/**
 * Adds a record to the list of the first one with the same cause. If the baseline has one finding
 * of a cause, it covers all.
 */
static void take(struct rep_session *s, struct rep_record *first, struct rep_record *r)
{
    struct rep_record **end = &first->also;
    while (*end) end = &(*end)->next_also;
    *end = r;
    r->is_taken = true;
    if (r->known != first->known) count(s, r->known ? &first->example : &r->example, (uint64_t)-1);
    else if (r->known) rep_count(&s->totals->known, (uint64_t)-1);
    else count(s, &r->example, (uint64_t)-1);
    first->known = r->known = first->known || r->known;
}

/**
 * Groups the sorted new findings by cause.
 */
static void join_causes(struct rep_session *s)
{
    struct map firsts = {0}; // hash of the cause → struct rep_record *
    for (size_t i = 0; i < s->fresh.len; i++) {
        struct rep_record *r = s->fresh.data[i];
        if (r->silent || !r->example.cause) continue;
        const uint64_t of = hash_bytes(&(uint64_t[]){r->example.launch, r->example.kind,
                                                     r->example.mild << 1 | r->example.possible},
                                       3 * sizeof(uint64_t), 0); // grouped separately
        const uint64_t key = hash_bytes(r->example.cause, strlen(r->example.cause), of);
        uint64_t *at = map_put(&firsts, key, NULL);
        if (!*at) *at = (uint64_t)(uintptr_t)r;
        else if (has_cause_of(r, (struct rep_record *)(uintptr_t)*at))
            take(s, (struct rep_record *)(uintptr_t)*at, r);
    }
    map_deinit(&firsts);
}

static void show(struct rep_session *s, struct rep_record *r)
{
    if (r->silent || r->is_taken) return;
    rep_keep_finding(s->keep, r, s->sources);
    if (r->known) return;
    if (s->options.max_findings && s->shown >= s->options.max_findings) {
        for (size_t i = 0; !s->limit_reported && i < s->sinks.len; i++)
            s->sinks.data[i]->ops->limit(s->sinks.data[i], s->shown);
        s->limit_reported = true;
        return;
    }
    s->shown++;
    bool *helped = &s->helped[r->example.fix ? REP_KIND_COUNT + r->example.fix : r->example.kind];
    r->help = !*helped;
    *helped = true;
    bool ok = true;
    for (size_t i = 0; i < s->sinks.len; i++)
        ok &= s->sinks.data[i]->ops->finding(s->sinks.data[i], r, s->sources);
    if (!ok) rep_count(&s->totals->unwritten, 1);
}

/**
 * Program binaries may contain kernels with arbitrary names, such as "../../x": the name must not
 * lead to another folder.
 */
static void put_file_name(struct str *s, const char *name)
{
    enum { MOST = 200 };
    for (int i = 0; i < MOST && name[i]; i++) {
        const bool plain = isalnum((unsigned char)name[i]) || strchr(i ? "_.-$" : "_$", name[i]);
        str_put_char(s, plain ? name[i] : '_');
    }
}

/** Other processes of an app do not have the names of the first one. */
static void put_process(struct str *path, const struct rep_session *s)
{
    if (s->totals->first_pid && s->totals->first_pid != getpid())
        str_printf(path, "-%ld", (long)getpid());
}

char *rep_capture_path(const struct rep_session *s, const char *kernel, uint64_t launch)
{
    if (!s->options.capture_dir || !launch || !kernel) return NULL;
    struct str path = {0};
    str_printf(&path, "%s/", s->options.capture_dir);
    put_file_name(&path, kernel);
    str_printf(&path, "-%llu", (unsigned long long)launch);
    put_process(&path, s);
    str_put(&path, ".cldbg");
    return str_take(&path);
}

char *rep_capture_pack(const struct rep_session *s)
{
    struct str path = {0};
    str_printf(&path, "%s/launches", s->options.capture_dir);
    put_process(&path, s);
    str_put(&path, ".cldbgs");
    return str_take(&path);
}

bool rep_has_shown(struct rep_session *s, uint64_t launch)
{
    bool found = false;
    pthread_mutex_lock(&s->lock);
    for (size_t i = s->records.len; i-- && !found;) {
        const struct rep_record *r = s->records.data[i];
        found = r->shown && !r->silent && !r->known && r->example.launch == launch;
    }
    pthread_mutex_unlock(&s->lock);
    return found;
}

bool rep_has_found(struct rep_session *s, uint64_t launch)
{
    pthread_mutex_lock(&s->lock);
    bool found = s->full; // some findings were not stored
    for (size_t i = 0; i < s->records.len && !found; i++)
        found = s->records.data[i]->last_launch == launch;
    pthread_mutex_unlock(&s->lock);
    return found;
}

bool rep_has_found_wrong(struct rep_session *s, uint64_t launch)
{
    pthread_mutex_lock(&s->lock);
    bool found = s->full;
    for (size_t i = 0; i < s->records.len && !found; i++) {
        const struct rep_record *r = s->records.data[i];
        const enum rep_kind kind = r->example.kind;
        found = r->last_launch == launch && kind != REP_NO_PROGRESS &&
                kind != REP_INSTRUCTION_LIMIT;
    }
    pthread_mutex_unlock(&s->lock);
    return found;
}

unsigned rep_seen_in(struct rep_session *s, uint64_t launch, struct rep_seen *out, unsigned most)
{
    unsigned n = 0;
    pthread_mutex_lock(&s->lock);
    for (size_t i = 0; i < s->found_now.len; i++) {
        struct rep_record *const r = s->found_now.data[i];
        for (size_t k = 0; k < r->running.len; k++) {
            const struct rep_launch_groups *const g = &r->running.data[k];
            if (g->launch != launch || n++ >= most) continue;
            out[n - 1] = (struct rep_seen){r, g->times, g->between, g->groups.n};
        }
    }
    if (s->full) n = most + 1;
    pthread_mutex_unlock(&s->lock);
    return n;
}

const struct rep_finding *rep_example(const struct rep_record *r) { return &r->example; }

void rep_repeat(struct rep_session *s, struct rep_record *r, const struct rep_finding *f)
{
    pthread_mutex_lock(&s->lock);
    count_again(s, r, f);
    pthread_mutex_unlock(&s->lock);
}

/**
 * Ends the app immediately: without its exit handlers, but with its output flushed.
 */
static _Noreturn void end_app(struct rep_session *s)
{
    static const char text[] = "cldbg: --exit-on-first-error: the app is ended here\n";
    rep_count(&s->totals->ended_early, 1);
    rep_write(s->options.out ? s->options.out : stderr, text, sizeof text - 1);
    if (!ftrylockfile(stdout)) fflush(stdout);
    _exit(s->options.exit_status);
}

/** The number of findings for the user. */
static uint64_t count_reported(const struct rep_session *s)
{
    uint64_t n = 0;
    for (size_t i = 0; i < s->records.len; i++)
        n += !s->records.data[i]->silent && !s->records.data[i]->is_taken;
    return n;
}

static void flush(struct rep_session *s, bool last)
{
    pthread_mutex_lock(&s->lock);
    if (s->fresh.len) qsort(s->fresh.data, s->fresh.len, sizeof *s->fresh.data, by_order);
    for (size_t i = 0; i < s->fresh.len; i++) judge(s, s->fresh.data[i]);
    join_causes(s);
    for (size_t i = 0; i < s->fresh.len; i++) show(s, s->fresh.data[i]);
    vec_clear(&s->fresh);
    bool end = s->options.exit_on_first_error && s->errors && !last;
    if (!rep_keep_write(s->keep, s->records.data, s->records.len, last || end)) {
        const uint64_t n = count_reported(s);
        rep_count(&s->totals->unwritten, n - s->lost);
        rep_count(&s->totals->unkept, n - s->lost);
        s->lost = n;
    }
    if (end) end_app(s);
    pthread_mutex_unlock(&s->lock);
}

void rep_flush(struct rep_session *s) { flush(s, false); }

/**
 * Reports comments in checked functions that matched nothing, unless launches were skipped, which
 * they may match.
 */
static void report_unused(struct rep_session *s)
{
    if (s->totals->skipped_launches) return;
    pthread_mutex_lock(&s->lock);
    char *const text = rep_ignores_unused(s->ignores, s->options.kinds_off);
    if (text) rep_write(s->options.out ? s->options.out : stderr, text, strlen(text));
    free(text);
    rep_ignores_destroy(s->ignores);
    s->ignores = rep_ignores_create();
    pthread_mutex_unlock(&s->lock);
}

void rep_finish(struct rep_session *s)
{
    flush(s, true);
    report_unused(s);
}

void rep_checked_lines(struct rep_session *s, const struct rep_place *first, uint32_t last)
{
    if (s->trial_of) s = s->trial_of;
    pthread_mutex_lock(&s->lock);
    rep_ignores_look(s->ignores, first, last, s->sources);
    pthread_mutex_unlock(&s->lock);
}

void rep_numbers(struct rep_session *s, const char *kernel, const struct rep_number *numbers,
                 unsigned n)
{
    pthread_mutex_lock(&s->lock);
    rep_keep_numbers(s->keep, kernel, numbers, n);
    pthread_mutex_unlock(&s->lock);
}

void rep_add_member(struct rep_session *s, const struct rep_member *m)
{
    pthread_mutex_lock(&s->lock);
    rep_keep_member(s->keep, m);
    pthread_mutex_unlock(&s->lock);
}

void rep_looked_at(struct rep_session *s, const char *kernel)
{
    pthread_mutex_lock(&s->lock);
    rep_keep_kernel(s->keep, kernel);
    pthread_mutex_unlock(&s->lock);
}

void rep_launch_enqueued(struct rep_session *s) { rep_count(&s->totals->enqueued, 1); }
void rep_launch_begins(struct rep_session *s) { rep_count(&s->totals->begun, 1); }

void rep_launched(struct rep_session *s, const char *kernel, enum rep_execution how, uint64_t ns)
{
    struct rep_totals *t = s->totals;
    rep_count(&t->launches, 1);
    if (how == REP_LEFT_OUT) rep_count(&t->skipped_launches, 1);
    if (how == REP_NATIVE) rep_count(&t->native_launches, 1);
    if (t->first_pid && t->first_pid != getpid()) rep_count(&t->child_launches, 1);
    pthread_mutex_lock(&s->lock);
    rep_keep_launch(s->keep, kernel, how == REP_CHECKED, ns);
    pthread_mutex_unlock(&s->lock);
}

void rep_launch_ends(struct rep_session *s, uint64_t launch)
{
    pthread_mutex_lock(&s->lock);
    size_t n = 0;
    for (size_t i = 0; i < s->found_now.len; i++) {
        struct rep_record *r = s->found_now.data[i];
        rep_record_launch_ended(r, launch);
        if (r->running.len) s->found_now.data[n++] = r;
    }
    s->found_now.len = n;
    pthread_mutex_unlock(&s->lock);
}

void rep_scope_begin(struct rep_session *s)
{
    rep_flush(s);
    pthread_mutex_lock(&s->lock);
    for (size_t i = 0; i < s->records.len; i++)
        s->records.data[i]->scope_times = s->records.data[i]->times;
    pthread_mutex_unlock(&s->lock);
}

/** Whether it, or one of those that it lists, was found since the scope began. */
static bool is_of_scope(const struct rep_record *r)
{
    if (r->silent || r->known || r->is_taken) return false;
    for (; r; r = r->also ? r->also : r->next_also)
        if (r->times > r->scope_times) return true;
    return false;
}

char *rep_scope_end(struct rep_session *s, unsigned *errors, unsigned *warnings)
{
    *errors = *warnings = 0;
    rep_flush(s);
    char *text = NULL;
    size_t size;
    FILE *const out = open_memstream(&text, &size);
    if (!out) return NULL;
    struct rep_sink *const sink = rep_sink_text(out, 0, false);
    pthread_mutex_lock(&s->lock);
    for (size_t i = 0; i < s->records.len; i++) {
        const struct rep_record *r = s->records.data[i];
        if (!is_of_scope(r)) continue;
        const bool error = !r->example.possible && rep_severity_of(&r->example) == REP_ERROR;
        ++*(error ? errors : warnings);
        struct rep_record whole = *r;
        whole.help = true;
        sink->ops->finding(sink, &whole, s->sources);
    }
    pthread_mutex_unlock(&s->lock);
    sink->ops->destroy(sink);
    fclose(out);
    if (*errors || *warnings) return text;
    free(text);
    return NULL;
}
