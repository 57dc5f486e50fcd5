// SPDX-License-Identifier: MIT
#include "cli/dap_client.h"
#include "report/finding.h"

static void add_filter(json_t *list, const char *id, const char *label, const char *description)
{
    json_array_append_new(
        list, json_pack("{s:s, s:s, s:s, s:b, s:s}", "filter", id, "label", label, "description",
                        description, "supportsCondition", 1, "conditionDescription",
                        "an expression in the work-item, such as get_global_id(0) == 5"));
}

json_t *dap_capabilities(void)
{
    static const char *const can[] = {
#define CAN(name) name,
#include "debug/adapter/capabilities.def"
#undef CAN
    };
    json_t *body = json_object();
    for (size_t i = 0; i < sizeof can / sizeof *can; i++)
        json_object_set_new(body, can[i], json_true());
    json_t *filters = json_array();
    add_filter(filters, "findings", "All findings", "the first finding of each kind and location");
    for (int i = 0; i < REP_KIND_COUNT; i++)
        add_filter(filters, rep_kinds[i].id, rep_kinds[i].id, rep_kinds[i].what);
    add_filter(filters, "launch-end", "End of each kernel launch",
               "all work-items have returned; buffers can be examined");
    json_object_set_new(json_array_get(filters, 0), "default", json_true());
    json_object_set_new(body, "exceptionBreakpointFilters", filters);
    json_object_set_new(
        body, "additionalModuleColumns",
        json_pack("[{s:s, s:s}]", "attributeName", "buildOptions", "label", "Build options"));
    return body;
}
