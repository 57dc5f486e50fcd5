// SPDX-License-Identifier: MIT
// The findings of a part of a test program: what the listeners of GoogleTest and Catch2 use, for other frameworks.
//
// Without cldbg nothing is found. Nothing is linked: under cldbg the functions are found at run time (link with -ldl before glibc 2.34).
#ifndef CLDBG_SCOPE_H
#define CLDBG_SCOPE_H
#include <cstdlib>
#include <dlfcn.h>
#include <string>

namespace cldbg
{
class scope
{
    using begin_fn = void (*)();
    using end_fn = char *(*)(unsigned *errors, unsigned *warnings);
    begin_fn begin_scope = reinterpret_cast<begin_fn>(find("cldbgBeginScope"));
    end_fn end_scope = reinterpret_cast<end_fn>(find("cldbgEndScope"));

    static void *find(const char *name)
    {
        using address_fn = void *(*)(const char *);
        const auto address_of =
            reinterpret_cast<address_fn>(dlsym(RTLD_DEFAULT, "clGetExtensionFunctionAddress"));
        return address_of ? address_of(name) : nullptr;
    }

public:
    void begin() const
    {
        if (begin_scope) begin_scope();
    }

    /// The message of a failure if cldbg has found errors since begin(), otherwise empty.
    std::string end() const
    {
        unsigned errors = 0, warnings = 0;
        char *const text = end_scope ? end_scope(&errors, &warnings) : nullptr;
        std::string message;
        if (errors) message = "cldbg found errors in the kernels of this test:\n";
        if (errors && text) message += text;
        std::free(text);
        return message;
    }
};
} // namespace cldbg
#endif
