// SPDX-License-Identifier: MIT
// For GoogleTest: a test fails if cldbg finds errors in the OpenCL kernels that it launches. The report is the failure's message.
//
//     #include <cldbg_gtest.h>
//     int main(int argc, char **argv)
//     {
//         testing::InitGoogleTest(&argc, argv);
//         cldbg::add_listener();
//         return RUN_ALL_TESTS();
//     }
//
// Without cldbg the tests run as before.
#ifndef CLDBG_GTEST_H
#define CLDBG_GTEST_H
#include "cldbg_scope.h"

#include <gtest/gtest.h>

namespace cldbg
{
class listener : public testing::EmptyTestEventListener
{
    scope test;

    void OnTestStart(const testing::TestInfo &) override { test.begin(); }

    void OnTestEnd(const testing::TestInfo &) override
    {
        const std::string found = test.end();
        if (!found.empty()) ADD_FAILURE() << found;
    }
};

/** Call it once, after testing::InitGoogleTest. */
inline void add_listener()
{
    testing::UnitTest::GetInstance()->listeners().Append(new listener);
}
} // namespace cldbg
#endif
