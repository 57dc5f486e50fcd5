// SPDX-License-Identifier: MIT
#include "debug/session/programs.h"

#include "debug/session/session.h"

#include <string.h>

struct dbg_programs dbg_programs;

struct dbg_module *dbg_module_of(const struct bc_module *m)
{
    for (size_t i = 0; i < dbg_programs.modules.len; i++)
        if (dbg_programs.modules.data[i].m == m) return &dbg_programs.modules.data[i];
    for (size_t i = 0; i < dbg_programs.released.len; i++)
        if (dbg_programs.released.data[i].m == m) return &dbg_programs.released.data[i];
    return NULL;
}

struct err *dbg_no_program(void)
{
    return err_new(dbg_client.idle ? "The program is not being run.  `run` starts it again."
                                   : "No program is built yet.");
}

const char *dbg_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *dbg_file_name(const struct bc_module *m, uint32_t file)
{
    return file < m->nfiles ? bc_str(m, m->files[file].name) : "?";
}

const char *dbg_source_line(const struct bc_module *m, uint32_t file, uint32_t line, size_t *len)
{
    if (file >= m->nfiles) return NULL;
    const struct bc_file *f = &m->files[file];
    struct rep_place p = {.file = bc_str(m, f->name),
                          .path = f->path ? bc_str(m, f->path) : NULL,
                          .line = line,
                          .text_first_line = f->first_line ? f->first_line : 1};
    if (f->text)
        p.text =
            rep_sources_keep(dbg_programs.sources, p.file, bc_str(m, f->text), p.text_first_line);
    return rep_sources_line(dbg_programs.sources, &p, len);
}
