// Operations on registers of eight lanes, with AVX2, FMA and F16C. The including file selects the
// instruction set before it includes this file, and defines the dot products after that.

#define PIPIT_INLINE inline __attribute__((always_inline))

namespace {

constexpr int lanes = 8;
using Floats = __m256;
using Integers = __m256i;

PIPIT_INLINE Floats zero() { return _mm256_setzero_ps(); }
PIPIT_INLINE Floats broadcast(float value) { return _mm256_set1_ps(value); }
PIPIT_INLINE Floats load(const float* from) { return _mm256_loadu_ps(from); }
PIPIT_INLINE Floats loadAligned(const float* from) { return _mm256_load_ps(from); }
PIPIT_INLINE void store(float* to, Floats floats) { _mm256_storeu_ps(to, floats); }
PIPIT_INLINE void storeAligned(float* to, Floats floats) { _mm256_store_ps(to, floats); }
PIPIT_INLINE void storeFirst(float* to, int count, Floats floats) {
  const __m256i order = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  checkMaskedStore(to, count);
  _mm256_maskstore_ps(to, _mm256_cmpgt_epi32(_mm256_set1_epi32(count), order), floats);
}
PIPIT_INLINE Floats loadHalves(const void* from) {
  return _mm256_cvtph_ps(_mm_loadu_si128(static_cast<const __m128i*>(from)));
}
/** Loads bfloat16 numbers, which are the upper halves of 32-bit floats. */
PIPIT_INLINE Floats loadBfloats(const void* from) {
  const __m128i halves = _mm_loadu_si128(static_cast<const __m128i*>(from));
  return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(halves), 16));
}
PIPIT_INLINE Floats loadSignedBytes(const void* from) {
  const __m128i bytes = _mm_loadl_epi64(static_cast<const __m128i*>(from));
  return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(bytes));
}
PIPIT_INLINE Floats add(Floats a, Floats b) { return _mm256_add_ps(a, b); }
PIPIT_INLINE Floats subtract(Floats a, Floats b) { return _mm256_sub_ps(a, b); }
PIPIT_INLINE Floats multiply(Floats a, Floats b) { return _mm256_mul_ps(a, b); }
/** Returns a · b + c, rounded once. */
PIPIT_INLINE Floats multiplyAdd(Floats a, Floats b, Floats c) { return _mm256_fmadd_ps(a, b, c); }
PIPIT_INLINE Floats maximum(Floats a, Floats b) { return _mm256_max_ps(a, b); }
PIPIT_INLINE Floats absolute(Floats floats) {
  return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), floats);
}
PIPIT_INLINE float firstLane(Floats floats) { return _mm256_cvtss_f32(floats); }
PIPIT_INLINE float horizontalMax(Floats floats) {
  const __m128 four = _mm_max_ps(_mm256_castps256_ps128(floats), _mm256_extractf128_ps(floats, 1));
  const __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)));
}
PIPIT_INLINE float horizontalSum(Floats floats) {
  const __m128 four = _mm_add_ps(_mm256_castps256_ps128(floats), _mm256_extractf128_ps(floats, 1));
  const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}
