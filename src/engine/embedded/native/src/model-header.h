#pragma once

#include <napi.h>

/**
 * The whole numbers of a GGUF's header that describe the model, without loading it.
 * `child/addon.ts` has the types.
 */
Napi::Value readModelHeader(const Napi::CallbackInfo& info);
