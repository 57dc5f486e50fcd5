// SPDX-License-Identifier: MIT
#include "bytecode/text.h"

#include <inttypes.h>
#include <string.h>

static void put_quoted(struct str *o, const char *s)
{
    str_put_char(o, '"');
    for (; *s; s++) {
        const unsigned char c = (unsigned char)*s;
        if (c == '"' || c == '\\') str_printf(o, "\\%c", c);
        else if (c == '\n') str_put(o, "\\n");
        else if (c < 32) str_printf(o, "\\x%02x", c);
        else str_put_char(o, (char)c);
    }
    str_put_char(o, '"');
}

static void put_operand(struct str *o, uint32_t r)
{
    if (r == BC_NONE) str_put(o, " _");
    else str_printf(o, " %c%u", r & BC_V ? 'v' : 'u', r & ~BC_V);
}

static void put_list(struct str *o, const uint32_t *r, uint32_t n)
{
    str_put(o, " [");
    for (uint32_t i = 0; i < n; i++) put_operand(o, r[i]);
    str_put(o, " ]");
}

static void put_number(struct str *o, const char *name, uint64_t v)
{
    if (v) str_printf(o, " %s %" PRIu64, name, v);
}
static void put_flag(struct str *o, const char *name, bool set)
{
    if (set) str_printf(o, " %s", name);
}
static void put_string(struct str *o, const char *name, const struct bc_module *m, uint32_t s)
{
    if (!s) return;
    str_printf(o, " %s ", name);
    put_quoted(o, bc_str(m, s));
}

// ---- instructions
static void put_results(const struct bc_module *m, const struct bc_fn *f, const struct bc_insn *b,
                        struct str *o)
{
    const enum bc_ext ext = bc_ops[b->op].ext;
    const uint32_t *e = f->ext + b->ext;
    uint32_t n = 0;
    if (ext == BC_EXT_RESULTS && m->sites[b->site].ncomp > 1) n = m->sites[b->site].ncomp;
    else if (ext == BC_EXT_LANEFN) n = e[1], e += 2;
    else if (ext == BC_EXT_CALL) n = e[2 + e[1]], e += 3 + e[1];
    if (n) put_list(o, e, n);
    else if (bc_ops[b->op].use[0] && b->dst != BC_NONE) put_operand(o, b->dst);
    else return;
    str_put(o, " =");
}

static void put_printf(const struct bc_module *m, const uint32_t *e, struct str *o)
{
    str_put_char(o, ' ');
    put_quoted(o, bc_str(m, *e++));
    const uint32_t n = *e++;
    for (uint32_t i = 0; i < n; i++) {
        str_printf(o, " %s", bc_text_types[*e++]);
        const uint32_t k = *e++;
        put_list(o, e, k);
        e += k;
    }
}

static void put_ext(const struct bc_module *m, const struct bc_fn *f, const struct bc_insn *b,
                    struct str *o)
{
    const uint32_t *e = f->ext + b->ext;
    switch ((enum bc_ext)bc_ops[b->op].ext) {
    case BC_EXT_NUMBER:
    case BC_EXT_STRING:
    case BC_EXT_OBJECT: str_printf(o, " %u", b->ext); break;
    case BC_EXT_WI: str_printf(o, " %s %u", bc_text_wi[b->ext & 0xff], b->ext >> 8); break;
    case BC_EXT_BLOCK: str_printf(o, " -> %u", b->ext); break;
    case BC_EXT_VALUES:
        if (m->sites[b->site].ncomp > 1) put_list(o, e, m->sites[b->site].ncomp);
        break;
    case BC_EXT_COMPARE:
        if (bc_compares(&m->sites[b->site])) put_list(o, e, 1);
        break;
    case BC_EXT_RET:
        if (b->ext) put_list(o, e + 1, e[0]);
        break;
    case BC_EXT_LANEFN:
        str_printf(o, " %u", e[0]);
        put_list(o, e + 3 + e[1], e[2 + e[1]]);
        break;
    case BC_EXT_CALL:
        str_printf(o, " %u", e[0]);
        put_list(o, e + 2, e[1]);
        break;
    case BC_EXT_PRINTF: put_printf(m, e, o); break;
    case BC_EXT_IMAGE:
        str_printf(o, " %u", e[0]);
        put_list(o, e + 3, e[1]);
        put_list(o, e + 3 + e[1], e[2]);
        break;
    case BC_EXT_ASYNC:
        str_printf(o, " elem %u read %u stride", e[0], e[1]);
        put_operand(o, e[2]);
        str_printf(o, " %u event", e[3]);
        put_operand(o, e[4]);
        break;
    case BC_EXT_NONE:
    case BC_EXT_READ_SITE:
    case BC_EXT_RESULTS: break;
    }
}

