#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
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
  /** The most speculative tokens of one step. */
  int speculativeTokensMax = 0;
  /** The name of our kernels; "best": the fastest that this processor runs; "llama.cpp": none. */
  std::string arithmetic;
};

/** The weights, a llama.cpp context with one KV stream for each slot, and the compute threads. */
class LoadedModel {
 public:
  /**
   * Throws std::runtime_error with the cause in half a sentence. llama.cpp calls `shouldStop`
   * between graph nodes, and ends the decode when it returns true.
   */
  LoadedModel(const ModelSettings& settings, std::function<bool()> shouldStop);
  ~LoadedModel();
  LoadedModel(const LoadedModel&) = delete;
  LoadedModel& operator=(const LoadedModel&) = delete;

  /**
   * Decodes a few tokens and checks the logits, because corrupt weights load without an error.
   * Throws std::runtime_error.
   */
  void checkSanity();

  llama_context* context() const { return context_; }
  const llama_vocab* vocab() const { return vocab_; }
  llama_memory_t memory() const { return llama_get_memory(context_); }
  int vocabSize() const { return vocabSize_; }
  int contextTokens() const { return contextTokens_; }
  bool endsGeneration(llama_token token) const { return endsGeneration_[token]; }
  const std::vector<bool>& endsOfGeneration() const { return endsGeneration_; }
  /** Returns true where a sequence can be copied between streams and truncated at any token. */
  bool canSharePrefixes() const { return canSharePrefixes_; }
  /** Returns null when the file has no chat template. */
  const char* chatTemplate() const { return llama_model_chat_template(model_, nullptr); }
  /**
   * Names the arithmetic for the fingerprint. Change the number with every change to our kernels
   * that changes their results.
   */
  std::string arithmetic() const {
    return rewriter_ == nullptr ? "llama.cpp" : std::string(rewriter_->kernelsName()) + " 1";
  }
  /**
   * Returns true where llama.cpp has computed attention in a decode so far: its results depend on the other
   * rows of the batch.
   */
  bool usesLlamaAttention() const { return rewriter_ == nullptr || rewriter_->leftAttention(); }

 private:
  void chooseArithmetic(const std::string& name);
  void loadWeights(const ModelSettings& settings);
  void createContext(const ModelSettings& settings);
  void attachThreads(int threads);
  void release();

  std::function<bool()> shouldStop_;
  /** Runs our own arithmetic; null where llama.cpp computes everything. */
  std::unique_ptr<GraphRewriter> rewriter_;
  llama_model* model_ = nullptr;
  llama_context* context_ = nullptr;
  const llama_vocab* vocab_ = nullptr;
  ggml_threadpool* threads_ = nullptr;
  void (*freeThreads_)(ggml_threadpool*) = nullptr;
  std::vector<bool> endsGeneration_;
  int vocabSize_ = 0;
  int contextTokens_ = 0;
  bool canSharePrefixes_ = false;
};
