#include "packed-matrix.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#if defined(__x86_64__)
// GCC's own headers for AVX-512 set it off (https://gcc.gnu.org/bugzilla/show_bug.cgi?id=105593).
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>
#define PIPIT_VNNI __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni,f16c,fma")))
#endif

namespace {

/** As ggml lays them out (ggml-common.h). */
struct BlockQ8 {
  uint16_t scale;
  int8_t quants[32];
};
struct BlockQ4 {
  uint16_t scale;
  /** The first 16 weights in the low halves, the others in the high ones; 8 is zero. */
  uint8_t quants[16];
};
static_assert(sizeof(BlockQ8) == 34 && sizeof(BlockQ4) == 18);

/** Of a block of a panel: eight registers, or four of two halves each. */
constexpr size_t blockBytesQ8 = 512;
constexpr size_t blockBytesQ4 = 256;
constexpr int tileRows = QuantizedRows::tileRows;
/** Sums that are added to in turns, because each instruction of a sum waits for the one before. */
constexpr int rowsAtOnce = 4;

#if defined(__x86_64__)

/** Every `step`-th block of what it writes is this row's. */
PIPIT_VNNI void quantizeRow(const float* row, int blocks, int step, int8_t* quants, float* scales,
                            int32_t* sums) {
  for (int block = 0; block < blocks; block++) {
    const __m512 low = _mm512_loadu_ps(row + 32 * block);
    const __m512 high = _mm512_loadu_ps(row + 32 * block + 16);
    const float most =
        _mm512_reduce_max_ps(_mm512_max_ps(_mm512_abs_ps(low), _mm512_abs_ps(high)));
    const __m512 inverse = _mm512_set1_ps(most > 0 ? 127.0f / most : 0.0f);
    const __m512i lowQuants = _mm512_cvtps_epi32(_mm512_mul_ps(low, inverse));
    const __m512i highQuants = _mm512_cvtps_epi32(_mm512_mul_ps(high, inverse));
    const size_t at = static_cast<size_t>(block) * step;
    auto* to = reinterpret_cast<__m128i*>(quants + 32 * at);
    _mm_storeu_si128(to, _mm512_cvtepi32_epi8(lowQuants));
    _mm_storeu_si128(to + 1, _mm512_cvtepi32_epi8(highQuants));
    scales[at] = most / 127.0f;
    sums[at] = _mm512_reduce_add_epi32(_mm512_add_epi32(lowQuants, highQuants));
  }
}

/**
 * Weights are stored without a sign, as vpdpbusd takes them: too large by 128, or by 8 where they
 * have four bits; the sums begin with what that adds, taken away.
 */
template <int rowsCount, bool isQ4>
PIPIT_VNNI void multiplyTile(const uint8_t* quants, const uint16_t* scales, int blocks,
                             const QuantizedRows& rows, int firstRow, __mmask16 outputs,
                             float* products, size_t stride) {
  const int8_t* inputs = rows.quants(firstRow);
  const float* inputScales = rows.scales(firstRow);
  const int32_t* inputSums = rows.sums(firstRow);
  __m512 totals[rowsCount];
  for (__m512& total : totals) total = _mm512_setzero_ps();
  for (int block = 0; block < blocks; block++) {
    __m512i weights[8];
    if constexpr (isQ4) {
      const __m512i halfMask = _mm512_set1_epi8(0x0f);
      for (int pair = 0; pair < 4; pair++) {
        const __m512i both = _mm512_load_si512(quants + blockBytesQ4 * block + 64 * pair);
        weights[2 * pair] = _mm512_and_si512(both, halfMask);
        weights[2 * pair + 1] = _mm512_and_si512(_mm512_srli_epi16(both, 4), halfMask);
      }
    } else {
      for (int four = 0; four < 8; four++) {
        weights[four] = _mm512_load_si512(quants + blockBytesQ8 * block + 64 * four);
      }
    }
    const __m512 scale = _mm512_cvtph_ps(
        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(scales + 16 * block)));
    // Laid out in full, so that every sum and total has a register.
#pragma GCC unroll 4
    for (int first = 0; first < rowsCount; first += rowsAtOnce) {
      const int end = std::min(first + rowsAtOnce, rowsCount);
      __m512i sums[rowsAtOnce];
      for (int row = first; row < end; row++) {
        sums[row - first] = _mm512_set1_epi32(inputSums[row] * (isQ4 ? -8 : -128));
      }
      for (int four = 0; four < 8; four++) {
        for (int row = first; row < end; row++) {
          int32_t input;
          std::memcpy(&input, inputs + 32 * row + 4 * four, sizeof input);
          sums[row - first] =
              _mm512_dpbusd_epi32(sums[row - first], weights[four], _mm512_set1_epi32(input));
        }
      }
      for (int row = first; row < end; row++) {
        const __m512 factor = _mm512_mul_ps(scale, _mm512_set1_ps(inputScales[row]));
        totals[row] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(sums[row - first]), factor, totals[row]);
      }
    }
    inputs += 32 * rowsCount;
    inputScales += rowsCount;
    inputSums += rowsCount;
  }
  for (int row = 0; row < rowsCount; row++) {
    _mm512_mask_storeu_ps(products + row * stride, outputs, totals[row]);
  }
}

using MultiplyTile = decltype(&multiplyTile<1, false>);

