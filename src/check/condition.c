// SPDX-License-Identifier: MIT
// The source text of a condition, found from its location in the debug information, which is a
// token of the condition (usually its operator) or the keyword of the statement. The text is the
// expression around that token, within the line.
#include "check/place.h"
#include "report/excerpt.h"

#include "base/io.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *line_of_text(const char *text, uint32_t first, uint32_t line, size_t *len)
{
    for (; first < line; first++, text++)
        if (!(text = strchr(text, '\n'))) return NULL;
    *len = strcspn(text, "\n");
    return text;
}

static const char *line_of_file(const char *path, uint32_t line, struct arena *a, size_t *len)
{
    struct str text = {0};
    const char *found = NULL;
    if (path && io_read_file(path, &text)) {
        const char *at = str_text(&text);
        for (uint32_t k = 1; k < line && at; k++)
            if ((at = strchr(at, '\n'))) at++;
        if (at) {
            *len = strcspn(at, "\n");
            found = arena_dup(a, at, *len + 1);
        }
    }
    str_deinit(&text);
    return found;
}

static bool opens(char c) { return c == '(' || c == '[' || c == '{'; }
static bool closes(char c) { return c == ')' || c == ']' || c == '}'; }

/**
 * Does an expression end at s[i]? Operands of && and || are separate conditions, unless the
 * operator is at the location itself (`joined`).
 */
static bool is_limit(const char *s, size_t len, size_t i, bool joined)
{
    const char c = s[i], next = i + 1 < len ? s[i + 1] : 0, last = i ? s[i - 1] : 0;
    if (c == ';' || c == ',' || c == '?' || (c == ':' && next != ':')) return true;
    if (c == '=' && next != '=' && !(last && strchr("=!<>", last)))
        return !(i > 1 && last == '<' && s[i - 2] == '<');
    if ((c == '&' && (next == '&' || last == '&')) || (c == '|' && (next == '|' || last == '|')))
        return !joined;
    return false;
}

static size_t leftmost(const char *s, size_t len, size_t at, bool joined)
{
    int depth = 0;
    for (size_t i = at; i > 0; i--) {
        const char c = s[i - 1];
        if (closes(c)) depth++;
        if (opens(c) && depth-- == 0) return i;
        if (!depth && is_limit(s, len, i - 1, joined)) return i;
    }
    return 0;
}

static size_t rightmost(const char *s, size_t len, size_t at, bool joined)
{
    int depth = 0;
    for (size_t i = at; i < len; i++) {
        const char c = s[i];
        if (opens(c)) depth++;
        if (closes(c) && depth-- == 0) return i;
        if (!depth && is_limit(s, len, i, joined)) return i;
    }
    return len;
}

/**
 * The beginning of the condition of a statement with its keyword at s[at], or with the brace before
 * the `while` of a `do` there.
 */
static size_t behind_keyword(const char *s, size_t len, size_t at)
{
    static const char *const words[] = {"if", "while", "switch", "for"};
    if (s[at] == '}') do
            at++;
        while (at < len && s[at] == ' ');
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        const size_t n = strlen(words[k]);
        if (at + n >= len || memcmp(s + at, words[k], n) || isalnum((unsigned char)s[at + n]) ||
            s[at + n] == '_')
            continue;
        size_t i = at + n;
        while (i < len && s[i] == ' ') i++;
        if (i == len || s[i] != '(') return len;
        if (*words[k] != 'f') return i + 1;
        while (i < len && s[i] != ';') i++;
        return i < len ? i + 1 : len;
    }
    return at;
}

/**
 * The comparison operator at s[i], the location of a comparison in debug information; "": not a
 * comparison.
 */
static void operator_at(const char *s, size_t len, size_t i, char op[3])
{
    static const char *const ops[] = {"<=", ">=", "==", "!=", "<", ">"};
    op[0] = 0;
    for (size_t k = 0; k < sizeof ops / sizeof *ops && !op[0]; k++) {
        const size_t n = strlen(ops[k]);
        if (i + n <= len && !memcmp(s + i, ops[k], n) &&
            (n == 2 || i + 1 == len || s[i + 1] != s[i]))
            strcpy(op, ops[k]);
    }
}

static const char *trimmed(const char *s, size_t from, size_t to, struct arena *a)
{
    while (from < to && isspace((unsigned char)s[from])) from++;
    while (to > from && isspace((unsigned char)s[to - 1])) to--;
    enum { LONGEST = 80 };
    return to > from && to - from <= LONGEST ? arena_printf(a, "%.*s", (int)(to - from), s + from)
                                             : NULL;
}

/** The source line of the location; NULL: not known, or too short. */
static const char *line_of(const struct rep_place *p, struct arena *a, size_t *len)
{
    if (!p->file || !p->line || !p->col) return NULL;
    const char *s = p->text ? line_of_text(p->text, p->text_first_line, p->line, len)
                            : line_of_file(p->path, p->line, a, len);
    return s && p->col <= *len ? s : NULL;
}

char chk_letter_at(const struct rep_place *p)
{
    struct arena arena = {0};
    size_t len = 0;
    const char *s = line_of(p, &arena, &len);
    const char c = s ? s[p->col - 1] : 0;
    arena_deinit(&arena);
    return c;
}

