// SPDX-License-Identifier: MIT
// Readline in the command window: it edits the line and calls us to show it.
#include "cli/tui.h"

#include "base/str.h"
#include "cli/tui_text.h"

#include <readline/readline.h>
#include <stdlib.h>
#include <string.h>

static FILE *nowhere; // what readline writes by itself while the interface is on
static FILE *real;    // its stream otherwise
static rl_command_func_t *page_keys[2];

static void scroll(int lines, int columns)
{
    tui.left = tui.left + columns < 0 ? 0 : tui.left + columns;
    tui.top[tui.focus] += tui.focus == TUI_CMD ? -lines : lines;
    tui.dirty = true;
}

static bool scrolls(void) { return tui.on && tui.focus != TUI_CMD && tui.at[tui.focus].h > 0; }

static int page(void) { return tui.at[tui.focus].h > 3 ? tui.at[tui.focus].h - 2 : 1; }

static int on_up(int count, int key)
{
    return scrolls() ? scroll(-1, 0), 0 : rl_get_previous_history(count, key);
}
static int on_down(int count, int key)
{
    return scrolls() ? scroll(1, 0), 0 : rl_get_next_history(count, key);
}
static int on_left(int count, int key)
{
    return scrolls() ? scroll(0, -4), 0 : rl_backward_char(count, key);
}
static int on_right(int count, int key)
{
    return scrolls() ? scroll(0, 4), 0 : rl_forward_char(count, key);
}
static int on_page_up(int count, int key)
{
    if (tui.on) scroll(-page(), 0);
    else if (page_keys[0]) page_keys[0](count, key);
    return 0;
}
static int on_page_down(int count, int key)
{
    if (tui.on) scroll(page(), 0);
    else if (page_keys[1]) page_keys[1](count, key);
    return 0;
}
static int on_redraw(int count, int key)
{
    if (tui.on) tui_redraw();
    else rl_clear_screen(count, key);
    return 0;
}
static int on_next_window(int count, int key)
{
    tui_focus_step(1);
    return 0;
}
static int on_next_layout(int count, int key)
{
    tui_layout_step(1);
    return 0;
}
static int on_one_window(int count, int key)
{
    tui.layout = TUI_LAYOUT_SRC;
    tui_layout_step(0);
    return 0;
}

/** The line that is being edited stays. */
static int on_toggle(int count, int key)
{
    rl_deprep_terminal();
    struct err *e = NULL;
    if (tui.on) tui_disable();
    else e = tui_enable();
    rl_prep_terminal(1);
    if (e) {
        fprintf(rl_outstream, "\n%s\n", err_message(e));
        err_free(e);
    }
    rl_on_new_line();
    rl_forced_update_display();
    return 0;
}

void tui_keys_begin(void)
{
    static const struct {
        const char *sequence;
        rl_command_func_t *run;
    } keys[] = {{"\\e[A", on_up},          {"\\eOA", on_up},           {"\\e[B", on_down},
                {"\\eOB", on_down},        {"\\e[C", on_right},        {"\\eOC", on_right},
                {"\\e[D", on_left},        {"\\eOD", on_left},         {"\\e[5~", on_page_up},
                {"\\e[6~", on_page_down},  {"\\C-xa", on_toggle},      {"\\C-xA", on_toggle},
                {"\\C-x\\C-a", on_toggle}, {"\\C-xo", on_next_window}, {"\\C-xO", on_next_window},
                {"\\C-x1", on_one_window}, {"\\C-x2", on_next_layout}, {"\\C-l", on_redraw}};
    nowhere = fopen("/dev/null", "we");
    rl_initialize(); // reads the user's inputrc, whose keys we may replace
    page_keys[0] = rl_function_of_keyseq("\033[5~", NULL, NULL);
    page_keys[1] = rl_function_of_keyseq("\033[6~", NULL, NULL);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        rl_bind_keyseq(keys[i].sequence, keys[i].run);
}

static void redisplay(void)
{
    if (rl_last_func != on_page_up && rl_last_func != on_page_down) tui.top[TUI_CMD] = 0;
    tui_draw();
}

/** The possible completions, in columns. */
static void show_matches(char **matches, int n, int longest)
{
    enum { MOST = 200 };
    struct str s = {0};
    const int width = longest + 2, each = tui.columns > width ? tui.columns / width : 1;
    for (int i = 1; i <= n && i <= MOST; i++)
        str_printf(&s, "%-*s%s", i % each && i < n ? width : 1, matches[i],
                   i % each && i < n ? "" : "\n");
    if (n > MOST) str_printf(&s, "... and %d more\n", n - MOST);
    tui_put(str_text(&s), s.len);
    str_deinit(&s);
    rl_forced_update_display();
}

void tui_keys_switch(bool on)
{
    if (on) real = rl_outstream;
    rl_outstream = on ? nowhere : real;
    rl_redisplay_function = on ? redisplay : rl_redisplay;
    rl_completion_display_matches_hook = on ? show_matches : NULL;
    rl_catch_sigwinch = !on;
    if (!on) rl_resize_terminal();
}

static void enter(const char *prompt, const char *line)
{
    struct str s = {0};
    str_printf(&s, "%s%s\n", prompt, line);
    if (tui.on) tui_put(str_text(&s), s.len);
    else tui_log_put(str_text(&s), s.len);
    str_deinit(&s);
}

char *tui_readline(const char *prompt)
{
    tui.reading = true;
    char *line = readline(prompt);
    tui.reading = false;
    enter(prompt, line ? line : "");
    return line;
}

void tui_interrupted(void)
{
    if (tui.on) enter(rl_prompt ? rl_prompt : "", rl_line_buffer), tui_put("Quit\n", 5);
    else fprintf(rl_outstream, "Quit\n");
}
