// SPDX-License-Identifier: MIT
// Expressions: a parser by recursive descent, and an evaluator over its tree.
//
// Types are found while evaluating, as C's rules say: integer promotions, the usual conversions, OpenCL's
// vectors element by element (a scalar beside a vector is widened; comparisons of vectors give 0 and -1).
// Floating-point sums are computed in double and rounded to their type, which for float gives the same result.
#include "debug/expr.h"

#include "base/mem.h"
#include "debug/session.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum op {
    E_CONST, E_VAR, E_HISTORY, E_NAMED, E_NEG, E_PLUS, E_NOT, E_LNOT, E_DEREF, E_ADDR, E_PREINC, E_PREDEC, E_POSTINC, E_POSTDEC,
    E_CAST, E_LITERAL, E_SIZEOF, E_SIZEOF_TYPE, E_INDEX, E_MEMBER, E_ARROW, E_CALL, E_MUL, E_DIV, E_REM, E_ADD, E_SUB, E_SHL, E_SHR, E_LT, E_GT,
    E_LE, E_GE, E_EQ, E_NE, E_AND, E_XOR, E_OR, E_LAND, E_LOR, E_COND, E_ASSIGN, E_COMMA, E_AT,
};

struct node {
    enum op op, compound; // compound: the operation of `+=`, or E_ASSIGN
    struct node *a, *b, *c;
    const struct dbg_type *type;
    struct dbg_value value;
    const char *name;
    struct node **list;
    unsigned n;
    unsigned pos;
};

struct dbg_expr {
    struct arena arena;
    const char *text;
    struct node *root;
};

// ---- parsing
struct parser {
    struct dbg_expr *e;
    const char *p;
    struct dbg_scope_vars vars;
    const struct bc_module *m;
    struct err *error;
    unsigned depth;
};

static struct err *with_caret(const char *text, unsigned pos, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static struct err *with_caret(const char *text, unsigned pos, const char *fmt, ...)
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

#define FAIL(ps, ...) ((ps)->error ? NULL : ((ps)->error = with_caret((ps)->e->text, (unsigned)((ps)->p - (ps)->e->text), __VA_ARGS__), NULL))

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

static struct node *node(struct parser *ps, enum op op, struct node *a, struct node *b, unsigned pos)
{
    if (ps->error) return NULL;
    struct node *x = arena_new(&ps->e->arena, struct node);
    x->op = op;
    x->a = a;
    x->b = b;
    x->pos = pos;
    return x;
}

static struct node *assignment(struct parser *ps);
static struct node *unary(struct parser *ps);

static const struct dbg_type *module_type(struct parser *ps, const char *name, size_t n, bool tag)
{
    for (size_t i = 0; i < dbg.modules.len; i++) {
        if (ps->m && dbg.modules.data[i].m != ps->m) continue;
        for (uint32_t k = 0; k < dbg.modules.data[i].m->ndtypes; k++) {
            const struct dbg_type *t = &dbg.modules.data[i].types[k];
            const bool is_tag = t->kind == BC_T_STRUCT || t->kind == BC_T_UNION || t->kind == BC_T_ENUM;
            if (t->name && is_tag == tag && (tag || t->kind == BC_T_TYPEDEF) && strlen(t->name) == n && !memcmp(t->name, name, n)) return t;
        }
    }
    return NULL;
}

/** A type's name with its stars; NULL (and nothing taken) when there is none. */
static const struct dbg_type *type_name(struct parser *ps)
{
    static const char *const qualifiers[] = {"const", "volatile", "restrict", "global", "__global", "local", "__local", "constant",
                                             "__constant", "private", "__private", "generic", "__generic"};
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
        const bool is_struct = n == 6 && !memcmp(ps->p, "struct", 6), is_union = n == 5 && !memcmp(ps->p, "union", 5),
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
        char longer[128];
        snprintf(longer, sizeof longer, "%s%s%.*s", text, *text ? " " : "", (int)(n < 60 ? n : 60), ps->p);
        const struct dbg_type *more = dbg_type_named(longer, strlen(longer));
        if (!more && !t) more = module_type(ps, ps->p, n, false);
        if (!more && !strcmp(longer, "long unsigned")) more = dbg_type_named("ulong", 5);
        if (!more && t && n == 3 && !memcmp(ps->p, "int", 3)) more = t; // `long int`
        if (!more) break;
        for (size_t i = 0; !t && i < ps->vars.list.len; i++) // a variable hides a type
            if (strlen(ps->vars.list.data[i].name) == n && !memcmp(ps->vars.list.data[i].name, ps->p, n)) more = NULL;
        if (!more) break;
        t = more;
        snprintf(text, sizeof text, "%s", longer);
        ps->p += n;
    }
    if (!t) {
        ps->p = start;
        return NULL;
    }
    for (;;) {
        skip(ps);
        const size_t n = word(ps->p);
        if (take(ps, "*")) t = dbg_type_pointer(t, &ps->e->arena);
        else if ((n == 5 && !memcmp(ps->p, "const", 5)) || (n == 8 && (!memcmp(ps->p, "restrict", 8) || !memcmp(ps->p, "volatile", 8)))) ps->p += n;
        else return t;
    }
}

static struct node *number(struct parser *ps)
{
    struct node *x = node(ps, E_CONST, NULL, NULL, (unsigned)(ps->p - ps->e->text));
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
        const char *type = l || i > UINT32_MAX ? (u || i > INT64_MAX ? "ulong" : "long") : u || i > INT32_MAX ? (u || hex ? "uint" : "long") : "int";
        if (errno) return FAIL(ps, "Numeric constant too large.");
        x->value = dbg_value_int(dbg_type_named(type, strlen(type)), i);
    }
    if (word(end)) {
        return FAIL(ps, "Invalid number \"%.*s\".", (int)(end - ps->p + (ptrdiff_t)word(end)), ps->p);
    }
    ps->p = end;
    return x;
}

