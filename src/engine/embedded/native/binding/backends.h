#pragma once

#include <napi.h>

/**
 * Loads llama.cpp's backends from a folder, and those of a second one when the first finds no GPU;
 * returns the GPUs on which llama.cpp puts a model. `child/addon.ts` has the types.
 */
Napi::Value loadBackends(const Napi::CallbackInfo& info);
