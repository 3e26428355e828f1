#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grammar/closing-cache.h"
#include "loop/cached-tokens.h"
#include "loop/prefill-plan.h"
#include "loop/speculation.h"
#include "sampling/sampler.h"

using GenerationId = int32_t;

struct Generation {
  GenerationId id = 0;
  std::vector<llama_token> prompt;
  /** The spans of the model's earlier replies in the prompt, ascending. */
  std::vector<TokenSpan> replies;
  int maxTokens = 0;
  /** True if the reply must be complete in the grammar within `maxTokens`, not cut off there. */
  bool completesFormat = false;
  /**
   * Number of most likely tokens to report beside each sampled token. If it is not set, no
   * log-probabilities are reported.
   */
  std::optional<int> topLogprobs;
  Sampling sampling;
  /** The grammar that the reply must match; null where any text is allowed. */
  std::shared_ptr<const Grammar> grammar;
  /**
   * First tokens of the reply, as an earlier run sampled them. They are used as speculative tokens,
   * so they change only the speed of the reply.
   */
  std::vector<llama_token> known;
  /** Set only if the model writes thoughts before its answers. */
  std::optional<ThoughtMarks> thoughts;
  /**
   * Costs by which the sampler completes the text of the grammar within `maxTokens`; null if the
   * text may be cut off.
   */
  std::shared_ptr<const ClosingCosts> closingCosts;
  /** Only generations with the same scope share KV cache contents. */
  std::string scope;

  /**
   * Sets `closingCosts` if the reply must complete its format, and makes its thoughts leave room
   * for the shortest answer. If certainly no text of the grammar fits into
   * `maxTokens`, returns a number of tokens that suffices for one; otherwise 0.
   */
  int32_t prepareToClose(ClosingCache& cache, const TokenTree& tokens) {
    if (grammar == nullptr || !completesFormat) return 0;
    GrammarClosing& closing = cache.of(grammar, tokens);
    grammar = closing.grammar;
    closingCosts = closing.costs;
    int32_t enough = closingCosts->tokens(grammar->start());
    int32_t answerTokensMax = maxTokens;
    if (thoughts.has_value()) {
      enough = thoughts->reserve(enough, tokens);
      const bool isThinking = thoughts->place == ThoughtMarks::Place::thought;
      if (isThinking) answerTokensMax -= static_cast<int32_t>(thoughts->close.size());
    }
    const bool mayFit =
        enough <= maxTokens || ClosingCache::fewest(closing, tokens) <= answerTokensMax;
    return mayFit ? 0 : enough;
  }

  /**
   * Checks the tokens and the spans of earlier replies. Callers check them too; an invalid prompt
   * would fail an assertion of llama.cpp.
   */
  bool isValid(int contextTokens, int vocabSize) const {
    const auto isToken = [&](llama_token token) { return token >= 0 && token < vocabSize; };
    return !prompt.empty() && prompt.size() < static_cast<size_t>(contextTokens) &&
           std::all_of(prompt.begin(), prompt.end(), isToken) &&
           std::all_of(known.begin(), known.end(), isToken) &&
           std::all_of(replies.begin(), replies.end(), [&](const TokenSpan& reply) {
             return reply.first < reply.second && reply.second <= prompt.size();
           });
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
  /** Positions in the prompt at which to take checkpoints, ascending. */
  std::vector<size_t> marks;
  std::optional<Sampler> sampler;
  /** The acceptance of tokens from prompt lookup. */
  AcceptanceRate lookupRate;
  /** The acceptance of tokens whose text the grammar fixes. */
  AcceptanceRate fixedRate;
  uint64_t admittedOrder = 0;
  int sampledTokens = 0;
  /** The token that was sampled last; the next step decodes it. */
  llama_token nextToken = -1;

  // The step that is being decoded.
  /** The slot's first row in the batch. */
  int batchRow = -1;
  /** The tokens that are proposed to follow `nextToken`. */
  std::vector<llama_token> speculative;
  /** True if the grammar fixes the text of the speculative tokens. */
  bool isTextFixed = false;
  /** The number of speculative tokens that have a row in the batch. */
  int speculativeRows = 0;
  /** The number of cached tokens before the step. */
  size_t tokensBefore = 0;

  AcceptanceRate& acceptanceRate() { return isTextFixed ? fixedRate : lookupRate; }
};
