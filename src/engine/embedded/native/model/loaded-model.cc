#include "model/loaded-model.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <utility>

#include "ggml-backend.h"
#include "model/log-ring.h"
#include "model/weight-placement.h"

namespace {

/**
 * Number of tokens in the comparison: enough for two blocks of cells, and for tiles of sixteen rows
 * and of one row.
 */
constexpr int comparedTokens = Kernels::blockCells + 1;
/**
 * Largest difference that passes as rounding. Rounding gives about 0.01, and 0.08 in the worst of
 * 252 random models. One wrong lane of sixteen gives 0.35, and a wrong row at least 1
 * (docs/decisions/0011).
 */
constexpr double differenceMax = 0.3;

/** Returns true if llama.cpp stores the model's sliding window in its usual KV cache. */
bool hasPlainWindow(const llama_model* model) {
  char architecture[64] = "";
  llama_model_meta_val_str(model, "general.architecture", architecture, sizeof architecture);
  // These two compress or index their cache in ways that a copy of the window does not preserve.
  return std::strcmp(architecture, "deepseek4") != 0 && std::strcmp(architecture, "dots3note") != 0;
}

}  // namespace

std::shared_ptr<LoadedModel> LoadedModel::open(const ModelSettings& settings,
                                               const std::function<bool()>& shouldStop,
                                               const std::function<void(float)>& onLoaded) {
  auto model = std::make_shared<LoadedModel>(settings, shouldStop, onLoaded);
  std::string difference = model->findDifference();
  if (!difference.empty()) {
    // Two models at once might not fit into memory.
    model.reset();
    ModelSettings withoutOurs = settings;
    withoutOurs.arithmetic = "llama.cpp";
    model = std::make_shared<LoadedModel>(withoutOurs, shouldStop, onLoaded);
    model->difference_ = std::move(difference);
  }
  model->checkSanity();
  return model;
}

LoadedModel::LoadedModel(const ModelSettings& settings, std::function<bool()> shouldStop,
                         const std::function<void(float)>& onLoaded)
    : shouldStop_(std::move(shouldStop)) {
  try {
    chooseArithmetic(settings.arithmetic);
    loadWeights(settings, onLoaded);
    createContext(settings);
    attachThreads(settings.threads);
  } catch (...) {
    release();
    throw;
  }
}

LoadedModel::~LoadedModel() { release(); }

void LoadedModel::release() {
  if (context_ != nullptr) llama_free(context_);
  if (threads_ != nullptr) freeThreads_(threads_);
  if (model_ != nullptr) llama_model_free(model_);
  context_ = nullptr;
  threads_ = nullptr;
  model_ = nullptr;
}

void LoadedModel::chooseArithmetic(const std::string& name) {
  if (name == "llama.cpp") return;
  const Kernels* kernels = name == "best" ? bestKernels() : findKernels(name);
  if (kernels != nullptr) {
    rewriter_ = std::make_unique<GraphRewriter>(*kernels);
  } else if (name != "best") {
    throw std::runtime_error("this processor cannot run " + name);
  }
}

void LoadedModel::loadWeights(const ModelSettings& settings,
                              const std::function<void(float)>& onLoaded) {
  llama_model_params params = llama_model_default_params();
  params.check_tensors = true;
  const bool avoidsAmx = WeightPlacement::mustAvoidAmx(settings.modelPath);
  std::optional<WeightPlacement> placement;
  if (rewriter_ != nullptr || avoidsAmx) {
    placement.emplace(settings.modelPath, avoidsAmx).applyTo(params);
  }
  takeLoggedErrors();
  params.progress_callback = [](float share, void* onLoaded) {
    (*static_cast<const std::function<void(float)>*>(onLoaded))(share);
    return true;
  };
  params.progress_callback_user_data = const_cast<std::function<void(float)>*>(&onLoaded);
  // -1 puts all layers on the GPU, where a backend has found one.
  params.n_gpu_layers = -1;
  model_ = llama_model_load_from_file(settings.modelPath.c_str(), params);
  if (model_ == nullptr) {
    const std::string logged = takeLoggedErrors();
    throw std::runtime_error(logged.empty() ? "llama.cpp cannot read it" : logged);
  }
  if (!llama_model_has_decoder(model_) || llama_model_has_encoder(model_) ||
      llama_model_is_diffusion(model_)) {
    throw std::runtime_error("it is not a model that continues text");
  }
  vocab_ = llama_model_get_vocab(model_);
  vocabSize_ = llama_vocab_n_tokens(vocab_);
  if (llama_vocab_type(vocab_) == LLAMA_VOCAB_TYPE_NONE || vocabSize_ < 1) {
    throw std::runtime_error("it has no vocabulary");
  }
  endsGeneration_.resize(vocabSize_);
  for (llama_token token = 0; token < vocabSize_; token++) {
    endsGeneration_[token] = llama_vocab_is_eog(vocab_, token);
  }
  isRecurrent_ = llama_model_is_recurrent(model_) || llama_model_is_hybrid(model_);
  windowTokens_ = static_cast<size_t>(std::max(llama_model_n_swa(model_), 0));
  canSharePrefixes_ = windowTokens_ == 0 || (!isRecurrent_ && hasPlainWindow(model_));
}

