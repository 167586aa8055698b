#!/usr/bin/env bash
# The fault layer knows every OpenCL call that the library makes, but releases.
#
#   check_fault_layer.sh LIBRARY HEADER
set -euo pipefail
missing=0 known=0
while read -r call; do
    if grep -q "X($call)" "$2"; then
        known=$((known + 1))
    else
        echo "$call is not in TEST_FAULT_CALL_LIST of $2" >&2
        missing=1
    fi
done < <(nm -D --undefined-only "$1" | grep -oE '\bcl[A-Z][A-Za-z]*' | grep -v '^clRelease')
echo "$known calls can be made to fail"
[[ $known -gt 20 && $missing -eq 0 ]]
