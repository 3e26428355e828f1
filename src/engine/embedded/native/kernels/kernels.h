#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

/** The running softmax of one row and head over the blocks of cells so far. */
struct AttentionQuery {
  const float* input;
  /** One 16-bit float for each cell: 0, or -inf where the row must not attend to it. */
  const uint16_t* mask;
  /** The weighted sum of values so far, not normalised; aligned to 64 bytes. */
  float* output;
  float maxScore;
  /** The sum of the weights, e^(score - maxScore). */
  float weightSum;
};

/** The keys and values of a block of cells, as floats aligned to 64 bytes. */
struct AttentionBlock {
  const float* keys;
  int keyWidth;
  const float* values;
  int valueWidth;
  int firstCell;
};

/** The scale and sums of 32 quantised inputs. Each is an integer (-127 to 127) times the scale. */
struct InputBlock {
  float scale;
  /** The sum of the integers. */
  int16_t sum;
  /** The sum of the first 16 integers. */
  int16_t firstHalfSum;
  /** The sum times the scale. */
  float scaledSum;
};

/** The quantised inputs of a GEMM, as QuantizedRows orders them. */
struct ProductInputs {
  const int8_t* quants;
  const InputBlock* blocks;
};

/** The scales of quantised weights, which come in blocks of 32. */
enum class Scaling {
  /** One 16-bit float for each block. */
  perBlock,
  /**
   * Two 16-bit floats for 256 weights, and two integers for each block. The first float times the
   * first integer is the block's scale. The second float times the second integer is the minimum,
   * which is added to each scaled weight.
   */
  withMinimum,
  /** One 16-bit float for 256 weights, times one integer for each half of a block. */
  perHalfBlock,
};

/**
 * A format of packed weights, which are unsigned integers. Their offset is half of their range, or
 * none in formats with a minimum.
 */
struct PackedFormat {
  int bits;
  Scaling scaling;
};

/** The formats of Q8_0, Q4_0, Q5_0, Q4_K, Q5_K and Q6_K. */
constexpr PackedFormat packedFormats[] = {
    {8, Scaling::perBlock},    {4, Scaling::perBlock},    {5, Scaling::perBlock},
    {4, Scaling::withMinimum}, {5, Scaling::withMinimum}, {6, Scaling::perHalfBlock},
};
constexpr int packedFormatsCount = sizeof packedFormats / sizeof *packedFormats;

/** The inner loops of GEMM and attention for one instruction set. */
struct Kernels {
  /** The most rows that one call of `multiply` takes. */
  static constexpr int tileRows = 16;
  /** Cells in one AttentionBlock. */
  static constexpr int blockCells = 32;

  const char* name;
  /** Floats in a register, which is also the number of outputs in a panel of packed weights. */
  int lanes;

  /** Quantises a row. Consecutive blocks of the row are `step` blocks apart in the output. */
  void (*quantizeRow)(const float* row, int blocks, int step, int8_t* quants, InputBlock* inputs);
  /** Multiplies one panel with a tile of rows, and stores the panel's first `outputs` columns. */
  using MultiplyTile = void (*)(const uint8_t* weights, const uint8_t* scales, int blocks,
                                ProductInputs inputs, int outputs, float* products, size_t stride);
  /** Indexed by format, and by the number of rows minus one. */
  MultiplyTile multiply[packedFormatsCount][tileRows];

  /** The most rows that one call of `multiplyFloats` takes. */
  static constexpr int floatRows = 4;
  /** Multiplies one output's weights, 32-bit floats, with the inputs of some rows. */
  using MultiplyFloats = void (*)(const float* weights, int columns, const float* const* inputs,
                                  float* const* products);
  /** Indexed by the number of rows minus one. */
  MultiplyFloats multiplyFloats[floatRows];

  /**
   * Converts a block of cells to 32-bit floats. The cells are `stride` bytes apart and have `width`
   * 16-bit floats each; `width` is a multiple of 16.
   */
  void (*halvesToFloats)(const char* cells, size_t stride, int width, float* floats);
  /** Adds a block of cells to the running softmax of a query. */
  void (*attendBlock)(AttentionQuery& query, const AttentionBlock& block, float scale);
  /** Normalises the output of a query. */
  void (*writeOutput)(const AttentionQuery& query, int width, float* to);
};

/** Returns the fastest kernels that this processor runs; null where it runs none. */
const Kernels* bestKernels();

/**
 * Returns the kernels with this name; null if there are none, or if this processor cannot run them.
 */
const Kernels* findKernels(const std::string& name);
