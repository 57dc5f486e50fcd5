// SPDX-License-Identifier: MIT
// Expressions: the parser, by recursive descent. Names are looked up here, in the scope of the
// expression.
#include "base/mem.h"
#include "debug/expressions/expr.h"
#include "debug/expressions/expr_node.h"
#include "debug/session/programs.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct err *dbg_with_caret(const char *text, unsigned pos, const char *fmt, ...)
{
    struct str s = {0};
    va_list ap;
    va_start(ap, fmt);
    str_vprintf(&s, fmt, ap);
    va_end(ap);
    struct err *e = err_new("%s\n    %s\n    %*s^", str_text(&s), text, (int)pos, "");
    str_deinit(&s);
    return e;
}

struct parser {
    struct dbg_expr *e;
    const char *p;
    struct dbg_scope_vars vars;
    const struct bc_module *m;
    const struct bc_fn *fn;
    uint32_t loc;
    struct err *error;
    unsigned depth, expansions;
};

#define FAIL(ps, ...)                                                                              \
    ((ps)->error ? NULL                                                                            \
                 : ((ps)->error = dbg_with_caret(                                                  \
                        (ps)->e->text, (unsigned)((ps)->p - (ps)->e->text), __VA_ARGS__),          \
                    NULL))

static void skip(struct parser *ps)
{
    while (isspace((unsigned char)*ps->p)) ps->p++;
}

static bool take(struct parser *ps, const char *token)
{
    skip(ps);
    const size_t n = strlen(token);
    if (strncmp(ps->p, token, n)) return false;
    ps->p += n;
    return true;
}

static size_t word(const char *p)
{
    size_t n = 0;
    while (isalnum((unsigned char)p[n]) || p[n] == '_' || p[n] == '$') n++;
    return n;
}

enum {
    MAX_NESTING = 200,
    MAX_HEIGHT = 400
}; // of brackets; of nodes, since `1 + 1 + …` is also evaluated by recursion

static struct dbg_node *above(struct parser *ps, struct dbg_node *x, const struct dbg_node *child)
{
    if (x && child && child->height >= x->height) x->height = child->height + 1;
    return x && x->height > MAX_HEIGHT ? FAIL(ps, "The expression is too long.") : x;
}

static struct dbg_node *node(struct parser *ps, enum dbg_op op, struct dbg_node *a,
                             struct dbg_node *b, unsigned pos)
{
    if (ps->error) return NULL;
    struct dbg_node *x = arena_new(&ps->e->arena, struct dbg_node);
    x->op = op;
    x->a = a;
    x->b = b;
    x->pos = pos;
    x->height = 1;
    return above(ps, above(ps, x, a), b);
}

static struct dbg_node *assignment(struct parser *ps);
static struct dbg_node *unary(struct parser *ps);

static const struct dbg_type *module_type(struct parser *ps, const char *name, size_t n, bool tag)
{
    for (size_t i = 0; i < dbg_programs.modules.len; i++) {
        if (ps->m && dbg_programs.modules.data[i].m != ps->m) continue;
        for (uint32_t k = 0; k < dbg_programs.modules.data[i].m->ndtypes; k++) {
            const struct dbg_type *t = &dbg_programs.modules.data[i].types[k];
            const bool is_tag = t->kind == BC_T_STRUCT || t->kind == BC_T_UNION ||
                                t->kind == BC_T_ENUM;
            if (t->name && is_tag == tag && (tag || t->kind == BC_T_TYPEDEF) &&
                strlen(t->name) == n && !memcmp(t->name, name, n))
                return t;
        }
    }
    return NULL;
}

/** The enum that has an enumerator of that name, and its value; NULL: there is none. */
static const struct dbg_type *enumerator(const struct parser *ps, const char *name, uint64_t *value)
{
    for (size_t i = 0; i < dbg_programs.modules.len; i++) {
        const struct dbg_module *d = &dbg_programs.modules.data[i];
        for (uint32_t k = 0; k < d->m->ndtypes && (!ps->m || ps->m == d->m); k++)
            for (unsigned j = 0; d->types[k].kind == BC_T_ENUM && j < d->types[k].nmembers; j++)
                if (!strcmp(d->types[k].members[j].name, name)) {
                    *value = d->types[k].members[j].offset;
                    return &d->types[k];
                }
    }
    return NULL;
}

