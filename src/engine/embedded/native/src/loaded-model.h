#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ggml-cpu.h"
#include "llama.h"
#include "graph-rewriter.h"

struct ModelSettings {
  std::string modelPath;
  int slots = 1;
  int contextTokens = 1;
  ggml_type kvType = GGML_TYPE_F16;
  int threads = 1;
  int prefillChunkTokens = 128;
  /** Kept beside the slots, of prompts and replies that lost theirs. */
  int cachedTokensMax = 0;
  /** Guessed for one step at most. */
  int guessedTokensMax = 0;
  /** Names the kernels; empty: the best that the processor can run; "llama.cpp": none. */
  std::string arithmetic;
};

/** The weights, a context with one KV stream for each slot, and the threads that compute. */
class LoadedModel {
 public:
  /** Throws std::runtime_error with a sentence; `shouldStop` is asked between graph nodes. */
  LoadedModel(const ModelSettings& settings, std::function<bool()> shouldStop);
  ~LoadedModel();
  LoadedModel(const LoadedModel&) = delete;
  LoadedModel& operator=(const LoadedModel&) = delete;

  /** Decodes a few tokens and looks at the numbers: corrupt weights load without complaint. */
  void checkSanity();

  llama_context* context() const { return context_; }
  const llama_vocab* vocab() const { return vocab_; }
  llama_memory_t memory() const { return llama_get_memory(context_); }
  int vocabSize() const { return vocabSize_; }
  int contextTokens() const { return contextTokens_; }
  int trainedContextTokens() const { return llama_model_n_ctx_train(model_); }
  bool endsGeneration(llama_token token) const { return endsGeneration_[token]; }
  const std::vector<bool>& endsOfGeneration() const { return endsGeneration_; }
  /** Whether a sequence may be copied between streams and cut at any place. */
  bool canSharePrefixes() const { return canSharePrefixes_; }
  const char* chatTemplate() const { return llama_model_chat_template(model_, nullptr); }
  std::string description() const;
  /**
   * What it is computed with, for the fingerprint: other operations have other bits. Another word with
   * every change of the bits.
   */
  std::string arithmetic() const {
    return rewriter_ == nullptr ? "llama.cpp" : std::string(rewriter_->kernelsName()) + " 1";
  }
  /** Whether llama.cpp's attention takes part, as far as was seen: its bits depend on the batch. */
  bool hasForeignAttention() const {
    return rewriter_ == nullptr || rewriter_->hasForeignAttention();
  }

 private:
  void chooseArithmetic(const std::string& name);
  void loadWeights(const ModelSettings& settings);
  void createContext(const ModelSettings& settings);
  void attachThreads(int threads);
  void release();

  std::function<bool()> shouldStop_;
  /** Null where everything is left to llama.cpp. */
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
