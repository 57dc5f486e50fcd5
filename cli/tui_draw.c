// SPDX-License-Identifier: MIT
// Drawing of the text user interface. Everything is drawn at each change; ncurses sends only what
// differs.
#include "cli/tui.h"
#include "cli/tui_text.h"

#include "base/str.h"

#define NCURSES_NOMACROS 1
#include <curses.h>

#include <readline/readline.h>
#include <stdlib.h>
#include <string.h>

static const char *text_of(const json_t *o, const char *key)
{
    const char *s = json_string_value(json_object_get(o, key));
    return s ? s : "";
}

static json_int_t number_of(const json_t *o, const char *key)
{
    return json_integer_value(json_object_get(o, key));
}

// ---- cells on the screen
static void draw_cell(int y, int x, const struct tui_cell *c, unsigned style)
{
    const unsigned s = c->style | style;
    const attr_t a = (s & TUI_BOLD ? A_BOLD : 0) | (s & TUI_DIM ? A_DIM : 0) |
                     (s & TUI_UNDERLINE ? A_UNDERLINE : 0) | (s & TUI_REVERSE ? A_REVERSE : 0);
    const wchar_t text[] = {c->c, 0};
    cchar_t out;
    setcchar(&out, text, a, tui.colors && c->color >= 0 ? (short)(c->color + 1) : 0, NULL);
    mvadd_wch(y, x, &out);
}

/** Draws cells from `first` on into w columns; the rest is filled if there is a style. */
static void draw_cells(struct tui_rect at, const struct tui_cells *c, size_t first, unsigned style)
{
    const struct tui_cell blank = {L' ', 0, -1, 1}, more = {L'>', TUI_BOLD, -1, 1};
    int x = 0;
    size_t i = first;
    for (; i < c->list.len && x + c->list.data[i].width <= at.w; x += c->list.data[i++].width)
        draw_cell(at.y, at.x + x, &c->list.data[i], style);
    if (i < c->list.len && at.w > 1) { // cut off
        if (x == at.w) x--;
        draw_cell(at.y, at.x + x++, &more, style);
    }
    for (; style && x < at.w; x++) draw_cell(at.y, at.x + x, &blank, style);
}

static void draw_text(struct tui_rect at, const char *text, size_t n, unsigned style)
{
    struct tui_cells c = {0};
    tui_decode(&c, text, n);
    draw_cells(at, &c, 0, style);
    vec_free(&c.list);
}

/** Draws a line with the title in the first row, and gives the rest of the window. */
static struct tui_rect draw_title(enum tui_window w, const char *title)
{
    struct tui_rect r = tui.at[w];
    struct str s = {0};
    if (w == TUI_SRC && r.h < 3) return r; // the source itself is worth more
    mvhline_set(r.y, r.x, WACS_HLINE, r.w);
    str_printf(&s, " %s ", title);
    if (r.w > 4) {
        struct tui_cells c = {0};
        tui_decode(&c, str_text(&s), s.len);
        draw_cells((struct tui_rect){r.y, r.x + 1, 1, r.w - 2}, &c, 0, 0);
        for (int i = 0; tui.focus == w && i < (int)c.list.len && i < r.w - 2; i++)
            draw_cell(r.y, r.x + 1 + i, &c.list.data[i], TUI_BOLD);
        vec_free(&c.list);
    }
    str_deinit(&s);
    r.y++;
    r.h--;
    return r;
}

// ---- source
void tui_show_line(int line)
{
    const int h = tui.at[TUI_SRC].h > 3 ? tui.at[TUI_SRC].h - 1 : tui.at[TUI_SRC].h;
    if (line <= tui.top[TUI_SRC] + (h > 6) || line > tui.top[TUI_SRC] + h - (h > 6))
        tui.top[TUI_SRC] = line - 1 - h / 2;
}

static const char *mark_of(int line)
{
    const json_t *marks = json_object_get(tui.view, "marks");
    const char *mark = "  ";
    size_t i;
    json_t *x;
    json_array_foreach((json_t *)marks, i, x)
        if (json_integer_value(json_array_get(x, 0)) == line)
            mark = json_string_value(json_array_get(x, 1));
    return mark;
}

