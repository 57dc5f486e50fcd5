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
// Without cldbg the tests run as before. Nothing is linked: under cldbg the functions are found at run time (link with -ldl before glibc 2.34).
#ifndef CLDBG_GTEST_H
#define CLDBG_GTEST_H
#include <cstdlib>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <string>

namespace cldbg
{
class listener : public testing::EmptyTestEventListener
{
    using begin_fn = void (*)();
    using end_fn = char *(*)(unsigned *errors, unsigned *warnings);
    begin_fn begin = reinterpret_cast<begin_fn>(find("cldbgBeginScope"));
    end_fn end = reinterpret_cast<end_fn>(find("cldbgEndScope"));

    static void *find(const char *name)
    {
        using address_fn = void *(*)(const char *);
        const auto address_of =
            reinterpret_cast<address_fn>(dlsym(RTLD_DEFAULT, "clGetExtensionFunctionAddress"));
        return address_of ? address_of(name) : nullptr;
    }

    void OnTestStart(const testing::TestInfo &) override
    {
        if (begin) begin();
    }

    void OnTestEnd(const testing::TestInfo &) override
    {
        unsigned errors = 0, warnings = 0;
        char *const text = end ? end(&errors, &warnings) : nullptr;
        if (errors) ADD_FAILURE() << "cldbg found errors in the kernels of this test:\n" << text;
        std::free(text);
    }
};

/** Call it once, after testing::InitGoogleTest. */
inline void add_listener()
{
    testing::UnitTest::GetInstance()->listeners().Append(new listener);
}
} // namespace cldbg
#endif
