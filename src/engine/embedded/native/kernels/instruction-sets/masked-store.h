#pragma once

#include <cstdint>

#if defined(__SANITIZE_ADDRESS__)
extern "C" void __asan_storeN(void* address, uintptr_t bytes);
#endif

/**
 * Reports a store outside of an allocation, in builds with the address sanitizer, which does not
 * check masked stores itself.
 */
inline void checkMaskedStore([[maybe_unused]] float* to, [[maybe_unused]] int count) {
#if defined(__SANITIZE_ADDRESS__)
  __asan_storeN(to, static_cast<uintptr_t>(count) * sizeof(float));
#endif
}