/** The letters of the work-items that are in the line, in two columns. */
static void put_letters(struct str *s, int line)
{
    size_t i, n = 0;
    json_t *x;
    json_array_foreach(json_object_get(json_object_get(tui.view, "map"), "places"), i, x) {
        if (number_of(x, "line") != line || !json_is_true(json_object_get(x, "here")) || n == 2)
            continue;
        str_printf(s, "\033[%sm%s\033[0m", text_of(x, "color"), text_of(x, "letter"));
        n++;
    }
    str_printf(s, "%*s", (int)(2 - n), "");
}

static void draw_source_line(struct tui_rect at, int line, int digits)
{
    enum { NARROW = 36 };
    const bool current = line == number_of(tui.view, "line");
    const char *text = tui.lines.data[line - 1];
    struct str s = {0};
    str_printf(&s, "%s%c%*d ", mark_of(line), current ? '>' : ' ', digits, line);
    if (at.w >= NARROW) put_letters(&s, line);
    str_put(&s, " ");
    struct tui_cells c = {0}, code = {0};
    tui_decode(&c, str_text(&s), s.len);
    tui_decode(&code, text, strcspn(text, "\r\n"));
    for (size_t i = (size_t)tui.left; i < code.list.len; i++) vec_push(&c.list, code.list.data[i]);
    draw_cells(at, &c, 0, current ? TUI_REVERSE : 0);
    vec_free(&c.list);
    vec_free(&code.list);
    str_deinit(&s);
}

static void draw_hint(struct tui_rect r)
{
    static const char *const lines[] = {"No source: the program has built no kernel yet.",
                                        "`start` runs it to its first kernel,",
                                        "`run` to the first breakpoint or finding."};
    const int n = sizeof lines / sizeof *lines;
    for (int i = 0; i < n && i < r.h; i++) {
        const int w = (int)strlen(lines[i]), x = w < r.w ? (r.w - w) / 2 : 0;
        draw_text((struct tui_rect){r.y + (r.h > n ? (r.h - n) / 2 : 0) + i, r.x + x, 1, r.w - x},
                  lines[i], (size_t)w, 0);
    }
}

static void draw_source(void)
{
    const struct tui_rect r = draw_title(TUI_SRC, tui.name ? tui.name : "source");
    const int n = (int)tui.lines.len, digits = n > 9999 ? 6 : n > 999 ? 4 : 3;
    int *top = &tui.top[TUI_SRC];
    if (!n) draw_hint(r);
    if (*top > n - r.h) *top = n - r.h;
    if (*top < 0) *top = 0;
    for (int i = 0; i < r.h && *top + i < n; i++)
        draw_source_line((struct tui_rect){r.y + i, r.x, 1, r.w}, *top + i + 1, digits);
}

// ---- map, variables, watch
static void put_cell(struct str *s, const json_t *places, char cell)
{
    size_t i;
    json_t *x;
    const char *color = cell == '@' ? "1;7" : cell == '!' ? "1;31" : NULL;
    json_array_foreach((json_t *)places, i, x)
        if (*text_of(x, "letter") == cell) color = text_of(x, "color");
    if (color) str_printf(s, "\033[%sm%c\033[0m", color, cell);
    else str_put_char(s, cell);
}

static void put_rows(struct str *s, const json_t *map, int width)
{
    const json_t *shape = json_object_get(map, "shape"), *places = json_object_get(map, "places");
    const char *cells = text_of(map, "cells");
    const int x = (int)json_integer_value(json_array_get(shape, 0)),
              y = (int)json_integer_value(json_array_get(shape, 1)),
              z = (int)json_integer_value(json_array_get(shape, 2));
    int each = 64;
    while (each > 4 && each + 6 > width) each /= 2;
    for (int row = 0; row < y * z && *cells; row++) {
        if (z > 1 && row % y == 0) str_printf(s, "plane %d\n", row / y);
        for (int i = 0; i < x && *cells; i++) {
            if (i % each == 0) str_printf(s, "%s%4d ", i ? "\n" : "", y > 1 ? row % y : i);
            put_cell(s, places, *cells++);
        }
        str_put(s, "\n");
    }
}

