#!/bin/sh
# Builds the peer, llama-server, and prints the path of the binary.
set -eu

programs=$(sh "$(dirname "$0")/llama-cpp.sh" llama-server llama-bench)
echo "$programs/llama-server"
