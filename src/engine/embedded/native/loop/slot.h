#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "loop/prefill-plan.h"
#include "loop/prompt-lookup.h"
#include "sampling/sampler.h"

using GenerationId = int32_t;

struct Generation {
  GenerationId id = 0;
  std::vector<llama_token> prompt;
  /** The spans of the model's earlier replies in the prompt, ascending. */
  std::vector<TokenSpan> replies;
  int maxTokens = 0;
  /**
   * The number of most likely tokens to report beside each sampled token; absent: no
   * log-probabilities.
   */
  std::optional<int> topLogprobs;
  Sampling sampling;
  /** The grammar that the reply must match; null where any text is allowed. */
  std::shared_ptr<const Grammar> grammar;
  /** Generations share KV cache contents only within one scope. */
  std::string scope;
};

/** The tokens whose keys and values a KV stream holds, from position 0 on. */
struct CachedTokens {
  std::vector<llama_token> tokens;
  /** The kind of row that computed each token: the other kind would give other bits. */
  std::vector<RowKind> kinds;
  std::string scope;

  size_t size() const { return tokens.size(); }
  void add(llama_token token, RowKind kind) {
    tokens.push_back(token);
    kinds.push_back(kind);
  }
  void truncate(size_t count) {
    tokens.resize(count);
    kinds.resize(count);
  }
};

/** `admitted`: a generation has the slot, and none of its prompt is computed yet. */
enum class SlotState { free, admitted, prefilling, decoding };

/** Runs one generation at a time in a KV stream of its own. */
struct Slot {
  explicit Slot(llama_seq_id sequence) : sequence(sequence) {}

  const llama_seq_id sequence;
  SlotState state = SlotState::free;
  CachedTokens cached;
  uint64_t lastUsedStep = 0;

  // The generation's own state, valid while the slot is not free.
  Generation generation;
  std::optional<PrefillPlan> plan;
  std::optional<Sampler> sampler;
  PromptLookup lookup;
  uint64_t admittedOrder = 0;
  int sampledTokens = 0;
  /** The token that was sampled last; the next step decodes it. */
  llama_token nextToken = -1;

  // The step that is being decoded.
  /** The slot's first row in the batch. */
  int batchRow = -1;
  /** The tokens that prompt lookup proposes to follow `nextToken`. */
  std::vector<llama_token> speculative;
  /** The number of speculative tokens that have a row in the batch. */
  int speculativeRows = 0;
  /** The number of cached tokens before the step. */
  size_t tokensBefore = 0;
};
