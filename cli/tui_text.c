// SPDX-License-Identifier: MIT
// Texts of the text user interface: from UTF-8 with colors to cells of the screen, and the lines
// of the command window. Nothing that the app writes reaches the terminal except as such a cell.
#include "cli/tui_text.h"

#include "base/str.h"

enum { MAX_LINES = 5000, MAX_LINE = 100000, TAB = 8 };
struct tui_log tui_log;

// ---- cells
struct style {
    unsigned style;
    signed char color;
};

/** Applies a color sequence, from after "\033[" to its m. */
static void apply_color(struct style *s, const char *p, const char *end)
{
    while (p <= end) {
        char *next;
        const long k = strtol(p, &next, 10);
        if (k == 0) *s = (struct style){.color = -1};
        else if (k == 1) s->style |= TUI_BOLD;
        else if (k == 2) s->style |= TUI_DIM;
        else if (k == 4) s->style |= TUI_UNDERLINE;
        else if (k == 7) s->style |= TUI_REVERSE;
        else if (k == 22) s->style &= ~(unsigned)(TUI_BOLD | TUI_DIM);
        else if (k == 24) s->style &= ~(unsigned)TUI_UNDERLINE;
        else if (k == 27) s->style &= ~(unsigned)TUI_REVERSE;
        else if (k >= 30 && k <= 37) s->color = (signed char)(k - 30);
        else if (k == 39) s->color = -1;
        else if (k >= 90 && k <= 97) s->color = (signed char)(k - 90);
        p = (next > p ? next : p) + 1;
    }
}

/** The character at p and its length; -1: it is not UTF-8. */
static wchar_t character_at(const char *p, size_t n, size_t *length)
{
    const unsigned char c = (unsigned char)*p;
    const size_t more = c < 0x80 ? 0 : c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : c >= 0xc2 ? 1 : 0;
    unsigned long x = more == 3 ? c & 7 : more == 2 ? c & 15 : more == 1 ? c & 31 : c;
    *length = 1;
    if ((c >= 0x80 && !more) || more >= n) return c < 0x80 ? c : -1;
    for (size_t i = 1; i <= more; i++) {
        if (((unsigned char)p[i] & 0xc0) != 0x80) return -1;
        x = x << 6 | ((unsigned char)p[i] & 0x3f);
    }
    *length = more + 1;
    return (wchar_t)x;
}

static size_t columns_of(const struct tui_cells *c, size_t from)
{
    size_t columns = 0;
    for (size_t i = from; i < c->list.len; i++) columns += c->list.data[i].width;
    return columns;
}

void tui_decode(struct tui_cells *to, const char *text, size_t n)
{
    const size_t first = to->list.len;
    struct style s = {.color = -1};
    if (n > MAX_LINE) n = MAX_LINE;
    for (size_t i = 0, length; i < n; i += length) {
        if (text[i] == '\033' && i + 1 < n && text[i + 1] == '[') {
            const size_t end = i + 2 + strspn(text + i + 2, "0123456789;");
            length = (end < n ? end + 1 : n) - i;
            if (end < n && text[end] == 'm') apply_color(&s, text + i + 2, text + end - 1);
            continue;
        }
        wchar_t c = character_at(text + i, n - i, &length);
        size_t repeat = 1;
        if (c == '\t') c = L' ', repeat = TAB - columns_of(to, first) % TAB;
        if (c == -1 || (c >= 0x80 && MB_CUR_MAX == 1)) c = L'?';
        int width = wcwidth(c);
        if (!width && c) continue; // it combines with the character before
        if (width < 1) c = L'?', width = 1;
        while (repeat--)
            vec_push(&to->list, ((struct tui_cell){c, s.style, s.color, (unsigned char)width}));
    }
}

// ---- the log
static struct {
    struct str line;     // not complete
    struct str sequence; // an escape sequence that is not complete
    bool returned;       // a carriage return was the last
} in;

const char *tui_log_open_line(void) { return str_text(&in.line); }

static void end_line(void)
{
    if (tui_log.lines.len == MAX_LINES) {
        free(tui_log.lines.data[0]);
        memmove(tui_log.lines.data, tui_log.lines.data + 1, (MAX_LINES - 1) * sizeof(char *));
        tui_log.lines.len--;
    }
    str_put(&in.line, "");
    vec_push(&tui_log.lines, in.line.data ? str_take(&in.line) : mem_strdup(""));
    tui_log.total++;
}

/** A byte of an escape sequence: only colors are kept. */
static void put_sequence(char c)
{
    const char kind = in.sequence.len > 1 ? in.sequence.data[1] : c;
    enum { LONGEST = 200 };
    str_put_char(&in.sequence, c);
    bool ends;
    if (kind == '[') ends = in.sequence.len > 2 && c >= 0x40 && c <= 0x7e;
    else if (kind == ']') ends = c == '\a' || c == '\\'; // a title, up to BEL or ST
    else ends = c >= 0x30 && in.sequence.len > 1;
    if (!ends && in.sequence.len < LONGEST) return;
    if (kind == '[' && c == 'm') str_put(&in.line, str_text(&in.sequence));
    str_clear(&in.sequence);
}

void tui_log_put(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char c = text[i];
        if (in.sequence.len) {
            put_sequence(c);
            continue;
        }
        if (in.returned && c != '\n' && c != '\r') str_clear(&in.line);
        in.returned = c == '\r';
        if (c == '\n') end_line();
        else if (c == '\033') str_put_char(&in.sequence, c);
        else if (c == '\b' && in.line.len) in.line.data[--in.line.len] = 0;
        else if ((unsigned char)c >= ' ' || c == '\t') str_put_char(&in.line, c);
        if (in.line.len >= MAX_LINE) end_line();
    }
}
