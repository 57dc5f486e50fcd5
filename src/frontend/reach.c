// SPDX-License-Identifier: MIT
// Which files a stranger's program can make the compiler and the reports read: those below the
// folders of -I.
//
// clang gets an overlay file system (-ivfsoverlay, "redirect-only") that has these folders and
// clang's own headers. Absolute paths, "..", /dev and /proc do not exist in it, for #include,
// #embed and __has_include. The overlay needs no support of the kernel (unlike Landlock) and
// does not resolve links inside the folders: so clang also lists every file that it opened, and the
// caller shows nothing of a build whose list has a file that fe_reach_has refuses.
#include "config.h"
#include "frontend/reach.h"

#include "base/io.h"
#include "base/proc.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

void fe_reach_add(struct fe_reach *f, const char *folder)
{
    char real[PATH_MAX];
    if (!realpath(folder, real)) return; // nothing is below it
    vec_push(&f->given, arena_strdup(&f->arena, folder));
    vec_push(&f->real, arena_strdup(&f->arena, real));
}

void fe_reach_init(struct fe_reach *f, const struct fe_request *r, struct fe_options *o,
                   struct str *log)
{
    unsigned kept = 0;
    f->limited = r->reach != FE_REACH_ALL;
    for (unsigned i = 0; i < r->nsegments; i++)
        if (r->segments[i].path)
            vec_push(&f->sources, arena_strdup(&f->arena, r->segments[i].path));
    for (unsigned i = 0; i < o->nclang && f->limited; i++) {
        const bool folder = str_starts(o->clang[i], "-I");
        if (folder && r->reach == FE_REACH_NONE) {
            str_printf(log, "note: build option '%s' of a capture is ignored\n", o->clang[i]);
            continue;
        }
        if (folder) fe_reach_add(f, o->clang[i] + 2);
        o->clang[kept++] = o->clang[i];
    }
    if (f->limited) o->nclang = kept;
}

bool fe_reach_has(const struct fe_reach *f, const char *path)
{
    struct stat st;
    if (!f->limited) return true;
    for (size_t i = 0; i < f->sources.len; i++)
        if (!strcmp(f->sources.data[i], path)) return true;
    for (size_t i = 0; i < f->real.len; i++)
        if (io_is_below(path, f->real.data[i])) return !stat(path, &st) && S_ISREG(st.st_mode);
    return false;
}

static void put_quoted(struct str *s, const char *text)
{
    str_put(s, "\"");
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') str_put_char(s, '\\');
        str_put_char(s, *text);
    }
    str_put(s, "\"");
}

static void put_folder(struct str *s, const char *name, const char *real)
{
    str_printf(s,
               "%s{\"type\":\"directory-remap\",\"name\":", str_ends(str_text(s), "[") ? "" : ",");
    put_quoted(s, name);
    str_put(s, ",\"external-contents\":");
    put_quoted(s, real);
    str_put(s, "}");
}

/** Where clang's own headers are if it was installed as LLVM installs it; otherwise false. */
static bool beside_clang(const char *clang, char folder[PATH_MAX])
{
    char program[PATH_MAX], header[PATH_MAX];
    if (!realpath(clang, program)) return false;
    for (int up = 0; up < 2; up++) { // from bin/clang; names in the overlay have no ".."
        char *end = strrchr(program, '/');
        if (!end) return false;
        *end = 0;
    }
    const int n = snprintf(folder, PATH_MAX, "%s/lib/clang/%u", program, CLDBG_LLVM_MAJOR);
    return n < PATH_MAX &&
           snprintf(header, sizeof header, "%s/include/opencl-c-base.h", folder) < PATH_MAX &&
           !access(header, R_OK);
}

/**
 * Where the compiler has its own headers. It is asked if they are not beside it, which takes a
 * quarter of the time of a build. If it does not say so, the build reports what is wrong with it.
 */
static struct err *add_own_headers(struct fe_reach *f, const char *clang)
{
    const struct proc_limits limits = {.seconds = 60, .max_output = 1 << 20};
    struct proc_result p = {0};
    char beside[PATH_MAX];
    if (beside_clang(clang, beside)) return fe_reach_add(f, beside), NULL;
    struct err *e =
        proc_run((const char *[]){clang, "--no-default-config", "-print-resource-dir", NULL}, NULL,
                 0, &limits, &p, NULL);
    if (!e) {
        char *folder = mem_strdup(str_text(&p.out));
        folder[strcspn(folder, "\n")] = 0;
        if (*folder == '/') fe_reach_add(f, folder);
        free(folder);
    }
    proc_result_deinit(&p);
    return e;
}

struct err *fe_reach_overlay(struct fe_reach *f, const char *clang, int *fd)
{
    struct err *e = add_own_headers(f, clang);
    if (e) return e;
    // LLVM takes $PWD for the working directory where that names it.
    char cwd[PATH_MAX];
    const char *const bases[] = {getcwd(cwd, sizeof cwd), getenv("PWD")};
    struct str s = {0}, name = {0};
    str_put(&s, "{\"version\":0,\"redirecting-with\":\"redirect-only\",\"case-sensitive\":true,"
                "\"use-external-names\":false,\"roots\":[");
    for (size_t i = 0; i < f->given.len; i++) {
        const bool absolute = *f->given.data[i] == '/';
        for (int b = 0; b < 2; b++) {
            if (absolute ? b
                         : !bases[b] || *bases[b] != '/' ||
                               (b && bases[0] && !strcmp(bases[0], bases[1])))
                continue;
            str_clear(&name);
            if (!absolute) str_printf(&name, "%s/", bases[b]);
            str_put(&name, f->given.data[i]);
            put_folder(&s, str_text(&name), f->real.data[i]);
        }
    }
    str_put(&s, "]}\n");
    *fd = memfd_create("overlay.yaml", MFD_CLOEXEC);
    if (*fd < 0 || !io_write_all(*fd, s.data, s.len)) {
        e = err_new("cannot hand the list of folders to the compiler: %s", strerror(errno));
        if (*fd >= 0) close(*fd);
    }
    str_deinit(&name);
    str_deinit(&s);
    return e;
}

void fe_reach_deinit(struct fe_reach *f)
{
    vec_free(&f->given);
    vec_free(&f->real);
    vec_free(&f->sources);
    arena_deinit(&f->arena);
}
