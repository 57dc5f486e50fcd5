// SPDX-License-Identifier: MIT
// Runs that may refute a property: `cldbg run` with the values of the solver's model, then with
// boundary and random values and contents. Its JSON report says what was found. The command of a
// run that found something is the witness: it repeats the finding.
#include "cli/verify.h"

#include "report/document.h"

#include "base/io.h"
#include "base/proc.h"
#include "base/temp_folder.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RUN_SECONDS = 30 };

/** A generator of numbers that depends on the seed alone (xorshift64*, Vigna 2016). */
static uint64_t next_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 0x2545F4914F6CDD1Dull;
}

static uint64_t clamp_to(const struct verify_arg *a, uint64_t v)
{
    if (a->is_any) return v;
    const int64_t x = (int64_t)v;
    return (uint64_t)(x < a->lo ? a->lo : x > a->hi ? a->hi : x);
}

/** Value number n of an open argument: boundaries, sizes of the launch, then random ones. */
static uint64_t value_of(const struct verify_job *j, unsigned i, unsigned n,
                         const struct verify_values *v, uint64_t *random)
{
    const struct verify_arg *a = &j->args[i];
    const uint64_t items = v->least, group = v->local[0];
    const uint64_t low = a->is_any ? 0 : (uint64_t)a->lo, high = a->is_any ? 1 : (uint64_t)a->hi;
    const uint64_t few[] = {low,       high,      items, items - 1, items + 1,    group,
                            group + 1, items / 2, 1,     3,         (uint64_t)-1, 7};
    if (n < sizeof few / sizeof *few) return clamp_to(a, few[n]);
    const uint64_t r = next_random(random);
    if (a->is_any) return n % 2 ? r : r % (2 * items + 1);
    const uint64_t span = (uint64_t)a->hi - (uint64_t)a->lo + 1;
    return (uint64_t)a->lo + (span ? r % span : r);
}

static void put_value(struct str *s, const struct verify_arg *a, uint64_t v)
{
    const struct cmd_scalar *t = a->type.scalar;
    const unsigned bits = t->size * 8;
    str_put(s, t->name);
    if (a->type.ncomp > 1) str_printf(s, "%u", a->type.ncomp);
    if (bits < 64) v &= (1ull << bits) - 1;
    if (t->is_float || !t->is_signed) str_printf(s, "=%" PRIu64, t->is_float ? v % 1000 : v);
    else
        str_printf(s, "=%" PRId64,
                   bits == 64 ? (int64_t)v : (int64_t)(v << (64 - bits)) >> (64 - bits));
}

/** The verdict whose model run n takes: the candidates' first, each once. */
static const struct proof_verdict *model_of(const struct verify_job *j, unsigned n)
{
    for (int p = 0; p < PROOF_PROPERTIES; p++)
        if (j->answer.of[p].result == PROOF_CANDIDATE && !n--) return &j->answer.of[p];
    return NULL;
}

/** The argument of run n: values of a model with the contents as given, then boundaries. */
static void put_arg(struct str *s, struct verify_job *j, unsigned i, unsigned n,
                    const struct verify_values *v)
{
    const struct verify_arg *a = &j->args[i];
    static const char *const contents[] = {NULL, "0", "rand", "iota", "1"};
    if (a->is_open) {
        put_value(s, a, v->of[i]);
        return;
    }
    const char *const spec = a->factor ? verify_spec(j, i, verify_count(j, i, v)) : a->spec;
    const char *kind = model_of(j, n) ? NULL : contents[n % 5], *equals = strchr(spec, '=');
    if (a->arg.kind != CMD_ARG_BUFFER || !a->arg.data || !kind || !equals) {
        str_put(s, spec);
        return;
    }
    if (a->has_range) { // of the elements
        const int64_t ends[] = {a->lo, a->hi, a->lo / 2 + a->hi / 2};
        str_printf(s, "%.*s=%" PRId64, (int)(equals - spec), spec, ends[n % 3]);
        return;
    }
    str_printf(s, "%.*s=%s", (int)(equals - spec), spec, kind);
    if (!strcmp(kind, "rand")) str_printf(s, ":%u", n);
}

/** Whether a buffer has its size from the argument: then runs do not try large values. */
static bool is_count(const struct verify_job *j, unsigned arg)
{
    for (unsigned i = 0; i < j->nargs; i++)
        if (j->args[i].factor && j->args[i].count_of == arg + 1) return true;
    return false;
}

