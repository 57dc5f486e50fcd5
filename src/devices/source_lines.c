// SPDX-License-Identifier: MIT
// Compares a program with a file line by line. The longest line of the program that occurs in the
// file determines the offset between the two; then every line of the program must be a part of the
// corresponding line of the file. Up to a quarter of the text may differ, for text that a template
// fills in, or escapes in C literals (\" and \\).
#include "devices/source_lines.h"

#include <string.h>

enum {
    MIN_TEXT = 24,  // bytes that must match; shorter texts occur by chance
    MIN_LINE = 4,   // minimum bytes of the anchor line
    MAX_TRIES = 32, // occurrences of one line in a file
    MAX_LINES = 64, // lines that are searched in a file
};

struct line {
    size_t at, len; // without the blanks at both ends
    size_t blanks;  // before it
    size_t begin;
};
struct lines {
    VEC(struct line) all;
};

static bool is_blank(char c) { return (unsigned char)c <= ' '; }

static void split(const char *text, size_t len, struct lines *out)
{
    for (size_t at = 0; at <= len;) {
        const char *eol = memchr(text + at, '\n', len - at);
        const size_t next = eol ? (size_t)(eol - text) : len;
        size_t from = at, to = next;
        while (from < to && is_blank(text[from])) from++;
        while (to > from && is_blank(text[to - 1])) to--;
        vec_push(&out->all,
                 ((struct line){.at = from, .len = to - from, .blanks = from - at, .begin = at}));
        at = next + 1;
    }
}

static const struct line *longest(const struct lines *l, const char *text, const char *file,
                                  size_t n, const char **found)
{
    const struct line *best = NULL;
    for (size_t i = 0, tries = 0; i < l->all.len && tries < MAX_LINES; i++) {
        const struct line *x = &l->all.data[i];
        if (x->len < MIN_LINE || (best && x->len <= best->len)) continue;
        const char *at = memmem(file, n, text + x->at, x->len);
        if (at) best = x, *found = at;
        tries++;
    }
    return best;
}

/**
 * The number of equal bytes of two lines that differ in the middle, like a line of a template and
 * its expansion; 0: few.
 */
static size_t alike(const char *x, size_t nx, const char *y, size_t ny)
{
    size_t front = 0, back = 0;
    while (front < nx && front < ny && x[front] == y[front]) front++;
    while (back < nx - front && back < ny - front && x[nx - 1 - back] == y[ny - 1 - back]) back++;
    return front && back && (front + back) * 2 > (nx > ny ? nx : ny) ? front + back : 0;
}

/**
 * The number of bytes of the program that match the file's lines; `first`: the file's line for the
 * program's first one.
 */
static size_t score_of(const struct lines *l, const char *text, const struct lines *f,
                       const char *file, ptrdiff_t first)
{
    size_t score = 0;
    for (size_t i = 0; i < l->all.len; i++) {
        const struct line *x = &l->all.data[i];
        const ptrdiff_t k = first + (ptrdiff_t)i;
        if (!x->len) continue;
        if (k < 0 || k >= (ptrdiff_t)f->all.len) return 0;
        const struct line *y = &f->all.data[k];
        score += memmem(file + y->at, y->len, text + x->at, x->len)
                     ? x->len
                     : alike(text + x->at, x->len, file + y->at, y->len);
    }
    return score;
}

static void mark(const struct lines *l, const char *text, const struct lines *f, const char *file,
                 ptrdiff_t first, struct source_lines *out)
{
    vec_clear(&out->marks);
    for (size_t i = 0, indent = 0; i < l->all.len; i++) {
        const struct line *x = &l->all.data[i], *last = i ? x - 1 : NULL;
        if (!x->len) continue;
        const struct line *y = &f->all.data[first + (ptrdiff_t)i];
        const char *at = memmem(file + y->at, y->len, text + x->at, x->len);
        const size_t column = at ? (size_t)(at - file) - y->begin : 0;
        if (at)
            indent = column > x->blanks ? column - x->blanks : 0; // otherwise like the line
                                                                  // before
        const bool goes_on = last && last->len && text[last->at + last->len - 1] == '\\';
        if (!out->marks.len)
            vec_push(&out->marks,
                     ((struct source_line){x->begin, (unsigned)(first + (ptrdiff_t)i) + 1,
                                           (unsigned)indent}));
        else if (indent && !goes_on)
            vec_push(&out->marks, ((struct source_line){x->begin, 0, (unsigned)indent}));
    }
}

static size_t weight(const struct lines *l)
{
    size_t total = 0;
    for (size_t i = 0; i < l->all.len; i++) total += l->all.data[i].len;
    return total;
}

size_t source_lines_weight(const char *text, size_t len)
{
    struct lines l = {0};
    split(text, len, &l);
    const size_t total = weight(&l);
    vec_free(&l.all);
    return total;
}

bool source_lines_match(const char *program, size_t len, const char *file, size_t n,
                        struct source_lines *out)
{
    struct lines p = {0}, f = {0};
    size_t best = 0;
    ptrdiff_t best_first = 0;
    split(program, len, &p);
    const size_t total = weight(&p);
    const char *found = NULL;
    const struct line *anchor = total >= MIN_TEXT ? longest(&p, program, file, n, &found) : NULL;
    if (anchor) {
        split(file, n, &f);
        size_t k = 0;
        for (unsigned tries = 0; found && tries < MAX_TRIES; tries++) {
            while (k + 1 < f.all.len && f.all.data[k + 1].begin <= (size_t)(found - file)) k++;
            const ptrdiff_t first = (ptrdiff_t)k - (anchor - p.all.data);
            const size_t score = score_of(&p, program, &f, file, first);
            if (score > best) best = score, best_first = first;
            found = memmem(found + 1, n - (size_t)(found + 1 - file), program + anchor->at,
                           anchor->len);
        }
    }
    const bool better = best * 4 >= total * 3 && best >= MIN_TEXT && best > out->score;
    if (better) {
        mark(&p, program, &f, file, best_first, out);
        out->score = best;
    }
    vec_free(&p.all);
    vec_free(&f.all);
    return better && out->marks.len;
}

void source_lines_deinit(struct source_lines *s) { vec_free(&s->marks); }
