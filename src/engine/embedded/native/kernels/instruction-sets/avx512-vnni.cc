#include "kernels/instruction-sets/masked-store.h"
#include "kernels/kernels.h"

#if defined(__x86_64__)

#include <immintrin.h>

namespace {

bool isSupported() {
  return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512vnni");
}

}  // namespace

// The rest of this file is compiled for the instruction set, and must not run on other processors.
#if defined(__clang__)
#pragma clang attribute push( \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni,f16c,fma"))), apply_to = function)
#else
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512vnni,f16c,fma")
// GCC's own AVX-512 headers trigger this warning:
// https://gcc.gnu.org/bugzilla/show_bug.cgi?id=105593
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#define PIPIT_INLINE inline __attribute__((always_inline))

namespace {

constexpr int lanes = 16;
using Floats = __m512;
using Integers = __m512i;

PIPIT_INLINE Floats zero() { return _mm512_setzero_ps(); }
PIPIT_INLINE Floats broadcast(float value) { return _mm512_set1_ps(value); }
PIPIT_INLINE Floats load(const float* from) { return _mm512_loadu_ps(from); }
PIPIT_INLINE Floats loadAligned(const float* from) { return _mm512_load_ps(from); }
PIPIT_INLINE void store(float* to, Floats floats) { _mm512_storeu_ps(to, floats); }
PIPIT_INLINE void storeAligned(float* to, Floats floats) { _mm512_store_ps(to, floats); }
PIPIT_INLINE void storeFirst(float* to, int count, Floats floats) {
  checkMaskedStore(to, count);
  _mm512_mask_storeu_ps(to, static_cast<__mmask16>((1u << count) - 1), floats);
}
PIPIT_INLINE Floats loadHalves(const void* from) {
  return _mm512_cvtph_ps(_mm256_loadu_si256(static_cast<const __m256i*>(from)));
}
/** Loads bfloat16 numbers, which are the upper halves of 32-bit floats. */
PIPIT_INLINE Floats loadBfloats(const void* from) {
  const __m256i halves = _mm256_loadu_si256(static_cast<const __m256i*>(from));
  return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(halves), 16));
}
PIPIT_INLINE Floats loadSignedBytes(const void* from) {
  const __m128i bytes = _mm_loadu_si128(static_cast<const __m128i*>(from));
  return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(bytes));
}
PIPIT_INLINE Floats add(Floats a, Floats b) { return _mm512_add_ps(a, b); }
PIPIT_INLINE Floats subtract(Floats a, Floats b) { return _mm512_sub_ps(a, b); }
PIPIT_INLINE Floats multiply(Floats a, Floats b) { return _mm512_mul_ps(a, b); }
/** Returns a · b + c, rounded once. */
PIPIT_INLINE Floats multiplyAdd(Floats a, Floats b, Floats c) { return _mm512_fmadd_ps(a, b, c); }
PIPIT_INLINE Floats maximum(Floats a, Floats b) { return _mm512_max_ps(a, b); }
PIPIT_INLINE Floats absolute(Floats floats) { return _mm512_abs_ps(floats); }
PIPIT_INLINE float firstLane(Floats floats) { return _mm512_cvtss_f32(floats); }
PIPIT_INLINE float horizontalMax(Floats floats) { return _mm512_reduce_max_ps(floats); }
PIPIT_INLINE float horizontalSum(Floats floats) { return _mm512_reduce_add_ps(floats); }
PIPIT_INLINE Floats roundToNearest(Floats floats) {
  return _mm512_roundscale_ps(floats, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
/** Returns floats · 2^whole, or 0 where `x` is below `least`. */
PIPIT_INLINE Floats scaleUnlessBelow(Floats x, Floats least, Floats floats, Floats whole) {
  return _mm512_maskz_scalef_ps(_mm512_cmp_ps_mask(x, least, _CMP_GE_OQ), floats, whole);
}

PIPIT_INLINE Integers broadcastInteger(int32_t value) { return _mm512_set1_epi32(value); }
PIPIT_INLINE Integers roundToIntegers(Floats floats) { return _mm512_cvtps_epi32(floats); }
PIPIT_INLINE Floats toFloats(Integers integers) { return _mm512_cvtepi32_ps(integers); }
PIPIT_INLINE Integers addIntegers(Integers a, Integers b) { return _mm512_add_epi32(a, b); }
PIPIT_INLINE Integers largerIntegers(Integers a, Integers b) { return _mm512_max_epi32(a, b); }
PIPIT_INLINE int32_t horizontalSumOfIntegers(Integers integers) {
  return _mm512_reduce_add_epi32(integers);
}
PIPIT_INLINE void storeBytes(int8_t* to, Integers integers) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm512_cvtepi32_epi8(integers));
}
PIPIT_INLINE Integers loadBytes(const uint8_t* from) { return _mm512_load_si512(from); }
PIPIT_INLINE Integers lowNibbles(Integers bytes) {
  return _mm512_and_si512(bytes, _mm512_set1_epi8(0x0f));
}
PIPIT_INLINE Integers highNibbles(Integers bytes) {
  return _mm512_and_si512(_mm512_srli_epi16(bytes, 4), _mm512_set1_epi8(0x0f));
}
/** Replaces each byte, an index below 16, by its entry in a table of 16 bytes. */
PIPIT_INLINE Integers lookUp(const uint8_t* table, Integers indices) {
  const __m128i entries = _mm_load_si128(reinterpret_cast<const __m128i*>(table));
  return _mm512_shuffle_epi8(_mm512_broadcast_i32x4(entries), indices);
}
/**
 * Returns `lower` with higher bits inserted into each byte, from bit 4 on. They come from the same
 * byte of `bytes`, from bit `at` on, and are as many as `mask` has.
 */
