// SPDX-License-Identifier: MIT
// clang as a child process: the source on stdin, bitcode on stdout, messages on stderr, the list of
// included files on one more pipe.
//
// Line markers (`# 3 "reduce.cl"`) in front of each segment of the source tell clang where the text
// comes from, so that its messages and its debug info name the user's files.
#include "frontend/clang.h"

#include "base/mem.h"
#include "base/proc.h"
#include "base/vec.h"
#include "base/fork_server.h"
#include "config.h"
#include "frontend/assumptions.h"
#include "frontend/header_dir.h"
#include "frontend/libraries.h"
#include "frontend/reach.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEFAULT_SECONDS = 60 };

static const char *const fixed_flags[] = {
    "--no-default-config",
    "-x",
    "cl",
    "-target",
    "spir64-unknown-unknown",
    // The code that -O0 gives, but with the bodies of `extern inline` functions, which -O0 leaves
    // out.
    "-O1",
    "-funroll-loops", // -O1 marks every loop as not to be unrolled
    "-Xclang",
    "-disable-llvm-passes",
    "-Xclang",
    "-disable-lifetime-markers",
    "-fno-strict-aliasing",
    "-U__OPTIMIZE__",
    "-fgnu89-inline", // a function that is `inline` and no more has a body, as vendors' compilers
                      // have it
    "-fno-crash-diagnostics",  // (they would be files in /tmp)
    "-fno-elide-constructors", // a struct has its value when it is returned, not before
    "-g",
    "-emit-llvm",
    "-c",
    "-o",
    "-",
    "-MMD",
    "-MF",
    "/dev/fd/3",
    "-MT",
    "x",
    "-cl-kernel-arg-info",
    "-fno-discard-value-names",
    "-fno-color-diagnostics",
    // Read by a person who asked for the log of a kernel: what they cannot change is noise.
    "-Wno-spir-compat",
    "-Wno-unknown-warning-option",
    // clang gives its result the type bool, and writes a cast that LLVM cannot read back.
    "-D__builtin_assume_aligned(p, ...)=(p)",
    "-D__OPENCL_VERSION__=300",
    "-D__opencl_subgroup_builtins=1", // (clang's header says so only from version 2.0 on)
    "-Xclang",
    "-cl-ext=-all"
#define EXTENSION(n) ",+" #n
#define FEATURE(n)   ",+" #n
#include "base/cl_features.def"
    ,
#define HEADER(n)         "-D" #n "=1",
#define HEADER_FEATURE(n) "-D" #n "=1",
#include "base/cl_features.def"
};

// What the versions of the language that apps were written for allowed; errors, if all warnings are
// to be.
static const char *const allowed[] = {"-Wno-error=implicit-int", "-Wno-error=int-conversion",
                                      "-Wno-error=incompatible-pointer-types"};

static const char absent[] =
#define ABSENT(n) "#undef " #n "\n"
#include "base/cl_features.def"
    ;

static void put_marker(struct str *s, unsigned line, const char *name)
{
    str_printf(s, "# %u \"", line);
    for (; *name; name++) {
        if (*name == '"' || *name == '\\') str_put_char(s, '\\');
        str_put_char(s, *name == '\n' ? ' ' : *name);
    }
    str_put(s, "\"\n");
}

static void marked_source(const struct fe_request *r, const struct fe_options *o,
                          unsigned libraries, struct str *s)
{
    str_put(s, absent);
    fe_libraries_write(libraries, o, s);
    if (!r->nsegments) put_marker(s, 1, FE_DEFAULT_NAME);
    size_t at =
        str_mark(r->source, r->source_len); // clang knows it at the beginning of a file only
    for (unsigned i = 0; i < r->nsegments; i++) {
        const struct fe_segment *g = &r->segments[i];
        if (g->offset > at) str_put_n(s, r->source + at, g->offset - at);
        if (g->offset >= at)
            at = g->offset + str_mark(r->source + g->offset, r->source_len - g->offset);
        if (g->line) put_marker(s, g->line, g->name);
        for (unsigned k = 0; k < g->indent; k++)
            str_put_char(s, ' '); // so that clang's columns are the file's
    }
    str_put_n(s, r->source + at, r->source_len - at);
    if (!r->ignores_assumptions) fe_write_assumptions(s);
}

/**
 * The rule that -MMD writes: `x: a.cl dir/b.h \` with blanks and # protected by backslashes, $
 * doubled. -header-include-file writes each header when it is entered, one a line, before the rule;
 * without a rule (a header was not found) these lines are all there is.
 */
