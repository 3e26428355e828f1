#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "grammar/closing-cache.h"
#include "loop/batch.h"
#include "loop/lone-row-policy.h"
#include "loop/prefill-order.h"
#include "loop/prefill-speed.h"
#include "loop/prefix-cache.h"
#include "loop/slot.h"
#include "model/loaded-model.h"

/** `stop`, `length`, `aborted` and `failed` end a generation. */
enum class EventKind : int32_t {
  /** A token was sampled; `value` is the token. */
  token = 0,
  /** The prefill begins; `value` is the number of prompt tokens found in the KV cache. */
  started = 1,
  stop = 2,
  length = 3,
  aborted = 4,
  failed = 5,
  /**
   * A log-probability that belongs to the next `token` event: first of the sampled token, then of
   * the most likely tokens in its place. `value` is the token.
   */
  logprob = 6,
};

/** JavaScript reads events as four 32-bit numbers each: `child/step-events.ts`. */
struct StepEvent {
  GenerationId id;
  EventKind kind;
  int32_t value;
  float logprob;
};
static_assert(sizeof(StepEvent) == 4 * sizeof(int32_t));

/**
 * Continuous batching: each step decodes one token for every decoding slot, and then prompt chunks.
 */
class StepLoop {
 public:
  /** Receives the events of one step, on the loop's thread. */
  using Deliver = std::function<void(std::vector<StepEvent>)>;
  explicit StepLoop(Deliver deliver) : deliver_(std::move(deliver)) {}

  /** Loads the model; call it once, before `run`. Throws like LoadedModel. */
  std::shared_ptr<const LoadedModel> load(const ModelSettings& settings);
  /** Runs the loop on the calling thread until `close`, then aborts all remaining generations. */
  void run();

  // These may be called on any thread, `submit` always on the same one.
  /** Makes samplers read these special tokens as text; call it before the first `submit`. */
  void readMarks(const std::vector<llama_token>& tokens);
  /**
   * Lowers `maxTokens` to the room that the prompt leaves in the context, queues the generation,
   * and returns 0. But if the reply must complete a grammar and certainly no text of the grammar
   * fits into `maxTokens`, queues nothing, delivers no event, and returns a number of tokens that
   * suffices for such a text.
   */
  int32_t submit(Generation generation);
  void abort(GenerationId id);
  void close();
  /** Advances many times within a step, so that a long step is not taken for a hang. */
  uint64_t progress() const { return progress_; }
  int slotsBusy() const { return slotsBusy_; }
  /** Returns the part of the weights that was read so far, 0 to 1. */
  float loadedShare() const { return loadedShare_; }

 private:
  bool takeRequests();
  void abortNow(GenerationId id);
  void admitWaiting();
  void occupy(Slot& slot, Generation generation, PrefillPlan plan);
  void decodeStep();
  bool decodeBatch();
  int knownRows(const Slot& slot) const;
  bool decodesTogether(const Slot& slot) const;
  void repeatKnownTokens(Slot& slot);
  void addDecodeRows(Slot& slot, bool isAlone);
  void speculate(Slot& slot, bool differsAlone, int max);
  bool needsSecondRow(const Slot& slot) const;
  void sampleDecodedRows(Slot& slot);
  void truncate(Slot& slot, size_t tokens);
  void prefillStep();
  void startPrefill(Slot& slot);
  size_t prefillRows(double secondsUsed, bool isFirst) const;
  size_t prefillChunk(Slot& slot, size_t rowsWanted);
  void addRow(Slot& slot, llama_token token, RowKind kind, bool needsLogits);
  bool sampleRow(Slot& slot, int row);
  void emitLogprobs(const Slot& slot, const float* logits, llama_token token);
  void finish(Slot& slot, EventKind kind);
  void fail(Slot& slot);
  void emit(GenerationId id, EventKind kind, int32_t value = 0, float logprob = 0);
  void deliverEvents();

  Deliver deliver_;
  std::atomic<uint64_t> progress_{0};
  std::atomic<int> slotsBusy_{0};
  std::atomic<float> loadedShare_{0};
  std::atomic<bool> closing_{false};
  /** Guards `submitted_` and `abortedIds_`. */
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Generation> submitted_;
  std::vector<GenerationId> abortedIds_;
  /** Only `submit` uses it, which always runs on the same thread. */
  ClosingCache closings_;

  // The loop's thread owns the fields below. `submit` and `readMarks` also use `tokens_` and
  // `model_`, which no longer change after the first `submit`.
  std::shared_ptr<LoadedModel> model_;
  std::shared_ptr<const TokenTree> tokens_;
  std::unique_ptr<PrefixCache> cache_;
  /**
   * Generations that wait for a slot. JavaScript submits only as many as it counts free slots, but
   * after a stop sequence it counts a slot as free one step before this loop frees it.
   */
  std::deque<Generation> waiting_;
  std::vector<Slot> slots_;
  std::optional<Batch> batch_;
  ChunkSizes chunkSizes_;
  int threads_ = 1;
  int speculativeTokensMax_ = 0;
  /** True if rejected tokens can be removed from the model's memory. */
  bool canRemoveRows_ = false;
  LoneRowPolicy loneRows_;
  PrefillOrder prefillOrder_;
  PrefillSpeed prefillSpeed_{PrefillOrder::chunkRowsMin};
  uint64_t steps_ = 0;
  uint64_t admissions_ = 0;
  std::vector<StepEvent> events_;
};
