// SPDX-License-Identifier: MIT
// Where work-items are, and how that is said.
#include "debug/session.h"

#include "report/excerpt.h"

#include <string.h>

const struct bc_insn *dbg_next_insn(const struct vm_gang *g)
{
    if (g->at) return g->at->src;
    const struct bc_insn *barrier = vm_step_barrier(g);
    if (barrier || g->state == VM_DONE) return barrier;
    const struct vm_frame *f = &g->frames[0];
    if (g->fresh) return &f->fn->bc->insns[0];
    for (uint32_t b = 0; b < f->fn->bc->nblocks; b++) // let go by a barrier, or it yielded
        if (f->pending[b >> 6] >> (b & 63) & 1)
            return &f->fn->bc->insns[f->fn->bc->blocks[b].first];
    return NULL;
}

static uint32_t loc_from(const struct bc_fn *fn, const struct bc_insn *i)
{
    const struct bc_module *m = dbg.run->code->module;
    for (const struct bc_insn *x = i; x < fn->insns + fn->ninsns; x++)
        if (x->loc && m->locs[x->loc].line) return x->loc;
    return fn->loc;
}

unsigned dbg_frames(const struct vm_gang *g, struct dbg_frame out[DBG_MAX_FRAMES])
{
    const struct bc_module *m = g->code->module;
    const struct bc_insn *i = dbg_next_insn(g);
    unsigned n = 0;
    if (!i) return 0;
    const struct vm_frame *f = g->fresh || !g->at ? &g->frames[0] : g->frame;
    for (; f && n < DBG_MAX_FRAMES; i = f->call, f = f->caller) {
        const struct bc_fn *fn = f->fn->bc;
        for (uint32_t loc = loc_from(fn, i); n < DBG_MAX_FRAMES; loc = m->locs[loc].inlined_at) {
            const uint32_t up = m->locs[loc].inlined_at;
            out[n++] = (struct dbg_frame){
                fn, loc, up ? bc_str(m, m->locs[loc].fn_name) : bc_str(m, fn->name)};
            if (!up) break;
        }
        if (g->fresh || !g->at) break;
    }
    return n;
}

unsigned dbg_depth(const struct vm_gang *g, uint32_t loc)
{
    const struct bc_module *m = g->code->module;
    unsigned n = 0;
    for (const struct vm_frame *f = g->frame; f; loc = f->call ? f->call->loc : 0, f = f->caller) {
        n++;
        for (uint32_t l = m->locs[loc].inlined_at; l; l = m->locs[l].inlined_at) n++;
        if (!f->caller) break;
    }
    return n;
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
        p.text = rep_sources_keep(dbg.sources, p.file, bc_str(m, f->text), p.text_first_line);
    return rep_sources_line(dbg.sources, &p, len);
}

void dbg_item_ids(uint64_t group, uint32_t item, uint64_t local[3], uint64_t grp[3],
                  uint64_t global[3])
{
    const struct vm_run *run = dbg.run;
    const struct vm_launch *l = run->l;
    grp[0] = group % run->grid[0];
    grp[1] = group / run->grid[0] % run->grid[1];
    grp[2] = group / run->grid[0] / run->grid[1];
    uint64_t shape[3];
    for (int k = 0; k < 3; k++) {
        const uint64_t left = l->global[k] - grp[k] * l->local[k];
        shape[k] = left < l->local[k] ? left : l->local[k];
    }
    local[0] = item % shape[0];
    local[1] = item / shape[0] % shape[1];
    local[2] = item / shape[0] / shape[1];
    for (int k = 0; k < 3; k++) global[k] = l->offset[k] + grp[k] * l->local[k] + local[k];
}

#define LL(x) ((unsigned long long)(x))
void dbg_put_item(struct str *out, uint64_t group, uint32_t item)
{
    uint64_t l[3], g[3], w[3];
    dbg_item_ids(group, item, l, g, w);
    str_printf(out, "local (%llu,%llu,%llu) group (%llu,%llu,%llu) global (%llu,%llu,%llu)",
               LL(l[0]), LL(l[1]), LL(l[2]), LL(g[0]), LL(g[1]), LL(g[2]), LL(w[0]), LL(w[1]),
               LL(w[2]));
}

void dbg_put_frame(struct str *out, struct vm_gang *g, const struct dbg_frame *f, unsigned level)
{
    const struct bc_module *m = g->code->module;
    str_printf(out, "%s (", f->name);
    struct dbg_scope_vars vars;
    dbg_vars_of_frame(g, level, &vars);
    bool any = false;
    for (size_t i = 0; i < vars.list.len; i++) {
        const struct dbg_var *v = &vars.list.data[i];
        if (!v->is_param) continue;
        str_printf(out, "%s%s=", any ? ", " : "", v->name);
        any = true;
        struct dbg_value x = dbg_value_at(v->type, v->address);
        dbg_value_put_short(out, g, &x);
    }
    dbg_vars_free(&vars);
    const struct bc_loc *l = &m->locs[f->loc];
    str_put(out, ")");
    if (f->loc) str_printf(out, " at %s:%u", dbg_base_name(dbg_file_name(m, l->file)), l->line);
}

void dbg_put_source_line(struct str *out, uint32_t number, const char *text, size_t len)
{
    str_printf(out, "%u\t", number);
    rep_put_safe_lines(out, text, len);
    str_put_char(out, '\n');
}

void dbg_put_source(struct str *out, const struct bc_module *m, uint32_t loc)
{
    if (!loc) return;
    const struct bc_loc *l = &m->locs[loc];
    size_t len;
    const char *text = dbg_source_line(m, l->file, l->line, &len);
    if (text) dbg_put_source_line(out, l->line, text, len);
    else str_printf(out, "%u\tin %s\n", l->line, dbg_file_name(m, l->file));
}
