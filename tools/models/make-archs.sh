#!/bin/sh
# Writes a model with random weights for each architecture of llama.cpp to a folder, for `npm run models -- FOLDER`:
# `sh tools/models/make-archs.sh FOLDER`. The weights are Q4_K_M where llama.cpp can quantise them, otherwise F32.
set -eu

folder=${1:?Name a folder for the models.}
programs=$(sh "$(dirname "$0")/../../bench/peers/llama-cpp.sh" test-llama-archs llama-quantize)
mkdir -p "$folder"
log=$folder/make-archs.log
: >"$log"

"$programs/test-llama-archs" --out "$folder" >>"$log" 2>&1 || { tail -20 "$log" >&2; exit 1; }
for model in "$folder"/*-dense.gguf "$folder"/*-moe.gguf; do
  short=${model%.gguf}.q4_k_m.gguf
  if "$programs/llama-quantize" "$model" "$short" q4_k_m >>"$log" 2>&1; then
    rm "$model"
  else
    rm -f "$short"
    echo "not quantised: $model (log: $log)" >&2
  fi
done
