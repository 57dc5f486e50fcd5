// SPDX-License-Identifier: MIT
// Commands that show values, memory and source.
#include "debug/command.h"

#include "base/mem.h"
#include "debug/history.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define LL(x) ((unsigned long long)(x))

struct err *dbg_format_parse(const char **args, struct dbg_format *f)
{
    const char *p = *args;
    if (*p != '/') return NULL;
    p++;
    if (isdigit((unsigned char)*p)) {
        char *end;
        f->count = strtoull(p, &end, 10);
        p = end;
    }
    for (; *p && !isspace((unsigned char)*p); p++) {
        if (strchr("bhwg", *p)) f->size = *p;
        else if (strchr("xduotcfaz", *p)) f->letter = *p;
        else return err_new("Undefined output format \"%c\".", *p);
    }
    *args = p + strspn(p, " \t");
    return NULL;
}

// ---- print
static void remember(struct str *out, struct vm_gang *g, const struct dbg_value *v, const struct dbg_format *f)
{
    vec_push(&dbg.values, *v);
    str_printf(out, "$%zu = ", dbg.values.len);
    dbg_value_put(out, g, v, f);
    str_put(out, "\n");
}

static struct vm_gang *focus_gang(void) { return dbg.state == DBG_STOPPED ? dbg_gang(dbg.focus) : NULL; }

/** The value in every work-item: a grid by local id, rows that are the same folded. */
static struct err *print_all(const char *text, const struct dbg_format *f, struct str *out)
{
    struct err *e = dbg_need_stopped();
    if (e) return e;
    const struct vm_group *grp = dbg.grp;
    VEC(char *) cells = {0};
    size_t width = 1;
    for (uint32_t i = 0; i < grp->items && !e; i++) {
        struct vm_gang *g = grp->gangs[i];
        struct dbg_frame fr[DBG_MAX_FRAMES], focus[DBG_MAX_FRAMES];
        const unsigned n = dbg_frames(g, fr), m = dbg_frames(dbg_gang(dbg.focus), focus);
        struct str cell = {0};
        struct arena a = {0};
        struct dbg_value v;
        struct dbg_expr *x = NULL;
        // what it stands for in the focus' frame: the same variable of each
        e = dbg.frame < m ? dbg_expr_parse(text, g->code->module, focus[dbg.frame].fn, focus[dbg.frame].loc, &x)
                          : dbg_expr_parse(text, g->code->module, g->code->fns[0].bc, 0, &x);
        if (!e) {
            struct err *bad = dbg_expr_eval(x, g, &a, &v);
            if (bad) str_put(&cell, "-");
            else dbg_value_put(&cell, g, &v, f);
            if (bad && i == dbg.focus) e = bad;
            else err_free(bad);
        }
        (void)n;
        dbg_expr_free(x);
        arena_deinit(&a);
        if (cell.len > width) width = cell.len;
        vec_push(&cells, cell.data ? str_take(&cell) : mem_strdup(""));
    }
    const uint32_t *shape = grp->shape;
    bool uniform = !e;
    for (size_t i = 1; i < cells.len; i++) uniform &= !strcmp(cells.data[i], cells.data[0]);
    if (!e && uniform && cells.len) {
        str_printf(out, "%s in all %u work-items\n", cells.data[0], grp->items);
    } else if (!e) {
        const size_t columns = width >= 78 ? 1 : 78 / (width + 1) ? 72 / (width + 1) : 1;
        for (uint32_t z = 0; z < shape[2]; z++)
            for (uint32_t y = 0; y < shape[1]; y++) {
                const size_t row = ((size_t)z * shape[1] + y) * shape[0];
                for (uint32_t x = 0; x < shape[0];) {
                    if (shape[2] > 1) str_printf(out, "(%u..,%u,%u) ", x, y, z);
                    else if (shape[1] > 1) str_printf(out, "(%u..,%u) ", x, y);
                    else str_printf(out, "(%u..) ", x);
                    uint32_t run = 1;
                    while (x + run < shape[0] && !strcmp(cells.data[row + x + run], cells.data[row + x])) run++;
                    if (run >= 8) {
                        str_printf(out, "%s <%u work-items>\n", cells.data[row + x], run);
                        x += run;
                        continue;
                    }
                    for (size_t c = 0; c < columns && x < shape[0]; c++, x++) {
                        run = 1;
                        while (x + run < shape[0] && !strcmp(cells.data[row + x + run], cells.data[row + x])) run++;
                        if (run >= 8) break;
                        str_printf(out, "%s%*s", c ? " " : "", (int)width, cells.data[row + x]);
                    }
                    str_put(out, "\n");
                }
            }
    }
    for (size_t i = 0; i < cells.len; i++) free(cells.data[i]);
    vec_free(&cells);
    return e;
}

