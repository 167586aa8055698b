#!/usr/bin/env bash
# Compile each public header by itself as C++98, without extensions or warnings.
#
#   compile_headers.sh COMPILER HEADER_FOLDER INCLUDE_FOLDERS [SYSTEM_FOLDERS]
#
# Both are lists of CMake's; what is included from system folders may be as it likes.
set -uo pipefail
compiler=$1 folder=$2 failures=0
IFS=';' read -ra includes <<<"$3"
IFS=';' read -ra system <<<"${4:-}"
for header in "$folder"/clscan/*.h; do
    if ! echo "#include <clscan/$(basename "$header")>" |
        "$compiler" -x c++ -std=c++98 -pedantic-errors -Wall -Wextra -Werror -fsyntax-only \
            -DCL_TARGET_OPENCL_VERSION=300 "${includes[@]/#/-I}" "${system[@]/#/-isystem}" -; then
        failures=$((failures + 1))
    fi
done
echo "$failures headers do not compile"
exit $((failures > 0))
