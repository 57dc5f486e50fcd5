// SPDX-License-Identifier: MIT
// From a point to an operand. Clang's debug information gives one column for an access:
//
//   read of `a[i]`      the `a`          write `a[i] = x`, `a[i] += x`   the operator
//   `p[i].x`, `p->x`    the `x`          `*p`                            the `*`
//   `p->a[i]`           the `p`          `p[i].a[j].x`                   the `x`
//   `a[i]++`, `++a[i]`  the operator     `f(x)`, `barrier(…)`            the `f`
//   `a / b`             the operator     a branch                        `if`, `for`, or in its
//                                        condition
//
// The rules below reconstruct the expression around that point from this line alone. If an end is
// ambiguous (a bracket without a match on the line, a `*` that may be a product), only the token is
// marked.
#include "report/excerpt.h"

#include "base/vec.h"

#include <ctype.h>

enum { NONE = -1 };

struct token {
    size_t from, to;
    char first; // its first character; 'a' for names, '0' for numbers, '"' for texts
};

struct line {
    const char *text;
    VEC(struct token) tokens;
};

static size_t operator_length(const char *s, size_t len)
{
    static const char *const long_ones[] = {
        "<<=", ">>=", "->", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=",
        "|=",  "^=",  "==", "!=", "<=", ">=", "&&", "||", "<<", ">>"};
    for (size_t i = 0; i < sizeof long_ones / sizeof *long_ones; i++) {
        size_t n = strlen(long_ones[i]);
        if (n <= len && !memcmp(s, long_ones[i], n)) return n;
    }
    return 1;
}

static size_t quoted_length(const char *s, size_t len)
{
    size_t n = 1;
    while (n < len && s[n] != s[0]) n += s[n] == '\\' ? 2 : 1;
    return n + 1 > len ? len : n + 1;
}

static void tokenise(struct line *l, size_t from, size_t len)
{
    for (size_t i = from; i < len;) {
        const char *s = l->text + i;
        size_t n = 1, left = len - i;
        char first = s[0];
        if (isspace((unsigned char)*s) || *s == '\\') {
            i++;
            continue;
        }
        if (left > 1 && s[0] == '/' && s[1] == '/') return;
        if (left > 1 && s[0] == '/' && s[1] == '*') {
            for (n = 2; n < left && !(n > 3 && s[n - 2] == '*' && s[n - 1] == '/');) n++;
            i += n;
            continue;
        }
        if (rep_is_name_char(*s) || (*s == '.' && left > 1 && isdigit((unsigned char)s[1]))) {
            bool number = !isalpha((unsigned char)*s) && *s != '_';
            first = number ? '0' : 'a';
            while (n < left && (rep_is_name_char(s[n]) ||
                                (number && (s[n] == '.' || ((s[n] == '+' || s[n] == '-') &&
                                                            strchr("eEpP", s[n - 1]))))))
                n++;
        } else if (*s == '"' || *s == '\'') {
            first = '"';
            n = quoted_length(s, left);
        } else {
            n = operator_length(s, left);
        }
        vec_push(&l->tokens, (struct token){i, i + n, first});
        i += n;
    }
}

static bool is(const struct line *l, int t, const char *text)
{
    if (t < 0 || t >= (int)l->tokens.len) return false;
    struct token *k = &l->tokens.data[t];
    return k->to - k->from == strlen(text) && !memcmp(l->text + k->from, text, k->to - k->from);
}

static char first(const struct line *l, int t)
{
    return t < 0 || t >= (int)l->tokens.len ? 0 : l->tokens.data[t].first;
}

static bool is_one_of(const struct line *l, int t, const char *const *words)
{
    for (; *words; words++)
        if (is(l, t, *words)) return true;
    return false;
}

static bool is_control(const struct line *l, int t)
{
    return is_one_of(l, t, (const char *const[]){"if", "for", "while", "switch", NULL});
}

static bool is_keyword(const struct line *l, int t)
{
    return is_control(l, t) ||
           is_one_of(l, t,
                     (const char *const[]){"return", "do", "else", "case", "sizeof", "goto",
                                           "break", "continue", "default", NULL});
}

/** The bracket that closes (step 1) or opens (step -1) the one at t. */
static int match(const struct line *l, int t, int step)
{
    int depth = 0;
    for (; first(l, t); t += step) {
        char c = first(l, t);
        if (strchr("([{", c)) depth += step;
        if (strchr(")]}", c)) depth -= step;
        if (!depth) return t;
    }
    return NONE;
}

/**
 * Is the group from its `(` a cast? Certain only with a known type name, or with a `*` at its end.
 */
static bool is_cast(const struct line *l, int open, int close)
{
    static const char *const types[] = {"char",   "uchar",  "short",    "ushort", "int",  "uint",
                                        "long",   "ulong",  "float",    "double", "half", "bool",
                                        "size_t", "struct", "unsigned", "void",   NULL};
    if (close - open > 1 && is(l, close - 1, "*")) return true;
    for (int t = open + 1; t < close; t++) {
        if (first(l, t) != 'a') return false;
        struct token k = l->tokens.data[t];
        while (k.to > k.from && isdigit((unsigned char)l->text[k.to - 1])) k.to--; // float4
        for (int i = 0; types[i]; i++)
            if (strlen(types[i]) == k.to - k.from &&
                !memcmp(types[i], l->text + k.from, k.to - k.from))
                return true;
    }
    return false;
}