struct err *dbg_cmd_print(const char *args, struct str *out)
{
    struct dbg_format f = {0};
    bool all = false;
    struct err *e = NULL;
    for (bool more = true; more && !e;) {
        more = false;
        if (!strncmp(args, "-a", 2) && (isspace((unsigned char)args[2]) || args[2] == '/')) {
            all = more = true;
            args += 2 + strspn(args + 2, " \t");
        }
        if (*args == '/') {
            e = dbg_format_parse(&args, &f);
            more = true;
        }
    }
    if (e) return e;
    if (f.size || f.count) return err_new("Item count and size are not for print; `x` shows memory.");
    if (all) return *args ? print_all(args, &f, out) : err_new("Argument required (an expression).");
    struct dbg_value v;
    e = dbg_eval(*args ? args : "$", &dbg.arena, &v);
    if (!e && dbg_strip(v.type)->kind != BC_T_ARRAY && dbg_strip(v.type)->kind != BC_T_STRUCT && dbg_strip(v.type)->kind != BC_T_UNION && v.in_memory &&
        !v.ncomp && !v.bits && !dbg_is_undefined(focus_gang(), v.address, dbg_strip(v.type)->size)) {
        e = dbg_value_load(focus_gang(), &v, &dbg.arena);
        if (e) return e;
    } else if (!e && v.in_memory) { // what it is now, in the history; undefined parts are shown as such
        struct dbg_value now = v;
        e = dbg_value_load(focus_gang(), &now, &dbg.arena);
        if (e) return e;
        vec_push(&dbg.values, now);
        str_printf(out, "$%zu = ", dbg.values.len);
        dbg_value_put(out, focus_gang(), &v, &f);
        str_put(out, "\n");
        return NULL;
    }
    if (!e && dbg_strip(v.type)->kind == BC_T_VOID) {
        str_put(out, "$ = void\n");
        return NULL;
    }
    if (!e) remember(out, focus_gang(), &v, &f);
    return e;
}

static struct err *on_off(const char *text, bool *to)
{
    if (strcmp(text, "on") && strcmp(text, "off")) return err_new("\"on\" or \"off\" expected.");
    *to = !strcmp(text, "on");
    return NULL;
}

struct err *dbg_cmd_set(const char *args, struct str *out)
{
    const size_t n = dbg_word(args);
    const char *rest = args + n + strspn(args + n, " \t");
    if (!*args) return err_new("What is to be set?");
    if (n == 16 && !memcmp(args, "stop-on-findings", n)) return on_off(rest, &dbg.stop_on_findings);
    if (n == 8 && !memcmp(args, "listsize", n)) {
        char *end;
        const unsigned long k = strtoul(rest, &end, 10);
        if (end == rest || *end || !k) return err_new("A number of lines is expected.");
        dbg.list_size = (unsigned)k;
        return NULL;
    }
    if (n == 12 && !memcmp(args, "history-size", n)) {
        char *end;
        const unsigned long long k = strtoull(rest, &end, 10);
        const unsigned shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
        if (end == rest || (*end && (!shift || end[1]))) return err_new("A size is expected, such as 64M.");
        dbg.history_limit = k << shift;
        return NULL;
    }
    if (n == 4 && !memcmp(args, "seed", n)) {
        char *end;
        const unsigned long long k = strtoull(rest, &end, 10);
        if (strcmp(rest, "off") && (end == rest || *end)) return err_new("A number is expected, or \"off\".");
        vec_clear(&dbg.order.items);
        dbg.order.given = strcmp(rest, "off");
        dbg.order.seed = k;
        return NULL;
    }
    if ((n == 10 && !memcmp(args, "pagination", n)) || (n == 7 && !memcmp(args, "confirm", n))) { // the command line's own
        bool ignored;
        return on_off(rest, &ignored);
    }
    struct dbg_value v;
    return dbg_eval(n == 3 && !memcmp(args, "var", 3) ? rest : n == 8 && !memcmp(args, "variable", 8) ? rest : args, &dbg.arena, &v);
}

