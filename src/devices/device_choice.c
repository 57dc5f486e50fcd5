// SPDX-License-Identifier: MIT
// Which device the options choose.
#include "devices/dev.h"

const struct dev_device_ops *dev_chosen(void)
{
    const struct dev_settings *s = dev_settings();
    return s->native                           ? &dev_native
           : s->both                           ? &dev_both
           : s->engine != DEV_ENGINE_INTERPRET ? &dev_compiled
                                               : &dev_interp;
}
