// SPDX-License-Identifier: MIT
// Expressions: calls of the program's own functions. They run in a copy of the work-item
// (interp/stepping/trial_call.h). A function whose bytecode writes memory that others see, waits
// for other work-items or prints is rejected before it runs; so is the result of a function that
// writes variables of its callers.
#include "debug/expressions/expr_function.h"

#include "base/mem.h"
#include "debug/expressions/expr.h"
#include "debug/expressions/frame_text.h"
#include "debug/session/session.h"
#include "interp/core/memory_object.h"
#include "interp/definedness/undef.h"
#include "interp/decode/code.h"
#include "interp/stepping/trial_call.h"
#include "report/finding.h"

#include <stdlib.h>
#include <string.h>

enum { LIMIT = 1 << 20 }; // instructions: some milliseconds

static struct vm_trial trial;

void dbg_functions_forget(void) { vm_trial_deinit(&trial); }

/** A call during its preparation. */
struct call {
    struct dbg_eval *x;
    const struct dbg_node *n;
    const struct bc_module *m;
    const struct vm_code *code;
    const struct vm_fn *fn;
    struct dbg_scope_vars vars;
    const struct dbg_type *type; // of the result
    bool *reached;               // [code->fns]
    uint32_t result;             // id of the object for a struct that it returns; or 0
    uint32_t next;               // parameter register
};

// ---- the function
static const struct bc_module *module_of(const struct dbg_eval *x)
{
    return x->g ? x->g->code->module : NULL;
}

bool dbg_function_is(const struct dbg_eval *x, const char *name)
{
    const struct bc_module *m = module_of(x);
    for (uint32_t i = 0; m && i < m->nscopes; i++)
        if (!m->scopes[i].parent && m->scopes[i].fn_name &&
            !strcmp(bc_str(m, m->scopes[i].fn_name), name))
            return true;
    return false;
}

static struct err *find(struct call *c)
{
    const char *name = c->n->name;
    unsigned found = 0, elsewhere = 0;
    for (uint32_t i = 0; i < c->m->nfns; i++) {
        if (strcmp(bc_str(c->m, c->m->fns[i].name), name)) continue;
        const uint32_t at = c->code->fn_of[i];
        if (!at) return BAD(c->x, c->n, "\"%s\" is a kernel: it cannot be called.", name);
        elsewhere += at == UINT32_MAX;
        if (at == UINT32_MAX) continue;
        c->fn = &c->code->fns[at];
        found++;
    }
    if (found == 1) return NULL;
    const char *kernel = bc_str(c->m, c->code->kernel->name);
    return found ? BAD(c->x, c->n, "The program has several functions \"%s\".", name)
           : elsewhere
               ? BAD(c->x, c->n, "Function \"%s\" cannot be called: kernel '%s' does not use it.",
                     name, kernel)
               : BAD(c->x, c->n,
                     "Function \"%s\" cannot be called: it was inlined, as functions with barriers "
                     "are, or no kernel uses it.",
                     name);
}

/** The function's outermost scope. */
static uint32_t scope_of(const struct call *c)
{
    const struct bc_fn *fn = c->fn->bc;
    uint32_t scope = 0;
    for (uint32_t i = 0; i < fn->ninsns && !scope; i++)
        if (!c->m->locs[fn->insns[i].loc].inlined_at) scope = c->m->locs[fn->insns[i].loc].scope;
    while (scope && c->m->scopes[scope].parent) scope = c->m->scopes[scope].parent;
    return scope;
}

