#include "native-engine.h"

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "tokenizer.h"

namespace {

constexpr int callsPendingMax = 64;

int toInt(const Napi::Value& value) { return value.ToNumber().Int32Value(); }

Napi::Int32Array toJsArray(Napi::Env env, const std::vector<int32_t>& numbers) {
  Napi::Int32Array array = Napi::Int32Array::New(env, numbers.size());
  std::memcpy(array.Data(), numbers.data(), numbers.size() * sizeof(int32_t));
  return array;
}

class TokenizeWorker : public Napi::AsyncWorker {
 public:
  TokenizeWorker(Napi::Env env, std::shared_ptr<const LoadedModel> model, std::string text)
      : Napi::AsyncWorker(env),
        deferred_(env),
        model_(std::move(model)),
        text_(std::move(text)) {}
  Napi::Promise promise() const { return deferred_.Promise(); }

 protected:
  void Execute() override { tokens_ = tokenizeText(model_->vocab(), text_, false); }
  void OnOK() override { deferred_.Resolve(toJsArray(Env(), tokens_)); }
  void OnError(const Napi::Error& error) override { deferred_.Reject(error.Value()); }

 private:
  Napi::Promise::Deferred deferred_;
  std::shared_ptr<const LoadedModel> model_;
  std::string text_;
  std::vector<llama_token> tokens_;
};

}  // namespace

Napi::Function NativeEngine::define(Napi::Env env) {
  return DefineClass(env, "NativeEngine",
                     {
                         InstanceMethod("load", &NativeEngine::load),
                         InstanceMethod("submit", &NativeEngine::submit),
                         InstanceMethod("abort", &NativeEngine::abort),
                         InstanceMethod("tokenize", &NativeEngine::tokenize),
                         InstanceMethod("tokenizeInBackground", &NativeEngine::tokenizeInBackground),
                         InstanceMethod("vocabulary", &NativeEngine::vocabulary),
                         InstanceMethod("progress", &NativeEngine::progress),
                         InstanceMethod("close", &NativeEngine::close),
                     });
}

NativeEngine::NativeEngine(const Napi::CallbackInfo& info)
    : Napi::ObjectWrap<NativeEngine>(info),
      loop_(std::make_unique<StepLoop>([this](StepEvents events) {
        callJs([events = std::move(events)](Napi::Env env, Napi::Function onStep) {
          onStep.Call({toJsArray(env, events)});
        });
      })) {
  const Napi::Object settings = info[0].As<Napi::Object>();
  settings_.modelPath = settings.Get("modelPath").ToString();
  settings_.slots = toInt(settings.Get("slots"));
  settings_.contextTokens = toInt(settings.Get("contextTokens"));
  const std::string kvType = settings.Get("kvType").ToString();
  settings_.kvType = kvType == "q8_0" ? GGML_TYPE_Q8_0 : GGML_TYPE_F16;
  settings_.threads = toInt(settings.Get("threads"));
  settings_.prefillChunkTokens = toInt(settings.Get("prefillChunkTokens"));
  settings_.cachedTokensMax = toInt(settings.Get("cachedTokensMax"));
  settings_.guessedTokensMax = toInt(settings.Get("guessedTokensMax"));
  settings_.arithmetic = settings.Get("arithmetic").ToString();
  toJs_ = Napi::ThreadSafeFunction::New(info.Env(), info[1].As<Napi::Function>(), "pipit-engine", 0, 1);
  cleanup_ = info.Env().AddCleanupHook(
      static_cast<void (*)(NativeEngine*)>([](NativeEngine* self) { self->stopThread(); }), this);
  // The engine thread needs this object, whether JavaScript still holds it or not.
  Ref();
}

NativeEngine::~NativeEngine() { stopThread(); }

