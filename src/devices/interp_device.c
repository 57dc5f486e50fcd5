// SPDX-License-Identifier: MIT
// The checking device: the lane interpreter.
#include "devices/dev.h"

static void *program_load(const struct bc_module *m, struct dev_blob native, struct err **e)
{
    struct vm_program *p = vm_program_create(m);
    if (!p) *e = err_new("out of memory");
    return p;
}

static void program_unload(void *program) { vm_program_destroy(program); }

static struct err *launch(void *program, const struct vm_launch *l)
{
    struct vm_launch v = *l;
    v.program = program;
    return vm_run(&v, NULL);
}

const struct dev_device_ops dev_interp = {
    .name = "interp",
    .program_load = program_load,
    .program_unload = program_unload,
    .launch = launch,
};

const struct dev_device_ops *dev_chosen(void)
{
    const struct dev_settings *s = dev_settings();
    return s->native ? &dev_native : s->both ? &dev_both : &dev_interp;
}
