// SPDX-License-Identifier: MIT
// The tree of `why`. Each line is a node: a cause of its parent. Nodes are found when their parent
// is shown with its causes, and keep their numbers while the kernel is stopped, so that a later
// `why N` continues there. Data causes are unfolded; addresses and branches only on request.
#include "debug/history/why_tree.h"

#include "debug/expressions/expr_call.h"
#include "debug/expressions/frame_text.h"
#include "debug/expressions/lvalue_text.h"
#include "debug/history/control_dependence.h"
#include "debug/history/dynamic_slice.h"
#include "debug/history/repeated_launch.h"
#include "debug/session/focus.h"
#include "debug/session/frames.h"
#include "debug/session/session.h"

#include <string.h>

enum { MOST_LINES = 60 }; // of an answer

#define LL(x) ((unsigned long long)(x))

struct node {
    struct dbg_cause cause;
    struct dbg_repeated *in;   // the earlier launch that contains the cause, or NULL
    struct dbg_cause repeated; // BY_EARLIER with causes: the write, in the repeated launch
    size_t first, n;           // its causes, if they were found
    bool is_found;
    size_t number;   // from 1; 0: it was not shown yet
    size_t shown_by; // number of the answer that has shown it
};
static struct {
    VEC(struct node) nodes;
    VEC(size_t) numbered; // the nodes by number
    size_t answers;
    VEC(struct dbg_why_line) lines; // of the last answer
    bool is_cut;                    // which had more
    // the question
    struct dbg_bytes_at bytes; // size 0: `node`
    size_t node;
    unsigned depth;
} W;

/** The group in which the node's cause is. Calls are paired with leave. */
static struct vm_group *enter(struct vm_group *grp, size_t node)
{
    struct dbg_repeated *const in = W.nodes.data[node].in;
    return in ? dbg_repeated_enter(in) : grp;
}
static void leave(size_t node)
{
    if (W.nodes.data[node].in) dbg_repeated_leave();
}

static bool has_event(const struct dbg_cause *c) { return c->kind <= DBG_BY_UNDEF; }
static bool has_causes(const struct dbg_cause *c)
{
    if (c->kind != DBG_BY_EARLIER)
        return c->kind == DBG_BY_WRITE || c->kind == DBG_BY_READ || c->kind == DBG_BY_BRANCH;
    struct dbg_earlier_source s;
    dbg_earlier_describe(&c->earlier, &s);
    return s.has_item && s.insn && !s.function && !c->earlier.is_changed &&
           dbg_repeat_is_possible(s.launch);
}

// ---- text
static const struct bc_loc *location(const struct bc_module *m, const struct dbg_event *e)
{
    return dbg_line_of(m, e->fn, e->insn);
}

void dbg_cause_put_value(struct str *out, struct vm_gang *g, const struct dbg_type *t,
                         const struct dbg_cause *c)
{
    struct dbg_value v = {.type = t, .written = c->undefined ? c->written : NULL};
    if (c->size > sizeof v.bytes) {
        str_put(out, "...");
        return;
    }
    memcpy(v.bytes, c->bytes, c->size);
    dbg_value_put(out, g, &v, NULL);
}

static void put_memory(struct str *out, struct vm_gang *g, const struct dbg_cause *c)
{
    const struct dbg_type *t = dbg_put_lvalue(out, g, c->address, c->size);
    if (!t || !c->known) return;
    str_put(out, " = ");
    dbg_cause_put_value(out, g, t, c);
}

void dbg_cause_put_id(struct str *name, struct str *value, const struct dbg_cause *c)
{
    bool has_dimension;
    const uint32_t ext = c->event.insn->ext;
    uint64_t v = c->event.value;
    str_put(name, dbg_work_item_function((enum bc_wi)(ext & 0xff), &has_dimension));
    if (has_dimension) str_printf(name, "(%u)", ext >> 8);
    else str_put(name, "()");
    if (c->event.insn->op == BC_WI_I32) v = (uint32_t)v;
    str_printf(value, "%llu", LL(v));
}

