#include "sampling/token-weights.h"

#include <algorithm>
#include <cmath>
#include <cstring>

// All clones give the same bits, because -ffp-contract=off keeps the compiler from fusing
// operations. The loader of glibc picks a clone; other processors and systems have no clones.
#if defined(__x86_64__) && defined(__linux__)
#define VECTORISED __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define VECTORISED
#endif

namespace {

using Floats = float __attribute__((vector_size(64)));
constexpr int floatLanes = sizeof(Floats) / sizeof(float);
constexpr int sumLanes = 32;
static_assert(blockSize % sumLanes == 0 && blockSize % runSize == 0);

/** Adds the values to the lanes in turn, as many as fill all lanes; returns how many that were. */
inline __attribute__((always_inline)) int addToLanes(const float* values, int count,
                                                     double* lanes) {
  int index = 0;
  for (; index + sumLanes <= count; index += sumLanes) {
    for (int lane = 0; lane < sumLanes; lane++) lanes[lane] += values[index + lane];
  }
  return index;
}

inline __attribute__((always_inline)) double sum(const float* values, int count) {
  double lanes[sumLanes] = {};
  int index = addToLanes(values, count, lanes);
  double total = 0;
  for (const double lane : lanes) total += lane;
  for (; index < count; index++) total += values[index];
  return total;
}

}  // namespace

VECTORISED double toWeights(const float* logits, int count, float max, float* weights) {
  double lanes[sumLanes] = {};
  int added = 0;
  for (int start = 0; start < count; start += blockSize) {
    const int end = std::min(start + blockSize, count);
    for (int id = start; id < end; id++) weights[id] = expOfNegative(logits[id] - max);
    added = start + addToLanes(weights + start, end - start, lanes);
  }
  double sum = 0;
  for (const double lane : lanes) sum += lane;
  for (; added < count; added++) sum += weights[added];
  return sum;
}

VECTORISED double toKeptWeights(const float* logits, int count, float max, float scale, float least,
                                float* weights) {
  bool isEmpty = true;
  for (int start = 0; start < count; start += runSize) {
    const int end = std::min(start + runSize, count);
    int found = 0;
    for (int id = start; id < end; id++) found |= logits[id] >= least ? 1 : 0;
    if (found == 0) {
      std::fill(weights + start, weights + end, 0.0f);
      continue;
    }
    isEmpty = false;
    for (int id = start; id < end; id++) {
      const float weight = expOfNegative((logits[id] - max) * scale);
      weights[id] = logits[id] < least ? 0.0f : weight;
    }
  }
  return isEmpty ? 0 : sum(weights, count);
}

VECTORISED double massFrom(const float* logits, const float* weights, int count, float least) {
  float kept[blockSize];
  for (int index = 0; index < count; index++) {
    kept[index] = logits[index] < least ? 0.0f : weights[index];
  }
  return sum(kept, count);
}

VECTORISED double keepFrom(const float* logits, int count, float least, float* weights) {
  for (int index = 0; index < count; index++) {
    weights[index] = logits[index] < least ? 0.0f : weights[index];
  }
  return sum(weights, count);
}

VECTORISED float maxOf(const float* values, int count) {
  Floats lanes = Floats{} - INFINITY;
  int index = 0;
  for (; index + floatLanes <= count; index += floatLanes) {
    Floats next;
    std::memcpy(&next, values + index, sizeof next);
    lanes = next > lanes ? next : lanes;
  }
  float result = -INFINITY;
  for (int lane = 0; lane < floatLanes; lane++) result = std::max(result, lanes[lane]);
  for (; index < count; index++) result = std::max(result, values[index]);
  return result;
}

VECTORISED int nextRunAbove(const float* values, int start, int count, float limit) {
  for (; start + shortRunSize <= count; start += shortRunSize) {
    int found = 0;
    for (int index = 0; index < shortRunSize; index++) {
      found |= values[start + index] > limit ? 1 : 0;
    }
    if (found != 0) break;
  }
  return start;
}

VECTORISED double sumOf(const float* values, int count) { return sum(values, count); }

int drawIndex(const std::vector<float>& weights, const std::vector<double>& blockSums, int count,
              double fraction) {
  double total = 0;
  for (const double sum : blockSums) total += sum;
  if (!std::isfinite(total) || total <= 0) return -1;
  double left = fraction * total;
  size_t block = 0;
  while (block + 1 < blockSums.size() && left >= blockSums[block]) left -= blockSums[block++];
  int last = -1;
  for (int index = static_cast<int>(block) * blockSize; index < count; index++) {
    if (weights[index] <= 0) continue;
    last = index;
    left -= weights[index];
    if (left < 0) return index;
  }
  // Rounding may leave a remainder after the last weight.
  while (last < 0 && count > 0) {
    count--;
    if (weights[count] > 0) last = count;
  }
  return last;
}
