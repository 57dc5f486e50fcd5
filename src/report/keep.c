// SPDX-License-Identifier: MIT
// The document of this process, and its output. A process under the command stores its document in
// a folder of the command, one file for each program image (exec keeps the pid), and the command
// makes the reports. Without the command, this process writes the reports. A forked child starts
// with an empty document.
#include "report/keep.h"

#include "report/coverage.h"
#include "report/document.h"
#include "report/sink.h"

#include "base/mem.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    MAX_FINDINGS = 50000, // in the document of a process, each about 6 KiB in memory
    PATIENCE =
        10, // updates of counts are written after this many times the duration of the last output,
            // and of members (coverage, costs) likewise of the last output that updated them
};

struct rep_keep {
    json_t *doc;
    struct rep_options options;
    pid_t pid;
    char *path; // of the fragment; NULL until first written
    bool fresh; // there are new findings, not only counts
    bool failed;
    bool said; // the messages for stderr were printed
    struct rep_member members[REP_MAX_MEMBERS];
    uint64_t fresh_members[REP_MAX_MEMBERS]; // as rep_member.fresh, when they were last written
    unsigned nmembers;
    uint64_t written, took;                 // time and duration of the last output (ns)
    uint64_t members_written, members_took; // of the last one with an update of the members
};

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static json_t *new_document(const struct rep_options *o)
{
    json_t *doc = rep_document_create(o->kinds_off, o->command);
    if (rep_filter_has_baseline(o->filter)) json_object_set_new(doc, "has_baseline", json_true());
    return doc;
}

struct rep_keep *rep_keep_create(const struct rep_options *o)
{
    if (!o->fragment_dir && !o->nreports) return NULL;
    struct rep_keep *k = mem_alloc(sizeof *k);
    k->options = *o;
    k->pid = getpid();
    k->doc = new_document(o);
    return k;
}

void rep_keep_destroy(struct rep_keep *k)
{
    if (!k) return;
    json_decref(k->doc);
    free(k->path);
    free(k);
}

/** In a forked child: starts a new document, without the parent's findings. */
static void start_anew(struct rep_keep *k)
{
    k->pid = getpid();
    free(k->path);
    k->path = NULL;
    json_t *old = k->doc;
    k->doc = new_document(&k->options);
    k->said = false;
    json_decref(old); // records keep references to findings
}

static void add(json_t *o, const char *key, uint64_t n)
{
    json_object_set_new(o, key,
                        json_integer(json_integer_value(json_object_get(o, key)) + (json_int_t)n));
}

static json_t *kernel_of(struct rep_keep *k, const char *kernel)
{
    json_t *list = json_object_get(k->doc, "kernels"), *o;
    size_t i;
    json_array_foreach(list, i, o)
        if (!strcmp(rep_json_get(o, "name"), kernel)) return o;
    o = json_object();
    json_object_set_new(o, "name", rep_json_text(kernel, strlen(kernel)));
    json_object_set_new(o, "launches", json_integer(0));
    json_object_set_new(o, "time_ns", json_integer(0));
    json_object_set_new(o, "unchecked", json_integer(0));
    json_array_append_new(list, o);
    k->fresh = true;
    return o;
}

void rep_keep_kernel(struct rep_keep *k, const char *kernel)
{
    if (!k) return;
    if (k->pid != getpid()) start_anew(k);
    kernel_of(k, kernel);
}

void rep_keep_launch(struct rep_keep *k, const char *kernel, bool checked, uint64_t ns)
{
    if (!k) return;
    if (k->pid != getpid()) start_anew(k);
    json_t *o = kernel_of(k, kernel);
    add(o, "launches", 1);
    add(o, "time_ns", ns);
    if (!checked) add(o, "unchecked", 1);
}

void rep_keep_numbers(struct rep_keep *k, const char *kernel, const struct rep_number *numbers,
                      unsigned n)
{
    if (!k) return;
    if (k->pid != getpid()) start_anew(k);
    json_t *o = kernel_of(k, kernel), *to = json_object_get(o, "statistics");
    if (!to) json_object_set_new(o, "statistics", to = json_object());
    for (unsigned i = 0; i < n; i++) add(to, numbers[i].name, numbers[i].value);
}

void rep_keep_member(struct rep_keep *k, const struct rep_member *m)
{
    if (k && k->nmembers < REP_MAX_MEMBERS) k->members[k->nmembers++] = *m;
}

static void look_at_members(struct rep_keep *k)
{
    for (unsigned i = 0; i < k->nmembers; i++) {
        const uint64_t now = k->members[i].fresh();
        k->fresh |= now != k->fresh_members[i];
        k->fresh_members[i] = now;
    }
}

static void put_members(struct rep_keep *k)
{
    for (unsigned i = 0; i < k->nmembers; i++)
        json_object_set_new(k->doc, k->members[i].name, k->members[i].make(k->members[i].ctx));
}