static void put_id(struct str *out, const struct dbg_cause *c)
{
    struct str value = {0};
    dbg_cause_put_id(out, &value, c);
    str_printf(out, " = %s", str_text(&value));
    str_deinit(&value);
}

/** " at k.cl:12: out[i] = acc;" */
static void put_location(struct str *out, const struct bc_module *m, const struct dbg_event *e)
{
    const struct bc_loc *l = location(m, e);
    if (!l->line) return;
    str_put(out, " at ");
    dbg_put_line(out, m, l);
}

static void put_item(struct str *out, const struct dbg_cause *c)
{
    uint64_t l[3], w[3], g[3];
    dbg_item_ids(c->moment.group->linear, c->item, l, w, g);
    str_printf(out, " %s work-item global (%llu,%llu,%llu)",
               c->kind == DBG_BY_BRANCH || c->kind == DBG_BY_ID ? "in" : "by", LL(g[0]), LL(g[1]),
               LL(g[2]));
}

static const char *ending(const struct dbg_cause *c, uint16_t object_kind)
{
    switch (c->kind) {
    case DBG_BY_USER: return ": assigned by you";
    case DBG_BY_ARGUMENT: return ": argument of the kernel";
    case DBG_BY_HOST:
        return c->undefined  ? ": uninitialized, neither the host nor a kernel has written it"
               : c->is_later ? ": not written earlier in this launch"
               : dbg_earlier_is_forgotten() ? ": not written in this launch; older launches are "
                                              "not kept (`set history-size`)"
               : dbg_launch.count > 1       ? ": no launch has written it"
                                            : ": not written in this launch";
    case DBG_BY_CONSTANT: return ": constant memory";
    case DBG_BY_NOTHING:
        return object_kind == VM_OBJ_LOCAL ? ": uninitialized, the work-group has not written it"
                                           : ": uninitialized, the work-item has not written it";
    case DBG_IS_FORGOTTEN:
        return ": not written by the work-groups that are still in the history; older ones are not "
               "kept (`set history-size`)";
    case DBG_IS_NOT_KEPT:
        return ": unknown, what was there before this launch is not kept (`set history-size`, `set "
               "record-launches`)";
    case DBG_IS_CLOSED: return ": unknown, the kernel ran at full speed up to the interrupt";
    case DBG_IS_LOST:
        return ": unknown, execution differs when it is repeated (a race, or your assignments)";
    case DBG_IS_INTERRUPTED: return ": interrupted";
    default: return "";
    }
}

/** The line of a cause, without its number and indentation. parent: NULL for a root. */
static void put_cause(struct str *out, struct vm_group *grp, const struct dbg_cause *c,
                      const struct dbg_cause *parent)
{
    struct vm_gang *g = grp->gangs[c->item];
    const struct bc_module *m = g->code->module;
    switch (c->kind) {
    case DBG_BY_ID: put_id(out, c); break;
    case DBG_BY_BRANCH: str_put(out, parent ? "because of the condition" : "the condition"); break;
    case DBG_BY_IMAGE: str_put(out, "pixels of an image, which are not followed"); break;
    case DBG_BY_OTHERS:
        str_put(out, "values of other work-items of the group, which are not followed");
        break;
    case DBG_BY_UNDEF:
        str_printf(out, "'%s' is uninitialized", bc_str(m, c->event.insn->ext));
        break;
    case DBG_BY_DECLARATION:
        dbg_put_lvalue(out, g, c->address, c->size);
        str_put(out, ": uninitialized since its declaration");
        break;
    case DBG_BY_VAGUE:
        dbg_put_lvalue(out, g, c->address, c->size);
        str_put(out, ": perhaps written by a write to an image");
        break;
    default: put_memory(out, g, c);
    }
    if (c->kind == DBG_BY_READ) str_put(out, ", read");
    if (has_event(c) &&
        (!parent || parent->item != c->item || parent->moment.group != c->moment.group))
        put_item(out, c);
    if (has_event(c)) put_location(out, m, &c->event);
    if (c->kind == DBG_BY_EARLIER) dbg_earlier_put(out, &c->earlier);
    str_put(out, ending(c, vm_object_of(g, c->address)->kind));
}