/** The sizes of run n: from the least ones on. */
static void put_sizes(const struct verify_job *j, unsigned n, struct verify_values *v)
{
    enum { MOST_ITEMS = 8192 };
    const size_t groups[] = {j->range.dims > 1 ? 8 : 64, 1, j->range.dims > 1 ? 5 : 33,
                             j->range.dims > 1 ? 16 : SIZE_MAX};
    for (unsigned d = 0; d < 3; d++) {
        const size_t local = verify_local_size(j, d, groups[n % 4]),
                     least = (j->global.lo[d] + local - 1) / local * local,
                     many = least + local * (64u >> n / 2 % 7);
        const bool is_open = j->global.lo[d] < j->global.hi[d];
        v->local[d] = local;
        v->global[d] = !is_open                                                 ? j->range.global[d]
                       : n % 2 && many <= j->global.hi[d] && many <= MOST_ITEMS ? many
                                                                                : least;
        if (!d) v->least = least;
    }
}

/** The values of run n: those of a model, boundaries, random ones. */
static struct verify_values values_for(struct verify_job *j, unsigned n)
{
    enum { MOST_COUNT = 65536 };
    uint64_t random = (n + 1) * 0x9E3779B97F4A7C15ull;
    struct verify_values v = {.of = arena_array(j->arena, uint64_t, j->nargs + 1)};
    const struct proof_verdict *m = model_of(j, n);
    put_sizes(j, n, &v);
    for (unsigned i = 0; i < j->nargs; i++) {
        const struct verify_arg *a = &j->args[i];
        v.of[i] = a->is_open ? value_of(j, i, n, &v, &random) : a->value;
        for (uint32_t k = 0; m && a->is_open && k < m->nvalues; k++)
            if (m->values[k].arg == i && !m->values[k].size) v.of[i] = m->values[k].bits;
        if (!a->is_open || !is_count(j, i)) continue;
        if (v.of[i] > MOST_COUNT && a->lo <= MOST_COUNT) v.of[i] = MOST_COUNT;
    }
    return v;
}

struct command {
    VEC(char *) words;
};

static void put_word(struct command *c, struct arena *a, const char *text)
{
    vec_push(&c->words, arena_strdup(a, text));
}

static void put_size_option(struct command *c, struct arena *a, const char *name, const size_t *v,
                            unsigned n)
{
    struct str s = {0};
    str_printf(&s, "--%s=", name);
    for (unsigned d = 0; d < n; d++) str_printf(&s, "%s%zu", d ? "," : "", v[d]);
    put_word(c, a, str_text(&s));
    str_deinit(&s);
}

static void make_command(struct command *c, struct verify_job *j, unsigned n)
{
    struct arena *a = j->arena;
    const struct verify_values values = values_for(j, n);
    struct str s = {0};
    put_word(c, a, "cldbg");
    put_word(c, a, "run");
    put_word(c, a, j->file);
    str_printf(&s, "--kernel=%s", j->kernel);
    put_word(c, a, str_text(&s));
    put_size_option(c, a, "global", values.global, j->range.dims);
    put_size_option(c, a, "local", values.local, j->range.dims);
    if (j->options->v[DEV_OPT_OFFSET].given)
        put_size_option(c, a, "offset", j->range.offset, j->range.dims);
    for (int o = 0; o < DEV_OPT_COUNT; o++) { // limits of the device, as a capture keeps them
        const struct dev_option_value *v = &j->options->v[o];
        if (!v->given || !(dev_option_infos[o].applies & DEV_FOR_CAPTURED)) continue;
        str_clear(&s);
        str_printf(&s, "--%s=%s", dev_option_infos[o].name, v->text);
        put_word(c, a, str_text(&s));
    }
    const struct dev_option_value *build = &j->options->v[DEV_OPT_BUILD_OPTIONS];
    for (size_t i = 0; i < build->list.len; i++) {
        str_clear(&s);
        str_printf(&s, "--build-options=%s", build->list.data[i]);
        put_word(c, a, str_text(&s));
    }
    for (unsigned i = 0; i < j->nargs; i++) {
        str_clear(&s);
        str_put(&s, "--arg=");
        put_arg(&s, j, i, n, &values);
        put_word(c, a, str_text(&s));
    }
    str_deinit(&s);
}