bool chk_line_has(const struct rep_place *p, const char *text, struct arena *a)
{
    size_t len = 0;
    const char *line = line_of(p, a, &len);
    return line && memmem(line, len, text, strlen(text));
}

struct chk_index chk_index(const struct rep_place *p, struct arena *a)
{
    struct chk_index x = {0};
    size_t len = 0, from = 0, to = 0;
    const char *s = line_of(p, a, &len);
    if (!s) return x;
    const struct rep_range r = rep_operand_range(s, len, p->col);
    int depth = 0;
    for (size_t i = r.from; i < r.to && i < len && (s[i] != '=' || depth || !to);
         i++) { // without the assigned value
        if (closes(s[i]) && --depth < 0) return x;
        if (s[i] == ']' && !depth) to = i + 1;
        const bool is_arrow = !depth && s[i] == '>' && i && s[i - 1] == '-';
        if (is_arrow || (s[i] == '[' && depth && !x.brackets) ||
            (s[i] == '[' && !depth && x.has_member))
            return x;
        x.has_member |= !depth && s[i] == '.';
        if (s[i] == '[' && !depth && !x.brackets++) from = i;
        if (opens(s[i])) depth++;
    }
    size_t name = r.from;
    while (name < r.to && (isalnum((unsigned char)s[name]) || s[name] == '_')) name++;
    x.base = trimmed(s, r.from, name, a);
    if (to > from)
        x.text = x.brackets > 1 ? trimmed(s, from, to, a) : trimmed(s, from + 1, to - 1, a);
    return x;
}

/** Could it be a vector component name? */
static bool is_swizzle(const char *name, size_t n)
{
    static const char *const halves[] = {"lo", "hi", "odd", "even"};
    for (size_t i = 0; i < sizeof halves / sizeof *halves; i++)
        if (strlen(halves[i]) == n && !memcmp(name, halves[i], n)) return true;
    if ((*name == 's' || *name == 'S') && n > 1 &&
        strspn(name + 1, "0123456789abcdefABCDEF") >= n - 1)
        return true;
    return strspn(name, "xyzw") >= n || strspn(name, "rgba") >= n;
}

const char *chk_member_text(const struct rep_place *p, struct arena *a)
{
    size_t len = 0, from = 0, to = 0;
    const char *s = line_of(p, a, &len);
    if (!s) return NULL;
    const struct rep_range r = rep_operand_range(s, len, p->col);
    int depth = 0;
    for (size_t i = r.from; i < r.to && i < len && (s[i] != '=' || depth); i++) {
        if (closes(s[i]) && --depth < 0) return NULL;
        if (opens(s[i])) depth++;
        if (depth || !(s[i] == '.' || (s[i] == '>' && i && s[i - 1] == '-'))) continue;
        for (from = to = i + 1; to < len && (isalnum((unsigned char)s[to]) || s[to] == '_');) to++;
    }
    return to > from && !isdigit((unsigned char)s[from]) && !is_swizzle(s + from, to - from)
               ? trimmed(s, from, to, a)
               : NULL;
}

// A pointer in a variable is handled elsewhere; here the pointer is in memory, at an address that
// one of the operators computes. So if the text has two operators, the last one is the access; with
// three it may be either, because the members in between may be arrays.
const char *chk_pointer_text(const struct rep_place *p, struct arena *a)
{
    size_t len = 0, last = 0, i;
    const char *s = line_of(p, a, &len);
    if (!s) return NULL;
    const struct rep_range r = rep_operand_range(s, len, p->col);
    int depth = 0;
    unsigned operators = 0;
    for (i = r.from; i < r.to && i < len && (s[i] != '=' || depth); i++) {
        if (closes(s[i]) && --depth < 0) return NULL;
        if (!depth && (s[i] == '[' || (s[i] == '>' && i && s[i - 1] == '-')))
            operators++, last = s[i] == '[' ? i : i - 1;
        if (opens(s[i])) depth++;
    }
    while (i > r.from && i < r.to && strchr("+-*/%&|^<> ", s[i - 1])) i--; // of `+=`
    if (s[r.from] == '*') return operators < 2 ? trimmed(s, r.from + 1, i, a) : NULL;
    return operators == 2 || (operators == 1 && memchr(s + r.from, '.', last - r.from))
               ? trimmed(s, r.from, last, a)
               : NULL;
}

struct chk_condition chk_condition(const struct chk_launch *l, struct arena *a, uint32_t loc)
{
    const struct rep_place p = chk_place(l, a, (struct chk_where){loc, NULL, 0});
    struct chk_condition c = {0};
    size_t len = 0;
    const char *s = line_of(&p, a, &len);
    if (!s) return c;
    const size_t point = behind_keyword(s, len, p.col - 1);
    if (point >= len) return c;
    const bool joined = point != p.col - 1 || (point + 1 < len && (!memcmp(s + point, "&&", 2) ||
                                                                   !memcmp(s + point, "||", 2)));
    // for `!x` the compiler tests x and swaps the branches
    const bool negated = point && s[point - 1] == '!' && s[point] != '=';
    const size_t from = negated ? point : leftmost(s, len, point, joined),
                 to = rightmost(s, len, point, joined);
    c.text = trimmed(s, from, to, a);
    operator_at(s, len, point, c.op);
    if (!*c.op) return c;
    c.left = trimmed(s, from, point, a);
    c.right = trimmed(s, point + strlen(c.op), to, a);
    return c;
}
