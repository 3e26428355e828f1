#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "prefill-plan.h"
#include "prompt-lookup.h"
#include "sampler.h"

using GenerationId = int32_t;

struct Generation {
  GenerationId id = 0;
  std::vector<llama_token> prompt;
  /** Where earlier replies of the model stand in the prompt: ascending, inside it. */
  std::vector<TokenSpan> replies;
  int maxTokens = 0;
  /** How many alternatives to tell of each sampled token; -1: nothing, not even its own. */
  int topLogprobs = -1;
  Sampling sampling;
  /** What the reply must be a text of; null: anything. */
  std::shared_ptr<const Grammar> grammar;
  /** KV cache contents are shared inside one scope only. */
  std::string scope;
};

/** What the KV cache holds of a sequence, from position 0 on. */
struct CachedTokens {
  std::vector<llama_token> tokens;
  /** How each was computed: those of another kind have the same meaning and not the same bits. */
  std::vector<RowKind> kinds;
  std::string scope;

  size_t size() const { return tokens.size(); }
  void add(llama_token token, RowKind kind) {
    tokens.push_back(token);
    kinds.push_back(kind);
  }
  void keepFirst(size_t count) {
    tokens.resize(count);
    kinds.resize(count);
  }
};

enum class SlotState { free, prefilling, decoding };

/** The place that runs one generation: a KV stream, and what is known of its contents. */
struct Slot {
  explicit Slot(llama_seq_id sequence) : sequence(sequence) {}

  const llama_seq_id sequence;
  SlotState state = SlotState::free;
  CachedTokens cached;
  uint64_t lastUsedStep = 0;

  /** While not free. */
  Generation generation;
  std::optional<PrefillPlan> plan;
  std::optional<Sampler> sampler;
  PromptLookup lookup;
  uint64_t admittedOrder = 0;
  /** Nothing of it was computed yet. */
  bool isUntouched = true;
  int sampledTokens = 0;
  llama_token nextToken = -1;

  /**
   * Of the step that is being decoded: its first row, what is guessed to follow, how many of these
   * guesses have a row of their own, and how many tokens were cached before it.
   */
  int batchRow = -1;
  std::vector<llama_token> guessed;
  int guessedRows = 0;
  size_t tokensBefore = 0;
};
