// SPDX-License-Identifier: MIT
// `cldbg fuzz`: searches for data and sizes with which a kernel fails (fuzz.h).
#include "cli/fuzz.h"

#include "base/io.h"
#include "report/document.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static bool is_fixed(const struct fuzz *f)
{
    for (unsigned d = 0; d < 3; d++)
        if (f->global.lo[d] < f->global.hi[d] || f->local.lo[d] < f->local.hi[d]) return false;
    for (unsigned i = 0; i < f->job->nargs; i++) {
        const struct verify_arg *a = &f->job->args[i];
        if (a->is_open || a->any_contents || a->has_range) return false;
    }
    return true;
}

static struct {
    struct fuzz *f;
    const struct dev_option_set *s;
    pthread_mutex_t lock; // while the closing line is made
    bool done;
} closing = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void close_reports(struct fuzz *f, const struct dev_option_set *s)
{
    json_t *(*coverage)(void);
    *(void **)&coverage = f->kernel->cl->clGetExtensionFunctionAddress("cldbgCoverage");
    json_t *const counted = coverage();
    const struct rep_coverage_sum sum = rep_coverage_sum(counted);
    struct str ran = {0};
    rep_put_coverage(&ran, &sum);
    json_decref(counted);
    cmd_reports_add(f->job->found);
    cmd_reports_end(s, NULL, false);
    cmd_say("%llu finding%s in %llu launches of kernel '%s', which ran %s",
            (unsigned long long)f->shown.len, f->shown.len == 1 ? "" : "s",
            (unsigned long long)f->launches, f->job->kernel, str_text(&ran));
    str_deinit(&ran);
}

static int status_of(const struct fuzz *f) { return f->shown.len ? CMD_RUN_ERRORS : CMD_OK; }

/** A signal ends the search: what was found until then is reported. */
static int last_words(void)
{
    pthread_mutex_lock(&closing.lock); // for good: the process ends
    if (!closing.done) close_reports(closing.f, closing.s);
    return status_of(closing.f);
}

static void end_search(struct fuzz *f, const struct dev_option_set *s)
{
    pthread_mutex_lock(&closing.lock);
    close_reports(f, s);
    closing.done = true;
    pthread_mutex_unlock(&closing.lock);
}

static struct err *search(struct fuzz *f, struct dev_option_set *s, struct dev_option_set *quiet)
{
    struct verify_job *j = f->job;
    const char *const options = dev_option_build_options(s, DEV_OPT_BUILD_OPTIONS);
    struct err *e = verify_read_sizes(s, DEV_OPT_GLOBAL, &f->global);
    if (!e) e = verify_read_sizes(s, DEV_OPT_LOCAL, &f->local);
    j->global = f->global;
    if (!e) e = cmd_read_range(s, &j->range);
    if (!e) e = cmd_add_source_dir(s, j->file);
    if (!e) e = fuzz_options(s, quiet);
    if (!e) e = cmd_kernel_open(f->kernel, quiet, j->file, s->v[DEV_OPT_KERNEL].text, options);
    if (!e) e = cmd_reports_begin(s); // (of the runs that show a finding, not of this process)
    if (!e) e = verify_read_args(j, f->kernel);
    if (!e && is_fixed(f))
        e = err_new("nothing is to be varied: give an argument as int=any, int=1..100, int[64]=any "
                    "or int[64]=0..63, or a size as 16..256");
    if (e) return e;
    j->kernel = f->kernel->name;
    closing.f = f, closing.s = s;
    f->kernel->set_last_words(last_words);
    return fuzz_search(f);
}

int cmd_fuzz(int argc, char **argv)
{
    struct dev_option_set s = {0}, quiet = {0};
    struct cmd_kernel k = {0};
    const bool none_off[REP_KIND_COUNT] = {0};
    struct verify_job j = {.arena = &s.arena,
                           .options = &s,
                           .found = rep_document_create(none_off, NULL),
                           .wants_all = true};
    struct fuzz f = {.job = &j, .kernel = &k, .shows_report = true};
    struct err *e = NULL;
    for (int i = 0; i < argc && !e; i++) {
        if (argv[i][0] == '-' && argv[i][1]) e = dev_option_parse(&s, argv[i], DEV_FOR_FUZZ);
        else if (j.file) e = err_new("two files: %s and %s", j.file, argv[i]);
        else j.file = argv[i];
    }
    if (!e && cmd_help_asked(&s)) return cmd_help(&s, DEV_FOR_FUZZ);
    if (!e && s.v[DEV_OPT_VERSION].given) return cmd_version();
    if (!e && !j.file) e = err_new("no kernel file is named; `cldbg fuzz --help` shows how");
    f.folder = s.v[DEV_OPT_CAPTURE].given ? s.v[DEV_OPT_CAPTURE].text : "cldbg-captures";
    f.seed = s.v[DEV_OPT_SEED].given ? s.v[DEV_OPT_SEED].number : 1;
    f.seconds = s.v[DEV_OPT_SECONDS].given ? s.v[DEV_OPT_SECONDS].number : 60;
    f.most_launches = s.v[DEV_OPT_RUNS].number;
    if (!e) e = search(&f, &s, &quiet);
    if (!e) end_search(&f, &s);
    const int status = e ? cmd_fail(CMD_RUN_FAILED, e) : status_of(&f);
    for (unsigned i = 0; i < j.nargs; i++)
        if (!j.args[i].is_open) free(j.args[i].arg.data);
    json_decref(j.found);
    fuzz_release(&f);
    cmd_kernel_close(&k);
    dev_option_set_deinit(&quiet);
    dev_option_set_deinit(&s);
    return status;
}