// ---- is it pure?
static const char *effect_of(const struct bc_module *m, const struct bc_fn *fn,
                             const struct bc_insn *i)
{
    const uint16_t effects = bc_ops[i->op].effects;
    if (effects & BC_SHOWS) return "prints";
    if (effects & BC_WAITS) return "waits for other work-items";
    if (effects & BC_CROSSES) return "takes values of other work-items";
    if (effects & BC_ORDERS || i->op == BC_ATOMIC) return "has an atomic operation or a fence";
    if (i->op == BC_IMAGE) return fn->ext[i->ext] & BC_IMAGE_WRITE ? "writes an image" : NULL;
    if (!(effects & BC_WRITES)) return NULL;
    switch (m->sites[i->site].space) {
    case BC_GLOBAL: return "writes global memory";
    case BC_LOCAL: return "writes local memory";
    default: return NULL; // checked as it runs
    }
}

/** The calls are acyclic. */
static struct err *need_pure(struct call *c, const struct vm_fn *f)
{
    const struct bc_fn *fn = f->bc;
    struct err *e = NULL;
    if (c->reached[f->frame]) return NULL;
    c->reached[f->frame] = true;
    for (uint32_t k = 0; k < fn->ninsns && !e; k++) {
        const struct bc_insn *i = &fn->insns[k];
        const char *what = effect_of(c->m, fn, i);
        if (i->op == BC_CALL) {
            e = need_pure(c, &c->code->fns[c->code->fn_of[fn->ext[i->ext]]]);
        } else if (what) {
            struct str at = {0};
            dbg_put_line(&at, c->m, dbg_line_of(c->m, fn, i));
            e = BAD(c->x, c->n, "Function \"%s\" cannot be called: it %s at %s", c->n->name, what,
                    str_text(&at));
            str_deinit(&at);
        }
    }
    return e;
}

/** Its variables would be overwritten. */
static struct err *need_idle(struct call *c, const struct dbg_value *args)
{
    bool is_active = false;
    for (const struct vm_frame *f = c->x->g->frame; f && c->x->g->at; f = f->caller)
        is_active |= c->reached[f->fn->frame];
    for (unsigned k = 0; k < c->n->n && is_active; k++)
        if (dbg_strip(args[k].type)->kind == BC_T_POINTER &&
            vm_object_of(c->x->g, dbg_pointer_of(&args[k]))->kind == VM_OBJ_PRIVATE)
            return BAD(c->x, c->n,
                       "Function \"%s\" cannot be called with a pointer to private memory while it "
                       "runs: OpenCL C has no recursion.",
                       c->n->name);
    return NULL;
}

// ---- parameters and results
static bool is_struct(const struct dbg_type *t)
{
    return dbg_strip(t)->kind == BC_T_STRUCT || dbg_strip(t)->kind == BC_T_UNION;
}

static bool is_scalar(const struct dbg_type *t)
{
    return dbg_is_number(t) || dbg_strip(t)->kind == BC_T_POINTER;
}

/** The number of registers for a scalar or vector; 0: another type. */
static uint32_t leaves_of(const struct dbg_type *t)
{
    t = dbg_strip(t);
    return is_scalar(t) ? 1 : t->kind == BC_T_VECTOR ? (uint32_t)t->count : 0;
}

static char *register_of(const struct call *c, uint32_t op, uint32_t *size)
{
    *size = op & BC_V ? c->fn->bc->vsize[op & ~BC_V] : 8;
    return trial.copy->r +
           (op & BC_V ? c->fn->varying_off[op & ~BC_V] : c->fn->uniform_off + 8 * (size_t)op);
}

static bool put_leaf(struct call *c, uint64_t bits)
{
    uint32_t size;
    if (c->next == c->fn->bc->nparams) return false;
    char *to = register_of(c, c->fn->bc->params[c->next++], &size);
    memcpy(to, &bits, size);
    return true;
}