// ---- the tree
/** Is the cause worth a line? The kernel's pointers as addresses are not. */
static bool is_shown(struct vm_group *grp, const struct dbg_cause *c)
{
    if (c->role != DBG_ADDRESS || c->kind != DBG_BY_ARGUMENT) return true;
    struct str s = {0};
    const struct dbg_type *t = dbg_put_lvalue(&s, grp->gangs[c->item], c->address, c->size);
    str_deinit(&s);
    return !t || dbg_strip(t)->kind != BC_T_POINTER;
}

static void add_nodes(struct vm_group *grp, struct dbg_repeated *in,
                      const struct dbg_causes *causes, size_t *first, size_t *n)
{
    *first = W.nodes.len;
    for (unsigned role = DBG_DATA; role <= DBG_CONTROL; role++)
        for (size_t i = 0; i < causes->list.len; i++)
            if (causes->list.data[i].role == role && is_shown(grp, &causes->list.data[i])) {
                struct node *x = vec_add(&W.nodes);
                x->cause = causes->list.data[i];
                x->in = in;
            }
    *n = W.nodes.len - *first;
}

/** The causes of the write that an earlier launch made; *in: the repeated launch. */
static void find_causes_in_repeated(struct node *x, struct dbg_repeated **in,
                                    struct dbg_causes *out)
{
    struct dbg_causes writes = {{0}};
    struct dbg_repeated *r;
    const enum dbg_cause_kind kind = dbg_repeat_write(&x->cause, &r, &writes);
    if (kind != DBG_BY_WRITE) {
        struct dbg_cause unknown = x->cause;
        unknown.kind = kind;
        unknown.role = DBG_DATA;
        vec_push(&out->list, unknown);
    } else {
        struct vm_group *grp = dbg_repeated_enter(r);
        for (size_t i = 0; i < writes.list.len; i++)
            dbg_causes_of_event(grp, &writes.list.data[i], out);
        dbg_repeated_leave();
        *in = r;
        x->repeated = writes.list.data[0];
    }
    vec_free(&writes.list);
}

static void find_causes(struct vm_group *grp, size_t k)
{
    struct dbg_causes causes = {{0}};
    struct dbg_repeated *in = W.nodes.data[k].in;
    size_t first, n;
    grp = enter(grp, k);
    if (W.nodes.data[k].cause.kind == DBG_BY_EARLIER)
        find_causes_in_repeated(&W.nodes.data[k], &in, &causes);
    else dbg_causes_of_event(grp, &W.nodes.data[k].cause, &causes);
    if (in != W.nodes.data[k].in) grp = dbg_repeated_enter(in);
    add_nodes(grp, in, &causes, &first, &n);
    if (in != W.nodes.data[k].in) dbg_repeated_leave();
    leave(k);
    vec_free(&causes.list);
    W.nodes.data[k].first = first;
    W.nodes.data[k].n = n;
    W.nodes.data[k].is_found = !dbg_history_is_unwanted();
}

/** The node that has shown the same event and bytes in this answer; otherwise k. */
static size_t shown_as(size_t k)
{
    const struct dbg_cause *c = &W.nodes.data[k].cause;
    for (size_t i = 0; i < W.nodes.len; i++) {
        const struct dbg_cause *x = &W.nodes.data[i].cause;
        if (i != k && W.nodes.data[i].shown_by == W.answers && has_causes(x) &&
            x->kind == c->kind && c->kind != DBG_BY_EARLIER &&
            x->moment.segment == c->moment.segment && x->moment.after == c->moment.after &&
            x->address == c->address && x->item == c->item)
            return i;
    }
    return k;
}

