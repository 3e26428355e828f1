#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "llama.h"
#include "loop/prefill-plan.h"

using StateBytes = std::vector<uint8_t>;

/** A position to which a stream can be truncated, for models that allow only some positions. */
struct Checkpoint {
  size_t tokens;
  /**
   * The recurrent state, or the cells of the sliding window, after these tokens. Null while the
   * stream still has all cells, from which the window can be read later.
   */
  std::shared_ptr<const StateBytes> state;
};

/** The tokens whose keys and values a KV stream holds, from position 0 on. */
struct CachedTokens {
  std::vector<llama_token> tokens;
  /** The kind of row that computed each token: the other kind would give other bits. */
  std::vector<RowKind> kinds;
  std::string scope;
  /** Checkpoints of models with a recurrent state or a sliding window, ascending. */
  std::vector<Checkpoint> checkpoints;
  /** Layers with a sliding window hold the tokens from here on. */
  size_t windowBegin = 0;

  size_t size() const { return tokens.size(); }
  void add(llama_token token, RowKind kind) {
    tokens.push_back(token);
    kinds.push_back(kind);
  }
  void truncate(size_t count) {
    tokens.resize(count);
    kinds.resize(count);
    while (!checkpoints.empty() && checkpoints.back().tokens > count) checkpoints.pop_back();
  }
};
