#pragma once

#include <napi.h>

/**
 * Returns the architecture and the integers of a GGUF's header, without loading the model.
 * `child/addon.ts` has the types.
 */
Napi::Value readModelHeader(const Napi::CallbackInfo& info);
