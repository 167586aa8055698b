#!/usr/bin/env bash
# Install the build in a folder of its own; there, build the README's program with CMake (shared and static) and with
# pkg-config (shared and static), and run all four.
#
#   run.sh SOURCE_FOLDER BUILD_FOLDER SCRATCH_FOLDER
set -euo pipefail
source_folder=$1 build_folder=$2 scratch=$3
example=$source_folder/examples/first_scan.c
rm -rf "$scratch"
mkdir -p "$scratch"
cmake --install "$build_folder" --prefix "$scratch/prefix" >"$scratch/install.log"

cmake -S "$source_folder/tests/install/consumer" -B "$scratch/consumer" -DCMAKE_PREFIX_PATH="$scratch/prefix" \
      -DCLSCAN_EXAMPLE="$example" >"$scratch/configure.log"
cmake --build "$scratch/consumer" >"$scratch/build.log"

# pkg-config splits paths at blanks, so it sees the prefix through a link without any.
link_folder=$(mktemp -d)
trap 'rm -rf "$link_folder"' EXIT
ln -s "$(realpath "$scratch/prefix")" "$link_folder/prefix"
pc_folder=$(dirname "$(find "$link_folder/prefix/" -name clscan.pc)")
lib_folder=$(dirname "$pc_folder")
export PKG_CONFIG_PATH=$pc_folder
# The package may have been configured for another prefix than the one it is installed to.
pc() { pkg-config --define-variable=prefix="$link_folder/prefix" "$@" clscan; }
read -ra cflags <<<"$(pc --cflags)"
read -ra libs <<<"$(pc --libs)"
read -ra static_libs <<<"$(pc --static --libs)"
cc -std=c11 "$example" "${cflags[@]}" "${libs[@]}" -Wl,-rpath,"$(realpath "$lib_folder")" -o "$scratch/by_pkg_config"
cc -std=c11 "$example" "${cflags[@]}" "${static_libs[@]/-lclscan/-l:libclscan.a}" -o "$scratch/by_pkg_config_static"

for program in consumer/consumer_shared consumer/consumer_static by_pkg_config by_pkg_config_static; do
    output=$("$scratch/$program")
    if [[ $output != "3 ... 31" ]]; then
        echo "$program printed: $output"
        exit 1
    fi
    echo "ok $program"
done
exported=$(nm -D --defined-only "$lib_folder/libclscan.so" | awk '$3 !~ /^clscan_[a-z]/ && $2 ~ /[TDBR]/ {print $3}')
if [[ -n $exported ]]; then
    echo "exported without the public prefix: $exported"
    exit 1
fi
