#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "loaded-model.h"
#include "prefix-cache.h"
#include "slot.h"

/** Three numbers for each event of a step: generation, kind, value. */
enum class EventKind : int32_t {
  token = 0,
  /** The prompt is being computed; the value is the number of tokens found in the KV cache. */
  started = 1,
  /** The rest end a generation; the value is the number of sampled tokens. */
  stop = 2,
  length = 3,
  aborted = 4,
  failed = 5,
  /**
   * Two and two before a token whose logprobs are asked for: a token, and the bits of the float that
   * is its log-probability; the sampled one first.
   */
  candidate = 6,
  logprob = 7,
};
using StepEvents = std::vector<int32_t>;

struct Counters {
  /** Advances many times in a step: a long step is told from a hang by it. */
  std::atomic<uint64_t> progress{0};
  std::atomic<uint64_t> steps{0};
  std::atomic<uint64_t> promptTokens{0};
  std::atomic<uint64_t> completionTokens{0};
  std::atomic<uint64_t> reusedTokens{0};
  std::atomic<int> slotsBusy{0};
};

/** Decodes for all slots together, one token each a step, with prefill chunks in between. */
class StepLoop {
 public:
  using Deliver = std::function<void(StepEvents)>;
  explicit StepLoop(Deliver deliver) : deliver_(std::move(deliver)) {}
  ~StepLoop();

  /** Called by one thread, once, before `run`. Throws as LoadedModel does. */
  std::shared_ptr<const LoadedModel> load(const ModelSettings& settings);
  /** Works until `close`; every generation that was submitted before gets its end. */
  void run();

  // From any thread.
  void submit(Generation generation);
  void abort(GenerationId id);
  void close();
  const Counters& counters() const { return counters_; }

 private:
  bool takeRequests();
  void admit();
  void decodeStep();
  void addDecodeRows(Slot& slot, bool isAlone);
  bool needsCompany(const Slot& slot) const;
  bool differsAlone(size_t tokens) const;
  bool oneThreadPays() const;
  double loneStepSeconds(bool isTooLonely) const;
  void takeDecoded(Slot& slot);
  void trim(Slot& slot, size_t tokens);
  void prefillStep();
  void begin(Slot& slot);
  size_t prefillBudget() const;
  Slot* nextToPrefill();
  size_t prefillChunk(Slot& slot, size_t rowsWanted);
  void addRow(Slot& slot, llama_token token, RowKind kind, bool wantsLogits);
  bool decodeBatch();
  bool sampleRow(Slot& slot, int row);
  void emitLogprobs(const Slot& slot, const float* logits, llama_token token);
  void finish(Slot& slot, EventKind kind);
  void fail(Slot& slot);
  void emit(GenerationId id, EventKind kind, int32_t value);
  bool isBusy() const { return counters_.slotsBusy > 0; }

  Deliver deliver_;
  Counters counters_;
  std::atomic<bool> closing_{false};
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Generation> submitted_;
  std::vector<GenerationId> abortedIds_;

  // The loop's own.
  std::shared_ptr<LoadedModel> model_;
  std::shared_ptr<const TokenTree> tokens_;
  std::unique_ptr<PrefixCache> cache_;
  std::deque<Generation> waiting_;
  std::vector<Slot> slots_;
  llama_batch batch_{};
  ChunkSizes chunkSizes_;
  int threads_ = 1;
  bool loneRowsDiffer_ = false;
  int guessesMax_ = 0;
  StepCost stepCost_;
  /** Of a lone row that is left to one thread. */
  StepCost oneThreadCost_;
  /** How long a token of a prompt takes, of late. */
  double secondsPerPromptToken_ = 0;
  uint64_t admissions_ = 0;
  StepEvents events_;
};
