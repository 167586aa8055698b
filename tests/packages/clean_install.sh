#!/usr/bin/env bash
# Install the Debian packages in a fresh minimal system of this machine's release, use them, remove them, and see that
# nothing of them stays. Needs root, and the network of this machine's apt.
#
#   clean_install.sh SOURCE_FOLDER PACKAGE_FOLDER
set -euo pipefail

# Mounts of a namespace of its own go away with it, whatever happens.
if [[ ${1:-} != --inside ]]; then
    system=$(mktemp -d)
    trap 'rm -rf --one-file-system "$system"' EXIT
    unshare --mount --pid --fork --kill-child \
        "${BASH_SOURCE[0]}" --inside "$(realpath "$1")" "$(realpath "$2")" "$system"
    exit
fi
source_folder=$2 package_folder=$3 system=$4
PATH=$PATH:/usr/sbin:/sbin
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# What takes a while, silently unless it fails.
quietly() {
    "$@" >"$log" 2>&1 || {
        cat "$log" >&2
        echo "clean_install.sh: this failed: $*" >&2
        exit 1
    }
}

# HOME is in /tmp, where anybody may leave files.
inside() {
    chroot "$system" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp LC_ALL=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive "$@"
}
apt() { quietly inside apt-get -q -y -o APT::Install-Recommends=false "$@"; }

all_files() {
    find "$system" -xdev \( -path "$system/tmp" -o -path "$system/var/cache" -o -path "$system/var/log" -o \
        -path "$system/var/lib/apt" -o -path "$system/var/lib/dpkg" -o -path "$system/proc" -o -path "$system/sys" -o \
        -path "$system/dev" \) -prune -o -printf '/%P\n' | sort
}

codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(apt-get indextargets --format '$(CODENAME) $(REPO_URI)' 'Created-By: Packages' |
    awk -v codename="$codename" '$1 == codename && $2 ~ /\/(debian|ubuntu)\/?$/ {print $2; exit}')
if [[ -z $mirror ]]; then
    echo "clean_install.sh: apt knows no mirror of $codename" >&2
    exit 1
fi
echo "a minimal $codename from $mirror"
quietly debootstrap --variant=minbase "$codename" "$system" "$mirror"
apt-config dump Acquire | grep -i proxy >"$system/etc/apt/apt.conf.d/proxy" || true
mount -t proc proc "$system/proc"
mount --rbind /sys "$system/sys"
mount --rbind /dev "$system/dev"
mkdir "$system/tmp/packages" "$system/tmp/source" "$system/tmp/scratch"
cp "$package_folder"/*.deb "$system/tmp/packages"
cp -r --parents "$source_folder/tests/install" "$source_folder/examples" "$system/tmp"
mv "$system/tmp$source_folder"/* "$system/tmp/source"

apt update
apt install pocl-opencl-icd gcc libc6-dev cmake make pkg-config
all_files >"$system/tmp/before"

library=$(cd "$package_folder" && echo libclscan[0-9]*.deb)
tools=$(cd "$package_folder" && echo clscan-tools_*.deb)
development=$(cd "$package_folder" && echo libclscan-dev_*.deb)
apt install "/tmp/packages/$library" "/tmp/packages/$tools"
inside clscan devices | tee "$system/tmp/devices"
grep -qi pocl "$system/tmp/devices"
echo "ok the tools, with the library alone"
apt install "/tmp/packages/$development"
inside /tmp/source/tests/install/use.sh /tmp/source /tmp/scratch

names=(libclscan-dev clscan-tools "${library%%_*}")
apt purge --autoremove "${names[@]}"
all_files >"$system/tmp/after"
diff "$system/tmp/before" "$system/tmp/after" || {
    echo "clean_install.sh: the packages left something behind, or took something away, see above" >&2
    exit 1
}
known=$(inside dpkg-query --show --showformat '${db:Status-Abbrev} ${Package}\n' "${names[@]}" 2>/dev/null || true)
if [[ -n $known ]]; then
    echo "clean_install.sh: dpkg still knows of: $known" >&2
    exit 1
fi
echo "ok removed without a trace"
