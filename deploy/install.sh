#!/bin/sh
# Installs Pipit for one user, without root, npm or a compiler:
#
#   curl -fsSL URL/install.sh | sh                      installs or updates
#   curl -fsSL URL/install.sh | sh -s -- --uninstall    removes it, and keeps its data
#
# URL is the folder that `npm run release` wrote. Node is part of the archive. Every version is
# installed in its own folder, and one rename switches to it, so that a failed update leaves the old version in place.
set -eu

# `npm run release -- --url URL` writes the address here.
release_url=''

# Space in KiB for the archive and its unpacked files.
needed_kib=260000

main() {
  action=install
  while [ $# -gt 0 ]; do
    case $1 in
      --from) [ $# -gt 1 ] || fail 'Write the address of the release after --from.'; release_url=$2; shift ;;
      --uninstall) action=uninstall ;;
      -h | --help) usage; exit 0 ;;
      *) usage >&2; fail "$1 is not an option of this script." ;;
    esac
    shift
  done
  [ -n "${HOME:-}" ] || fail 'HOME is not set: set it to your home folder.'
  data="${XDG_DATA_HOME:-$HOME/.local/share}/pipit"
  apps="$data/app"
  link="$HOME/.local/bin/pipit"
  manual="$HOME/.local/share/man/man1/pipit.1"
  "$action"
}

usage() {
  echo 'Usage: install.sh [--from URL] [--uninstall]'
  echo "  --from URL     folder with SHA256SUMS and the archives${release_url:+ (default: $release_url)}"
  echo '  --uninstall    remove Pipit, and keep its data'
}

install() {
  check_url
  platform=$(platform_of_this_machine)
  for tool in tar gzip mktemp; do
    has "$tool" || fail "This needs $tool, which is not installed: install it and run this again."
  done
  has curl || has wget || fail 'This needs curl or wget: install one of them and run this again.'
  has sha256sum || has shasum || has openssl ||
    fail 'This needs sha256sum, shasum or openssl to check the download: install one of them.'
  check_link "$link"
  make_folders
  work=$(mktemp -d "$apps/.install-XXXXXX") || fail "Nothing can be written to $apps."
  trap 'rm -rf "$work"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  check_space

  download SHA256SUMS
  archive=$(sed -n "s/^[0-9a-f]\{64\}  \(pipit-[0-9A-Za-z.-]*-$platform\.tar\.gz\)\$/\1/p" "$work/SHA256SUMS" | head -n 1)
  [ -n "$archive" ] || fail "$release_url has no archive for $platform."
  echo "Downloading $release_url/$archive …"
  download "$archive"
  expected=$(sed -n "s/^\([0-9a-f]\{64\}\)  $archive\$/\1/p" "$work/SHA256SUMS" | head -n 1)
  actual=$(sha256_of "$work/$archive")
  [ "$actual" = "$expected" ] || fail "$archive has the SHA-256 $actual instead of $expected: the download is damaged or was changed. Try again later."
  tar -xzf "$work/$archive" -C "$work" || fail "$archive could not be unpacked into $apps: see the message above."
  rm -f "$work/$archive"
  name=${archive%.tar.gz}
  version=$("$work/$name/bin/pipit" --version) ||
    fail "Pipit does not run on this machine: see the message above. It needs glibc 2.34 or newer."
  switch_to "$version"
}

# Moves the new folder to its final name, then replaces the link with a single rename, which is atomic.
switch_to() {
  previous=$(readlink "$link" 2>/dev/null || true)
  folder="$apps/$1-$(date +%Y%m%d%H%M%S)-$$"
  mv "$work/$name" "$folder" || fail "$folder could not be written."
  # Made beside the old link, so that the rename stays on one file system.
  if ! { ln -s "$folder/bin/pipit" "$link.$$" && mv -f "$link.$$" "$link"; }; then
    rm -rf "$folder" "$link.$$"
    fail "$link could not be written: see the message above."
  fi
  # Pipit also works without the man page.
  if is_ours "$manual" || [ ! -e "$manual" ]; then
    { mkdir -p "${manual%/*}" && ln -sf "$folder/share/man/man1/pipit.1" "$manual"; } 2>/dev/null || true
  fi
  # A service that is still running needs its files, also after several updates without a restart.
  for old in "$apps"/[0-9]*; do
    case "$old" in
      "$folder" | "${previous%/bin/pipit}") ;;
      *) is_running "$old" || rm -rf "$old" ;;
    esac
  done
  find "$apps" -maxdepth 1 -name '.install-*' -mtime +0 -exec rm -rf {} + 2>/dev/null || true
  echo "Pipit $1 is installed in $folder."
  [ -z "$previous" ] || echo 'If the service is running, restart it.'
  case ":${PATH:-}:" in
    *":${link%/*}:"*) echo 'Start it with: pipit serve' ;;
    *) echo "Start it with: $link serve"; echo "To write pipit instead, add ${link%/*} to your PATH." ;;
  esac
}

