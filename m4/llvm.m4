# SPDX-License-Identifier: MIT
# CLDBG_LLVM: finds the llvm-config of a version that cldbg supports (19 is the main one, 22 must
# work) and sets LLVM_CONFIG, LLVM_CPPFLAGS, LLVM_LDFLAGS, LLVM_LIBS, LLVM_VERSION_MAJOR and the
# CLANG of the same version. A Debian 12 machine also has LLVM 14 as plain `llvm-config`, so the
# versioned names come first and a plain one is taken only when its version fits.
AC_DEFUN([CLDBG_LLVM], [
AC_ARG_VAR([LLVM_CONFIG], [llvm-config of LLVM 19 or 22])
AC_ARG_VAR([CLANG], [clang of the same version, run to compile kernels])
cldbg_found=`command -v "$LLVM_CONFIG"` # a name alone would not be looked at by what follows
AS_IF([test -n "$LLVM_CONFIG" && test -z "$cldbg_found"], [AC_MSG_ERROR([LLVM_CONFIG=$LLVM_CONFIG: there is no such program])])
LLVM_CONFIG=$cldbg_found
AC_PATH_PROGS([LLVM_CONFIG], [llvm-config-19 llvm-config-22 llvm-config-21 llvm-config-20 llvm-config])
AS_IF([test -z "$LLVM_CONFIG"],
  [AC_MSG_ERROR([LLVM is missing; on Debian: apt-get install llvm-19-dev])])
LLVM_VERSION=`$LLVM_CONFIG --version`
LLVM_VERSION_MAJOR=`echo "$LLVM_VERSION" | cut -d. -f1`
AC_MSG_CHECKING([whether LLVM $LLVM_VERSION will do])
AS_IF([test "$LLVM_VERSION_MAJOR" -ge 19], [AC_MSG_RESULT([yes])],
  [AC_MSG_RESULT([no])
   AC_MSG_ERROR([LLVM 19 or newer is needed, $LLVM_CONFIG is $LLVM_VERSION; on Debian: apt-get install llvm-19-dev])])
LLVM_CPPFLAGS="-I`$LLVM_CONFIG --includedir`"
LLVM_LDFLAGS="-L`$LLVM_CONFIG --libdir`"
LLVM_LIBS=`$LLVM_CONFIG --libs`
AC_SUBST([LLVM_CPPFLAGS])
AC_SUBST([LLVM_LDFLAGS])
AC_SUBST([LLVM_LIBS])
AC_SUBST([LLVM_VERSION_MAJOR])
AS_IF([test -z "$CLANG"], [
  AC_PATH_PROGS([CLANG], [clang-$LLVM_VERSION_MAJOR clang], [], [`$LLVM_CONFIG --bindir`:$PATH])
])
AS_IF([test -z "$CLANG"],
  [AC_MSG_ERROR([clang-$LLVM_VERSION_MAJOR is missing; on Debian: apt-get install clang-$LLVM_VERSION_MAJOR])])
CLANG=`command -v "$CLANG" || echo "$CLANG"`
AC_MSG_CHECKING([whether $CLANG is of LLVM $LLVM_VERSION_MAJOR])
cldbg_found=`"$CLANG" --version 2>/dev/null | sed -n 's/.*clang version \(@<:@0-9@:>@*\)\..*/\1/p'`
AS_IF([test "$cldbg_found" = "$LLVM_VERSION_MAJOR"], [AC_MSG_RESULT([yes])],
  [AC_MSG_RESULT([no])
   AC_MSG_ERROR([$CLANG is not of version $LLVM_VERSION_MAJOR, as $LLVM_CONFIG is: LLVM may not read what it writes. CLANG=clang-$LLVM_VERSION_MAJOR chooses another])])
AC_DEFINE_UNQUOTED([CLDBG_CLANG_PATH], ["$CLANG"], [The clang that compiles kernels; the variable CLDBG_CLANG overrides it])
AC_DEFINE_UNQUOTED([CLDBG_LLVM_MAJOR], [$LLVM_VERSION_MAJOR], [The version of LLVM])
])
