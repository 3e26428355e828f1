#pragma once

#include "ggml.h"
#include "kernels/kernels.h"

/**
 * Flash attention over a KV cache of 16-bit floats: softmax(scale · QKᵀ + mask) V in one pass
 * (https://arxiv.org/abs/2205.14135). The bits of a row depend on its own cells alone. In llama.cpp
 * they also depend on the other rows of the batch and on the number of threads
 * (docs/decisions/0005).
 */
class Attention {
 public:
  /** Returns true where the node has a type and shape that `compute` supports. */
  static bool canCompute(const ggml_tensor& node);
  Attention(const Kernels& kernels, float scale) : kernels_(kernels), scale_(scale) {}

  /** Computes one thread's share of a node that was a GGML_OP_FLASH_ATTN_EXT. */
  void compute(const ggml_tensor& node, int thread, int threads) const;

 private:
  const Kernels& kernels_;
  float scale_;
};
