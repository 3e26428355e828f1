#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "ggml.h"
#include "kernels/kernels.h"

/** The input rows of a GEMM, quantised. The bits of a row depend on that row alone. */
class QuantizedRows {
 public:
  /** `columns` must be a multiple of 32. */
  void assign(const Kernels& kernels, int count, int columns,
              const std::function<const float*(int row)>& rowAt);

  int count() const { return count_; }
  /**
   * Returns the tile that begins at a row: the first block of each of its rows, then the second
   * block of each, and so on.
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
 * A weight matrix packed for our kernels: panels of as many outputs as a register has lanes, with
 * four consecutive weights of each output side by side. llama.cpp v0.5.0 packs Q4_0 in the same
 * way, but not Q8_0 on x86 (ggml-cpu/repack.cpp).
 */
class PackedMatrix {
 public:
  static constexpr int blockColumns = 32;

  static bool isOfType(ggml_type type);
  /** Returns the size of packed weights of a type that is packed, divided by their size in a file. */
  static double sizeRatio(ggml_type type);
  /** Returns true where the matrix, or each of its heads, has a type and shape that can be packed. */
  static bool canPack(const ggml_tensor& weights);
  /**
   * Copies the weights into the layout of these kernels, which needs about the same memory, or a
   * quarter to two fifths more for types of three bits. `head` is an index of the third dimension.
   * Throws std::bad_alloc.
   */
  PackedMatrix(const Kernels& kernels, const ggml_tensor& weights, int64_t head = 0);

  int panels() const { return panels_; }
  /**
   * Multiplies all rows with some panels. Rows of `products` are `stride` floats apart. The order
   * in which a product is summed does not depend on the other rows, the panels or the threads.
   */
  void multiply(const QuantizedRows& rows, int firstPanel, int endPanel, float* products,
                size_t stride) const;

 private:
  struct Free {
    void operator()(uint8_t* memory) const;
  };

  void packOutput(const void* row, int output);

  const Kernels& kernels_;
  ggml_type type_;
  /** An index of `packedFormats`. */
  int format_;
  int outputs_;
  int blocks_;
  int panels_;
  /** The size of one panel in `quants_`. */
  size_t quantBytes_;
  /** The size of one panel in `scales_`. */
  size_t scaleBytes_;
  std::unique_ptr<uint8_t[], Free> quants_;
  /**
   * The scales of each panel, block by block. With one scale per block, every output has one 16-bit
   * float for each block. In other formats it has one or two integers for each block, and as many
   * 16-bit floats before each group of 256 columns. This takes about as little space as in the file,
   * because memory bandwidth limits how fast a lone row is multiplied.
   */
  std::vector<uint8_t> scales_;
};
