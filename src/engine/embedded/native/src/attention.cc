#include "attention.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "packed-matrix.h"

#if defined(__x86_64__)
// As in packed-matrix.cc.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>
#define PIPIT_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,f16c,fma")))
#define PIPIT_AVX512_INLINE PIPIT_AVX512 inline __attribute__((always_inline))
#endif

namespace {

/** Cells are taken so many at a time, from the first one on. */
constexpr int blockCells = 32;
/** Rows and heads that read the same cells, as many as the first cache holds. */
constexpr int tileQueries = 32;
constexpr int widthMax = 256;

bool isOf(const ggml_tensor* tensor, ggml_type type) {
  return tensor != nullptr && tensor->type == type && tensor->nb[0] == ggml_type_size(type);
}

#if defined(__x86_64__)

const char* at(const ggml_tensor& tensor, int64_t one, int64_t two, int64_t three) {
  return static_cast<const char*>(tensor.data) + one * tensor.nb[1] + two * tensor.nb[2] +
         three * tensor.nb[3];
}

/** e^x for x <= 0 to about 2e-7 relative, by the polynomial of Cephes; below -87 it is 0. */
PIPIT_AVX512_INLINE __m512 expOfNegative(__m512 x) {
  const __m512 least = _mm512_set1_ps(-87.0f);
  const __mmask16 isLarge = _mm512_cmp_ps_mask(x, least, _CMP_GE_OQ);
  const __m512 clamped = _mm512_max_ps(x, least);
  const __m512 whole = _mm512_roundscale_ps(_mm512_mul_ps(clamped, _mm512_set1_ps(1.44269504f)),
                                            _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  __m512 part = _mm512_fnmadd_ps(whole, _mm512_set1_ps(0.693359375f), clamped);
  part = _mm512_fmadd_ps(whole, _mm512_set1_ps(2.12194440e-4f), part);
  __m512 power = _mm512_set1_ps(1.9875691500e-4f);
  power = _mm512_fmadd_ps(power, part, _mm512_set1_ps(1.3981999507e-3f));
  power = _mm512_fmadd_ps(power, part, _mm512_set1_ps(8.3334519073e-3f));
  power = _mm512_fmadd_ps(power, part, _mm512_set1_ps(4.1665795894e-2f));
  power = _mm512_fmadd_ps(power, part, _mm512_set1_ps(1.6666665459e-1f));
  power = _mm512_fmadd_ps(power, part, _mm512_set1_ps(5.0000001201e-1f));
  power = _mm512_fmadd_ps(_mm512_mul_ps(power, part), part, part);
  power = _mm512_add_ps(power, _mm512_set1_ps(1.0f));
  return _mm512_maskz_scalef_ps(isLarge, power, whole);
}

/** The sum of each of sixteen registers, in their order. */
PIPIT_AVX512_INLINE __m512 sumsOf(__m512* rows) {
  for (int row = 0; row < 8; row++) {
    rows[row] = _mm512_add_ps(_mm512_shuffle_f32x4(rows[row], rows[row + 8], 0x44),
                              _mm512_shuffle_f32x4(rows[row], rows[row + 8], 0xee));
  }
  // Each holds eight lanes of one row and eight of the row that is eight further on.
  for (int row = 0; row < 4; row++) {
    rows[row] = _mm512_add_ps(_mm512_shuffle_f32x4(rows[row], rows[row + 4], 0x88),
                              _mm512_shuffle_f32x4(rows[row], rows[row + 4], 0xdd));
  }
  // Four lanes each of the rows r, r + 8, r + 4, r + 12.
  for (int row = 0; row < 2; row++) {
    rows[row] = _mm512_add_ps(_mm512_unpacklo_ps(rows[row], rows[row + 2]),
                              _mm512_unpackhi_ps(rows[row], rows[row + 2]));
  }
  const __m512 sums = _mm512_add_ps(_mm512_unpacklo_ps(rows[0], rows[1]),
                                    _mm512_unpackhi_ps(rows[0], rows[1]));
  const __m512i order =
      _mm512_setr_epi32(0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15);
  return _mm512_permutexvar_ps(order, sums);
}

/** The cells of one block as floats. */
PIPIT_AVX512 void toFloats(const char* cells, size_t stride, int width, float* floats) {
  for (int cell = 0; cell < blockCells; cell++) {
    for (int column = 0; column < width; column += 16) {
      const auto* from = reinterpret_cast<const __m256i*>(cells + cell * stride + 2 * column);
      _mm512_store_ps(floats + cell * width + column, _mm512_cvtph_ps(_mm256_loadu_si256(from)));
    }
  }
}

/** Of one row and head, over the blocks that were seen. */
struct Query {
  const float* input;
  const uint16_t* mask;
  float* output;
  float most;
  float total;
};

/** The scores of one query with a block's cells, scaled; -inf where the mask says so. */
template <int half>
PIPIT_AVX512_INLINE __m512 scoresOf(const Query& query, const float* keys, int width, __m512 scale,
                                    int firstCell) {
  __m512 sums[16];
  for (__m512& sum : sums) sum = _mm512_setzero_ps();
  for (int column = 0; column < width; column += 16) {
    const __m512 input = _mm512_loadu_ps(query.input + column);
    for (int cell = 0; cell < 16; cell++) {
      const float* const key = keys + (16 * half + cell) * width + column;
      sums[cell] = _mm512_fmadd_ps(_mm512_load_ps(key), input, sums[cell]);
    }
  }
  const auto* const mask = reinterpret_cast<const __m256i*>(query.mask + firstCell + 16 * half);
  return _mm512_fmadd_ps(sumsOf(sums), scale, _mm512_cvtph_ps(_mm256_loadu_si256(mask)));
}

PIPIT_AVX512 void addBlock(Query& query, const float* keys, int keyWidth, const float* values,
                           int valueWidth, float scaleOfScores, int firstCell) {
  const __m512i masked = _mm512_set1_epi16(static_cast<int16_t>(0xfc00));
  if (_mm512_cmpneq_epi16_mask(_mm512_loadu_si512(query.mask + firstCell), masked) == 0) return;
  const __m512 scale = _mm512_set1_ps(scaleOfScores);
  const __m512 first = scoresOf<0>(query, keys, keyWidth, scale, firstCell);
  const __m512 second = scoresOf<1>(query, keys, keyWidth, scale, firstCell);
  const float most = _mm512_reduce_max_ps(_mm512_max_ps(first, second));
  float* const output = query.output;
  if (most > query.most) {
    const __m512 shrink = expOfNegative(_mm512_set1_ps(query.most - most));
    for (int column = 0; column < valueWidth; column += 16) {
      _mm512_store_ps(output + column, _mm512_mul_ps(_mm512_load_ps(output + column), shrink));
    }
    query.total *= _mm512_cvtss_f32(shrink);
    query.most = most;
  }
  const __m512 highest = _mm512_set1_ps(query.most);
  alignas(64) float weights[blockCells];
  const __m512 firstWeights = expOfNegative(_mm512_sub_ps(first, highest));
  const __m512 secondWeights = expOfNegative(_mm512_sub_ps(second, highest));
  _mm512_store_ps(weights, firstWeights);
  _mm512_store_ps(weights + 16, secondWeights);
  query.total += _mm512_reduce_add_ps(_mm512_add_ps(firstWeights, secondWeights));
  // Four registers at a time, in two sums each, so that none waits for itself.
  int column = 0;
  for (; column + 64 <= valueWidth; column += 64) {
    __m512 even[4], odd[4];
    for (int part = 0; part < 4; part++) {
      even[part] = _mm512_load_ps(output + column + 16 * part);
      odd[part] = _mm512_setzero_ps();
    }
    for (int cell = 0; cell < blockCells; cell += 2) {
      const __m512 evenWeight = _mm512_set1_ps(weights[cell]);
      const __m512 oddWeight = _mm512_set1_ps(weights[cell + 1]);
      const float* const value = values + cell * valueWidth + column;
      for (int part = 0; part < 4; part++) {
        even[part] = _mm512_fmadd_ps(evenWeight, _mm512_load_ps(value + 16 * part), even[part]);
        odd[part] = _mm512_fmadd_ps(
            oddWeight, _mm512_load_ps(value + valueWidth + 16 * part), odd[part]);
      }
    }
    for (int part = 0; part < 4; part++) {
      _mm512_store_ps(output + column + 16 * part, _mm512_add_ps(even[part], odd[part]));
    }
  }
  for (; column < valueWidth; column += 16) {
    __m512 sum = _mm512_load_ps(output + column);
    for (int cell = 0; cell < blockCells; cell++) {
      const __m512 value = _mm512_load_ps(values + cell * valueWidth + column);
      sum = _mm512_fmadd_ps(_mm512_set1_ps(weights[cell]), value, sum);
    }
    _mm512_store_ps(output + column, sum);
  }
}

PIPIT_AVX512 void writeOutput(const Query& query, int width, float* to) {
  // A row that sees no cell at all is all zeroes.
  const __m512 factor = _mm512_set1_ps(query.total > 0 ? 1.0f / query.total : 0.0f);
  for (int column = 0; column < width; column += 16) {
    _mm512_storeu_ps(to + column, _mm512_mul_ps(_mm512_load_ps(query.output + column), factor));
  }
}

/** A thread's own: the floats of a block of cells, and the outputs of a tile. */
struct alignas(64) Workspace {
  float keys[blockCells * widthMax];
  float values[blockCells * widthMax];
  float outputs[tileQueries * widthMax];
};

#endif

}  // namespace

bool Attention::canCompute(const ggml_tensor& node) {
  const ggml_tensor *queries = node.src[0], *keys = node.src[1], *values = node.src[2],
                    *mask = node.src[3], *sinks = node.src[4];
  if (!PackedMatrix::isSupported() || !isOf(queries, GGML_TYPE_F32) ||
      !isOf(keys, GGML_TYPE_F16) || !isOf(values, GGML_TYPE_F16) || !isOf(mask, GGML_TYPE_F16) ||
      sinks != nullptr) {
    return false;
  }
  float bias, softcap;
  std::memcpy(&bias, node.op_params + 1, sizeof bias);
  std::memcpy(&softcap, node.op_params + 2, sizeof softcap);
  const auto fits = [](int64_t width) { return width % 16 == 0 && width <= widthMax; };
  return bias == 0 && softcap == 0 && fits(keys->ne[0]) && fits(values->ne[0]) &&
         keys->ne[1] % blockCells == 0 && mask->ne[0] >= keys->ne[1] && mask->ne[2] == 1 &&
         values->ne[2] == keys->ne[2] && queries->ne[2] % keys->ne[2] == 0 &&
         keys->ne[3] == queries->ne[3] && values->ne[3] == keys->ne[3] &&
         mask->ne[3] == queries->ne[3] && ggml_is_contiguous(&node);
}

void Attention::compute(const ggml_tensor& node, int thread, int threads) const {
#if defined(__x86_64__)
  const ggml_tensor &queries = *node.src[0], &keys = *node.src[1], &values = *node.src[2],
                    &mask = *node.src[3];
  const auto keyWidth = static_cast<int>(keys.ne[0]), valueWidth = static_cast<int>(values.ne[0]);
  const int64_t rows = queries.ne[1], heads = queries.ne[2], streams = queries.ne[3];
  const int64_t keyHeads = keys.ne[2], headsPerKey = heads / keyHeads;
  const int64_t queriesPerKey = rows * headsPerKey;
  int64_t tile = std::min<int64_t>(tileQueries, queriesPerKey);
  const auto tilesPerKey = [&] { return (queriesPerKey + tile - 1) / tile; };
  while (tile > 1 && tilesPerKey() * keyHeads * streams < threads) tile = (tile + 1) / 2;

  thread_local Workspace workspace;
  Query tileOfQueries[tileQueries];
  const int64_t tasks = tilesPerKey() * keyHeads * streams;
  // In turns, because later rows of a prompt see more cells.
  for (int64_t task = thread; task < tasks; task += threads) {
    const int64_t first = task % tilesPerKey() * tile;
    const int64_t keyHead = task / tilesPerKey() % keyHeads;
    const int64_t stream = task / tilesPerKey() / keyHeads;
    const auto count = static_cast<int>(std::min(tile, queriesPerKey - first));
    const auto rowOf = [&](int query) { return (first + query) / headsPerKey; };
    const auto headOf = [&](int query) {
      return keyHead * headsPerKey + (first + query) % headsPerKey;
    };
    for (int query = 0; query < count; query++) {
      tileOfQueries[query] = {
          reinterpret_cast<const float*>(at(queries, rowOf(query), headOf(query), stream)),
          reinterpret_cast<const uint16_t*>(at(mask, rowOf(query), 0, stream)),
          workspace.outputs + query * valueWidth, -INFINITY, 0};
    }
    std::fill(workspace.outputs, workspace.outputs + count * valueWidth, 0.0f);
    for (int cell = 0; cell < keys.ne[1]; cell += blockCells) {
      const auto sees = [&](const Query& query) {
        return std::any_of(query.mask + cell, query.mask + cell + blockCells,
                           [](uint16_t one) { return one != 0xfc00; });
      };
      if (std::none_of(tileOfQueries, tileOfQueries + count, sees)) continue;
      toFloats(at(keys, cell, keyHead, stream), keys.nb[1], keyWidth, workspace.keys);
      toFloats(at(values, cell, keyHead, stream), values.nb[1], valueWidth, workspace.values);
      for (int query = 0; query < count; query++) {
        addBlock(tileOfQueries[query], workspace.keys, keyWidth, workspace.values, valueWidth,
                 scale_, cell);
      }
    }
    for (int query = 0; query < count; query++) {
      const int64_t row = (stream * rows + rowOf(query)) * heads + headOf(query);
      writeOutput(tileOfQueries[query], valueWidth,
                  static_cast<float*>(node.data) + row * valueWidth);
    }
  }
#endif
}