static void put_map(struct str *s, int width)
{
    const json_t *map = json_object_get(tui.view, "map");
    size_t i;
    json_t *x;
    if (!map) return;
    put_rows(s, map, width);
    json_array_foreach(json_object_get(map, "places"), i, x) {
        put_cell(s, json_object_get(map, "places"), *text_of(x, "letter"));
        str_printf(s, " %s", text_of(x, "name"));
        if (number_of(x, "line")) str_printf(s, ", line %d", (int)number_of(x, "line"));
        str_printf(s, " (%d)\n", (int)number_of(x, "count"));
    }
    put_cell(s, NULL, '@');
    str_put(s, " the focused work-item\n");
    if (!strchr(text_of(map, "cells"), '!')) return;
    put_cell(s, NULL, '!');
    str_put(s, " took part in a finding\n");
}

static void put_variables(struct str *s)
{
    size_t i;
    json_t *x;
    json_array_foreach(json_object_get(tui.view, "variables"), i, x)
        str_printf(s, "\033[36m%s\033[0m = %s\n", json_string_value(json_array_get(x, 0)),
                   json_string_value(json_array_get(x, 1)));
}

char *tui_window_text(enum tui_window w, int width)
{
    struct str s = {0};
    if (w == TUI_MAP) put_map(&s, width);
    else if (w == TUI_VARIABLES) put_variables(&s);
    else str_put(&s, text_of(tui.view, "displays"));
    str_put(&s, "");
    return s.data ? str_take(&s) : mem_strdup("");
}

static void draw_lines(enum tui_window w, const char *title)
{
    if (!tui.at[w].h) return;
    const struct tui_rect r = draw_title(w, title);
    char *text = tui_window_text(w, r.w);
    int n = 0, i = 0, *top = &tui.top[w];
    for (const char *p = text; *p; p++) n += *p == '\n';
    if (*top > n - r.h) *top = n - r.h;
    if (*top < 0) *top = 0;
    for (const char *p = text; *p && i < *top + r.h; i++) {
        const size_t length = strcspn(p, "\n");
        if (i >= *top) draw_text((struct tui_rect){r.y + i - *top, r.x, 1, r.w}, p, length, 0);
        p += length + (p[length] == '\n');
    }
    free(text);
}

// ---- status
static void draw_status(void)
{
    struct str s = {0};
    const char *own = tui_client.state(), *state = own        ? own
                                                   : tui.view ? text_of(tui.view, "state")
                                                              : "not started";
    const bool stopped = !strcmp(state, "stopped");
    str_printf(&s, " %s", state);
    if (stopped) str_printf(&s, "  %s", text_of(tui.view, "function"));
    if (stopped && number_of(tui.view, "line"))
        str_printf(&s, ":%d", (int)number_of(tui.view, "line"));
    if (stopped && number_of(tui.view, "frame"))
        str_printf(&s, "  frame %d", (int)number_of(tui.view, "frame"));
    if (stopped) str_printf(&s, "  %s", text_of(tui.view, "item"));
    if (tui.top[TUI_CMD]) str_put(&s, "  (scrolled back)");
    draw_text((struct tui_rect){tui.status_y, 0, 1, tui.columns}, str_text(&s), s.len, TUI_REVERSE);
    str_deinit(&s);
}

// ---- commands
struct row { // of a wrapped line
    size_t first, end;
};
struct wrapped {
    struct tui_cells cells;
    VEC(struct row) rows;
};

static void wrap(struct wrapped *w, const char *text, size_t n, int width)
{
    int x = 0;
    *w = (struct wrapped){0};
    tui_decode(&w->cells, text, n);
    vec_push(&w->rows, ((struct row){0, 0}));
    for (size_t i = 0; i < w->cells.list.len; i++) {
        if (x + w->cells.list.data[i].width > width && x) {
            vec_push(&w->rows, ((struct row){i, i}));
            x = 0;
        }
        x += w->cells.list.data[i].width;
        vec_last(&w->rows).end = i + 1;
    }
}

static void free_wrapped(struct wrapped *w)
{
    vec_free(&w->cells.list);
    vec_free(&w->rows);
}

struct bottom {  // rows are drawn from the last one upwards
    int y, skip; // the next row; how many are below the window
};

