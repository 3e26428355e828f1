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
  /**
   * Maximum number of tokens in all stored copies of KV streams whose slot went to another
   * generation; 0 stores no copies.
   */
  int cachedTokensMax = 0;
  /** Maximum number of bytes for checkpoints of recurrent states and sliding windows. */
  int64_t checkpointBytesMax = 0;
  /** Maximum number of speculative tokens in one step. */
  int speculativeTokensMax = 0;
  /** The name of our kernels; "best": the fastest that this processor runs; "llama.cpp": none. */
  std::string arithmetic;
};

/** The weights, a llama.cpp context with one KV stream for each slot, and the compute threads. */
class LoadedModel {
 public:
  /**
   * Loads a model, compares our kernels with llama.cpp's, and checks the logits of a first decode,
   * because corrupt weights load without an error. If our kernels compute something differently,
   * loads the model again without them. Throws std::runtime_error with the cause as a clause.
   */
  static std::shared_ptr<LoadedModel> open(const ModelSettings& settings,
                                           const std::function<bool()>& shouldStop,
                                           const std::function<void(float)>& onLoaded);
  /**
   * Throws std::runtime_error with the cause as a clause. llama.cpp calls `shouldStop` between
   * graph nodes, and ends the decode when it returns true. `onLoaded` gets the share of the weights
   * read so far, from 0 to 1.
   */
  LoadedModel(const ModelSettings& settings, std::function<bool()> shouldStop,
              const std::function<void(float)>& onLoaded);
  ~LoadedModel();
  LoadedModel(const LoadedModel&) = delete;
  LoadedModel& operator=(const LoadedModel&) = delete;

  /** Describes the difference that ruled out our kernels; "" if none did. */
  const std::string& difference() const { return difference_; }

  llama_context* context() const { return context_; }
  const llama_vocab* vocab() const { return vocab_; }
  llama_memory_t memory() const { return llama_get_memory(context_); }
  int vocabSize() const { return vocabSize_; }
  int contextTokens() const { return contextTokens_; }
  bool endsGeneration(llama_token token) const { return endsGeneration_[token]; }
  const std::vector<bool>& endsOfGeneration() const { return endsGeneration_; }
  /**
   * Excludes the tokens that the model file tells engines never to sample, such as those of images
   * (`tokenizer.ggml.suppress_tokens`). Log-probabilities are those among the other tokens.
   */
  void suppressTokens(float* logits) const;
  /** Returns true if a sequence can be copied between streams and truncated. */
  bool canSharePrefixes() const { return canSharePrefixes_; }
  /** Returns true if a sequence has a recurrent state, which can be reset only to a saved copy. */
  bool isRecurrent() const { return isRecurrent_; }
  /** Returns true if a sequence may be truncated only to its checkpoints, not to every token. */
  bool needsCheckpoints() const { return canSharePrefixes_ && (isRecurrent_ || windowTokens_ > 0); }
  /** Returns the length in tokens of the sliding window; 0 if all layers attend to all tokens. */
  size_t windowTokens() const { return windowTokens_; }
  /** Returns the first token in the window of a sequence of this length. */
  size_t firstOfWindow(size_t tokens) const {
    return windowTokens_ == 0 || tokens < windowTokens_ ? 0 : tokens - windowTokens_;
  }
  /**
   * Returns null when the file has no chat template. For some files without one, llama.cpp returns
   * the name of a template of its own.
   */
  const char* chatTemplate() const {
    const bool hasTemplate =
        llama_model_meta_val_str(model_, "tokenizer.chat_template", nullptr, 0) >= 0;
    return hasTemplate ? llama_model_chat_template(model_, nullptr) : nullptr;
  }
  /** The template for conversations with tools; null when the file has none of its own for them. */
  const char* toolTemplate() const { return llama_model_chat_template(model_, "tool_use"); }
  /**
   * Names the arithmetic for the fingerprint: our kernels with their version, and everything that
   * llama.cpp computes instead of them. Increase the version when our kernels' results change.
   */
  std::string arithmetic() const;
  /** Returns the name of our kernels; "llama.cpp" without any. */
  const char* kernelsName() const {
    return rewriter_ == nullptr ? "llama.cpp" : rewriter_->kernelsName();
  }
  /** Returns our kernels' share of all multiplied weights, by size in bytes: 0 to 1. */
  double ownWeightsShare() const { return rewriter_ == nullptr ? 0 : rewriter_->ownShare(); }
  /**
   * Returns true if llama.cpp has computed attention in any decode so far. Its results depend on
   * the other rows of the batch.
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
