// SPDX-License-Identifier: MIT
#include "devices/option_table.h"

#include "devices/dev.h"

#include "base/mem.h"
#include "interp/vm.h"
#include "native/abi.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define APP      DEV_FOR_APP
#define RUN      DEV_FOR_RUN
#define DEBUG    DEV_FOR_DEBUG
#define EDITOR   DEV_FOR_EDITOR
#define LINT     DEV_FOR_LINT
#define DISASM   DEV_FOR_DISASM
#define REGIONS  DEV_FOR_REGIONS
#define DOCTOR   DEV_FOR_DOCTOR
#define VERIFY   DEV_FOR_VERIFY
#define REPORT   DEV_FOR_REPORT
#define FUZZ     DEV_FOR_FUZZ
#define CHECK    DEV_FOR_CHECK
#define CAPTURED DEV_FOR_CAPTURED
#define COMMON   DEV_FOR_COMMON
#define EVERY    DEV_FOR_EVERY
const struct dev_option_info dev_option_infos[DEV_OPT_COUNT] = {
#define OPTION(id, name, type, arg, dflt, applies, min, max, help)                                 \
    {name, DEV_OPT_##type, arg, dflt, applies, min, max, help},
#include "devices/options.def"
};

void dev_option_set_deinit(struct dev_option_set *s)
{
    for (int i = 0; i < DEV_OPT_COUNT; i++) vec_free(&s->v[i].list);
    arena_deinit(&s->arena);
}

/** The edit distance of a and b (Levenshtein); long words are truncated. */
static unsigned distance(const char *a, size_t la, const char *b)
{
    enum { LONGEST = 32 };
    size_t lb = strlen(b);
    if (la > LONGEST) la = LONGEST;
    if (lb > LONGEST) lb = LONGEST;
    unsigned row[LONGEST + 1];
    for (size_t j = 0; j <= lb; j++) row[j] = (unsigned)j;
    for (size_t i = 1; i <= la; i++) {
        unsigned diagonal = row[0];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= lb; j++) {
            unsigned best = diagonal + (a[i - 1] != b[j - 1]);
            if (row[j] + 1 < best) best = row[j] + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[lb];
}

static int nearest_option(const char *name, size_t len, unsigned use)
{
    int best = -1;
    unsigned best_distance = len < 4 ? 2 : 4; // larger distances are ignored
    for (int i = 0; i < DEV_OPT_COUNT; i++) {
        if (!(dev_option_infos[i].applies & use)) continue;
        const char *other = dev_option_infos[i].name;
        unsigned d = len >= 3 && !strncmp(other, name, len) ? 1 : distance(name, len, other);
        if (d < best_distance) {
            best = i;
            best_distance = d;
        }
    }
    return best;
}

static struct err *parse_number(const struct dev_option_info *o, const char *text, uint64_t *out)
{
    char *end;
    errno = 0;
    unsigned long long n = strtoull(text, &end, 0);
    bool bad = !isdigit((unsigned char)text[0]) || end == text || errno;
    if (!bad && o->type == DEV_OPT_SIZE && *end) {
        const char *units = "KMGT", *u = strchr(units, toupper((unsigned char)*end));
        unsigned shift = u ? 10 * (unsigned)(u - units + 1) : 0;
        bad = !u || (end[1] && strcasecmp(end + 1, "B") && strcasecmp(end + 1, "iB")) ||
              n > UINT64_MAX >> shift;
        n <<= shift;
        end = "";
    }
    if (bad || *end)
        return err_new("--%s=%s: %s is expected", o->name, text,
                       o->type == DEV_OPT_SIZE ? "a size in bytes such as 65536 or 64K"
                                               : "a number");
    if (n < o->min || n > o->max)
        return err_new("--%s=%s: it must be from %llu to %llu", o->name, text,
                       (unsigned long long)o->min, (unsigned long long)o->max);
    *out = n;
    return NULL;
}

struct err *dev_option_put(struct dev_option_set *s, enum dev_option id, const char *value)
{
    const struct dev_option_info *o = &dev_option_infos[id];
    struct dev_option_value *v = &s->v[id];
    if (o->type == DEV_OPT_NUMBER || o->type == DEV_OPT_SIZE) {
        struct err *e = parse_number(o, value, &v->number);
        if (e) return e;
    }
    v->given = true;
    v->text = arena_strdup(&s->arena, value);
    if (o->type == DEV_OPT_LIST) vec_push(&v->list, v->text);
    return NULL;
}

/**
 * Other names of options, which --help does not show. --kernel of `cldbg run` names the kernel to
 * run; of an app it selects the kernels to check.
 */
static const char *other_name(const char *name, size_t len, unsigned use)
{
    static const struct {
        const char *name, *stands_for;
        unsigned use;
    } others[] = {{"kernel", "only-kernel", DEV_FOR_APP},
                  {"launch", "launches", DEV_FOR_APP | DEV_FOR_RUN},
                  // the name before 0.2
                  {"quiet-limit", "livelock-limit", DEV_FOR_APP | DEV_FOR_RUN | DEV_FOR_CAPTURED}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (use & others[i].use && !(use & ~others[i].use) && strlen(others[i].name) == len &&
            !memcmp(others[i].name, name, len))
            return others[i].stands_for;
    return NULL;
}

static struct err *refuse_short(const char *arg)
{
    if (!strcmp(arg, "-i")) return err_new("-i stands before the app or `run`: cldbg -i …");
    if (!strcmp(arg, "-x"))
        return err_new("-x goes with `cldbg -i`, where -i stands before the app or `run`");
    return err_new("%s: options begin with two dashes", arg);
}

/** The error for an option of other commands: "`cldbg run` and `cldbg regions`". */
static struct err *refuse_elsewhere(const struct dev_option_info *o)
{
    static const struct {
        unsigned use;
        const char *of;
    } uses[] = {
        {APP, "`cldbg ./app`"},
        {RUN, "`cldbg run`"},
        {LINT, "`cldbg lint`"},
        {DISASM, "`cldbg disasm`"},
        {REGIONS, "`cldbg regions`"},
        {REPORT, "`cldbg report`"},
        {CHECK, "`cldbg check`"},
        {DEBUG, "`cldbg -i`, where -i stands before the app or `run`"},
        {EDITOR, "`cldbg` itself: it stands before the app or `run`"},
    };
    const char *of[sizeof uses / sizeof *uses];
    size_t n = 0;
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++)
        if (o->applies & uses[i].use) of[n++] = uses[i].of;
    struct str s = {0};
    for (size_t i = 0; i < n; i++)
        str_printf(&s, "%s%s", !i ? "" : i + 1 < n ? ", " : " and ", of[i]);
    struct err *e = err_new("--%s is an option of %s", o->name, str_text(&s));
    str_deinit(&s);
    return e;
}

struct err *dev_option_parse(struct dev_option_set *s, const char *arg, unsigned use)
{
    if (!str_starts(arg, "--")) return refuse_short(arg);
    const char *name = arg + 2, *eq = strchr(name, '=');
    size_t len = eq ? (size_t)(eq - name) : strlen(name);
    const char *other = other_name(name, len, use);
    if (other) name = other, len = strlen(other);
    for (int i = 0; i < DEV_OPT_COUNT; i++) {
        const struct dev_option_info *o = &dev_option_infos[i];
        if (strlen(o->name) != len || memcmp(o->name, name, len)) continue;
        if (!(o->applies & use)) return refuse_elsewhere(o);
        if (!o->arg && eq) return err_new("--%s takes no value", o->name);
        if (o->arg && (!eq || !eq[1]))
            return err_new("--%s needs a value: --%s=%s", o->name, o->name, o->arg);
        return dev_option_put(s, (enum dev_option)i, eq ? eq + 1 : NULL);
    }
    int near = nearest_option(name, len, use);
    if (near < 0)
        return err_new("unknown option --%.*s; `cldbg --help` lists them", (int)len, name);
    return err_new("unknown option --%.*s; did you mean --%s?", (int)len, name,
                   dev_option_infos[near].name);
}

struct err *dev_option_parse_text(struct dev_option_set *s, const char *text)
{
    struct str word = {0};
    struct err *e = NULL;
    const char *p = text;
    while (!e && (p += strspn(p, " \t\n"), *p)) {
        str_clear(&word);
        char quote = 0;
        for (; *p && (quote || !isspace((unsigned char)*p)); p++) {
            if (!quote && (*p == '"' || *p == '\'')) quote = *p;
            else if (quote && *p == quote) quote = 0;
            else if (*p == '\\' && quote != '\'' && p[1]) str_put_char(&word, *++p);
            else str_put_char(&word, *p);
        }
        e = quote ? err_new("a quote %c is not closed", quote)
                  : dev_option_parse(s, str_text(&word), DEV_FOR_APP);
    }
    str_deinit(&word);
    return e;
}

static void print_one(struct str *out, const char *name, const char *value)
{
    str_printf(out, "%s--%s", out->len ? " " : "", name);
    if (!value) return;
    str_put(out, "=");
    for (; *value; value++) {
        if (!isalnum((unsigned char)*value) && !strchr("-_./,:+@%", *value))
            str_put_char(out, '\\');
        str_put_char(out, *value);
    }
}

void dev_option_print(const struct dev_option_set *s, unsigned use, struct str *out)
{
    for (int i = 0; i < DEV_OPT_COUNT; i++) {
        const struct dev_option_info *o = &dev_option_infos[i];
        const struct dev_option_value *v = &s->v[i];
        if (!v->given || !(o->applies & use)) continue;
        if (o->type != DEV_OPT_LIST) print_one(out, o->name, v->text);
        for (size_t k = 0; k < v->list.len; k++) print_one(out, o->name, v->list.data[k]);
    }
}

static int nearest_kind(const char *id, size_t len)
{
    int best = -1;
    unsigned best_distance = 5;
    for (int k = 0; k < REP_KIND_COUNT; k++) {
        unsigned d = distance(id, len, rep_kinds[k].id);
        if (d < best_distance) {
            best = k;
            best_distance = d;
        }
    }
    return best;
}

/** "all" does not include the kinds that must be requested by id or with --check-api. */
static void all_off(bool off[REP_KIND_COUNT], bool value)
{
    for (int k = 0; k < REP_KIND_COUNT; k++)
        off[k] = value || k == REP_API_MISUSE || k == REP_API_LEAK;
}

/** One word of --check=LIST; `first` says whether it starts the list. */
static struct err *apply_check(const char *word, bool first, bool off[REP_KIND_COUNT])
{
    bool all = !strcmp(word, "all"), none = !strcmp(word, "none"), minus = word[0] == '-';
    // A list that begins with an id selects only its ids; one that begins with -id selects all
    // other kinds.
    if (all || none || (first && !minus)) all_off(off, !all);
    if (all || none) return NULL;
    const char *id = word + minus;
    int k = rep_kind_find(id);
    if (k >= 0) {
        off[k] = minus;
        return NULL;
    }
    int near = nearest_kind(id, strlen(id));
    if (near < 0)
        return err_new("--check: there is no check '%s'; cldbg-findings(7) lists them", id);
    return err_new("--check: there is no check '%s'; did you mean %s?", id, rep_kinds[near].id);
}

struct err *dev_option_kinds(const struct dev_option_set *s, bool off[REP_KIND_COUNT])
{
    all_off(off, false);
    const char *list = s->v[DEV_OPT_CHECK].text;
    struct err *e = NULL;
    if (list) {
        char *copy = mem_strdup(list), *rest = copy, *word;
        for (bool first = true; !e && (word = strsep(&rest, ",")); first = false)
            e = *word ? apply_check(word, first, off)
                      : err_new("--check=%s: an empty word in the list", list);
        free(copy);
    }
    if (s->v[DEV_OPT_CHECK_API].given) off[REP_API_MISUSE] = off[REP_API_LEAK] = false;
    return e;
}

struct err *dev_option_passes(const struct dev_option_set *s, unsigned *passes)
{
    static const char *const names[] = {
#define PASS(id, name, help) name,
#include "native/passes.def"
    };
    const char *list = s->v[DEV_OPT_NATIVE_PASSES].text;
    *passes = NAT_ALL_PASSES;
    if (!list) return NULL;
    struct err *e = NULL;
    char *copy = mem_strdup(list), *rest = copy, *word;
    for (bool first = true; !e && (word = strsep(&rest, ",")); first = false) {
        const bool off = *word == '-';
        unsigned bits = !strcmp(word, "all") ? NAT_ALL_PASSES : 0;
        for (unsigned k = 0; k < NAT_PASS_COUNT; k++)
            if (!strcmp(word + off, names[k])) bits = 1u << k;
        if (!bits && strcmp(word, "none"))
            e = err_new("--native-passes=%s: '%s' is none of them: all, none"
#define PASS(id, name, help) ", " name
#include "native/passes.def"
                        ,
                        list, word);
        if (first && !off) *passes = 0;
        *passes = off ? *passes & ~bits : *passes | bits;
    }
    free(copy);
    return e;
}

/** Splits FORMAT:PATH, and checks the format. */
static struct err *parse_report(const char *report, struct rep_report *out)
{
    static const char *const formats[] = {"text", "json",      "sarif", "junit",   "github",
                                          "lcov", "cobertura", "html",  "profile", "trace"};
    const char *colon = strchr(report, ':');
    if (!colon || !colon[1])
        return err_new("--report=%s: FORMAT:PATH is expected, for instance text:report.txt",
                       report);
    size_t n = (size_t)(colon - report);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (strlen(formats[i]) != n || memcmp(formats[i], report, n)) continue;
        *out = (struct rep_report){formats[i], colon + 1};
        bool lines = !strcmp(formats[i], "github");
        if (!strcmp(out->path, "-") && !lines)
            return err_new("--report=%s: - is for github only; name a file", report);
        return NULL;
    }
    return err_new("--report=%s: the format '%.*s' is not known; text, json, sarif, junit, github, "
                   "lcov, cobertura and html are",
                   report, (int)n, report);
}

struct err *dev_option_log(const struct dev_option_set *s, const char **path)
{
    const struct dev_option_value *v = &s->v[DEV_OPT_REPORT];
    *path = s->v[DEV_OPT_LOG_FILE].text;
    for (size_t i = 0; i < v->list.len; i++) {
        struct rep_report r;
        struct err *e = parse_report(v->list.data[i], &r);
        if (e) return e;
        if (strcmp(r.format, "text")) continue;
        if (*path && strcmp(*path, r.path))
            return err_new("--report and --log-file name different files for the text");
        *path = r.path;
    }
    return NULL;
}

static bool has_format(const struct dev_reports *r, const char *format)
{
    for (size_t i = 0; i < r->len; i++)
        if (!strcmp(r->data[i].format, format)) return true;
    return false;
}

static bool has_report(const struct dev_reports *r, const char *format, const char *path)
{
    for (size_t i = 0; i < r->len; i++)
        if (!strcmp(r->data[i].format, format) && !strcmp(r->data[i].path, path)) return true;
    return false;
}

bool dev_option_profiles(const struct dev_option_set *s)
{
    struct dev_reports reports = {0};
    dev_option_reports(s, &reports);
    const bool profiles = has_format(&reports, "profile") || s->v[DEV_OPT_ADVISE].given ||
                          s->v[DEV_OPT_STATS_BY_LINE].given;
    vec_free(&reports);
    return profiles;
}

bool dev_option_names_writers(const struct dev_option_set *s)
{
    struct dev_reports reports = {0};
    dev_option_reports(s, &reports);
    const bool names = has_format(&reports, "json") || has_format(&reports, "html");
    vec_free(&reports);
    return names;
}

bool dev_option_covers(const struct dev_option_set *s)
{
    struct dev_reports reports = {0};
    dev_option_reports(s, &reports);
    const bool covers = has_format(&reports, "lcov") || has_format(&reports, "cobertura") ||
                        has_format(&reports, "html") || s->v[DEV_OPT_COVERAGE_FAIL_UNDER].given ||
                        dev_option_profiles(s);
    vec_free(&reports);
    return covers;
}

bool dev_option_has_stats(const struct dev_option_set *s)
{
    return s->v[DEV_OPT_STATS].given || s->v[DEV_OPT_STATS_BY_LINE].given;
}

void dev_option_reports(const struct dev_option_set *s, struct dev_reports *out)
{
    static const struct rep_report for_ci[] = {
        {"sarif", "cldbg.sarif"}, {"junit", "cldbg.junit.xml"}, {"github", "-"}};
    const struct dev_option_value *v = &s->v[DEV_OPT_REPORT];
    const char *actions = getenv("GITHUB_ACTIONS");
    size_t nci = actions && !strcmp(actions, "true") ? 3 : 2;
    for (size_t i = 0; i < v->list.len; i++) {
        struct rep_report r;
        struct err *e = parse_report(v->list.data[i], &r);
        if (!e && strcmp(r.format, "text")) vec_push(out, r);
        err_free(e);
    }
    const char *const coverage = s->v[DEV_OPT_COVERAGE].text;
    if (coverage && !has_report(out, "lcov", coverage))
        vec_push(out, (struct rep_report){"lcov", coverage});
    const char *const profile = s->v[DEV_OPT_PROFILE].text;
    if (profile && !has_report(out, "profile", profile))
        vec_push(out, (struct rep_report){"profile", profile});
    const char *const trace = s->v[DEV_OPT_TRACE].text;
    if (trace && !has_report(out, "trace", trace))
        vec_push(out, (struct rep_report){"trace", trace});
    for (size_t i = 0; i < nci && s->v[DEV_OPT_CI].given; i++)
        if (!has_format(out, for_ci[i].format)) vec_push(out, for_ci[i]);
}

struct err *dev_option_launches(const struct dev_option_set *s, uint64_t *first, uint64_t *last)
{
    const char *text = s->v[DEV_OPT_LAUNCHES].text;
    *first = 1;
    *last = UINT64_MAX;
    if (!text || !strcmp(text, "all")) return NULL;
    char *end;
    errno = 0;
    *first = *last = strtoull(text, &end, 10);
    if (*end == '-' && !end[1]) // "5-": to the end
        *last = UINT64_MAX, end++;
    else if (*end == '-' && isdigit((unsigned char)end[1])) *last = strtoull(end + 1, &end, 10);
    if (!isdigit((unsigned char)*text) || *end || errno || !*first || *last < *first)
        return err_new("--launches=%s: A-B, A- or one number is expected; launches count from 1",
                       text);
    return NULL;
}

struct err *dev_option_filter(const struct dev_option_set *s, struct rep_filter **out)
{
    const struct dev_option_value *files = &s->v[DEV_OPT_SUPPRESSIONS];
    const char *baseline = s->v[DEV_OPT_BASELINE].text;
    struct rep_filter *f = rep_filter_create();
    struct err *e = NULL;
    for (size_t i = 0; i < files->list.len && !e; i++)
        e = err_wrap(rep_filter_add_suppressions(f, files->list.data[i]), "--suppressions");
    if (baseline && !e) e = err_wrap(rep_filter_add_baseline(f, baseline), "--baseline");
    *out = f;
    return e;
}

static bool one_of(const char *text, const char *const *words)
{
    for (; *words; words++)
        if (!strcmp(text, *words)) return true;
    return false;
}

uint64_t dev_option_max_findings(const struct dev_option_set *s)
{
    const struct dev_option_value *const v = &s->v[DEV_OPT_MAX_FINDINGS];
    return s->v[DEV_OPT_ALL].given ? 0 : v->given ? v->number : 100;
}

struct err *dev_option_engine(const struct dev_option_set *s, unsigned *engine)
{
    static const char *const names[] = {[DEV_ENGINE_INTERPRET] = "interpret",
                                        [DEV_ENGINE_COMPILED] = "compiled",
                                        [DEV_ENGINE_AUTO] = "auto",
                                        [DEV_ENGINE_CHECK] = "check"};
    const char *name = s->v[DEV_OPT_ENGINE].text;
    const bool unchecked = s->v[DEV_OPT_NATIVE].given || s->v[DEV_OPT_BOTH].given;
    *engine = unchecked || dev_option_has_stats(s) ? DEV_ENGINE_INTERPRET : DEV_ENGINE_AUTO;
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i])) *engine = (unsigned)i;
    if (name && strcmp(name, names[*engine]))
        return err_new("--engine=%s: it is interpret, compiled, auto or check", name);
    if (*engine != DEV_ENGINE_INTERPRET && unchecked)
        return err_new(
            "--engine=%s is about checked launches, and cannot be combined with --native "
            "or --both",
            name);
    return NULL;
}

