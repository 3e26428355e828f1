#include "kernels/packed-matrix.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace {

// The blocks of ggml: ggml-common.h has their layout, ggml-quants.c their meaning.

struct BlockQ8 {
  uint16_t scale;
  int8_t quants[32];
};
struct BlockQ4 {
  uint16_t scale;
  /** The first 16 weights in the low nibbles, the others in the high ones; the offset is 8. */
  uint8_t quants[16];
};
struct BlockQ5 {
  uint16_t scale;
  /** The fifth bit of each weight. */
  uint8_t highBits[4];
  /** Nibbles in the order of BlockQ4; the offset is 16. */
  uint8_t quants[16];
};
/** The scales of 256 weights, in eight blocks of 32. */
struct ScalesK {
  uint16_t scale;
  uint16_t minimum;
  /** Eight integers of six bits that multiply the scale, and eight that multiply the minimum. */
  uint8_t factors[12];
};
struct BlockQ4K {
  ScalesK scales;
  /** Groups of 64 weights, the first 32 of each in the low nibbles. */
  uint8_t quants[128];
};
struct BlockQ5K {
  ScalesK scales;
  /** Each byte holds the fifth bits of eight weights that are 32 apart. */
  uint8_t highBits[32];
  uint8_t quants[128];
};
struct BlockQ6K {
  /** Groups of 128 weights, the first 64 of each in the low nibbles; the offset is 32. */
  uint8_t quants[128];
  /** Each byte holds the upper two bits of four weights that are 32 apart. */
  uint8_t highBits[64];
  /** The scale factors, one for each 16 weights. */
  int8_t factors[16];
  uint16_t scale;
};
struct BlockIQ4XS {
  uint16_t scale;
  /** The upper two bits of each block's factor; the offset of a factor is 32. */
  uint16_t highFactors;
  /** The lower four bits, two factors in each byte. */
  uint8_t lowFactors[4];
  /** Blocks of 32 indices in the order of BlockQ4. */
  uint8_t quants[128];
};
struct BlockQ3K {
  /** Each byte holds the third bits of eight weights that are 32 apart; the offset is 4. */
  uint8_t highBits[32];
  /** Groups of 128 weights. Each byte holds the lower two bits of four that are 32 apart. */
  uint8_t quants[64];
  /** Sixteen factors of six bits, one for each 16 weights: the lower four bits, then the upper. */
  uint8_t factors[12];
  uint16_t scale;
};
struct BlockIQ3S {
  uint16_t scale;
  /** Indices of ggml's table, and signs. */
  uint8_t quants[104];
  /** Four bits for each block. */
  uint8_t factors[4];
};
struct BlockIQ3XXS {
  uint16_t scale;
  uint8_t quants[64];
  /** For each block, the signs of 32 weights in 28 bits, and the factor in the upper four. */
  uint8_t signs[8][4];
};
static_assert(sizeof(BlockIQ4XS) == 136 && sizeof(BlockQ3K) == 110);
static_assert(sizeof(BlockIQ3S) == 110 && sizeof(BlockIQ3XXS) == 98);
static_assert(sizeof(BlockQ8) == 34 && sizeof(BlockQ4) == 18 && sizeof(BlockQ5) == 22);
static_assert(sizeof(BlockQ4K) == 144 && sizeof(BlockQ5K) == 176 && sizeof(BlockQ6K) == 210);

/** One block of 32 weights of any type, before it is packed. */
struct Weights {
  /** Unsigned integers with an offset, or indices of a codebook. */
  uint8_t quants[32];
  /** Scales as 16-bit floats: those of this block, or of the 256-weight block that contains it. */
  uint16_t scales[2];
  int8_t factors[2];
};

/** Writes the low nibbles of 16 bytes, then the high ones. */
void unpackNibbles(const uint8_t* from, uint8_t* to) {
  for (int i = 0; i < 16; i++) {
    to[i] = from[i] & 0x0f;
    to[16 + i] = from[i] >> 4;
  }
}

/** Writes the low or the high nibbles of 32 bytes. */
void unpackNibbles(const uint8_t* from, bool isHigh, uint8_t* to) {
  for (int i = 0; i < 32; i++) to[i] = isHigh ? from[i] >> 4 : from[i] & 0x0f;
}

