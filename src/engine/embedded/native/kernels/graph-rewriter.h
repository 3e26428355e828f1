#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>

#include "ggml-backend.h"
#include "kernels/attention.h"
#include "kernels/packed-matrix.h"

/**
 * Replaces nodes of llama.cpp's graphs with custom operations that run our kernels. llama.cpp
 * passes every node to `onNode` before it computes a graph; ggml runs custom operations on its
 * threads like any other.
 */
class GraphRewriter {
 public:
  explicit GraphRewriter(const Kernels& kernels) : kernels_(kernels) {}
  GraphRewriter(const GraphRewriter&) = delete;
  GraphRewriter& operator=(const GraphRewriter&) = delete;

  /** Returns true where our kernels pack every matrix of the file that llama.cpp would repack. */
  static bool packsAllOf(const char* modelPath);
  /** The ggml_backend_sched_eval_callback; `self` is this object. */
  static bool onNode(ggml_tensor* node, bool isAsked, void* self);

  const char* kernelsName() const { return kernels_.name; }
  /** Returns true where llama.cpp computed an attention node so far. */
  bool leftAttention() const { return leftAttention_; }

 private:
  /** The parameters of a custom node. Their layout is internal to ggml, so ggml writes them. */
  class CustomOperation {
   public:
    CustomOperation(ggml_custom_op_t compute, void* data);
    void replace(ggml_tensor& node) const;

   private:
    int32_t params_[GGML_MAX_OP_PARAMS / sizeof(int32_t)];
  };
  struct ProductOperation {
    ProductOperation(const GraphRewriter& rewriter, const ggml_tensor& weights)
        : rewriter(rewriter), matrix(rewriter.kernels_, weights), operation(compute, this) {}
    static void compute(ggml_tensor* node, int thread, int threads, void* data);
    const GraphRewriter& rewriter;
    const PackedMatrix matrix;
    const CustomOperation operation;
  };
  struct AttentionOperation {
    AttentionOperation(const Kernels& kernels, float scale)
        : attention(kernels, scale), operation(compute, this) {}
    static void compute(ggml_tensor* node, int thread, int threads, void* data);
    const Attention attention;
    const CustomOperation operation;
  };

  void rewrite(ggml_tensor& node);
  void rewriteProduct(ggml_tensor& node);
  void rewriteAttention(ggml_tensor& node);

  const Kernels& kernels_;
  /**
   * The number of nodes so far. It differs between graphs and is constant while one is computed.
   */
  uint64_t nodes_ = 0;
  bool leftAttention_ = false;
  /** Keyed by the weights' tensors, which live as long as the model. */
  std::unordered_map<const ggml_tensor*, std::unique_ptr<ProductOperation>> products_;
  /** Keyed by scale. */
  std::map<float, std::unique_ptr<AttentionOperation>> attentions_;
};