static struct err *check_device_types(const char *list)
{
    const char *at = list;
    do {
        const size_t n = strcspn(at, ",");
        static const char *const types[] = {"gpu", "cpu", "accelerator"};
        bool known = false;
        for (size_t i = 0; i < 3; i++) known |= strlen(types[i]) == n && !strncmp(at, types[i], n);
        if (!known)
            return err_new(
                "--device-type=%s: it is a list of gpu, cpu and accelerator, as in gpu,cpu", list);
        at += n;
    } while (*at++);
    return NULL;
}

struct err *dev_option_check(const struct dev_option_set *s)
{
    bool off[REP_KIND_COUNT];
    const char *path;
    unsigned passes;
    struct err *e = dev_option_kinds(s, off);
    if (!e) e = dev_option_passes(s, &passes);
    if (!e) e = dev_option_log(s, &path);
    if (e) return e;
    uint64_t first, last;
    e = dev_option_launches(s, &first, &last);
    if (e) return e;
    unsigned engine;
    e = dev_option_engine(s, &engine);
    if (e) return e;
    const char *gen = s->v[DEV_OPT_GEN_SUPPRESSIONS].text;
    if (gen && !one_of(gen, (const char *const[]){"all", "no", NULL}))
        return err_new("--gen-suppressions=%s: it is all or no", gen);
    const char *color = s->v[DEV_OPT_COLOR].text, *type = s->v[DEV_OPT_DEVICE_TYPE].text;
    if (color && !one_of(color, (const char *const[]){"auto", "always", "never", NULL}))
        return err_new("--color=%s: it is auto, always or never", color);
    if (type && (e = check_device_types(type))) return e;
    if (s->v[DEV_OPT_NATIVE].given && s->v[DEV_OPT_BOTH].given)
        return err_new("--native and --both cannot be combined");
    if (s->v[DEV_OPT_NATIVE].given && dev_option_has_stats(s))
        return err_new("--native and --stats cannot be combined: machine code counts nothing; a "
                       "checked run has the table");
    struct vm_device_model model;
    if ((e = dev_device_model(s->v[DEV_OPT_DEVICE_MODEL].text, &model))) return e;
    if (dev_option_covers(s) && s->v[DEV_OPT_NATIVE].given)
        return err_new(
            "--native and --coverage or --profile cannot be combined: machine code counts nothing");
    if (dev_option_covers(s) && s->v[DEV_OPT_SCHEDULE].number)
        return err_new("--schedule and --coverage or --profile cannot be combined: they count the "
                       "usual order of work-items");
    if (s->v[DEV_OPT_VERIFY_KERNELS].given &&
        (s->v[DEV_OPT_NATIVE].given || s->v[DEV_OPT_BOTH].given))
        return err_new("--verify and --native or --both cannot be combined");
    static const enum dev_option of_code[] = {DEV_OPT_NATIVE_PASSES, DEV_OPT_REMARKS};
    for (size_t i = 0; i < sizeof of_code / sizeof *of_code; i++)
        if (s->v[of_code[i]].given && !s->v[DEV_OPT_NATIVE].given && !s->v[DEV_OPT_BOTH].given &&
            !s->v[DEV_OPT_ENGINE].given)
            return err_new("--%s is about machine code, and goes with --native, --both or --engine",
                           dev_option_infos[of_code[i]].name);
    static const char *const versions[] = {"CL1.0", "CL1.1", "CL1.2", "CL2.0", "CL3.0", NULL};
    const char *std = s->v[DEV_OPT_DEFAULT_CL_STD].text;
    if (std && !one_of(std, versions))
        return err_new("--default-cl-std=%s: it is CL1.0, CL1.1, CL1.2, CL2.0 or CL3.0", std);
    const uint64_t sub = s->v[DEV_OPT_SUB_GROUP_SIZE].number;
    if (s->v[DEV_OPT_SUB_GROUP_SIZE].given && (sub & (sub - 1)))
        return err_new("--sub-group-size=%llu: it must be a power of two", (unsigned long long)sub);
    return NULL;
}

const char *dev_option_build_options(struct dev_option_set *s, enum dev_option o)
{
    const struct dev_option_value *v = &s->v[o];
    const char *all = NULL;
    for (size_t i = 0; i < v->list.len; i++)
        all = all ? arena_printf(&s->arena, "%s %s", all, v->list.data[i]) : v->list.data[i];
    return all;
}

const char *dev_option_capture(const struct dev_option_set *s)
{
    const struct dev_option_value *v = &s->v[DEV_OPT_CAPTURE];
    return v->given ? v->text : s->v[DEV_OPT_CAPTURE_ON_FINDING].given ? "cldbg-captures" : NULL;
}

int dev_option_color(const struct dev_option_set *s)
{
    const char *when = s->v[DEV_OPT_COLOR].text;
    if (!when) return s->v[DEV_OPT_CI].given ? 0 : -1;
    return !strcmp(when, "always") ? 1 : !strcmp(when, "never") ? 0 : -1;
}
