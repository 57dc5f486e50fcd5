// SPDX-License-Identifier: MIT
// `cldbg run`: what to run comes from options, or from a simulation file.
#include "cli/host.h"
#include "cli/ranks.h"
#include "cli/run_ranks.h"

#include "base/io.h"

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** "X[,Y[,Z]]"; unused dimensions stay. */
static struct err *parse_sizes(const struct dev_option_set *s, enum dev_option o, bool zero_is_fine,
                               size_t out[3], unsigned *dims)
{
    const char *name = dev_option_infos[o].name, *text = s->v[o].text, *p = text;
    *dims = 0;
    for (;;) {
        char *end;
        errno = 0;
        unsigned long long n = strtoull(p, &end, 0);
        if (!isdigit((unsigned char)*p) || errno || (*end && *end != ',') || (!n && !zero_is_fine))
            return err_new("--%s=%s: sizes such as 64 or 64,8 are expected", name, text);
        if (*dims == 3) return err_new("--%s=%s: there are at most three dimensions", name, text);
        out[(*dims)++] = n;
        if (!*end) return NULL;
        p = end + 1;
    }
}

struct err *cmd_read_range(const struct dev_option_set *s, struct cmd_range *r)
{
    *r = (struct cmd_range){.global = {1, 1, 1}, .local = {1, 1, 1}};
    unsigned n;
    if (!s->v[DEV_OPT_GLOBAL].given)
        return err_new("--global=X[,Y[,Z]] is missing: how many work-items?");
    struct err *e = parse_sizes(s, DEV_OPT_GLOBAL, false, r->global, &r->dims);
    if (!e && s->v[DEV_OPT_LOCAL].given) {
        r->has_local = true;
        e = parse_sizes(s, DEV_OPT_LOCAL, false, r->local, &n);
        if (!e && n != r->dims) e = err_new("--local has %u dimensions, --global %u", n, r->dims);
    }
    if (!e && s->v[DEV_OPT_OFFSET].given) {
        e = parse_sizes(s, DEV_OPT_OFFSET, true, r->offset, &n);
        if (!e && n != r->dims) e = err_new("--offset has %u dimensions, --global %u", n, r->dims);
    }
    return e;
}

/** --dump=ARG[:FORMAT] */
static struct err *mark_dump(const struct cmd_kernel *k, struct arena *arena, struct cmd_arg *args,
                             const char *spec)
{
    size_t n = strcspn(spec, ":");
    unsigned i = 0;
    if (isdigit((unsigned char)*spec)) {
        char *end;
        unsigned long number = strtoul(spec, &end, 10);
        i = end == spec + n && number < k->nparams ? (unsigned)number : k->nparams;
    } else {
        while (i < k->nparams &&
               (strlen(k->params[i].name) != n || memcmp(k->params[i].name, spec, n)))
            i++;
    }
    if (i == k->nparams) {
        struct str sig = {0};
        cmd_kernel_signature(k, &sig);
        struct err *e =
            err_new("--dump=%s: there is no such argument; there are %s", spec, str_text(&sig));
        str_deinit(&sig);
        return e;
    }
    struct cmd_arg *a = &args[i];
    if (a->kind != CMD_ARG_BUFFER && a->kind != CMD_ARG_NULL && a->kind != CMD_ARG_SAME &&
        a->kind != CMD_ARG_IMAGE && a->kind != CMD_ARG_PIPE && !(a->kind == CMD_ARG_SET && a->mem))
        return err_new("--dump=%s: argument %u is not a buffer", spec, i);
    struct cmd_dump *d = cmd_dump_add(arena, a);
    if (!spec[n]) return NULL;
    const char *format = spec + n + 1;
    struct cmd_type t = cmd_type_find(format, strlen(format));
    if (t.scalar) d->type = t;
    else if (!strcmp(format, "hex")) d->style = CMD_HEX;
    else return err_new("--dump=%s: '%s' is neither a type nor hex", spec, format);
    return NULL;
}

static struct err *mark_dumps(const struct cmd_kernel *k, struct arena *arena, struct cmd_arg *args,
                              const struct dev_option_set *s)
{
    const struct dev_option_value *dumps = &s->v[DEV_OPT_DUMP];
    struct err *e = NULL;
    for (size_t i = 0; i < dumps->list.len && !e; i++)
        e = mark_dump(k, arena, args, dumps->list.data[i]);
    return e;
}