void readScales(const ScalesK& from, int part, Weights& to) {
  const uint8_t* const factors = from.factors;
  int scale = factors[part], minimum = factors[part + 4];
  if (part >= 4) {
    scale = (factors[part + 4] & 0x0f) | factors[part - 4] >> 6 << 4;
    minimum = factors[part + 4] >> 4 | factors[part] >> 6 << 4;
  }
  to.scales[0] = from.scale;
  // ggml subtracts the minimum and the kernels add it, so the sign bit is flipped.
  to.scales[1] = from.minimum ^ 0x8000;
  to.factors[0] = static_cast<int8_t>(scale & 63);
  to.factors[1] = static_cast<int8_t>(minimum & 63);
}

Weights readQ3K(const BlockQ3K& from, int part) {
  Weights to;
  for (int half = 0; half < 2; half++) {
    const int factor = 2 * part + half;
    const int low = from.factors[factor % 8] >> (factor / 8 * 4) & 0x0f;
    const int high = from.factors[8 + factor % 4] >> (factor / 4 * 2) & 3;
    to.scales[half] = from.scale;
    to.factors[half] = static_cast<int8_t>((high << 4 | low) - 32);
  }
  for (int i = 0; i < 32; i++) {
    const int low = from.quants[part / 4 * 32 + i] >> (part % 4 * 2) & 3;
    const int high = from.highBits[i] >> part & 1;
    // Less the offset of 4, plus that of four bits.
    to.quants[i] = static_cast<uint8_t>((high << 2 | low) - 4 + 8);
  }
  return to;
}

/** Returns the indices of the values of a codebook, which are those plus 128. */
const std::array<uint8_t, 256>& indicesOf(int codebook) {
  static const auto allIndices = [] {
    std::array<std::array<uint8_t, 256>, std::size(codebooks)> all{};
    for (size_t book = 0; book < all.size(); book++) {
      for (uint8_t index = 0; index < 16; index++) all[book][codebooks[book][index]] = index;
    }
    return all;
  }();
  return allIndices[static_cast<size_t>(codebook)];
}

/**
 * Reads one block of a type whose values come from a table of ggml's. ggml dequantises 256 weights
 * when their first block is read; with a scale of 1, they are values of the codebook times the
 * block's factor times the format's unit.
 */
template <typename Group>
Weights readFromTable(const PackedFormat& format, ggml_type type, const Group& group, int part,
                      int factor, float* values) {
  Weights to;
  to.scales[0] = group.scale;
  to.factors[0] = static_cast<int8_t>(factor);
  if (part == 0) {
    constexpr uint16_t one = 0x3c00;
    Group unscaled = group;
    unscaled.scale = one;
    ggml_get_type_traits(type)->to_float(&unscaled, values, 256);
  }
  const std::array<uint8_t, 256>& indices = indicesOf(format.codebook);
  const float inverse = 1.0f / (static_cast<float>(factor) * format.scaleUnit);
  for (int i = 0; i < 32; i++) {
    // Rounds, because the value is positive.
    to.quants[i] = indices[static_cast<uint8_t>(values[32 * part + i] * inverse + 128.5f)];
  }
  return to;
}

/**
 * Reads one block of a row. Must be called for each block in turn, because `values` keeps 256 weights
 * of types with tables.
 */
