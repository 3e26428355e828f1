#include "binding/vocabulary.h"

#include <cstring>
#include <string>
#include <vector>

#include "model/tokenizer.h"

Napi::Object describeVocabulary(Napi::Env env, const LoadedModel& model) {
  const std::vector<std::string> texts = tokenTexts(model);
  std::string bytes;
  Napi::Int32Array ends = Napi::Int32Array::New(env, texts.size());
  Napi::Object specialTexts = Napi::Object::New(env);
  for (llama_token token = 0; token < model.vocabSize(); token++) {
    bytes += texts[token];
    ends[token] = static_cast<int32_t>(bytes.size());
    if (isSpecialToken(model, token)) {
      specialTexts.Set(token, llama_vocab_get_text(model.vocab(), token));
    }
  }
  Napi::Uint8Array joined = Napi::Uint8Array::New(env, bytes.size());
  std::memcpy(joined.Data(), bytes.data(), bytes.size());
  Napi::Object vocabulary = Napi::Object::New(env);
  vocabulary.Set("bytes", joined);
  vocabulary.Set("ends", ends);
  vocabulary.Set("specialTexts", specialTexts);
  return vocabulary;
}
