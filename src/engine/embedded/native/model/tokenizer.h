#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "model/loaded-model.h"

/** Facts about a model's tokenizer that matter for long texts. */
struct LongTexts {
  /** A text can be cut between two English words without changing its tokens. */
  bool cutsAtSpaces = false;
  /** Characters without such a cut. */
  size_t partCharsMax = 0;
  /**
   * The first characters of the tokens that are found in a text before it is split into words,
   * sorted: finding many takes time with the square of their number.
   */
  std::vector<uint32_t> findBegins;
  /**
   * Rows of these characters take time with the square of their length; or two spaces end the
   * process.
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
 * Returns the most bytes of a text that one token stands for. Nothing if that has no bound, because
 * the tokenizer drops or replaces parts of a text.
 */
std::optional<int> tokenBytesMax(const LoadedModel& model, const std::vector<std::string>& texts);

/**
 * Returns true for tokens that are never text: control tokens, the unknown token, ends of
 * generation.
 */
bool isSpecialToken(const LoadedModel& model, llama_token token);

/**
 * Returns the bytes of each token as they appear in generated text. Special tokens have none, except the
 * marks: their bytes are their texts.
 */
std::vector<std::string> tokenTexts(const LoadedModel& model,
                                    const std::vector<llama_token>& marks = {});
