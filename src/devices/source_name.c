// SPDX-License-Identifier: MIT
// Files are looked for under the working directory, beside the app (and a script that the app was
// given), and in --source-dir. If the whole text of a file occurs in the program, from the
// beginning of a line, the file names that piece. Otherwise a file that contains the whole program
// (a kernel in a raw string of the host's source) names it, with the line where it starts; a
// library may have added a few lines before or after it (PyOpenCL). Otherwise a file with nearly
// the same lines names it (source_lines.c). A file with the whole program takes precedence over
// pieces, so that a bug has one name. If several sources of the host contain it, the file in which
// the app created the program takes precedence, then files that the app was compiled from, then
// files in the language of the app. The search is limited in files, bytes and time, so that it does
// not slow down builds.
#include "devices/source_name.h"

#include "base/map.h"
#include "base/vec.h"
#include "devices/dev.h"
#include "devices/source_lines.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    MAX_ENTRIES = 5000,
    MAX_FILE = 4 << 20,
    MAX_BYTES = 64 << 20,
    MAX_MS = 200, // CPU time of this thread, so that names do not depend on the load
    DEPTH = 4,
    MIN_PIECE = 24, // bytes; shorter texts occur by chance
    MAX_SCRIPTS = 3,
    MAX_ADDED = 8, // lines that a library may have added at either end of a host's string
    UNIQUE = 32,   // consecutive hexadecimal digits: an id that differs in each run
};

struct piece {
    size_t at, len; // in the program
    const char *path;
    unsigned line, indent; // of the file: the line where it starts; bytes of that line before it
};

struct search {
    const char *text;
    size_t len; // without trailing white space
    struct arena *arena;
    int64_t end;
    unsigned entries;
    size_t bytes;
    struct map seen; // hash of a file's path → 1
    VEC(struct piece) pieces;
    struct piece inside; // of a file that contains the program; path NULL: none
    const struct dev_build *build;
    const char *creator; // base name of the file in which the app created it, "" if not known;
                         // NULL: not asked yet
    struct source_lines lines; // of `like`, the file with the best match of lines
    const char *like;
    struct line {
        size_t at, len;
    } longest[3]; // lines of the program, longest first: a file without any of them does not
                  // contain it
};

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static bool is_blank(char c) { return (unsigned char)c <= ' '; }

static bool all_blank(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!is_blank(s[i])) return false;
    return true;
}

