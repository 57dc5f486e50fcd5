// SPDX-License-Identifier: MIT
// The cache of source texts. A file is read when one of its lines is first shown, so edits after
// the kernel was compiled may not match the finding; apps that pass strings are not affected.
#include "report/sourcefile.h"

#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "report/excerpt.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_SOURCE = 64 << 20 }; // larger files are not source text

struct source {
    char *name; // the displayed name, or the path of the file
    char *text; // NULL: could not be read
    size_t len;
    uint32_t first_line;
    bool from_path;
    size_t *starts; // offsets of lines; the last entry is the end of the text. NULL until needed
    size_t nlines;
};

struct rep_sources {
    VEC(struct source) all;
    struct map in_function; // hash of file, function and line → rep_sources_line_in_function
};

struct rep_sources *rep_sources_create(void) { return mem_alloc(sizeof(struct rep_sources)); }

void rep_sources_destroy(struct rep_sources *s)
{
    for (size_t i = 0; i < s->all.len; i++) {
        free(s->all.data[i].name);
        free(s->all.data[i].text);
        free(s->all.data[i].starts);
    }
    vec_free(&s->all);
    map_deinit(&s->in_function);
    free(s);
}

const char *rep_sources_keep(struct rep_sources *s, const char *file, const char *text,
                             uint32_t first_line)
{
    if (!first_line) first_line = 1;
    size_t len = strlen(text);
    for (size_t i = 0; i < s->all.len; i++) {
        struct source *o = &s->all.data[i];
        if (!o->from_path && o->len == len && o->first_line == first_line &&
            !strcmp(o->name, file) && !memcmp(o->text, text, len))
            return o->text;
    }
    vec_push(&s->all, (struct source){.name = mem_strdup(file),
                                      .text = mem_dup(text, len + 1),
                                      .len = len,
                                      .first_line = first_line});
    return vec_last(&s->all).text;
}

/** Reads a regular file, and adds a NUL; NULL: not a regular file, or unreadable. */
static char *read_file(const char *path, size_t *len)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return NULL;
    struct stat st;
    char *text = NULL;
    if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size <= MAX_SOURCE) {
        text = mem_alloc((size_t)st.st_size + 1);
        size_t got = 0;
        for (ssize_t n; got < (size_t)st.st_size; got += (size_t)n) {
            n = read(fd, text + got, (size_t)st.st_size - got);
            if (n < 0 && errno == EINTR) n = 0;
            else if (n <= 0) break;
        }
        *len = got;
    }
    close(fd);
    return text;
}

static struct source *find(struct rep_sources *s, const struct rep_place *p)
{
    for (size_t i = 0; i < s->all.len; i++) {
        struct source *o = &s->all.data[i];
        if (p->text ? o->text == p->text : o->from_path && !strcmp(o->name, p->path)) return o;
    }
    if (p->text) return NULL;
    size_t len = 0;
    char *text = read_file(p->path, &len);
    vec_push(&s->all, (struct source){.name = mem_strdup(p->path),
                                      .text = text,
                                      .len = len,
                                      .first_line = 1,
                                      .from_path = true});
    return &vec_last(&s->all);
}

static void cut_lines(struct source *o)
{
    size_t n = 1;
    for (size_t i = 0; i < o->len; i++) n += o->text[i] == '\n';
    o->starts = mem_array(NULL, n + 1, sizeof *o->starts);
    o->starts[0] = str_mark(o->text, o->len); // a byte order mark has no column
    o->nlines = 1;
    for (size_t i = 0; i < o->len; i++)
        if (o->text[i] == '\n') o->starts[o->nlines++] = i + 1;
    o->starts[o->nlines] = o->len + 1; // as if it ended with a newline
}

const char *rep_sources_line(struct rep_sources *s, const struct rep_place *p, size_t *len)
{
    if (!p->line || (!p->text && !p->path)) return NULL;
    struct source *o = find(s, p);
    if (!o || !o->text || p->line < o->first_line) return NULL;
    if (!o->starts) cut_lines(o);
    size_t n = p->line - o->first_line;
    if (n >= o->nlines) return NULL;
    const char *from = o->text + o->starts[n];
    *len = o->starts[n + 1] - 1 - o->starts[n];
    if (*len && from[*len - 1] == '\r') --*len;
    return from;
}

enum { MAX_FUNCTION = 10000 }; // lines that are searched for a function's definition

/** Does the line contain `name` as a word before a parenthesis? */
static bool has_call_form(const char *line, size_t len, const char *name)
{
    const size_t n = strlen(name);
    const char *const end = line + len;
    for (const char *p = line; n && (p = memmem(p, (size_t)(end - p), name, n)); p++) {
        const char *after = p + n;
        if (p > line && rep_is_name_char(p[-1])) continue;
        while (after < end && (*after == ' ' || *after == '\t')) after++;
        if (after < end && *after == '(') return true;
    }
    return false;
}

/** OpenCL C has no recursion, so the last `fn(` up to the location is the function's definition. */
static uint64_t hash_in_function(struct rep_sources *s, const struct rep_place *p)
{
    struct rep_place at = *p;
    at.text = rep_sources_keep(s, p->file, p->text, p->text_first_line);
    size_t len;
    const char *line = rep_sources_line(s, &at, &len);
    if (!line) return 0;
    while (len && isspace((unsigned char)*line)) line++, len--;
    const uint64_t text = hash_bytes(line, len, 13);
    for (uint32_t n = 0; n < MAX_FUNCTION && (line = rep_sources_line(s, &at, &len));
         n++, at.line--)
        if (has_call_form(line, len, p->fn)) return hash_bytes(p->fn, strlen(p->fn), text + n) | 1;
    return 0;
}

uint64_t rep_sources_line_in_function(struct rep_sources *s, const struct rep_place *p)
{
    if (!p->file || !p->fn || !p->line) return 0;
    bool is_new;
    const uint64_t key =
        hash_bytes(p->fn, strlen(p->fn), hash_bytes(p->file, strlen(p->file), p->line));
    uint64_t *const slot = map_put(&s->in_function, key, &is_new);
    if (is_new) *slot = hash_in_function(s, p);
    return *slot;
}