/** Writes a struct to the memory of the parameter. Its undefined bytes stay undefined. */
static bool put_struct(const struct dbg_var *p, const struct dbg_value *v)
{
    const struct vm_object *o = vm_object_of(trial.copy, p->address);
    const uint8_t *bytes = v->big ? v->big : v->bytes;
    if (o->kind != VM_OBJ_PRIVATE || o->size < dbg_strip(p->type)->size) return false;
    if (o->shadow)
        vm_undef_forget(trial.copy, &(struct vm_insn){.imm = p->address >> BC_PTR_ID_SHIFT});
    for (uint64_t i = 0; i < dbg_strip(p->type)->size; i++) {
        vm_lane_write(trial.copy, o, 0, i, 1, bytes[i]);
        if (o->shadow && (!v->written || v->written[i] == VM_WRITTEN))
            vm_undef_define(trial.copy, o, 0, i, 1);
    }
    return true;
}

static bool put_argument(struct call *c, const struct dbg_var *p, const struct dbg_value *v)
{
    const struct dbg_type *t = dbg_strip(p->type), *el = dbg_element(t);
    if (is_struct(t)) return put_struct(p, v);
    const uint32_t n = leaves_of(t);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t bits = 0;
        memcpy(&bits, v->bytes + i * el->size, el->size);
        if (!put_leaf(c, bits)) return false;
    }
    return n;
}

/** Converts the arguments to the types of the parameters. */
static struct err *convert(struct call *c, struct dbg_value *args)
{
    unsigned n = 0;
    struct err *e = NULL;
    for (size_t i = 0; i < c->vars.list.len && !e; i++) {
        const struct dbg_var *p = &c->vars.list.data[i];
        if (!p->is_param) continue;
        if (n < c->n->n) e = dbg_convert(c->x, c->n->list[n], p->type, &args[n]);
        n++;
    }
    if (!e && n != c->n->n)
        return BAD(c->x, c->n, "%s takes %u argument%s.", c->n->name, n, n == 1 ? "" : "s");
    return e;
}

/** A private object of the kernel that can hold the returned struct, and is not an argument. */
static uint32_t room_for_result(const struct call *c, const struct dbg_value *args)
{
    const uint64_t size = dbg_strip(c->type)->size;
    for (uint32_t k = 0; k < c->m->nobjects; k++) {
        const struct bc_object *o = &c->m->objects[k];
        bool is_free = o->kind == BC_OBJ_PRIVATE && c->code->has_object[k] && o->size >= size &&
                       !c->code->fn_of[o->fn];
        for (unsigned i = 0; i < c->n->n && is_free; i++)
            is_free = dbg_strip(args[i].type)->kind != BC_T_POINTER ||
                      dbg_pointer_of(&args[i]) >> BC_PTR_ID_SHIFT != k + 1;
        if (is_free) return k + 1;
    }
    return 0;
}

static struct err *pass(struct call *c, const struct dbg_value *args)
{
    unsigned n = 0;
    bool ok = !c->result || put_leaf(c, BC_PTR(c->result, 0));
    for (size_t i = 0; i < c->vars.list.len && ok; i++)
        if (c->vars.list.data[i].is_param) ok = put_argument(c, &c->vars.list.data[i], &args[n++]);
    return ok && c->next == c->fn->bc->nparams
               ? NULL
               : BAD(c->x, c->n,
                     "Function \"%s\" cannot be called: a parameter is neither a number, a vector, "
                     "a pointer nor a struct.",
                     c->n->name);
}

static bool is_undefined(const struct call *c, uint32_t op)
{
    const struct vm_gang *g = trial.copy;
    if (!g->undef) return false;
    const uint32_t row = op & BC_V ? c->fn->varying_row[op & ~BC_V] : c->fn->uniform_row[op];
    return g->undef->flags[row] && vm_undef_row(g, row)[0];
}

