// The products of weights that are floats. Included by kernel-loops.h, whose rules hold here.

namespace {

/** Outputs whose sums with four rows stay in registers. */
constexpr int floatOutputs = lanes == 16 ? 4 : 2;

/** Loads consecutive weights as 32-bit floats. */
template <FloatFormat format>
PIPIT_INLINE Floats loadFloats(const void* weights, int column) {
  if constexpr (format == FloatFormat::single) {
    return load(static_cast<const float*>(weights) + column);
  } else {
    const uint16_t* const from = static_cast<const uint16_t*>(weights) + column;
    return format == FloatFormat::half ? loadHalves(from) : loadBfloats(from);
  }
}

/** Returns one weight as a 32-bit float, without reading beyond it. */
template <FloatFormat format>
PIPIT_INLINE float floatAt(const void* weights, int column) {
  if constexpr (format == FloatFormat::single) {
    return static_cast<const float*>(weights)[column];
  } else {
    uint16_t padded[lanes] = {static_cast<const uint16_t*>(weights)[column]};
    return firstLane(loadFloats<format>(padded, 0));
  }
}

/**
 * Multiplies the weights of some outputs with some rows. Each product is one sum from the first column
 * to the last, so it does not depend on the other outputs and rows.
 */
template <FloatFormat format, int outputsCount, int rowsCount>
void multiplyFloats(const void* weights, size_t stride, int columns, const float* const* inputs,
                    float* const* products) {
  const char* outputs[outputsCount];
  for (int output = 0; output < outputsCount; output++) {
    outputs[output] = static_cast<const char*>(weights) + output * stride;
  }
  Floats sums[rowsCount][outputsCount];
  for (int row = 0; row < rowsCount; row++) {
    for (Floats& sum : sums[row]) sum = zero();
  }
  constexpr int bytes = format == FloatFormat::single ? 4 : 2;
  int column = 0;
  for (; column + lanes <= columns; column += lanes) {
    Floats own[outputsCount];
    for (int output = 0; output < outputsCount; output++) {
      own[output] = loadFloats<format>(outputs[output], column);
      // The next outputs' weights. The processor itself prefetches several streams at once less well.
      if constexpr (outputsCount > 1) {
        __builtin_prefetch(outputs[output] + outputsCount * stride + column * bytes);
      }
    }
    for (int row = 0; row < rowsCount; row++) {
      const Floats input = load(inputs[row] + column);
      for (int output = 0; output < outputsCount; output++) {
        sums[row][output] = multiplyAdd(own[output], input, sums[row][output]);
      }
    }
  }
  for (int row = 0; row < rowsCount; row++) {
    for (int output = 0; output < outputsCount; output++) {
      float sum = horizontalSum(sums[row][output]);
      for (int rest = column; rest < columns; rest++) {
        sum += floatAt<format>(outputs[output], rest) * inputs[row][rest];
      }
      products[row][output] = sum;
    }
  }
}

template <FloatFormat format, int... rowsBefore>
constexpr void setFloatTiles(Kernels& kernels) {
  static_assert(sizeof...(rowsBefore) == Kernels::floatRows);
  constexpr int index = static_cast<int>(format);
  ((kernels.multiplyFloats[index][rowsBefore] =
        multiplyFloats<format, floatOutputs, rowsBefore + 1>),
   ...);
  ((kernels.multiplyOneFloat[index][rowsBefore] = multiplyFloats<format, 1, rowsBefore + 1>), ...);
}

template <FloatFormat format>
constexpr void setFloatProducts(Kernels& kernels) {
  kernels.floatOutputs = floatOutputs;
  setFloatTiles<format, 0, 1, 2, 3>(kernels);
}

}  // namespace
