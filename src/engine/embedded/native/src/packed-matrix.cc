#include "packed-matrix.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

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

}  // namespace

void QuantizedRows::assign(const Kernels& kernels, const float* rows, int count, int columns,
                           size_t stride) {
  count_ = count;
  blocks_ = columns / PackedMatrix::blockColumns;
  scales_.resize(blocksBefore(count));
  sums_.resize(scales_.size());
  quants_.resize(32 * scales_.size());
  for (int row = 0; row < count; row++) {
    const int firstRow = row / Kernels::tileRows * Kernels::tileRows;
    const size_t at = blocksBefore(firstRow) + row - firstRow;
    kernels.quantizeRow(rows + row * stride, blocks_, std::min(Kernels::tileRows, count - firstRow),
                        quants_.data() + 32 * at, scales_.data() + at, sums_.data() + at);
  }
}

bool PackedMatrix::isOfType(ggml_type type) {
  return type == GGML_TYPE_Q8_0 || type == GGML_TYPE_Q4_0;
}

bool PackedMatrix::canPack(const ggml_tensor& weights) {
  return isOfType(weights.type) && ggml_is_contiguous(&weights) && ggml_n_dims(&weights) <= 2;
}

PackedMatrix::PackedMatrix(const Kernels& kernels, const ggml_tensor& weights)
    : kernels_(kernels),
      type_(weights.type),
      outputs_(static_cast<int>(weights.ne[1])),
      blocks_(static_cast<int>(weights.ne[0] / blockColumns)),
      panels_((outputs_ + kernels.lanes - 1) / kernels.lanes),
      blockBytes_(static_cast<size_t>(kernels.lanes) * (type_ == GGML_TYPE_Q4_0 ? 16 : 32)) {
  const size_t count = static_cast<size_t>(panels_) * blocks_;
  quants_.reset(static_cast<uint8_t*>(std::aligned_alloc(64, count * blockBytes_)));
  if (quants_ == nullptr) throw std::bad_alloc();
  std::memset(quants_.get(), 0, count * blockBytes_);
  scales_.resize(count * kernels.lanes);
  for (int output = 0; output < outputs_; output++) packOutput(weights, output);
}

void PackedMatrix::packOutput(const ggml_tensor& weights, int output) {
  const int lanes = kernels_.lanes, lane = output % lanes;
  for (int block = 0; block < blocks_; block++) {
    const size_t from = static_cast<size_t>(output) * blocks_ + block;
    const size_t to = static_cast<size_t>(output / lanes) * blocks_ + block;
    uint8_t* const quants = quants_.get() + to * blockBytes_ + 4 * lane;
    uint16_t& scale = scales_[to * lanes + lane];
    if (type_ == GGML_TYPE_Q4_0) {
      const BlockQ4& one = static_cast<const BlockQ4*>(weights.data)[from];
      scale = one.scale;
      const auto at = [&](int index) {
        return index < 16 ? one.quants[index] & 0x0f : one.quants[index - 16] >> 4;
      };
      for (int pair = 0; pair < 4; pair++) {
        for (int byte = 0; byte < 4; byte++) {
          const int low = at(8 * pair + byte), high = at(8 * pair + 4 + byte);
          quants[4 * lanes * pair + byte] = static_cast<uint8_t>(low | high << 4);
        }
      }
    } else {
      const BlockQ8& one = static_cast<const BlockQ8*>(weights.data)[from];
      scale = one.scale;
      for (int index = 0; index < 32; index++) {
        quants[4 * lanes * (index / 4) + index % 4] = static_cast<uint8_t>(one.quants[index] + 128);
      }
    }
  }
}

void PackedMatrix::Free::operator()(uint8_t* memory) const { std::free(memory); }

void PackedMatrix::multiply(const QuantizedRows& rows, int firstPanel, int endPanel,
                            float* products, size_t stride) const {
  const auto& tiles = type_ == GGML_TYPE_Q4_0 ? kernels_.multiplyQ4 : kernels_.multiplyQ8;
  for (int panel = firstPanel; panel < endPanel; panel++) {
    const size_t block = static_cast<size_t>(panel) * blocks_;
    const int firstOutput = panel * kernels_.lanes;
    const int outputs = std::min(kernels_.lanes, outputs_ - firstOutput);
    for (int row = 0; row < rows.count(); row += Kernels::tileRows) {
      const int count = std::min(Kernels::tileRows, rows.count() - row);
      tiles[count - 1](quants_.get() + block * blockBytes_, scales_.data() + block * kernels_.lanes,
                       blocks_, rows.tile(row), outputs, products + row * stride + firstOutput,
                       stride);
    }
  }
}