Weights readWeights(const PackedFormat& format, ggml_type type, const void* row, int block,
                    float* values) {
  Weights to;
  const int part = block % 8;
  if (type == GGML_TYPE_Q8_0) {
    const BlockQ8& from = static_cast<const BlockQ8*>(row)[block];
    to.scales[0] = from.scale;
    for (int i = 0; i < 32; i++) to.quants[i] = static_cast<uint8_t>(from.quants[i] + 128);
  } else if (type == GGML_TYPE_Q4_0 || type == GGML_TYPE_IQ4_NL) {
    const BlockQ4& from = static_cast<const BlockQ4*>(row)[block];
    to.scales[0] = from.scale;
    unpackNibbles(from.quants, to.quants);
  } else if (type == GGML_TYPE_IQ4_XS) {
    const BlockIQ4XS& from = static_cast<const BlockIQ4XS*>(row)[block / 8];
    const int low = from.lowFactors[part / 2] >> (4 * (part % 2)) & 0x0f;
    const int high = from.highFactors >> (2 * part) & 3;
    to.scales[0] = from.scale;
    to.factors[0] = static_cast<int8_t>((high << 4 | low) - 32);
    unpackNibbles(from.quants + 16 * part, to.quants);
  } else if (type == GGML_TYPE_Q3_K) {
    return readQ3K(static_cast<const BlockQ3K*>(row)[block / 8], part);
  } else if (type == GGML_TYPE_IQ3_S) {
    const BlockIQ3S& from = static_cast<const BlockIQ3S*>(row)[block / 8];
    const int factor = 2 * (from.factors[part / 2] >> (4 * (part % 2)) & 0x0f) + 1;
    return readFromTable(format, type, from, part, factor, values);
  } else if (type == GGML_TYPE_IQ3_XXS) {
    const BlockIQ3XXS& from = static_cast<const BlockIQ3XXS*>(row)[block / 8];
    const int factor = 2 * (from.signs[part][3] >> 4) + 1;
    return readFromTable(format, type, from, part, factor, values);
  } else if (type == GGML_TYPE_Q5_0) {
    const BlockQ5& from = static_cast<const BlockQ5*>(row)[block];
    to.scales[0] = from.scale;
    unpackNibbles(from.quants, to.quants);
    for (int i = 0; i < 32; i++) to.quants[i] |= (from.highBits[i / 8] >> (i % 8) & 1) << 4;
  } else if (type == GGML_TYPE_Q4_K) {
    const BlockQ4K& from = static_cast<const BlockQ4K*>(row)[block / 8];
    readScales(from.scales, part, to);
    unpackNibbles(from.quants + part / 2 * 32, part % 2, to.quants);
  } else if (type == GGML_TYPE_Q5_K) {
    const BlockQ5K& from = static_cast<const BlockQ5K*>(row)[block / 8];
    readScales(from.scales, part, to);
    unpackNibbles(from.quants + part / 2 * 32, part % 2, to.quants);
    for (int i = 0; i < 32; i++) to.quants[i] |= (from.highBits[i] >> part & 1) << 4;
  } else {
    const BlockQ6K& from = static_cast<const BlockQ6K*>(row)[block / 8];
    for (int half = 0; half < 2; half++) {
      to.scales[half] = from.scale;
      to.factors[half] = from.factors[2 * part + half];
    }
    const int quarter = part % 4;
    unpackNibbles(from.quants + part / 4 * 64 + quarter % 2 * 32, quarter / 2, to.quants);
    const uint8_t* const highBits = from.highBits + part / 4 * 32;
    for (int i = 0; i < 32; i++) to.quants[i] |= (highBits[i] >> (2 * quarter) & 3) << 4;
  }
  return to;
}

/**
 * Packs eight words of four weights each. The low nibbles go to the first four words, two in each
 * byte; the `highBits` bits above the nibbles go to the words after those.
 */
void packWords(uint32_t* words, int highBits) {
  uint32_t bits[2] = {0, 0};
  const uint32_t mask = 0x01010101 * ((1u << highBits) - 1);
  for (int word = 0; word < 8; word++) {
    bits[word * highBits / 8] |= (words[word] >> 4 & mask) << word * highBits % 8;
  }
  for (int pair = 0; pair < 4; pair++) {
    words[pair] = (words[2 * pair] & 0x0f0f0f0f) | (words[2 * pair + 1] & 0x0f0f0f0f) << 4;
  }
  std::memcpy(words + 4, bits, sizeof bits);
}

/** Returns an index of `packedFormats`; -1 for a type that is not packed. */
int formatOf(ggml_type type) {
  constexpr ggml_type types[] = {GGML_TYPE_Q8_0,   GGML_TYPE_Q4_0,   GGML_TYPE_Q5_0,
                                 GGML_TYPE_Q4_K,   GGML_TYPE_Q5_K,   GGML_TYPE_Q6_K,
                                 GGML_TYPE_IQ4_NL, GGML_TYPE_IQ4_XS, GGML_TYPE_Q3_K,
                                 GGML_TYPE_IQ3_S,  GGML_TYPE_IQ3_XXS};
  static_assert(sizeof types / sizeof *types == packedFormatsCount);
  const auto found = std::find(std::begin(types), std::end(types), type);
  return found == std::end(types) ? -1 : static_cast<int>(found - std::begin(types));
}

/**
 * Returns memory aligned to 64 bytes. Puts large matrices in huge pages if the system has them: a
 * lone row reads each weight once, and would miss the TLB at every small page.
 */
uint8_t* allocate(size_t bytes) {
  constexpr size_t hugePage = 2 * 1024 * 1024;
  const bool isLarge = bytes >= hugePage;
  void* memory = nullptr;
  if (posix_memalign(&memory, isLarge ? hugePage : 64, bytes) != 0) throw std::bad_alloc();
#if defined(__linux__)
  // Huge pages replace small pages only where they fit whole, so this needs no extra memory.
  if (isLarge) madvise(memory, bytes, MADV_HUGEPAGE);
#endif
  return static_cast<uint8_t*>(memory);
}

}  // namespace

