#include "packed-matrix.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <new>

namespace {

/** As ggml lays them out (ggml-common.h); what they mean is in ggml-quants.c. */
struct BlockQ8 {
  uint16_t scale;
  int8_t quants[32];
};
struct BlockQ4 {
  uint16_t scale;
  /** The first 16 weights in the low halves, the others in the high ones; 8 is zero. */
  uint8_t quants[16];
};
struct BlockQ5 {
  uint16_t scale;
  /** The fifth bit of each weight. */
  uint8_t highest[4];
  /** As those of BlockQ4; 16 is zero. */
  uint8_t quants[16];
};
/** For 256 weights, eight times 32. */
struct ScalesK {
  uint16_t scale;
  uint16_t minimum;
  /** Eight times six bits to multiply the one with, and as many for the other. */
  uint8_t factors[12];
};
struct BlockQ4K {
  ScalesK scales;
  /** Of 64 weights at a time, the first 32 in the low halves. */
  uint8_t quants[128];
};
struct BlockQ5K {
  ScalesK scales;
  /** In each byte the fifth bits of eight weights that are 32 apart. */
  uint8_t highest[32];
  uint8_t quants[128];
};
struct BlockQ6K {
  /** Of 128 weights at a time, the first 64 in the low halves; 32 is zero. */
  uint8_t quants[128];
  /** In each byte the higher two bits of four weights that are 32 apart. */
  uint8_t highest[64];
  /** For each 16 weights. */
  int8_t factors[16];
  uint16_t scale;
};
static_assert(sizeof(BlockQ8) == 34 && sizeof(BlockQ4) == 18 && sizeof(BlockQ5) == 22);
static_assert(sizeof(BlockQ4K) == 144 && sizeof(BlockQ5K) == 176 && sizeof(BlockQ6K) == 210);

/** 32 weights of any type, before they are packed. */
struct Weights {
  /** Without a sign, as they are stored. */
  uint8_t quants[32];
  /** Of one block, or of the 256 columns that it is among. */
  uint16_t scales[2];
  int8_t factors[2];
};

/** Of 16 bytes the lower halves, then the higher ones. */
void readHalves(const uint8_t* from, uint8_t* to) {
  for (int i = 0; i < 16; i++) {
    to[i] = from[i] & 0x0f;
    to[16 + i] = from[i] >> 4;
  }
}

/** Of 32 bytes the lower halves or the higher ones. */
void readHalf(const uint8_t* from, bool isHigher, uint8_t* to) {
  for (int i = 0; i < 32; i++) to[i] = isHigher ? from[i] >> 4 : from[i] & 0x0f;
}

void readScales(const ScalesK& from, int part, Weights& to) {
  const uint8_t* const factors = from.factors;
  int scale = factors[part], minimum = factors[part + 4];
  if (part >= 4) {
    scale = (factors[part + 4] & 0x0f) | factors[part - 4] >> 6 << 4;
    minimum = factors[part + 4] >> 4 | factors[part] >> 6 << 4;
  }
  to.scales[0] = from.scale;
  // The other sign: what ggml takes away is added here.
  to.scales[1] = from.minimum ^ 0x8000;
  to.factors[0] = static_cast<int8_t>(scale & 63);
  to.factors[1] = static_cast<int8_t>(minimum & 63);
}

/** Of a row's weights the 32 of a block. */
Weights readWeights(ggml_type type, const void* row, int block) {
  Weights to;
  const int part = block % 8;
  if (type == GGML_TYPE_Q8_0) {
    const BlockQ8& from = static_cast<const BlockQ8*>(row)[block];
    to.scales[0] = from.scale;
    for (int i = 0; i < 32; i++) to.quants[i] = static_cast<uint8_t>(from.quants[i] + 128);
  } else if (type == GGML_TYPE_Q4_0) {
    const BlockQ4& from = static_cast<const BlockQ4*>(row)[block];
    to.scales[0] = from.scale;
    readHalves(from.quants, to.quants);
  } else if (type == GGML_TYPE_Q5_0) {
    const BlockQ5& from = static_cast<const BlockQ5*>(row)[block];
    to.scales[0] = from.scale;
    readHalves(from.quants, to.quants);
    for (int i = 0; i < 32; i++) to.quants[i] |= (from.highest[i / 8] >> (i % 8) & 1) << 4;
  } else if (type == GGML_TYPE_Q4_K) {
    const BlockQ4K& from = static_cast<const BlockQ4K*>(row)[block / 8];
    readScales(from.scales, part, to);
    readHalf(from.quants + part / 2 * 32, part % 2, to.quants);
  } else if (type == GGML_TYPE_Q5_K) {
    const BlockQ5K& from = static_cast<const BlockQ5K*>(row)[block / 8];
    readScales(from.scales, part, to);
    readHalf(from.quants + part / 2 * 32, part % 2, to.quants);
    for (int i = 0; i < 32; i++) to.quants[i] |= (from.highest[i] >> part & 1) << 4;
  } else {
    const BlockQ6K& from = static_cast<const BlockQ6K*>(row)[block / 8];
    for (int half = 0; half < 2; half++) {
      to.scales[half] = from.scale;
      to.factors[half] = from.factors[2 * part + half];
    }
    const int quarter = part % 4;
    readHalf(from.quants + part / 4 * 64 + quarter % 2 * 32, quarter / 2, to.quants);
    const uint8_t* const highest = from.highest + part / 4 * 32;
    for (int i = 0; i < 32; i++) to.quants[i] |= (highest[i] >> (2 * quarter) & 3) << 4;
  }
  return to;
}

/**
 * Four bytes at a time: the lower halves of eight words to the first four, and the next `higher` bits
 * of all of them to as many behind.
 */
void joinHalves(uint32_t* fours, int higher) {
  uint32_t bits[2] = {0, 0};
  const uint32_t mask = 0x01010101 * ((1u << higher) - 1);
  for (int four = 0; four < 8; four++) {
    bits[four * higher / 8] |= (fours[four] >> 4 & mask) << four * higher % 8;
  }
  for (int pair = 0; pair < 4; pair++) {
    fours[pair] = (fours[2 * pair] & 0x0f0f0f0f) | (fours[2 * pair + 1] & 0x0f0f0f0f) << 4;
  }
  std::memcpy(fours + 4, bits, sizeof bits);
}

/** An index of `packedFormats`; -1 if there is none. */
int formatOf(ggml_type type) {
  constexpr ggml_type types[] = {GGML_TYPE_Q8_0, GGML_TYPE_Q4_0, GGML_TYPE_Q5_0,
                                 GGML_TYPE_Q4_K, GGML_TYPE_Q5_K, GGML_TYPE_Q6_K};
  static_assert(sizeof types / sizeof *types == packedFormatsCount);
  const auto found = std::find(std::begin(types), std::end(types), type);
  return found == std::end(types) ? -1 : static_cast<int>(found - std::begin(types));
}

}  // namespace

