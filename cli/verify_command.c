// SPDX-License-Identifier: MIT
// `cldbg verify`: asks the proof engine about one kernel and shows a verdict for each property. For
// those that are not proved, runs are searched that refute them: only what the interpreter reports
// is a refutation.
#include "cli/fuzz.h"

#include "base/io.h"
#include "devices/dev.h"
#include "devices/proof_report.h"
#include "report/document.h"
#include "report/sink.h"

#include <stdlib.h>
#include <string.h>

enum { SOME_UNKNOWN = 3 };

static struct err *prove(struct verify_job *j, struct cmd_kernel *k, const char *options)
{
    struct err *(*ask)(const struct dev_build *, const struct proof_question *, struct arena *,
                       struct proof_answer *);
    *(void **)&ask = k->cl->clGetExtensionFunctionAddress("cldbgProve");
    char *text;
    size_t size;
    struct err *e = cmd_read_file(j->arena, j->file, &text, &size);
    if (e) return e;
    struct dev_blob object = {text, size};
    struct dev_build b = {.kind = DEV_BUILD,
                          .options = cmd_with_folder(j->arena, j->file, options)};
    if (io_is_text(text, size)) b.source = text, b.source_len = size;
    else b.objects = &object, b.nobjects = 1;
    return ask(&b, &j->question, j->arena, &j->answer);
}

/** The decisions: what a run refuted, otherwise the verdict. */
static struct proof_report report_of(const struct verify_job *j)
{
    struct proof_report r = {.kernel = j->kernel,
                             .place = &j->answer.kernel,
                             .dims = j->question.work_dim,
                             .global = j->question.global,
                             .fewest = j->question.fewest,
                             .local = j->question.local,
                             .least_local = j->question.least_local,
                             .offset = j->question.offset,
                             .was_searched = j->runs > 0};
    for (int p = 0; p < PROOF_PROPERTIES; p++) {
        const struct proof_verdict *v = &j->answer.of[p];
        r.of[p] = j->refuted[p]
                      ? (struct proof_decision){.result = DECIDED_REFUTED,
                                                .finding = j->refuted[p],
                                                .place = j->place[p],
                                                .command = j->command[p],
                                                .capture = j->capture[p]}
                      : (struct proof_decision){
                            .result = v->result == PROOF_PROVED ? DECIDED_PROVED : DECIDED_UNKNOWN,
                            .verdict = v};
    }
    return r;
}

/** The reports that are wanted: the proofs, and the findings of the runs. */
static void add_reports(struct verify_job *j, const struct dev_option_set *s,
                        const struct rep_totals *t)
{
    const struct proof_report r = report_of(j);
    json_object_set_new(j->found, "proofs", json_pack("[o]", proof_report_json(&r)));
    cmd_reports_add(j->found);
    cmd_reports_end(s, t, false);
}

/** " and global sizes 256 to 1048576,8", if they are ranges. */
static void put_sizes(struct str *s, const char *name, const struct verify_sizes *g, unsigned dims)
{
    if (!memcmp(g->lo, g->hi, sizeof g->lo)) return;
    for (unsigned d = 0; d < dims; d++) {
        if (d) str_put(s, ",");
        else str_printf(s, " and %s sizes ", name);
        str_printf(s, "%zu", g->lo[d]);
        if (g->lo[d] < g->hi[d]) str_printf(s, " to %zu", g->hi[d]);
    }
}

static int print(const struct verify_job *j)
{
    unsigned proved = 0, refuted = 0, unknown = 0;
    struct str s = {0};
    str_printf(&s, "kernel '%s' of %s, for any contents of its buffers", j->kernel, j->file);
    put_sizes(&s, "global", &j->global, j->range.dims);
    put_sizes(&s, "local", &j->local, j->range.dims);
    str_put(&s, ":\n");
    const struct proof_report r = report_of(j);
    proof_report_text(&s, &r, true);
    for (int p = 0; p < PROOF_PROPERTIES; p++) {
        proved += r.of[p].result == DECIDED_PROVED;
        refuted += r.of[p].result == DECIDED_REFUTED;
        unknown += r.of[p].result == DECIDED_UNKNOWN;
    }
    if (j->options->v[DEV_OPT_VERBOSE].given)
        str_printf(&s, "  %u ms: %u questions decided in closed form, %u by Z3\n",
                   j->answer.milliseconds, j->answer.solved, j->answer.queries);
    rep_write_safe(stdout, str_text(&s));
    str_deinit(&s);
    cmd_say("%u of %d properties proved, %u refuted, %u unknown (%u run%s)", proved,
            PROOF_PROPERTIES, refuted, unknown, j->runs, j->runs == 1 ? "" : "s");
    for (int p = 0; p < PROOF_PROPERTIES; p++)
        if (j->refuted[p] && j->answer.of[p].result == PROOF_PROVED)
            cmd_say("internal error: '%s' was proved and refuted; please report this",
                    proof_property_id((enum proof_property)p));
    return refuted ? CMD_RUN_ERRORS : unknown ? SOME_UNKNOWN : CMD_OK;
}

