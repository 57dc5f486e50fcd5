// SPDX-License-Identifier: MIT
// The windows of the text user interface: where they are, and the commands that change that.
#include "cli/tui.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE_BY_SIDE = 70, SIDE_MIN = 30, SIDE_MAX = 76, SMALLEST = 2 };
static const char *const layout_names[] = {"src", "map", "regs", "all"};
static const char *const window_names[] = {"src", "map", "regs", "watch", "cmd"};

static int at_most(int a, int b) { return a < b ? a : b; }
static int at_least(int a, int b) { return a > b ? a : b; }

// ---- places
/** Rows that the window would fill, with its title. */
static int wanted_height(enum tui_window w, int width)
{
    char *text = tui_window_text(w, width);
    int rows = 1;
    for (const char *p = text; *p; p++) rows += *p == '\n';
    const bool empty = !*text;
    free(text);
    return empty && w == TUI_WATCH ? 0 : rows;
}

/** The windows next to the source share an area: one above the other. */
static void stack(struct tui_rect area)
{
    const bool map = tui.layout == TUI_LAYOUT_MAP || tui.layout == TUI_LAYOUT_ALL,
               variables = tui.layout == TUI_LAYOUT_REGS || tui.layout == TUI_LAYOUT_ALL;
    int watch = variables ? at_most(wanted_height(TUI_WATCH, area.w), area.h / 3) : 0,
        top = map ? area.h : 0;
    if (watch < SMALLEST) watch = 0;
    if (map && variables) top = at_most(wanted_height(TUI_MAP, area.w), (area.h - watch + 1) / 2);
    if (map && top < SMALLEST) top = at_most(SMALLEST, area.h), watch = 0;
    if (map && variables && area.h - top - watch < SMALLEST) top = area.h, watch = 0;
    const int heights[] = {top, variables ? area.h - top - watch : 0, watch};
    int y = area.y;
    for (int i = 0; i < 3; i++) {
        tui.at[TUI_MAP + i] = (struct tui_rect){y, area.x, heights[i], area.w};
        y += heights[i];
    }
}

void tui_arrange(void)
{
    const int rows = tui.rows, columns = tui.columns;
    memset(tui.at, 0, sizeof tui.at);
    tui.status_y = -1;
    if (rows < 5 || columns < 16) { // only commands
        tui.at[TUI_CMD] = (struct tui_rect){0, 0, rows, columns};
        return;
    }
    const int most = rows - 1 - SMALLEST,
              wanted = tui.cmd_height ? tui.cmd_height : at_least(3, rows / 3);
    const int cmd = at_least(1, at_most(wanted, most)), upper = rows - 1 - cmd;
    tui.status_y = upper;
    tui.at[TUI_CMD] = (struct tui_rect){upper + 1, 0, cmd, columns};
    struct tui_rect *src = &tui.at[TUI_SRC];
    *src = (struct tui_rect){0, 0, upper, columns};
    if (tui.layout == TUI_LAYOUT_SRC) return;
    if (columns >= SIDE_BY_SIDE) {
        const int side = at_least(SIDE_MIN, at_most(SIDE_MAX, columns * 2 / 5));
        src->w = columns - side - 1; // and a line between them
        stack((struct tui_rect){0, columns - side, upper, side});
    } else if (upper >= 8) {
        src->h = upper - upper / 2;
        stack((struct tui_rect){src->h, 0, upper / 2, columns});
    }
}

void tui_layout_step(int step)
{
    tui.layout = (enum tui_layout)(((int)tui.layout + step + TUI_LAYOUTS) % TUI_LAYOUTS);
    if (!tui.on) return;
    tui_arrange();
    if (!tui.at[tui.focus].h) tui.focus = TUI_SRC;
    tui.dirty = true;
}

void tui_focus_step(int step)
{
    do tui.focus = (enum tui_window)(((int)tui.focus + step + TUI_WINDOWS) % TUI_WINDOWS);
    while (!tui.at[tui.focus].h && tui.focus != TUI_CMD);
    tui.dirty = true;
}

// ---- commands
static int index_of(const char *name, const char *const *names, int n)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(names[i], name)) return i;
    return -1;
}

static struct err *layout(const char *name)
{
    const int i = index_of(name, layout_names, TUI_LAYOUTS);
    if (!strcmp(name, "off")) {
        tui_disable();
        return NULL;
    }
    if (i < 0 && strcmp(name, "next") != 0 && strcmp(name, "prev") != 0)
        return err_new("layout: src, map, regs, all, next, prev or off is expected.");
    if (i >= 0) tui.layout = (enum tui_layout)i;
    struct err *e = tui_enable();
    if (!e) tui_layout_step(i >= 0 ? 0 : !strcmp(name, "next") ? 1 : -1);
    return e;
}

static struct err *need_on(const char *command)
{
    return tui.on ? NULL
                  : err_new("%s: the text user interface is off; `tui enable` shows it.", command);
}

static struct err *focus(const char *name)
{
    const int i = index_of(name, window_names, TUI_WINDOWS);
    struct err *e = need_on("focus");
    if (e) return e;
    if (!strcmp(name, "next") || !strcmp(name, "prev")) {
        tui_focus_step(*name == 'n' ? 1 : -1);
    } else if (i < 0) {
        return err_new("focus: src, map, regs, watch, cmd, next or prev is expected.");
    } else if (!tui.at[i].h) {
        return err_new("The window \"%s\" is not shown; `layout` chooses the windows.", name);
    } else {
        tui.focus = (enum tui_window)i;
    }
    return NULL;
}

static struct err *winheight(const char *args)
{
    const bool cmd = !strncmp(args, "cmd", 3), src = !strncmp(args, "src", 3);
    const char *p = args + (cmd || src ? 3 : 0);
    char *end;
    struct err *e = need_on("winheight");
    if (e) return e;
    p += strspn(p, " \t");
    const long n = strtol(p, &end, 10);
    if (end == p || *end || n > 10000 || n < -10000 || (!n && *p != '+' && *p != '-'))
        return err_new("winheight: [src | cmd] and a number of lines are expected, such as "
                       "`winheight cmd +2`.");
    const int upper = tui.status_y, other = tui.rows - 1;
    const int now = cmd ? tui.at[TUI_CMD].h : upper,
              height = *p == '+' || *p == '-' ? now + (int)n : (int)n;
    tui.cmd_height = at_least(1, at_most(cmd ? height : other - height, other - SMALLEST));
    return NULL;
}

static struct err *tui_word(const char *word)
{
    if (!strcmp(word, "enable")) return tui_enable();
    if (strcmp(word, "disable") != 0) return err_new("tui: \"enable\" or \"disable\" is expected.");
    tui_disable();
    return NULL;
}

bool tui_command(const char *name, const char *args, bool *failed)
{
    static const char *const names[] = {"tui", "layout", "focus", "winheight", "refresh"};
    struct err *e = NULL;
    switch (index_of(name, names, sizeof names / sizeof *names)) {
    case 0: e = tui_word(args); break;
    case 1: e = layout(args); break;
    case 2: e = focus(args); break;
    case 3: e = winheight(args); break;
    case 4: e = need_on("refresh"); break;
    default: return false;
    }
    if (e) {
        tui_put(err_message(e), strlen(err_message(e)));
        tui_put("\n", 1);
        err_free(e);
        *failed = true;
    } else if (tui.on) {
        tui_arrange();
        tui_redraw();
    }
    return true;
}
