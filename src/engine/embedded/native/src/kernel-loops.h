// The loops of a set of kernels, in terms of the few operations on registers that the including file
// defines: once for each set of instructions. No library is used here, because its functions would be
// compiled for those instructions, and the linker might take them for everybody.

namespace {

/** Of four weights of each output of a panel. */
constexpr int registerBytes = 4 * lanes;
/** Sums that are added to in turns, because each instruction of a sum waits for the one before. */
constexpr int rowsAtOnce = 4;
/** The cells of a block in groups, one cell to a lane. */
constexpr int groups = Kernels::blockCells / lanes;

void quantizeRow(const float* row, int blocks, int step, int8_t* quants, InputBlock* inputBlocks) {
  constexpr int parts = 32 / lanes;
  for (int block = 0; block < blocks; block++) {
    Floats inputs[parts];
    Floats sizes = zeroes();
    for (int part = 0; part < parts; part++) {
      inputs[part] = load(row + 32 * block + lanes * part);
      sizes = largerOf(sizes, sizeOf(inputs[part]));
    }
    const float most = largestOf(sizes);
    const Floats inverse = all(most > 0 ? 127.0f / most : 0.0f);
    const size_t at = static_cast<size_t>(block) * step;
    Integers sum = allIntegers(0);
    int32_t firstSum = 0;
    for (int part = 0; part < parts; part++) {
      if (part == parts / 2) firstSum = sumOfIntegers(sum);
      const Integers whole = toIntegers(multiply(inputs[part], inverse));
      storeBytes(quants + 32 * at + lanes * part, whole);
      sum = addIntegers(sum, whole);
    }
    InputBlock& input = inputBlocks[at];
    input.scale = most / 127.0f;
    input.sum = static_cast<int16_t>(sumOfIntegers(sum));
    input.firstSum = static_cast<int16_t>(firstSum);
    input.total = input.scale * static_cast<float>(input.sum);
  }
}

/**
 * A block of a panel: eight registers of bytes; or four of two halves each, and after them the higher
 * bits of all weights, those of eight or four of them in a byte.
 */
template <int bits>
PIPIT_INLINE void loadWeights(const uint8_t* quants, Integers* weights) {
  if constexpr (bits == 8) {
    for (int four = 0; four < 8; four++) weights[four] = loadBytes(quants + registerBytes * four);
  } else {
    for (int pair = 0; pair < 4; pair++) {
      const Integers both = loadBytes(quants + registerBytes * pair);
      weights[2 * pair] = lowHalves(both);
      weights[2 * pair + 1] = highHalves(both);
    }
    constexpr int higher = bits - 4;
    if constexpr (higher > 0) {
#pragma GCC unroll 8
      for (int four = 0; four < 8; four++) {
        const Integers bytes = loadBytes(quants + registerBytes * (4 + four * higher / 8));
        weights[four] = withHigherBits(weights[four], bytes, four * higher % 8, (1 << higher) - 1);
      }
    }
  }
}

/**
 * Weights are stored without a sign, as vpdpbusd takes them: too large by 128, by 8 where they have
 * four bits, and so on; the sums begin with what that adds, taken away.
 */
template <int format, int rowsCount>
void multiplyTile(const uint8_t* quants, const uint8_t* scales, int blocks, ProductInputs inputs,
                  int outputs, float* products, size_t stride) {
  constexpr int bits = packedFormats[format].bits;
  constexpr Scaling scaling = packedFormats[format].scaling;
  constexpr int zero = scaling == Scaling::withMinimum ? 0 : 1 << (bits - 1);
  constexpr int parts = scaling == Scaling::perHalf ? 2 : 1;
  Floats totals[rowsCount];
  for (Floats& total : totals) total = zeroes();
  Floats commonScales[2] = {zeroes(), zeroes()};
  for (int block = 0; block < blocks; block++) {
    Integers weights[8];
    loadWeights<bits>(quants, weights);
    Floats partScales[2];
    if constexpr (scaling == Scaling::perBlock) {
      partScales[0] = fromHalves(scales);
    } else {
      if (block % 8 == 0) {
        for (int i = 0; i < 2; i++) commonScales[i] = fromHalves(scales + 2 * lanes * i);
        scales += 4 * lanes;
      }
      for (int i = 0; i < 2; i++) {
        partScales[i] = multiply(commonScales[i], fromSignedBytes(scales + lanes * i));
      }
    }
    // Laid out in full, so that sums, and totals as far as they go, have registers.
#pragma GCC unroll 4
    for (int first = 0; first < rowsCount; first += rowsAtOnce) {
      const int end = first + rowsAtOnce < rowsCount ? first + rowsAtOnce : rowsCount;
#pragma GCC unroll 2
      for (int part = 0; part < parts; part++) {
        Integers sums[rowsAtOnce];
        for (int row = first; row < end; row++) {
          const InputBlock& input = inputs.blocks[row];
          const int32_t sum = parts == 1   ? input.sum
                              : part == 0 ? input.firstSum
                                          : input.sum - input.firstSum;
          sums[row - first] = allIntegers(sum * -zero);
        }
        for (int four = 8 / parts * part; four < 8 / parts * (part + 1); four++) {
          for (int row = first; row < end; row++) {
            int32_t input;
            __builtin_memcpy(&input, inputs.quants + 32 * row + 4 * four, sizeof input);
            sums[row - first] = addProducts(sums[row - first], weights[four], allIntegers(input));
          }
        }
        for (int row = first; row < end; row++) {
          const Floats factor = multiply(partScales[part], all(inputs.blocks[row].scale));
          totals[row] = multiplyAdd(toFloats(sums[row - first]), factor, totals[row]);
        }
      }
      if constexpr (scaling == Scaling::withMinimum) {
        for (int row = first; row < end; row++) {
          totals[row] = multiplyAdd(partScales[1], all(inputs.blocks[row].total), totals[row]);
        }
      }
    }
    quants += bits * registerBytes;
    scales += 2 * lanes;
    inputs.quants += 32 * rowsCount;
    inputs.blocks += rowsCount;
  }
  for (int row = 0; row < rowsCount; row++) {
    if (outputs == lanes) {
      store(products + row * stride, totals[row]);
    } else {
      storeFirst(products + row * stride, outputs, totals[row]);
    }
  }
}

void halvesToFloats(const char* cells, size_t stride, int width, float* floats) {
  for (int cell = 0; cell < Kernels::blockCells; cell++) {
    for (int column = 0; column < width; column += lanes) {
      storeAligned(floats + cell * width + column, fromHalves(cells + cell * stride + 2 * column));
    }
  }
}

/** e^x for x <= 0 to about 2e-7 relative, by the polynomial of Cephes; below -87 it is 0. */
PIPIT_INLINE Floats expOfNegative(Floats x) {
  const Floats least = all(-87.0f);
  const Floats clamped = largerOf(x, least);
  const Floats whole = rounded(multiply(clamped, all(1.44269504f)));
  Floats part = multiplyAdd(whole, all(-0.693359375f), clamped);
  part = multiplyAdd(whole, all(2.12194440e-4f), part);
  Floats power = all(1.9875691500e-4f);
  power = multiplyAdd(power, part, all(1.3981999507e-3f));
  power = multiplyAdd(power, part, all(8.3334519073e-3f));
  power = multiplyAdd(power, part, all(4.1665795894e-2f));
  power = multiplyAdd(power, part, all(1.6666665459e-1f));
  power = multiplyAdd(power, part, all(5.0000001201e-1f));
  power = add(multiplyAdd(multiply(power, part), part, part), all(1.0f));
  return scaledUnlessBelow(x, least, power, whole);
}

/** The scores of one query with a group of a block's cells, scaled; -inf where the mask says so. */
PIPIT_INLINE Floats scoresOf(const AttentionQuery& query, const AttentionBlock& block, int group,
                             Floats scale) {
  Floats sums[lanes];
  for (Floats& sum : sums) sum = zeroes();
  for (int column = 0; column < block.keyWidth; column += lanes) {
    const Floats input = load(query.input + column);
    for (int cell = 0; cell < lanes; cell++) {
      const float* const key = block.keys + (lanes * group + cell) * block.keyWidth + column;
      sums[cell] = multiplyAdd(loadAligned(key), input, sums[cell]);
    }
  }
  const uint16_t* const mask = query.mask + block.firstCell + lanes * group;
  return multiplyAdd(sumsOf(sums), scale, fromHalves(mask));
}

void addBlock(AttentionQuery& query, const AttentionBlock& block, float scale) {
  if (areMasked(query.mask + block.firstCell)) return;
  Floats scores[groups];
#pragma GCC unroll 4
  for (int group = 0; group < groups; group++) {
    scores[group] = scoresOf(query, block, group, all(scale));
  }
  Floats largest = scores[0];
  for (int group = 1; group < groups; group++) largest = largerOf(largest, scores[group]);
  const float most = largestOf(largest);
  const int width = block.valueWidth;
  float* const output = query.output;
  if (most > query.most) {
    const Floats shrink = expOfNegative(all(query.most - most));
    for (int column = 0; column < width; column += lanes) {
      storeAligned(output + column, multiply(loadAligned(output + column), shrink));
    }
    query.total *= firstOf(shrink);
    query.most = most;
  }
  const Floats highest = all(query.most);
  alignas(64) float weights[Kernels::blockCells];
  Floats total = zeroes();
  for (int group = 0; group < groups; group++) {
    const Floats some = expOfNegative(subtract(scores[group], highest));
    storeAligned(weights + lanes * group, some);
    total = add(total, some);
  }
  query.total += sumOf(total);
  // Four registers at a time, in two sums each, so that none waits for itself.
  int column = 0;
  for (; column + 4 * lanes <= width; column += 4 * lanes) {
    Floats even[4], odd[4];
    for (int part = 0; part < 4; part++) {
      even[part] = loadAligned(output + column + lanes * part);
      odd[part] = zeroes();
    }
    for (int cell = 0; cell < Kernels::blockCells; cell += 2) {
      const Floats evenWeight = all(weights[cell]);
      const Floats oddWeight = all(weights[cell + 1]);
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
      sum = multiplyAdd(all(weights[cell]), loadAligned(block.values + cell * width + column), sum);
    }
    storeAligned(output + column, sum);
  }
}

void writeOutput(const AttentionQuery& query, int width, float* to) {
  // A row that sees no cell at all is all zeroes.
  const Floats factor = all(query.total > 0 ? 1.0f / query.total : 0.0f);
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

Kernels kernelsNamed(const char* name) {
  Kernels kernels{};
  kernels.name = name;
  kernels.lanes = lanes;
  kernels.quantizeRow = quantizeRow;
  setProducts<0, 1, 2, 3, 4, 5>(kernels);
  kernels.toFloats = halvesToFloats;
  kernels.addBlock = addBlock;
  kernels.writeOutput = writeOutput;
  return kernels;
}

}  // namespace
