#pragma once

#include "ggml.h"
#include "kernels.h"

/**
 * Attention over a KV cache of 16-bit floats: softmax(scale · QKᵀ + mask) V, computed in one pass
 * (https://arxiv.org/abs/2205.14135). A row's bits depend on its own cells alone: not on the rows
 * beside it, nor on the number of threads. In llama.cpp they depend on both: docs/decisions/0005.
 */
class Attention {
 public:
  /** Whether the node is of a shape that is taken. */
  static bool canCompute(const ggml_tensor& node);
  Attention(const Kernels& kernels, float scale) : kernels_(kernels), scale_(scale) {}

  /** One thread's part of a node that was a GGML_OP_FLASH_ATTN_EXT. */
  void compute(const ggml_tensor& node, int thread, int threads) const;

 private:
  const Kernels& kernels_;
  float scale_;
};