/** Parses a type name with its stars; NULL: there is none, and nothing was consumed. */
static const struct dbg_type *type_name(struct parser *ps)
{
    static const char *const qualifiers[] = {
        "const",    "volatile",   "restrict", "global",    "__global", "local",    "__local",
        "constant", "__constant", "private",  "__private", "generic",  "__generic"};
    const char *start = ps->p;
    const struct dbg_type *t = NULL;
    char text[128] = "";
    for (;;) {
        skip(ps);
        const size_t n = word(ps->p);
        bool qualifier = false;
        for (size_t i = 0; i < sizeof qualifiers / sizeof *qualifiers; i++)
            qualifier |= n == strlen(qualifiers[i]) && !memcmp(qualifiers[i], ps->p, n);
        if (qualifier) {
            ps->p += n;
            continue;
        }
        if (!n) break;
        const bool is_struct = n == 6 && !memcmp(ps->p, "struct", 6),
                   is_union = n == 5 && !memcmp(ps->p, "union", 5),
                   is_enum = n == 4 && !memcmp(ps->p, "enum", 4);
        if (!t && (is_struct || is_union || is_enum)) {
            ps->p += n;
            skip(ps);
            const size_t k = word(ps->p);
            t = module_type(ps, ps->p, k, true);
            if (!t) break;
            ps->p += k;
            continue;
        }
        char longer[192];
        snprintf(longer, sizeof longer, "%s%s%.*s", text, *text ? " " : "", (int)(n < 60 ? n : 60),
                 ps->p);
        const struct dbg_type *more = dbg_type_named(longer, strlen(longer));
        if (!more && !t) more = module_type(ps, ps->p, n, false);
        if (!more && !strcmp(longer, "long unsigned")) more = dbg_type_named("ulong", 5);
        if (!more && t && n == 3 && !memcmp(ps->p, "int", 3)) more = t; // `long int`
        if (!more) break;
        for (size_t i = 0; !t && i < ps->vars.list.len; i++) // a variable hides a type
            if (strlen(ps->vars.list.data[i].name) == n &&
                !memcmp(ps->vars.list.data[i].name, ps->p, n))
                more = NULL;
        if (!more) break;
        t = more;
        snprintf(text, sizeof text, "%.*s", (int)sizeof text - 1, longer);
        ps->p += n;
    }
    if (!t) {
        ps->p = start;
        return NULL;
    }
    for (;;) {
        skip(ps);
        const size_t n = word(ps->p);
        if (take(ps, "*")) t = dbg_type_pointer(t);
        else if ((n == 5 && !memcmp(ps->p, "const", 5)) ||
                 (n == 8 && (!memcmp(ps->p, "restrict", 8) || !memcmp(ps->p, "volatile", 8))))
            ps->p += n;
        else return t;
    }
}

static struct dbg_node *number(struct parser *ps)
{
    struct dbg_node *x = node(ps, E_CONST, NULL, NULL, (unsigned)(ps->p - ps->e->text));
    if (!x) return NULL;
    char *end, *fend;
    errno = 0;
    unsigned long long i = strtoull(ps->p, &end, 0);
    const bool hex = ps->p[0] == '0' && (ps->p[1] | 32) == 'x';
    if (ps->p[0] == '0' && (ps->p[1] | 32) == 'b') i = strtoull(ps->p + 2, &end, 2);
    const double d = strtod(ps->p, &fend);
    if ((fend > end || *ps->p == '.') && (!hex || strpbrk(ps->p, ".pP"))) {
        const char *type = "double";
        if ((*fend | 32) == 'f') type = "float", fend++;
        else if ((*fend | 32) == 'h') type = "half", fend++;
        x->value = dbg_value_float(dbg_type_named(type, strlen(type)), d);
        end = fend;
    } else {
        bool u = false, l = false;
        for (;; end++)
            if ((*end | 32) == 'u') u = true;
            else if ((*end | 32) == 'l') l = true;
            else break;
        const char *type = l || i > UINT32_MAX  ? (u || i > INT64_MAX ? "ulong" : "long")
                           : u || i > INT32_MAX ? (u || hex ? "uint" : "long")
                                                : "int";
        if (errno) return FAIL(ps, "Numeric constant too large.");
        x->value = dbg_value_int(dbg_type_named(type, strlen(type)), i);
    }
    if (word(end)) {
        return FAIL(ps, "Invalid number \"%.*s\".", (int)(end - ps->p + (ptrdiff_t)word(end)),
                    ps->p);
    }
    ps->p = end;
    return x;
}

