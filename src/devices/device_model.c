// SPDX-License-Identifier: MIT
// --device-model: one of the models of device_models.def, or a file of lines `name = number`.
#include "devices/option_table.h"

#include "base/io.h"
#include "base/str.h"
#include "interp/vm.h"

#include <stdlib.h>
#include <string.h>

struct parameters {
    unsigned simd_width, cache_line, local_banks, bank_width, local_memory, registers,
        resident_waves, resident_groups;
};
static const struct {
    const char *name;
    struct parameters p;
} models[] = {
#define MODEL(name, ...) {name, {__VA_ARGS__}},
#include "devices/device_models.def"
};

static const struct {
    const char *name;
    size_t at;
    unsigned least, most;
} fields[] = {
    {"simd_width", offsetof(struct parameters, simd_width), 16, VM_MAX_SIMD_WIDTH},
    {"cache_line", offsetof(struct parameters, cache_line), 16, 4096},
    {"local_banks", offsetof(struct parameters, local_banks), 1, VM_MAX_BANKS},
    {"bank_width", offsetof(struct parameters, bank_width), 1, 64},
    {"local_memory", offsetof(struct parameters, local_memory), 1024, 1 << 24},
    {"registers", offsetof(struct parameters, registers), 1024, 1 << 24},
    {"resident_waves", offsetof(struct parameters, resident_waves), 1, 1024},
    {"resident_groups", offsetof(struct parameters, resident_groups), 1, 1024},
};

static struct err *set_field(struct parameters *p, const char *path, unsigned number,
                             const char *line)
{
    char name[32], rest[2];
    unsigned value;
    const int n = sscanf(line, " %31[a-z_] = %u %1s", name, &value, rest);
    if (n == EOF || line[strspn(line, " \t\r")] == '#' || !line[strspn(line, " \t\r")]) return NULL;
    if (n != 2) return err_new("%s:%u: `name = number` is expected", path, number);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (strcmp(fields[i].name, name)) continue;
        if (value < fields[i].least || value > fields[i].most || value & (value - 1))
            return err_new("%s:%u: %s must be a power of two from %u to %u", path, number, name,
                           fields[i].least, fields[i].most);
        *(unsigned *)((char *)p + fields[i].at) = value;
        return NULL;
    }
    return err_new("%s:%u: there is no '%s'; simd_width, cache_line, local_banks, bank_width, "
                   "local_memory, registers, resident_waves and resident_groups can be set",
                   path, number, name);
}

static struct err *read_model(struct parameters *p, const char *path)
{
    struct str text = {0};
    struct err *e = NULL;
    if (!io_read_file(path, &text)) {
        str_deinit(&text);
        return err_new("--device-model=%s: it is neither generic-32 nor generic-64, and no file of "
                       "that name can be read: %m",
                       path);
    }
    char *rest = text.data, *line;
    for (unsigned n = 1; !e && (line = strsep(&rest, "\n")); n++) e = set_field(p, path, n, line);
    str_deinit(&text);
    return err_wrap(e, "--device-model");
}

struct err *dev_device_model(const char *name, struct vm_device_model *out)
{
    struct parameters p = models[0].p;
    struct err *e = NULL;
    bool known = !name;
    for (size_t i = 0; i < sizeof models / sizeof *models && !known; i++)
        if (!strcmp(models[i].name, name)) p = models[i].p, known = true;
    if (!known) e = read_model(&p, name);
    *out = (struct vm_device_model){.simd_width = p.simd_width,
                                    .line_shift = (uint8_t)__builtin_ctz(p.cache_line),
                                    .banks = p.local_banks,
                                    .bank_shift = (uint8_t)__builtin_ctz(p.bank_width),
                                    .local_memory = p.local_memory,
                                    .registers = p.registers,
                                    .resident_waves = p.resident_waves,
                                    .resident_groups = p.resident_groups};
    return e;
}
