#!/bin/sh
# Builds programs of the llama.cpp release that the embedded engine runs on, such as `llama-server`, and prints the
# folder that holds them. The first build takes about ten minutes; finished programs are reused.
set -eu

bench=$(cd "$(dirname "$0")/.." && pwd)
bundle=$bench/../node_modules/node-llama-cpp/llama/gitRelease.bundle
cache=$bench/.cache
jobs=${JOBS:-$(nproc)}

commit=$(git bundle list-heads "$bundle" | cut -c1-12)
source=$cache/llama.cpp-$commit
build=$source/build
say() { echo "llama.cpp: $*" >&2; }

missing=
for program in "$@"; do
  # An interrupted build may leave an incomplete program behind.
  [ -f "$build/complete-$program" ] || missing="$missing $program"
done
if [ -z "$missing" ]; then
  echo "$build/bin"
  exit 0
fi

mkdir -p "$cache"
if [ ! -d "$source/.git" ]; then
  say "unpacking $commit"
  rm -rf "$source.new"
  git -c advice.detachedHead=false clone --quiet "$bundle" "$source.new" >&2
  # GCC 12 does not see that _tile_loadconfig reads the whole configuration, and leaves out most of it. Then the first
  # AMX instruction ends the process with SIGILL.
  sed -i 's/^ *_tile_loadconfig(&tc);/__asm__ volatile("" : : "r"(\&tc) : "memory");\n&/' \
    "$source.new/ggml/src/ggml-cpu/amx/mmq.cpp"
  mv "$source.new" "$source"
fi

say "configuring (Release, native, OpenMP; log: $source/build.log)"
cmake -S "$source" -B "$build" -DCMAKE_BUILD_TYPE=Release \
  -DGGML_NATIVE=ON -DGGML_OPENMP=ON -DLLAMA_OPENSSL=OFF -DLLAMA_CURL=OFF \
  -DLLAMA_BUILD_UI=OFF -DLLAMA_USE_PREBUILT_UI=OFF -DLLAMA_BUILD_APP=OFF \
  -DLLAMA_BUILD_TESTS=ON -DLLAMA_BUILD_EXAMPLES=OFF >"$source/build.log" 2>&1 ||
  { tail -20 "$source/build.log" >&2; exit 1; }

say "compiling$missing with $jobs jobs (about ten minutes on two cores)"
# shellcheck disable=SC2086
cmake --build "$build" --target $missing -j "$jobs" >>"$source/build.log" 2>&1 ||
  { tail -30 "$source/build.log" >&2; exit 1; }
for program in $missing; do touch "$build/complete-$program"; done
say "built$missing in $build/bin"
echo "$build/bin"
