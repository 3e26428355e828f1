#!/bin/sh
# Installs LiteLLM's proxy into .cache/ and prints the path of its program. Needs Python 3.10 or
# newer with venv, and PyPI; a finished installation is reused.
set -eu

version=1.89.7
bench=$(cd "$(dirname "$0")/.." && pwd)
folder=$bench/.cache/litellm-$version
program=$folder/bin/litellm
say() { echo "litellm: $*" >&2; }

if [ -f "$folder/complete" ]; then
  echo "$program"
  exit 0
fi

for candidate in python3.13 python3.12 python3.11 python3.10 python3; do
  if "$candidate" -c 'import sys, venv; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
    python=$candidate
    break
  fi
done
[ -n "${python:-}" ] || { say "there is no Python 3.10 or newer with venv"; exit 1; }

mkdir -p "$bench/.cache"
rm -rf "$folder"
say "installing litellm[proxy] $version with $("$python" --version) (a minute or two; log: $folder.log)"
{
  "$python" -m venv "$folder" &&
    "$folder/bin/pip" install --no-input --disable-pip-version-check "litellm[proxy]==$version"
} >"$folder.log" 2>&1 || { tail -20 "$folder.log" >&2; exit 1; }
touch "$folder/complete"
say "installed in $folder"
echo "$program"