static void put_fields(const struct bc_module *m, const struct bc_fn *f, const struct bc_insn *b,
                       struct str *o)
{
    const struct bc_op_info *info = &bc_ops[b->op];
    const bool is_list = info->ext == BC_EXT_VALUES && m->sites[b->site].ncomp > 1;
    bool jumps = false;
    for (unsigned k = 1; k < 4; k++) {
        const uint32_t field = (const uint32_t[]){b->dst, b->a, b->b, b->c}[k];
        if (info->use[k] & BC_USE_BLOCK) {
            if (!jumps) str_put(o, " ->");
            jumps = true;
        }
        if (info->use[k] & (BC_USE_NUMBER | BC_USE_BLOCK)) str_printf(o, " %u", field);
        else if (info->use[k] && !(k == 3 && is_list)) put_operand(o, field);
    }
    put_ext(m, f, b, o);
    if (info->effects & BC_SITED) str_printf(o, " site %u", b->site);
    if (info->ext == BC_EXT_READ_SITE) str_printf(o, " read %u", b->ext);
}

static void put_insn(const struct bc_module *m, const struct bc_fn *f, const struct bc_insn *b,
                     struct str *o)
{
    str_put(o, "     ");
    put_results(m, f, b, o);
    str_printf(o, " %s", bc_ops[b->op].name);
    put_fields(m, f, b, o);
    for (unsigned k = 0; k < BC_TEXT_FLAGS; k++)
        put_flag(o, bc_text_flags[k].name, b->flags & bc_text_flags[k].flag);
    if (b->loc) str_printf(o, " @%u", b->loc);
    str_put_char(o, '\n');
}

static void put_fn(const struct bc_module *m, const struct bc_fn *f, struct str *o)
{
    str_put(o, "fn ");
    put_quoted(o, bc_str(m, f->name));
    put_number(o, "loc", f->loc);
    put_flag(o, "barrier", f->has_barrier);
    put_flag(o, "parts", f->may_part);
    str_printf(o, "\n  uniform %u", f->nuniform);
    if (f->nconst) str_put(o, " const");
    for (uint32_t i = 0; i < f->nconst; i++) str_printf(o, " %#" PRIx64, f->consts[i]);
    str_put(o, "\n  varying");
    for (uint32_t i = 0; i < f->nvarying; i++) str_printf(o, " %u", f->vsize[i]);
    str_put(o, "\n  params");
    for (uint32_t i = 0; i < f->nparams; i++) put_operand(o, f->params[i]);
    str_put(o, "\n  rets");
    for (uint32_t i = 0; i < f->nrets; i++) put_operand(o, f->rets[i]);
    str_put_char(o, '\n');
    for (uint32_t i = 0; i < f->nloops; i++) {
        const struct bc_loop *l = &f->loops[i];
        str_printf(o, "  loop header %u last %u parent %d counter", l->header, l->last, l->parent);
        put_operand(o, l->counter);
        if (l->loc) str_printf(o, " loc %u", l->loc);
        put_flag(o, "barrier", l->has_barrier);
        str_put_char(o, '\n');
    }
    for (uint32_t k = 0; k < f->nblocks; k++) {
        const struct bc_block *b = &f->blocks[k];
        str_printf(o, "  block loop %d # %u\n", b->loop, k);
        for (uint32_t i = 0; i < b->count; i++) put_insn(m, f, &f->insns[b->first + i], o);
    }
}

