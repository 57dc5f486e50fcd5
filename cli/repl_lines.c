// SPDX-License-Identifier: MIT
// Input and output of the debugger: lines from scripts, a pipe, or readline on a terminal.
#include "cli/repl.h"

#include "base/mem.h"
#include "base/str.h"
#include "cli/cmd.h"
#include "cli/repl_json.h"
#include "cli/tui.h"
#include "report/sink.h"

#include <ctype.h>
#include <errno.h>
#include <readline/history.h>
#include <readline/readline.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char prompt[] = "(cldbg) ";

// ---- out
FILE *repl_output(void) { return repl.terminal ? repl.terminal : stdout; }

bool repl_colors(void)
{
    const char *term = getenv("TERM");
    return repl.interactive && term && *term && rep_wants_color(repl_output());
}

/** Columns of a line on the screen; color sequences take none. */
static size_t width_of(const char *text, size_t n)
{
    size_t columns = 0;
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '\033') i += strcspn(text + i, "m");
        else columns += ((unsigned char)text[i] & 0xc0) != 0x80;
    }
    return columns;
}

void repl_show(const char *text)
{
    if (repl.json) {
        repl_json_show(text);
        return;
    }
    if (!repl.interactive || !repl.paginate || tui_is_on()) { // its window scrolls back
        tui_put(text, strlen(text));
        return;
    }
    int rows = 24, columns = 80, shown = 0;
    rl_get_screen_size(&rows, &columns);
    while (*text) {
        const size_t n = strcspn(text, "\n");
        tui_put(text, n + (text[n] == '\n'));
        const size_t width = width_of(text, n);
        text += n + (text[n] == '\n');
        shown += 1 + (width && columns > 0 ? (int)(width - 1) / columns : 0);
        if (shown < rows - 1 || !*text || !strchr(text, '\n')) continue;
        char *answer = tui_readline("--<RET> for more, q to quit, c for all--");
        const char key = answer ? *answer : 'q';
        free(answer);
        if (key == 'q') break;
        if (key == 'c') {
            tui_put(text, strlen(text));
            break;
        }
        shown = 0;
    }
}

void repl_say(const char *format, ...)
{
    struct str s = {0};
    va_list v;
    va_start(v, format);
    str_vprintf(&s, format, v);
    va_end(v);
    repl_show(str_text(&s));
    str_deinit(&s);
}

bool repl_is_blank(const char *s) { return !s[strspn(s, " \t\r\n")]; }

bool repl_yes(const char *question)
{
    if (!repl.interactive || !repl.confirm) return true;
    for (;;) {
        char *answer = tui_readline(question);
        if (!answer) return true;
        const char c = (char)tolower((unsigned char)*answer);
        free(answer);
        if (c == 'y' || c == 'n') return c == 'y';
        repl_show("Please answer y or n.\n");
    }
}

// ---- in
void repl_open_script(const char *name)
{
    FILE *f;
    struct err *e = repl.scripts.len > 50 ? err_new("source: files are nested too deeply")
                    : *name               ? cmd_open_file(name, &f)
                                          : err_new("source: which file?");
    if (!e) {
        vec_push(&repl.scripts, ((struct repl_script){f, mem_strdup(name)}));
        return;
    }
    repl_say("%s%s\n", err_message(e), *name ? "." : "");
    err_free(e);
    repl.failed = true;
}

char *repl_read_line(const char *with)
{
    while (repl.scripts.len) {
        char *line = NULL;
        size_t cap = 0;
        const ssize_t n = getline(&line, &cap, vec_last(&repl.scripts).file);
        if (n >= 0) {
            while (*line && strchr("\r\n", line[strlen(line) - 1])) line[strlen(line) - 1] = 0;
            if (repl.json) return line;
            tui_put(with, strlen(with)); // as if it had been typed
            tui_put(line, strlen(line));
            tui_put("\n", 1);
            return line;
        }
        free(line);
        struct repl_script s = vec_pop(&repl.scripts);
        fclose(s.file);
        free(s.name);
    }
    if (repl.batch) return NULL;
    if (repl.json) return repl_json_next_line(with != prompt);
    if (repl.interactive) {
        tui_update();
        char *line = tui_readline(with);
        if (line && !repl_is_blank(line)) add_history(line);
        if (!line) tui_put("quit\n", 5);
        return line;
    }
    char *line = NULL; // a pipe: read as it is, with the prompt
    size_t cap = 0;
    fputs(with, repl_output());
    fflush(repl_output());
    const ssize_t n = getline(&line, &cap, stdin);
    if (n < 0) {
        free(line);
        fprintf(repl_output(), "quit\n");
        return NULL;
    }
    if (n && line[n - 1] == '\n') line[n - 1] = 0;
    fprintf(repl_output(), "%s\n", line);
    return line;
}