Napi::Value NativeEngine::load(const Napi::CallbackInfo& info) {
  if (thread_.joinable() || model_ != nullptr) {
    throw Napi::Error::New(info.Env(), "The engine is loaded once.");
  }
  loaded_.emplace(info.Env());
  const Napi::Promise promise = loaded_->Promise();
  thread_ = std::thread([this] { work(); });
  return promise;
}

/** The engine thread: loads, generates until `close`, frees the model. */
void NativeEngine::work() {
  try {
    std::shared_ptr<const LoadedModel> model = loop_->load(settings_);
    callJs([this, model = std::move(model)](Napi::Env env, Napi::Function) {
      model_ = model;
      loaded_->Resolve(describe(env));
    });
    loop_->run();
  } catch (const std::exception& error) {
    callJs([this, message = std::string(error.what())](Napi::Env env, Napi::Function) {
      loaded_->Reject(Napi::Error::New(env, message).Value());
    });
  }
  callJs([this](Napi::Env env, Napi::Function) {
    thread_.join();
    settleClosed(env);
  });
  toJs_.Release();
}

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

void NativeEngine::callJs(OnJsThread call) {
  {
    std::unique_lock<std::mutex> lock(callsMutex_);
    callTaken_.wait(lock, [&] { return callsPending_ < callsPendingMax || closing_; });
    callsPending_++;
  }
  const auto run = [this](Napi::Env env, Napi::Function onStep, OnJsThread* taken) {
    {
      std::lock_guard<std::mutex> lock(callsMutex_);
      callsPending_--;
    }
    callTaken_.notify_one();
    (*taken)(env, onStep);
    delete taken;
  };
  auto* handedOver = new OnJsThread(std::move(call));
  if (toJs_.NonBlockingCall(handedOver, run) != napi_ok) delete handedOver;
}

/** For an environment that ends without `close`: nothing reaches JavaScript any more. */
void NativeEngine::stopThread() {
  {
    std::lock_guard<std::mutex> lock(callsMutex_);
    closing_ = true;
  }
  callTaken_.notify_one();
  if (!thread_.joinable()) return;
  loop_->close();
  thread_.join();
}

void NativeEngine::requireModel(Napi::Env env) const {
  if (model_ == nullptr) throw Napi::Error::New(env, "The engine is not loaded.");
}

Sampling readSampling(const Napi::Object& object) {
  Sampling sampling;
  sampling.temperature = object.Get("temperature").ToNumber().FloatValue();
  sampling.topP = object.Get("topP").ToNumber().FloatValue();
  sampling.topK = toInt(object.Get("topK"));
  sampling.minP = object.Get("minP").ToNumber().FloatValue();
  sampling.seed = static_cast<uint64_t>(object.Get("seed").ToNumber().Int64Value());
  const auto numberOrZero = [&](const char* name) {
    const Napi::Value value = object.Get(name);
    return value.IsNumber() ? value.ToNumber().FloatValue() : 0.0f;
  };
  sampling.presencePenalty = numberOrZero("presencePenalty");
  sampling.frequencyPenalty = numberOrZero("frequencyPenalty");
  const Napi::Value biases = object.Get("logitBias");
  if (biases.IsArray()) {
    const Napi::Array pairs = biases.As<Napi::Array>();
    for (uint32_t index = 0; index < pairs.Length(); index++) {
      const Napi::Array pair = pairs.Get(index).As<Napi::Array>();
      sampling.logitBias.emplace_back(toInt(pair.Get(0u)), pair.Get(1u).ToNumber().FloatValue());
    }
  }
  return sampling;
}

std::shared_ptr<const Grammar> readGrammar(const Napi::Value& value) {
  if (!value.IsTypedArray()) return nullptr;
  const Napi::Int32Array numbers = value.As<Napi::Int32Array>();
  try {
    return std::make_shared<Grammar>(numbers.Data(), numbers.ElementLength());
  } catch (const std::exception& error) {
    throw Napi::Error::New(value.Env(), error.what());
  }
}