void QuantizedRows::assign(const Kernels& kernels, const float* rows, int count, int columns,
                           size_t stride) {
  count_ = count;
  blocks_ = columns / PackedMatrix::blockColumns;
  inputBlocks_.resize(blocksBefore(count));
  quants_.resize(32 * inputBlocks_.size());
  for (int row = 0; row < count; row++) {
    const int firstRow = row / Kernels::tileRows * Kernels::tileRows;
    const size_t at = blocksBefore(firstRow) + row - firstRow;
    kernels.quantizeRow(rows + row * stride, blocks_, std::min(Kernels::tileRows, count - firstRow),
                        quants_.data() + 32 * at, inputBlocks_.data() + at);
  }
}

bool PackedMatrix::isOfType(ggml_type type) { return formatOf(type) >= 0; }

bool PackedMatrix::canPack(const ggml_tensor& weights) {
  return isOfType(weights.type) && ggml_is_contiguous(&weights) && ggml_n_dims(&weights) <= 2;
}

PackedMatrix::PackedMatrix(const Kernels& kernels, const ggml_tensor& weights)
    : kernels_(kernels),
      type_(weights.type),
      format_(formatOf(type_)),
      outputs_(static_cast<int>(weights.ne[1])),
      blocks_(static_cast<int>(weights.ne[0] / blockColumns)),
      panels_((outputs_ + kernels.lanes - 1) / kernels.lanes) {
  const auto lanes = static_cast<size_t>(kernels.lanes);
  const PackedFormat& format = packedFormats[format_];
  quantBytes_ = lanes * blocks_ * format.bits * 4;
  scaleBytes_ = lanes * blocks_ * 2;
  if (format.scaling != Scaling::perBlock) scaleBytes_ += lanes * blocks_ / 8 * 4;
  const size_t bytes = (panels_ * quantBytes_ + 63) / 64 * 64;
  quants_.reset(static_cast<uint8_t*>(std::aligned_alloc(64, bytes)));
  if (quants_ == nullptr) throw std::bad_alloc();
  std::memset(quants_.get(), 0, bytes);
  scales_.resize(panels_ * scaleBytes_);
  for (int output = 0; output < outputs_; output++) packOutput(weights, output);
}

void PackedMatrix::packOutput(const ggml_tensor& weights, int output) {
  const auto [bits, scaling] = packedFormats[format_];
  const int lanes = kernels_.lanes, lane = output % lanes;
  const size_t panel = output / lanes;
  const void* const row = static_cast<const uint8_t*>(weights.data) + output * weights.nb[1];
  uint8_t* quants = quants_.get() + panel * quantBytes_ + 4 * lane;
  uint8_t* scales = scales_.data() + panel * scaleBytes_;
  const auto writeScale = [&](uint16_t scale) {
    std::memcpy(scales + 2 * lane, &scale, sizeof scale);
    scales += 2 * lanes;
  };
  for (int block = 0; block < blocks_; block++) {
    const Weights one = readWeights(type_, row, block);
    if (scaling == Scaling::perBlock || block % 8 == 0) writeScale(one.scales[0]);
    if (scaling != Scaling::perBlock) {
      if (block % 8 == 0) writeScale(one.scales[1]);
      for (const int8_t factor : one.factors) {
        scales[lane] = static_cast<uint8_t>(factor);
        scales += lanes;
      }
    }
    uint32_t fours[8];
    std::memcpy(fours, one.quants, sizeof fours);
    if (bits < 8) joinHalves(fours, bits - 4);
    for (int index = 0; index < bits; index++) {
      std::memcpy(quants + 4 * lanes * index, fours + index, 4);
    }
    quants += 4 * lanes * bits;
  }
}

void PackedMatrix::Free::operator()(uint8_t* memory) const { std::free(memory); }

void PackedMatrix::multiply(const QuantizedRows& rows, int firstPanel, int endPanel,
                            float* products, size_t stride) const {
  const auto& tiles = kernels_.multiply[format_];
  for (int panel = firstPanel; panel < endPanel; panel++) {
    const int firstOutput = panel * kernels_.lanes;
    const int outputs = std::min(kernels_.lanes, outputs_ - firstOutput);
    for (int row = 0; row < rows.count(); row += Kernels::tileRows) {
      const int count = std::min(Kernels::tileRows, rows.count() - row);
      tiles[count - 1](quants_.get() + panel * quantBytes_, scales_.data() + panel * scaleBytes_,
                       blocks_, rows.tile(row), outputs, products + row * stride + firstOutput,
                       stride);
    }
  }
}
