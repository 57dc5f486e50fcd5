// SPDX-License-Identifier: MIT
// `list`.
#include "base/mem.h"
#include "debug/commands/command.h"
#include "debug/expressions/frame_text.h"
#include "debug/session/session.h"
#include "debug/session/session_settings.h"

#include <ctype.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

struct err *dbg_line_named(const char *text, const struct bc_module **m, uint32_t *file,
                           uint32_t *line)
{
    for (size_t i = dbg_programs.modules.len; i-- > 0;) {
        const struct bc_module *x = dbg_programs.modules.data[i].m;
        const char *colon = strrchr(text, ':');
        for (uint32_t k = 0; colon && k < x->nfiles; k++) {
            const char *name = dbg_file_name(x, k);
            const size_t n = (size_t)(colon - text), len = strlen(name);
            if (len < n || memcmp(name + len - n, text, n) || (len > n && name[len - n - 1] != '/'))
                continue;
            size_t any;
            if (!dbg_source_line(x, k, 1, &any)) continue;
            *m = x, *file = k, *line = (uint32_t)strtoul(colon + 1, NULL, 10);
            return NULL;
        }
        for (uint32_t k = 0; !colon && k < x->nfns; k++)
            if (!strcmp(bc_str(x, x->fns[k].name), text)) {
                const struct bc_loc *l = &x->locs[x->fns[k].loc];
                *m = x, *file = l->file, *line = l->line;
                return NULL;
            }
    }
    return strrchr(text, ':')
               ? err_new("No source file named %.*s.", (int)(strrchr(text, ':') - text), text)
               : err_new("Function \"%s\" not defined.", text);
}

struct err *dbg_list_start(void)
{
    struct dbg_frame f[DBG_MAX_FRAMES];
    if (dbg.state == DBG_STOPPED) {
        struct vm_gang *g = dbg_gang(dbg_focus.item);
        const unsigned n = dbg_frames(g, f);
        dbg_listing.module = g->code->module;
        const uint32_t loc = dbg_focus.frame < n ? f[dbg_focus.frame].loc : g->code->fns[0].bc->loc;
        const struct bc_loc *l = &dbg_listing.module->locs[loc];
        dbg_listing.file = l->file;
        dbg_listing.line =
            l->line > dbg_settings.list_size / 2 ? l->line - dbg_settings.list_size / 2 : 1;
        return NULL;
    }
    if (!dbg_programs.modules.len) return dbg_no_program();
    const struct bc_module *m = vec_last(&dbg_programs.modules).m;
    dbg_listing.module = m;
    const uint32_t loc = m->nkernels ? m->fns[m->kernels[0].fn].loc : 0;
    dbg_listing.file = m->locs[loc].file;
    dbg_listing.line = 1;
    return NULL;
}

COMMAND(list, DATA, "list", "l", AGAIN, "[LINE | FIRST,LAST | FUNCTION | FILE:LINE | -]",
        "List source lines: around the current location, or those after the last ones listed.")
{
    struct err *e = NULL;
    static uint32_t first_shown;
    uint32_t count = dbg_settings.list_size;
    if (!dbg_listing.line &&
        (!*args || isdigit((unsigned char)*args) || *args == ',' || *args == '-'))
        e = dbg_list_start();
    if (e) return e;
    const char *comma = strchr(args, ',');
    if (!strcmp(args, "-")) {
        if (first_shown <= 1)
            return err_new("Already at the start of %s.",
                           dbg_base_name(dbg_file_name(dbg_listing.module, dbg_listing.file)));
        dbg_listing.line = first_shown > count ? first_shown - count : 1;
        count = first_shown - dbg_listing.line;
    } else if (comma && isdigit((unsigned char)*args)) {
        dbg_listing.line = (uint32_t)strtoul(args, NULL, 10);
        const uint32_t last = (uint32_t)strtoul(comma + 1 + strspn(comma + 1, " "), NULL, 10);
        if (last) count = last >= dbg_listing.line ? last - dbg_listing.line + 1 : 1;
    } else if (*args && args[strspn(args, "0123456789")] == 0) {
        const uint32_t line = (uint32_t)strtoul(args, NULL, 10);
        dbg_listing.line = line > count / 2 ? line - count / 2 : 1;
    } else if (*args) {
        uint32_t line = 1;
        e = dbg_line_named(args, &dbg_listing.module, &dbg_listing.file, &line);
        if (e) return e;
        dbg_listing.line = line > count / 2 ? line - count / 2 : 1;
    }
    first_shown = dbg_listing.line;
    for (uint32_t k = 0; k < count; k++, dbg_listing.line++) {
        size_t len;
        const char *text =
            dbg_source_line(dbg_listing.module, dbg_listing.file, dbg_listing.line, &len);
        if (!text && !k) {
            const char *name = dbg_base_name(dbg_file_name(dbg_listing.module, dbg_listing.file));
            return err_new("Line number %u out of range; \"%s\" has no such line.",
                           dbg_listing.line, name);
        }
        if (!text) break;
        dbg_put_source_line(out, dbg_listing.line, text, len);
    }
    return NULL;
}

/** Shows the next line from `line` on that matches, in steps of 1 or -1. */
static struct err *search(const char *args, int step, struct str *out)
{
    regex_t r;
    struct err *e = *args ? NULL : err_new("A regular expression is expected.");
    if (!e && !dbg_listing.line) e = dbg_list_start();
    if (e) return e;
    if (regcomp(&r, args, REG_NOSUB)) return err_new("Not a regular expression: \"%s\".", args);
    bool found = false;
    size_t len;
    for (uint32_t line = dbg_listing.line + (uint32_t)(step < 0 ? -2 : 0); !found && line;
         line += (uint32_t)step) {
        const char *text = dbg_source_line(dbg_listing.module, dbg_listing.file, line, &len);
        if (!text) break;
        struct str copy = {0};
        str_put_n(&copy, text, len);
        found = !regexec(&r, str_text(&copy), 0, NULL, 0);
        str_deinit(&copy);
        if (found) dbg_put_source_line(out, line, text, len), dbg_listing.line = line + 1;
    }
    regfree(&r);
    return found ? NULL : err_new("Expression not found");
}

COMMAND(search, DATA, "search", "forward-search fo", AGAIN, "REGEX",
        "Show the next source line that matches a regular expression, after the last listed one.")
{
    return search(args, 1, out);
}
COMMAND(reverse_search, DATA, "reverse-search", "", AGAIN, "REGEX",
        "Show the last source line before the listed ones that matches a regular expression.")
{
    return search(args, -1, out);
}
