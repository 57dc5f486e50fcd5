// SPDX-License-Identifier: MIT
// The settings of the command line in the app's process: CLDBG_OPTIONS, read once.
#include "devices/dev.h"
#include "devices/capture.h"

#include "base/out.h"
#include "devices/option_table.h"

#include "base/env.h"
#include "base/launcher.h"
#include "report/document.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

static struct dev_option_set options;
static struct dev_settings settings;
static bool kinds_off[REP_KIND_COUNT];

static unsigned cores(void)
{
    cpu_set_t set;
    int n = sched_getaffinity(0, sizeof set, &set) ? 0 : CPU_COUNT(&set);
    return n > 0 ? (unsigned)n : 1;
}

static uint64_t machine_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 1ull << 32;
}

/** The checks of the interpreter that enabled kinds need. */
static unsigned checks_wanted(void)
{
    static const struct {
        enum rep_kind kind;
        unsigned check;
    } of[] = {
        {REP_OUT_OF_BOUNDS, VM_CHECK_BOUNDS},
        {REP_NULL_DEREFERENCE, VM_CHECK_BOUNDS},
        {REP_MISALIGNED_ACCESS, VM_CHECK_BOUNDS},
        {REP_USE_AFTER_RELEASE, VM_CHECK_BOUNDS},
        {REP_ADDRESS_SPACE, VM_CHECK_BOUNDS},
        {REP_SUBOBJECT_OVERFLOW, VM_CHECK_BOUNDS},
        {REP_READ_ONLY_WRITE, VM_CHECK_BOUNDS},
        {REP_WRITE_ONLY_READ, VM_CHECK_BOUNDS},
        {REP_OVERLAPPING_COPY, VM_CHECK_BOUNDS},
        {REP_DATA_RACE, VM_CHECK_RACES},
        {REP_MISSING_FENCE, VM_CHECK_RACES},
        {REP_SAME_VALUE_RACE, VM_CHECK_RACES},
        {REP_BARRIER_DIVERGENCE, VM_CHECK_DIVERGENCE},
        {REP_NO_PROGRESS, VM_CHECK_DIVERGENCE},
        {REP_ASYNC_NOT_WAITED, VM_CHECK_DIVERGENCE},
        {REP_INVALID_EVENT, VM_CHECK_DIVERGENCE},
        {REP_DIVISION_BY_ZERO, VM_CHECK_ARITH},
        {REP_INVALID_CONVERSION, VM_CHECK_ARITH},
        {REP_UNREACHABLE, VM_CHECK_ARITH},
        {REP_UNINITIALIZED_READ, VM_CHECK_UNINIT},
    };
    unsigned checks = 0;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (!kinds_off[of[i].kind]) checks |= of[i].check;
    return checks;
}

static uint64_t number(enum dev_option o, uint64_t dflt)
{
    return options.v[o].given ? options.v[o].number : dflt;
}

static void read_settings(void)
{
    const char *text = env_get("CLDBG_OPTIONS");
    struct err *e = text ? dev_option_parse_text(&options, text) : NULL;
    if (!e) e = dev_option_check(&options);
    if (e) { // the command rejects errors, so the user set CLDBG_OPTIONS
        fprintf(stderr, "cldbg: CLDBG_OPTIONS is ignored: %s\n", err_message(e));
        err_free(e);
        dev_option_set_deinit(&options);
        options = (struct dev_option_set){0};
    }
    err_free(dev_option_kinds(&options, kinds_off)); // was checked above

    const char *type = options.v[DEV_OPT_DEVICE_TYPE].text;
    const char *name = options.v[DEV_OPT_DEVICE_NAME].text,
               *vendor = options.v[DEV_OPT_DEVICE_VENDOR].text;
    uint64_t global = number(DEV_OPT_GLOBAL_MEM_SIZE, machine_memory());
    size_t ndirs = options.v[DEV_OPT_SOURCE_DIR].list.len;
    const char **dirs = arena_array(&options.arena, const char *, ndirs + 1);
    for (size_t i = 0; i < ndirs; i++) dirs[i] = options.v[DEV_OPT_SOURCE_DIR].list.data[i];
    settings = (struct dev_settings){
        .checks = checks_wanted(),
        .compute_units = (unsigned)number(DEV_OPT_COMPUTE_UNITS, cores()),
        .local_mem_size = number(DEV_OPT_LOCAL_MEM_SIZE, 64 << 10),
        .global_mem_size = global,
        .max_alloc_size = global / 4, // the minimum that OpenCL allows, as on other devices
        .max_wg_size = (unsigned)number(DEV_OPT_MAX_WG_SIZE, 1024),
        .sub_group = (unsigned)number(DEV_OPT_SUB_GROUP_SIZE, 32),
        .gang = (unsigned)number(DEV_OPT_GANG, 0),
        .schedules = number(DEV_OPT_SCHEDULES, 1),
        .schedule = number(DEV_OPT_SCHEDULE, 0),
        .instruction_limit = number(DEV_OPT_INSTRUCTION_LIMIT, 0),
        .livelock_limit = number(DEV_OPT_LIVELOCK_LIMIT, DEV_LIVELOCK_LIMIT),
        .source_dirs = dirs,
        .default_cl_std = options.v[DEV_OPT_DEFAULT_CL_STD].text,
        .more_build_options = dev_option_build_options(&options, DEV_OPT_ADD_BUILD_OPTIONS),
        .device_type = type ? type : "gpu,cpu",
        .device_name = name ? name : "cldbg",
        .device_vendor = vendor ? vendor : "cldbg",
        .capture_dir = dev_option_capture(&options),
        .capture_on_finding = options.v[DEV_OPT_CAPTURE_ON_FINDING].given,
        .native = options.v[DEV_OPT_NATIVE].given,
        .both = options.v[DEV_OPT_BOTH].given,
        .remarks = options.v[DEV_OPT_REMARKS].given,
        .coverage = dev_option_covers(&options),
        .names_writers = dev_option_names_writers(&options),
        .trace = options.v[DEV_OPT_TRACE].given,
        .profile = dev_option_profiles(&options),
        .advise = options.v[DEV_OPT_ADVISE].given,
        .device_model = options.v[DEV_OPT_DEVICE_MODEL].text,
        .statistics = dev_option_has_stats(&options),
        .verbose = options.v[DEV_OPT_VERBOSE].given,
        .verify = options.v[DEV_OPT_VERIFY_KERNELS].given,
        .proof_seconds = (unsigned)number(DEV_OPT_SECONDS, 60),
        .check_api = options.v[DEV_OPT_CHECK_API].given,
    };
    err_free(dev_option_passes(&options, &settings.native_passes)); // was checked above
    unsigned engine;
    err_free(dev_option_engine(&options, &engine));
    settings.engine = (enum dev_engine)engine;
}