struct err *dbg_cmd_show(const char *args, struct str *out)
{
    if (!*args || !strcmp(args, "stop-on-findings")) str_printf(out, "stop-on-findings is %s.\n", dbg.stop_on_findings ? "on" : "off");
    if (!*args || !strcmp(args, "listsize")) str_printf(out, "listsize is %u.\n", dbg.list_size);
    if (!*args || !strcmp(args, "history-size")) str_printf(out, "history-size is %llu bytes.\n", LL(dbg.history_limit));
    if ((!*args || !strcmp(args, "seed")) && dbg.order.given) str_printf(out, "seed is %llu: work-items run in an order that follows from it.\n", LL(dbg.order.seed));
    else if (!*args || !strcmp(args, "seed")) str_put(out, "seed is off: work-items run in the order of their ids.\n");
    if (!out->len) return err_new("There is no setting \"%s\".", args);
    return NULL;
}

struct err *dbg_cmd_whatis(const char *args, struct str *out)
{
    struct dbg_value v;
    struct err *e = dbg_eval(*args ? args : "$", &dbg.arena, &v);
    if (e) return e;
    str_put(out, "type = ");
    dbg_type_put(out, v.type);
    str_put(out, "\n");
    return NULL;
}

struct err *dbg_cmd_ptype(const char *args, struct str *out)
{
    struct dbg_value v;
    struct err *e = dbg_eval(*args ? args : "$", &dbg.arena, &v);
    if (e) return e;
    str_put(out, "type = ");
    dbg_type_put_whole(out, v.type);
    str_put(out, "\n");
    return NULL;
}

// ---- memory
static const struct dbg_type *unit_type(const struct dbg_format *f)
{
    static const char *const ints[] = {"char", "short", "int", "long"}, *const uints[] = {"uchar", "ushort", "uint", "ulong"};
    const unsigned k = f->size == 'b' ? 0 : f->size == 'h' ? 1 : f->size == 'g' ? 3 : 2;
    if (f->letter == 'f') return k == 1 ? dbg_type_named("half", 4) : k == 3 ? dbg_type_named("double", 6) : dbg_type_named("float", 5);
    const char *name = f->letter == 'd' ? ints[k] : uints[k];
    return dbg_type_named(name, strlen(name));
}

/** "tmp+16": an address by its object. */
static void put_address(struct str *out, uint64_t p)
{
    const uint64_t id = p >> BC_PTR_ID_SHIFT;
    const char *name = id && id < dbg.run->chk.nobjects ? dbg.run->chk.objects[id].name : NULL;
    if (name) str_printf(out, "<%s+%lld>:", name, (long long)vm_offset_of(p));
    else str_printf(out, "0x%llx:", LL(p));
}

struct err *dbg_cmd_x(const char *args, struct str *out)
{
    static struct dbg_format f = {.letter = 'x', .size = 'w'};
    static uint64_t next;
    f.count = 1;
    struct err *e = dbg_need_stopped();
    if (!e) e = dbg_format_parse(&args, &f);
    if (e) return e;
    uint64_t at = next;
    if (*args) {
        struct dbg_value v;
        e = dbg_eval(args, &dbg.arena, &v);
        if (e) return e;
        const struct dbg_type *t = dbg_strip(v.type);
        if (t->kind == BC_T_ARRAY || t->kind == BC_T_STRUCT || (v.in_memory && t->kind != BC_T_POINTER && !dbg_is_integer(t))) at = v.address;
        else if (!(e = dbg_value_load(dbg_gang(dbg.focus), &v, &dbg.arena))) at = (uint64_t)dbg_as_int(v.type, v.bytes);
        if (e) return e;
    }
    if (f.count > 65536) return err_new("That are too many.");
    const struct dbg_type *t = unit_type(&f);
    if (f.letter == 'c') t = dbg_type_named("char", 4);
    const unsigned per_line = t->size == 1 ? 8 : t->size == 2 ? 8 : t->size == 4 ? 4 : 2;
    struct dbg_format show = {.letter = f.letter == 'x' || f.letter == 'a' ? 'z' : f.letter};
    for (uint64_t i = 0; i < f.count; i++, at += t->size) {
        struct dbg_value v = {.type = t};
        e = dbg_read(dbg_gang(dbg.focus), at, v.bytes, t->size);
        if (e) {
            if (i % per_line) str_put(out, "\n");
            return e;
        }
        if (i % per_line == 0) {
            if (i) str_put(out, "\n");
            put_address(out, at);
        }
        str_put(out, "\t");
        dbg_value_put(out, NULL, &v, &show);
    }
    str_put(out, "\n");
    next = at;
    return NULL;
}