static struct dbg_node *character(struct parser *ps)
{
    struct dbg_node *x = node(ps, E_CONST, NULL, NULL, (unsigned)(ps->p - ps->e->text));
    int c = (unsigned char)*++ps->p;
    if (c == '\\') {
        static const char from[] = "ntr0\\'\"", to[] = "\n\t\r\0\\'\"";
        const char *at = ps->p[1] ? strchr(from, ps->p[1]) : NULL;
        if (!at) return FAIL(ps, "Unknown escape sequence.");
        c = to[at - from];
        ps->p++;
    }
    if (!*ps->p || ps->p[1] != '\'') return FAIL(ps, "Unmatched single quote.");
    ps->p += 2;
    if (x) x->value = dbg_value_int(dbg_type_named("char", 4), (uint64_t)c);
    return x;
}

static const struct dbg_var *variable(struct parser *ps, const char *name, size_t n)
{
    for (size_t i = 0; i < ps->vars.list.len; i++)
        if (strlen(ps->vars.list.data[i].name) == n && !memcmp(ps->vars.list.data[i].name, name, n))
            return &ps->vars.list.data[i];
    return NULL;
}

static struct dbg_node *arguments(struct parser *ps, struct dbg_node *x, const char *close)
{
    struct dbg_node *list[DBG_MAX_ARGUMENTS] = {0};
    unsigned n = 0;
    if (!take(ps, close))
        for (;;) {
            struct dbg_node *a = assignment(ps);
            if (!a) return NULL;
            if (n == DBG_MAX_ARGUMENTS) return FAIL(ps, "Too many arguments.");
            list[n++] = a;
            if (take(ps, close)) break;
            if (!take(ps, ","))
                return FAIL(ps, "A syntax error in expression: ',' or '%s' is expected.", close);
        }
    if (!x) return NULL;
    x->list = arena_dup(&ps->e->arena, list, n * sizeof *list);
    x->n = n;
    for (unsigned i = 0; x && i < n; i++) x = above(ps, x, x->list[i]);
    return x;
}

/** Replaces a macro without parameters, a sampler or a constant by its text. */
static bool expand(struct parser *ps, const char *name, size_t n)
{
    enum { MAX_EXPANSIONS = 30 };
    const char *body = ps->expansions < MAX_EXPANSIONS ? dbg_macro(ps->m, name, n, &ps->e->arena)
                                                       : NULL;
    if (!body) return false;
    ps->expansions++;
    const int before = (int)(ps->p - ps->e->text);
    ps->e->text = arena_printf(&ps->e->arena, "%.*s(%s)%s", before, ps->e->text,
                               body + strspn(body, " \t"), ps->p + n);
    ps->p = ps->e->text + before;
    return true;
}

/** A variable: a node at ps->p, which is moved by n characters. */
static struct dbg_node *variable_node(struct parser *ps, enum dbg_op op, const struct dbg_var *v,
                                      size_t n)
{
    struct dbg_node *x = node(ps, op, NULL, NULL, (unsigned)(ps->p - ps->e->text));
    if (x) x->value = dbg_value_at(v->type, v->address);
    if (x) x->name = arena_printf(&ps->e->arena, "%.*s", (int)n, ps->p);
    ps->p += n;
    return x;
}