/** Does an operand end with t, so that an operator after it is binary? */
static bool ends_operand(const struct line *l, int t)
{
    switch (first(l, t)) {
    case 'a': return !is_keyword(l, t);
    case '0':
    case '"':
    case ']': return true;
    case ')': {
        int open = match(l, t, -1);
        return open == NONE || (!is_control(l, open - 1) && !is_cast(l, open, t));
    }
    default: return is(l, t, "++") || is(l, t, "--");
    }
}

/** The first token of the expression, name with subscripts, calls and members, that ends with t. */
static int postfix_start(const struct line *l, int t)
{
    for (;;) {
        if (first(l, t) == ']' || first(l, t) == ')') {
            int open = match(l, t, -1);
            if (open == NONE) return NONE;
            bool is_suffix = ends_operand(l, open - 1) && !is_keyword(l, open - 1);
            if (!is_suffix) return first(l, t) == ')' ? open : NONE;
            t = open - 1;
        } else if (first(l, t) != 'a') {
            return NONE;
        } else if (is(l, t - 1, ".") || is(l, t - 1, "->")) {
            t -= 2;
        } else {
            return t;
        }
    }
}

/** The same with the `*` in front of it. */
static int unary_start(const struct line *l, int t)
{
    t = postfix_start(l, t);
    while (t > 0 && is(l, t - 1, "*") && !ends_operand(l, t - 2)) t--;
    return t;
}

/**
 * The last token of the subscripts, argument lists and members after t; `bracket`: of the last
 * bracket.
 */
static int suffix_end(const struct line *l, int t, bool bracket)
{
    for (int end = t;;) {
        if (is(l, t + 1, "[") || is(l, t + 1, "(")) {
            end = t = match(l, t + 1, 1);
            if (t == NONE) return NONE;
        } else if ((is(l, t + 1, ".") || is(l, t + 1, "->")) && first(l, t + 2) == 'a') {
            t += 2;
        } else {
            return bracket ? end : t;
        }
    }
}

/** The last token of the operand, with its prefix operators and casts, that begins with t. */
static int unary_end(const struct line *l, int t)
{
    for (;;) {
        char c = first(l, t);
        if (c == 'a' || c == '0') return suffix_end(l, t, false);
        if (c == '(') {
            int close = match(l, t, 1);
            if (close == NONE) return NONE;
            if (!is_cast(l, t, close)) return suffix_end(l, close, false);
            t = close + 1;
        } else if (c && strchr("*&-+!~", c)) {
            t++;
        } else {
            return NONE;
        }
    }
}

static bool is_assignment(const struct line *l, int t)
{
    struct token *k = &l->tokens.data[t];
    return l->text[k->to - 1] == '=' &&
           !is_one_of(l, t, (const char *const[]){"==", "!=", "<=", ">=", NULL});
}

/** The tokens [*from, *to] around token t; NONE: this end is not known. */
static void around(const struct line *l, int t, int *from, int *to)
{
    *from = *to = t;
    if (is_control(l, t)) {
        if (is(l, t + 1, "(")) *to = match(l, t + 1, 1);
    } else if (first(l, t) == 'a' && !is_keyword(l, t)) {
        if (is(l, t - 1, ".") || is(l, t - 1, "->")) *from = postfix_start(l, t);
        *to = suffix_end(l, t, true);
    } else if (first(l, t) == '(') {
        *to = match(l, t, 1);
        if (*to != NONE) *to = suffix_end(l, *to, true);
    } else if (is(l, t, "++") || is(l, t, "--")) {
        if (ends_operand(l, t - 1)) *from = postfix_start(l, t - 1);
        else *to = unary_end(l, t + 1);
    } else if (is_assignment(l, t)) {
        *from = unary_start(l, t - 1);
    } else if (is(l, t, "/") || is(l, t, "%") || (is(l, t, "*") && !ends_operand(l, t - 1))) {
        *to = unary_end(l, t + 1);
    }
}

struct rep_range rep_operand_range(const char *line, size_t len, uint32_t col)
{
    size_t at = col && col - 1 < len ? col - 1 : len;
    struct rep_range r = {at, at, at < len ? at + 1 : at};
    struct line l = {.text = line};
    tokenise(&l, 0, len);
    for (size_t i = 0; i < l.tokens.len; i++) {
        const struct token k = l.tokens.data[i];
        if (k.first != '"' || at <= k.from || at + 1 >= k.to) continue;
        vec_clear(&l.tokens); // a line of the program within a literal of the host
        tokenise(&l, k.from + 1, k.to - 1);
        break;
    }
    int t = 0;
    while (t < (int)l.tokens.len && l.tokens.data[t].from != at) t++;
    if (t < (int)l.tokens.len) {
        int from, to;
        around(&l, t, &from, &to);
        bool known = from != NONE && to != NONE;
        r.from = l.tokens.data[known ? from : t].from;
        r.to = l.tokens.data[known ? to : t].to;
    }
    vec_free(&l.tokens);
    return r;
}
