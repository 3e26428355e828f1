#include "binding/tokenize-worker.h"

#include <atomic>
#include <string>
#include <utility>
#include <vector>

#if defined(__linux__)
#include <sys/resource.h>
#endif

#include "binding/int32-array.h"

namespace {

/**
 * Lowers this thread's priority, so that running replies get the processor first. The kernel may
 * forbid it.
 */
void yieldToSteps() {
#if defined(__linux__)
  thread_local bool isDone = false;
  // On Linux 0 is the calling thread, not its process.
  if (!isDone) setpriority(PRIO_PROCESS, 0, 5);
  isDone = true;
#endif
}

class TokenizeWorker : public Napi::AsyncWorker {
 public:
  TokenizeWorker(Napi::Env env, std::shared_ptr<const LoadedModel> model, LongTexts longTexts,
                 std::vector<std::string> texts, std::shared_ptr<std::atomic<bool>> cancelled)
      : Napi::AsyncWorker(env),
        deferred_(env),
        model_(std::move(model)),
        longTexts_(longTexts),
        texts_(std::move(texts)),
        cancelled_(std::move(cancelled)) {}
  Napi::Promise promise() const { return deferred_.Promise(); }

 protected:
  void Execute() override {
    yieldToSteps();
    tokens_ = tokenizeTexts(model_->vocab(), texts_, longTexts_, *cancelled_);
    if (*cancelled_) SetError("The tokenising was cancelled.");
  }
  void OnOK() override {
    Napi::Array arrays = Napi::Array::New(Env(), tokens_.size());
    for (size_t index = 0; index < tokens_.size(); index++) {
      arrays.Set(static_cast<uint32_t>(index), toJsArray(Env(), tokens_[index]));
    }
    deferred_.Resolve(arrays);
  }
  void OnError(const Napi::Error& error) override { deferred_.Reject(error.Value()); }

 private:
  Napi::Promise::Deferred deferred_;
  std::shared_ptr<const LoadedModel> model_;
  LongTexts longTexts_;
  std::vector<std::string> texts_;
  std::shared_ptr<std::atomic<bool>> cancelled_;
  std::vector<std::vector<llama_token>> tokens_;
};

}  // namespace

Napi::Object startTokenizing(Napi::Env env, std::shared_ptr<const LoadedModel> model,
                             LongTexts longTexts, const Napi::Array& texts) {
  std::vector<std::string> copies;
  for (uint32_t index = 0; index < texts.Length(); index++) {
    copies.push_back(texts.Get(index).ToString());
  }
  const auto cancelled = std::make_shared<std::atomic<bool>>(false);
  // The worker deletes itself when its promise is settled.
  auto* worker = new TokenizeWorker(env, std::move(model), longTexts, std::move(copies), cancelled);
  Napi::Object tokenizing = Napi::Object::New(env);
  tokenizing.Set("tokens", worker->promise());
  tokenizing.Set("cancel", Napi::Function::New(
                               env, [cancelled](const Napi::CallbackInfo&) { *cancelled = true; }));
  worker->Queue();
  return tokenizing;
}