template <bool isQ4>
MultiplyTile tileOf(int rows) {
  static constexpr MultiplyTile tiles[tileRows] = {
      multiplyTile<1, isQ4>,  multiplyTile<2, isQ4>,  multiplyTile<3, isQ4>,
      multiplyTile<4, isQ4>,  multiplyTile<5, isQ4>,  multiplyTile<6, isQ4>,
      multiplyTile<7, isQ4>,  multiplyTile<8, isQ4>,  multiplyTile<9, isQ4>,
      multiplyTile<10, isQ4>, multiplyTile<11, isQ4>, multiplyTile<12, isQ4>,
      multiplyTile<13, isQ4>, multiplyTile<14, isQ4>, multiplyTile<15, isQ4>,
      multiplyTile<16, isQ4>};
  return tiles[rows - 1];
}

#endif

}  // namespace

void QuantizedRows::assign(const float* rows, int count, int columns, size_t stride) {
  count_ = count;
  blocks_ = columns / PackedMatrix::blockColumns;
  scales_.resize(blocksBefore(count));
  sums_.resize(scales_.size());
  quants_.resize(32 * scales_.size());
#if defined(__x86_64__)
  for (int row = 0; row < count; row++) {
    const int firstRow = row / tileRows * tileRows;
    const size_t at = blocksBefore(firstRow) + row - firstRow;
    quantizeRow(rows + row * stride, blocks_, std::min(tileRows, count - firstRow),
                quants_.data() + 32 * at, scales_.data() + at, sums_.data() + at);
  }
#endif
}

bool PackedMatrix::isSupported() {
#if defined(__x86_64__)
  static const bool isSupported = __builtin_cpu_supports("avx512bw") &&
                                  __builtin_cpu_supports("avx512vl") &&
                                  __builtin_cpu_supports("avx512vnni");
  return isSupported;
#else
  return false;
#endif
}

bool PackedMatrix::isOfType(ggml_type type) {
  return type == GGML_TYPE_Q8_0 || type == GGML_TYPE_Q4_0;
}

bool PackedMatrix::canPack(const ggml_tensor& weights) {
  return isSupported() && isOfType(weights.type) && ggml_is_contiguous(&weights) &&
         ggml_n_dims(&weights) <= 2;
}

PackedMatrix::PackedMatrix(const ggml_tensor& weights)
    : type_(weights.type),
      outputs_(static_cast<int>(weights.ne[1])),
      blocks_(static_cast<int>(weights.ne[0] / blockColumns)),
      panels_((outputs_ + panelRows - 1) / panelRows),
      blockBytes_(type_ == GGML_TYPE_Q4_0 ? blockBytesQ4 : blockBytesQ8) {
  const size_t count = static_cast<size_t>(panels_) * blocks_;
  quants_.reset(static_cast<uint8_t*>(std::aligned_alloc(64, count * blockBytes_)));
  if (quants_ == nullptr) throw std::bad_alloc();
  std::memset(quants_.get(), 0, count * blockBytes_);
  scales_.resize(count * panelRows);
  for (int output = 0; output < outputs_; output++) packOutput(weights, output);
}

void PackedMatrix::packOutput(const ggml_tensor& weights, int output) {
  const int lane = output % panelRows;
  for (int block = 0; block < blocks_; block++) {
    const size_t from = static_cast<size_t>(output) * blocks_ + block;
    const size_t to = static_cast<size_t>(output / panelRows) * blocks_ + block;
    uint8_t* const quants = quants_.get() + to * blockBytes_ + 4 * lane;
    uint16_t& scale = scales_[to * panelRows + lane];
    if (type_ == GGML_TYPE_Q4_0) {
      const BlockQ4& one = static_cast<const BlockQ4*>(weights.data)[from];
      scale = one.scale;
      const auto at = [&](int index) {
        return index < 16 ? one.quants[index] & 0x0f : one.quants[index - 16] >> 4;
      };
      for (int pair = 0; pair < 4; pair++) {
        for (int byte = 0; byte < 4; byte++) {
          const int low = at(8 * pair + byte), high = at(8 * pair + 4 + byte);
          quants[64 * pair + byte] = static_cast<uint8_t>(low | high << 4);
        }
      }
    } else {
      const BlockQ8& one = static_cast<const BlockQ8*>(weights.data)[from];
      scale = one.scale;
      for (int index = 0; index < 32; index++) {
        quants[64 * (index / 4) + index % 4] = static_cast<uint8_t>(one.quants[index] + 128);
      }
    }
  }
}

void PackedMatrix::Free::operator()(uint8_t* memory) const { std::free(memory); }

void PackedMatrix::multiply(const QuantizedRows& rows, int firstPanel, int endPanel,
                            float* products, size_t stride) const {
#if defined(__x86_64__)
  for (int panel = firstPanel; panel < endPanel; panel++) {
    const size_t block = static_cast<size_t>(panel) * blocks_;
    const int firstOutput = panel * panelRows;
    const int outputs = std::min(panelRows, outputs_ - firstOutput);
    const auto mask = static_cast<__mmask16>((1u << outputs) - 1);
    for (int row = 0; row < rows.count(); row += tileRows) {
      const int count = std::min(tileRows, rows.count() - row);
      const MultiplyTile tile = type_ == GGML_TYPE_Q4_0 ? tileOf<true>(count) : tileOf<false>(count);
      tile(quants_.get() + block * blockBytes_, scales_.data() + block * panelRows, blocks_, rows,
           row, mask, products + row * stride + firstOutput, stride);
    }
  }
#endif
}
