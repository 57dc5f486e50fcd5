// SPDX-License-Identifier: MIT
// `cldbg stats FILE`: the lines of a profile, the most expensive first, with what they waste, and
// the occupancy of the kernels.
#include "cli/cmd.h"

#include "base/io.h"
#include "base/mem.h"
#include "report/document.h"
#include "report/profile.h"
#include "report/sink.h"

#include <stdlib.h>
#include <string.h>

static void put_groups(struct str *s, const json_t *groups, const json_t *model)
{
    const char *kernel;
    const uint64_t most_waves = rep_json_count(model, "resident_waves"),
                   simd_width = rep_json_count(model, "simd_width");
    json_t *list, *g;
    size_t i, width = strlen("kernel");
    json_object_foreach((json_t *)groups, kernel, list)
        if (strlen(kernel) > width) width = strlen(kernel);
    if (!most_waves) return; // the model has no compute unit
    if (json_object_size(groups))
        str_printf(s, "\n%-*s %8s %11s %11s %12s %10s %15s %9s  %s\n", (int)width, "kernel",
                   "launches", "work-items", "full lanes", "local bytes", "registers",
                   "resident groups", "occupancy", "limited by");
    json_object_foreach((json_t *)groups, kernel, list)
        json_array_foreach(list, i, g) {
            const double part = (double)rep_json_count(g, "resident_waves") / (double)most_waves;
            const uint64_t lanes = rep_json_count(g, "waves") * simd_width;
            const double full = lanes ? (double)rep_json_count(g, "items") / (double)lanes : 0;
            str_printf(s, "%-*s %8llu %11llu %9.0f %% %12llu %10llu %15llu %7.0f %%  %s\n",
                       (int)width, kernel, (unsigned long long)rep_json_count(g, "launches"),
                       (unsigned long long)rep_json_count(g, "items"), 100 * full,
                       (unsigned long long)rep_json_count(g, "local_bytes"),
                       (unsigned long long)rep_json_count(g, "registers"),
                       (unsigned long long)rep_json_count(g, "resident_groups"), 100 * part,
                       rep_json_get(g, "limit"));
        }
}

static struct err *show(const char *path)
{
    json_error_t where;
    struct str text = {0}, out = {0};
    if (!io_read_file(path, &text)) return err_new("%s cannot be read: %m", path);
    json_t *const doc = json_loadb(str_text(&text), text.len, 0, &where);
    const json_t *p;
    str_deinit(&text);
    if (!doc) return err_new("%s:%d: it is not JSON: %s", path, where.line, where.text);
    struct err *e = err_wrap(rep_profile_find(doc, &p), "%s", path);
    const json_t *const model = json_object_get(p, "model");
    const unsigned width = (unsigned)rep_json_count(model, "simd_width");
    if (!e && !width) e = err_new("%s: nothing was counted: no kernel ran", path);
    if (!e) {
        str_printf(&out,
                   "device model: SIMD width %u, cache lines of %llu bytes, %llu banks of %llu "
                   "bytes\n",
                   width, (unsigned long long)rep_json_count(model, "cache_line"),
                   (unsigned long long)rep_json_count(model, "local_banks"),
                   (unsigned long long)rep_json_count(model, "bank_width"));
        rep_put_costs(&out, p, false);
        put_groups(&out, json_object_get(p, "groups"), model);
        rep_write_safe(stdout, str_text(&out));
    }
    str_deinit(&out);
    json_decref(doc);
    return e;
}

int cmd_stats(int argc, char **argv)
{
    struct dev_option_set s = {0};
    const char *path = NULL;
    struct err *e = NULL;
    for (int i = 0; i < argc && !e; i++) {
        if (argv[i][0] == '-' && argv[i][1]) e = dev_option_parse(&s, argv[i], DEV_FOR_STATS);
        else if (path) e = err_new("two files: %s and %s", path, argv[i]);
        else path = argv[i];
    }
    if (!e && cmd_help_asked(&s)) return cmd_help(&s, DEV_FOR_STATS);
    if (!e && s.v[DEV_OPT_VERSION].given) return cmd_version();
    if (!e && !path) e = err_new("no profile is named; cldbg --profile=FILE ./app writes one");
    if (!e) e = show(path);
    dev_option_set_deinit(&s);
    return e ? cmd_fail(CMD_RUN_FAILED, e) : CMD_OK;
}
