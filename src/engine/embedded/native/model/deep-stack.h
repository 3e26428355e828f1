#pragma once

#include <cstddef>
#include <functional>

/**
 * Runs a function on a thread whose stack has so many bytes, and waits for its end. Memory is taken
 * only for the part of the stack that the function uses, and given back. Throws what the function
 * throws, and std::runtime_error with a clause when the system has no room for the stack.
 */
void runOnDeepStack(size_t stackBytes, const std::function<void()>& run);
