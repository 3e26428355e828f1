#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

/** Of one row and head, over the blocks of cells that were seen. */
struct AttentionQuery {
  const float* input;
  /** A 16-bit float for each cell: 0, or -inf where the row does not see it. */
  const uint16_t* mask;
  /** Aligned to 64 bytes. */
  float* output;
  float most;
  float total;
};

/** The keys and values of a block of cells, as floats aligned to 64 bytes. */
struct AttentionBlock {
  const float* keys;
  int keyWidth;
  const float* values;
  int valueWidth;
  int firstCell;
};

/** 32 inputs of a row: whole numbers from -127 to 127 times a scale. */
struct InputBlock {
  float scale;
  /** The sum of the whole numbers, and of the first 16 of them. */
  int16_t sum;
  int16_t firstSum;
  /** The sum times the scale. */
  float total;
};

/** Inputs of a product, as QuantizedRows has them. */
struct ProductInputs {
  const int8_t* quants;
  const InputBlock* blocks;
};

/** What the whole numbers of 32 weights are multiplied with. */
enum class Scaling {
  /** A 16-bit float. */
  perBlock,
  /**
   * For 256 weights a 16-bit float, and for 32 a whole number to multiply it with. What is then added
   * to each weight, the minimum, is the product of another two.
   */
  withMinimum,
  /** For 256 weights a 16-bit float, and for each 16 a whole number to multiply it with. */
  perHalf,
};

/**
 * How weights are packed: as numbers without a sign, of which the middle one is zero, but where a
 * minimum is added to each.
 */
struct PackedFormat {
  int bits;
  Scaling scaling;
};

/** Those of Q8_0, Q4_0, Q5_0, Q4_K, Q5_K and Q6_K. */
constexpr PackedFormat packedFormats[] = {
    {8, Scaling::perBlock},    {4, Scaling::perBlock},    {5, Scaling::perBlock},
    {4, Scaling::withMinimum}, {5, Scaling::withMinimum}, {6, Scaling::perHalf},
};
constexpr int packedFormatsCount = sizeof packedFormats / sizeof *packedFormats;

/** The inner loops of products and attention, for one set of instructions. */
struct Kernels {
  /** Rows that one call multiplies at most. */
  static constexpr int tileRows = 16;
  /** Cells are attended to so many at a time. */
  static constexpr int blockCells = 32;

  const char* name;
  /** Floats in a register: so many outputs of a packed matrix stand side by side. */
  int lanes;

  /** Every `step`-th block of what it writes is this row's. */
  void (*quantizeRow)(const float* row, int blocks, int step, int8_t* quants,
                      InputBlock* inputs);
  /** The first `outputs` of a panel, for one row more than the index says. */
  using MultiplyTile = void (*)(const uint8_t* weights, const uint8_t* scales, int blocks,
                                ProductInputs inputs, int outputs, float* products, size_t stride);
  MultiplyTile multiply[packedFormatsCount][tileRows];

  /** A block of cells of 16-bit floats, `stride` bytes apart, as floats. Widths are multiples of 16. */
  void (*toFloats)(const char* cells, size_t stride, int width, float* floats);
  void (*addBlock)(AttentionQuery& query, const AttentionBlock& block, float scale);
  void (*writeOutput)(const AttentionQuery& query, int width, float* to);
};

/** Those of a name that this processor can run, the best of all where it is empty; null if there are none. */
const Kernels* findKernels(const std::string& name);