struct showing {
    struct vm_group *grp;
    struct str *out;
    unsigned lines;
    bool is_cut;
};

static size_t number_of(size_t k)
{
    if (W.nodes.data[k].number) return W.nodes.data[k].number;
    vec_push(&W.numbered, k);
    return W.nodes.data[k].number = W.numbered.len;
}

/** Adds a line to the answer, whose text begins at the end of `out`; parent: a line + 1, or 0. */
static struct dbg_why_line *add_line(struct showing *s, size_t k, size_t parent)
{
    vec_push(&W.lines, ((struct dbg_why_line){.node = k, .parent = parent, .from = s->out->len}));
    return &vec_last(&W.lines);
}

/** A cause among others in a line: "y = 2 (#3)". */
static void put_detail(struct showing *s, size_t k, size_t parent)
{
    const struct dbg_cause *c = &W.nodes.data[k].cause;
    struct vm_group *const grp = enter(s->grp, k);
    struct vm_gang *g = grp->gangs[c->item];
    const struct bc_module *m = g->code->module;
    struct dbg_why_line *line = add_line(s, k, parent);
    if (c->kind == DBG_BY_BRANCH)
        str_printf(s->out, "because of the condition in line %u", location(m, &c->event)->line);
    else if (c->kind == DBG_BY_ID) put_id(s->out, c);
    else if (c->kind == DBG_BY_WRITE || c->kind == DBG_BY_ARGUMENT) put_memory(s->out, g, c);
    else put_cause(s->out, grp, c, c);
    leave(k);
    line->length = s->out->len - line->from;
    line->has_more = has_causes(c);
    if (has_causes(c)) str_printf(s->out, " (#%zu)", line->number = number_of(k));
}

/** Has the cause a line of its own? */
static bool is_line(const struct dbg_cause *c, unsigned level)
{
    return c->role == DBG_DATA || (c->role == DBG_CONTROL && !level);
}

/** The causes of a line that have no lines: "with y = 2 (#3), because of the condition in …". */
static void put_details(struct showing *s, size_t parent, unsigned level)
{
    bool any = false, with = false;
    const struct node x = W.nodes.data[W.lines.data[parent - 1].node];
    for (size_t i = x.first; i < x.first + x.n; i++) {
        const struct dbg_cause c = W.nodes.data[i].cause;
        if (is_line(&c, level)) continue;
        if (any) str_put(s->out, ", ");
        else str_printf(s->out, "%*s", (int)(2 * level + 7), "");
        if (c.role == DBG_ADDRESS && !with) str_put(s->out, "with "), with = true;
        put_detail(s, i, parent);
        any = true;
    }
    if (any) str_put(s->out, "\n");
    s->lines += any;
}

/** The cause of the node, as its own causes refer to it. */
static const struct dbg_cause *as_effect(size_t node)
{
    const struct node *x = &W.nodes.data[node];
    return x->cause.kind == DBG_BY_EARLIER ? &x->repeated : &x->cause;
}

/** The line of node k; unfolds: its causes follow. Returns its number in the answer, from 1. */
static size_t put_line(struct showing *s, size_t k, size_t parent, unsigned level, bool unfolds)
{
    const struct dbg_cause c = W.nodes.data[k].cause;
    const size_t same = shown_as(k), number = number_of(k);
    char text[24];
    snprintf(text, sizeof text, "#%zu", number);
    W.nodes.data[k].shown_by = W.answers;
    str_printf(s->out, "%-4s %*s", text, (int)(2 * level), "");
    struct dbg_why_line *line = add_line(s, k, parent);
    line->number = number;
    put_cause(s->out, enter(s->grp, k), &c,
              parent ? as_effect(W.lines.data[parent - 1].node) : NULL);
    leave(k);
    line->length = s->out->len - line->from;
    line->has_more = has_causes(&c) && !unfolds;
    if (same != k) str_printf(s->out, " (see #%zu)", line->see = number_of(same));
    else if (line->has_more) str_put(s->out, " [+]");
    str_put(s->out, "\n");
    return W.lines.len;
}

