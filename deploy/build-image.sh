#!/bin/sh
# Builds the container image without Docker, with buildah, from the repository after `npm run release`:
#
#   sh deploy/build-image.sh
#
# Its base is a Debian made with debootstrap, thinned like Debian's slim images, and built only once. BASE_IMAGE names
# an image to use instead, such as docker.io/library/debian:bookworm-slim. IMAGE names the result, localhost/pipit by
# default. Needs root, buildah and debootstrap. DEBIAN_MIRROR names another mirror of Debian, with
# DEBIAN_MIRROR-security beside it. After `buildah rmi localhost/pipit-base`, the next run builds the base again with
# the latest security updates.
set -eu
cd -- "$(dirname -- "$0")/.."
image=${IMAGE:-localhost/pipit}
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
own_base=localhost/pipit-base

say() { printf '%s\n' "$*" >&2; }
fail() {
  say "build-image.sh: $*"
  exit 1
}

[ "$(id -u)" = 0 ] || fail 'Run it as root: it unpacks a Debian with its owners.'
command -v buildah >/dev/null || fail 'Install buildah.'
ls build/release/*.tar.gz >/dev/null 2>&1 || fail 'Run `npm run release` first.'

# Programs run in a chroot: no container runtime is needed to build.
export BUILDAH_ISOLATION=chroot

make_base() {
  command -v debootstrap >/dev/null || fail 'Install debootstrap, or name an image in BASE_IMAGE.'
  folder=$(mktemp -d)
  trap 'rm -rf -- "$folder"' EXIT INT TERM
  say "Unpacking Debian 12 from $mirror …"
  debootstrap --variant=minbase bookworm "$folder/root" "$mirror" >"$folder/log" 2>&1 ||
    fail "debootstrap failed: $(tail -n 3 "$folder/log")"
  update "$folder/root" >"$folder/log" 2>&1 ||
    fail "the security updates failed: $(tail -n 3 "$folder/log")"
  thin "$folder/root"
  container=$(buildah from scratch)
  buildah add --quiet "$container" "$folder/root" / >/dev/null
  buildah config --cmd sh "$container"
  buildah commit --quiet --rm "$container" "$own_base" >/dev/null
  rm -rf -- "$folder"
}

# Installs security updates, which debootstrap leaves out.
update() {
  printf 'deb %s bookworm main\n' "$mirror" >"$1/etc/apt/sources.list"
  printf 'deb %s-security bookworm-security main\n' "$mirror" >>"$1/etc/apt/sources.list"
  chroot "$1" apt-get -q update &&
    DEBIAN_FRONTEND=noninteractive chroot "$1" apt-get -q -y upgrade
}

# Removes the files that Debian's slim images leave out, and the lists, caches and logs of apt.
thin() {
  rm -rf "$1"/usr/share/doc/* "$1"/usr/share/man/* "$1"/usr/share/info/* "$1"/usr/share/locale/* \
    "$1"/usr/share/groff/* "$1"/usr/share/lintian/* "$1"/usr/share/linda/* \
    "$1"/var/lib/apt/lists/* "$1"/var/cache/apt/* "$1"/var/log/*
}

base=${BASE_IMAGE:-$own_base}
if [ "$base" = "$own_base" ]; then
  buildah inspect --type image "$own_base" >/dev/null 2>&1 || make_base
fi
buildah build --quiet --format docker --build-arg "BASE_IMAGE=$base" --file deploy/Dockerfile --tag "$image" . >/dev/null
buildah images "$image"
