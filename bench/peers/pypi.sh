#!/bin/sh
# Installs a program from PyPI into .cache/ and prints its path: pypi.sh PACKAGE VERSION [EXTRA]. The program has the name
# of the package. Needs Python 3.10 or newer with venv, and PyPI; a finished installation is reused.
set -eu

package=$1
version=$2
requirement=$package${3:+[$3]}==$version
bench=$(cd "$(dirname "$0")/.." && pwd)
folder=$bench/.cache/$package-$version
program=$folder/bin/$package
say() { echo "$package: $*" >&2; }

if [ -f "$folder/complete" ]; then
  echo "$program"
  exit 0
fi

. "$bench/peers/find-python.sh"
python=$(find_python) || exit 1

mkdir -p "$bench/.cache"
rm -rf "$folder"
say "installing $requirement with $("$python" --version) (a minute or two; log: $folder.log)"
{
  "$python" -m venv "$folder" &&
    "$folder/bin/pip" install --no-input --disable-pip-version-check "$requirement"
} >"$folder.log" 2>&1 || { tail -20 "$folder.log" >&2; exit 1; }
touch "$folder/complete"
say "installed in $folder"
echo "$program"
