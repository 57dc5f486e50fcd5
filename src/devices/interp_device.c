// SPDX-License-Identifier: MIT
// The checking device: the lane interpreter.
#include "devices/dev.h"
#include "devices/schedules.h"
#include "devices/statistics.h"

#include <time.h>

static void *program_load(const struct bc_module *m, struct dev_blob native, struct err **e)
{
    return vm_program_create(m, e);
}

static void program_unload(void *program) { vm_program_destroy(program); }

static char *variable(void *program, uint32_t object) { return vm_program_object(program, object); }

static struct err *launch(void *program, const struct vm_launch *l)
{
    struct vm_launch v = *l;
    v.program = program;
    if (!dev_settings()->statistics) return dev_run_schedules(&v, NULL);
    struct timespec begin, end;
    struct vm_stats st;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    struct err *e = dev_run_schedules(&v, &st);
    clock_gettime(CLOCK_MONOTONIC, &end);
    const int64_t ns = (int64_t)(end.tv_sec - begin.tv_sec) * 1000000000 + end.tv_nsec -
                       begin.tv_nsec;
    dev_statistics_add(vm_program_module(program), &v, &st, (uint64_t)ns);
    return e;
}

const struct dev_device_ops dev_interp = {
    .name = "interp",
    .program_load = program_load,
    .program_unload = program_unload,
    .launch = launch,
    .variable = variable,
};

const struct dev_device_ops *dev_chosen(void)
{
    const struct dev_settings *s = dev_settings();
    return s->native ? &dev_native : s->both ? &dev_both : &dev_interp;
}