static struct node *character(struct parser *ps)
{
    struct node *x = node(ps, E_CONST, NULL, NULL, (unsigned)(ps->p - ps->e->text));
    int c = (unsigned char)*++ps->p;
    if (c == '\\') {
        static const char from[] = "ntr0\\'\"", to[] = "\n\t\r\0\\'\"";
        const char *at = ps->p[1] ? strchr(from, ps->p[1]) : NULL;
        if (!at) return FAIL(ps, "An escape that is not known.");
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
        if (strlen(ps->vars.list.data[i].name) == n && !memcmp(ps->vars.list.data[i].name, name, n)) return &ps->vars.list.data[i];
    return NULL;
}

static struct node *arguments(struct parser *ps, struct node *x, const char *close)
{
    struct node *list[16];
    unsigned n = 0;
    if (!take(ps, close))
        for (;;) {
            struct node *a = assignment(ps);
            if (!a) return NULL;
            if (n == 16) return FAIL(ps, "Too many arguments.");
            list[n++] = a;
            if (take(ps, close)) break;
            if (!take(ps, ",")) return FAIL(ps, "A syntax error in expression: ',' or '%s' is expected.", close);
        }
    if (!x) return NULL;
    x->list = arena_dup(&ps->e->arena, list, n * sizeof *list);
    x->n = n;
    return x;
}

static struct node *primary(struct parser *ps)
{
    skip(ps);
    const unsigned pos = (unsigned)(ps->p - ps->e->text);
    if (isdigit((unsigned char)*ps->p) || (*ps->p == '.' && isdigit((unsigned char)ps->p[1]))) return number(ps);
    if (*ps->p == '\'') return character(ps);
    if (*ps->p == '(') {
        ps->p++;
        struct node *x = assignment(ps);
        while (x && take(ps, ",")) x = node(ps, E_COMMA, x, assignment(ps), pos);
        if (x && !take(ps, ")")) return FAIL(ps, "A syntax error in expression: ')' is expected.");
        return x;
    }
    const size_t n = word(ps->p);
    if (!n) return FAIL(ps, "A syntax error in expression, near `%s'.", ps->p);
    const char *name = arena_printf(&ps->e->arena, "%.*s", (int)n, ps->p);
    if (*name == '$') {
        struct node *x = node(ps, name[1] && !isdigit((unsigned char)name[1]) && name[1] != '$' ? E_NAMED : E_HISTORY, NULL, NULL, pos);
        if (x) x->name = name;
        ps->p += n;
        return x;
    }
    const struct dbg_var *v = variable(ps, name, n);
    if (v) {
        struct node *x = node(ps, E_VAR, NULL, NULL, pos);
        if (x) x->value = dbg_value_at(v->type, v->address), x->name = name;
        ps->p += n;
        return x;
    }
    if (!strcmp(name, "true") || !strcmp(name, "false")) {
        struct node *x = node(ps, E_CONST, NULL, NULL, pos);
        if (x) x->value = dbg_value_int(dbg_type_named("bool", 4), *name == 't');
        ps->p += n;
        return x;
    }
    const char *before = ps->p;
    ps->p += n;
    if (take(ps, "(")) {
        struct node *x = node(ps, E_CALL, NULL, NULL, pos);
        if (x) x->name = name;
        return arguments(ps, x, ")");
    }
    ps->p = before;
    return FAIL(ps, "No symbol \"%s\" in current context.", name);
}

static struct node *postfix(struct parser *ps)
{
    struct node *x = primary(ps);
    while (x) {
        skip(ps);
        const unsigned pos = (unsigned)(ps->p - ps->e->text);
        if (take(ps, "[")) {
            x = node(ps, E_INDEX, x, assignment(ps), pos);
            if (x && !take(ps, "]")) return FAIL(ps, "A syntax error in expression: ']' is expected.");
        } else if (!strncmp(ps->p, "->", 2) || (*ps->p == '.' && !isdigit((unsigned char)ps->p[1]))) {
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

enum { MAX_NESTING = 200 };

static struct node *cast_or_unary(struct parser *ps)
{
    skip(ps);
    const unsigned pos = (unsigned)(ps->p - ps->e->text);
    if (*ps->p == '(') {
        const char *start = ps->p++;
        const struct dbg_type *t = type_name(ps);
        if (t && take(ps, ")")) {
            const struct dbg_type *s = dbg_strip(t);
            if (s->kind == BC_T_VECTOR) {
                skip(ps);
                if (*ps->p == '(') { // a vector literal
                    ps->p++;
                    struct node *x = node(ps, E_LITERAL, NULL, NULL, pos);
                    if (x) x->type = t;
                    return arguments(ps, x, ")");
                }
            }
            struct node *x = node(ps, E_CAST, unary(ps), NULL, pos);
            if (x) x->type = t;
            return x && x->a ? x : NULL;
        }
        ps->p = start;
    }
    static const struct {
        const char *token;
        enum op op;
    } prefix[] = {{"++", E_PREINC}, {"--", E_PREDEC}, {"-", E_NEG}, {"+", E_PLUS}, {"~", E_NOT}, {"!", E_LNOT}, {"*", E_DEREF}, {"&", E_ADDR}};
    for (size_t i = 0; i < sizeof prefix / sizeof *prefix; i++) {
        if (!take(ps, prefix[i].token)) continue;
        struct node *a = unary(ps);
        return a ? node(ps, prefix[i].op, a, NULL, pos) : NULL;
    }
    if (word(ps->p) == 6 && !memcmp(ps->p, "sizeof", 6)) {
        ps->p += 6;
        const char *start = ps->p;
        const struct dbg_type *t = take(ps, "(") ? type_name(ps) : NULL;
        if (t && take(ps, ")")) {
            struct node *x = node(ps, E_SIZEOF_TYPE, NULL, NULL, pos);
            if (x) x->type = t;
            return x;
        }
        ps->p = start;
        struct node *a = unary(ps);
        return a ? node(ps, E_SIZEOF, a, NULL, pos) : NULL;
    }
    return postfix(ps);
}

static struct node *unary(struct parser *ps)
{
    if (++ps->depth > MAX_NESTING) return FAIL(ps, "The expression is nested too deeply.");
    struct node *x = cast_or_unary(ps);
    ps->depth--;
    return x;
}

static const struct {
    const char *token;
    enum op op;
    int level;
} binary[] = {
    {"||", E_LOR, 1}, {"&&", E_LAND, 2}, {"<<", E_SHL, 8}, {">>", E_SHR, 8}, {"==", E_EQ, 6}, {"!=", E_NE, 6}, {"<=", E_LE, 7}, {">=", E_GE, 7},
    {"<", E_LT, 7}, {">", E_GT, 7}, {"|", E_OR, 3}, {"^", E_XOR, 4}, {"&", E_AND, 5}, {"@", E_AT, 9}, {"+", E_ADD, 10}, {"-", E_SUB, 10},
    {"*", E_MUL, 11}, {"/", E_DIV, 11}, {"%", E_REM, 11},
};
enum { NBINARY = sizeof binary / sizeof *binary };

static struct node *infix(struct parser *ps, int level)
{
    struct node *x = unary(ps);
    while (x) {
        skip(ps);
        size_t i = 0;
        while (i < NBINARY && strncmp(ps->p, binary[i].token, strlen(binary[i].token))) i++;
        if (i == NBINARY || binary[i].level < level) return x;
        const size_t n = strlen(binary[i].token);
        if (ps->p[n] == '=' && binary[i].op != E_EQ && binary[i].op != E_NE && binary[i].level != 7) return x; // `+=`
        const unsigned pos = (unsigned)(ps->p - ps->e->text);
        ps->p += n;
        struct node *b = infix(ps, binary[i].level + 1);
        x = b ? node(ps, binary[i].op, x, b, pos) : NULL;
    }
    return NULL;
}

static struct node *assignment(struct parser *ps)
{
    if (++ps->depth > MAX_NESTING) return FAIL(ps, "The expression is nested too deeply.");
    struct node *x = infix(ps, 1);
    skip(ps);
    const unsigned pos = (unsigned)(ps->p - ps->e->text);
    if (x && take(ps, "?")) {
        struct node *b = assignment(ps);
        if (b && !take(ps, ":")) return FAIL(ps, "A syntax error in expression: ':' is expected.");
        struct node *c = b ? assignment(ps) : NULL;
        x = c ? node(ps, E_COND, x, b, pos) : NULL;
        if (x) x->c = c;
    }
    static const struct {
        const char *token;
        enum op op;
    } compound[] = {{"<<=", E_SHL}, {">>=", E_SHR}, {"+=", E_ADD}, {"-=", E_SUB}, {"*=", E_MUL}, {"/=", E_DIV}, {"%=", E_REM}, {"&=", E_AND}, {"|=", E_OR}, {"^=", E_XOR}};
    enum op with = E_ASSIGN;
    bool assigns = false;
    for (size_t i = 0; x && !assigns && i < sizeof compound / sizeof *compound; i++)
        if (take(ps, compound[i].token)) with = compound[i].op, assigns = true;
    if (x && !assigns && ps->p[0] == '=' && ps->p[1] != '=') ps->p++, assigns = true;
    if (x && assigns) {
        struct node *b = assignment(ps);
        x = b ? node(ps, E_ASSIGN, x, b, pos) : NULL;
        if (x) x->compound = with;
    }
    ps->depth--;
    return x;
}

struct err *dbg_expr_parse(const char *text, const struct bc_module *m, const struct bc_fn *fn, uint32_t loc, struct dbg_expr **out)
{
    struct dbg_expr *e = mem_alloc(sizeof *e);
    e->text = arena_strdup(&e->arena, text);
    struct parser ps = {.e = e, .p = e->text, .m = m};
    if (m) dbg_vars_at(m, fn, loc, &ps.vars);
    skip(&ps);
    const struct dbg_type *t = type_name(&ps); // `ptype float4`, `sizeof` of a type alone
    skip(&ps);
    if (t && !*ps.p) {
        e->root = node(&ps, E_SIZEOF_TYPE, NULL, NULL, 0);
        e->root->type = t;
        e->root->name = "type";
    } else {
        ps.p = e->text;
        e->root = assignment(&ps);
        while (e->root && take(&ps, ",")) {
            struct node *b = assignment(&ps);
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

// ---- evaluation
struct eval {
    struct dbg_expr *e;
    struct vm_gang *g;
    struct arena *a;
};
static struct err *eval(struct eval *x, const struct node *n, struct dbg_value *v);

#define BAD(x, n, ...) with_caret((x)->e->text, (n)->pos, __VA_ARGS__)

static struct err *place_error(struct eval *x, const struct node *n, struct err *e)
{
    if (!e) return NULL;
    struct err *with = BAD(x, n, "%s", err_message(e));
    err_free(e);
    return with;
}

static struct err *load(struct eval *x, const struct node *n, struct dbg_value *v) { return place_error(x, n, dbg_value_load(x->g, v, x->a)); }

/** An array becomes a pointer to its first element. */
static struct err *decay(struct eval *x, const struct node *n, struct dbg_value *v)
{
    const struct dbg_type *t = dbg_strip(v->type);
    if (t->kind == BC_T_ARRAY && v->in_memory) {
        const uint64_t p = v->address;
        *v = (struct dbg_value){.type = dbg_type_pointer(t->base, x->a)};
        memcpy(v->bytes, &p, 8);
        return NULL;
    }
    return load(x, n, v);
}

static uint64_t pointer_of(const struct dbg_value *v)
{
    uint64_t p;
    memcpy(&p, v->bytes, 8);
    return p;
}

static const struct dbg_type *promoted(const struct dbg_type *t)
{
    t = dbg_strip(t);
    if (t->kind == BC_T_ENUM || ((t->kind == BC_T_INT || t->kind == BC_T_UINT || t->kind == BC_T_BOOL) && t->size < 4)) return dbg_type_named("int", 3);
    return t;
}

static const struct dbg_type *common(const struct dbg_type *a, const struct dbg_type *b)
{
    a = promoted(a), b = promoted(b);
    if (a->kind == BC_T_FLOAT || b->kind == BC_T_FLOAT) {
        if (a->kind != BC_T_FLOAT) return b;
        if (b->kind != BC_T_FLOAT) return a;
        return a->size >= b->size ? a : b;
    }
    if (a->size != b->size) return a->size > b->size ? a : b;
    return a->kind == BC_T_UINT ? a : b;
}

static struct err *scalar_op(struct eval *x, const struct node *n, enum op op, const struct dbg_type *t, const uint8_t *a, const uint8_t *b, uint8_t *out)
{
    const bool compares = op >= E_LT && op <= E_NE;
    if (t->kind == BC_T_FLOAT) {
        const double p = dbg_as_float(t, a), q = dbg_as_float(t, b);
        double r = 0;
        switch (op) {
        case E_MUL: r = p * q; break;
        case E_DIV: r = p / q; break;
        case E_ADD: r = p + q; break;
        case E_SUB: r = p - q; break;
        case E_LT: r = p < q; break;
        case E_GT: r = p > q; break;
        case E_LE: r = p <= q; break;
        case E_GE: r = p >= q; break;
        case E_EQ: r = p == q; break;
        case E_NE: r = p != q; break;
        default: return BAD(x, n, "Argument to arithmetic operation not an integer.");
        }
        if (compares) memcpy(out, &(int64_t){(int64_t)r}, 8);
        else dbg_put_number(t, out, 0, r, true);
        return NULL;
    }
    const int64_t p = dbg_as_int(t, a), q = dbg_as_int(t, b);
    const uint64_t u = (uint64_t)p, w = (uint64_t)q;
    const bool is_unsigned = t->kind == BC_T_UINT || t->kind == BC_T_POINTER || t->kind == BC_T_BOOL;
    const unsigned bits = 8 * (unsigned)t->size;
    uint64_t r = 0;
    switch (op) {
    case E_MUL: r = u * w; break;
    case E_DIV:
    case E_REM:
        if (!q) return BAD(x, n, "Division by zero");
        if (is_unsigned) r = op == E_DIV ? u / w : u % w;
        else if (q == -1) r = op == E_DIV ? 0 - u : 0;
        else r = (uint64_t)(op == E_DIV ? p / q : p % q);
        break;
    case E_ADD: r = u + w; break;
    case E_SUB: r = u - w; break;
    case E_SHL: r = u << (w & (bits - 1)); break;
    case E_SHR: r = is_unsigned ? u >> (w & (bits - 1)) : (uint64_t)(p >> (w & (bits - 1))); break;
    case E_AND: r = u & w; break;
    case E_XOR: r = u ^ w; break;
    case E_OR: r = u | w; break;
    case E_LT: r = is_unsigned ? u < w : p < q; break;
    case E_GT: r = is_unsigned ? u > w : p > q; break;
    case E_LE: r = is_unsigned ? u <= w : p <= q; break;
    case E_GE: r = is_unsigned ? u >= w : p >= q; break;
    case E_EQ: r = u == w; break;
    case E_NE: r = u != w; break;
    default: break;
    }
    if (compares) memcpy(out, &r, 8);
    else dbg_put_number(t, out, (int64_t)r, 0, false);
    return NULL;
}

static struct err *convert(struct eval *x, const struct node *n, const struct dbg_type *to, struct dbg_value *v)
{
    struct err *e = decay(x, n, v);
    if (e) return e;
    const struct dbg_type *t = dbg_strip(to), *from = dbg_strip(v->type);
    struct dbg_value r = {.type = to};
    if (t->kind == BC_T_VOID) {
        *v = r;
        return NULL;
    }
    const bool plain_from = dbg_is_number(from) || from->kind == BC_T_POINTER, plain_to = dbg_is_number(t) || t->kind == BC_T_POINTER;
    if (plain_from && plain_to) {
        dbg_put_number(t, r.bytes, dbg_as_int(from, v->bytes), dbg_as_float(from, v->bytes), from->kind == BC_T_FLOAT);
    } else if (t->kind == BC_T_VECTOR && dbg_is_number(from)) {
        const struct dbg_type *el = dbg_strip(t->base);
        for (unsigned i = 0; i < t->count; i++)
            dbg_put_number(el, r.bytes + i * el->size, dbg_as_int(from, v->bytes), dbg_as_float(from, v->bytes), from->kind == BC_T_FLOAT);
    } else if (t->kind == from->kind && t->size == from->size && (t->kind == BC_T_VECTOR || !t->name || !from->name || !strcmp(t->name, from->name))) {
        if (t->kind == BC_T_VECTOR && (t->count != from->count || dbg_strip(t->base)->kind != dbg_strip(from->base)->kind))
            return BAD(x, n, "Vectors of different types are not converted into one another.");
        r = *v;
        r.type = to;
    } else {
        return BAD(x, n, "Invalid cast.");
    }
    *v = r;
    return NULL;
}

static struct err *arithmetic(struct eval *x, const struct node *n, enum op op, struct dbg_value *a, struct dbg_value *b)
{
    struct err *e = decay(x, n, a);
    if (!e) e = decay(x, n, b);
    if (e) return e;
    const struct dbg_type *s = dbg_strip(a->type), *t = dbg_strip(b->type);
    const bool compares = op >= E_LT && op <= E_NE;
    if (s->kind == BC_T_POINTER || t->kind == BC_T_POINTER) {
        if (s->kind == BC_T_POINTER && t->kind == BC_T_POINTER && (op == E_SUB || compares)) {
            const uint64_t p = pointer_of(a), q = pointer_of(b);
            if (op == E_SUB) {
                const int64_t size = s->base->size ? (int64_t)s->base->size : 1;
                *a = dbg_value_int(dbg_type_named("long", 4), (uint64_t)((int64_t)(p - q) / size));
                return NULL;
            }
            uint8_t r[8];
            e = scalar_op(x, n, op, s, a->bytes, b->bytes, r);
            if (!e) *a = dbg_value_int(dbg_type_named("int", 3), r[0]);
            return e;
        }
        if ((op == E_ADD || op == E_SUB) && s->kind == BC_T_POINTER && dbg_is_integer(t)) {
            const uint64_t step = (uint64_t)dbg_as_int(t, b->bytes) * (s->base->size ? s->base->size : 1);
            const uint64_t p = op == E_ADD ? pointer_of(a) + step : pointer_of(a) - step;
            memcpy(a->bytes, &p, 8);
            return NULL;
        }
        if (op == E_ADD && dbg_is_integer(s)) {
            struct dbg_value swap = *a;
            *a = *b;
            *b = swap;
            return arithmetic(x, n, op, a, b);
        }
        if (compares && (dbg_is_integer(s) || dbg_is_integer(t))) {
            const struct dbg_type *u = dbg_type_named("ulong", 5);
            e = convert(x, n, u, a);
            if (!e) e = convert(x, n, u, b);
            return e ? e : arithmetic(x, n, op, a, b);
        }
        return BAD(x, n, "Argument to arithmetic operation not a number or boolean.");
    }
    if (s->kind == BC_T_VECTOR || t->kind == BC_T_VECTOR) {
        const struct dbg_type *v = s->kind == BC_T_VECTOR ? s : t;
        if (s->kind != t->kind) e = convert(x, n, v, s->kind == BC_T_VECTOR ? b : a);
        else if (s->count != t->count || dbg_strip(s->base)->kind != dbg_strip(t->base)->kind || s->size != t->size)
            e = BAD(x, n, "Vectors of different types cannot be combined.");
        if (e) return e;
        const struct dbg_type *el = dbg_strip(v->base);
        static const char *const ints[] = {[1] = "char", [2] = "short", [4] = "int", [8] = "long"};
        const struct dbg_type *result = compares ? dbg_type_vector(dbg_type_named(ints[el->size], strlen(ints[el->size])), (unsigned)v->count) : v;
        struct dbg_value r = {.type = result};
        for (unsigned i = 0; i < v->count && !e; i++) {
            uint8_t one[8] = {0};
            e = scalar_op(x, n, op, el, a->bytes + i * el->size, b->bytes + i * el->size, one);
            if (compares) dbg_put_number(dbg_strip(result->base), r.bytes + i * el->size, -(int64_t)one[0], 0, false);
            else memcpy(r.bytes + i * el->size, one, el->size);
        }
        *a = r;
        return e;
    }
    if (!dbg_is_number(s) || !dbg_is_number(t)) return BAD(x, n, "Argument to arithmetic operation not a number or boolean.");
    const struct dbg_type *c = op == E_SHL || op == E_SHR ? promoted(s) : common(s, t);
    uint8_t p[8], q[8], r[8] = {0};
    const bool f = s->kind == BC_T_FLOAT, h = t->kind == BC_T_FLOAT;
    dbg_put_number(c, p, dbg_as_int(s, a->bytes), dbg_as_float(s, a->bytes), f);
    if ((op == E_SHL || op == E_SHR) && (f || h)) return BAD(x, n, "Argument to arithmetic operation not an integer.");
    // an unsigned value that becomes floating point is not negative
    if (f == false && c->kind == BC_T_FLOAT && s->kind == BC_T_UINT) dbg_put_number(c, p, 0, dbg_as_float(s, a->bytes), true);
    dbg_put_number(c, q, dbg_as_int(t, b->bytes), dbg_as_float(t, b->bytes), h || (c->kind == BC_T_FLOAT && t->kind == BC_T_UINT));
    e = scalar_op(x, n, op, c, p, q, r);
    if (e) return e;
    if (compares) {
        *a = dbg_value_int(dbg_type_named("int", 3), r[0]);
    } else {
        *a = (struct dbg_value){.type = c};
        memcpy(a->bytes, r, c->size);
    }
    return NULL;
}

struct err *dbg_value_true(struct vm_gang *g, const struct dbg_value *v, bool *is)
{
    struct arena a = {0};
    struct dbg_value x = *v;
    const struct dbg_type *t = dbg_strip(v->type);
    struct err *e = t->kind == BC_T_ARRAY ? NULL : dbg_value_load(g, &x, &a);
    if (!e && t->kind == BC_T_ARRAY) *is = true;
    else if (!e && t->kind == BC_T_FLOAT) *is = dbg_as_float(t, x.bytes) != 0;
    else if (!e && (dbg_is_number(t) || t->kind == BC_T_POINTER)) *is = dbg_as_int(t, x.bytes) != 0;
    else if (!e) e = err_new("A condition must be a number.");
    arena_deinit(&a);
    return e;
}

/** Components that a swizzle names: `xyzw`, `s01f`, `lo`, `even`… How many; 0: it is no swizzle of such a vector. */
static unsigned swizzle(const char *name, unsigned n, uint8_t comp[16])
{
    static const char xyzw[] = "xyzw", rgba[] = "rgba", hex[] = "0123456789abcdef";
    const unsigned half = n == 3 ? 2 : n / 2;
    static const char *const parts[] = {"lo", "hi", "even", "odd"};
    for (unsigned p = 0; p < 4; p++) {
        if (strcmp(name, parts[p])) continue;
        for (unsigned i = 0; i < half; i++) comp[i] = (uint8_t)(p == 0 ? i : p == 1 ? half + i : p == 2 ? 2 * i : 2 * i + 1);
        return half;
    }
    const char *set = strspn(name, xyzw) == strlen(name) ? xyzw : strspn(name, rgba) == strlen(name) ? rgba : NULL;
    if (!set && (*name == 's' || *name == 'S')) set = hex, name++;
    const unsigned count = (unsigned)strlen(name);
    if (!set || !count || count > 16) return 0;
    for (unsigned i = 0; i < count; i++) {
        const char *at = strchr(set, set == hex ? tolower((unsigned char)name[i]) : name[i]);
        if (!at || (unsigned)(at - set) >= n) return 0;
        comp[i] = (uint8_t)(at - set);
    }
    return count;
}

static struct err *member(struct eval *x, const struct node *n, struct dbg_value *v)
{
    const struct dbg_type *t = dbg_strip(v->type);
    if (t->kind == BC_T_VECTOR) {
        uint8_t comp[16];
        const unsigned k = swizzle(n->name, (unsigned)t->count, comp);
        const struct dbg_type *el = dbg_strip(t->base), *r = k ? dbg_type_vector(el, k) : NULL;
        if (!r) return BAD(x, n, "There is no component named %s in %s.", n->name, t->name ? t->name : "the vector");
        if (v->in_memory) {
            uint8_t of[16];
            for (unsigned i = 0; i < k; i++) of[i] = v->ncomp ? v->comp[comp[i]] : comp[i];
            v->ncomp = (uint8_t)k;
            memcpy(v->comp, of, sizeof of);
            if (k == 1) v->address += of[0] * el->size, v->ncomp = 0;
            v->type = r;
            return NULL;
        }
        struct dbg_value s = {.type = r};
        for (unsigned i = 0; i < k; i++) memcpy(s.bytes + i * el->size, v->bytes + comp[i] * el->size, el->size);
        *v = s;
        return NULL;
    }
    if (t->kind != BC_T_STRUCT && t->kind != BC_T_UNION) {
        struct str type = {0};
        dbg_type_put(&type, v->type);
        struct err *e = BAD(x, n, "Attempt to extract a component of a value that is not a structure (it is %s).", str_text(&type));
        str_deinit(&type);
        return e;
    }
    for (unsigned i = 0; i < t->nmembers; i++) {
        const struct dbg_member *m = &t->members[i];
        if (strcmp(m->name, n->name)) continue;
        if (v->in_memory) {
            *v = dbg_value_at(m->type, v->address + m->offset);
            v->bit = m->bit;
            v->bits = m->bits;
            return NULL;
        }
        struct dbg_value r = {.type = m->type};
        const uint8_t *from = (v->big ? v->big : v->bytes) + m->offset;
        if (m->type->size <= DBG_MAX_BYTES) memcpy(r.bytes, from, m->type->size);
        else r.big = arena_dup(x->a, from, m->type->size);
        *v = r;
        return NULL;
    }
    return BAD(x, n, "There is no member named %s.", n->name);
}

static struct err *call(struct eval *x, const struct node *n, struct dbg_value *v)
{
    static const struct {
        const char *name;
        enum bc_wi wi;
        const char *type;
        unsigned nargs;
    } functions[] = {
        {"get_global_id", BC_GLOBAL_ID, "ulong", 1}, {"get_local_id", BC_LOCAL_ID, "ulong", 1}, {"get_group_id", BC_GROUP_ID, "ulong", 1},
        {"get_global_size", BC_GLOBAL_SIZE, "ulong", 1}, {"get_local_size", BC_LOCAL_SIZE, "ulong", 1}, {"get_num_groups", BC_NUM_GROUPS, "ulong", 1},
        {"get_enqueued_local_size", BC_ENQUEUED_LOCAL_SIZE, "ulong", 1}, {"get_global_offset", BC_GLOBAL_OFFSET, "ulong", 1},
        {"get_work_dim", BC_WORK_DIM, "uint", 0}, {"get_global_linear_id", BC_GLOBAL_LINEAR_ID, "ulong", 0},
        {"get_local_linear_id", BC_LOCAL_LINEAR_ID, "ulong", 0},
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strcmp(functions[i].name, n->name)) continue;
        if (n->n != functions[i].nargs) return BAD(x, n, "%s takes %u argument%s.", n->name, functions[i].nargs, functions[i].nargs == 1 ? "" : "s");
        if (!x->g) return BAD(x, n, "No kernel is stopped: there is no work-item.");
        uint64_t d = 0, r;
        if (n->n) {
            struct dbg_value a;
            struct err *e = eval(x, n->list[0], &a);
            if (!e) e = convert(x, n, dbg_type_named("ulong", 5), &a);
            if (e) return e;
            d = pointer_of(&a);
        }
        const enum bc_wi wi = functions[i].wi;
        if (wi == BC_GLOBAL_LINEAR_ID) {
            const struct vm_launch *l = x->g->worker->run->l;
            r = 0;
            for (int k = 2; k >= 0; k--) r = r * l->global[k] + x->g->group->id[k] * l->local[k] + x->g->lid[k][0];
        } else if (wi == BC_LOCAL_LINEAR_ID) {
            r = x->g->lid[3][0];
        } else if (wi == BC_WORK_DIM) {
            r = x->g->ids[wi * 3];
        } else if (d > 2) {
            r = wi == BC_GLOBAL_SIZE || wi == BC_LOCAL_SIZE || wi == BC_NUM_GROUPS || wi == BC_ENQUEUED_LOCAL_SIZE;
        } else {
            r = x->g->ids[wi * 3 + d] + (wi == BC_GLOBAL_ID || wi == BC_LOCAL_ID ? x->g->lid[d][0] : 0);
        }
        *v = dbg_value_int(dbg_type_named(functions[i].type, strlen(functions[i].type)), r);
        return NULL;
    }
    return BAD(x, n, "Function \"%s\" cannot be called here: only work-item functions can.", n->name);
}

static struct err *history(struct eval *x, const struct node *n, struct dbg_value *v)
{
    const char *p = n->name + 1;
    const size_t have = dbg.values.len;
    size_t index; // from 1
    if (!*p) index = have;
    else if (*p == '$') {
        const size_t back = p[1] ? strtoul(p + 1, NULL, 10) : 1;
        index = back < have ? have - back : 0;
    } else index = strtoul(p, NULL, 10);
    if (!have && (!*p || *p == '$')) {
        *v = (struct dbg_value){.type = dbg_type_named("void", 4)};
        return NULL;
    }
    if (!index || index > have) return BAD(x, n, "History has not yet reached %s.", n->name);
    *v = dbg.values.data[index - 1];
    return NULL;
}

static struct dbg_value *named(const char *name, bool make)
{
    for (size_t i = 0; i < dbg.names.len; i++)
        if (!strcmp(dbg.names.data[i].name, name)) return dbg.names.data[i].value;
    if (!make) return NULL;
    struct dbg_value *v = arena_new(&dbg.arena, struct dbg_value);
    v->type = dbg_type_named("void", 4);
    vec_push(&dbg.names, ((struct dbg_named){arena_strdup(&dbg.arena, name), v}));
    return v;
}

static struct err *assign(struct eval *x, const struct node *n, struct dbg_value *v)
{
    struct dbg_value b;
    struct err *e = eval(x, n->b, &b);
    if (e) return e;
    if (n->a->op == E_NAMED) { // takes any type
        if (n->compound != E_ASSIGN) {
            struct dbg_value a = *named(n->a->name, true);
            e = arithmetic(x, n, n->compound, &a, &b);
            b = a;
        }
        if (!e) e = decay(x, n, &b);
        if (!e) *named(n->a->name, true) = *v = b;
        if (!e && b.big) named(n->a->name, true)->big = arena_dup(&dbg.arena, b.big, b.type->size);
        return e;
    }
    struct dbg_value a;
    e = eval(x, n->a, &a);
    if (!e && !a.in_memory) e = BAD(x, n, "Left operand of assignment is not an lvalue.");
    if (!e && dbg_strip(a.type)->kind == BC_T_ARRAY) e = BAD(x, n, "An array cannot be assigned to as a whole.");
    if (!e && n->compound != E_ASSIGN) {
        struct dbg_value old = a;
        e = load(x, n, &old);
        if (!e) e = arithmetic(x, n, n->compound, &old, &b);
        b = old;
    }
    if (!e) e = convert(x, n, a.type, &b);
    if (!e) e = place_error(x, n, dbg_value_store(x->g, &a, b.big ? b.big : b.bytes));
    if (!e) dbg_changed_by_hand(x->g, &a);
    *v = b;
    return e;
}

static struct err *step_by_one(struct eval *x, const struct node *n, struct dbg_value *v)
{
    struct dbg_value a, old;
    struct err *e = eval(x, n->a, &a);
    if (e) return e;
    if (!a.in_memory) return BAD(x, n, "Operand is not an lvalue.");
    old = a;
    e = load(x, n, &old);
    struct dbg_value now = old, one = dbg_value_int(dbg_type_named("int", 3), 1);
    if (!e) e = arithmetic(x, n, n->op == E_PREINC || n->op == E_POSTINC ? E_ADD : E_SUB, &now, &one);
    if (!e) e = convert(x, n, a.type, &now);
    if (!e) e = place_error(x, n, dbg_value_store(x->g, &a, now.bytes));
    if (!e) dbg_changed_by_hand(x->g, &a);
    *v = n->op == E_PREINC || n->op == E_PREDEC ? now : old;
    return e;
}

static struct err *index_of(struct eval *x, const struct node *n, struct dbg_value *v)
{
    struct dbg_value i;
    struct err *e = eval(x, n->a, v);
    if (!e) e = eval(x, n->b, &i);
    if (!e) e = load(x, n, &i);
    if (e) return e;
    if (!dbg_is_integer(i.type)) return BAD(x, n, "An index must be an integer.");
    const int64_t at = dbg_as_int(i.type, i.bytes);
    const struct dbg_type *t = dbg_strip(v->type);
    if (t->kind == BC_T_ARRAY && v->in_memory) {
        *v = dbg_value_at(t->base, v->address + (uint64_t)at * t->base->size);
        return NULL;
    }
    if (t->kind == BC_T_VECTOR || t->kind == BC_T_ARRAY) {
        if (at < 0 || (uint64_t)at >= t->count) return BAD(x, n, "no such vector element (%lld of %llu)", (long long)at, (unsigned long long)t->count);
        const struct dbg_type *el = t->base;
        if (v->in_memory) {
            *v = dbg_value_at(el, v->address + (v->ncomp ? v->comp[at] : (uint64_t)at) * el->size);
        } else {
            struct dbg_value r = {.type = el};
            memcpy(r.bytes, (v->big ? v->big : v->bytes) + (uint64_t)at * el->size, el->size < DBG_MAX_BYTES ? el->size : DBG_MAX_BYTES);
            *v = r;
        }
        return NULL;
    }
    e = load(x, n, v);
    if (e) return e;
    if (t->kind != BC_T_POINTER) return BAD(x, n, "cannot subscript something that is neither an array, a pointer nor a vector");
    *v = dbg_value_at(t->base, pointer_of(v) + (uint64_t)at * (t->base->size ? t->base->size : 1));
    return NULL;
}

static struct err *dereference(struct eval *x, const struct node *n, struct dbg_value *v)
{
    struct err *e = decay(x, n, v);
    if (e) return e;
    const struct dbg_type *t = dbg_strip(v->type);
    if (t->kind != BC_T_POINTER) return BAD(x, n, "Attempt to take contents of a non-pointer value.");
    if (dbg_strip(t->base)->kind == BC_T_VOID) return BAD(x, n, "Attempt to take contents of a void pointer.");
    *v = dbg_value_at(t->base, pointer_of(v));
    return NULL;
}

static struct err *literal(struct eval *x, const struct node *n, struct dbg_value *v)
{
    const struct dbg_type *t = dbg_strip(n->type), *el = dbg_strip(t->base);
    struct dbg_value r = {.type = n->type};
    unsigned at = 0;
    for (unsigned i = 0; i < n->n; i++) {
        struct dbg_value a;
        struct err *e = eval(x, n->list[i], &a);
        if (!e) e = load(x, n, &a);
        if (e) return e;
        const struct dbg_type *s = dbg_strip(a.type), *from = s->kind == BC_T_VECTOR ? dbg_strip(s->base) : s;
        const unsigned k = s->kind == BC_T_VECTOR ? (unsigned)s->count : 1;
        if (!dbg_is_number(from)) return BAD(x, n->list[i], "Elements of a vector are numbers.");
        if (at + k > t->count) return BAD(x, n, "Too many elements for %s.", t->name ? t->name : "the vector");
        for (unsigned j = 0; j < k; j++, at++)
            dbg_put_number(el, r.bytes + at * el->size, dbg_as_int(from, a.bytes + j * from->size), dbg_as_float(from, a.bytes + j * from->size),
                           from->kind == BC_T_FLOAT);
    }
    if (at == 1)
        for (; at < t->count; at++) memcpy(r.bytes + at * el->size, r.bytes, el->size);
    if (at < t->count) return BAD(x, n, "%u elements for %s, which has %llu.", at, t->name ? t->name : "a vector", (unsigned long long)t->count);
    *v = r;
    return NULL;
}

static struct err *eval(struct eval *x, const struct node *n, struct dbg_value *v)
{
    struct err *e = NULL;
    struct dbg_value b;
    bool is;
    switch (n->op) {
    case E_CONST:
    case E_VAR: *v = n->value; return NULL;
    case E_HISTORY: return history(x, n, v);
    case E_NAMED: {
        const struct dbg_value *known = named(n->name, false);
        *v = known ? *known : (struct dbg_value){.type = dbg_type_named("void", 4)};
        return NULL;
    }
    case E_SIZEOF_TYPE: *v = dbg_value_int(dbg_type_named("ulong", 5), n->type->size); return NULL;
    case E_CALL: return call(x, n, v);
    case E_LITERAL: return literal(x, n, v);
    case E_ASSIGN: return assign(x, n, v);
    case E_INDEX: return index_of(x, n, v);
    case E_PREINC:
    case E_PREDEC:
    case E_POSTINC:
    case E_POSTDEC: return step_by_one(x, n, v);
    default: break;
    }
    e = eval(x, n->a, v);
    if (e) return e;
    switch (n->op) {
    case E_SIZEOF: *v = dbg_value_int(dbg_type_named("ulong", 5), v->type->size); return NULL;
    case E_MEMBER: return member(x, n, v);
    case E_ARROW:
        e = dereference(x, n, v);
        return e ? e : member(x, n, v);
    case E_DEREF: return dereference(x, n, v);
    case E_ADDR: {
        if (!v->in_memory || v->ncomp || v->bits) return BAD(x, n, "Attempt to take address of value not located in memory.");
        const uint64_t p = v->address;
        *v = (struct dbg_value){.type = dbg_type_pointer(v->type, x->a)};
        memcpy(v->bytes, &p, 8);
        return NULL;
    }
    case E_CAST: return convert(x, n, n->type, v);
    case E_NEG:
        b = dbg_value_int(dbg_type_named("int", 3), 0);
        e = load(x, n, v);
        if (e) return e;
        if (dbg_strip(v->type)->kind == BC_T_FLOAT) { // -0.0
            const struct dbg_type *t = dbg_strip(v->type);
            dbg_put_number(t, v->bytes, 0, -dbg_as_float(t, v->bytes), true);
            return NULL;
        }
        e = arithmetic(x, n, E_SUB, &b, v);
        *v = b;
        return e;
    case E_PLUS:
        b = dbg_value_int(dbg_type_named("int", 3), 0);
        return arithmetic(x, n, E_ADD, v, &b);
    case E_NOT:
        b = dbg_value_int(dbg_type_named("int", 3), (uint64_t)-1);
        return arithmetic(x, n, E_XOR, v, &b);
    case E_LNOT:
        e = place_error(x, n, dbg_value_true(x->g, v, &is));
        if (!e) *v = dbg_value_int(dbg_type_named("int", 3), !is);
        return e;
    case E_LAND:
    case E_LOR:
        e = place_error(x, n, dbg_value_true(x->g, v, &is));
        if (!e && is == (n->op == E_LAND)) {
            e = eval(x, n->b, &b);
            if (!e) e = place_error(x, n, dbg_value_true(x->g, &b, &is));
        }
        if (!e) *v = dbg_value_int(dbg_type_named("int", 3), is);
        return e;
    case E_COND:
        e = place_error(x, n, dbg_value_true(x->g, v, &is));
        return e ? e : eval(x, is ? n->b : n->c, v);
    case E_COMMA: return eval(x, n->b, v);
    case E_AT: {
        e = eval(x, n->b, &b);
        if (!e) e = load(x, n, &b);
        if (e) return e;
        const int64_t k = dbg_is_integer(b.type) ? dbg_as_int(b.type, b.bytes) : 0;
        if (!v->in_memory) return BAD(x, n, "Only values in memory can be extended with '@'.");
        if (k <= 0 || k > 1 << 20) return BAD(x, n, "Invalid number %lld of repetitions.", (long long)k);
        v->type = dbg_type_array(v->type, (uint64_t)k, x->a);
        return NULL;
    }
    default:
        e = eval(x, n->b, &b);
        return e ? e : arithmetic(x, n, n->op, v, &b);
    }
}

struct err *dbg_expr_eval(struct dbg_expr *e, struct vm_gang *g, struct arena *a, struct dbg_value *out)
{
    struct eval x = {e, g, a};
    if (e->root->op == E_SIZEOF_TYPE && e->root->name) { // a type alone
        *out = (struct dbg_value){.type = e->root->type};
        return NULL;
    }
    return eval(&x, e->root, out);
}

struct err *dbg_eval(const char *text, struct arena *a, struct dbg_value *out)
{
    struct dbg_expr *x;
    struct vm_gang *g = dbg.state == DBG_STOPPED ? dbg_gang(dbg.focus) : NULL;
    struct dbg_frame f[DBG_MAX_FRAMES];
    const unsigned n = g ? dbg_frames(g, f) : 0;
    struct err *e = dbg.frame < n ? dbg_expr_parse(text, g->code->module, f[dbg.frame].fn, f[dbg.frame].loc, &x)
                    : g           ? dbg_expr_parse(text, g->code->module, g->code->fns[0].bc, 0, &x)
                                  : dbg_expr_parse(text, NULL, NULL, 0, &x);
    if (e) return e;
    e = dbg_expr_eval(x, g, a, out);
    // types that the expression made live with it
    if (!e) vec_push(&dbg.kept, x);
    else dbg_expr_free(x);
    return e;
}

struct err *dbg_assign(struct vm_gang *g, const struct dbg_value *to, struct dbg_value *v)
{
    struct arena a = {0};
    struct dbg_expr none = {.text = ""};
    struct node at = {.op = E_ASSIGN};
    struct eval x = {&none, g, &a};
    struct err *e = to->in_memory ? convert(&x, &at, to->type, v) : err_new("It is not in memory.");
    if (!e) e = dbg_value_store(g, to, v->big ? v->big : v->bytes);
    if (!e) dbg_changed_by_hand(g, to);
    arena_deinit(&a);
    return e;
}
