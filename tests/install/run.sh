#!/usr/bin/env bash
# Install the build in a folder of its own, and use it from there.
#
#   run.sh SOURCE_FOLDER BUILD_FOLDER SCRATCH_FOLDER
set -euo pipefail
source_folder=$1 build_folder=$2 scratch=$3
rm -rf "$scratch"
mkdir -p "$scratch"
cmake --install "$build_folder" --prefix "$scratch/prefix" >"$scratch/install.log"
"$source_folder/tests/install/use.sh" "$source_folder" "$scratch" "$scratch/prefix"