// ---- the rest of a module
static void put_site(const struct bc_module *m, const struct bc_mem *s, struct str *o)
{
    str_printf(
        o, "site %s elem %u ncomp %u space %s index %s scale %" PRId64 " disp %" PRId64 " align %u",
        bc_text_access[s->kind], s->elem, s->ncomp, bc_text_spaces[s->space],
        bc_text_index[s->index_kind], s->scale, s->disp, s->align);
    if (s->kind >= BC_ATOMIC_RMW)
        str_printf(o, " op %s order %s scope %s", bc_text_atomics[s->atomic_op],
                   bc_text_orders[s->order], bc_text_scopes[s->scope]);
    if (s->kind == BC_ATOMIC_RMW && s->atomic_op == BC_CMPXCHG)
        str_printf(o, " failure %s", bc_text_orders[s->failure]);
    put_flag(o, "float", s->is_float);
    put_flag(o, "volatile", s->is_volatile);
    put_number(o, "loc", s->loc);
    put_number(o, "fn", s->fn);
    put_string(o, "pointer", m, s->pointer);
    put_string(o, "members", m, s->members);
    str_put_char(o, '\n');
}

static void put_object(const struct bc_module *m, const struct bc_object *b, struct str *o)
{
    str_printf(o, "object %s ", bc_text_objects[b->kind]);
    put_quoted(o, bc_str(m, b->name));
    str_put_char(o, ' ');
    put_quoted(o, bc_str(m, b->type));
    str_printf(o, " size %" PRIu64 " align %u", b->size, b->align);
    put_number(o, "fn", b->fn);
    put_number(o, "loc", b->loc);
    put_flag(o, "nopadding", b->is_padding_free);
    put_flag(o, "param", b->is_param);
    if (b->init) {
        str_put(o, " init ");
        for (uint64_t i = 0; i < b->size; i++) str_printf(o, "%02x", b->init[i]);
    }
    str_put_char(o, '\n');
    for (uint32_t i = 0; i < b->nrelocs; i++) {
        const struct bc_reloc *r = &m->relocs[b->first_reloc + i];
        str_printf(o, "  reloc %" PRIu64 " target %u addend %" PRId64 "\n", r->offset, r->target,
                   r->addend);
    }
}

static void put_arg(const struct bc_module *m, const struct bc_arg *a, struct str *o)
{
    str_printf(o, "  arg %s ", bc_text_args[a->kind]);
    put_quoted(o, bc_str(m, a->name));
    str_put_char(o, ' ');
    put_quoted(o, bc_str(m, a->type));
    str_printf(o, " space %s size %u", bc_text_spaces[a->space], a->size);
    put_number(o, "align", a->align);
    put_number(o, "access", a->access);
    put_number(o, "object", a->object);
    put_number(o, "loc", a->loc);
    put_flag(o, "const", a->is_const);
    put_flag(o, "restrict", a->is_restrict);
    put_flag(o, "volatile", a->is_volatile);
    put_flag(o, "pipe", a->is_pipe);
    put_flag(o, "write", a->may_write);
    put_flag(o, "read", a->may_read);
    put_flag(o, "atomics", a->only_atomics);
    put_number(o, "unit", a->unit);
    str_put_char(o, '\n');
    for (uint32_t i = 0; i < a->npieces; i++) {
        const struct bc_piece *p = &m->pieces[a->first_piece + i];
        str_printf(o, "    piece %u %u %u\n", p->offset, p->size, p->reg);
    }
}

static void put_precondition(const struct bc_precondition *g, struct str *o)
{
    str_printf(o, " requires %s %u %s", bc_text_wi[g->id], g->dim, bc_text_preconditions[g->test]);
    if (g->plus) str_printf(o, " plus %d", g->plus);
    put_flag(o, "wide", g->is_wide);
    put_flag(o, "signed", g->is_signed);
    put_flag(o, "narrow", g->is_narrow);
    put_number(o, "arg", g->arg);
    put_number(o, "bits", g->arg_bits);
    put_flag(o, "extended", g->arg_signed);
    if (g->value) str_printf(o, " value %" PRId64, g->value);
}

static void put_kernel(const struct bc_module *m, const struct bc_kernel *k, bool is_variant,
                       struct str *o)
{
    str_put(o, "kernel ");
    put_quoted(o, bc_str(m, k->name));
    str_printf(o, " fn %u reqd %u %u %u hint %u %u %u", k->fn, k->reqd_wg_size[0],
               k->reqd_wg_size[1], k->reqd_wg_size[2], k->wg_size_hint[0], k->wg_size_hint[1],
               k->wg_size_hint[2]);
    put_number(o, "subgroup", k->sub_group);
    put_string(o, "vec", m, k->vec_type_hint);
    put_string(o, "attrs", m, k->attributes);
    put_number(o, "local", k->local_size);
    put_number(o, "private", k->private_size);
    put_flag(o, "printf", k->uses_printf);
    put_flag(o, "atomics", k->uses_atomics);
    put_flag(o, "barrier", k->has_barrier);
    put_flag(o, "uneven", k->may_be_uneven);
    put_flag(o, "enqueues", k->enqueues);
    put_flag(o, "block", k->is_block);
    put_number(o, "packed", k->packed);
    put_number(o, "specialized", k->specialized);
    for (uint32_t i = 0; i < k->npreconditions; i++) put_precondition(&k->preconditions[i], o);
    put_flag(o, "variant", is_variant);
    if (k->refused) {
        str_put(o, " refused ");
        put_quoted(o, k->refused);
    }
    str_put_char(o, '\n');
    for (uint32_t i = 0; i < k->nargs; i++) put_arg(m, &m->args[k->first_arg + i], o);
}

