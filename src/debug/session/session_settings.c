// SPDX-License-Identifier: MIT
#include "debug/session/session_settings.h"

struct dbg_settings dbg_settings = {.stop_on_findings = true,
                                    .confirm = true,
                                    .locking = DBG_LOCK_STEP,
                                    .paginate = true,
                                    .list_size = 10,
                                    .print_elements = 200,
                                    .history_limit = 256 << 20};
