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

/** Inputs of a product, as QuantizedRows has them. */
struct ProductInputs {
  const int8_t* quants;
  const float* scales;
  const int32_t* sums;
};

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
  void (*quantizeRow)(const float* row, int blocks, int step, int8_t* quants, float* scales,
                      int32_t* sums);
  /** The first `outputs` of a panel, for one row more than the index says. */
  using MultiplyTile = void (*)(const uint8_t* weights, const uint16_t* scales, int blocks,
                                ProductInputs inputs, int outputs, float* products, size_t stride);
  MultiplyTile multiplyQ8[tileRows];
  MultiplyTile multiplyQ4[tileRows];

  /** A block of cells of 16-bit floats, `stride` bytes apart, as floats. Widths are multiples of 16. */
  void (*toFloats)(const char* cells, size_t stride, int width, float* floats);
  void (*addBlock)(AttentionQuery& query, const AttentionBlock& block, float scale);
  void (*writeOutput)(const AttentionQuery& query, int width, float* to);
};

/** The best that this processor can run, or those of a name; null if there are none. */
const Kernels* findKernels(const std::string& name = "");
