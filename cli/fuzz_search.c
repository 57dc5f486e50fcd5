// SPDX-License-Identifier: MIT
// The loop of the fuzzer: mutate, launch, keep what reaches new code, minimize what fails. Two
// findings with the same id and location count as one. The minimization tries a simpler value for
// one thing after another (as delta debugging, Zeller and Hildebrandt 2002) and keeps what has the
// same finding.
#include "cli/fuzz.h"

#include "base/io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MINIMIZING_LAUNCHES = 1500, MINIMIZING_SECONDS = 3 };

/** Functions of the driver. */
static struct {
    void (*begin_scope)(void);
    char *(*end_scope)(unsigned *errors, unsigned *warnings);
    uint64_t (*coverage)(void);
    void (*capture)(const char *path);
} driver;

static void find_driver(const struct cmd_kernel *k)
{
    *(void **)&driver.begin_scope = k->cl->clGetExtensionFunctionAddress("cldbgBeginScope");
    *(void **)&driver.end_scope = k->cl->clGetExtensionFunctionAddress("cldbgEndScope");
    *(void **)&driver.coverage = k->cl->clGetExtensionFunctionAddress("cldbgFreshCoverage");
    *(void **)&driver.capture = k->cl->clGetExtensionFunctionAddress("cldbgCapture");
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/** What a launch found: hashes of "kernel.cl:3:4 [id]". */
typedef VEC(uint64_t) found_list;

static bool has(const found_list *list, uint64_t key)
{
    for (size_t i = 0; i < list->len; i++)
        if (list->data[i] == key) return true;
    return false;
}

/**
 * The key of a report that begins with this line, "k.cl:3:4: error: title [id]", or 0. Warnings of
 * possible errors and of limits do not count.
 */
static uint64_t key_of(const char *line, size_t n)
{
    const char *kind = memmem(line, n, ": error: ", 9);
    if (!kind) kind = memmem(line, n, ": warning: ", 11);
    const char *const id = memrchr(line, '[', n), *const end = line + n;
    if (!n || *line == ' ' || !kind || !id || end[-1] != ']') return 0;
    if (memmem(kind, (size_t)(end - kind), "possible ", 9) ||
        !strncmp(id, "[instruction-limit]", 19))
        return 0;
    return hash_bytes(line, (size_t)(kind - line), hash_bytes(id, (size_t)(end - id), 3)) | 1;
}

static void read_keys(const char *text, found_list *out)
{
    for (const char *line = text, *end; *line; line = *end ? end + 1 : end) {
        end = strchrnul(line, '\n');
        const uint64_t key = key_of(line, (size_t)(end - line));
        if (key && !has(out, key)) vec_push(out, key);
    }
}

/** Launches the kernel with the input; adds what is found. */
static struct err *launch(struct fuzz *f, const struct fuzz_input *input, found_list *found)
{
    struct cmd_kernel *k = f->kernel;
    struct cmd_range r = f->job->range;
    for (size_t i = 0; i < f->parts.len; i++)
        f->args[f->parts.data[i].arg].data = input->data + f->parts.data[i].at;
    memcpy(r.global, input->global, sizeof r.global);
    memcpy(r.local, input->local, sizeof r.local);
    fuzz_set_counts(f, input);
    driver.begin_scope();
    struct err *e = cmd_kernel_run(k, f->args, &r);
    for (size_t i = 0; i < k->made.len; i++) k->cl->clReleaseMemObject(k->made.data[i]);
    vec_clear(&k->made);
    unsigned errors, warnings;
    char *text = driver.end_scope(&errors, &warnings);
    if (text && !strstr(text, VERIFY_ASSUMPTION_TITLE)) read_keys(text, found);
    free(text);
    f->launches++;
    return e;
}

/** One finding's minimization. */
struct minimizing {
    struct fuzz *f;
    struct fuzz_input *best;
    uint64_t key;
    unsigned left; // launches
    double until;  // for `cldbg verify`, which is not to take long; otherwise 0
    struct err *e;
};

/** Takes the input instead of the best one if it has the finding, too. */
static bool try_input(struct minimizing *m, struct fuzz_input *input)
{
    found_list found = {0};
    bool better = false;
    if (m->until > 0 && now() > m->until) m->left = 0;
    if (m->left && !m->e) {
        m->left--;
        m->e = launch(m->f, input, &found);
        better = has(&found, m->key);
    }
    if (better) {
        struct fuzz_input worse = *m->best;
        *m->best = *input;
        *input = worse;
    }
    free(input->data);
    vec_free(&found);
    return better;
}

static bool try_sizes(struct minimizing *m, unsigned d, size_t global, size_t local)
{
    const struct verify_sizes *g = &m->f->global, *l = &m->f->local;
    if (!local || local < l->lo[d] || global < g->lo[d] || global % local) return false;
    struct fuzz_input input = fuzz_copy(m->f, m->best);
    input.global[d] = global;
    input.local[d] = local;
    return try_input(m, &input);
}

static void minimize_sizes(struct minimizing *m)
{
    for (unsigned d = 0; d < 3; d++) {
        while (try_sizes(m, d, m->best->global[d] / 2, m->best->local[d])) {}
        while (try_sizes(m, d, m->best->global[d] / 2, m->best->local[d] / 2)) {}
        while (try_sizes(m, d, m->best->global[d] - m->best->local[d], m->best->local[d])) {}
    }
}

/** Sets elements [from, to) of the part to the value. */
static bool try_value(struct minimizing *m, const struct fuzz_part *p, size_t from, size_t to,
                      int64_t value)
{
    bool same = true;
    for (size_t i = from; i < to && same; i++) same = fuzz_is(p, m->best, i, value);
    if (same) return true;
    struct fuzz_input input = fuzz_copy(m->f, m->best);
    for (size_t i = from; i < to; i++) fuzz_set(p, &input, i, value);
    return try_input(m, &input);
}

/** Zeroes as much of a buffer as possible: everything, halves, quarters … */
static void minimize_part(struct minimizing *m, const struct fuzz_part *p)
{
    for (size_t piece = p->count; piece && m->left; piece /= 2)
        for (size_t from = 0; from < p->count && m->left; from += piece) {
            const size_t to = from + piece < p->count ? from + piece : p->count;
            if (!try_value(m, p, from, to, 0) && piece == 1) try_value(m, p, from, to, 1);
        }
}

/** A scalar: the smallest of the powers of two and their neighbors, then bisection below it. */
static void minimize_scalar(struct minimizing *m, const struct fuzz_part *p)
{
    if (try_value(m, p, 0, 1, 0) || try_value(m, p, 0, 1, 1)) return;
    int64_t low = 1;
    for (unsigned bit = 1; bit < 31 && m->left; bit++) {
        const int64_t v = (int64_t)1 << bit;
        if (try_value(m, p, 0, 1, v)) {
            for (int64_t high = v; high - low > 1 && m->left;) {
                const int64_t middle = low + (high - low) / 2;
                *(try_value(m, p, 0, 1, middle) ? &high : &low) = middle;
            }
            return;
        }
        low = v;
    }
    try_value(m, p, 0, 1, -1);
}

static struct err *minimize(struct fuzz *f, struct fuzz_input *best, uint64_t key)
{
    struct minimizing m = {.f = f, .best = best, .key = key, .left = MINIMIZING_LAUNCHES};
    if (!f->shows_report) m.until = now() + MINIMIZING_SECONDS;
    minimize_sizes(&m);
    for (size_t i = 0; i < f->parts.len; i++) {
        const struct fuzz_part *p = &f->parts.data[i];
        if (p->count == 1) minimize_scalar(&m, p);
        else minimize_part(&m, p);
    }
    return m.e;
}

/** The reports of what was not shown yet, and the values that are not in a buffer. */
static void show_report(struct fuzz *f, const char *text, const struct fuzz_input *input,
                        const char *path)
{
    bool is_new = false;
    for (const char *line = text, *end; *line; line = end) {
        end = strchrnul(line, '\n');
        const uint64_t key = key_of(line, (size_t)(end - line));
        if (*end) end++;
        if (key) is_new = !map_get(&f->shown, key);
        if (key) map_put(&f->shown, key, NULL);
        if (str_starts(line, "cldbg: ")) is_new = false;
        if (is_new) fprintf(stderr, "%.*s", (int)(end - line), line);
    }
    fuzz_show_input(f, input);
    cmd_say("to repeat it: cldbg run %s", path);
}

/** Captures a minimized launch, and runs it again in a process of its own. */
static struct err *confirm(struct fuzz *f, const struct fuzz_input *input)
{
    struct verify_job *j = f->job;
    if (mkdir(f->folder, 0777) && errno != EEXIST)
        return err_new("%s cannot be created: %m", f->folder);
    const char *path = arena_printf(j->arena, "%s/%s-%s-%llu.cldbg", f->folder, j->kernel,
                                    f->shows_report ? "fuzz" : "verify",
                                    (unsigned long long)f->findings + 1);
    found_list found = {0};
    unlink(path);
    driver.capture(path);
    struct err *e = launch(f, input, &found);
    driver.capture(NULL);
    vec_free(&found);
    if (!e && access(path, F_OK)) e = err_new("%s cannot be written", path);
    struct str text = {0};
    bool is_new = false;
    if (!e) e = verify_run(j, (const char *const[]){path, NULL}, &is_new, &text);
    found_list again = {0};
    read_keys(str_text(&text), &again);
    const bool counts = is_new || (f->shows_report && again.len);
    vec_free(&again);
    f->findings += !e && counts;
    if (!e && !counts) unlink(path);
    if (!e && counts && f->shows_report) show_report(f, str_text(&text), input, path);
    str_deinit(&text);
    return e;
}

/** Minimizes and captures each finding of the input that is new. */
static struct err *take_findings(struct fuzz *f, const struct fuzz_input *input,
                                 const found_list *found)
{
    struct err *e = NULL;
    for (size_t i = 0; i < found->len && !e; i++) {
        bool is_new;
        map_put(&f->known, found->data[i], &is_new);
        if (!is_new || map_get(&f->shown, found->data[i])) continue;
        struct fuzz_input small = fuzz_copy(f, input);
        e = minimize(f, &small, found->data[i]);
        if (!e) e = confirm(f, &small);
        free(small.data);
    }
    return e;
}

static bool is_over(const struct fuzz *f, double begin)
{
    return now() - begin >= (double)f->seconds || io_is_ending() ||
           (f->most_launches && f->launches >= f->most_launches) ||
           (!f->shows_report && !verify_is_left(f->job));
}

static struct err *loop(struct fuzz *f)
{
    const double begin = now();
    uint64_t covered = 0, turns = 0;
    struct err *e = NULL;
    struct fuzz_input input = fuzz_first(f);
    do {
        found_list found = {0};
        e = launch(f, &input, &found);
        const uint64_t reached = driver.coverage();
        if (!e && (reached != covered || !f->corpus.len)) {
            vec_push(&f->corpus, fuzz_copy(f, &input));
            covered = reached;
        }
        if (!e) e = take_findings(f, &input, &found);
        vec_free(&found);
        free(input.data);
        if (e) return e;
        // Half of the time the newest input, which reached something new.
        const size_t n = f->corpus.len, i = turns++ % 2 ? n - 1 : turns / 2 % n;
        input = fuzz_copy(f, &f->corpus.data[i]);
        fuzz_mutate(f, &input);
    } while (!is_over(f, begin));
    free(input.data);
    return NULL;
}

/** Launches what the solver found: values of arguments and contents of buffers. */
static struct err *try_models(struct fuzz *f)
{
    struct verify_job *j = f->job;
    struct err *e = NULL;
    for (int p = 0; p < PROOF_PROPERTIES && !e; p++) {
        const struct proof_verdict *v = &j->answer.of[p];
        if (v->result != PROOF_CANDIDATE || j->refuted[p]) continue;
        struct fuzz_input input = fuzz_of_model(f, v);
        found_list found = {0};
        e = launch(f, &input, &found);
        if (!e) e = take_findings(f, &input, &found);
        vec_free(&found);
        free(input.data);
    }
    return e;
}

struct err *fuzz_search(struct fuzz *f)
{
    find_driver(f->kernel);
    struct err *e = fuzz_prepare(f);
    if (e) return e;
    fflush(stdout);
    const int out = dup(STDOUT_FILENO), null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (null >= 0) dup2(null, STDOUT_FILENO); // what the kernel prints
    e = try_models(f);
    if (!e && f->seconds && !is_over(f, now())) e = loop(f);
    fflush(stdout);
    if (out >= 0) dup2(out, STDOUT_FILENO);
    if (out >= 0) close(out);
    if (null >= 0) close(null);
    return e;
}

struct err *fuzz_options(const struct dev_option_set *s, struct dev_option_set *out)
{
    struct err *e = NULL;
    for (int o = 0; o < DEV_OPT_COUNT && !e; o++) {
        const struct dev_option_value *v = &s->v[o];
        const unsigned use = dev_option_infos[o].applies;
        const bool is_driver_option = (use & DEV_FOR_CAPTURED) || o == DEV_OPT_COMPUTE_UNITS ||
                                      o == DEV_OPT_SOURCE_DIR || o == DEV_OPT_CHECK;
        if (!v->given || !is_driver_option) continue;
        for (size_t i = 0; i < v->list.len && !e; i++) e = dev_option_put(out, o, v->list.data[i]);
        if (!v->list.len) e = dev_option_put(out, o, v->text);
    }
    static const struct {
        enum dev_option o;
        const char *value;
    } own[] = {{DEV_OPT_LOG_FILE, "/dev/null"},
               {DEV_OPT_COVERAGE_FAIL_UNDER, "0"},
               {DEV_OPT_INSTRUCTION_LIMIT, "50000000"},
               {DEV_OPT_LIVELOCK_LIMIT, "10000000"}};
    for (size_t i = 0; i < sizeof own / sizeof *own && !e; i++)
        if (!out->v[own[i].o].given) e = dev_option_put(out, own[i].o, own[i].value);
    return e;
}
