#include "model/tokenizer.h"

#include <stdexcept>

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

}  // namespace

std::vector<llama_token> tokenizeText(const llama_vocab* vocab, const std::string& text) {
  const auto bytes = static_cast<int32_t>(text.size());
  // A token has at least one byte; some vocabularies put a space in front of the text.
  std::vector<llama_token> tokens(text.size() + 8);
  const int32_t count = llama_tokenize(vocab, text.data(), bytes, tokens.data(),
                                       static_cast<int32_t>(tokens.size()), false, false);
  if (count < 0) throw std::runtime_error("The text cannot be tokenised.");
  tokens.resize(count);
  return tokens;
}

bool isSpecialToken(const LoadedModel& model, llama_token token) {
  const int attributes = llama_vocab_get_attr(model.vocab(), token);
  return (attributes & (LLAMA_TOKEN_ATTR_CONTROL | LLAMA_TOKEN_ATTR_UNKNOWN)) != 0 ||
         model.endsGeneration(token);
}

std::vector<std::string> tokenTexts(const LoadedModel& model) {
  std::vector<std::string> texts(model.vocabSize());
  for (llama_token token = 0; token < model.vocabSize(); token++) {
    if (!isSpecialToken(model, token)) texts[token] = tokenBytes(model.vocab(), token);
  }
  return texts;
}
