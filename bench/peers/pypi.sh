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

. "$bench/peers/find-python.sh"
python=$(find_python) || exit 1

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
