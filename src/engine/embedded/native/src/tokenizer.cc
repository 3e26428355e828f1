#include "tokenizer.h"

#include <cstring>
#include <stdexcept>

std::vector<llama_token> tokenizeText(const llama_vocab* vocab, const std::string& text, bool parseSpecial) {
  const auto bytes = static_cast<int32_t>(text.size());
  // A token is at least one byte; a vocabulary may put a space in front.
  std::vector<llama_token> tokens(text.size() + 8);
  const int32_t count = llama_tokenize(vocab, text.data(), bytes, tokens.data(),
                                       static_cast<int32_t>(tokens.size()), false, parseSpecial);
  if (count < 0) throw std::runtime_error("The text cannot be tokenised.");
  tokens.resize(count);
  return tokens;
}

namespace {

std::string tokenBytes(const llama_vocab* vocab, llama_token token) {
  std::string bytes(64, '\0');
  int32_t length = llama_token_to_piece(vocab, token, bytes.data(), 64, 0, false);
  if (length < 0) {
    bytes.resize(-length);
    length = llama_token_to_piece(vocab, token, bytes.data(), -length, 0, false);
  }
  bytes.resize(length);
  return bytes;
}

bool isSpecialToken(const LoadedModel& model, llama_token token) {
  const int attributes = llama_vocab_get_attr(model.vocab(), token);
  return (attributes & (LLAMA_TOKEN_ATTR_CONTROL | LLAMA_TOKEN_ATTR_UNKNOWN)) != 0 ||
         model.endsGeneration(token);
}

constexpr uint8_t isSpecial = 1;
constexpr uint8_t isUserDefined = 2;

}  // namespace

std::vector<std::string> tokenTexts(const LoadedModel& model) {
  std::vector<std::string> texts(model.vocabSize());
  for (llama_token token = 0; token < model.vocabSize(); token++) {
    if (!isSpecialToken(model, token)) texts[token] = tokenBytes(model.vocab(), token);
  }
  return texts;
}

Napi::Object describeVocabulary(Napi::Env env, const LoadedModel& model) {
  const llama_vocab* vocab = model.vocab();
  const int size = model.vocabSize();
  std::string bytes;
  Napi::Int32Array ends = Napi::Int32Array::New(env, size);
  Napi::Uint8Array flags = Napi::Uint8Array::New(env, size);
  Napi::Object specialTexts = Napi::Object::New(env);
  for (llama_token token = 0; token < size; token++) {
    const bool special = isSpecialToken(model, token);
    const bool userDefined =
        (llama_vocab_get_attr(vocab, token) & LLAMA_TOKEN_ATTR_USER_DEFINED) != 0;
    if (!special) bytes += tokenBytes(vocab, token);
    ends[token] = static_cast<int32_t>(bytes.size());
    flags[token] = (special ? isSpecial : 0) | (userDefined ? isUserDefined : 0);
    if (special || userDefined) specialTexts.Set(token, llama_vocab_get_text(vocab, token));
  }
  Napi::Uint8Array joined = Napi::Uint8Array::New(env, bytes.size());
  std::memcpy(joined.Data(), bytes.data(), bytes.size());
  Napi::Object vocabulary = Napi::Object::New(env);
  vocabulary.Set("bytes", joined);
  vocabulary.Set("ends", ends);
  vocabulary.Set("flags", flags);
  vocabulary.Set("specialTexts", specialTexts);
  return vocabulary;
}
