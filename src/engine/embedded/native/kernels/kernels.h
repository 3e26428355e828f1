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
  /** One 16-bit float for 256 weights, times one integer for each block. */
  integerPerBlock,
  /**
   * Two 16-bit floats for 256 weights, and two integers for each block. The first float times the
   * first integer is the block's scale. The second float times the second integer is the minimum,
   * which is added to each scaled weight.
   */
  withMinimum,
  /** One 16-bit float for 256 weights, times one integer for each half of a block. */
  perHalfBlock,
};

/** The number of integers that scale each block; 0 where its scale is a 16-bit float. */
constexpr int factorsPerBlock(Scaling scaling) {
  if (scaling == Scaling::perBlock) return 0;
  return scaling == Scaling::integerPerBlock ? 1 : 2;
}

/** The values of sixteen indices plus 128: those of IQ4_NL and IQ4_XS, of IQ3_S, and of IQ3_XXS. */
alignas(16) constexpr uint8_t codebooks[3][16] = {
    {1, 24, 45, 63, 79, 93, 106, 118, 129, 141, 153, 166, 181, 197, 217, 241},
    {113, 115, 117, 119, 121, 123, 125, 127, 129, 131, 133, 135, 137, 139, 141, 143},
    {66, 76, 84, 92, 100, 108, 116, 124, 132, 140, 148, 156, 164, 172, 180, 190},
};

/**
 * A format of packed weights, which are unsigned integers: indices of a codebook, or weights with an
 * offset. The offset is half of the range, or none in formats with a minimum.
 */
struct PackedFormat {
  int bits;
  Scaling scaling;
  /** The codebook of integers that are indices; -1 for integers that are the weights. */
  int codebook = -1;
  /** Multiplies the 16-bit floats of integerPerBlock. */
  float scaleUnit = 1;
};

/**
 * The formats of Q8_0, Q4_0, Q5_0, Q4_K, Q5_K, Q6_K, IQ4_NL, IQ4_XS, Q3_K, IQ3_S and IQ3_XXS. The
 * last three get four bits, so that the same loops multiply them.
 */
constexpr PackedFormat packedFormats[] = {
    {8, Scaling::perBlock},
    {4, Scaling::perBlock},
    {5, Scaling::perBlock},
    {4, Scaling::withMinimum},
    {5, Scaling::withMinimum},
    {6, Scaling::perHalfBlock},
    {4, Scaling::perBlock, 0},
    {4, Scaling::integerPerBlock, 0},
    {4, Scaling::perHalfBlock},
    {4, Scaling::integerPerBlock, 1},
    {4, Scaling::integerPerBlock, 2, 0.25f},
};
constexpr int packedFormatsCount = sizeof packedFormats / sizeof *packedFormats;

/** The formats of weights that are floats: 32 bits, 16 bits (IEEE 754 binary16), bfloat16. */
enum class FloatFormat { single, half, bfloat };
constexpr int floatFormatsCount = 3;

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
  /** Outputs that one call of `multiplyFloats` takes, always all of them. */
  int floatOutputs;
  /**
   * Multiplies weights that are floats with the inputs of some rows. The weights of consecutive outputs
   * are `stride` bytes apart; each row's products are consecutive.
   */
  using MultiplyFloats = void (*)(const void* weights, size_t stride, int columns,
                                  const float* const* inputs, float* const* products);
  /** Indexed by the format of the weights, and by the number of rows minus one. */
  MultiplyFloats multiplyFloats[floatFormatsCount][floatRows];
  /** The same for one output. */
  MultiplyFloats multiplyOneFloat[floatFormatsCount][floatRows];

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