/** The model of an open candidate says what buffers contain: a launch may refute it. */
static bool has_contents(const struct verify_job *j)
{
    for (int p = 0; p < PROOF_PROPERTIES; p++) {
        const struct proof_verdict *v = &j->answer.of[p];
        for (uint32_t n = 0; v->result == PROOF_CANDIDATE && !j->refuted[p] && n < v->nvalues; n++)
            if (v->values[n].size) return true;
    }
    return false;
}

/** The models of candidates; --search: a fuzzer is to refute the properties that are left. */
static struct err *search(struct verify_job *j, struct cmd_kernel *k,
                          const struct dev_option_set *s)
{
    struct fuzz f = {.job = j,
                     .kernel = k,
                     .all_contents = true,
                     .folder = verify_captures(j),
                     .seed = s->v[DEV_OPT_SEED].given ? s->v[DEV_OPT_SEED].number : 1,
                     .seconds = s->v[DEV_OPT_SEARCH].number};
    for (unsigned d = 0; d < 3; d++) {
        const size_t local = verify_local_size(j, d, j->range.dims > 1 ? 8 : 64);
        f.local.lo[d] = f.local.hi[d] = local;
        f.global.lo[d] = (j->global.lo[d] + local - 1) / local * local;
        f.global.hi[d] = j->global.hi[d] < f.global.lo[d] + 1024
                             ? j->global.hi[d]
                             : f.global.lo[d] + 1024 / local * local;
    }
    const bool runs = !s->v[DEV_OPT_RUNS].given || s->v[DEV_OPT_RUNS].number;
    const bool wanted = f.seconds ? verify_is_left(j) : runs && has_contents(j);
    struct err *e = wanted ? fuzz_search(&f) : NULL;
    j->runs += (unsigned)f.launches;
    fuzz_release(&f);
    return e;
}

static struct err *verify(struct verify_job *j, struct cmd_kernel *k, struct dev_option_set *s,
                          struct dev_option_set *quiet)
{
    const char *options = dev_option_build_options(s, DEV_OPT_BUILD_OPTIONS);
    struct err *e = s->v[DEV_OPT_GLOBAL].given ? verify_read_sizes(s, DEV_OPT_GLOBAL, &j->global)
                                               : NULL;
    if (!e && s->v[DEV_OPT_LOCAL].given) e = verify_read_sizes(s, DEV_OPT_LOCAL, &j->local);
    if (!e) e = cmd_read_range(s, &j->range);
    if (!e && !j->range.has_local)
        e = err_new("--local=X[,Y[,Z]] is missing: the sizes of the work-groups, or any");
    if (!e) e = cmd_add_source_dir(s, j->file);
    if (!e) e = fuzz_options(s, quiet);
    if (!e) e = cmd_kernel_open(k, quiet, j->file, s->v[DEV_OPT_KERNEL].text, options);
    if (!e) e = cmd_reports_begin(s);   // (of the runs that show a finding, not of this process)
    if (!e) k->set_last_words(NULL);    // those of `cldbg run`
    if (!e) e = verify_whole_groups(j); // (the driver has its settings from here on)
    if (!e) e = verify_read_args(j, k);
    if (e) return e;
    j->kernel = k->name;
    e = prove(j, k, options);
    if (!e) e = verify_search(j);
    if (!e) e = search(j, k, s);
    if (!e) add_reports(j, s, k->totals);
    return e;
}

int cmd_verify(int argc, char **argv)
{
    struct dev_option_set s = {0}, quiet = {0};
    struct cmd_kernel k = {0};
    const bool none_off[REP_KIND_COUNT] = {0};
    struct verify_job j = {
        .arena = &s.arena, .options = &s, .found = rep_document_create(none_off, NULL)};
    struct err *e = NULL;
    for (int i = 0; i < argc && !e; i++) {
        if (argv[i][0] == '-' && argv[i][1]) e = dev_option_parse(&s, argv[i], DEV_FOR_VERIFY);
        else if (j.file) e = err_new("two files: %s and %s", j.file, argv[i]);
        else j.file = argv[i];
    }
    if (!e && cmd_help_asked(&s)) return cmd_help(&s, DEV_FOR_VERIFY);
    if (!e && s.v[DEV_OPT_VERSION].given) return cmd_version();
    if (!e && !j.file) e = err_new("no kernel file is named; `cldbg verify --help` shows how");
    if (!e) e = verify(&j, &k, &s, &quiet);
    int status = e ? cmd_fail(CMD_RUN_FAILED, e) : print(&j);
    for (unsigned i = 0; i < j.nargs; i++)
        if (!j.args[i].is_open) free(j.args[i].arg.data);
    json_decref(j.found);
    cmd_kernel_close(&k);
    dev_option_set_deinit(&quiet);
    dev_option_set_deinit(&s);
    return status;
}