static void read_files(const struct str *list, struct str *depends)
{
    const char *p = str_text(list), *end;
    for (; !str_starts(p, "x:") && (end = strchr(p, '\n')); p = end + 1) {
        str_put_n(depends, p, (size_t)(end - p));
        str_put_char(depends, 0);
    }
    if (!str_starts(p, "x:")) return;
    struct str word = {0};
    for (p += 2;; p++) {
        bool blank = !*p || *p == ' ' || *p == '\n' || *p == '\t' || (*p == '\\' && p[1] == '\n');
        if (!blank) {
            if ((*p == '\\' && (p[1] == ' ' || p[1] == '#')) || (*p == '$' && p[1] == '$')) p++;
            str_put_char(&word, *p);
            continue;
        }
        if (word.len && strcmp(str_text(&word), "<stdin>") && strcmp(str_text(&word), "-"))
            str_put_n(depends, word.data, word.len + 1);
        str_clear(&word);
        if (!*p) break;
    }
    str_deinit(&word);
}

/**
 * A clang that crashes asks for a bug report and shows its own stack. Of that only one thing is of
 * use to the kernel's author: what it was at ("2.\te.cl:1:13: LLVM IR generation of declaration
 * 'k'", the last such line with a place). Cuts the rest off; false if it is not a crash.
 */
static bool take_crash(struct str *messages, struct str *at)
{
    static const char *const begins[] = {"PLEASE submit a bug report", "Stack dump:"};
    char *from = NULL;
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
        char *hit = messages->data
                        ? memmem(messages->data, messages->len, begins[i], strlen(begins[i]))
                        : NULL;
        if (hit && (!from || hit < from)) from = hit;
    }
    if (!from) return false;
    const char *end = messages->data + messages->len;
    for (const char *line = from; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        if (!stop) stop = end;
        const size_t number = strspn(line, "0123456789");
        const char *text = line + number + 2;
        if (number && text < stop && line[number] == '.' && line[number + 1] == '\t' &&
            *text != '<' && strncmp(text, "Program arguments", 17)) {
            str_clear(at);
            str_put_n(at, text, (size_t)(stop - text));
        }
        line = stop + 1;
    }
    messages->len = (size_t)(from - messages->data);
    return true;
}

// The clang that waits for work, if one does.
static struct {
    char *path;
    int control;
} waiting = {NULL, -1};

static const char *clang_path(void)
{
    const char *set = secure_getenv("CLDBG_CLANG");
    return set && *set ? set : CLDBG_CLANG_PATH;
}

void fe_clang_wait(void)
{
    char dir[PATH_MAX], *slash;
    const ssize_t n = readlink("/proc/self/exe", dir, sizeof dir - 1);
    dir[n > 0 ? n : 0] = 0;
    if (!(slash = strrchr(dir, '/')) || *clang_path() != '/') return;
    *slash = 0;
    // in the build tree, installed and moved, installed
    static const char *const places[] = {"/../base/.libs/", "/../../lib/cldbg/",
                                         CLDBG_PKGLIBDIR "/"};
    for (unsigned i = 0; i < 3; i++) {
        struct str preload = {0};
        str_printf(&preload, "LD_PRELOAD=%s%swaiting.so", i < 2 ? dir : "", places[i]);
        if (access(strchr(str_text(&preload), '=') + 1, R_OK)) {
            str_deinit(&preload);
            continue;
        }
        char *env[] = {preload.data, (char[]){"LD_BIND_NOW=1"}, NULL};
        pid_t pid;
        waiting.path = mem_strdup(clang_path());
        waiting.control =
            fork_server_start((const char *[]){waiting.path, "--version", NULL}, env, &pid);
        str_deinit(&preload);
        return;
    }
}

/** Of the files that clang opened, the first that is out of reach; NULL: none. */
static const char *out_of_reach(const struct fe_reach *reach, const struct str *files)
{
    for (const char *p = str_text(files); reach->limited && p < str_text(files) + files->len;
         p += strlen(p) + 1)
        if (!fe_reach_has(reach, p)) return p;
    return NULL;
}

struct outputs {
    struct str *bitcode, *depends, *log;
};

