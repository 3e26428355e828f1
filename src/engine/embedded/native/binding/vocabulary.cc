#include "binding/vocabulary.h"

#include <cstring>
#include <string>
#include <vector>

#include "model/tokenizer.h"

namespace {

/** Returns the tokens with this attribute. */
Napi::Int32Array tokensWith(Napi::Env env, const LoadedModel& model, int attribute) {
  std::vector<llama_token> found;
  for (llama_token token = 0; token < model.vocabSize(); token++) {
    if ((llama_vocab_get_attr(model.vocab(), token) & attribute) != 0) found.push_back(token);
  }
  Napi::Int32Array tokens = Napi::Int32Array::New(env, found.size());
  for (size_t index = 0; index < found.size(); index++) tokens[index] = found[index];
  return tokens;
}

}  // namespace

Napi::Object describeVocabulary(Napi::Env env, const LoadedModel& model) {
  const std::vector<std::string> texts = tokenTexts(model);
  std::string bytes;
  Napi::Int32Array ends = Napi::Int32Array::New(env, texts.size());
  Napi::Object specialTexts = Napi::Object::New(env);
  Napi::Object userDefinedTexts = Napi::Object::New(env);
  for (llama_token token = 0; token < model.vocabSize(); token++) {
    bytes += texts[token];
    ends[token] = static_cast<int32_t>(bytes.size());
    if (isSpecialToken(model, token)) {
      specialTexts.Set(token, llama_vocab_get_text(model.vocab(), token));
    }
    if ((llama_vocab_get_attr(model.vocab(), token) & LLAMA_TOKEN_ATTR_USER_DEFINED) != 0) {
      userDefinedTexts.Set(token, llama_vocab_get_text(model.vocab(), token));
    }
  }
  Napi::Uint8Array joined = Napi::Uint8Array::New(env, bytes.size());
  std::memcpy(joined.Data(), bytes.data(), bytes.size());
  Napi::Object vocabulary = Napi::Object::New(env);
  vocabulary.Set("bytes", joined);
  vocabulary.Set("ends", ends);
  vocabulary.Set("specialTexts", specialTexts);
  vocabulary.Set("userDefinedTexts", userDefinedTexts);
  vocabulary.Set("trimsBefore", tokensWith(env, model, LLAMA_TOKEN_ATTR_LSTRIP));
  vocabulary.Set("trimsAfter", tokensWith(env, model, LLAMA_TOKEN_ATTR_RSTRIP));
  const std::optional<int> bytesMax = tokenBytesMax(model, texts);
  if (bytesMax) vocabulary.Set("tokenBytesMax", *bytesMax);
  return vocabulary;
}
