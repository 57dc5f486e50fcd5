// SPDX-License-Identifier: MIT
// Source lines on a terminal: the width of each character, characters that must be escaped, and the
// visible part of a long line. The log of a CI service is a terminal, too: its commands, `##[name]`
// and `##vso[name]` anywhere and `::name::` at the start of a line, lose their first character.
#include "report/excerpt.h"

#include "base/vec.h"

#include <string.h>

enum {
    TAB = 8,
    WIDTH = 100,
    LEAD = 20
}; // columns; LEAD: columns to the left of the point in a
   // window

/** A character: bytes [at, at + bytes) of the line, `width` columns wide. */
struct cell {
    size_t at;
    unsigned bytes, width, column;
    bool plain; // shown unchanged
};

unsigned rep_decode(const char *s, size_t len, uint32_t *code)
{
    unsigned char c = (unsigned char)s[0];
    unsigned n = c < 0x80 ? 1 : c < 0xc2 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 0;
    if (!n || n > len) return 0;
    uint32_t x = n == 1 ? c : c & (0xff >> (n + 1));
    for (unsigned i = 1; i < n; i++) {
        if (((unsigned char)s[i] & 0xc0) != 0x80) return 0;
        x = x << 6 | ((unsigned char)s[i] & 0x3f);
    }
    bool overlong = (n == 3 && x < 0x800) || (n == 4 && x < 0x10000);
    if (overlong || (x >= 0xd800 && x < 0xe000) || x > 0x10ffff) return 0;
    *code = x;
    return n;
}

struct span {
    uint32_t from, to;
};
static bool is_in(uint32_t c, const struct span *spans, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (c >= spans[i].from && c <= spans[i].to) return true;
    return false;
}
#define IS_IN(c, spans) is_in(c, spans, sizeof spans / sizeof *spans)

static const struct span combining[] = {{0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},
                                        {0x610, 0x61a},   {0x64b, 0x65f},   {0x1ab0, 0x1aff},
                                        {0x1dc0, 0x1dff}, {0x200b, 0x200d}, {0x20d0, 0x20ff},
                                        {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}};
static const struct span wide[] = {
    {0x1100, 0x115f}, {0x2e80, 0x303e},   {0x3041, 0x33ff},   {0x3400, 0x4dbf},  {0x4e00, 0x9fff},
    {0xa000, 0xa4cf}, {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe30, 0xfe6f},  {0xff00, 0xff60},
    {0xffe0, 0xffe6}, {0x1f300, 0x1f64f}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};
// Control characters, and characters that change the direction of text, which can hide the meaning
// of a line.
static const struct span unsafe[] = {{0, 0x1f},        {0x7f, 0x9f},     {0x200e, 0x200f},
                                     {0x2028, 0x202e}, {0x2066, 0x2069}, {0xfeff, 0xfeff},
                                     {0xfffe, 0xffff}};

/** A command of Azure Pipelines, or an old one of GitHub. */
static bool is_command(const char *s, size_t len)
{
    return (len > 2 && !memcmp(s, "##[", 3)) || (len > 5 && !memcmp(s, "##vso[", 6));
}

static struct cell cell_at(const char *line, size_t len, size_t at, unsigned column)
{
    uint32_t c;
    struct cell cell = {.at = at, .column = column};
    cell.bytes = rep_decode(line + at, len - at, &c);
    if (!cell.bytes) {
        cell.bytes = 1;
        cell.width = 4; // <e4>
    } else if (c == '\t') {
        cell.width = TAB - column % TAB;
    } else if (IS_IN(c, unsafe)) {
        cell.width = cell.bytes == 1 ? 4 : 8; // <1b>, <U+202e>
    } else if (c == '#' && is_command(line + at, len - at)) {
        cell.width = 4; // <23>
    } else {
        cell.plain = true;
        cell.width = IS_IN(c, combining) ? 0 : IS_IN(c, wide) ? 2 : 1;
    }
    return cell;
}

static void put_cell(struct str *s, const char *line, const struct cell *c)
{
    uint32_t code;
    if (c->plain) str_put_n(s, line + c->at, c->bytes);
    else if (line[c->at] == '\t') str_printf(s, "%*s", (int)c->width, "");
    else if (c->bytes == 1) str_printf(s, "<%02x>", (unsigned char)line[c->at]);
    else if (rep_decode(line + c->at, c->bytes, &code)) str_printf(s, "<U+%04x>", code);
}

static void put_safe(struct str *s, const char *text, size_t len, bool keeps_lines)
{
    bool begins = true; // nothing but blanks in the line so far
    for (size_t at = 0; at < len;) {
        struct cell c = cell_at(text, len, at, 0);
        if (begins && len - at > 1 && !memcmp(text + at, "::", 2)) c.plain = false;
        if (text[at] == '\t' || text[at] == '\n') str_put_char(s, keeps_lines ? text[at] : ' ');
        else put_cell(s, text, &c);
        const bool is_end = keeps_lines && text[at] == '\n', blank = strchr(" \t\n", text[at]);
        begins = is_end || (begins && blank);
        at += c.bytes;
    }
}

void rep_put_safe(struct str *s, const char *text) { put_safe(s, text, strlen(text), false); }

void rep_put_safe_lines(struct str *s, const char *text, size_t len)
{
    put_safe(s, text, len, true);
}

static void put_marks(struct str *marks, unsigned width, size_t byte, const struct rep_range *r)
{
    for (unsigned i = 0; i < width; i++) {
        bool in = byte >= r->from && byte < r->to;
        str_put_char(marks, byte == r->caret && !i ? '^' : in ? '~' : ' ');
    }
}

void rep_excerpt(const char *line, size_t len, const struct rep_range *r, struct str *shown,
                 struct str *marks)
{
    VEC(struct cell) cells = {0};
    while (len && (line[len - 1] == ' ' || line[len - 1] == '\t') && len > r->to) len--;
    unsigned column = 0, from = 0, caret = 0, to = 0;
    for (size_t at = 0; at < len;) {
        struct cell c = cell_at(line, len, at, column);
        vec_push(&cells, c);
        if (at <= r->from) from = column;
        if (at <= r->caret) caret = column;
        column += c.width;
        at += c.bytes;
        if (at <= r->to) to = column;
    }
    // The window: the whole line, or a part with the range, or at least with its point.
    unsigned first = 0, last = column;
    if (column > WIDTH) {
        unsigned left = to - from < WIDTH - 2 * LEAD ? from : caret;
        first = left > WIDTH - 2 * LEAD ? left - LEAD : 0;
        if (column - first < WIDTH) first = column - WIDTH;
        last = first + WIDTH;
    }
    if (first) {
        str_put(shown, "...");
        str_put(marks, "   ");
    }
    for (size_t i = 0; i < cells.len; i++) {
        struct cell *c = &cells.data[i];
        if (c->column < first || c->column + c->width > last) continue;
        put_cell(shown, line, c);
        put_marks(marks, c->width, c->at, r);
    }
    if (last < column) str_put(shown, "...");
    if (r->caret >= len) str_put_char(marks, '^');
    while (marks->len && marks->data[marks->len - 1] == ' ') marks->data[--marks->len] = 0;
    vec_free(&cells);
}