static void put_type(const struct bc_module *m, const struct bc_dtype *t, struct str *o)
{
    str_printf(o, "type %s ", bc_text_dtypes[t->kind]);
    put_quoted(o, bc_str(m, t->name));
    put_number(o, "base", t->base);
    put_number(o, "size", t->size);
    put_number(o, "count", t->count);
    str_put_char(o, '\n');
    for (uint32_t i = 0; i < t->nmembers; i++) {
        const struct bc_member *x = &m->members[t->first_member + i];
        str_put(o, "  member ");
        put_quoted(o, bc_str(m, x->name));
        put_number(o, "type", x->type);
        put_number(o, "offset", x->offset);
        put_number(o, "bit", x->bit);
        put_number(o, "bits", x->bits);
        str_put_char(o, '\n');
    }
}

static void put_debugger_tables(const struct bc_module *m, struct str *o)
{
    for (uint32_t i = 0; i < m->ndtypes; i++) put_type(m, &m->dtypes[i], o);
    for (uint32_t i = 0; i < m->nscopes; i++) {
        str_printf(o, "scope parent %u", m->scopes[i].parent);
        put_string(o, "fn", m, m->scopes[i].fn_name);
        put_number(o, "returns", m->scopes[i].returns);
        str_put_char(o, '\n');
    }
    for (uint32_t i = 0; i < m->nvars; i++) {
        const struct bc_var *v = &m->vars[i];
        str_put(o, "var ");
        put_quoted(o, bc_str(m, v->name));
        put_number(o, "type", v->type);
        put_number(o, "object", v->object);
        put_number(o, "scope", v->scope);
        put_number(o, "loc", v->loc);
        put_flag(o, "param", v->is_param);
        str_put_char(o, '\n');
    }
}

void bc_disassemble(const struct bc_module *m, struct str *o)
{
    for (uint32_t i = 0; i < m->nfiles; i++) {
        str_put(o, "file ");
        put_quoted(o, bc_str(m, m->files[i].name));
        put_string(o, "path", m, m->files[i].path);
        put_string(o, "text", m, m->files[i].text);
        put_number(o, "first", m->files[i].first_line);
        str_put_char(o, '\n');
    }
    for (uint32_t i = 1; i < m->nlocs; i++) {
        const struct bc_loc *l = &m->locs[i];
        str_printf(o, "loc file %u line %u col %u", l->file, l->line, l->col);
        put_string(o, "fn", m, l->fn_name);
        put_number(o, "inlined", l->inlined_at);
        put_number(o, "scope", l->scope);
        str_put_char(o, '\n');
    }
    for (uint32_t i = 0; i < m->nobjects; i++) put_object(m, &m->objects[i], o);
    for (uint32_t i = 1; i < m->nsites; i++) put_site(m, &m->sites[i], o);
    for (uint32_t i = 0; i < m->nfns; i++) put_fn(m, &m->fns[i], o);
    for (uint32_t i = 0; i < m->nkernels + m->nvariants; i++)
        put_kernel(m, &m->kernels[i], i >= m->nkernels, o);
    put_debugger_tables(m, o);
}

void bc_disassemble_insn(const struct bc_module *m, const struct bc_fn *f, const struct bc_insn *b,
                         struct str *o)
{
    struct str line = {0};
    put_insn(m, f, b, &line);
    const char *text = str_text(&line) + strspn(str_text(&line), " ");
    str_put_n(o, text, strcspn(text, "@\n"));
    while (o->len && o->data[o->len - 1] == ' ') o->data[--o->len] = 0;
    str_deinit(&line);
}
