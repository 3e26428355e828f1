#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "ggml.h"
#include "kernels.h"

/** Rows of numbers as the product takes them. A row's bits depend on that row alone. */
class QuantizedRows {
 public:
  /** `columns`: a multiple of 32. `stride`: floats from one row to the next. */
  void assign(const Kernels& kernels, const float* rows, int count, int columns, size_t stride);

  int count() const { return count_; }
  /**
   * Of the tile of rows that begins with this one: for each block in turn that of every row.
   */
  ProductInputs tile(int firstRow) const {
    const size_t at = blocksBefore(firstRow);
    return {quants_.data() + 32 * at, inputBlocks_.data() + at};
  }

 private:
  size_t blocksBefore(int row) const { return static_cast<size_t>(row) * blocks_; }

  int count_ = 0;
  int blocks_ = 0;
  std::vector<int8_t> quants_;
  std::vector<InputBlock> inputBlocks_;
};

/**
 * The weights of a matrix in the order in which VNNI multiplies them: as many outputs side by side as
 * a register has lanes, four weights of each. llama.cpp has such an order for Q4_0, but none for Q8_0
 * on x86 (ggml-cpu/repack.cpp, v0.5.0).
 */
class PackedMatrix {
 public:
  static constexpr int blockColumns = 32;

  static bool isOfType(ggml_type type);
  /** Whether the matrix is of a type and shape that is taken. */
  static bool canPack(const ggml_tensor& weights);
  /** A copy, of about the size of the weights, for these kernels alone. Throws std::bad_alloc. */
  PackedMatrix(const Kernels& kernels, const ggml_tensor& weights);

  int panels() const { return panels_; }
  /**
   * Writes the products of all `rows` with the outputs of some panels to `products`, whose rows are
   * `stride` floats apart. Each product is added up in one order, whatever else is computed.
   */
  void multiply(const QuantizedRows& rows, int firstPanel, int endPanel, float* products,
                size_t stride) const;

 private:
  struct Free {
    void operator()(uint8_t* memory) const;
  };

  void packOutput(const ggml_tensor& weights, int output);

  const Kernels& kernels_;
  ggml_type type_;
  int format_;
  int outputs_;
  int blocks_;
  int panels_;
  /** Of a panel, as are its scales'. */
  size_t quantBytes_;
  size_t scaleBytes_;
  std::unique_ptr<uint8_t[], Free> quants_;
  /**
   * For each output of a panel, block after block: a 16-bit float; or two whole numbers, and before
   * those of 256 columns two 16-bit floats. So they take what they take in the file, and one row is
   * multiplied as fast as memory gives the weights.
   */
  std::vector<uint8_t> scales_;
};