// ---- displays: "/x expr", numbered from 1; NULL is deleted
static void put_display(struct str *out, size_t i)
{
    const char *p = dbg.displays.data[i];
    struct dbg_format f = {0};
    struct dbg_value v;
    err_free(dbg_format_parse(&p, &f));
    struct err *e = dbg_eval(p, &dbg.arena, &v);
    if (e) { // not here
        err_free(e);
        return;
    }
    str_printf(out, "%zu: ", i + 1);
    if (f.letter) str_printf(out, "/%c ", f.letter);
    str_printf(out, "%s = ", p);
    dbg_value_put(out, dbg.state == DBG_STOPPED ? dbg_gang(dbg.focus) : NULL, &v, &f);
    str_put(out, "\n");
}

void dbg_displays_put(struct str *out)
{
    for (size_t i = 0; i < dbg.displays.len; i++)
        if (dbg.displays.data[i]) put_display(out, i);
}

struct err *dbg_cmd_display(const char *args, struct str *out)
{
    if (!*args) {
        dbg_displays_put(out);
        return NULL;
    }
    const char *p = args;
    struct dbg_format f = {0};
    struct err *e = dbg_format_parse(&p, &f);
    if (e) return e;
    if (dbg.state == DBG_STOPPED) {
        struct dbg_value v;
        e = dbg_eval(p, &dbg.arena, &v);
        if (e) return e;
    }
    vec_push(&dbg.displays, mem_strdup(args));
    put_display(out, dbg.displays.len - 1);
    return NULL;
}

struct err *dbg_cmd_undisplay(const char *args, struct str *out)
{
    if (!*args)
        for (size_t i = 0; i < dbg.displays.len; i++) free(dbg.displays.data[i]), dbg.displays.data[i] = NULL;
    while (*args) {
        char *end;
        const unsigned long n = strtoul(args, &end, 10);
        if (end == args || !n || n > dbg.displays.len || !dbg.displays.data[n - 1]) return err_new("No display number %.*s.", (int)dbg_word(args), args);
        free(dbg.displays.data[n - 1]);
        dbg.displays.data[n - 1] = NULL;
        args = end + strspn(end, " \t,");
    }
    return NULL;
}