/** function::variable; n: the length of the function's name. */
static struct dbg_node *scoped(struct parser *ps, const char *function, size_t n)
{
    const size_t k = word(ps->p + n + 2);
    const char *name = arena_printf(&ps->e->arena, "%.*s", (int)k, ps->p + n + 2);
    struct dbg_var v;
    if (!ps->m ||
        !dbg_var_of_function(ps->m, ps->fn, ps->loc, &(struct dbg_scoped_name){function, name}, &v))
        return FAIL(ps, "No symbol \"%s\" in function \"%s\".", name, function);
    return variable_node(ps, E_SCOPED, &v, n + 2 + k);
}

static struct dbg_node *primary(struct parser *ps)
{
    skip(ps);
    const unsigned pos = (unsigned)(ps->p - ps->e->text);
    if (isdigit((unsigned char)*ps->p) || (*ps->p == '.' && isdigit((unsigned char)ps->p[1])))
        return number(ps);
    if (*ps->p == '\'') return character(ps);
    if (*ps->p == '(') {
        ps->p++;
        struct dbg_node *x = assignment(ps);
        while (x && take(ps, ",")) x = node(ps, E_COMMA, x, assignment(ps), pos);
        if (x && !take(ps, ")")) return FAIL(ps, "A syntax error in expression: ')' is expected.");
        return x;
    }
    const size_t n = word(ps->p);
    if (!n) return FAIL(ps, "A syntax error in expression, near `%s'.", ps->p);
    const char *name = arena_printf(&ps->e->arena, "%.*s", (int)n, ps->p);
    if (*name == '$') {
        struct dbg_node *x = node(
            ps, name[1] && !isdigit((unsigned char)name[1]) && name[1] != '$' ? E_NAMED : E_HISTORY,
            NULL, NULL, pos);
        if (x) x->name = name;
        ps->p += n;
        return x;
    }
    if (!strncmp(ps->p + n, "::", 2)) return scoped(ps, name, n);
    const struct dbg_var *v = variable(ps, name, n);
    if (v) return variable_node(ps, E_VAR, v, n);
    if (!strcmp(name, "true") || !strcmp(name, "false")) {
        struct dbg_node *x = node(ps, E_CONST, NULL, NULL, pos);
        if (x) x->value = dbg_value_int(dbg_type_named("bool", 4), *name == 't');
        ps->p += n;
        return x;
    }
    const char *before = ps->p;
    ps->p += n;
    if (take(ps, "(")) {
        struct dbg_node *x = node(ps, E_CALL, NULL, NULL, pos);
        if (x) x->name = name;
        return arguments(ps, x, ")");
    }
    ps->p = before;
    if (expand(ps, name, n)) return primary(ps);
    struct dbg_var local;
    if (dbg_var_in_local_memory(ps->m, name, &local)) return variable_node(ps, E_VAR, &local, n);
    uint64_t value;
    const struct dbg_type *const of = enumerator(ps, name, &value);
    if (of) {
        struct dbg_node *x = node(ps, E_CONST, NULL, NULL, pos);
        if (x) x->value = dbg_value_int(of, value);
        ps->p += n;
        return x;
    }
    return FAIL(ps, "No symbol \"%s\" in current context.", name);
}

static struct dbg_node *postfix(struct parser *ps)
{
    struct dbg_node *x = primary(ps);
    while (x) {
        skip(ps);
        const unsigned pos = (unsigned)(ps->p - ps->e->text);
        if (take(ps, "[")) {
            x = node(ps, E_INDEX, x, assignment(ps), pos);
            if (x && !take(ps, "]"))
                return FAIL(ps, "A syntax error in expression: ']' is expected.");
        } else if (!strncmp(ps->p, "->", 2) ||
                   (*ps->p == '.' && !isdigit((unsigned char)ps->p[1]))) {
            const bool arrow = *ps->p == '-';
            ps->p += arrow ? 2 : 1;
            skip(ps);
            const size_t n = word(ps->p);
            if (!n) return FAIL(ps, "A syntax error in expression: a member's name is expected.");
            x = node(ps, arrow ? E_ARROW : E_MEMBER, x, NULL, (unsigned)(ps->p - ps->e->text));
            if (x) x->name = arena_printf(&ps->e->arena, "%.*s", (int)n, ps->p);
            ps->p += n;
        } else if (take(ps, "++")) {
            x = node(ps, E_POSTINC, x, NULL, pos);
        } else if (take(ps, "--")) {
            x = node(ps, E_POSTDEC, x, NULL, pos);
        } else {
            return x;
        }
    }
    return x;
}

