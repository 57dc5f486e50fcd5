// SPDX-License-Identifier: MIT
// Writes the completions of a shell: `completions bash|zsh|fish`. Options, subcommands and ids of
// findings come from their tables. A program of the build; it is not installed.
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum {
    APP = 1,
    RUN = 2,
    DEBUG = 4,
    EDITOR = 8,
    LINT = 16,
    DISASM = 32,
    REGIONS = 64,
    DOCTOR = 128,
    VERIFY = 1024,
    REPORT = 2048,
    STATS = 4096,
    FUZZ = 8192,
    CHECK = 16384
};
enum {
    CAPTURED = 256,
    COMMON = 512,
    EVERY = APP | RUN | LINT | DISASM | REGIONS | DOCTOR | VERIFY | REPORT | STATS | FUZZ | CHECK
};

static const struct option {
    const char *name, *arg; // arg NULL: takes no value
    unsigned applies;
    const char *help;
} options[] = {
#define OPTION(id, name, type, arg, dflt, applies, min, max, help) {name, arg, applies, help},
#include "devices/options.def"
};
enum { OPTIONS = sizeof options / sizeof *options };

static const struct {
    const char *name;
    unsigned use;
    const char *what;
} subcommands[] = {
#define SUBCOMMAND(name, use, usage, what) {#name, use, what},
#include "cli/subcommands.def"
};
enum { SUBCOMMANDS = sizeof subcommands / sizeof *subcommands };

static const char *const ids[] = {
#define KIND(id, name, ...) name,
#include "report/kinds.def"
#undef KIND
};
enum { IDS = sizeof ids / sizeof *ids };

/** The options that may stand before the app, or before a subcommand. */
enum { FIRST = APP | DEBUG | EDITOR };

