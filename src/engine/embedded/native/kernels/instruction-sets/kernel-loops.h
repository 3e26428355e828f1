// The loops of the kernels, written with the register operations that the including file defines
// for its instruction set. Call no library functions here: inline ones would be compiled for that
// instruction set, and the linker might keep that copy for the whole addon.

#include "kernels/instruction-sets/float-products.h"

namespace {

/** One register holds four weights of each output of a panel. */
constexpr int registerBytes = 4 * lanes;
/** Rows whose sums are interleaved, because each instruction of a sum waits for the one before. */
constexpr int rowsAtOnce = 4;
/** Groups of cells in a block, with one lane for each cell. */
constexpr int groups = Kernels::blockCells / lanes;

void quantizeRow(const float* row, int blocks, int step, int8_t* quants, InputBlock* inputBlocks) {
  constexpr int parts = 32 / lanes;
  for (int block = 0; block < blocks; block++) {
    Floats inputs[parts];
    Floats sizes = zero();
    for (int part = 0; part < parts; part++) {
      inputs[part] = load(row + 32 * block + lanes * part);
      sizes = maximum(sizes, absolute(inputs[part]));
    }
    const float largest = horizontalMax(sizes);
    const Floats inverse = broadcast(largest > 0 ? 127.0f / largest : 0.0f);
    const size_t at = static_cast<size_t>(block) * step;
    Integers sum = broadcastInteger(0);
    int32_t firstHalfSum = 0;
    for (int part = 0; part < parts; part++) {
      if (part == parts / 2) firstHalfSum = horizontalSumOfIntegers(sum);
      // NaN, and the quotient of two subnormal floats, become the least integer of 32 bits.
      const Integers integers =
          largerIntegers(roundToIntegers(multiply(inputs[part], inverse)), broadcastInteger(-127));
      storeBytes(quants + 32 * at + lanes * part, integers);
      sum = addIntegers(sum, integers);
    }
    InputBlock& input = inputBlocks[at];
    input.scale = largest / 127.0f;
    input.sum = static_cast<int16_t>(horizontalSumOfIntegers(sum));
    input.firstHalfSum = static_cast<int16_t>(firstHalfSum);
    input.scaledSum = input.scale * static_cast<float>(input.sum);
  }
}

/**
 * Loads one block of a panel into eight registers of bytes. Weights of fewer than eight bits are
 * stored as four registers of nibbles, followed by the higher bits. With five bits per weight, one
 * byte holds the higher bits of eight weights; with six, those of four weights. Indices of a codebook
 * are replaced by its values.
 */
template <int format>
PIPIT_INLINE void loadWeights(const uint8_t* quants, Integers* weights) {
  constexpr int bits = packedFormats[format].bits;
  if constexpr (bits == 8) {
    for (int word = 0; word < 8; word++) weights[word] = loadBytes(quants + registerBytes * word);
  } else {
    for (int pair = 0; pair < 4; pair++) {
      const Integers both = loadBytes(quants + registerBytes * pair);
      weights[2 * pair] = lowNibbles(both);
      weights[2 * pair + 1] = highNibbles(both);
    }
    constexpr int highBits = bits - 4;
    if constexpr (highBits > 0) {
#pragma GCC unroll 8
      for (int word = 0; word < 8; word++) {
        const Integers bytes = loadBytes(quants + registerBytes * (4 + word * highBits / 8));
        weights[word] =
            insertHighBits(weights[word], bytes, word * highBits % 8, (1 << highBits) - 1);
      }
    }
  }
  constexpr int codebook = packedFormats[format].codebook;
  if constexpr (codebook >= 0) {
    for (int word = 0; word < 8; word++) {
      weights[word] = lookUp(codebooks[codebook], weights[word]);
    }
  }
}

/** Stores the first `outputs` columns of each row. */
PIPIT_INLINE void storeRows(const Floats* totals, int rowsCount, int outputs, float* products,
                            size_t stride) {
  for (int row = 0; row < rowsCount; row++) {
    if (outputs == lanes) {
      store(products + row * stride, totals[row]);
    } else {
      storeFirst(products + row * stride, outputs, totals[row]);
    }
  }
}

/** Adds to each row's sums the products of some words of weights and the same words of the row. */
template <int bits, int words>
PIPIT_INLINE void addWords(const Integers* weights, const int8_t* quants, int rows,
                           Integers* sums) {
  constexpr int step = wordsAtOnce<bits> < words ? wordsAtOnce<bits> : words;
  static_assert(words % step == 0);
  for (int word = 0; word < words; word += step) {
    for (int row = 0; row < rows; row++) {
      Integers inputs[step];
      for (int i = 0; i < step; i++) {
        int32_t input;
        __builtin_memcpy(&input, quants + 32 * row + 4 * (word + i), sizeof input);
        inputs[i] = broadcastInteger(input);
      }
      sums[row] = addDots<bits, step>(sums[row], weights + word, inputs);
    }
  }
}

/**
 * Multiplies one panel with some rows. The instructions take unsigned weights, so they are stored
 * with an offset (128 for eight bits, 8 for four bits …); each sum starts with the negative of what
 * the offset adds. Integers are summed exactly, so instruction sets with the same `lanes` give the
 * same bits.
 */
template <int format, int rowsCount>
void multiplyTile(const uint8_t* quants, const uint8_t* scales, int blocks, ProductInputs inputs,
                  int outputs, float* products, size_t stride) {
  constexpr int storedBits = packedFormats[format].bits;
  // Those of the integers that are multiplied: values of a codebook have eight.
  constexpr int bits = packedFormats[format].codebook < 0 ? storedBits : 8;
  constexpr Scaling scaling = packedFormats[format].scaling;
  constexpr int factors = factorsPerBlock(scaling);
  constexpr int bitsOffset = bits == 8 ? byteOffset : 1 << (bits - 1);
  constexpr int offset = scaling == Scaling::withMinimum ? 0 : bitsOffset;
  constexpr int parts = scaling == Scaling::perHalfBlock ? 2 : 1;
  Floats totals[rowsCount];
  for (Floats& total : totals) total = zero();
  Floats commonScales[2] = {zero(), zero()};
  for (int block = 0; block < blocks; block++) {
    Integers weights[8];
    loadWeights<format>(quants, weights);
    Floats partScales[2];
    if constexpr (scaling == Scaling::perBlock) {
      partScales[0] = loadHalves(scales);
    } else {
      if (block % 8 == 0) {
        for (int i = 0; i < factors; i++) {
          commonScales[i] = loadHalves(scales + 2 * lanes * i);
          constexpr float unit = packedFormats[format].scaleUnit;
          if constexpr (unit != 1) commonScales[i] = multiply(commonScales[i], broadcast(unit));
        }
        scales += 2 * factors * lanes;
      }
      for (int i = 0; i < factors; i++) {
        partScales[i] = multiply(commonScales[i], loadSignedBytes(scales + lanes * i));
      }
    }
    // Unrolled, so that the sums, and as many totals as possible, stay in registers.
#pragma GCC unroll 4
    for (int first = 0; first < rowsCount; first += rowsAtOnce) {
      const int end = first + rowsAtOnce < rowsCount ? first + rowsAtOnce : rowsCount;
#pragma GCC unroll 2
      for (int part = 0; part < parts; part++) {
        Integers sums[rowsAtOnce];
        for (int row = first; row < end; row++) {
          const InputBlock& input = inputs.blocks[row];
          const int32_t halfSum = part == 0 ? input.firstHalfSum : input.sum - input.firstHalfSum;
          sums[row - first] = broadcastInteger((parts == 1 ? input.sum : halfSum) * -offset);
        }
        constexpr int words = 8 / parts;
        addWords<bits, words>(weights + words * part, inputs.quants + 32 * first + 4 * words * part,
                              end - first, sums);
        for (int row = first; row < end; row++) {
          const Floats factor = multiply(partScales[part], broadcast(inputs.blocks[row].scale));
          totals[row] = multiplyAdd(toFloats(sums[row - first]), factor, totals[row]);
        }
      }
      if constexpr (scaling == Scaling::withMinimum) {
        for (int row = first; row < end; row++) {
          totals[row] =
              multiplyAdd(partScales[1], broadcast(inputs.blocks[row].scaledSum), totals[row]);
        }
      }
    }
    quants += storedBits * registerBytes;
    scales += (factors == 0 ? 2 : factors) * lanes;
    inputs.quants += 32 * rowsCount;
    inputs.blocks += rowsCount;
  }
  storeRows(totals, rowsCount, outputs, products, stride);
}

void halvesToFloats(const char* cells, size_t stride, int width, float* floats) {
  for (int cell = 0; cell < Kernels::blockCells; cell++) {
    for (int column = 0; column < width; column += lanes) {
      storeAligned(floats + cell * width + column, loadHalves(cells + cell * stride + 2 * column));
    }
  }
}

/**
 * Returns e^x for x <= 0 with a relative error of about 2e-7, by Cephes' polynomial; 0 below -87.
 */
PIPIT_INLINE Floats expOfNegative(Floats x) {
  const Floats least = broadcast(-87.0f);
  const Floats clamped = maximum(x, least);
  const Floats whole = roundToNearest(multiply(clamped, broadcast(1.44269504f)));
  Floats part = multiplyAdd(whole, broadcast(-0.693359375f), clamped);
  part = multiplyAdd(whole, broadcast(2.12194440e-4f), part);
  Floats power = broadcast(1.9875691500e-4f);
  power = multiplyAdd(power, part, broadcast(1.3981999507e-3f));
  power = multiplyAdd(power, part, broadcast(8.3334519073e-3f));
  power = multiplyAdd(power, part, broadcast(4.1665795894e-2f));
  power = multiplyAdd(power, part, broadcast(1.6666665459e-1f));
  power = multiplyAdd(power, part, broadcast(5.0000001201e-1f));
  power = add(multiplyAdd(multiply(power, part), part, part), broadcast(1.0f));
  return scaleUnlessBelow(x, least, power, whole);
}

/** Returns the scaled scores of one query for a group of cells; -inf for masked cells. */
PIPIT_INLINE Floats groupScores(const AttentionQuery& query, const AttentionBlock& block, int group,
                                Floats scale) {
  Floats sums[lanes];
  for (Floats& sum : sums) sum = zero();
  for (int column = 0; column < block.keyWidth; column += lanes) {
    const Floats input = load(query.input + column);
    for (int cell = 0; cell < lanes; cell++) {
      const float* const key = block.keys + (lanes * group + cell) * block.keyWidth + column;
      sums[cell] = multiplyAdd(loadAligned(key), input, sums[cell]);
    }
  }
  const uint16_t* const mask = query.mask + block.firstCell + lanes * group;
  return multiplyAdd(horizontalSums(sums), scale, loadHalves(mask));
}

void attendBlock(AttentionQuery& query, const AttentionBlock& block, float scale) {
  if (areAllMasked(query.mask + block.firstCell)) return;
  Floats scores[groups];
#pragma GCC unroll 4
  for (int group = 0; group < groups; group++) {
    scores[group] = groupScores(query, block, group, broadcast(scale));
  }
  Floats largest = scores[0];
  for (int group = 1; group < groups; group++) largest = maximum(largest, scores[group]);
  const float blockMax = horizontalMax(largest);
  const int width = block.valueWidth;
  float* const output = query.output;
  if (blockMax > query.maxScore) {
    const Floats shrink = expOfNegative(broadcast(query.maxScore - blockMax));
    for (int column = 0; column < width; column += lanes) {
      storeAligned(output + column, multiply(loadAligned(output + column), shrink));
    }
    query.weightSum *= firstLane(shrink);
    query.maxScore = blockMax;
  }
  const Floats maxScore = broadcast(query.maxScore);
  alignas(64) float weights[Kernels::blockCells];
  Floats total = zero();
  for (int group = 0; group < groups; group++) {
    const Floats groupWeights = expOfNegative(subtract(scores[group], maxScore));
    storeAligned(weights + lanes * group, groupWeights);
    total = add(total, groupWeights);
  }
  query.weightSum += horizontalSum(total);
  // Four registers at a time with two sums each, so that no addition waits for the one before.
  int column = 0;
  for (; column + 4 * lanes <= width; column += 4 * lanes) {
    Floats even[4], odd[4];
    for (int part = 0; part < 4; part++) {
      even[part] = loadAligned(output + column + lanes * part);
      odd[part] = zero();
    }
    for (int cell = 0; cell < Kernels::blockCells; cell += 2) {
      const Floats evenWeight = broadcast(weights[cell]);
      const Floats oddWeight = broadcast(weights[cell + 1]);
      const float* const value = block.values + cell * width + column;
      for (int part = 0; part < 4; part++) {
        even[part] = multiplyAdd(evenWeight, loadAligned(value + lanes * part), even[part]);
        odd[part] = multiplyAdd(oddWeight, loadAligned(value + width + lanes * part), odd[part]);
      }
    }
    for (int part = 0; part < 4; part++) {
      storeAligned(output + column + lanes * part, add(even[part], odd[part]));
    }
  }
  for (; column < width; column += lanes) {
    Floats sum = loadAligned(output + column);
    for (int cell = 0; cell < Kernels::blockCells; cell++) {
      sum = multiplyAdd(broadcast(weights[cell]), loadAligned(block.values + cell * width + column),
                        sum);
    }
    storeAligned(output + column, sum);
  }
}

void writeOutput(const AttentionQuery& query, int width, float* to) {
  // A row that attends to no cell gets zeroes.
  const Floats factor = broadcast(query.weightSum > 0 ? 1.0f / query.weightSum : 0.0f);
  for (int column = 0; column < width; column += lanes) {
    store(to + column, multiply(loadAligned(query.output + column), factor));
  }
}

template <int format, int... rowsBefore>
constexpr void setTiles(Kernels& kernels) {
  ((kernels.multiply[format][rowsBefore] = multiplyTile<format, rowsBefore + 1>), ...);
}

template <int... formats>
constexpr void setProducts(Kernels& kernels) {
  static_assert(sizeof...(formats) == packedFormatsCount);
  (setTiles<formats, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15>(kernels), ...);
}

Kernels makeKernels(const char* name) {
  Kernels kernels{};
  kernels.name = name;
  kernels.lanes = lanes;
  kernels.quantizeRow = quantizeRow;
  setProducts<0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10>(kernels);
  setFloatProducts<FloatFormat::single>(kernels);
  setFloatProducts<FloatFormat::half>(kernels);
  setFloatProducts<FloatFormat::bfloat>(kernels);
  kernels.halvesToFloats = halvesToFloats;
  kernels.attendBlock = attendBlock;
  kernels.writeOutput = writeOutput;
  return kernels;
}

}  // namespace
