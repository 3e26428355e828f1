#pragma once

#include <napi.h>

/**
 * Loads llama.cpp's backends from a folder, and from a second folder if the first finds no GPU.
 * Returns the GPUs on which llama.cpp puts a model. `child/addon.ts` has the types.
 */
Napi::Value loadBackends(const Napi::CallbackInfo& info);