static bool has_source_name(const char *name)
{
    static const char *const ends[] = {".cl",  ".clh", ".clc", ".ocl", ".h",  ".hpp",
                                       ".hh",  ".inc", ".inl", ".c",   ".cc", ".cpp",
                                       ".cxx", ".py",  ".txt", ".knl"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (str_ends(name, ends[i])) return true;
    return false;
}

static unsigned lines_in(const char *s, size_t n)
{
    unsigned lines = 0;
    for (const char *p = s; (p = memchr(p, '\n', n - (size_t)(p - s))); p++) lines++;
    return lines;
}

static unsigned filled_lines(const char *s, size_t n)
{
    unsigned lines = 0;
    for (size_t at = 0, next; at < n; at = next + 1) {
        const char *eol = memchr(s + at, '\n', n - at);
        next = eol ? (size_t)(eol - s) : n;
        lines += !all_blank(s + at, next - at);
    }
    return lines;
}

// Can a line marker precede `at`?
static bool starts_line(const struct search *s, size_t at)
{
    if (!at) return true;
    return s->text[at - 1] == '\n' && !(at >= 2 && s->text[at - 2] == '\\');
}

static size_t end_of_line(const struct search *s, size_t at)
{
    while (at < s->len && s->text[at] != '\n' && is_blank(s->text[at])) at++;
    return at == s->len ? at : s->text[at] == '\n' ? at + 1 : SIZE_MAX;
}

// Searches for the program's lines from `from` to `to` in a file.
static bool match_lines(struct search *s, const char *path, const char *file, size_t n, size_t from,
                        size_t to)
{
    size_t begin = from;
    while (to > from && is_blank(s->text[to - 1])) to--;
    while (begin < to && is_blank(s->text[begin])) begin++;
    if (to < begin + MIN_PIECE) return false;
    const char *hit = memmem(file, n, s->text + begin, to - begin);
    if (!hit) return false;
    const size_t skip = begin - from;
    unsigned line = 1 + lines_in(file, (size_t)(hit - file)),
             before = lines_in(s->text + from, skip);
    const char *start = memrchr(file, '\n', (size_t)(hit - file));
    size_t column = (size_t)(hit - (start ? start + 1 : file));
    unsigned indent = before || column < skip ? 0 : (unsigned)(column - skip);
    s->inside = (struct piece){from, to - from, arena_strdup(s->arena, path),
                               line > before ? line - before : 1, indent};
    return true;
}

/** The file in "created at main.c:30 (run)". */
static const char *creator_of(struct search *s)
{
    static const char at[] = "created at ";
    const struct dev_build *b = s->build;
    const char *text = b->created_at && b->site ? b->created_at(b->site) : NULL;
    if (!text || !str_starts(text, at)) return "";
    text += strlen(at);
    return arena_printf(s->arena, "%.*s", (int)strcspn(text, ":"), text);
}

/** How likely the app's text comes from this file of several that have it. */
static unsigned likelihood(struct search *s, const char *path)
{
    if (!s->creator) s->creator = creator_of(s);
    const char *slash = strrchr(path, '/');
    if (!strcmp(slash ? slash + 1 : path, s->creator)) return 3;
    const struct dev_build *b = s->build;
    if (*s->creator && b->has_source && b->has_source(b->site, path)) return 2;
    return str_ends(path, ".py") == str_ends(s->creator, ".py");
}

// The fewest omitted lines win; for the same number, those at the end.
static bool match_most(struct search *s, const char *path, const char *file, size_t n)
{
    for (unsigned out = 0; out <= 2 * MAX_ADDED; out++) {
        size_t from = 0;
        for (unsigned front = 0; front <= out && front <= MAX_ADDED; front++) {
            size_t to = s->len;
            for (unsigned back = front; back < out && to > from; back++) {
                const char *eol = memrchr(s->text + from, '\n', to - from);
                to = eol ? (size_t)(eol - s->text) : from;
            }
            if (out - front <= MAX_ADDED && match_lines(s, path, file, n, from, to)) return true;
            const char *eol = memchr(s->text + from, '\n', s->len - from);
            if (!eol) break;
            from = (size_t)(eol - s->text) + 1;
        }
    }
    return false;
}

static void match_like(struct search *s, const char *path, const char *file, size_t n)
{
    struct source_lines found = {0}, *const best = &s->lines;
    bool better = source_lines_match(s->text, s->len, file, n, &found);
    if (better && s->like)
        better = found.score > best->score ||
                 (found.score == best->score && likelihood(s, path) > likelihood(s, s->like));
    source_lines_deinit(better ? best : &found);
    if (!better) return;
    *best = found;
    s->like = arena_strdup(s->arena, path);
}

static void match_inside(struct search *s, const char *path, const char *file, size_t n)
{
    if (s->len < MIN_PIECE) return;
    bool may = false;
    for (unsigned i = 0; i < 3 && s->longest[i].len && !may; i++)
        may = memmem(file, n, s->text + s->longest[i].at, s->longest[i].len);
    if (!may) return;
    match_like(s, path, file, n);
    const struct piece other = s->inside;
    if (!match_most(s, path, file, n) || !other.path) return;
    if (s->inside.len < other.len ||
        (s->inside.len == other.len && likelihood(s, path) <= likelihood(s, other.path)))
        s->inside = other;
}

static void find_longest_lines(struct search *s)
{
    for (size_t at = 0, end; at < s->len; at = end + 1) {
        const char *eol = memchr(s->text + at, '\n', s->len - at);
        end = eol ? (size_t)(eol - s->text) : s->len;
        struct line l = {at, end - at};
        for (unsigned i = 0; i < 3; i++) {
            if (l.len <= s->longest[i].len) continue;
            struct line shorter = s->longest[i];
            s->longest[i] = l;
            l = shorter;
        }
    }
}

// "program-86bb09ed.cl": a name that is the same in every run, although a library may change a part
// of the text each time.
static const char *name_by_text(const char *text, size_t len, struct arena *a)
{
    uint64_t hash = 0;
    size_t from = 0, digits = 0;
    for (size_t i = 0; i <= len; i++) {
        if (i < len && isxdigit((unsigned char)text[i])) {
            digits++;
            continue;
        }
        if (digits >= UNIQUE) {
            hash = hash_bytes(text + from, i - digits - from, hash);
            from = i;
        }
        digits = 0;
    }
    return arena_printf(a, "program-%08x.cl", (unsigned)hash_bytes(text + from, len - from, hash));
}

// Finds all occurrences of the file's text in the program.
static void match(struct search *s, const char *path, const char *file, size_t n)
{
    size_t from = 0, to = n;
    while (to && is_blank(file[to - 1])) to--;
    while (from < to && is_blank(file[from])) from++;
    while (from && file[from - 1] != '\n') from--; // the first line's indentation is part of it
    size_t len = to - from;
    if (!len) return;
    const char *end = s->text + s->len;
    for (const char *p = s->text;
         len <= (size_t)(end - p) && (p = memmem(p, (size_t)(end - p), file + from, len)); p++) {
        size_t at = (size_t)(p - s->text);
        bool whole = !lines_in(s->text, at) && at + len == s->len;
        if ((len < MIN_PIECE && !whole) || !starts_line(s, at) ||
            end_of_line(s, at + len) == SIZE_MAX)
            continue;
        vec_push(&s->pieces, (struct piece){at, len, arena_strdup(s->arena, path),
                                            1 + lines_in(file, from), 0});
    }
    match_inside(s, path, file, n);
}

static bool exhausted(const struct search *s)
{
    return s->entries >= MAX_ENTRIES || s->bytes >= MAX_BYTES || now_ms() > s->end;
}

static void try_file(struct search *s, int dir, const char *name, const char *path, size_t size)
{
    bool is_new;
    map_put(&s->seen, hash_bytes(path, strlen(path), 3), &is_new);
    if (!is_new || !size || size > MAX_FILE) return;
    int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return;
    char *text = mem_alloc(size);
    ssize_t n = read(fd, text, size);
    close(fd);
    if (n > 0) match(s, path, text, (size_t)n);
    if (n > 0) s->bytes += (size_t)n;
    free(text);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static void look_in(struct search *s, const char *folder, int depth)
{
    struct dirent **all;
    int dir = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int n = dir < 0 ? -1 : scandirat(dir, ".", &all, NULL, by_name);
    VEC(char *) below = {0};
    for (int i = 0; i < n; i++) {
        const char *name = all[i]->d_name;
        struct stat st;
        if (*name != '.' && !exhausted(s) && s->entries++ < MAX_ENTRIES &&
            (has_source_name(name) || all[i]->d_type == DT_DIR || all[i]->d_type == DT_UNKNOWN) &&
            !fstatat(dir, name, &st, 0)) {
            char *path = arena_printf(s->arena, "%s/%s", folder, name);
            if (S_ISDIR(st.st_mode) && all[i]->d_type != DT_LNK) vec_push(&below, path);
            else if (S_ISREG(st.st_mode) && has_source_name(name))
                try_file(s, dir, name, path, (size_t)st.st_size);
        }
        free(all[i]);
    }
    if (n >= 0) free(all);
    if (dir >= 0) close(dir);
    for (size_t i = 0; i < below.len && depth > 1 && !exhausted(s); i++)
        look_in(s, below.data[i], depth - 1);
    vec_free(&below);
}

static bool is_system_folder(const char *folder)
{
    return str_starts(folder, "/usr/")
               ? !str_starts(folder, "/usr/local/src") && !str_starts(folder, "/usr/src")
               : !strcmp(folder, "/") || !strcmp(folder, "/bin") || !strcmp(folder, "/tmp");
}

/** The limits but the time's are for each folder, so that a large one does not hide the others. */
static void look_below(struct search *s, const char *folder, int depth)
{
    s->entries = 0;
    s->bytes = 0;
    look_in(s, folder, depth);
}

static void look_beside(struct search *s, const char *file)
{
    char full[PATH_MAX];
    if (!realpath(file, full)) return;
    char *slash = strrchr(full, '/');
    *(slash == full ? slash + 1 : slash) = 0;
    if (!is_system_folder(full)) look_below(s, full, DEPTH - 1);
}

static void look_into(struct search *s, const char *file)
{
    struct stat st;
    char full[PATH_MAX];
    if (has_source_name(file) && realpath(file, full) && !stat(full, &st) && S_ISREG(st.st_mode))
        try_file(s, AT_FDCWD, full, full, (size_t)st.st_size);
}

// The script of an interpreter: the first arguments of the command line that are files.
static void each_script(struct search *s, void (*look)(struct search *, const char *))
{
    char words[8192];
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, words, sizeof words - 1);
    if (fd >= 0) close(fd);
    words[n > 0 ? n : 0] = 0;
    int found = 0;
    struct stat st;
    for (char *p = words + strlen(words) + 1; p < words + n && found < MAX_SCRIPTS;
         p += strlen(p) + 1) {
        if (*p == '-' || stat(p, &st) || !S_ISREG(st.st_mode)) continue;
        look(s, p);
        found++;
    }
}

// Is one file the whole program?
static bool is_named(const struct search *s)
{
    for (size_t i = 0; i < s->pieces.len; i++) {
        const struct piece *p = &s->pieces.data[i];
        if (all_blank(s->text, p->at) && p->at + p->len >= s->len) return true;
    }
    return false;
}

static void look_everywhere(struct search *s)
{
    char cwd[PATH_MAX];
    each_script(s, look_into);
    if (is_named(s)) return; // the file that the command line names, as with cldbg run
    const char **dirs = dev_settings()->source_dirs;
    for (; dirs && *dirs; dirs++) {
        char full[PATH_MAX];
        if (realpath(*dirs, full)) look_below(s, full, 2 * DEPTH);
    }
    if (getcwd(cwd, sizeof cwd) && (!is_system_folder(cwd) || !strcmp(cwd, "/tmp")))
        look_below(s, cwd, strcmp(cwd, "/tmp") ? DEPTH : 1);
    look_beside(s, "/proc/self/exe");
    each_script(s, look_beside);
}

// ---- segments from pieces

static int longest_first(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;
    if (x->len != y->len) return x->len < y->len ? 1 : -1;
    size_t n = strlen(x->path), k = strlen(y->path);
    return n != k ? (n < k ? -1 : 1) : strcmp(x->path, y->path);
}

static int by_place(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;
    return x->at < y->at ? -1 : x->at > y->at;
}

// Keeps non-overlapping pieces; longer ones win.
static void choose(struct search *s)
{
    size_t kept = 0;
    if (s->pieces.len) qsort(s->pieces.data, s->pieces.len, sizeof *s->pieces.data, longest_first);
    for (size_t i = 0; i < s->pieces.len; i++) {
        struct piece p = s->pieces.data[i];
        bool free_place = true;
        for (size_t k = 0; k < kept && free_place; k++) {
            const struct piece *q = &s->pieces.data[k];
            free_place = p.at >= q->at + q->len || q->at >= p.at + p.len;
        }
        if (free_place) s->pieces.data[kept++] = p;
    }
    s->pieces.len = kept;
    if (kept) qsort(s->pieces.data, kept, sizeof *s->pieces.data, by_place);
}

/** Do the chosen pieces cover everything that the file would? */
static bool covers(const struct search *s, const struct piece *whole)
{
    size_t at = whole->at;
    for (size_t i = 0; i < s->pieces.len; i++) {
        const struct piece *p = &s->pieces.data[i];
        if (p->at > at && !all_blank(s->text + at, p->at - at)) return false;
        if (p->at + p->len > at) at = p->at + p->len;
    }
    return at >= whole->at + whole->len || all_blank(s->text + at, whole->at + whole->len - at);
}

/** A few matching lines are not sufficient. */
static bool is_likely(struct search *s)
{
    const char *const in_file = s->text + s->inside.at;
    const size_t weight = source_lines_weight(in_file, s->inside.len);
    if (filled_lines(in_file, s->inside.len) * 2 < filled_lines(s->text, s->len)) return false;
    return weight > s->lines.score ||
           (weight == s->lines.score &&
            (!s->like || likelihood(s, s->inside.path) >= likelihood(s, s->like)));
}

static const char *shown(const char *path, struct arena *a)
{
    char cwd[PATH_MAX];
    size_t n = getcwd(cwd, sizeof cwd) ? strlen(cwd) : 0;
    bool below = n > 1 && !strncmp(path, cwd, n) && path[n] == '/';
    return arena_strdup(a, below ? path + n + 1 : path);
}

void dev_source_segments(const struct dev_build *b, struct arena *a,
                         const struct wire_segment **segments, uint32_t *n)
{
    const char *const source = b->source;
    const size_t len = b->source_len;
    struct search s = {
        .text = source, .len = len, .arena = a, .end = now_ms() + MAX_MS, .build = b};
    while (s.len && is_blank(source[s.len - 1])) s.len--;
    const char *unknown = name_by_text(source, len, a);
    find_longest_lines(&s);
    VEC(struct wire_segment) out = {0};
    if (s.len) look_everywhere(&s);
    choose(&s);
    if (s.inside.path && !is_likely(&s)) s.inside.path = NULL;
    if (s.inside.path && !covers(&s, &s.inside)) {
        vec_clear(&s.pieces);
        vec_push(&s.pieces, s.inside);
    }
    size_t at = 0;
    const bool by_lines = !s.pieces.len && s.like;
    for (size_t i = 0; by_lines && i < s.lines.marks.len; i++) {
        const struct source_line *x = &s.lines.marks.data[i];
        vec_push(&out, (struct wire_segment){x->at, shown(s.like, a), s.like, x->line, x->indent});
    }
    for (size_t i = 0; !by_lines && i <= s.pieces.len; i++) {
        size_t next = i < s.pieces.len ? s.pieces.data[i].at : len;
        if (!all_blank(source + at, next - at) || (!out.len && i == s.pieces.len))
            vec_push(&out, (struct wire_segment){at, unknown, "", 1 + lines_in(source, at), 0});
        if (i == s.pieces.len) break;
        const struct piece *p = &s.pieces.data[i];
        vec_push(&out,
                 (struct wire_segment){p->at, shown(p->path, a), p->path, p->line, p->indent});
        at = end_of_line(&s, p->at + p->len);
    }
    *segments = arena_dup(a, out.data, out.len * sizeof *out.data);
    *n = (uint32_t)out.len;
    vec_free(&out);
    vec_free(&s.pieces);
    source_lines_deinit(&s.lines);
    map_deinit(&s.seen);
}
