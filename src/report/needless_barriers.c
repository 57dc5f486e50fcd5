// SPDX-License-Identifier: MIT
// Needless barriers. The profile has sets of barriers of which at least one is needed. A hitting
// set of these is kept, chosen greedily, and all other barriers that were passed are reported: the
// kept ones order everything, even without all of the reported ones.
//
// A barrier is its source location. If several kernels or builds have it, it is reported only if
// none of them needs it.
#include "report/needless_barriers.h"

#include "base/vec.h"
#include "report/document.h"

#include <string.h>

struct barrier {
    const json_t *place;
    bool is_passed, is_kept;
    bool is_open;         // some kernel has it, and it is not proved that it does not need it
    const char *sizes[2]; // for which launches this is proved: the first, and a different one
};
struct barriers {
    VEC(struct barrier) all;
    VEC(size_t) members; // of all sets, one after the other
    VEC(size_t) ends;    // of each set in `members`
};

/** The index of the barrier; `all` may move. */
static size_t index_of(struct barriers *x, const json_t *place)
{
    for (size_t i = 0; i < x->all.len; i++)
        if (json_equal(x->all.data[i].place, place)) return i;
    vec_push(&x->all, (struct barrier){.place = place});
    return x->all.len - 1;
}

/** What the proof engine said about the kernel without the barriers that its launches did not need.
 */
static void add_proofs(struct barriers *x, const json_t *uses)
{
    const json_t *const places = json_object_get(uses, "places"), *n;
    const char *const sizes = rep_json_get(uses, "proved_for");
    for (size_t k = 0, i; k < json_array_size(places); k++) {
        struct barrier *const b = &x->all.data[index_of(x, json_array_get(places, k))];
        bool is_proved = false;
        json_array_foreach(json_object_get(uses, "proved"), i, n) {
            is_proved |= (size_t)json_integer_value(n) == k;
        }
        b->is_open |= !is_proved;
        if (!b->sizes[0]) b->sizes[0] = sizes;
        else if (strcmp(b->sizes[0], sizes) != 0) b->sizes[1] = sizes;
    }
}

static void add_kernel(struct barriers *x, const json_t *uses)
{
    const json_t *const places = json_object_get(uses, "places"), *set, *n;
    size_t i, k;
    json_array_foreach(json_object_get(uses, "passed"), i, n) {
        const json_t *const p = json_array_get(places, (size_t)json_integer_value(n));
        const size_t at = p ? index_of(x, p) : 0;
        if (p) x->all.data[at].is_passed = true;
    }
    const bool is_unknown = json_is_true(json_object_get(uses, "unknown"));
    for (i = 0; is_unknown && i < json_array_size(places); i++) {
        const size_t at = index_of(x, json_array_get(places, i));
        x->all.data[at].is_kept = true;
    }
    json_array_foreach(json_object_get(uses, "needed"), i, set) {
        json_array_foreach(set, k, n) {
            const json_t *const p = json_array_get(places, (size_t)json_integer_value(n));
            const size_t at = p ? index_of(x, p) : 0;
            if (p) vec_push(&x->members, at);
        }
        vec_push(&x->ends, x->members.len);
    }
}

static bool is_hit(const struct barriers *x, size_t set)
{
    for (size_t k = set ? x->ends.data[set - 1] : 0; k < x->ends.data[set]; k++)
        if (x->all.data[x->members.data[k]].is_kept) return true;
    return false;
}

/** Keeps the barrier that is in the most sets of which none is kept. False: there is no such set.
 */
static bool keep_one(struct barriers *x)
{
    size_t *const in = mem_alloc((x->all.len + 1) * sizeof *in), best = 0;
    for (size_t set = 0; set < x->ends.len; set++) {
        if (is_hit(x, set)) continue;
        for (size_t k = set ? x->ends.data[set - 1] : 0; k < x->ends.data[set]; k++)
            in[x->members.data[k]]++;
    }
    for (size_t i = 0; i < x->all.len; i++)
        if (in[i] > in[best]) best = i;
    const bool is_one = x->all.len && in[best];
    if (is_one) x->all.data[best].is_kept = true;
    free(in);
    return is_one;
}

static json_t *advice_on(const struct barrier *b, const struct rep_advice_kind *kind)
{
    struct str text = {0};
    if (b->is_open)
        str_put(&text, "in no checked launch of this run did work-items need this barrier: others "
                       "order all conflicting accesses");
    else
        str_printf(&text,
                   "no two accesses need this barrier, for any contents of the buffers (%s; "
                   "other arguments as in this run)",
                   b->sizes[1] ? "all launch sizes of this run" : b->sizes[0]);
    json_t *const o = json_pack(
        "{s:s, s:O, s:O, s:O, s:s, s:f, s:s, s:b}", "id", kind->id, "file",
        json_object_get(b->place, "file"), "path", json_object_get(b->place, "path"), "line",
        json_object_get(b->place, "line"), "text", str_text(&text), "share", 0.0, "help",
        b->is_open ? kind->help
                   : "Remove the barrier: it is proved that the kernel has no race without it.",
        "proved", !b->is_open);
    str_deinit(&text);
    return o;
}

void rep_add_needless_barriers(json_t *advice, const json_t *barriers,
                               const struct rep_advice_kind *kind)
{
    struct barriers x = {0};
    const char *kernel;
    json_t *list, *uses;
    size_t i;
    json_object_foreach((json_t *)barriers, kernel, list)
        json_array_foreach(list, i, uses) {
            add_kernel(&x, uses);
            add_proofs(&x, uses);
        }
    for (size_t set = 0; set < x.ends.len; set++) {
        const size_t from = set ? x.ends.data[set - 1] : 0;
        if (x.ends.data[set] == from + 1) x.all.data[x.members.data[from]].is_kept = true;
    }
    while (keep_one(&x)) continue;
    for (i = 0; i < x.all.len; i++) {
        const struct barrier *const b = &x.all.data[i];
        if (!b->is_passed || b->is_kept) continue;
        json_array_append_new(advice, advice_on(b, kind));
    }
    vec_free(&x.all);
    vec_free(&x.members);
    vec_free(&x.ends);
}