const struct dev_settings *dev_settings(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_settings);
    return &settings;
}

void dev_options_of_launch(struct str *out)
{
    dev_settings();
    dev_option_print(&options, DEV_FOR_CAPTURED, out);
}

static struct rep_session *session;
static FILE *log_out; // output of the report

static void flush_at_exit(void)
{
    rep_finish(session);
    if (launcher_has_open_mpi()) rep_count(&rep_totals(session)->unfinished, 1);
}

bool dev_wants_launch(const char *kernel, uint64_t number)
{
    const struct dev_option_value *v = &options.v[DEV_OPT_ONLY_KERNEL];
    dev_settings();
    uint64_t first, last;
    err_free(dev_option_launches(&options, &first, &last)); // checked when they were read
    bool named = !v->list.len;
    for (size_t i = 0; i < v->list.len && !named; i++) named = str_glob(v->list.data[i], kernel);
    return named && number >= first && number <= last;
}

/** Without the command, this process writes the reports. */
static void set_reports(struct rep_options *o)
{
    static struct dev_reports reports;
    o->fragment_dir = env_get("CLDBG_REPORT_DIR");
    const char *const keep = env_get("CLDBG_KEEP_TEXT"); // the command wants to merge texts
    o->keep_text = keep;
    if (o->fragment_dir && access(o->fragment_dir, W_OK)) o->fragment_dir = NULL;
    o->only_keeps_text = keep && !strcmp(keep, "only") && o->fragment_dir && !o->out;
    if (env_get("CLDBG_STATUS_FD")) return;
    dev_option_reports(&options, &reports);
    o->reports = reports.data;
    for (size_t i = 0; i < reports.len; i++) {
        if (!strcmp(reports.data[i].format, "junit"))
            fprintf(stderr, "cldbg: a junit report is made by the command `cldbg` only\n");
        else reports.data[o->nreports++] = reports.data[i];
    }
}

static void open_session(void)
{
    dev_settings();
    struct rep_options o = {.color = dev_option_color(&options),
                            .max_findings = dev_option_max_findings(&options)};
    memcpy(o.kinds_off, kinds_off, sizeof o.kinds_off);
    const char *gen = options.v[DEV_OPT_GEN_SUPPRESSIONS].text;
    o.gen_suppressions = gen && !strcmp(gen, "all");
    o.capture_dir = settings.capture_dir;
    o.is_captured = dev_capture_is_stored;
    o.exit_on_first_error = options.v[DEV_OPT_EXIT_ON_FIRST_ERROR].given;
    uint64_t status = number(DEV_OPT_ERROR_EXITCODE, 66);
    o.exit_status = status ? (int)status : 66;
    struct err *bad = dev_option_filter(&options, &o.filter);
    if (bad) fprintf(stderr, "cldbg: %s\n", err_message(bad)); // the command rejects it
    err_free(bad);
    o.overwrite = options.v[DEV_OPT_OVERWRITE].given;
    const char *path = NULL;
    err_free(dev_option_log(&options, &path));
    if (path) {
        // Append: the command truncated the file, and several processes of the app may write to it.
        char *own = rep_path_for(path, getpid());
        int fd = out_append(own, OUT_REPORT);
        free(own);
        o.out = fd < 0 ? NULL : fdopen(fd, "a");
        if (!o.out)
            fprintf(stderr, "cldbg: %s cannot be written (%m): the report goes to stderr\n", path);
    }
    set_reports(&o);
    log_out = o.out ? o.out : stderr;
    session = rep_create(&o);
    rep_totals(session)->schedules = settings.schedules;
    atexit(flush_at_exit);
}

FILE *dev_report_out(void) { return dev_report() ? log_out : stderr; }

struct rep_session *dev_report(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_session);
    return session;
}
