#pragma once

#include <cpuid.h>

/** Returns true where the processor and the system have AVX2, FMA and F16C. */
inline bool hasAvx2() {
  // Clang's __builtin_cpu_supports does not know f16c.
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_F16C) != 0;
}
