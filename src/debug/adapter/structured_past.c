// SPDX-License-Identifier: MIT
// Answers about the past as data: `why`, `diff items`, `info race`, `info divergence`.
#include "debug/adapter/channel.h"
#include "debug/adapter/structured.h"
#include "debug/expressions/frame_text.h"
#include "debug/expressions/lvalue_text.h"
#include "debug/history/finding_story.h"
#include "debug/history/item_diff.h"
#include "debug/history/why_tree.h"
#include "debug/session/focus.h"
#include "debug/session/goal.h"
#include "report/document.h"

static json_t *ids(const uint64_t local[3], const uint64_t group[3], const uint64_t global[3])
{
    return json_pack("{s:o, s:o, s:o}", "local", rep_json_triple(local), "group",
                     rep_json_triple(group), "global", rep_json_triple(global));
}

static json_t *item_of(uint64_t group, uint32_t item)
{
    uint64_t l[3], w[3], g[3];
    dbg_item_ids(group, item, l, w, g);
    return ids(l, w, g);
}

static json_t *place_of(const struct bc_module *m, const struct bc_loc *l)
{
    struct arena a = {0};
    const struct rep_place p =
        chk_place(&dbg_launch.run->chk, &a, (struct chk_where){.loc = (uint32_t)(l - m->locs)});
    json_t *o = rep_json_place(&p, dbg_programs.sources, NULL);
    arena_deinit(&a);
    return o;
}

// ---- causes
static const char *const kinds[] = {[DBG_BY_WRITE] = "write",
                                    [DBG_BY_READ] = "read",
                                    [DBG_BY_VAGUE] = "possible write",
                                    [DBG_BY_BRANCH] = "branch",
                                    [DBG_BY_ID] = "id",
                                    [DBG_BY_IMAGE] = "image",
                                    [DBG_BY_OTHERS] = "collective",
                                    [DBG_BY_UNDEF] = "uninitialized",
                                    [DBG_BY_USER] = "assigned",
                                    [DBG_BY_ARGUMENT] = "argument",
                                    [DBG_BY_EARLIER] = "earlier",
                                    [DBG_BY_HOST] = "host",
                                    [DBG_BY_CONSTANT] = "constant",
                                    [DBG_BY_NOTHING] = "uninitialized",
                                    [DBG_BY_DECLARATION] = "uninitialized",
                                    [DBG_IS_FORGOTTEN] = "forgotten",
                                    [DBG_IS_NOT_KEPT] = "forgotten",
                                    [DBG_IS_CLOSED] = "unrecorded",
                                    [DBG_IS_LOST] = "lost",
                                    [DBG_IS_INTERRUPTED] = "interrupted"};

/** `name`, and `value` if it is known. */
static void put_value(json_t *o, const struct dbg_cause *c)
{
    struct vm_gang *g = dbg_gang(c->item);
    struct str name = {0}, value = {0};
    const struct dbg_type *t = NULL;
    if (c->kind == DBG_BY_ID) dbg_cause_put_id(&name, &value, c);
    else if (c->size) t = dbg_put_lvalue(&name, g, c->address, c->size);
    if (t && c->known) dbg_cause_put_value(&value, g, t, c);
    if (name.len) json_object_set_new(o, "name", dbg_json_text(str_text(&name)));
    if (value.len) json_object_set_new(o, "value", dbg_json_text(str_text(&value)));
    str_deinit(&name);
    str_deinit(&value);
}

/** An earlier launch, or a command of the host. */
static void put_earlier(json_t *o, const struct dbg_earlier_write *w)
{
    struct dbg_earlier_source s;
    dbg_earlier_describe(w, &s);
    if (s.launch)
        json_object_update_new(o, json_pack("{s:I, s:o}", "launch", (json_int_t)s.launch, "kernel",
                                            dbg_json_text(s.kernel)));
    if (s.has_item) json_object_set_new(o, "work_item", ids(s.local, s.group, s.global));
    if (s.m) {
        json_t *place = json_pack("{s:o, s:i}", "file",
                                  dbg_json_text(dbg_base_name(dbg_file_name(s.m, s.loc->file))),
                                  "line", (int)s.loc->line);
        json_object_set_new(o, "place", place);
    }
    if (s.function) json_object_set_new(o, "command", dbg_json_text(s.function));
    if (s.where) json_object_set_new(o, "host", dbg_json_text(s.where));
    if (w->is_changed) json_object_set_new(o, "changed", json_true());
    if (s.is_vague) json_object_set_new(o, "possible", json_true());
}

