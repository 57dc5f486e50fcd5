// SPDX-License-Identifier: MIT
// For Catch2: a test case fails if cldbg finds errors in the OpenCL kernels that it launches. The report is the failure's message.
//
//     #include <cldbg_catch2.h>
//
// in one source file of the tests, with Catch2 2 before any other header of Catch2 (unless CATCH_CONFIG_MAIN is defined).
// A test case with sections has a report for each run of the test case. Without cldbg the tests run as before.
#ifndef CLDBG_CATCH2_H
#define CLDBG_CATCH2_H
#include "cldbg_scope.h"

#if __has_include(<catch2/catch.hpp>) // Catch2 2
#ifndef CATCH_CONFIG_EXTERNAL_INTERFACES
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#endif
#include <catch2/catch.hpp>
namespace cldbg
{
using catch2_listener_base = Catch::TestEventListenerBase;
}
#else // Catch2 3
#include <catch2/catch_test_macros.hpp>
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>
namespace cldbg
{
using catch2_listener_base = Catch::EventListenerBase;
}
#endif

namespace cldbg
{
class catch2_listener : public catch2_listener_base
{
    scope test;
    unsigned depth = 0; // the test case is the outermost section

public:
    using catch2_listener_base::catch2_listener_base;

    void sectionStarting(const Catch::SectionInfo &section) override
    {
        catch2_listener_base::sectionStarting(section);
        if (!depth++) test.begin();
    }

    // Listeners are called before the reporter, so the failure still belongs to the test case.
    void sectionEnded(const Catch::SectionStats &stats) override
    {
        catch2_listener_base::sectionEnded(stats);
        if (--depth) return;
        const std::string found = test.end();
        if (found.empty()) return;
#ifdef CATCH_CONFIG_PREFIX_ALL
        CATCH_FAIL_CHECK(found);
#else
        FAIL_CHECK(found);
#endif
    }
};

CATCH_REGISTER_LISTENER(catch2_listener)
} // namespace cldbg
#endif
