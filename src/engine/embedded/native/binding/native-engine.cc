#include "binding/native-engine.h"

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "binding/int32-array.h"
#include "binding/read-generation.h"
#include "binding/tokenize-worker.h"
#include "binding/vocabulary.h"
#include "model/tokenizer.h"

namespace {

constexpr int callsPendingMax = 64;

ModelSettings readModelSettings(const Napi::Object& object) {
  ModelSettings settings;
  settings.modelPath = object.Get("modelPath").ToString();
  settings.slots = toInt(object.Get("slots"));
  settings.contextTokens = toInt(object.Get("contextTokens"));
  const std::string kvType = object.Get("kvType").ToString();
  settings.kvType = kvType == "q8_0" ? GGML_TYPE_Q8_0 : GGML_TYPE_F16;
  settings.threads = toInt(object.Get("threads"));
  settings.prefillChunkTokens = toInt(object.Get("prefillChunkTokens"));
  settings.cachedTokensMax = toInt(object.Get("cachedTokensMax"));
  settings.checkpointBytesMax = object.Get("checkpointBytesMax").ToNumber().Int64Value();
  settings.speculativeTokensMax = toInt(object.Get("speculativeTokensMax"));
  settings.arithmetic = object.Get("arithmetic").ToString();
  return settings;
}

}  // namespace

Napi::Function NativeEngine::define(Napi::Env env) {
  return DefineClass(
      env, "NativeEngine",
      {
          InstanceMethod("load", &NativeEngine::load),
          InstanceMethod("submit", &NativeEngine::submit),
          InstanceMethod("abort", &NativeEngine::abort),
          InstanceMethod("tokenize", &NativeEngine::tokenize),
          InstanceMethod("tokenizeInBackground", &NativeEngine::tokenizeInBackground),
          InstanceMethod("vocabulary", &NativeEngine::vocabulary),
          InstanceMethod("readMarks", &NativeEngine::readMarks),
          InstanceMethod("progress", &NativeEngine::progress),
          InstanceMethod("close", &NativeEngine::close),
      });
}

NativeEngine::NativeEngine(const Napi::CallbackInfo& info)
    : Napi::ObjectWrap<NativeEngine>(info),
      settings_(readModelSettings(info[0].As<Napi::Object>())),
      loop_(std::make_unique<StepLoop>([this](std::vector<StepEvent> events) {
        callJs([events = std::move(events)](Napi::Env env, Napi::Function onStep) {
          onStep.Call({toJsArray(env, events)});
        });
      })) {
  toJs_ =
      Napi::ThreadSafeFunction::New(info.Env(), info[1].As<Napi::Function>(), "pipit-engine", 0, 1);
  cleanup_ = info.Env().AddCleanupHook(
      static_cast<void (*)(NativeEngine*)>([](NativeEngine* self) { self->stopThread(); }), this);
  // Keeps this object alive for the engine thread when JavaScript drops its last reference.
  Ref();
}

NativeEngine::~NativeEngine() { stopThread(); }

Napi::Value NativeEngine::load(const Napi::CallbackInfo& info) {
  if (thread_.joinable() || model_ != nullptr || loop_ == nullptr) {
    throw Napi::Error::New(info.Env(), "The engine can be loaded once.");
  }
  loaded_.emplace(info.Env());
  const Napi::Promise promise = loaded_->Promise();
  thread_ = std::thread([this] { run(); });
  return promise;
}

/**
 * Runs on the engine thread: loads the model, generates until `close`, then lets the JavaScript
 * thread free the model. An exception in the loop ends the process, and the supervisor restarts it.
 */
void NativeEngine::run() {
  if (loadModel()) loop_->run();
  callJs([this](Napi::Env env, Napi::Function) {
    thread_.join();
    settleClosed(env);
  });
  toJs_.Release();
}

/** Returns false when the model cannot be loaded, which rejects the promise of `load`. */
bool NativeEngine::loadModel() {
  try {
    std::shared_ptr<const LoadedModel> model = loop_->load(settings_);
    callJs([this, model = std::move(model)](Napi::Env env, Napi::Function) {
      model_ = model;
      longTexts_ = longTextsOf(*model);
      loaded_->Resolve(modelFacts(env));
    });
    return true;
  } catch (const std::exception& error) {
    callJs([this, message = std::string(error.what())](Napi::Env env, Napi::Function) {
      loaded_->Reject(Napi::Error::New(env, message).Value());
    });
    return false;
  }
}

/** Frees the model and resolves the promises that `close` returned. */
void NativeEngine::settleClosed(Napi::Env env) {
  if (loop_ != nullptr) {
    model_.reset();
    loop_.reset();
    cleanup_.Remove(env);
    Unref();
  }
  for (const Napi::Promise::Deferred& closed : closed_) closed.Resolve(env.Undefined());
  closed_.clear();
}