static struct err *args_from_options(const struct cmd_kernel *k, const struct dev_option_set *s,
                                     struct arena *a, struct cmd_arg *args)
{
    const struct dev_option_value *specs = &s->v[DEV_OPT_ARG];
    uint64_t seed = s->v[DEV_OPT_SEED].given ? s->v[DEV_OPT_SEED].number : 1;
    struct err *e = NULL;
    if (specs->list.len != k->nparams) {
        struct str sig = {0};
        cmd_kernel_signature(k, &sig);
        e = err_new("kernel '%s' takes %u argument%s, %zu given with --arg%s%s", k->name,
                    k->nparams, k->nparams == 1 ? "" : "s", specs->list.len, k->nparams ? ": " : "",
                    str_text(&sig));
        str_deinit(&sig);
    }
    for (unsigned i = 0; i < k->nparams && !e; i++) {
        e = cmd_spec_parse(a, specs->list.data[i], seed + i, &args[i]);
        if (!e) e = err_wrap(cmd_kernel_check_arg(k, i, args), "--arg=%s", specs->list.data[i]);
        if (!e)
            e = err_wrap(cmd_kernel_check_class(k, i, &args[i]), "--arg=%s", specs->list.data[i]);
        if (!e && args[i].kind == CMD_ARG_SAME) args[i].type = args[args[i].same].type;
    }
    return e ? e : mark_dumps(k, a, args, s);
}

/** What a simulation file or a capture says itself cannot be an option besides. */
static struct err *refuse_with_file(const struct dev_option_set *s, const char *what, bool dump)
{
    static const enum dev_option own[] = {DEV_OPT_KERNEL, DEV_OPT_GLOBAL, DEV_OPT_LOCAL,
                                          DEV_OPT_OFFSET, DEV_OPT_ARG,    DEV_OPT_DUMP};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (s->v[own[i]].given && !(dump && own[i] == DEV_OPT_DUMP))
            return err_new("--%s cannot be combined with %s", dev_option_infos[own[i]].name, what);
    return NULL;
}

/** Findings name the file by its path; the driver looks for it where we found it. */
struct err *cmd_add_source_dir(struct dev_option_set *s, const char *path)
{
    char *folder = cmd_folder(path);
    struct err *e = access(folder, X_OK) ? NULL : dev_option_put(s, DEV_OPT_SOURCE_DIR, folder);
    free(folder);
    return e ? e : cmd_prepare_options(s);
}

// If a signal or the debugger ends the process during the launch, the files are closed here.
static struct {
    struct cmd_kernel *k;
    struct dev_option_set *s;
} last;

/** The reports and the closing line are made once: here, or when a signal comes. */
static struct {
    pthread_mutex_t lock; // while they are made
    bool done;
} closing = {.lock = PTHREAD_MUTEX_INITIALIZER};

int cmd_last_words(void)
{
    io_set_ending(true);
    pthread_mutex_lock(&closing.lock); // for good: the process ends
    if (!closing.done) {
        fflush(stdout);
        cmd_reports_end(last.s, last.k->totals, false);
        cmd_summary(last.k->totals, last.s, NULL);
    }
    return cmd_found_errors(last.k->totals, last.s) ? CMD_RUN_ERRORS : CMD_OK;
}

static struct err *run_kernel(struct cmd_kernel *k, struct cmd_arg *args, const struct cmd_range *r)
{
    struct err *e = cmd_kernel_run(k, args, r);
    k->set_last_words(NULL);
    return e;
}

static bool is_from_capture[DEV_OPT_COUNT];

/**
 * A capture can ask for a limit so low that no error is met. A launch that such a limit ended does
 * not count as one without errors.
 */
static bool is_cut_by_capture(const char *file, const struct rep_totals *t)
{
    const enum dev_option o = is_from_capture[DEV_OPT_INSTRUCTION_LIMIT] ? DEV_OPT_INSTRUCTION_LIMIT
                                                                         : DEV_OPT_LIVELOCK_LIMIT;
    if (!is_from_capture[o] || !t->cut_checks) return false;
    cmd_say("%s: its --%s ended the launch, so not all of it was checked; give another on the "
            "command line (0: no limit)",
            file, dev_option_infos[o].name);
    return true;
}

/**
 * Options of a capture hold where the user gives none. It may come from a stranger: options
 * that are not for captures are ignored with a message.
 */
