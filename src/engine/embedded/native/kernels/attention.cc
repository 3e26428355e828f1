#include "kernels/attention.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace {

constexpr int blockCells = Kernels::blockCells;
/** Queries (rows times heads) for each pass over the cells; as many as fit into the L1 cache. */
constexpr int tileQueries = 32;
constexpr int widthMax = 256;
/** The bits of -inf as a 16-bit float. */
constexpr uint16_t minusInfinity = 0xfc00;

bool hasType(const ggml_tensor* tensor, ggml_type type) {
  return tensor != nullptr && tensor->type == type && tensor->nb[0] == ggml_type_size(type);
}

const char* rowAt(const ggml_tensor& tensor, int64_t i1, int64_t i2, int64_t i3) {
  return static_cast<const char*>(tensor.data) + i1 * tensor.nb[1] + i2 * tensor.nb[2] +
         i3 * tensor.nb[3];
}

/** Memory of one thread: a block of cells as floats, and the outputs of a tile of queries. */
struct alignas(64) Workspace {
  float keys[blockCells * widthMax];
  float values[blockCells * widthMax];
  float outputs[tileQueries * widthMax];
};

/** Marks the cells of a block that at least one query attends to. Returns false if there are none. */
bool markAttended(const AttentionQuery* queries, int count, int firstCell,
                  uint8_t (&isAttended)[blockCells]) {
  std::fill(isAttended, isAttended + blockCells, 0);
  for (int query = 0; query < count; query++) {
    const uint16_t* const mask = queries[query].mask + firstCell;
    for (int cell = 0; cell < blockCells; cell++) isAttended[cell] |= mask[cell] != minusInfinity;
  }
  return std::any_of(isAttended, isAttended + blockCells, [](uint8_t is) { return is != 0; });
}

/**
 * Clears the other cells. They may hold infinities or NaNs of an earlier reply that failed, and
 * those would stay infinite or NaN when they are multiplied by a weight of zero.
 */
void clearUnattended(const uint8_t (&isAttended)[blockCells], float* block, int width) {
  for (int cell = 0; cell < blockCells; cell++) {
    if (!isAttended[cell]) std::fill_n(block + cell * width, width, 0.0f);
  }
}

}  // namespace

bool Attention::canCompute(const ggml_tensor& node) {
  const ggml_tensor *queries = node.src[0], *keys = node.src[1], *values = node.src[2],
                    *mask = node.src[3], *sinks = node.src[4];
  if (!hasType(queries, GGML_TYPE_F32) || !hasType(keys, GGML_TYPE_F16) ||
      !hasType(values, GGML_TYPE_F16) || !hasType(mask, GGML_TYPE_F16) || sinks != nullptr) {
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
  AttentionQuery tileOfQueries[tileQueries];
  const int64_t tasks = tilesPerKey() * keyHeads * streams;
  // Deals tasks out to the threads in turn, because later rows of a prompt attend to more cells.
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
          reinterpret_cast<const float*>(rowAt(queries, rowOf(query), headOf(query), stream)),
          reinterpret_cast<const uint16_t*>(rowAt(mask, rowOf(query), 0, stream)),
          workspace.outputs + query * valueWidth, -INFINITY, 0};
    }
    std::fill(workspace.outputs, workspace.outputs + count * valueWidth, 0.0f);
    for (int cell = 0; cell < keys.ne[1]; cell += blockCells) {
      uint8_t isAttended[blockCells];
      if (!markAttended(tileOfQueries, count, cell, isAttended)) continue;
      kernels_.halvesToFloats(rowAt(keys, cell, keyHead, stream), keys.nb[1], keyWidth,
                              workspace.keys);
      kernels_.halvesToFloats(rowAt(values, cell, keyHead, stream), values.nb[1], valueWidth,
                              workspace.values);
      clearUnattended(isAttended, workspace.keys, keyWidth);
      clearUnattended(isAttended, workspace.values, valueWidth);
      const AttentionBlock block = {workspace.keys, keyWidth, workspace.values, valueWidth, cell};
      for (int query = 0; query < count; query++) {
        kernels_.attendBlock(tileOfQueries[query], block, scale_);
      }
    }
    for (int query = 0; query < count; query++) {
      const int64_t row = (stream * rows + rowOf(query)) * heads + headOf(query);
      kernels_.writeOutput(tileOfQueries[query], valueWidth,
                           static_cast<float*>(node.data) + row * valueWidth);
    }
  }
}