static void show(struct showing *s, size_t k, size_t parent, unsigned level, unsigned depth)
{
    if (s->lines++ >= MOST_LINES) {
        s->is_cut = true;
        return;
    }
    const bool unfolds = has_causes(&W.nodes.data[k].cause) && shown_as(k) == k && depth &&
                         (!level || (W.nodes.data[k].cause.role == DBG_DATA &&
                                     W.nodes.data[k].cause.kind != DBG_BY_EARLIER));
    if (unfolds && !W.nodes.data[k].is_found) find_causes(s->grp, k);
    const size_t line = put_line(s, k, parent, level, unfolds);
    const struct node x = W.nodes.data[k]; // a copy: nodes are added
    if (unfolds) put_details(s, line, level);
    for (size_t i = x.first; unfolds && i < x.first + x.n; i++)
        if (is_line(&W.nodes.data[i].cause, level)) show(s, i, line, level + 1, depth - 1);
}

static void show_roots(struct showing *s, size_t first, size_t n, unsigned depth)
{
    W.answers++;
    vec_clear(&W.lines);
    for (size_t i = 0; i < n; i++) show(s, first + i, 0, 0, depth);
    W.is_cut = s->is_cut;
    if (s->is_cut) str_put(s->out, "(more causes are not shown; `why N` shows those of #N)\n");
}

void dbg_why_show(struct vm_group *grp, struct str *out, const struct dbg_causes *roots,
                  unsigned depth)
{
    struct showing s = {grp, out, 0, false};
    size_t first, n;
    add_nodes(grp, NULL, roots, &first, &n);
    show_roots(&s, first, n, depth);
}

void dbg_why_answer(struct vm_group *grp, struct str *out)
{
    struct showing s = {grp, out, 0, false};
    struct dbg_causes causes = {{0}};
    if (!W.bytes.size) {
        show_roots(&s, W.node, 1, W.depth);
        return;
    }
    W.bytes.moment = dbg_trace_present();
    dbg_causes_of_bytes(grp, &W.bytes, DBG_DATA, &causes);
    dbg_why_show(grp, out, &causes, W.depth);
    vec_free(&causes.list);
}

void dbg_why_value(const struct dbg_value *v, unsigned depth)
{
    W.bytes = (struct dbg_bytes_at){
        .item = dbg_focus.item, .address = v->address, .size = dbg_strip(v->type)->size};
    W.depth = depth;
}

struct err *dbg_why_number(uint64_t number, unsigned depth)
{
    if (!W.nodes.len)
        return err_new(
            "`why` has not been asked since the kernel stopped or you changed its memory.");
    if (!number || number > W.numbered.len)
        return err_new("The answers of `why` at this stop have the numbers #1 to #%zu.",
                       W.numbered.len);
    const size_t node = W.numbered.data[number - 1];
    if (!has_causes(&W.nodes.data[node].cause))
        return err_new("#%llu has no causes that are kept.", LL(number));
    W.bytes.size = 0;
    W.node = node;
    W.depth = depth;
    return NULL;
}

void dbg_why_forget(void)
{
    vec_free(&W.nodes);
    vec_free(&W.numbered);
    vec_free(&W.lines);
    W.answers = 0;
    dbg_repeated_close();
    dbg_trace_forget();
    dbg_controls_forget();
}

size_t dbg_why_lines(bool *is_cut)
{
    *is_cut = W.is_cut;
    return W.lines.len;
}

const struct dbg_why_line *dbg_why_line(size_t i, const struct dbg_cause **cause)
{
    *cause = &W.nodes.data[W.lines.data[i].node].cause;
    return &W.lines.data[i];
}

void dbg_why_enter(const struct dbg_why_line *line) { enter(NULL, line->node); }
void dbg_why_leave(const struct dbg_why_line *line) { leave(line->node); }
