#pragma once

#include <napi.h>

#include "model/loaded-model.h"

/**
 * Returns the bytes of every token and the texts of the special ones; `child/addon.ts` has the
 * type.
 */
Napi::Object describeVocabulary(Napi::Env env, const LoadedModel& model);
