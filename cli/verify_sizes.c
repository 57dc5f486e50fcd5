// SPDX-License-Identifier: MIT
// Sizes of `cldbg verify` and `cldbg fuzz` that are not those of one launch: ranges of the launch,
// and buffers whose size is that of the launch or the value of an argument.
#include "cli/verify.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/** "64", "16..256", "any"; *p moves past it. */
static bool read_size(const char **p, size_t *lo, size_t *hi)
{
    char *end;
    if (str_starts(*p, "any")) {
        *lo = 1, *hi = (size_t)1 << 30;
        *p += 3;
        return true;
    }
    if (!isdigit((unsigned char)**p)) return false;
    errno = 0;
    *lo = *hi = strtoull(*p, &end, 0);
    if (str_starts(end, "..") && isdigit((unsigned char)end[2])) *hi = strtoull(end + 2, &end, 0);
    *p = end;
    return !errno && *lo && *lo <= *hi;
}

struct err *verify_read_sizes(struct dev_option_set *s, enum dev_option o, struct verify_sizes *out)
{
    const char *const name = dev_option_infos[o].name, *text = s->v[o].text, *p = text;
    struct str largest = {0};
    for (unsigned d = 0; d < 3; d++) out->lo[d] = out->hi[d] = 1;
    if (!s->v[o].given)
        return err_new("--%s=X[,Y[,Z]] is missing; each may be a range: 16..256", name);
    bool good = true;
    for (unsigned d = 0; good; d++, p++) {
        good = d < 3 && read_size(&p, &out->lo[d], &out->hi[d]) && (!*p || *p == ',');
        if (good) str_printf(&largest, "%s%zu", d ? "," : "", out->hi[d]);
        if (!*p) break;
    }
    struct err *e =
        good ? dev_option_put(s, o, str_text(&largest))
             : err_new("--%s=%s: sizes such as 64, 64,8 or 16..256 are expected", name, text);
    str_deinit(&largest);
    return e;
}

size_t verify_local_size(const struct verify_job *j, unsigned d, size_t most)
{
    const struct verify_sizes *g = &j->global, *l = &j->local;
    if (most > l->hi[d]) most = l->hi[d];
    for (size_t n = most; n >= l->lo[d]; n--)
        if (g->lo[d] < g->hi[d] || g->hi[d] % n == 0) return n;
    for (size_t n = l->lo[d]; n < l->hi[d]; n++)
        if (g->lo[d] < g->hi[d] || g->hi[d] % n == 0) return n;
    return l->hi[d];
}

/** The range of local sizes of a dimension, if there is one. */
static struct err *limit_local(struct verify_job *j, unsigned d)
{
    size_t *lo = &j->local.lo[d], *hi = &j->local.hi[d];
    const size_t most = dev_settings()->max_wg_size;
    if (*lo == *hi) return NULL;
    if (*hi > j->global.hi[d]) *hi = j->global.hi[d];
    if (*hi > most) *hi = most;
    const size_t one = *lo <= *hi ? verify_local_size(j, d, *hi) : 0;
    const bool divides = one && (j->global.lo[d] < j->global.hi[d] || j->global.hi[d] % one == 0);
    j->range.local[d] = *hi;
    return divides ? NULL : err_new("--local: no launch has a size of this range");
}

struct err *verify_whole_groups(struct verify_job *j)
{
    for (unsigned d = 0; d < 3; d++) {
        size_t *lo = &j->global.lo[d], *hi = &j->global.hi[d];
        struct err *e = limit_local(j, d);
        if (e) return e;
        const size_t local = j->local.lo[d];
        if (*lo == *hi) continue;
        *lo = (*lo + local - 1) / local * local;
        if (local == j->local.hi[d]) *hi -= *hi % local;
        j->range.global[d] = *hi;
        if (*lo > *hi)
            return err_new("--global: the range contains none of the multiples of %zu", local);
    }
    return NULL;
}

/** "n", "4*n", "global": the factor, and the name with its length. */
static const char *read_product(const char *text, size_t *n, uint64_t *factor)
{
    char *end = (char *)text;
    *factor = isdigit((unsigned char)*text) ? strtoull(text, &end, 10) : 1;
    if (end != text && *end != '*') return NULL; // a number, or something else
    if (*end == '*') end++;
    *n = 0;
    while (isalnum((unsigned char)end[*n]) || end[*n] == '_') ++*n;
    return *n && end[*n] == ']' && *factor ? end : NULL;
}

struct err *verify_read_count(struct verify_job *j, const struct cmd_kernel *k, unsigned i)
{
    struct verify_arg *a = &j->args[i];
    const char *bracket = strchr(a->spec, '['), *const equals = strchr(a->spec, '=');
    size_t n = 0;
    const char *name =
        bracket && (!equals || bracket < equals) ? read_product(bracket + 1, &n, &a->factor) : NULL;
    if (!name) {
        a->factor = 0;
        return NULL;
    }
    const bool is_global = n == strlen("global") && !strncmp(name, "global", n);
    unsigned p = 0;
    while (!is_global && p < k->nparams &&
           (strlen(k->params[p].name) != n || strncmp(k->params[p].name, name, n)))
        p++;
    if (!is_global && p == k->nparams)
        return err_new("--arg=%s: '%.*s' is neither an argument nor global", a->spec, (int)n, name);
    a->count_of = is_global ? 0 : p + 1;
    a->spec = arena_printf(j->arena, "%.*s%s", (int)(bracket + 1 - a->spec), a->spec, name + n);
    return NULL;
}

uint64_t verify_count(const struct verify_job *j, unsigned i, const struct verify_values *v)
{
    enum { MOST = 1 << 26 };
    const struct verify_arg *a = &j->args[i];
    uint64_t n = a->count_of ? v->of[a->count_of - 1] : 1;
    for (unsigned d = 0; d < 3 && !a->count_of; d++) n = n > MOST ? n : n * v->global[d];
    return n > MOST || a->factor > MOST || n * a->factor > MOST ? 0 : n * a->factor;
}

const char *verify_spec(struct verify_job *j, unsigned i, uint64_t count)
{
    const char *spec = j->args[i].spec, *const bracket = strchr(spec, '[');
    return arena_printf(j->arena, "%.*s%llu%s", (int)(bracket + 1 - spec), spec,
                        (unsigned long long)count, bracket + 1);
}