/** Queues a call on the JavaScript thread; waits while too many are pending. */
void NativeEngine::callJs(JsCall call) {
  {
    std::unique_lock<std::mutex> lock(callsMutex_);
    callStarted_.wait(lock, [&] { return callsPending_ < callsPendingMax || closing_; });
    callsPending_++;
  }
  const auto runCall = [this](Napi::Env env, Napi::Function onStep, JsCall* queued) {
    {
      std::lock_guard<std::mutex> lock(callsMutex_);
      callsPending_--;
    }
    callStarted_.notify_one();
    (*queued)(env, onStep);
    delete queued;
  };
  auto* queued = new JsCall(std::move(call));
  if (toJs_.NonBlockingCall(queued, runCall) != napi_ok) delete queued;
}

/**
 * Ends the engine thread if the environment ends without `close`. Queued calls then no longer run.
 */
void NativeEngine::stopThread() {
  {
    std::lock_guard<std::mutex> lock(callsMutex_);
    closing_ = true;
  }
  callStarted_.notify_one();
  if (!thread_.joinable()) return;
  loop_->close();
  thread_.join();
}

void NativeEngine::requireModel(Napi::Env env) const {
  if (model_ == nullptr) throw Napi::Error::New(env, "The engine is not loaded.");
}

Napi::Value NativeEngine::submit(const Napi::CallbackInfo& info) {
  requireModel(info.Env());
  const int32_t tokensEnough = loop_->submit(readGeneration(info[0].As<Napi::Object>()));
  return Napi::Number::New(info.Env(), tokensEnough);
}

Napi::Value NativeEngine::abort(const Napi::CallbackInfo& info) {
  requireModel(info.Env());
  loop_->abort(toInt(info[0]));
  return info.Env().Undefined();
}

Napi::Value NativeEngine::tokenize(const Napi::CallbackInfo& info) {
  requireModel(info.Env());
  try {
    return toJsArray(info.Env(), tokenizeText(model_->vocab(), info[0].ToString(), longTexts_));
  } catch (const std::exception& error) {
    throw Napi::Error::New(info.Env(), error.what());
  }
}

Napi::Value NativeEngine::tokenizeInBackground(const Napi::CallbackInfo& info) {
  requireModel(info.Env());
  return startTokenizing(info.Env(), model_, longTexts_, info[0].As<Napi::Array>());
}

Napi::Value NativeEngine::vocabulary(const Napi::CallbackInfo& info) {
  requireModel(info.Env());
  return describeVocabulary(info.Env(), *model_);
}

Napi::Value NativeEngine::readMarks(const Napi::CallbackInfo& info) {
  requireModel(info.Env());
  const Napi::Int32Array given = info[0].As<Napi::Int32Array>();
  std::vector<llama_token> tokens;
  for (size_t index = 0; index < given.ElementLength(); index++) {
    const llama_token token = given[index];
    const bool isToken = token >= 0 && token < model_->vocabSize();
    if (isToken && !model_->endsGeneration(token)) tokens.push_back(token);
  }
  loop_->readMarks(tokens);
  return toJsArray(info.Env(), tokens);
}

Napi::Object NativeEngine::modelFacts(Napi::Env env) const {
  Napi::Object facts = Napi::Object::New(env);
  facts.Set("arithmetic", model_->arithmetic());
  facts.Set("kernels", model_->kernelsName());
  facts.Set("ownWeightsShare", model_->ownWeightsShare());
  if (!model_->difference().empty()) facts.Set("difference", model_->difference());
  const char* chatTemplate = model_->chatTemplate();
  if (chatTemplate != nullptr) facts.Set("chatTemplate", chatTemplate);
  const char* toolTemplate = model_->toolTemplate();
  if (toolTemplate != nullptr) facts.Set("toolTemplate", toolTemplate);
  const llama_token bos = llama_vocab_bos(model_->vocab());
  if (bos != LLAMA_TOKEN_NULL) facts.Set("bosToken", bos);
  facts.Set("addsBos", llama_vocab_get_add_bos(model_->vocab()));
  const llama_token eos = llama_vocab_eos(model_->vocab());
  if (eos != LLAMA_TOKEN_NULL) facts.Set("eosToken", eos);
  return facts;
}

Napi::Value NativeEngine::progress(const Napi::CallbackInfo& info) {
  Napi::Object progress = Napi::Object::New(info.Env());
  const bool isClosed = loop_ == nullptr;
  progress.Set("progress", isClosed ? 0.0 : static_cast<double>(loop_->progress()));
  progress.Set("loadedShare", isClosed ? 0.0 : static_cast<double>(loop_->loadedShare()));
  progress.Set("slotsBusy", isClosed ? 0 : loop_->slotsBusy());
  return progress;
}

Napi::Value NativeEngine::close(const Napi::CallbackInfo& info) {
  closed_.emplace_back(info.Env());
  const Napi::Promise promise = closed_.back().Promise();
  if (thread_.joinable()) {
    loop_->close();
  } else {
    // The engine was never loaded, or is closed: no thread will settle the promise.
    if (loop_ != nullptr) toJs_.Release();
    settleClosed(info.Env());
  }
  return promise;
}