// ---- source
static struct err *place_of_text(const char *text, const struct bc_module **m, uint32_t *file, uint32_t *line)
{
    for (size_t i = dbg.modules.len; i-- > 0;) {
        const struct bc_module *x = dbg.modules.data[i].m;
        const char *colon = strrchr(text, ':');
        for (uint32_t k = 0; colon && k < x->nfiles; k++) {
            const char *name = dbg_file_name(x, k);
            const size_t n = (size_t)(colon - text), len = strlen(name);
            if (len < n || memcmp(name + len - n, text, n) || (len > n && name[len - n - 1] != '/')) continue;
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
    return strrchr(text, ':') ? err_new("No source file named %.*s.", (int)(strrchr(text, ':') - text), text)
                              : err_new("Function \"%s\" not defined.", text);
}

/** Where a list begins when nothing is said: around the focus, else the first kernel. */
static struct err *list_start(void)
{
    struct dbg_frame f[DBG_MAX_FRAMES];
    if (dbg.state == DBG_STOPPED) {
        struct vm_gang *g = dbg_gang(dbg.focus);
        const unsigned n = dbg_frames(g, f);
        dbg.list_module = g->code->module;
        const uint32_t loc = dbg.frame < n ? f[dbg.frame].loc : g->code->fns[0].bc->loc;
        const struct bc_loc *l = &dbg.list_module->locs[loc];
        dbg.list_file = l->file;
        dbg.list_line = l->line > dbg.list_size / 2 ? l->line - dbg.list_size / 2 : 1;
        return NULL;
    }
    if (!dbg.modules.len) return err_new("No program is built yet.");
    const struct bc_module *m = vec_last(&dbg.modules).m;
    dbg.list_module = m;
    const uint32_t loc = m->nkernels ? m->fns[m->kernels[0].fn].loc : 0;
    dbg.list_file = m->locs[loc].file;
    dbg.list_line = 1;
    return NULL;
}

struct err *dbg_cmd_list(const char *args, struct str *out)
{
    struct err *e = NULL;
    static uint32_t first_shown;
    uint32_t count = dbg.list_size;
    if (!dbg.list_line && (!*args || isdigit((unsigned char)*args) || *args == ',' || *args == '-')) e = list_start();
    if (e) return e;
    const char *comma = strchr(args, ',');
    if (!strcmp(args, "-")) {
        if (first_shown <= 1) return err_new("Already at the start of %s.", dbg_base_name(dbg_file_name(dbg.list_module, dbg.list_file)));
        dbg.list_line = first_shown > count ? first_shown - count : 1;
        count = first_shown - dbg.list_line;
    } else if (comma && isdigit((unsigned char)*args)) {
        dbg.list_line = (uint32_t)strtoul(args, NULL, 10);
        const uint32_t last = (uint32_t)strtoul(comma + 1 + strspn(comma + 1, " "), NULL, 10);
        if (last) count = last >= dbg.list_line ? last - dbg.list_line + 1 : 1;
    } else if (*args && args[strspn(args, "0123456789")] == 0) {
        const uint32_t line = (uint32_t)strtoul(args, NULL, 10);
        dbg.list_line = line > count / 2 ? line - count / 2 : 1;
    } else if (*args) {
        uint32_t line = 1;
        e = place_of_text(args, &dbg.list_module, &dbg.list_file, &line);
        if (e) return e;
        dbg.list_line = line > count / 2 ? line - count / 2 : 1;
    }
    first_shown = dbg.list_line;
    for (uint32_t k = 0; k < count; k++, dbg.list_line++) {
        size_t len;
        const char *text = dbg_source_line(dbg.list_module, dbg.list_file, dbg.list_line, &len);
        if (!text && !k) {
            const char *name = dbg_base_name(dbg_file_name(dbg.list_module, dbg.list_file));
            return err_new("Line number %u out of range; \"%s\" has no such line.", dbg.list_line, name);
        }
        if (!text) break;
        str_printf(out, "%u\t%.*s\n", dbg.list_line, (int)len, text);
    }
    return NULL;
}

struct err *dbg_cmd_disassemble(const char *args, struct str *out)
{
    struct err *e = dbg_need_stopped();
    if (e) return e;
    struct vm_gang *g = dbg_gang(dbg.focus);
    struct dbg_frame f[DBG_MAX_FRAMES];
    const unsigned n = dbg_frames(g, f);
    const struct bc_fn *fn = dbg.frame < n ? f[dbg.frame].fn : g->code->fns[0].bc;
    const struct bc_insn *at = dbg_next_insn(g);
    const struct bc_module *m = g->code->module;
    uint32_t line = 0;
    for (uint32_t b = 0; b < fn->nblocks; b++) {
        str_printf(out, "block %u:\n", b);
        for (uint32_t k = fn->blocks[b].first; k < fn->blocks[b].first + fn->blocks[b].count; k++) {
            const struct bc_insn *i = &fn->insns[k];
            const struct bc_loc *l = &m->locs[i->loc];
            size_t len;
            const char *text = l->line && l->line != line ? dbg_source_line(m, l->file, l->line, &len) : NULL;
            if (text) str_printf(out, "%u\t%.*s\n", l->line, (int)len, text);
            if (l->line) line = l->line;
            str_put(out, i == at ? "=>  " : "    ");
            bc_disassemble_insn(m, fn, i, out);
            str_put(out, "\n");
        }
    }
    return NULL;
}

struct err *dbg_cmd_explain(const char *args, struct str *out)
{
    if (!dbg.findings.len) return err_new("Nothing was found yet.");
    char *end;
    unsigned long n = strtoul(args, &end, 10), side = 0;
    if (end == args) n = dbg.findings.len;
    else {
        end += strspn(end, " \t");
        side = strtoul(end, NULL, 10);
    }
    if (!n || n > dbg.findings.len) return err_new("There are %zu findings.", dbg.findings.len);
    const struct dbg_found *f = &dbg.findings.data[n - 1];
    if (!side) {
        str_printf(out, "Finding %lu: %s", n, f->text);
        if (f->nsides > 1) str_printf(out, "`explain %lu 1` and `explain %lu 2` go to the work-item of either side.\n", n, n);
        return NULL;
    }
    if (side > f->nsides || !f->sides[side - 1].known) return err_new("The finding has no side %lu with a work-item.", side);
    struct err *e = dbg_need_stopped();
    if (e) return e;
    const struct rep_item *x = &f->sides[side - 1];
    const uint64_t group = x->group[0] + dbg.run->grid[0] * (x->group[1] + dbg.run->grid[1] * x->group[2]);
    if (group != dbg.group_number) return err_new("That work-item's group, (%llu,%llu,%llu), does not run now.", LL(x->group[0]), LL(x->group[1]), LL(x->group[2]));
    dbg.goal = (struct dbg_goal){.kind = DBG_REVERSE_TO_LINE, .count = 1, .line = f->lines[side - 1],
                                 .item = (uint32_t)(x->local[0] + dbg.grp->shape[0] * (x->local[1] + dbg.grp->shape[1] * x->local[2]))};
    dbg.resume = true; // back to where it did that last
    return NULL;
}