/** With colors, for a command that merges the texts of several processes. */
static void keep_text(struct rep_keep *k, struct rep_record *r, struct rep_sources *sources)
{
    struct str text = {0};
    rep_put_text(&text, r, sources, true);
    json_object_set_new(r->json, "text", rep_json_text(str_text(&text), text.len));
    str_deinit(&text);
    if (!k->options.gen_suppressions) return;
    char *const suppression = rep_suppressions(r);
    json_object_set_new(r->json, "suppression", rep_json_text(suppression, strlen(suppression)));
    free(suppression);
}

void rep_keep_finding(struct rep_keep *k, struct rep_record *r, struct rep_sources *sources)
{
    if (!k) return;
    if (k->pid != getpid()) start_anew(k);
    k->fresh = true;
    json_t *list = json_object_get(k->doc, "findings");
    if (json_array_size(list) >= MAX_FINDINGS) {
        add(k->doc, "left_out", 1);
        return;
    }
    r->json = rep_document_finding(r, sources, json_object_get(k->doc, "programs"));
    if (k->options.keep_text && !r->known) keep_text(k, r, sources);
    json_array_append(list, r->json);
}

void rep_keep_suppressed(struct rep_keep *k, const struct rep_filter *f)
{
    if (!k) return;
    if (k->pid != getpid()) start_anew(k);
    k->fresh = true;
    add(k->doc, "suppressed", 1);
    json_t *used = json_object();
    for (unsigned i = 0; i < rep_filter_count(f); i++)
        if (rep_filter_used(f, i))
            json_object_set_new(used, rep_filter_name(f, i),
                                json_integer((json_int_t)rep_filter_used(f, i)));
    json_object_set_new(k->doc, "suppressions_used", used);
}

/** Chooses a name that no earlier image of this process used. */
static struct err *choose_path(struct rep_keep *k)
{
    for (int n = 0; n < 10000; n++) {
        struct str s = {0};
        str_printf(&s, "%s/%ld-%d.json", k->options.fragment_dir, (long)k->pid, n);
        int fd = open(str_text(&s), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (fd >= 0) {
            close(fd);
            k->path = str_take(&s);
            return NULL;
        }
        str_deinit(&s);
    }
    return err_new("no file can be created in %s: %m", k->options.fragment_dir);
}

static struct err *write_fragment(struct rep_keep *k)
{
    if (access(k->options.fragment_dir, F_OK))
        return err_new("what is found from here on is in no file: the cldbg that started this "
                       "process has ended");
    struct err *e = k->path ? NULL : choose_path(k);
    if (e) return e;
    char *text = json_dumps(k->doc, JSON_COMPACT);
    e = text ? rep_replace_file(k->path, text, strlen(text), true)
             : err_new("the report is not valid");
    free(text);
    return e;
}

static struct err *add_coverage(struct rep_keep *k, const struct rep_report *r)
{
    char *const path = rep_path_for(r->path, k->pid);
    json_t *all;
    struct err *const e =
        rep_merge_lcov(path, json_object_get(k->doc, "coverage"), k->options.overwrite, &all);
    json_decref(all);
    free(path);
    return e;
}

static struct err *write_reports(struct rep_keep *k, bool last)
{
    struct err *e = NULL;
    char *root = rep_repository(".");
    for (unsigned i = 0; i < k->options.nreports && !e; i++) {
        const struct rep_report *r = &k->options.reports[i];
        if (!strcmp(r->format, "lcov")) {
            if (last && !k->said) e = add_coverage(k, r);
            continue;
        }
        bool to_stderr = !strcmp(r->path, "-");
        char *text = to_stderr && (!last || k->said) ? NULL : rep_render(r->format, k->doc, root);
        char *path = rep_path_for(r->path, k->pid);
        if (text && to_stderr) rep_write(stderr, text, strlen(text));
        else if (text) e = rep_replace_file(path, text, strlen(text), k->options.overwrite);
        free(text);
        free(path);
    }
    k->said |= last;
    free(root);
    return e;
}

bool rep_keep_write(struct rep_keep *k, struct rep_record **records, size_t n, bool last)
{
    if (!k || k->pid != getpid()) return true; // a child without findings
    uint64_t begin = now_ns();
    const bool with_members = last || begin - k->members_written >= PATIENCE * k->members_took;
    if (with_members) look_at_members(k);
    if (!k->fresh && !last && begin - k->written < PATIENCE * k->took + 100000000u) return true;
    // Updates of counts are useless after the command has made its reports (`cldbg run`).
    if (!k->fresh && k->options.fragment_dir && access(k->options.fragment_dir, W_OK)) return true;
    for (size_t i = 0; i < n; i++)
        if (records[i]->json) rep_document_count(records[i]->json, records[i]);
    if (with_members) put_members(k);
    struct err *e = k->options.fragment_dir ? write_fragment(k) : write_reports(k, last);
    bool ok = !e;
    if (e && !k->failed) fprintf(stderr, "cldbg: report: %s\n", err_message(e));
    k->failed |= !ok;
    err_free(e);
    k->fresh = false;
    k->written = now_ns();
    k->took = k->written - begin;
    if (with_members) {
        k->members_written = k->written;
        k->members_took = k->took;
    }
    return ok;
}