static struct err *take_options(struct dev_option_set *s, const char *file,
                                const struct dev_capture *c)
{
    struct dev_option_set theirs = {0};
    struct str ignored = {0};
    struct err *e = err_wrap(dev_option_parse_text(&theirs, c->options), "%s", file);
    if (!e) e = err_wrap(dev_option_check(&theirs), "%s", file);
    for (int i = 0; i < DEV_OPT_COUNT && !e; i++) {
        if (!theirs.v[i].given) continue;
        if (!(dev_option_infos[i].applies & DEV_FOR_CAPTURED))
            str_printf(&ignored, "%s--%s", ignored.len ? ", " : "", dev_option_infos[i].name);
        else if (!s->v[i].given)
            e = dev_option_put(s, i, theirs.v[i].text), is_from_capture[i] = true;
    }
    if (!e && ignored.len)
        cmd_say("%s asks for %s, which a capture cannot set: ignored", file, str_text(&ignored));
    str_deinit(&ignored);
    dev_option_set_deinit(&theirs);
    return e;
}

/** A launch that --capture wrote. */
static struct err *repeat(struct cmd_kernel *k, struct dev_option_set *s, const char *file,
                          const struct dev_capture *c)
{
    struct err *e = refuse_with_file(s, "a capture", true);
    if (!e && s->v[DEV_OPT_BUILD_OPTIONS].given)
        e = err_new("--build-options cannot be combined with a capture");
    if (!e) e = take_options(s, file, c);
    for (uint32_t i = 0; i < c->nmemory && !e; i++)
        if (c->memory[i].address && (s->v[DEV_OPT_NATIVE].given || s->v[DEV_OPT_BOTH].given))
            e = err_new(
                "a launch with shared virtual memory cannot be repeated as machine code: its "
                "addresses are those of the app");
    if (!e) e = cmd_prepare_options(s);
    if (!e) e = cmd_kernel_open_capture(k, s, c);
    if (e) return e;
    struct cmd_arg *args = arena_array(&k->arena, struct cmd_arg, k->nparams + 1);
    struct cmd_range r = {.dims = c->dims, .has_local = true};
    for (unsigned d = 0; d < 3; d++) {
        r.offset[d] = c->offset[d];
        r.global[d] = c->global[d];
        r.local[d] = c->local[d];
    }
    e = cmd_capture_args(k, c, args);
    if (!e) e = mark_dumps(k, &k->arena, args, s);
    return e ? e : run_kernel(k, args, &r);
}

static struct err *repeat_file(struct cmd_kernel *k, struct dev_option_set *s, const char *file)
{
    struct dev_capture c;
    struct err *e = dev_capture_read(file, &c);
    if (!e) e = repeat(k, s, file, &c);
    dev_capture_deinit(&c);
    return e;
}

struct packed {
    unsigned long long launches;
    char *first; // path
};
static void count_item(void *ctx, const struct dev_capture_item *item)
{
    struct packed *const p = ctx;
    if (!p->launches++) p->first = mem_strdup(item->path);
}

static struct err *refuse_pack(const char *file)
{
    struct packed p = {0};
    struct err *e = dev_capture_each(file, count_item, &p);
    if (!e)
        e = p.launches ? err_new("%s has %llu launches: name one, such as %s, or use cldbg check",
                                 file, p.launches, p.first)
                       : err_new("%s has no launches", file);
    free(p.first);
    return e;
}

/**
 * A simulation file may be a stranger's: the compiler's messages must not show lines of any file
 * that it names.
 */
static struct err *check_program(const struct dev_option_set *s, const struct cmd_sim *sim)
{
    const struct dev_option_value *dirs = &s->v[DEV_OPT_SOURCE_DIR];
    char *folder = cmd_folder(sim->path);
    bool below = io_is_below(sim->program, folder);
    for (size_t i = 0; i < dirs->list.len && !below; i++)
        below = io_is_below(sim->program, dirs->list.data[i]);
    free(folder);
    if (below || access(sim->program, F_OK)) return NULL;
    return err_new("%s: its program %s is not in the folder of the simulation file; "
                   "--source-dir=DIR allows others",
                   sim->path, sim->program);
}

