// SPDX-License-Identifier: MIT
// Where cldbg's parts are. /proc/self/exe says where the command is; from there it is the same way
// to the rest in every copy of an installed tree, or we are in a build tree and libtool's folders
// hold them.
#include "cli/cmd.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *cmd_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash) return mem_strdup(".");
    char *folder = mem_strdup(path);
    folder[slash == path ? 1 : slash - path] = 0;
    return folder;
}

const char *cmd_with_folder(struct arena *a, const char *path, const char *options)
{
    struct str s = {0};
    char *folder = cmd_folder(path);
    str_put(&s, "-I ");
    for (const char *p = folder; *p; p++) {
        if (strchr("\"'\\ \t", *p)) str_put_char(&s, '\\');
        str_put_char(&s, *p);
    }
    str_printf(&s, " %s", options ? options : "");
    const char *all = arena_strdup(a, str_text(&s));
    free(folder);
    str_deinit(&s);
    return all;
}

static bool is_component_end(char c) { return c == '/' || c == 0; }

/**
 * What `to` is called seen from the folder `from` (both absolute, as configured), when `from` is
 * now at `here`: that many folders up and down again.
 */
static char *relocate(const char *here, const char *from, const char *to)
{
    size_t common = 0;
    for (size_t i = 0;; i++) {
        if (is_component_end(from[i]) && is_component_end(to[i])) common = i;
        if (from[i] != to[i] || !from[i]) break;
    }
    char *base = mem_strdup(here);
    for (const char *p = from + common; *p; p++)
        if (*p == '/' && p[1]) {
            char *up = cmd_folder(base);
            free(base);
            base = up;
        }
    struct str s = {0};
    str_printf(&s, "%s%s", strcmp(base, "/") ? base : "", to + common);
    free(base);
    return str_take(&s);
}

static char *join(const char *folder, const char *rest)
{
    struct str s = {0};
    str_printf(&s, "%s/%s", folder, rest);
    return str_take(&s);
}

void cmd_home_free(struct cmd_home *h)
{
    free(h->driver);
    free(h->front);
    free(h->vendors);
    free(h->helper);
    free(h->ranks);
    *h = (struct cmd_home){0};
}

static struct err *check_part(const char *path, const char *what)
{
    if (!access(path, R_OK)) return NULL;
    return err_new("%s is missing: %s (was cldbg installed completely?)", what, path);
}

struct err *cmd_home_find(struct cmd_home *h)
{
    char exe[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    if (n <= 0)
        return err_new("/proc/self/exe cannot be read (%m): cldbg needs /proc to be mounted");
    exe[n] = 0;
    char *here = cmd_folder(exe), *above = cmd_folder(here);
    char *in_build = join(above, BUILD_DRIVER);
    if (!access(in_build, R_OK)) {
        *h = (struct cmd_home){.driver = mem_strdup(in_build),
                               .front = join(above, BUILD_FRONT),
                               .vendors = join(above, "cli/vendors"),
                               .helper = join(above, BUILD_HELPER),
                               .ranks = join(above, BUILD_RANKS)};
    } else {
        char *lib = relocate(here, BINDIR, PKGLIBDIR),
             *libexec = relocate(here, BINDIR, PKGLIBEXECDIR);
        *h = (struct cmd_home){.driver = join(lib, "libcldbg.so"),
                               .front = join(lib, "front/libOpenCL.so.1"),
                               .vendors = join(lib, "vendors"),
                               .helper = join(libexec, "cldbg-cc"),
                               .ranks = join(lib, "libcldbg-mpi.so")};
        free(lib);
        free(libexec);
    }
    free(in_build);
    free(above);
    free(here);
    struct err *e = check_part(h->driver, "the driver");
    if (!e) e = check_part(h->front, "the OpenCL library to put libOpenCL for apps");
    if (!e) e = check_part(h->helper, "the kernel compiler");
    return e;
}