static enum fe_status run(const char *const *argv, const struct str *source,
                          const struct fe_reach *reach, const struct fe_header_dir *dir,
                          struct outputs to)
{
    struct str *const log = to.log;
    const struct proc_limits limits = {
        .seconds = proc_seconds(DEFAULT_SECONDS),
        .max_output = 256 << 20,
        .memory = 8ull << 30,
        .fork_server = waiting.path && !strcmp(waiting.path, argv[0]) ? waiting.control : -1};
    struct proc_result p;
    bool not_found;
    struct err *e = proc_run(argv, source->data, source->len, &limits, &p, &not_found);
    if (e) {
        str_printf(log, "error: %s\n", err_message(e));
        if (not_found)
            str_printf(log,
                       "cldbg compiles kernels with clang; on Debian: apt-get install clang-%d "
                       "(or set CLDBG_CLANG to the one to use)\n",
                       CLDBG_LLVM_MAJOR);
        err_free(e);
        return not_found ? FE_NO_COMPILER : FE_FAILED;
    }
    struct str how = {0}, at = {0};
    struct str files = {0};
    read_files(&p.extra, &files);
    const char *foreign = out_of_reach(reach, &files);
    const bool crashed = take_crash(&p.err, &at);
    if (!foreign) fe_header_dir_put_log(dir, &p.err, log);
    if (reach->limited && !foreign && strstr(str_text(&p.err), "' file not found\n"))
        str_put(log, "note: headers are read only below the kernel's folder and the folders given "
                     "with -I; those of a capture are not read\n");
    proc_describe(&p, &limits, &how);
    enum fe_status st = FE_OK;
    if (foreign) {
        st = FE_FAILED;
        str_printf(log,
                   "error: '%s' is outside the kernel's folder and the folders given with -I, or "
                   "not a regular file\n",
                   foreign);
    } else if (crashed) {
        st = FE_FAILED;
        str_printf(log, "error: the compiler (%s) crashed%s%s\n", argv[0], at.len ? " at " : "",
                   str_text(&at));
        str_put(log, "note: that is a fault of the compiler's; writing the code at that place in "
                     "another way helps\n");
    } else if (how.len) {
        st = FE_FAILED;
        // A plain status 1 is clang's way to say that the errors above are the user's.
        if (p.exit_status != 1 || !p.err.len)
            str_printf(log, "error: the compiler (%s) %s\n", argv[0], str_text(&how));
    } else if (!p.out.len) {
        st = FE_FAILED;
        str_printf(log, "error: the compiler (%s) gave no output\n", argv[0]);
    } else {
        str_put_n(to.bitcode, p.out.data, p.out.len);
        fe_header_dir_put_log(dir, &files, to.depends);
    }
    str_deinit(&files);
    str_deinit(&how);
    str_deinit(&at);
    proc_result_deinit(&p);
    return st;
}

enum fe_status fe_clang(const struct fe_request *r, const struct fe_options *o,
                        struct fe_reach *reach, struct str *bitcode, struct str *depends,
                        struct str *log)
{
    struct fe_header_dir dir;
    int overlay = -1;
    if (access("/dev/fd", X_OK)) {
        str_printf(log,
                   "error: /dev/fd cannot be used (%m): the compiler needs /proc to be mounted\n");
        return FE_FAILED;
    }
    struct err *e = fe_header_dir_create(&dir, r->headers, r->nheaders);
    if (!e && dir.folder.path && reach->limited) fe_reach_add(reach, dir.folder.path);
    if (!e && reach->limited) e = fe_reach_overlay(reach, clang_path(), &overlay);
    if (e) {
        str_printf(log, "error: %s\n", err_message(e));
        err_free(e);
        fe_header_dir_destroy(&dir);
        return FE_FAILED;
    }
    VEC(const char *) argv = {0};
    vec_push(&argv, clang_path());
    for (size_t i = 0; i < sizeof fixed_flags / sizeof *fixed_flags; i++)
        vec_push(&argv, fixed_flags[i]);
    for (size_t i = 0; !o->werror && i < sizeof allowed / sizeof *allowed; i++)
        vec_push(&argv, allowed[i]);
    struct str std = {0}, folders = {0};
    if (reach->limited) {
        str_printf(&folders, "/proc/%d/fd/%d", (int)getpid(), overlay);
        const char *const limits[] = {
            "-ivfsoverlay", str_text(&folders),     "-Xclang", "-sys-header-deps",
            "-Xclang",      "-header-include-file", "-Xclang", "/dev/fd/3"};
        for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) vec_push(&argv, limits[i]);
    }
    str_printf(&std, "-cl-std=%s", o->std);
    vec_push(&argv, str_text(&std));
    if (dir.include) vec_push(&argv, dir.include);
    if (dir.rename) vec_push(&argv, dir.rename);
    for (unsigned i = 0; i < o->nclang; i++) vec_push(&argv, o->clang[i]);
    vec_push(&argv, "-");
    vec_push(&argv, NULL);
    const size_t said = log->len;
    unsigned libraries = fe_libraries_of(r, o), more = 0;
    enum fe_status st;
    do {
        struct str source = {0};
        libraries |= more;
        marked_source(r, o, libraries, &source);
        st = run(argv.data, &source, reach, &dir, (struct outputs){bitcode, depends, log});
        str_deinit(&source);
        // an included file or a macro may name functions
        more = st == FE_FAILED
                   ? fe_libraries_missed(str_text(log) + said, log->len - said) & ~libraries
                   : 0;
        if (more) log->data[log->len = said] = '\0';
    } while (more);
    str_deinit(&std);
    str_deinit(&folders);
    if (overlay >= 0) close(overlay);
    vec_free(&argv);
    fe_header_dir_destroy(&dir);
    return st;
}
