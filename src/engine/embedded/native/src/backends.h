#pragma once

#include <napi.h>

/**
 * Loads the backends of llama.cpp, and those of another folder when the first has no GPU; returns the
 * GPUs that a model would be put on. `child/addon.ts` has the types.
 */
Napi::Value loadBackends(const Napi::CallbackInfo& info);
