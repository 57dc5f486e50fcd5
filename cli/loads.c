// SPDX-License-Identifier: MIT
// With LD_DEBUG=files,libs, ld.so lists what it loads in a file for each process (LD_DEBUG_OUTPUT):
//     4711:	file=libOpenCL.so.1 [0];  needed by ./app [0]
//     4711:	file=libOpenCL.so [0];  dynamically loaded by /usr/lib/libfoo.so [0]
//     4711:	calling init: /usr/lib/x86_64-linux-gnu/libOpenCL.so.1
#include "cli/loads.h"

#include "base/str.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** Loaders and drivers, by the names that they have on Linux. */
static bool is_opencl(const char *path)
{
    static const char *const names[] = {
        "libOpenCL.so", "libcldbg.so", "libpocl",       "liboclgrind",      "libnvidia-opencl",
        "libamdocl",    "libigdrcl",   "libMesaOpenCL", "libRusticlOpenCL", "libintelocl"};
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_starts(base, names[i])) return true;
    return false;
}

struct err *cmd_loads_begin(struct cmd_loads *l)
{
    *l = (struct cmd_loads){.folder = "/tmp/cldbg-doctor-XXXXXX"};
    if (!mkdtemp(l->folder)) return err_new("a folder cannot be created in /tmp: %m");
    char path[96];
    snprintf(path, sizeof path, "%s/ld", l->folder);
    setenv("LD_DEBUG", "files,libs", 1);
    setenv("LD_DEBUG_OUTPUT", path, 1);
    return NULL;
}

/** The word that ends before " [0]". */
static char *word_of(const char *p)
{
    const char *end = strstr(p, " [");
    return strndup(p, end ? (size_t)(end - p) : strcspn(p, "\n"));
}

static bool same_base(const char *a, const char *b)
{
    const char *sa = strrchr(a, '/'), *sb = strrchr(b, '/');
    return !strcmp(sa ? sa + 1 : a, sb ? sb + 1 : b);
}

/** A library was loaded; takes over the path. */
static void add(struct cmd_loads *l, char *path)
{
    for (size_t i = 0; i < l->list.len; i++)
        if (!strcmp(l->list.data[i].path, path)) {
            free(path);
            return;
        }
    struct cmd_load *load = vec_add(&l->list);
    load->path = path;
    for (size_t i = 0; i < l->asked.len && !load->by; i++)
        if (same_base(l->asked.data[i].path, path)) {
            load->by = mem_strdup(l->asked.data[i].by);
            load->opened = l->asked.data[i].opened;
        }
}

static void read_line(struct cmd_loads *l, const char *line)
{
    const char *file = strstr(line, "\tfile="), *init = strstr(line, "\tcalling init: ");
    const char *needed = strstr(line, "needed by "),
               *opened = strstr(line, "dynamically loaded by ");
    if (file && (needed || opened)) {
        char *name = word_of(file + strlen("\tfile="));
        if (is_opencl(name)) {
            char *by = word_of(needed ? needed + strlen("needed by ")
                                      : opened + strlen("dynamically loaded by "));
            vec_push(&l->asked, (struct cmd_load){name, by, opened != NULL});
        } else {
            free(name);
        }
    } else if (init) {
        char *path = word_of(init + strlen("\tcalling init: "));
        if (is_opencl(path)) add(l, path);
        else free(path);
    }
}

static void read_account(struct cmd_loads *l, const char *path)
{
    FILE *f = fopen(path, "re");
    if (!f) return;
    char *line = NULL;
    size_t cap = 0;
    while (getline(&line, &cap, f) > 0) read_line(l, line);
    free(line);
    fclose(f);
}

void cmd_loads_end(struct cmd_loads *l)
{
    unsetenv("LD_DEBUG");
    unsetenv("LD_DEBUG_OUTPUT");
    DIR *d = opendir(l->folder);
    struct dirent *entry;
    while (d && (entry = readdir(d))) {
        char path[sizeof l->folder + sizeof entry->d_name + 1];
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", l->folder, entry->d_name);
        read_account(l, path);
        unlink(path);
    }
    if (d) closedir(d);
    rmdir(l->folder);
}

void cmd_loads_free(struct cmd_loads *l)
{
    for (size_t i = 0; i < l->list.len; i++) {
        free(l->list.data[i].path);
        free(l->list.data[i].by);
    }
    for (size_t i = 0; i < l->asked.len; i++) {
        free(l->asked.data[i].path);
        free(l->asked.data[i].by);
    }
    vec_free(&l->list);
    vec_free(&l->asked);
}
