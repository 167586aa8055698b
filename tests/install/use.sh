#!/usr/bin/env bash
# With an installed clscan, build the README's program with CMake (shared and static) and with pkg-config (shared and
# static), and run all four. See that what cannot be had is refused by name.
#
#   use.sh SOURCE_FOLDER SCRATCH_FOLDER [PREFIX]
#
# Without PREFIX the compiler, CMake and pkg-config find clscan where they look by themselves.
set -euo pipefail
source_folder=$(realpath "$1") scratch=$(realpath "$2") prefix=${3:+"$(realpath "$3")"}
example=$source_folder/examples/first_scan.c

# configure PROJECT NAME OPTION...: configure the README's program as that project, in a folder of that name.
configure() {
    local project=$1 name=$2
    shift 2
    mkdir -p "$scratch/source/$project"
    cp "$source_folder/tests/install/$project/CMakeLists.txt" "$scratch/source/$project/"
    cp "$example" "$scratch/source/$project/app.c"
    cmake -S "$scratch/source/$project" -B "$scratch/$name" ${prefix:+"-DCMAKE_PREFIX_PATH=$prefix"} "$@" \
        >"$scratch/$name.log" 2>&1
}

must_run() {
    local program output
    for program in "$@"; do
        output=$("$scratch/$program")
        if [[ $output != "3 ... 31" ]]; then
            echo "$program printed: $output" >&2
            exit 1
        fi
        echo "ok $program"
    done
}

must_build() {
    local name=$2
    if ! configure "$@" || ! cmake --build "$scratch/$name" >>"$scratch/$name.log" 2>&1; then
        cat "$scratch/$name.log" >&2
        exit 1
    fi
}

# must_refuse NAME WORD OPTION...: this cannot be configured, and the message has that word.
must_refuse() {
    local name=$1 word=$2
    shift 2
    if configure parts "$name" "$@" || ! grep -q "$word" "$scratch/$name.log"; then
        echo "configuring with $* should fail and say '$word'; see $scratch/$name.log" >&2
        exit 1
    fi
    echo "ok $name"
}

must_build consumer consumer
must_run consumer/app consumer/app_static
# Without pkg-config there is no jansson, which only the static library needs.
must_build parts shared_alone -DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON
must_run shared_alone/app
must_refuse refused_static jansson -DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON -DWANTED_COMPONENTS=static
must_refuse refused_version '"0.2"' -DWANTED_VERSION=0.2
must_refuse refused_component sharde -DWANTED_COMPONENTS=sharde

pc() { pkg-config "$@" clscan; }
rpath=()
if [[ -n $prefix ]]; then
    # pkg-config splits paths at blanks, so it sees the prefix through a link without any.
    link_folder=$(mktemp -d)
    trap 'rm -rf "$link_folder"' EXIT
    ln -s "$prefix" "$link_folder/prefix"
    PKG_CONFIG_PATH=$(dirname "$(find "$link_folder/prefix/" -name clscan.pc)")
    export PKG_CONFIG_PATH
    rpath=("-Wl,-rpath,$(realpath "$PKG_CONFIG_PATH/..")")
fi
read -ra cflags <<<"$(pc --cflags)"
read -ra libs <<<"$(pc --libs)"
read -ra static_libs <<<"$(pc --static --libs)"
cc -std=c11 "$example" "${cflags[@]}" "${libs[@]}" "${rpath[@]}" -o "$scratch/by_pkg_config"
cc -std=c11 "$example" "${cflags[@]}" "${static_libs[@]/-lclscan/-l:libclscan.a}" -o "$scratch/by_pkg_config_static"
must_run by_pkg_config by_pkg_config_static