void LoadedModel::createContext(const ModelSettings& settings) {
  contextTokens_ = settings.contextTokens;
  llama_context_params params = llama_context_default_params();
  params.n_ctx = static_cast<uint32_t>(contextTokens_) * settings.slots;
  params.n_seq_max = settings.slots;
  params.n_batch = std::max(settings.prefillChunkTokens, 2 * settings.slots);
  params.n_ubatch = params.n_batch;
  params.n_threads = settings.threads;
  params.n_threads_batch = settings.threads;
  params.flash_attn_type = LLAMA_FLASH_ATTN_TYPE_ENABLED;
  params.type_k = settings.kvType;
  params.type_v = settings.kvType;
  // Every slot owns its cells, so a decode never fails because other slots hold them.
  params.kv_unified = false;
  params.no_perf = true;
  params.abort_callback = [](void* self) { return static_cast<LoadedModel*>(self)->shouldStop_(); };
  params.abort_callback_data = this;
  if (rewriter_ != nullptr) {
    params.cb_eval = GraphRewriter::onNode;
    params.cb_eval_user_data = rewriter_.get();
  }
  context_ = llama_init_from_model(model_, params);
  if (context_ == nullptr) {
    throw std::runtime_error("llama.cpp cannot create a context for " +
                             std::to_string(settings.slots) + " slots of " +
                             std::to_string(contextTokens_) + " tokens with a KV cache of " +
                             ggml_type_name(settings.kvType) + " (" + takeLoggedErrors() + ")");
  }
  if (static_cast<int>(llama_n_ctx_seq(context_)) < contextTokens_) {
    throw std::runtime_error("llama.cpp gives each slot less context than requested");
  }
}

/**
 * Attaches a persistent thread pool; without one, llama.cpp creates and joins threads at every
 * decode.
 */
void LoadedModel::attachThreads(int threads) {
  if (threads < 2) return;
  ggml_backend_dev_t cpu = ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU);
  ggml_backend_reg_t registry = ggml_backend_dev_backend_reg(cpu);
  const auto create = reinterpret_cast<decltype(&ggml_threadpool_new)>(
      ggml_backend_reg_get_proc_address(registry, "ggml_threadpool_new"));
  freeThreads_ = reinterpret_cast<decltype(&ggml_threadpool_free)>(
      ggml_backend_reg_get_proc_address(registry, "ggml_threadpool_free"));
  if (create == nullptr || freeThreads_ == nullptr) return;
  ggml_threadpool_params params = ggml_threadpool_params_default(threads);
  threads_ = create(&params);
  if (threads_ == nullptr) throw std::runtime_error("no compute threads can be started");
  llama_attach_threadpool(context_, threads_, threads_);
}

void LoadedModel::suppressTokens(float* logits) const {
  int32_t count = 0;
  const llama_token* const tokens = llama_vocab_get_suppress_tokens(vocab_, &count);
  for (int32_t index = 0; index < count; index++) logits[tokens[index]] = -INFINITY;
}

std::string LoadedModel::arithmetic() const {
  if (rewriter_ == nullptr) return "llama.cpp";
  const std::string left = rewriter_->leftToLlama();
  return std::string(rewriter_->kernelsName()) + " 2" + (left.empty() ? "" : " without " + left);
}

std::string LoadedModel::findDifference() {
  if (rewriter_ == nullptr) return "";
  rewriter_->startComparing();
  decodeTokens(comparedTokens);
  const auto [name, size] = rewriter_->finishComparing();
  llama_memory_clear(memory(), true);
  if (size <= differenceMax) return "";
  return name + " differs by " + std::to_string(std::lround(std::min(size, 10.0) * 100)) + " %";
}

void LoadedModel::checkSanity() {
  const float* logits = decodeTokens(4);
  const bool finite =
      std::all_of(logits, logits + vocabSize_, [](float logit) { return std::isfinite(logit); });
  const bool flat =
      std::all_of(logits, logits + vocabSize_, [&](float logit) { return logit == logits[0]; });
  if (!finite || flat)
    throw std::runtime_error("its weights are damaged: the first decode returns unusable logits");
  llama_memory_clear(memory(), true);
}

/** Decodes tokens of one sequence, and returns the logits of the last. */
const float* LoadedModel::decodeTokens(int tokens) {
  llama_batch batch = llama_batch_init(tokens, 0, 1);
  for (int index = 0; index < tokens; index++) {
    batch.token[index] = (index * 7 + 3) % vocabSize_;
    batch.pos[index] = index;
    batch.n_seq_id[index] = 1;
    batch.seq_id[index][0] = 0;
    batch.logits[index] = index == tokens - 1;
  }
  batch.n_tokens = tokens;
  const int result = llama_decode(context_, batch);
  llama_batch_free(batch);
  if (result != 0) {
    throw std::runtime_error("the first decode fails (" + std::to_string(result) + ")");
  }
  const float* logits = llama_get_logits_ith(context_, tokens - 1);
  if (logits == nullptr) throw std::runtime_error("the first decode returns no logits");
  return logits;
}
