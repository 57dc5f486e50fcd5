// SPDX-License-Identifier: MIT
#ifndef DEVICES_OPTION_TABLE_H
#define DEVICES_OPTION_TABLE_H
#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "report/filter.h"
#include "report/finding.h"

#include <stdbool.h>
#include <stdint.h>

/**
 * The options of options.def, parsed: by the `cldbg` command from its arguments, and by the driver
 * in the app's process from CLDBG_OPTIONS, where the command put them.
 */
enum dev_option {
#define OPTION(id, name, type, arg, dflt, applies, min, max, help) DEV_OPT_##id,
#include "devices/options.def"
    DEV_OPT_COUNT
};
enum dev_option_type { DEV_OPT_FLAG, DEV_OPT_NUMBER, DEV_OPT_SIZE, DEV_OPT_TEXT, DEV_OPT_LIST };
enum dev_option_use {
    DEV_FOR_APP = 1,
    DEV_FOR_RUN = 2,
    DEV_FOR_DEBUG = 4,
    DEV_FOR_EDITOR = 8,
    DEV_FOR_LINT = 16,
    DEV_FOR_DISASM = 32,
    DEV_FOR_REGIONS = 64,
    DEV_FOR_DOCTOR = 128,
    DEV_FOR_CAPTURED = 256,
    DEV_FOR_COMMON = 512, // --help shows it; --help-all shows all
    DEV_FOR_VERIFY = 1024,
    DEV_FOR_REPORT = 2048,
    DEV_FOR_STATS = 4096,
    DEV_FOR_FUZZ = 8192,
    DEV_FOR_CHECK = 16384,
    DEV_FOR_EVERY = DEV_FOR_APP | DEV_FOR_RUN | DEV_FOR_LINT | DEV_FOR_DISASM | DEV_FOR_REGIONS |
                    DEV_FOR_DOCTOR | DEV_FOR_VERIFY | DEV_FOR_REPORT | DEV_FOR_STATS |
                    DEV_FOR_FUZZ | DEV_FOR_CHECK, // subcommand
};

struct dev_option_info {
    const char *name; // without the dashes
    enum dev_option_type type;
    const char *arg;  // name of its argument; NULL: none
    const char *dflt; // for --help, or NULL
    unsigned applies; // enum dev_option_use
    uint64_t min, max;
    const char *help;
};
extern const struct dev_option_info dev_option_infos[DEV_OPT_COUNT];

struct dev_option_value {
    bool given;
    uint64_t number;        // NUMBER, SIZE
    const char *text;       // the given text (LIST: the last one)
    VEC(const char *) list; // LIST
};
/** Zeroed storage is an empty set. */
struct dev_option_set {
    struct arena arena;
    struct dev_option_value v[DEV_OPT_COUNT];
};
void dev_option_set_deinit(struct dev_option_set *s);

/** Parses one `--name[=value]`. `use` is one of enum dev_option_use. */
struct err *dev_option_parse(struct dev_option_set *s, const char *arg, unsigned use);
/** Gives an option its value as text. */
struct err *dev_option_put(struct dev_option_set *s, enum dev_option o, const char *value);
/**
 * Parses options in one string, as in CLDBG_OPTIONS: separated by blanks; "…" and '…' and \ quote.
 * Options of `cldbg run` that do not apply to an app are left out.
 */
struct err *dev_option_parse_text(struct dev_option_set *s, const char *text);
/** The inverse, for the options of a use: APP are those that an app's process needs. */
void dev_option_print(const struct dev_option_set *s, unsigned use, struct str *out);
/** --native-passes, as bits (enum nat_pass). */
struct err *dev_option_passes(const struct dev_option_set *s, unsigned *passes);
/** How many findings are shown; 0: all. */
uint64_t dev_option_max_findings(const struct dev_option_set *s);
/** --engine (enum dev_engine); the default without it. */
struct err *dev_option_engine(const struct dev_option_set *s, unsigned *engine);
/** What only shows in the values: --check's ids, the formats of --report, what is not built yet. */
struct err *dev_option_check(const struct dev_option_set *s);

/** off[k] is set for the kinds of finding that --check and --check-api leave out. */
struct err *dev_option_kinds(const struct dev_option_set *s, bool off[REP_KIND_COUNT]);
/** The path of the report, by --report and --log-file; NULL: stderr. */
struct err *dev_option_log(const struct dev_option_set *s, const char **path);
/** The other requested reports, including those of --ci. Borrowed from s. */
struct dev_reports {
    struct rep_report *data;
    size_t len, cap;
};
void dev_option_reports(const struct dev_option_set *s, struct dev_reports *out);
/** --device-model: a name or a file; NULL: the default. An error names the file and line. */
struct vm_device_model;
struct err *dev_device_model(const char *name, struct vm_device_model *out);
/** Whether costs on a device model are counted. */
bool dev_option_profiles(const struct dev_option_set *s);
/** Whether a report shows who wrote the elements around a fault. */
bool dev_option_names_writers(const struct dev_option_set *s);
/** Whether coverage is counted. */
bool dev_option_covers(const struct dev_option_set *s);
/** Whether kernels are counted for the table of --stats. */
bool dev_option_has_stats(const struct dev_option_set *s);
struct err *dev_option_launches(const struct dev_option_set *s, uint64_t *first, uint64_t *last);
/** Reads --suppressions and --baseline. The caller owns *out, also after a failure. */
struct err *dev_option_filter(const struct dev_option_set *s, struct rep_filter **out);
/** All --build-options, or --add-build-options, separated by blanks; NULL: none. */
const char *dev_option_build_options(struct dev_option_set *s, enum dev_option o);
/** The folder for captures; NULL: none. */
const char *dev_option_capture(const struct dev_option_set *s);
/** As rep_options.color, by --color and --ci. */
int dev_option_color(const struct dev_option_set *s);
#endif