/** After `(type)`: a vector literal, or a cast. */
static struct dbg_node *literal_or_cast(struct parser *ps, const struct dbg_type *t, unsigned pos)
{
    const bool literal = dbg_strip(t)->kind == BC_T_VECTOR && take(ps, "(");
    struct dbg_node *x = literal ? node(ps, E_LITERAL, NULL, NULL, pos)
                                 : node(ps, E_CAST, unary(ps), NULL, pos);
    if (x) x->type = t;
    if (literal) return arguments(ps, x, ")");
    return x && x->a ? x : NULL;
}

static struct dbg_node *cast_or_unary(struct parser *ps)
{
    skip(ps);
    const unsigned pos = (unsigned)(ps->p - ps->e->text);
    if (*ps->p == '(') {
        const char *start = ps->p++;
        const struct dbg_type *t = type_name(ps);
        if (t && take(ps, ")")) return literal_or_cast(ps, t, pos);
        ps->p = start;
    }
    static const struct {
        const char *token;
        enum dbg_op op;
    } prefix[] = {{"++", E_PREINC}, {"--", E_PREDEC}, {"-", E_NEG},   {"+", E_PLUS},
                  {"~", E_NOT},     {"!", E_LNOT},    {"*", E_DEREF}, {"&", E_ADDR}};
    for (size_t i = 0; i < sizeof prefix / sizeof *prefix; i++) {
        if (!take(ps, prefix[i].token)) continue;
        struct dbg_node *a = unary(ps);
        return a ? node(ps, prefix[i].op, a, NULL, pos) : NULL;
    }
    if (word(ps->p) == 6 && !memcmp(ps->p, "sizeof", 6)) {
        ps->p += 6;
        const char *start = ps->p;
        const struct dbg_type *t = take(ps, "(") ? type_name(ps) : NULL;
        if (t && take(ps, ")")) {
            struct dbg_node *x = node(ps, E_SIZEOF_TYPE, NULL, NULL, pos);
            if (x) x->type = t;
            return x;
        }
        ps->p = start;
        struct dbg_node *a = unary(ps);
        return a ? node(ps, E_SIZEOF, a, NULL, pos) : NULL;
    }
    return postfix(ps);
}

static struct dbg_node *unary(struct parser *ps)
{
    if (++ps->depth > MAX_NESTING) return FAIL(ps, "The expression is nested too deeply.");
    struct dbg_node *x = cast_or_unary(ps);
    ps->depth--;
    return x;
}

static const struct {
    const char *token;
    enum dbg_op op;
    int level;
} binary[] = {
    {"||", E_LOR, 1}, {"&&", E_LAND, 2}, {"<<", E_SHL, 8}, {">>", E_SHR, 8}, {"==", E_EQ, 6},
    {"!=", E_NE, 6},  {"<=", E_LE, 7},   {">=", E_GE, 7},  {"<", E_LT, 7},   {">", E_GT, 7},
    {"|", E_OR, 3},   {"^", E_XOR, 4},   {"&", E_AND, 5},  {"@", E_AT, 9},   {"+", E_ADD, 10},
    {"-", E_SUB, 10}, {"*", E_MUL, 11},  {"/", E_DIV, 11}, {"%", E_REM, 11},
};
enum { NBINARY = sizeof binary / sizeof *binary };

