#pragma once

#include <napi.h>

#include <memory>

#include "model/tokenizer.h"

/**
 * Tokenises texts on a thread of libuv's pool. Returns a JavaScript object: `tokens`, a promise of
 * one array for each text, and `cancel`, a function that makes the promise reject soon.
 */
Napi::Object startTokenizing(Napi::Env env, std::shared_ptr<const LoadedModel> model,
                             LongTexts longTexts, const Napi::Array& texts);
