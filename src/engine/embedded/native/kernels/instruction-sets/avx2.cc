#include "kernels/instruction-sets/masked-store.h"
#include "kernels/kernels.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include "kernels/instruction-sets/has-avx2.h"

// The rest of this file is compiled for the instruction set, and must not run on other processors.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,f16c,fma"))), apply_to = function)
#else
#pragma GCC target("avx2,f16c,fma")
#endif

#include "kernels/instruction-sets/avx2-registers.h"

namespace {

/** No offset: addDots takes 8-bit weights as signed integers. */
constexpr int byteOffset = 0;
/**
 * Most 32-bit words, of four weights each, that one call of addDots takes.
 * _mm256_maddubs_epi16 adds pairs of products as 16-bit integers. Such an integer can hold the sum
 * of this many pairs: 16 · 15 · 127, 8 · 31 · 127 and 4 · 63 · 127 are below 2^15.
 */
template <int bits>
constexpr int wordsAtOnce = bits == 4   ? 8
                            : bits == 5 ? 4
                            : bits == 6 ? 2
                                        : 1;

/** Adds to each 32-bit sum the dot products of some words of weights and inputs. */
template <int bits, int words>
PIPIT_INLINE Integers addDots(Integers sums, const Integers* weights, const Integers* inputs) {
  Integers pairs;
  if constexpr (bits == 8) {
    // The sum of two products may not fit into 16 bits if the weights are up to 255. It fits if
    // they are up to 128: 2 · 128 · 127 is below 2^15. So the weights become signed again: the
    // instruction takes their absolute values, and the inputs take their signs.
    const Integers weight = _mm256_xor_si256(*weights, _mm256_set1_epi8(static_cast<char>(0x80)));
    pairs = _mm256_maddubs_epi16(_mm256_abs_epi8(weight), _mm256_sign_epi8(*inputs, weight));
  } else {
    pairs = _mm256_maddubs_epi16(weights[0], inputs[0]);
    for (int word = 1; word < words; word++) {
      pairs = _mm256_add_epi16(pairs, _mm256_maddubs_epi16(weights[word], inputs[word]));
    }
  }
  sums = _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
  // Without this, GCC keeps each word's products in memory and adds them all at the end.
  __asm__("" : "+x"(sums));
  return sums;
}

}  // namespace

#include "kernels/instruction-sets/kernel-loops.h"

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC reset_options
#endif

const Kernels* avx2Kernels() {
  if (!hasAvx2()) return nullptr;
  static const Kernels kernels = makeKernels("avx2");
  return &kernels;
}

#else

const Kernels* avx2Kernels() { return nullptr; }

#endif
