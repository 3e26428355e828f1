#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>

#include "attention.h"
#include "ggml-backend.h"
#include "packed-matrix.h"

/**
 * Puts our own operations into llama.cpp's graphs. Every node is shown to `onNode` before a graph is
 * computed; what can be done better becomes a custom operation, which ggml runs on its own threads
 * like any other.
 */
class GraphRewriter {
 public:
  explicit GraphRewriter(const Kernels& kernels) : kernels_(kernels) {}
  GraphRewriter(const GraphRewriter&) = delete;
  GraphRewriter& operator=(const GraphRewriter&) = delete;

  /**
   * Whether llama.cpp should leave the file's weights in their own order, because all that it would
   * reorder is packed here.
   */
  static bool packsAllOf(const char* modelPath);
  /** A ggml_backend_sched_eval_callback, with this object as its data. */
  static bool onNode(ggml_tensor* node, bool isAsked, void* self);

  const char* kernelsName() const { return kernels_.name; }
  /** Whether some attention of the graphs so far was left to llama.cpp. */
  bool hasForeignAttention() const { return hasForeignAttention_; }

 private:
  /** The parameters of a custom node: ggml's own affair, so ggml writes them. */
  class Operation {
   public:
    Operation(ggml_custom_op_t compute, void* data);
    void putInto(ggml_tensor& node) const;

   private:
    int32_t params_[GGML_MAX_OP_PARAMS / sizeof(int32_t)];
  };
  struct Product {
    Product(const GraphRewriter& rewriter, const ggml_tensor& weights)
        : rewriter(rewriter), matrix(rewriter.kernels_, weights), operation(compute, this) {}
    static void compute(ggml_tensor* node, int thread, int threads, void* product);
    const GraphRewriter& rewriter;
    const PackedMatrix matrix;
    const Operation operation;
  };
  struct Attending {
    Attending(const Kernels& kernels, float scale)
        : attention(kernels, scale), operation(compute, this) {}
    static void compute(ggml_tensor* node, int thread, int threads, void* attending);
    const Attention attention;
    const Operation operation;
  };

  void rewrite(ggml_tensor& node);
  void rewriteProduct(ggml_tensor& node);
  void rewriteAttention(ggml_tensor& node);

  const Kernels& kernels_;
  /** Seen so far: changes from graph to graph, and not while one is computed. */
  uint64_t nodes_ = 0;
  bool hasForeignAttention_ = false;
  /** By the weights' tensors, which live as long as the model. */
  std::unordered_map<const ggml_tensor*, std::unique_ptr<Product>> products_;
  /** By their scale. */
  std::map<float, std::unique_ptr<Attending>> attentions_;
};
