#!/usr/bin/env bash
# Runs a test again where PoCL has ended it: before 6.0 it counts down the references of the wrong one of its loaded
# kernels, now and then, when a kernel runs in one queue while another queue asks for more work-groups of it than any
# before (docs/devices.md). Such a run says nothing about the test.
#
#   past_pocl.sh COMMAND [ARGUMENT ...]
set -uo pipefail
most_runs=4
output=$(mktemp)
trap 'rm -f "$output"' EXIT
for ((run = 1; run <= most_runs; ++run)); do
    "$@" 2>&1 | tee "$output"
    status=${PIPESTATUS[0]}
    if ((status == 0)) || ! grep -q 'pocl_release_dlhandle_cache: Assertion' "$output"; then
        break
    fi
    echo "PoCL has ended run $run of $most_runs"
done
exit "$status"
