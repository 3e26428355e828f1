#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sampler.h"

using GenerationId = int32_t;

struct Generation {
  GenerationId id = 0;
  std::vector<llama_token> prompt;
  int maxTokens = 0;
  Sampling sampling;
  /** KV cache contents are shared inside one scope only. */
  std::string scope;
};

enum class SlotState { free, prefilling, decoding };

/** The place that runs one generation: a KV stream, and what is known of its contents. */
struct Slot {
  explicit Slot(llama_seq_id sequence) : sequence(sequence) {}

  const llama_seq_id sequence;
  SlotState state = SlotState::free;

  /** What the stream holds, from position 0 on. */
  std::vector<llama_token> cached;
  /**
   * So many leading tokens of `cached` were computed as whole prefill chunks. Only they are reused:
   * a token that was decoded has the same meaning but not the same bits.
   */
  size_t reusableTokens = 0;
  std::string scope;
  uint64_t lastUsedStep = 0;

  /** While not free. */
  Generation generation;
  std::optional<Sampler> sampler;
  uint64_t admittedOrder = 0;
  int sampledTokens = 0;
  llama_token nextToken = -1;
  int batchRow = -1;
  /** A second row was decoded beside its own; see `StepLoop::needsCompany`. */
  bool hasCompany = false;
};