Napi::Value NativeEngine::submit(const Napi::CallbackInfo& info) {
  requireModel(info.Env());
  const Napi::Object request = info[0].As<Napi::Object>();
  const Napi::Int32Array prompt = request.Get("prompt").As<Napi::Int32Array>();
  Generation generation;
  generation.id = toInt(request.Get("id"));
  generation.prompt.assign(prompt.Data(), prompt.Data() + prompt.ElementLength());
  const Napi::Int32Array replies = request.Get("replies").As<Napi::Int32Array>();
  for (size_t index = 0; index + 1 < replies.ElementLength(); index += 2) {
    generation.replies.emplace_back(replies[index], replies[index + 1]);
  }
  generation.maxTokens = toInt(request.Get("maxTokens"));
  const Napi::Value topLogprobs = request.Get("topLogprobs");
  if (topLogprobs.IsNumber()) generation.topLogprobs = toInt(topLogprobs);
  generation.grammar = readGrammar(request.Get("grammar"));
  generation.scope = request.Get("cacheScope").ToString();
  generation.sampling = readSampling(request.Get("sampling").As<Napi::Object>());
  loop_->submit(std::move(generation));
  return info.Env().Undefined();
}

Napi::Value NativeEngine::abort(const Napi::CallbackInfo& info) {
  requireModel(info.Env());
  loop_->abort(toInt(info[0]));
  return info.Env().Undefined();
}

Napi::Value NativeEngine::tokenize(const Napi::CallbackInfo& info) {
  requireModel(info.Env());
  const std::string text = info[0].ToString();
  return toJsArray(info.Env(), tokenizeText(model_->vocab(), text, info[1].ToBoolean()));
}

Napi::Value NativeEngine::tokenizeInBackground(const Napi::CallbackInfo& info) {
  requireModel(info.Env());
  auto* worker = new TokenizeWorker(info.Env(), model_, info[0].ToString());
  worker->Queue();
  return worker->promise();
}

Napi::Value NativeEngine::vocabulary(const Napi::CallbackInfo& info) {
  requireModel(info.Env());
  return describeVocabulary(info.Env(), *model_);
}

Napi::Object NativeEngine::describe(Napi::Env env) const {
  Napi::Object facts = Napi::Object::New(env);
  const char* chatTemplate = model_->chatTemplate();
  facts.Set("contextTokens", model_->contextTokens());
  facts.Set("trainedContextTokens", model_->trainedContextTokens());
  facts.Set("description", model_->description());
  facts.Set("arithmetic", model_->arithmetic());
  facts.Set("chatTemplate", chatTemplate == nullptr ? "" : chatTemplate);
  facts.Set("addsBos", llama_vocab_get_add_bos(model_->vocab()));
  facts.Set("bosToken", llama_vocab_bos(model_->vocab()));
  facts.Set("eosToken", llama_vocab_eos(model_->vocab()));
  return facts;
}

Napi::Value NativeEngine::progress(const Napi::CallbackInfo& info) {
  Napi::Object progress = Napi::Object::New(info.Env());
  if (loop_ == nullptr) return progress;
  const Counters& counters = loop_->counters();
  progress.Set("progress", static_cast<double>(counters.progress));
  progress.Set("steps", static_cast<double>(counters.steps));
  progress.Set("promptTokens", static_cast<double>(counters.promptTokens));
  progress.Set("completionTokens", static_cast<double>(counters.completionTokens));
  progress.Set("reusedTokens", static_cast<double>(counters.reusedTokens));
  progress.Set("slotsBusy", static_cast<int>(counters.slotsBusy));
  return progress;
}

Napi::Value NativeEngine::close(const Napi::CallbackInfo& info) {
  closed_.emplace_back(info.Env());
  const Napi::Promise promise = closed_.back().Promise();
  if (thread_.joinable()) {
    loop_->close();
  } else {
    // Never loaded, or closed before: there is no thread that would do this.
    if (loop_ != nullptr) toJs_.Release();
    settleClosed(info.Env());
  }
  return promise;
}
