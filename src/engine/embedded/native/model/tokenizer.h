#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "model/loaded-model.h"

/** Facts about a model's tokenizer that matter for long texts. */
struct LongTexts {
  /** True if cutting a text at a space between two ASCII letters does not change its tokens. */
  bool cutsAtSpaces = false;
  /** Maximum number of characters without such a cut. */
  size_t partCharsMax = 0;
  /**
   * First characters, sorted, of the tokens that llama.cpp finds before it splits a text into
   * words. Finding them takes time quadratic in the number of matches.
   */
  std::vector<uint32_t> findBegins;
  /**
   * Runs of these characters take time quadratic in their length. With `anySpaces`, two spaces in a
   * row crash the process.
   */
  enum class BadRows { none, slowSpaces, slowDigits, anySpaces } badRows = BadRows::none;
};

LongTexts longTextsOf(const LoadedModel& model);

/**
 * Tokenises plain text: texts of special tokens stay text. May be called on any thread. Throws
 * std::runtime_error with a clause about a text that the tokenizer cannot read.
 */
std::vector<llama_token> tokenizeText(const llama_vocab* vocab, const std::string& text,
                                      const LongTexts& longTexts);

/**
 * Tokenises one text after the other, and returns early when `cancelled` becomes true. Throws
 * std::runtime_error with a clause about a text that the tokenizer cannot read.
 */
std::vector<std::vector<llama_token>> tokenizeTexts(const llama_vocab* vocab,
                                                    const std::vector<std::string>& texts,
                                                    const LongTexts& longTexts,
                                                    const std::atomic<bool>& cancelled);

/**
 * Returns the maximum number of bytes of a text that one token can stand for. Returns nothing if
 * there is no maximum, because the tokenizer drops or replaces parts of a text.
 */
std::optional<int> tokenBytesMax(const LoadedModel& model, const std::vector<std::string>& texts);

/**
 * Returns true for tokens that are never text: control tokens, the unknown token, ends of
 * generation.
 */
bool isSpecialToken(const LoadedModel& model, llama_token token);

/**
 * Returns the bytes of each token as they appear in generated text. Special tokens have none,
 * except `marks`, which have the bytes of their texts.
 */
std::vector<std::string> tokenTexts(const LoadedModel& model,
                                    const std::vector<llama_token>& marks = {});