static void draw_upwards(struct bottom *b, const char *text, size_t n)
{
    const struct tui_rect r = tui.at[TUI_CMD];
    struct wrapped w;
    wrap(&w, text, n, r.w);
    for (size_t i = w.rows.len; i-- > 0 && b->y >= r.y;) {
        if (b->skip > 0) {
            b->skip--;
            continue;
        }
        const size_t whole = w.cells.list.len;
        w.cells.list.len = w.rows.data[i].end;
        draw_cells((struct tui_rect){b->y--, r.x, 1, r.w}, &w.cells, w.rows.data[i].first, 0);
        w.cells.list.len = whole;
    }
    free_wrapped(&w);
}

/** What readline edits, or a line of the app that is not complete. */
static char *input_text(size_t *before_cursor)
{
    struct str s = {0};
    str_put(&s, tui_log_open_line());
    if (tui.reading) {
        if (s.len) str_put(&s, "\n");
        str_put(&s, rl_display_prompt ? rl_display_prompt : "");
        *before_cursor = s.len + (size_t)rl_point;
        str_put(&s, rl_line_buffer ? rl_line_buffer : "");
    } else {
        *before_cursor = s.len;
    }
    str_put(&s, "");
    return s.data ? str_take(&s) : mem_strdup("");
}

/** Rows of the text of n bytes, and the columns of the last one. */
static int rows_of(const char *text, size_t n, int width, int *columns)
{
    struct wrapped w;
    wrap(&w, text, n, width);
    *columns = 0;
    for (size_t i = vec_last(&w.rows).first; i < w.cells.list.len; i++)
        *columns += w.cells.list.data[i].width;
    const int rows = (int)w.rows.len;
    free_wrapped(&w);
    return rows;
}

static int rows_of_log(int most, int width)
{
    int rows = 0, columns;
    for (size_t i = tui_log.lines.len; i-- > 0 && rows < most;)
        rows += rows_of(tui_log.lines.data[i], strlen(tui_log.lines.data[i]), width, &columns);
    return rows;
}

static void draw_commands(int *cursor_y, int *cursor_x)
{
    const struct tui_rect r = tui.at[TUI_CMD];
    size_t before;
    char *input = input_text(&before), *last = strrchr(input, '\n');
    last = last ? last + 1 : input;
    before -= (size_t)(last - input);
    int column, *back = &tui.top[TUI_CMD];
    const int input_rows = rows_of(last, strlen(last), r.w, &column),
              most = rows_of_log(*back + r.h, r.w) + input_rows - r.h;
    if (*back > most) *back = most;
    if (*back < 0) *back = 0;
    const int to_cursor = rows_of(last, before, r.w, &column);
    // With few lines, they stand at the top, as on an empty terminal.
    const int used = rows_of_log(r.h, r.w) + input_rows,
              bottom = used < r.h ? r.y + used - 1 : r.y + r.h - 1;
    *cursor_y = bottom + *back - input_rows + to_cursor;
    *cursor_x = column;
    if (column >= r.w) *cursor_y += 1, *cursor_x = 0;
    struct bottom b = {bottom, *back};
    draw_upwards(&b, last, strlen(last));
    while (last > input) { // lines of the prompt
        char *end = last - 1;
        for (last = end; last > input && last[-1] != '\n';) last--;
        draw_upwards(&b, last, (size_t)(end - last));
    }
    for (size_t i = tui_log.lines.len; i-- > 0 && b.y >= r.y;)
        draw_upwards(&b, tui_log.lines.data[i], strlen(tui_log.lines.data[i]));
    free(input);
    if (*cursor_y > r.y + r.h - 1) *cursor_y = r.y + r.h - 1, *cursor_x = r.w - 1;
    if (*cursor_y < r.y) *cursor_y = r.y;
}

void tui_draw(void)
{
    int y, x;
    if (!tui.on) return;
    tui.dirty = false;
    erase();
    if (tui.at[TUI_SRC].h) draw_source();
    draw_lines(TUI_MAP, "work-group");
    draw_lines(TUI_VARIABLES, "variables");
    draw_lines(TUI_WATCH, "display");
    if (tui.at[TUI_SRC].w < tui.columns && tui.at[TUI_SRC].h)
        mvvline_set(0, tui.at[TUI_SRC].w, WACS_VLINE, tui.at[TUI_SRC].h);
    if (tui.status_y >= 0) draw_status();
    draw_commands(&y, &x);
    move(y, x);
    refresh();
}