static struct err *run(struct cmd_kernel *k, struct dev_option_set *s, const char *file)
{
    last.k = k, last.s = s;
    if (dev_capture_is(file)) return repeat_file(k, s, file);
    if (dev_capture_is_pack(file)) return refuse_pack(file);
    if (str_ends(file, ".cldbg") && access(file, R_OK)) return err_new("%s: %m", file);
    bool is_sim = str_ends(file, ".sim");
    const char *options = dev_option_build_options(s, DEV_OPT_BUILD_OPTIONS);
    struct cmd_sim sim = {0};
    struct cmd_range range;
    struct err *e = is_sim ? refuse_with_file(s, "a simulation file", false)
                           : cmd_read_range(s, &range);
    if (!e && is_sim) e = cmd_sim_open(&sim, &s->arena, file);
    if (e) return e;
    const char *program = is_sim ? sim.program : file;
    if (is_sim) e = check_program(s, &sim);
    if (!e) e = cmd_add_source_dir(s, program);
    if (!e)
        e = cmd_kernel_open(k, s, program, is_sim ? sim.kernel : s->v[DEV_OPT_KERNEL].text,
                            options);
    if (e) return e;
    struct cmd_arg *args = arena_array(&k->arena, struct cmd_arg, k->nparams + 1);
    e = is_sim ? cmd_sim_args(&sim, k, &k->arena, args) : args_from_options(k, s, &k->arena, args);
    if (!e) e = run_kernel(k, args, is_sim ? &sim.range : &range);
    for (unsigned i = 0; i < k->nparams; i++) free(args[i].data);
    return e;
}

/** The exit status of a run that did not fail. */
static int status_of(const struct rep_totals *t, const struct dev_option_set *s, const char *file)
{
    const struct dev_option_value *code = &s->v[DEV_OPT_ERROR_EXITCODE];
    const bool errors = t->errors || t->internal_errors; // (with --strict, the cut is a warning)
    if (!errors && is_cut_by_capture(file, t)) return CMD_RUN_FAILED;
    if (cmd_found_errors(t, s)) return code->given ? (int)code->number : CMD_RUN_ERRORS;
    return cmd_covers_too_little(s) ? CMD_RUN_ERRORS : CMD_OK;
}

static int close_run(struct cmd_kernel *k, const struct dev_option_set *s, const char *file,
                     struct err **e)
{
    int status = CMD_OK;
    pthread_mutex_lock(&closing.lock);
    if (!cmd_reports_end(s, k->totals, false) && !*e) *e = err_new("a report could not be written");
    if (k->totals && k->totals->launches) {
        cmd_summary(k->totals, s, NULL);
        status = status_of(k->totals, s, file);
    }
    closing.done = true;
    pthread_mutex_unlock(&closing.lock);
    while (io_is_ending()) pause(); // a signal came: the thread that it woke ends the process
    return status;
}

/** Another rank than 0: the exit status of all is that of rank 0, unless MPI does not start. */
static int end_silently(struct err *e)
{
    if (!run_ranks_is_silent()) {
        err_free(e);
        return CMD_RUN_FAILED;
    }
    run_ranks_end(CMD_OK, e);
    return CMD_OK;
}

int cmd_run(int argc, char **argv)
{
    struct dev_option_set s = {0};
    struct cmd_kernel k = {0};
    const char *file = NULL;
    struct err *e = cmd_env_options(&s);
    for (int i = 0; i < argc && !e; i++) {
        if (argv[i][0] == '-' && argv[i][1]) e = dev_option_parse(&s, argv[i], DEV_FOR_RUN);
        else if (file) e = err_new("two files: %s and %s", file, argv[i]);
        else file = argv[i];
    }
    if (!e && cmd_help_asked(&s)) return cmd_help(&s, DEV_FOR_RUN);
    if (!e && s.v[DEV_OPT_VERSION].given) return cmd_version();
    s.v[DEV_OPT_EXIT_ON_FIRST_ERROR].given = false; // there is one launch only
    if (!e) e = dev_option_check(&s);
    if (!e && !file) e = err_new("no kernel file is named; `cldbg run --help` shows how");
    const bool is_other = !cmd_has_parent() && ranks_number();
    bool leaves = is_other && e; // rank 0 prints the error
    if (!e) e = run_ranks_begin(&s, &leaves);
    if (!e && !leaves) e = run(&k, &s, file);
    const bool ran = !e;
    int status = leaves ? CMD_OK : close_run(&k, &s, file, &e);
    if (is_other && (e || run_ranks_is_silent())) {
        status = end_silently(e);
    } else if (e) {
        const int failed = cmd_fail(CMD_RUN_FAILED, e);
        if (!ran || !status) status = failed; // errors of the kernel come before unwritten reports
    }
    if (!is_other) run_ranks_end(status, NULL);
    cmd_kernel_close(&k);
    dev_option_set_deinit(&s);
    return status;
}
