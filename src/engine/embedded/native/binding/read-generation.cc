#include "binding/read-generation.h"

#include <exception>

int toInt(const Napi::Value& value) { return value.ToNumber().Int32Value(); }

namespace {

std::vector<llama_token> readTokens(const Napi::Value& value) {
  const Napi::Int32Array tokens = value.As<Napi::Int32Array>();
  return {tokens.Data(), tokens.Data() + tokens.ElementLength()};
}

}  // namespace

Generation readGeneration(const Napi::Object& object) {
  Generation generation;
  generation.id = toInt(object.Get("id"));
  const Napi::Int32Array prompt = object.Get("prompt").As<Napi::Int32Array>();
  generation.prompt.assign(prompt.Data(), prompt.Data() + prompt.ElementLength());
  const Napi::Int32Array replies = object.Get("replies").As<Napi::Int32Array>();
  for (size_t index = 0; index + 1 < replies.ElementLength(); index += 2) {
    generation.replies.emplace_back(replies[index], replies[index + 1]);
  }
  const Napi::Value known = object.Get("known");
  if (known.IsTypedArray()) generation.known = readTokens(known);
  generation.maxTokens = toInt(object.Get("maxTokens"));
  const Napi::Value topLogprobs = object.Get("topLogprobs");
  if (topLogprobs.IsNumber()) generation.topLogprobs = toInt(topLogprobs);
  generation.grammar = readGrammar(object.Get("grammar"));
  generation.thoughts = readThoughts(object.Get("thoughts"));
  generation.completesFormat = object.Get("completesFormat").ToBoolean();
  generation.scope = object.Get("cacheScope").ToString();
  generation.sampling = readSampling(object.Get("sampling").As<Napi::Object>());
  return generation;
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

std::optional<ThoughtMarks> readThoughts(const Napi::Value& value) {
  if (!value.IsObject()) return std::nullopt;
  const Napi::Object object = value.As<Napi::Object>();
  ThoughtMarks marks;
  const std::string place = object.Get("place").ToString();
  if (place == "thought") marks.place = ThoughtMarks::Place::thought;
  if (place == "answer") marks.place = ThoughtMarks::Place::answer;
  marks.begin = object.Get("begin").ToString();
  marks.end = object.Get("end").ToString();
  if (marks.begin.empty() || marks.end.empty()) return std::nullopt;
  marks.repeats = object.Get("repeats").ToBoolean();
  const Napi::Array begins = object.Get("answerBegins").As<Napi::Array>();
  for (uint32_t index = 0; index < begins.Length(); index++) {
    marks.answerBegins.push_back(begins.Get(index).ToString());
  }
  marks.close = readTokens(object.Get("close"));
  marks.bridge = readTokens(object.Get("bridge"));
  marks.tokensMax = toInt(object.Get("tokensMax"));
  return marks;
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
