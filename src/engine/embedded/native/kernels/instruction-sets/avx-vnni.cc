#include "kernels/instruction-sets/masked-store.h"
#include "kernels/kernels.h"

#if defined(__x86_64__) && (__GNUC__ >= 11 || __clang_major__ >= 12)

#include <cpuid.h>
#include <immintrin.h>

#include "kernels/instruction-sets/has-avx2.h"

namespace {

/**
 * Reads bit 4 of EAX in leaf 7, subleaf 1: Clang's __builtin_cpu_supports does not know avxvnni.
 */
bool hasAvxVnni() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid_count(7, 1, &eax, &ebx, &ecx, &edx) != 0 && (eax & 1u << 4) != 0;
}

}  // namespace

// The rest of this file is compiled for the instruction set, and must not run on other processors.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,avxvnni,f16c,fma"))), apply_to = function)
#else
#pragma GCC target("avx2,avxvnni,f16c,fma")
#endif

#include "kernels/instruction-sets/avx2-registers.h"

namespace {

/** Added to 8-bit weights to make them unsigned, as addDots needs them. */
constexpr int byteOffset = 128;
/** Most 32-bit words, of four weights each, that one call of addDots takes. */
template <int bits>
constexpr int wordsAtOnce = 1;

/** Adds to each 32-bit sum the dot product of four unsigned weights and four signed inputs. */
template <int bits, int words>
PIPIT_INLINE Integers addDots(Integers sums, const Integers* weights, const Integers* inputs) {
  return _mm256_dpbusd_avx_epi32(sums, *weights, *inputs);
}

}  // namespace

#include "kernels/instruction-sets/kernel-loops.h"

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC reset_options
#endif

const Kernels* avxVnniKernels() {
  if (!hasAvx2() || !hasAvxVnni()) return nullptr;
  static const Kernels kernels = makeKernels("avx-vnni");
  return &kernels;
}

#else

const Kernels* avxVnniKernels() { return nullptr; }

#endif