/** Words that an option's value may be, separated by blanks; "" none, "@" a file, "@/" a folder. */
static const char *values(const struct option *o)
{
    static const struct {
        const char *name, *values;
    } known[] = {
        {"check", "$ids"},
        {"color", "auto always never"},
        {"device-type", "gpu cpu accelerator"},
        {"gen-suppressions", "all no"},
        {"native-passes", "all none"},
        {"report", "text: json: sarif: junit: lcov: cobertura: html: github:-"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(o->name, known[i].name)) return known[i].values;
    if (!o->arg) return "";
    if (!strcmp(o->arg, "FILE") || !strcmp(o->arg, "PATH")) return "@";
    return !strcmp(o->arg, "DIR") ? "@/" : "";
}

static void put_ids(const char *separator)
{
    printf("all%snone", separator);
    for (int i = 0; i < IDS; i++) printf("%s%s", separator, ids[i]);
}

static void put_values(const char *words)
{
    if (!strcmp(words, "$ids")) put_ids(" ");
    else fputs(words, stdout);
}

/** A text between single quotes, with `special` characters escaped by a backslash. */
static void put_quoted(const char *text, const char *special)
{
    for (; *text; text++) {
        if (*text == '\'') {
            fputs("'\\''", stdout);
            continue;
        }
        if (strchr(special, *text)) putchar('\\');
        putchar(*text);
    }
}

static void put_options(unsigned use)
{
    for (int i = 0; i < OPTIONS; i++)
        if (options[i].applies & use) printf(" --%s%s", options[i].name, options[i].arg ? "=" : "");
}

static void put_subcommands(void)
{
    for (int i = 0; i < SUBCOMMANDS; i++) printf("%s%s", i ? " " : "", subcommands[i].name);
}

static void bash(void)
{
    puts("# bash completion for cldbg\n_cldbg()\n{\n"
         "    local line=${COMP_LINE:0:COMP_POINT} cur prev sub= options= words= w i\n"
         "    cur=${line##*[[:space:]]}\n"
         "    local -a before\n"
         "    read -ra before <<<\"${line%\"$cur\"}\"\n"
         "    for ((i = 1; i < ${#before[@]}; i++)); do\n"
         "        w=${before[i]}\n"
         "        case $w in\n        -x) ((i++)) ;;\n        -*) ;;");
    fputs("        ", stdout);
    for (int i = 0; i < SUBCOMMANDS; i++) printf("%s%s", i ? " | " : "", subcommands[i].name);
    puts(")\n            sub=$w; break ;;\n"
         "        *)\n            # The app and its arguments complete as they do without cldbg.\n"
         "            declare -F _command_offset >/dev/null && _command_offset \"$i\" ||\n"
         "                compopt -o default\n            return ;;\n        esac\n    done\n"
         "    case $sub in");
    for (int i = 0; i < SUBCOMMANDS; i++) {
        printf("    %s) options='", subcommands[i].name);
        if (subcommands[i].use) put_options(subcommands[i].use);
        else fputs(" --help", stdout);
        fputs("' ;;\n", stdout);
    }
    fputs("    *) options='-i -x", stdout);
    put_options(FIRST);
    fputs("' words='", stdout);
    put_subcommands();
    puts("' ;;\n    esac\n    case $cur in");
    for (int i = 0; i < OPTIONS; i++) {
        const char *v = values(&options[i]);
        if (!*v) continue;
        printf("    --%s=*) ", options[i].name);
        if (*v == '@') {
            printf("COMPREPLY=($(compgen -%c -- \"${cur#*=}\")); compopt -o filenames",
                   v[1] ? 'd' : 'f');
        } else {
            fputs("COMPREPLY=($(compgen -W '", stdout);
            put_values(v);
            fputs("' -- \"${cur#*=}\"))", stdout);
            if (strchr(v, ':')) fputs("; compopt -o nospace", stdout);
        }
        puts("; return ;;");
    }
    puts("    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n"
         "        [[ ${COMPREPLY-} == *= ]] && compopt -o nospace\n        return ;;\n    esac");
    fputs("    case $sub in\n    explain) COMPREPLY=($(compgen -W '", stdout);
    for (int i = 0; i < IDS; i++) printf("%s%s", i ? " " : "", ids[i]);
    puts("' -- \"$cur\")) ;;\n"
         "    doctor) COMPREPLY=($(compgen -c -- \"$cur\")) ;;\n"
         "    '') COMPREPLY=($(compgen -W \"$words\" -c -- \"$cur\")) ;;\n"
         "    *) COMPREPLY=($(compgen -f -- \"$cur\")); compopt -o filenames ;;\n    esac\n}\n"
         "complete -F _cldbg cldbg");
}

/** One argument of zsh's _arguments: '--name=[help]:ARG:action'. */
static void zsh_option(const struct option *o)
{
    printf("    '%s--%s%s[", o->arg ? "*" : "", o->name, o->arg ? "=" : "");
    put_quoted(o->help, "[]\\:");
    putchar(']');
    if (o->arg) {
        const char *v = values(o);
        putchar(':');
        put_quoted(o->arg, "[]\\:");
        putchar(':');
        if (!strcmp(v, "@")) fputs("_files", stdout);
        else if (!strcmp(v, "@/")) fputs("_files -/", stdout);
        else if (*v) {
            putchar('(');
            char text[64] = "";
            if (strcmp(v, "$ids")) snprintf(text, sizeof text, "%s", v);
            if (*text) put_quoted(text, ":");
            else put_ids(" ");
            putchar(')');
        }
    }
    puts("' \\");
}

static void zsh_options(unsigned use)
{
    for (int i = 0; i < OPTIONS; i++)
        if (options[i].applies & use) zsh_option(&options[i]);
}

static void zsh(void)
{
    puts("#compdef cldbg\n# zsh completion for cldbg\n_cldbg() {\n"
         "  local context state state_descr line ret=1\n  typeset -A opt_args\n"
         "  _arguments -S \\\n    '-i[debug the app, or with run the kernel]' \\\n"
         "    '*-x[read commands from a file]:FILE:_files' \\");
    zsh_options(FIRST);
    puts("    '1:command:->command' '*::arguments:->arguments' && ret=0\n  case $state in\n"
         "  command)\n    local -a subcommands=(");
    for (int i = 0; i < SUBCOMMANDS; i++) {
        printf("      '%s:", subcommands[i].name);
        put_quoted(subcommands[i].what, "");
        puts("'");
    }
    puts("    )\n    _describe -t subcommands subcommand subcommands && ret=0\n"
         "    _command_names -e && ret=0\n    _files && ret=0 ;;\n  arguments)\n    case $line[1] "
         "in");
    for (int i = 0; i < SUBCOMMANDS; i++) {
        printf("    %s) _arguments -S \\\n", subcommands[i].name);
        zsh_options(subcommands[i].use);
        fputs("    ", stdout);
        if (!strcmp(subcommands[i].name, "explain")) {
            fputs("'1:id:(", stdout);
            for (int k = 0; k < IDS; k++) printf("%s%s", k ? " " : "", ids[k]);
            fputs(")'", stdout);
        } else {
            fputs("'*:file:_files'", stdout);
        }
        puts(" && ret=0 ;;");
    }
    puts("    *) words[1]=$line[1]; _normal && ret=0 ;;\n    esac ;;\n  esac\n  return "
         "ret\n}\n_cldbg \"$@\"");
}

static void fish_option(const struct option *o)
{
    fputs("complete -c cldbg -n '", stdout);
    const char *joint = "";
    if (o->applies & FIRST) fputs("__fish_use_subcommand", stdout), joint = "; or ";
    for (int i = 0; i < SUBCOMMANDS; i++)
        if (o->applies & subcommands[i].use)
            printf("%s__fish_seen_subcommand_from %s", joint, subcommands[i].name), joint = "; or ";
    printf("' -l %s", o->name);
    if (o->arg) {
        const char *v = values(o);
        fputs(*v == '@' ? " -r" : " -x", stdout);
        if (*v && *v != '@') {
            fputs(" -a '", stdout);
            put_values(v);
            putchar('\'');
        }
    }
    fputs(" -d '", stdout);
    for (const char *p = o->help; *p; p++) {
        if (*p == '\'' || *p == '\\') putchar('\\'); // as fish quotes
        putchar(*p);
    }
    puts("'");
}

static void fish(void)
{
    puts("# fish completion for cldbg");
    for (int i = 0; i < SUBCOMMANDS; i++)
        printf("complete -c cldbg -n __fish_use_subcommand -a %s -d '%s'\n", subcommands[i].name,
               subcommands[i].what);
    puts("complete -c cldbg -n __fish_use_subcommand -a '(__fish_complete_command)'\n"
         "complete -c cldbg -n __fish_use_subcommand -s i -d 'debug the app, or with run the "
         "kernel'\n"
         "complete -c cldbg -n __fish_use_subcommand -s x -r -d 'read commands from a file'");
    for (int i = 0; i < OPTIONS; i++) fish_option(&options[i]);
    fputs("complete -c cldbg -n '__fish_seen_subcommand_from explain' -f -a '", stdout);
    for (int i = 0; i < IDS; i++) printf("%s%s", i ? " " : "", ids[i]);
    puts("'");
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*write)(void);
    } shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};
    for (size_t i = 0; argc == 2 && i < sizeof shells / sizeof *shells; i++) {
        if (strcmp(argv[1], shells[i].name)) continue;
        shells[i].write();
        return ferror(stdout) || fflush(stdout);
    }
    fputs("usage: completions bash|zsh|fish\n", stderr);
    return 2;
}