static struct err *take_result(struct call *c, struct dbg_value *v)
{
    const struct bc_fn *fn = c->fn->bc;
    const struct dbg_type *el = dbg_element(c->type);
    *v = (struct dbg_value){.type = c->type};
    if (c->result) {
        *v = dbg_value_at(c->type, BC_PTR(c->result, 0));
        uint8_t *written = arena_alloc(c->x->a, dbg_strip(c->type)->size);
        dbg_read_written(trial.copy, v->address, written, dbg_strip(c->type)->size);
        struct err *e = dbg_value_load(trial.copy, v, c->x->a);
        v->written = written;
        return e;
    }
    for (uint32_t i = 0; i < fn->nrets; i++) {
        uint32_t size;
        memcpy(v->bytes + i * el->size, register_of(c, fn->rets[i], &size), el->size);
        c->x->unwritten |= is_undefined(c, fn->rets[i]);
    }
    return NULL;
}

// ---- the call
static struct err *explain(const struct call *c, enum vm_trial_end end)
{
    static const uint8_t kind_of[] = {
#define FAULT(name, kind, ...) [CHK_##name] = REP_##kind,
#include "check/faults.def"
    };
    const char *name = c->n->name;
    if (end == VM_TRIAL_ENDLESS)
        return BAD(c->x, c->n, "Function \"%s\" was stopped after %d instructions.", name, LIMIT);
    if (end == VM_TRIAL_WROTE)
        return BAD(c->x, c->n,
                   "Function \"%s\" cannot be called: it writes variables of its callers.", name);
    struct str at = {0};
    const enum rep_kind kind = (enum rep_kind)kind_of[trial.kind];
    dbg_put_line(&at, c->m, &c->m->locs[trial.fault->loc]);
    struct err *e = trial.kind == CHK_READ_ONLY
                        ? BAD(c->x, c->n,
                              "Function \"%s\" cannot be called: it writes memory at %s", name,
                              str_text(&at))
                        : BAD(c->x, c->n, "Function \"%s\" cannot return a value: %s at %s", name,
                              rep_kinds[kind].id, str_text(&at));
    str_deinit(&at);
    return e;
}

static struct err *run(struct call *c, const struct dbg_value *args, struct dbg_value *v)
{
    const uint32_t nrets = c->fn->bc->nrets;
    if (is_struct(c->type) && !nrets && !(c->result = room_for_result(c, args)))
        return BAD(c->x, c->n, "There is no memory for the struct that \"%s\" returns.",
                   c->n->name);
    if (!c->result && dbg_strip(c->type)->kind != BC_T_VOID && leaves_of(c->type) != nrets)
        return BAD(c->x, c->n,
                   "Function \"%s\" cannot be called: it returns a struct in registers.",
                   c->n->name);
    if (!vm_trial_begin(&trial, c->x->g, c->fn, c->reached, c->result))
        return BAD(c->x, c->n, "There is no memory for the call.");
    struct err *e = pass(c, args);
    if (e) return e;
    const enum vm_trial_end end = vm_trial_run(&trial, c->x->g, LIMIT);
    return end == VM_TRIAL_RETURNED ? take_result(c, v) : explain(c, end);
}

struct err *dbg_function_call(struct dbg_eval *x, const struct dbg_node *n, struct dbg_value *args,
                              struct dbg_value *v)
{
    struct call c = {.x = x, .n = n, .m = module_of(x), .code = x->g->code};
    if (!c.code->stepped) return BAD(x, n, "Functions are called for one work-item at a time.");
    struct err *e = find(&c);
    if (e) return e;
    const struct dbg_module *module = dbg_module_of(c.m);
    const uint32_t scope = scope_of(&c);
    if (!module || !scope) return BAD(x, n, "Function \"%s\" has no debug information.", n->name);
    c.type = &module->types[c.m->scopes[scope].returns];
    c.reached = mem_alloc(c.code->nfns * sizeof *c.reached);
    dbg_vars_at(c.m, c.fn->bc, 0, &c.vars);
    e = convert(&c, args);
    if (!e) e = need_pure(&c, c.fn);
    if (!e) e = need_idle(&c, args);
    if (!e) e = run(&c, args, v);
    dbg_vars_free(&c.vars);
    free(c.reached);
    return e;
}
