#pragma once

#include <string>
#include <vector>

#include "model/loaded-model.h"

/** Tokenises plain text: texts of special tokens stay text. May be called on any thread. */
std::vector<llama_token> tokenizeText(const llama_vocab* vocab, const std::string& text);

/**
 * Returns true for tokens that are never text: control tokens, the unknown token, ends of
 * generation.
 */
bool isSpecialToken(const LoadedModel& model, llama_token token);

/** Returns the bytes of each token as they appear in generated text; special tokens have none. */
std::vector<std::string> tokenTexts(const LoadedModel& model);