static struct dbg_node *infix(struct parser *ps, int level)
{
    struct dbg_node *x = unary(ps);
    while (x) {
        skip(ps);
        size_t i = 0;
        while (i < NBINARY && strncmp(ps->p, binary[i].token, strlen(binary[i].token))) i++;
        if (i == NBINARY || binary[i].level < level) return x;
        const size_t n = strlen(binary[i].token);
        if (ps->p[n] == '=' && binary[i].op != E_EQ && binary[i].op != E_NE && binary[i].level != 7)
            return x; // `+=`
        const unsigned pos = (unsigned)(ps->p - ps->e->text);
        ps->p += n;
        struct dbg_node *b = infix(ps, binary[i].level + 1);
        x = b ? node(ps, binary[i].op, x, b, pos) : NULL;
    }
    return NULL;
}

static struct dbg_node *assignment(struct parser *ps)
{
    if (++ps->depth > MAX_NESTING) return FAIL(ps, "The expression is nested too deeply.");
    struct dbg_node *x = infix(ps, 1);
    skip(ps);
    const unsigned pos = (unsigned)(ps->p - ps->e->text);
    if (x && take(ps, "?")) {
        struct dbg_node *b = assignment(ps);
        if (b && !take(ps, ":")) return FAIL(ps, "A syntax error in expression: ':' is expected.");
        struct dbg_node *c = b ? assignment(ps) : NULL;
        x = c ? node(ps, E_COND, x, b, pos) : NULL;
        x = above(ps, x, c);
        if (x) x->c = c;
    }
    static const struct {
        const char *token;
        enum dbg_op op;
    } compound[] = {{"<<=", E_SHL}, {">>=", E_SHR}, {"+=", E_ADD}, {"-=", E_SUB}, {"*=", E_MUL},
                    {"/=", E_DIV},  {"%=", E_REM},  {"&=", E_AND}, {"|=", E_OR},  {"^=", E_XOR}};
    enum dbg_op with = E_ASSIGN;
    bool assigns = false;
    for (size_t i = 0; x && !assigns && i < sizeof compound / sizeof *compound; i++)
        if (take(ps, compound[i].token)) with = compound[i].op, assigns = true;
    if (x && !assigns && ps->p[0] == '=' && ps->p[1] != '=') ps->p++, assigns = true;
    if (x && assigns) {
        struct dbg_node *b = assignment(ps);
        x = b ? node(ps, E_ASSIGN, x, b, pos) : NULL;
        if (x) x->compound = with;
    }
    ps->depth--;
    return x;
}

struct err *dbg_expr_parse(const char *text, const struct bc_module *m, const struct bc_fn *fn,
                           uint32_t loc, struct dbg_expr **out)
{
    struct dbg_expr *e = mem_alloc(sizeof *e);
    e->text = arena_strdup(&e->arena, text);
    struct parser ps = {.e = e, .p = e->text, .m = m, .fn = fn, .loc = loc};
    if (m) dbg_vars_at(m, fn, loc, &ps.vars);
    skip(&ps);
    const struct dbg_type *t = type_name(&ps); // a type alone: `ptype float4`, `sizeof`
    skip(&ps);
    if (t && !*ps.p) {
        e->root = node(&ps, E_SIZEOF_TYPE, NULL, NULL, 0);
        e->root->type = t;
        e->root->name = "type";
    } else {
        ps.p = e->text;
        e->root = assignment(&ps);
        while (e->root && take(&ps, ",")) {
            struct dbg_node *b = assignment(&ps);
            e->root = b ? node(&ps, E_COMMA, e->root, b, 0) : NULL;
        }
        skip(&ps);
        if (e->root && *ps.p) FAIL(&ps, "A syntax error in expression, near `%s'.", ps.p);
    }
    dbg_vars_free(&ps.vars);
    *out = e;
    if (!ps.error) return NULL;
    dbg_expr_free(e);
    *out = NULL;
    return ps.error;
}

void dbg_expr_free(struct dbg_expr *e)
{
    if (!e) return;
    arena_deinit(&e->arena);
    free(e);
}