PIPIT_INLINE Floats roundToNearest(Floats floats) {
  return _mm256_round_ps(floats, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
/** Returns floats · 2^whole, or 0 where `x` is below `least`. */
PIPIT_INLINE Floats scaleUnlessBelow(Floats x, Floats least, Floats floats, Floats whole) {
  // The powers are between 2^-126 and 1; their bits are the exponent alone.
  const __m256i exponent = _mm256_add_epi32(_mm256_cvtps_epi32(whole), _mm256_set1_epi32(127));
  const __m256 power = _mm256_castsi256_ps(_mm256_slli_epi32(exponent, 23));
  return _mm256_and_ps(_mm256_cmp_ps(x, least, _CMP_GE_OQ), _mm256_mul_ps(floats, power));
}

PIPIT_INLINE Integers broadcastInteger(int32_t value) { return _mm256_set1_epi32(value); }
PIPIT_INLINE Integers roundToIntegers(Floats floats) { return _mm256_cvtps_epi32(floats); }
PIPIT_INLINE Floats toFloats(Integers integers) { return _mm256_cvtepi32_ps(integers); }
PIPIT_INLINE Integers addIntegers(Integers a, Integers b) { return _mm256_add_epi32(a, b); }
PIPIT_INLINE Integers largerIntegers(Integers a, Integers b) { return _mm256_max_epi32(a, b); }
PIPIT_INLINE int32_t horizontalSumOfIntegers(Integers integers) {
  const __m128i four =
      _mm_add_epi32(_mm256_castsi256_si128(integers), _mm256_extracti128_si256(integers, 1));
  const __m128i two = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4e));
  return _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32(two, 0xb1)));
}
PIPIT_INLINE void storeBytes(int8_t* to, Integers integers) {
  const __m128i words =
      _mm_packs_epi32(_mm256_castsi256_si128(integers), _mm256_extracti128_si256(integers, 1));
  _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm_packs_epi16(words, words));
}
PIPIT_INLINE Integers loadBytes(const uint8_t* from) {
  return _mm256_load_si256(reinterpret_cast<const __m256i*>(from));
}
PIPIT_INLINE Integers lowNibbles(Integers bytes) {
  return _mm256_and_si256(bytes, _mm256_set1_epi8(0x0f));
}
PIPIT_INLINE Integers highNibbles(Integers bytes) {
  return _mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(0x0f));
}
/** Replaces each byte, an index below 16, by its entry in a table of 16 bytes. */
PIPIT_INLINE Integers lookUp(const uint8_t* table, Integers indices) {
  const __m128i entries = _mm_load_si128(reinterpret_cast<const __m128i*>(table));
  return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(entries), indices);
}
/**
 * Returns `lower` with higher bits inserted into each byte, from bit 4 on. They come from the same
 * byte of `bytes`, from bit `at` on, and are as many as `mask` has.
 */
PIPIT_INLINE Integers insertHighBits(Integers lower, Integers bytes, int at, int mask) {
  const Integers moved =
      at < 4 ? _mm256_slli_epi16(bytes, 4 - at) : _mm256_srli_epi16(bytes, at - 4);
  const Integers there = _mm256_set1_epi8(static_cast<char>(mask << 4));
  return _mm256_or_si256(lower, _mm256_and_si256(moved, there));
}

/** Returns true if all of 32 consecutive 16-bit floats are -inf. */
PIPIT_INLINE bool areAllMasked(const uint16_t* halves) {
  const __m256i masked = _mm256_set1_epi16(static_cast<int16_t>(0xfc00));
  const auto* const from = reinterpret_cast<const __m256i*>(halves);
  const __m256i first = _mm256_cmpeq_epi16(_mm256_loadu_si256(from), masked);
  const __m256i second = _mm256_cmpeq_epi16(_mm256_loadu_si256(from + 1), masked);
  return _mm256_movemask_epi8(_mm256_and_si256(first, second)) == -1;
}

/** Returns the horizontal sum of each of `lanes` registers, in their order. */
PIPIT_INLINE Floats horizontalSums(Floats* rows) {
  // After this loop, each register holds four lanes of row r and four of row r + 4.
  for (int row = 0; row < 4; row++) {
    rows[row] = _mm256_add_ps(_mm256_permute2f128_ps(rows[row], rows[row + 4], 0x20),
                              _mm256_permute2f128_ps(rows[row], rows[row + 4], 0x31));
  }
  for (int row = 0; row < 2; row++) {
    rows[row] = _mm256_add_ps(_mm256_unpacklo_ps(rows[row], rows[row + 2]),
                              _mm256_unpackhi_ps(rows[row], rows[row + 2]));
  }
  return _mm256_add_ps(_mm256_unpacklo_ps(rows[0], rows[1]), _mm256_unpackhi_ps(rows[0], rows[1]));
}

}  // namespace
