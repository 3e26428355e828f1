#pragma once

#include <napi.h>

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "step-loop.h"

Sampling readSampling(const Napi::Object& sampling);
/** Null for undefined. */
std::shared_ptr<const Grammar> readGrammar(const Napi::Value& numbers);

/** One model and its engine thread, for JavaScript. `child/addon.ts` has the types. */
class NativeEngine : public Napi::ObjectWrap<NativeEngine> {
 public:
  static Napi::Function define(Napi::Env env);
  explicit NativeEngine(const Napi::CallbackInfo& info);
  ~NativeEngine() override;

 private:
  using OnJsThread = std::function<void(Napi::Env, Napi::Function)>;

  Napi::Value load(const Napi::CallbackInfo& info);
  Napi::Value submit(const Napi::CallbackInfo& info);
  Napi::Value abort(const Napi::CallbackInfo& info);
  Napi::Value tokenize(const Napi::CallbackInfo& info);
  Napi::Value tokenizeInBackground(const Napi::CallbackInfo& info);
  Napi::Value vocabulary(const Napi::CallbackInfo& info);
  Napi::Value progress(const Napi::CallbackInfo& info);
  Napi::Value close(const Napi::CallbackInfo& info);

  void work();
  void callJs(OnJsThread call);
  void stopThread();
  void settleClosed(Napi::Env env);
  Napi::Object describe(Napi::Env env) const;
  void requireModel(Napi::Env env) const;

  ModelSettings settings_;
  std::unique_ptr<StepLoop> loop_;
  std::shared_ptr<const LoadedModel> model_;
  std::thread thread_;
  Napi::ThreadSafeFunction toJs_;
  std::optional<Napi::Promise::Deferred> loaded_;
  std::vector<Napi::Promise::Deferred> closed_;
  Napi::Env::CleanupHook<void (*)(NativeEngine*), NativeEngine> cleanup_;

  /** Steps that JavaScript has not taken yet: the loop waits when there are too many. */
  std::mutex callsMutex_;
  std::condition_variable callTaken_;
  int callsPending_ = 0;
  bool closing_ = false;
};