PIPIT_INLINE Integers insertHighBits(Integers lower, Integers bytes, int at, int mask) {
  const Integers moved =
      at < 4 ? _mm512_slli_epi16(bytes, 4 - at) : _mm512_srli_epi16(bytes, at - 4);
  // lower | (moved & mask)
  return _mm512_ternarylogic_epi32(lower, moved, _mm512_set1_epi8(static_cast<char>(mask << 4)),
                                   0xf8);
}

/** Added to 8-bit weights to make them unsigned, as addDots needs them. */
constexpr int byteOffset = 128;
/** Most 32-bit words, of four weights each, that one call of addDots takes. */
template <int bits>
constexpr int wordsAtOnce = 1;

/** Adds to each 32-bit sum the dot product of four unsigned weights and four signed inputs. */
template <int bits, int words>
PIPIT_INLINE Integers addDots(Integers sums, const Integers* weights, const Integers* inputs) {
  return _mm512_dpbusd_epi32(sums, *weights, *inputs);
}

/** Returns true if all of 32 consecutive 16-bit floats are -inf. */
PIPIT_INLINE bool areAllMasked(const uint16_t* halves) {
  const __m512i masked = _mm512_set1_epi16(static_cast<int16_t>(0xfc00));
  return _mm512_cmpneq_epi16_mask(_mm512_loadu_si512(halves), masked) == 0;
}

/** Returns the horizontal sum of each of `lanes` registers, in their order. */
PIPIT_INLINE Floats horizontalSums(Floats* rows) {
  for (int row = 0; row < 8; row++) {
    rows[row] = _mm512_add_ps(_mm512_shuffle_f32x4(rows[row], rows[row + 8], 0x44),
                              _mm512_shuffle_f32x4(rows[row], rows[row + 8], 0xee));
  }
  // Each register now holds eight lanes of row r and eight of row r + 8.
  for (int row = 0; row < 4; row++) {
    rows[row] = _mm512_add_ps(_mm512_shuffle_f32x4(rows[row], rows[row + 4], 0x88),
                              _mm512_shuffle_f32x4(rows[row], rows[row + 4], 0xdd));
  }
  // Each register now holds four lanes each of the rows r, r + 8, r + 4 and r + 12.
  for (int row = 0; row < 2; row++) {
    rows[row] = _mm512_add_ps(_mm512_unpacklo_ps(rows[row], rows[row + 2]),
                              _mm512_unpackhi_ps(rows[row], rows[row + 2]));
  }
  const __m512 sums =
      _mm512_add_ps(_mm512_unpacklo_ps(rows[0], rows[1]), _mm512_unpackhi_ps(rows[0], rows[1]));
  const __m512i order = _mm512_setr_epi32(0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15);
  return _mm512_permutexvar_ps(order, sums);
}

}  // namespace

#include "kernels/instruction-sets/kernel-loops.h"

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC reset_options
#endif

const Kernels* avx512VnniKernels() {
  if (!isSupported()) return nullptr;
  static const Kernels kernels = makeKernels("avx512-vnni");
  return &kernels;
}

#else

const Kernels* avx512VnniKernels() { return nullptr; }

#endif