void QuantizedRows::assign(const Kernels& kernels, int count, int columns,
                           const std::function<const float*(int row)>& rowAt) {
  count_ = count;
  blocks_ = columns / PackedMatrix::blockColumns;
  inputBlocks_.resize(blocksBefore(count));
  quants_.resize(32 * inputBlocks_.size());
  for (int row = 0; row < count; row++) {
    const int firstRow = row / Kernels::tileRows * Kernels::tileRows;
    const size_t at = blocksBefore(firstRow) + row - firstRow;
    kernels.quantizeRow(rowAt(row), blocks_, std::min(Kernels::tileRows, count - firstRow),
                        quants_.data() + 32 * at, inputBlocks_.data() + at);
  }
}

bool PackedMatrix::isOfType(ggml_type type) { return formatOf(type) >= 0; }

double PackedMatrix::sizeRatio(ggml_type type) {
  const PackedFormat& format = packedFormats[formatOf(type)];
  const int factors = factorsPerBlock(format.scaling);
  // Two bytes for each 16-bit float: one for a block, or one for each factor and 256 weights.
  const double scaleBytes = factors == 0 ? 2 : factors * (1 + 2.0 / 8);
  const double packedBytes = format.bits * blockColumns / 8.0 + scaleBytes;
  return packedBytes / static_cast<double>(ggml_row_size(type, 256)) * 256 / blockColumns;
}

bool PackedMatrix::canPack(const ggml_tensor& weights) {
  return isOfType(weights.type) && ggml_is_contiguous(&weights) && ggml_n_dims(&weights) <= 3;
}

PackedMatrix::PackedMatrix(const Kernels& kernels, const ggml_tensor& weights, int64_t head)
    : kernels_(kernels),
      type_(weights.type),
      format_(formatOf(type_)),
      outputs_(static_cast<int>(weights.ne[1])),
      blocks_(static_cast<int>(weights.ne[0] / blockColumns)),
      panels_((outputs_ + kernels.lanes - 1) / kernels.lanes) {
  const auto lanes = static_cast<size_t>(kernels.lanes);
  const PackedFormat& format = packedFormats[format_];
  quantBytes_ = lanes * blocks_ * format.bits * 4;
  const auto factors = static_cast<size_t>(factorsPerBlock(format.scaling));
  scaleBytes_ = lanes * blocks_ * (factors == 0 ? 2 : factors);
  scaleBytes_ += lanes * blocks_ / 8 * 2 * factors;
  const size_t bytes = (panels_ * quantBytes_ + 63) / 64 * 64;
  quants_.reset(allocate(bytes));
  std::memset(quants_.get(), 0, bytes);
  scales_.resize(panels_ * scaleBytes_);
  const uint8_t* const rows = static_cast<const uint8_t*>(weights.data) + head * weights.nb[2];
  for (int output = 0; output < outputs_; output++)
    packOutput(rows + output * weights.nb[1], output);
}

void PackedMatrix::packOutput(const void* row, int output) {
  const int bits = packedFormats[format_].bits;
  const int factors = factorsPerBlock(packedFormats[format_].scaling);
  const int lanes = kernels_.lanes, lane = output % lanes;
  const size_t panel = output / lanes;
  uint8_t* quants = quants_.get() + panel * quantBytes_ + 4 * lane;
  uint8_t* scales = scales_.data() + panel * scaleBytes_;
  const auto writeScale = [&](uint16_t scale) {
    std::memcpy(scales + 2 * lane, &scale, sizeof scale);
    scales += 2 * lanes;
  };
  float values[256];
  for (int block = 0; block < blocks_; block++) {
    const Weights weightBlock = readWeights(packedFormats[format_], type_, row, block, values);
    if (factors == 0) writeScale(weightBlock.scales[0]);
    for (int i = 0; i < factors && block % 8 == 0; i++) writeScale(weightBlock.scales[i]);
    for (int i = 0; i < factors; i++) {
      scales[lane] = static_cast<uint8_t>(weightBlock.factors[i]);
      scales += lanes;
    }
    uint32_t words[8];
    std::memcpy(words, weightBlock.quants, sizeof words);
    if (bits < 8) packWords(words, bits - 4);
    for (int index = 0; index < bits; index++) {
      std::memcpy(quants + 4 * lanes * index, words + index, 4);
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