char *repl_next_line(bool *typed)
{
    *typed = !repl.pending.len;
    if (*typed) {
        repl.calls = 0;
        return repl_read_line(prompt);
    }
    char *line = repl.pending.data[0];
    memmove(repl.pending.data, repl.pending.data + 1,
            --repl.pending.len * sizeof *repl.pending.data);
    return line;
}

bool repl_is_typed(void) { return repl.interactive && !repl.scripts.len && !repl.pending.len; }

char *repl_with_body(const char *first, const char *what)
{
    struct repl_depth d = {0};
    struct str s = {0};
    repl_depth_line(&d, first);
    str_put(&s, first);
    if (*what && repl_is_typed())
        repl_say("Type commands for %s, one per line.\nEnd with a line saying just \"end\".\n",
                 what);
    while (d.blocks) {
        bool typed = true;
        char *next = repl.pending.len ? repl_next_line(&typed) : repl_read_line(">");
        if (!next) break;
        repl_depth_line(&d, next);
        str_printf(&s, "\n%s", next + strspn(next, " \t"));
        free(next);
    }
    return str_take(&s);
}

void repl_skip_body(const char *first)
{
    if (repl.scripts.len && !repl.pending.len) free(repl_with_body(first, ""));
}

// ---- completion
static json_t *targets;

static char *complete_next(const char *word, int state)
{
    static size_t at;
    if (!state) at = 0;
    while (at < json_array_size(targets)) {
        const char *label =
            json_string_value(json_object_get(json_array_get(targets, at++), "label"));
        if (label && !strncmp(label, word, strlen(word))) return strdup(label);
    }
    return NULL;
}

static void get_targets(const char *line)
{
    json_t *m = repl_answer_to(
        dap_request(&repl.agent, "completions",
                    json_pack("{s:s, s:i}", "text", line, "column", (int)strlen(line) + 1)));
    json_decref(targets);
    targets = json_incref(json_object_get(json_object_get(m, "body"), "targets"));
    json_decref(m);
}

void repl_put_completions(const char *line)
{
    const size_t n = strlen(line);
    size_t i;
    json_t *x;
    get_targets(line);
    json_array_foreach(targets, i, x) {
        const char *const text = json_string_value(json_object_get(x, "label"));
        struct str whole = {0};
        size_t same = strlen(text) < n ? strlen(text) : n; // the line's end, the text's beginning
        while (same && strncmp(line + n - same, text, same) != 0) same--;
        str_printf(&whole, "%.*s%s\n", (int)(n - same), line, text);
        repl_show(str_text(&whole));
        str_deinit(&whole);
    }
}

static char **complete(const char *word, int start, int end)
{
    rl_attempted_completion_over = 1;
    if (!repl.connected || repl.running) return NULL;
    char *line = strndup(rl_line_buffer, (size_t)end);
    get_targets(line);
    if (targets && line[strspn(line, " \t")] && (size_t)start == strspn(line, " \t"))
        repl_user_names(word, strlen(word), targets);
    free(line);
    char **list = rl_completion_matches(word, complete_next);
    const size_t n = list && list[0] ? strlen(list[0]) : 0;
    rl_completion_append_character = n && strchr("(:", list[0][n - 1]) ? 0 : ' ';
    return list;
}

/** While readline waits: Ctrl-C at the prompt begins a fresh line; the app may write. */
static int fresh_line(void)
{
    tui_relay(false);
    tui_attend();
    if (!repl_interrupted) return 0;
    repl_interrupted = 0;
    tui_interrupted();
    rl_replace_line("", 0);
    rl_on_new_line();
    rl_forced_update_display();
    return 0;
}

void repl_terminal_begin(void)
{
    rl_readline_name = "cldbg";
    rl_attempted_completion_function = complete;
    rl_completer_word_break_characters = (char *)" \t\n()[]{}*&!,=<>+-/|^~?;";
    rl_catch_signals = 0; // Ctrl-C: fresh_line
    using_history();
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    struct str s = {0};
    if (getenv("CLDBG_HISTFILE")) str_put(&s, getenv("CLDBG_HISTFILE"));
    else if (state && *state == '/') str_printf(&s, "%s/cldbg_history", state);
    else if (home) str_printf(&s, "%s/.cldbg_history", home);
    repl.history = s.len ? str_take(&s) : NULL;
    if (repl.history) read_history(repl.history);
    stifle_history(1000);
    rl_event_hook = rl_signal_event_hook =
        fresh_line; // the first: a signal that comes just before the read
}

void repl_terminal_end(void)
{
    if (repl.history) write_history(repl.history);
}
