#pragma once

#include <napi.h>

#include <memory>
#include <optional>

#include "loop/slot.h"

// Conversions from JavaScript; `child/addon.ts` has the types.

int toInt(const Napi::Value& value);

Generation readGeneration(const Napi::Object& generation);

Sampling readSampling(const Napi::Object& sampling);

/** Returns nothing for undefined. */
std::optional<ThoughtMarks> readThoughts(const Napi::Value& value);

/** Returns null for undefined. Throws a JavaScript error for numbers that are not a grammar. */
std::shared_ptr<const Grammar> readGrammar(const Napi::Value& numbers);