/** As a shell reads it. */
static void put_quoted(struct str *s, const char *word)
{
    const bool plain = *word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789"
                                                   "ABCDEFGHIJKLMNOPQRSTUVWXYZ_-+=:,./%@")];
    if (plain) {
        str_put(s, word);
        return;
    }
    str_put(s, "'");
    for (; *word; word++)
        if (*word == '\'') str_put(s, "'\\''");
        else str_put_char(s, *word);
    str_put(s, "'");
}

static const char *as_text(const struct command *c, struct arena *a)
{
    struct str s = {0};
    for (size_t i = 0; i < c->words.len; i++) {
        if (i) str_put(&s, " ");
        put_quoted(&s, c->words.data[i]);
    }
    const char *text = arena_strdup(a, str_text(&s));
    str_deinit(&s);
    return text;
}

/** The properties that a finding refutes, as bits. */
static unsigned properties_of(const char *id, const char *title, const json_t *finding)
{
    static const struct {
        const char *id;
        enum proof_property property;
    } table[] = {
        {"barrier-divergence", PROOF_DIVERGENCE},  {"out-of-bounds", PROOF_BOUNDS},
        {"null-dereference", PROOF_BOUNDS},        {"misaligned-access", PROOF_BOUNDS},
        {"read-only-write", PROOF_BOUNDS},         {"address-space", PROOF_BOUNDS},
        {"uninitialized-read", PROOF_INITIALIZED}, {"division-by-zero", PROOF_DIVISIONS},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!strcmp(id, table[i].id)) return 1u << table[i].property;
    if (!strcmp(id, "data-race") || !strcmp(id, "same-value-race") ||
        !strcmp(id, "missing-fence")) {
        const json_int_t all = json_integer_value(json_object_get(finding, "times")),
                         between =
                             json_integer_value(json_object_get(finding, "between_work_groups"));
        if (strstr(title, "local memory")) return 1u << PROOF_LOCAL_RACES;
        const bool within = all > between ||
                            json_is_true(json_object_get(finding, "within_work_groups"));
        return (within ? 1u << PROOF_GROUP_RACES : 0) | (between ? 1u << PROOF_GLOBAL_RACES : 0);
    }
    return 1u << PROOF_OTHER;
}

/** Returns whether the finding refutes something that was open. */
static bool take_finding(struct verify_job *j, const json_t *f, const char *command)
{
    bool is_new = false;
    const char *id = json_string_value(json_object_get(f, "id")),
               *title = json_string_value(json_object_get(f, "title"));
    if (!id || !title || json_is_true(json_object_get(f, "possible"))) return false;
    const unsigned refuted = properties_of(id, title, f);
    const json_t *place = json_object_get(json_array_get(json_object_get(f, "sides"), 0), "place");
    const char *file = json_string_value(json_object_get(place, "file")),
               *capture = json_string_value(json_object_get(f, "capture"));
    for (int p = 0; p < PROOF_PROPERTIES; p++) {
        if (j->refuted[p] || !(refuted >> p & 1)) continue;
        is_new = true;
        j->refuted[p] = arena_printf(j->arena, "%s [%s]", title, id);
        j->command[p] = command;
        if (capture && j->keep) j->capture[p] = j->keep;
        if (file)
            j->place[p] = arena_printf(j->arena, "%s:%d:%d", file,
                                       (int)json_integer_value(json_object_get(place, "line")),
                                       (int)json_integer_value(json_object_get(place, "column")));
    }
    return is_new;
}

/** Whether an assumption of the source did not hold: then the run shows nothing. */
static bool breaks_assumption(const json_t *findings)
{
    size_t i;
    json_t *f;
    json_array_foreach(findings, i, f) {
        const char *title = json_string_value(json_object_get(f, "title"));
        if (title && !strcmp(title, VERIFY_ASSUMPTION_TITLE)) return true;
    }
    return false;
}

/** Moves the capture of a run that refutes something new to j->keep, or removes it. */
static void move_capture(const struct verify_job *j, const json_t *findings, bool is_new)
{
    size_t i;
    json_t *f;
    json_array_foreach(findings, i, f) {
        const char *path = json_string_value(json_object_get(f, "capture"));
        if (path && (!is_new || !j->keep || rename(path, j->keep))) unlink(path);
    }
}

/** Takes the findings of a run's json report; whether some is new. */
static bool take_report(struct verify_job *j, const char *report, const char *command)
{
    json_error_t bad;
    json_t *root = json_load_file(report, 0, &bad), *findings = json_object_get(root, "findings");
    size_t i;
    json_t *f;
    bool is_new = false;
    if (!breaks_assumption(findings))
        json_array_foreach(findings, i, f) is_new |= take_finding(j, f, command);
    if (is_new || (j->wants_all && !breaks_assumption(findings)))
        rep_document_merge(j->found, root);
    move_capture(j, findings, is_new);
    json_decref(root);
    return is_new;
}

