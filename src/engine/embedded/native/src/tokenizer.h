#pragma once

#include <napi.h>

#include <string>
#include <vector>

#include "loaded-model.h"

/** `parseSpecial`: whether the texts of special tokens become those tokens. Any thread. */
std::vector<llama_token> tokenizeText(const llama_vocab* vocab, const std::string& text, bool parseSpecial);

/** Of each token as it appears in generated text; none of special ones. */
std::vector<std::string> tokenTexts(const LoadedModel& model);

/** Every token's bytes as they appear in generated text, and whether it is special. */
Napi::Object describeVocabulary(Napi::Env env, const LoadedModel& model);
