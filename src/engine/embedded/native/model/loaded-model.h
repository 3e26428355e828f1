#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ggml-cpu.h"
#include "kernels/graph-rewriter.h"
#include "llama.h"

struct ModelSettings {
  std::string modelPath;
  int slots = 1;
  int contextTokens = 1;
  ggml_type kvType = GGML_TYPE_F16;
  int threads = 1;
  int prefillChunkTokens = 128;
  /** Tokens of conversations without a slot whose KV cache contents are kept as copies. */
  int cachedTokensMax = 0;
  /** Bytes of checkpoints of recurrent states and sliding windows. */
  int64_t checkpointBytesMax = 0;
  /** The most speculative tokens of one step. */
  int speculativeTokensMax = 0;
  /** The name of our kernels; "best": the fastest that this processor runs; "llama.cpp": none. */
  std::string arithmetic;
};

/** The weights, a llama.cpp context with one KV stream for each slot, and the compute threads. */
class LoadedModel {
 public:
  /**
   * Loads a model, compares our kernels with llama.cpp's, and checks the logits of a first decode,
   * because corrupt weights load without an error. A model that our kernels compute differently is
   * loaded again for llama.cpp's. Throws std::runtime_error with the cause in half a sentence.
   */
  static std::shared_ptr<LoadedModel> open(const ModelSettings& settings,
                                           const std::function<bool()>& shouldStop,
                                           const std::function<void(float)>& onLoaded);
  /**
   * Throws std::runtime_error with the cause in half a sentence. llama.cpp calls `shouldStop`
   * between graph nodes, and ends the decode when it returns true. `onLoaded` gets the part of the
   * weights that was read so far, from 0 to 1.
   */
  LoadedModel(const ModelSettings& settings, std::function<bool()> shouldStop,
              const std::function<void(float)>& onLoaded);
  ~LoadedModel();
  LoadedModel(const LoadedModel&) = delete;
  LoadedModel& operator=(const LoadedModel&) = delete;

  /** Returns the largest difference of our kernels if they are not used because of it, else "". */
  const std::string& difference() const { return difference_; }

  llama_context* context() const { return context_; }
  const llama_vocab* vocab() const { return vocab_; }
  llama_memory_t memory() const { return llama_get_memory(context_); }
  int vocabSize() const { return vocabSize_; }
  int contextTokens() const { return contextTokens_; }
  bool endsGeneration(llama_token token) const { return endsGeneration_[token]; }
  const std::vector<bool>& endsOfGeneration() const { return endsGeneration_; }
  /** Returns true where a sequence can be copied between streams and truncated. */
  bool canSharePrefixes() const { return canSharePrefixes_; }
  /** Returns true where a sequence has a recurrent state, which can go back only to a copy. */
  bool isRecurrent() const { return isRecurrent_; }
  /** Returns true where not every prefix of a sequence is kept, but those at checkpoints. */
  bool needsCheckpoints() const { return canSharePrefixes_ && (isRecurrent_ || windowTokens_ > 0); }
  /** The tokens of the sliding window of some layers; 0: all layers attend to all tokens. */
  size_t windowTokens() const { return windowTokens_; }
  /** Returns the first token in the window of a sequence of this length. */
  size_t firstOfWindow(size_t tokens) const {
    return windowTokens_ == 0 || tokens < windowTokens_ ? 0 : tokens - windowTokens_;
  }
  /** Returns null when the file has no chat template. */
  const char* chatTemplate() const { return llama_model_chat_template(model_, nullptr); }
  /**
   * Names the arithmetic for the fingerprint: our kernels, and all that llama.cpp computes beside
   * them. Change the number with every change to our kernels that changes their results.
   */
  std::string arithmetic() const;
  /** Returns the name of our kernels; "llama.cpp" without any. */
  const char* kernelsName() const {
    return rewriter_ == nullptr ? "llama.cpp" : rewriter_->kernelsName();
  }
  /** Returns the part of the weights in products, by size, that our kernels multiply: 0 to 1. */
  double ownWeightsShare() const { return rewriter_ == nullptr ? 0 : rewriter_->ownShare(); }
  /**
   * Returns true where llama.cpp has computed attention in a decode so far: its results depend on the other
   * rows of the batch.
   */
  bool usesLlamaAttention() const { return rewriter_ == nullptr || rewriter_->leftAttention(); }

 private:
  void chooseArithmetic(const std::string& name);
  void loadWeights(const ModelSettings& settings, const std::function<void(float)>& onLoaded);
  void createContext(const ModelSettings& settings);
  void attachThreads(int threads);
  void release();
  /**
   * Decodes a few tokens with llama.cpp's kernels, and compares each product and attention with
   * ours. Returns the largest difference in a few words; empty where they agree.
   */
  std::string findDifference();
  void checkSanity();
  const float* decodeTokens(int tokens);

  std::function<bool()> shouldStop_;
  /** Runs our own arithmetic; null where llama.cpp computes everything. */
  std::unique_ptr<GraphRewriter> rewriter_;
  std::string difference_;
  llama_model* model_ = nullptr;
  llama_context* context_ = nullptr;
  const llama_vocab* vocab_ = nullptr;
  ggml_threadpool* threads_ = nullptr;
  void (*freeThreads_)(ggml_threadpool*) = nullptr;
  std::vector<bool> endsGeneration_;
  int vocabSize_ = 0;
  int contextTokens_ = 0;
  bool canSharePrefixes_ = false;
  bool isRecurrent_ = false;
  size_t windowTokens_ = 0;
};