/** captures: the folder for the launch if it has a finding, or NULL. */
static struct err *run(struct verify_job *j, struct command *c, const char *report,
                       const char *captures, bool *found, struct str *shown)
{
    const char *text = as_text(c, j->arena);
    char self[4096];
    const ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);
    if (len <= 0) return err_new("the path of cldbg is not known: %m");
    self[len] = 0;
    c->words.data[0] = self;
    put_word(c, j->arena, arena_printf(j->arena, "--report=json:%s", report));
    if (captures) {
        put_word(c, j->arena, "--capture-on-finding");
        put_word(c, j->arena, arena_printf(j->arena, "--capture=%s", captures));
        j->keep = arena_printf(j->arena, "%s/%s-run-%u.cldbg", verify_captures(j), j->kernel,
                               j->runs + 1);
    }
    vec_push(&c->words, NULL);
    struct proc_result p = {0};
    const struct proc_limits limits = {.seconds = RUN_SECONDS, .own_group = true};
    struct err *e = proc_run((const char *const *)c->words.data, "", 0, &limits, &p, NULL);
    if (!e && p.exit_status == CMD_RUN_FAILED)
        e = err_new("a run that was to refute a property failed: %s\n%s", text, str_text(&p.err));
    if (shown) str_put(shown, str_text(&p.err));
    proc_result_deinit(&p);
    if (e) return e;
    j->runs++;
    *found = take_report(j, report, text);
    return NULL;
}

struct err *verify_run(struct verify_job *j, const char *const *words, bool *found,
                       struct str *text)
{
    struct temp_folder folder = {0};
    struct err *e = temp_folder_create(&folder, NULL, "verify");
    if (e) return e;
    struct command c = {0};
    put_word(&c, j->arena, "cldbg");
    put_word(&c, j->arena, "run");
    for (; *words; words++) put_word(&c, j->arena, *words);
    e = run(j, &c, arena_printf(j->arena, "%s/report.json", folder.path), NULL, found, text);
    vec_free(&c.words);
    temp_folder_destroy(&folder);
    return e;
}

bool verify_is_left(const struct verify_job *j)
{
    for (int p = 0; p < PROOF_PROPERTIES; p++)
        if (j->answer.of[p].result != PROOF_PROVED && !j->refuted[p]) return true;
    return false;
}

const char *verify_captures(const struct verify_job *j)
{
    const struct dev_option_value *folder = &j->options->v[DEV_OPT_CAPTURE];
    return folder->given ? folder->text : "cldbg-captures";
}

struct err *verify_search(struct verify_job *j)
{
    bool varies = memcmp(j->global.lo, j->global.hi, sizeof j->global.lo) ||
                  memcmp(j->local.lo, j->local.hi, sizeof j->local.lo);
    for (unsigned i = 0; i < j->nargs; i++)
        varies |= j->args[i].is_open || j->args[i].factor ||
                  (j->args[i].arg.kind == CMD_ARG_BUFFER && j->args[i].arg.data);
    const uint64_t given = j->options->v[DEV_OPT_RUNS].given ? j->options->v[DEV_OPT_RUNS].number
                                                             : 12;
    const uint64_t most = varies ? given : given ? 1 : 0;
    struct temp_folder folder = {0};
    struct err *e = temp_folder_create(&folder, NULL, "verify");
    if (e) return e;
    const char *report = arena_printf(j->arena, "%s/report.json", folder.path);
    const char *const kept = verify_captures(j);
    const bool exists = !access(kept, F_OK);
    const bool captures = exists || !mkdir(kept, 0777) || j->options->v[DEV_OPT_CAPTURE].given;
    const char *scratch = arena_printf(j->arena, "%s/verify-%d", kept, (int)getpid());
    for (unsigned n = 0; n < most && verify_is_left(j) && !e; n++) {
        struct command c = {0};
        bool found;
        make_command(&c, j, n);
        e = run(j, &c, report, captures ? scratch : NULL, &found, NULL);
        vec_free(&c.words);
    }
    rmdir(scratch);
    if (!exists) rmdir(kept); // if it is empty
    j->keep = NULL;
    temp_folder_destroy(&folder);
    return e;
}
