#pragma once

#include <cstddef>
#include <functional>

/**
 * Runs a function on a new thread with a stack of `stackBytes`, and waits for it to end. The stack
 * takes memory only for the part that the function uses, and only until it ends. Rethrows the
 * function's exception. Throws std::runtime_error with a clause if the thread cannot be created.
 */
void runOnDeepStack(size_t stackBytes, const std::function<void()>& run);
