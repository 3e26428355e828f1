#pragma once

#include <napi.h>

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "loop/step-loop.h"
#include "model/tokenizer.h"

/** One model and its engine thread, as a JavaScript class; `child/addon.ts` has the types. */
class NativeEngine : public Napi::ObjectWrap<NativeEngine> {
 public:
  static Napi::Function define(Napi::Env env);
  explicit NativeEngine(const Napi::CallbackInfo& info);
  ~NativeEngine() override;

 private:
  using JsCall = std::function<void(Napi::Env, Napi::Function)>;

  Napi::Value load(const Napi::CallbackInfo& info);
  Napi::Value submit(const Napi::CallbackInfo& info);
  Napi::Value abort(const Napi::CallbackInfo& info);
  Napi::Value tokenize(const Napi::CallbackInfo& info);
  Napi::Value tokenizeInBackground(const Napi::CallbackInfo& info);
  Napi::Value vocabulary(const Napi::CallbackInfo& info);
  Napi::Value readMarks(const Napi::CallbackInfo& info);
  Napi::Value progress(const Napi::CallbackInfo& info);
  Napi::Value close(const Napi::CallbackInfo& info);

  void run();
  bool loadModel();
  void callJs(JsCall call);
  void stopThread();
  void settleClosed(Napi::Env env);
  Napi::Object modelFacts(Napi::Env env) const;
  void requireModel(Napi::Env env) const;

  ModelSettings settings_;
  std::unique_ptr<StepLoop> loop_;
  std::shared_ptr<const LoadedModel> model_;
  LongTexts longTexts_;
  std::thread thread_;
  Napi::ThreadSafeFunction toJs_;
  std::optional<Napi::Promise::Deferred> loaded_;
  std::vector<Napi::Promise::Deferred> closed_;
  Napi::Env::CleanupHook<void (*)(NativeEngine*), NativeEngine> cleanup_;

  /** Guards `callsPending_` and `closing_`. */
  std::mutex callsMutex_;
  std::condition_variable callStarted_;
  /** Calls queued for the JavaScript thread that have not started there; `callJs` limits them. */
  int callsPending_ = 0;
  bool closing_ = false;
};
