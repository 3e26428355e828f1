#!/bin/sh
# Builds the peer, llama-server, from the llama.cpp release that the embedded engine runs on, and
# prints the path of the binary. The first build takes about ten minutes; a finished one is reused.
set -eu

bench=$(cd "$(dirname "$0")/.." && pwd)
bundle=$bench/../node_modules/node-llama-cpp/llama/gitRelease.bundle
cache=$bench/.cache
jobs=${JOBS:-$(nproc)}

commit=$(git bundle list-heads "$bundle" | cut -c1-12)
source=$cache/llama.cpp-$commit
server=$source/build/bin/llama-server
say() { echo "llama-server: $*" >&2; }

if [ -x "$server" ] && [ -f "$source/build/complete" ]; then
  echo "$server"
  exit 0
fi

mkdir -p "$cache"
if [ ! -d "$source/.git" ]; then
  say "unpacking llama.cpp $commit"
  rm -rf "$source.new"
  git -c advice.detachedHead=false clone --quiet "$bundle" "$source.new" >&2
  mv "$source.new" "$source"
fi

say "configuring (Release, native, OpenMP; log: $source/build.log)"
cmake -S "$source" -B "$source/build" -DCMAKE_BUILD_TYPE=Release \
  -DGGML_NATIVE=ON -DGGML_OPENMP=ON -DLLAMA_OPENSSL=OFF -DLLAMA_CURL=OFF \
  -DLLAMA_BUILD_UI=OFF -DLLAMA_USE_PREBUILT_UI=OFF -DLLAMA_BUILD_APP=OFF \
  -DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_EXAMPLES=OFF >"$source/build.log" 2>&1 ||
  { tail -20 "$source/build.log" >&2; exit 1; }

say "compiling with $jobs jobs (about ten minutes on two cores)"
cmake --build "$source/build" --target llama-server llama-bench -j "$jobs" \
  >>"$source/build.log" 2>&1 ||
  { tail -30 "$source/build.log" >&2; exit 1; }
touch "$source/build/complete"
say "built in $source"
echo "$server"