static json_t *cause_of(const struct dbg_why_line *l, const struct dbg_cause *c, const char *text)
{
    static const char *const roles[] = {"data", "address", "control"};
    const struct bc_module *m = dbg_gang(c->item)->code->module;
    json_t *o = json_pack("{s:s, s:s, s:o}", "kind", kinds[c->kind], "role", roles[c->role], "text",
                          rep_json_text(text + l->from, l->length));
    if (l->number) json_object_set_new(o, "number", json_integer((json_int_t)l->number));
    if (l->see) json_object_set_new(o, "see", json_integer((json_int_t)l->see));
    if (l->has_more && !l->see) json_object_set_new(o, "more", json_true());
    put_value(o, c);
    if (c->kind == DBG_BY_EARLIER) put_earlier(o, &c->earlier);
    if (c->kind > DBG_BY_UNDEF) return o;
    const struct bc_loc *loc = dbg_line_of(m, c->event.fn, c->event.insn);
    if (loc->line) json_object_set_new(o, "place", place_of(m, loc));
    json_object_set_new(o, "work_item", item_of(c->moment.group->linear, c->item));
    return o;
}

/** The trees of the last answer; text: the answer. */
static json_t *causes(const char *text, json_t *answer)
{
    bool is_cut;
    const size_t n = dbg_why_lines(&is_cut);
    json_t *roots = json_array(), *all = json_array();
    for (size_t i = 0; i < n; i++) {
        const struct dbg_cause *c;
        const struct dbg_why_line *l = dbg_why_line(i, &c);
        dbg_why_enter(l);
        json_t *o = cause_of(l, c, text), *list = roots;
        dbg_why_leave(l);
        json_array_append_new(all, o);
        if (l->parent) {
            json_t *parent = json_array_get(all, l->parent - 1);
            list = json_object_get(parent, "causes");
            if (!list) json_object_set_new(parent, "causes", list = json_array());
        }
        json_array_append(list, o);
    }
    json_decref(all);
    if (is_cut) json_object_set_new(answer, "cut", json_true());
    return roots;
}

static json_t *why(const char *text)
{
    json_t *o = json_object();
    json_object_set_new(o, "causes", causes(text, o));
    return o;
}

// ---- the others
static json_t *diff(void)
{
    static const char *const ends[] = {[DBG_DIFF_PARTED] = "parted",
                                       [DBG_DIFF_EQUAL] = "equal",
                                       [DBG_DIFF_INTERRUPTED] = "interrupted",
                                       [DBG_DIFF_CLOSED] = "unrecorded",
                                       [DBG_DIFF_LOST] = "lost",
                                       [DBG_DIFF_TOO_FAR] = "too far"};
    const struct dbg_diff_result *d = dbg_diff_result();
    const struct bc_module *m = dbg_gang(0)->code->module;
    json_t *sides = json_array(), *variables = json_array();
    for (unsigned k = 0; k < 2; k++) {
        json_t *side =
            json_pack("{s:o}", "work_item", item_of(d->sides[k].group, d->sides[k].item));
        if (d->parted[k])
            json_object_set_new(side, "next", place_of(m, &m->locs[d->parted[k]->loc]));
        json_array_append_new(sides, side);
    }
    for (size_t i = 0; i < d->variables.list.len; i++) {
        const struct dbg_diff_variable *v = &d->variables.list.data[i];
        json_t *x = json_pack("{s:o, s:[o, o]}", "name", dbg_json_text(v->name), "values",
                              dbg_json_text(str_text(&v->text[0])),
                              dbg_json_text(str_text(&v->text[1])));
        if (v->fn) json_object_set_new(x, "function", dbg_json_text(v->fn));
        json_array_append_new(variables, x);
    }
    json_t *o = json_pack("{s:s, s:I, s:o, s:o}", "result", ends[d->end], "equal_instructions",
                          (json_int_t)d->common, "sides", sides, "variables", variables);
    if (d->branch) json_object_set_new(o, "branch", place_of(m, &m->locs[d->branch->loc]));
    return o;
}

static json_t *story(const char *text)
{
    const struct dbg_story_result *s = dbg_story_result();
    json_t *o = json_pack("{s:o, s:o}", "finding", dbg_structured_finding(s->finding), "causes",
                          json_array());
    if (s->is_found) json_object_set_new(o, "causes", causes(text, o));
    if (s->has_barriers) json_object_set_new(o, "barriers", json_integer((json_int_t)s->barriers));
    if (s->is_diff) json_object_set_new(o, "diff", diff());
    return o;
}

json_t *dbg_structured_answer(const char *text)
{
    if (dbg_goal.query == dbg_why_answer) return why(text);
    if (dbg_goal.query == dbg_diff_answer) return diff();
    if (dbg_goal.query == dbg_story_race || dbg_goal.query == dbg_story_divergence)
        return story(text);
    return NULL;
}