uninstall() {
  found=no
  for path in "$link" "$manual"; do
    if is_ours "$path"; then rm -f "$path" || fail "$path could not be removed."; found=yes; fi
  done
  if [ -d "$apps" ]; then rm -rf "$apps" || fail "$apps could not be removed."; found=yes; fi
  [ $found = yes ] || fail "Nothing of Pipit is installed in $apps."
  echo 'Pipit is removed.'
  # The folder is not empty if the service has run.
  if rmdir "$data" 2>/dev/null; then :; elif [ -d "$data" ]; then
    echo "Your keys, the usage and pulled models are still in $data. To delete them: rm -r '$data'"
  fi
}

check_url() {
  release_url=${release_url%/}
  case $release_url in
    https://*) secure='--proto =https' ;;
    # Plain http is only for tests and mirrors on this machine: elsewhere, others could change the download.
    http://127.0.0.1[:/]* | http://localhost[:/]*) secure='' ;;
    '') fail 'Write the address of the release: install.sh --from URL.' ;;
    *) fail "$release_url is not an https address." ;;
  esac
}

platform_of_this_machine() {
  [ "$(uname -s)" = Linux ] || fail "This script is for Linux, and this is $(uname -s). See docs/install.md for other systems."
  case $(uname -m) in
    x86_64 | amd64) cpu=x64 ;;
    aarch64 | arm64) cpu=arm64 ;;
    *) fail "Pipit has no engine for the processor $(uname -m), only for x86_64 and aarch64." ;;
  esac
  if has ldd && ldd --version 2>&1 | grep -qi musl; then
    fail 'Pipit needs glibc, and this system has musl (Alpine?). Run it on another one, or in a container.'
  fi
  echo "linux-$cpu"
}

# Refuses to replace a file that this script has not written.
check_link() {
  if [ -e "$1" ] || [ -L "$1" ]; then
    is_ours "$1" || fail "$1 is there already and was not written by this script: move it away and run this again."
  fi
}

is_ours() {
  case $(readlink "$1" 2>/dev/null || true) in "$apps"/*) return 0 ;; *) return 1 ;; esac
}

# Returns whether a process runs a program of the folder.
is_running() {
  # /proc has paths without links, such as one in HOME.
  real=$(cd "$1" && pwd -P) || return 1
  for program in /proc/[0-9]*/exe; do
    case $(readlink "$program" 2>/dev/null || true) in "$real"/*) return 0 ;; esac
  done
  return 1
}

make_folders() {
  # The service's data will be here too, and other users must not read it.
  [ -d "$data" ] || (umask 077 && mkdir -p "$data") || fail "$data could not be made: see the message above."
  mkdir -p "$apps" "${link%/*}" || fail "$apps and ${link%/*} are needed: see the message above."
  for place in "$apps" "${link%/*}"; do
    [ -w "$place" ] || fail "You may not write to $place: change its owner or its mode."
  done
}

check_space() {
  free_kib=$(df -Pk "$apps" | { read -r _ && read -r _ _ _ free _ && echo "$free"; }) || free_kib=''
  case $free_kib in
    '' | *[!0-9]*) ;;
    *) [ "$free_kib" -ge $needed_kib ] || fail "$apps has $((free_kib * 1024 / 1000000)) MB free, and $((needed_kib * 1024 / 1000000)) MB are needed: make room and run this again." ;;
  esac
}

# Downloads a file of the release into $work.
download() {
  if has curl; then
    # shellcheck disable=SC2086
    curl -fsSL $secure --retry 3 --connect-timeout 20 --speed-limit 1000 --speed-time 60 -o "$work/$1" "$release_url/$1" ||
      fail "$release_url/$1 could not be downloaded: see the message above."
  else
    # wget cannot refuse a redirect from https to http, so the headers of its responses are searched for one afterwards.
    wget -S -T 60 -O "$work/$1" "$release_url/$1" >"$work/wget.log" 2>&1 ||
      fail "$release_url/$1 could not be downloaded with wget."
    if [ -n "$secure" ] && grep -i '^ *location: *[a-z][a-z0-9+.-]*:' "$work/wget.log" | grep -qiv '^ *location: *https:'; then
      fail "$release_url/$1 is redirected to an address that is not https."
    fi
  fi
}

sha256_of() {
  if has sha256sum; then sha256sum "$1"
  elif has shasum; then shasum -a 256 "$1"
  else openssl dgst -sha256 -r "$1"
  fi | cut -d ' ' -f 1
}

has() { command -v "$1" >/dev/null 2>&1; }

fail() {
  echo "install.sh: $1" >&2
  exit 1
}

# Stays the last line, so that a partly downloaded script does nothing.
main "$@"
