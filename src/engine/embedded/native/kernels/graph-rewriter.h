#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

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
  explicit GraphRewriter(const Kernels& kernels) : kernels_(kernels), floatProduct_(kernels) {}
  GraphRewriter(const GraphRewriter&) = delete;
  GraphRewriter& operator=(const GraphRewriter&) = delete;

  /** The ggml_backend_sched_eval_callback; `self` is this object. */
  static bool onNode(ggml_tensor* node, bool isAsked, void* self);

  /** The largest difference between a node of our kernels and the same node of llama.cpp. */
  struct Difference {
    /** The name of the weights, or "attention". */
    std::string name;
    /**
     * The largest distance between a row of ours and the same row of llama.cpp, divided by the length
     * of llama.cpp's row, or by the root mean square of all their lengths if that is more. Infinite if
     * a number is not finite.
     */
    double size = 0;
  };
  /** Lets llama.cpp compute all nodes of the next graphs, and compares our kernels' results. */
  void startComparing() { worst_.emplace(); }
  /** Ends comparing, and returns the largest difference. */
  Difference finishComparing();

  const char* kernelsName() const { return kernels_.name; }
  /**
   * Returns the bytes of the matrices that our kernels multiplied so far, divided by the bytes of
   * all matrices that were multiplied. 0 before the first decode.
   */
  double ownShare() const;
  /**
   * Lists everything that llama.cpp has computed so far instead of our kernels: the names of the
   * matrices, each with its kind of memory, and "attention". Empty if it computed none of them.
   */
  std::string leftToLlama() const;
  /** Returns true where llama.cpp has computed an attention node. */
  bool leftAttention() const { return leftAttention_; }

 private:
  /** The parameters of a custom node. Their layout is internal to ggml, so ggml writes them. */
  class CustomOperation {
   public:
    CustomOperation(ggml_custom_op_t compute, void* data);
    void replace(ggml_tensor& node) const;
    /** Computes a node that was not replaced, on one thread. */
    void compute(ggml_tensor& node) const { compute_(&node, 0, 1, data_); }

   private:
    ggml_custom_op_t compute_;
    void* data_;
    int32_t params_[GGML_MAX_OP_PARAMS / sizeof(int32_t)];
  };
  struct ProductOperation {
    ProductOperation(const GraphRewriter& rewriter, const ggml_tensor& weights);
    static void compute(ggml_tensor* node, int thread, int threads, void* data);
    const GraphRewriter& rewriter;
    /** One matrix, or one for each head of the inputs. */
    std::vector<PackedMatrix> heads;
    const CustomOperation operation;
  };
  /** A product with weights that are floats, which are not packed. */
  struct FloatOperation {
    explicit FloatOperation(const Kernels& kernels) : kernels(kernels), operation(compute, this) {}
    static void compute(ggml_tensor* node, int thread, int threads, void* data);
    const Kernels& kernels;
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
  bool compare(ggml_tensor& node, bool isAsked);
  /** Returns null where llama.cpp computes the node. */
  const CustomOperation* operationFor(const ggml_tensor& node);
  const CustomOperation& productWith(const ggml_tensor& weights);
  const CustomOperation& attentionFor(const ggml_tensor& node);
  void noteLeft(const ggml_tensor& node);

  const Kernels& kernels_;
  /**
   * The number of nodes that all rewriters have replaced or compared. It grows with every graph,
   * but not while a graph is computed. A thread keeps its quantised inputs until the number
   * changes.
   */
  static inline std::atomic<uint64_t> nodes_{0};
  bool leftAttention_ = false;
  /** Set while nodes are compared. */
  std::optional<Difference> worst_;
  /** Keyed by the weights' tensors, which live as long as the model. */
  std::unordered_map<const ggml_tensor*, std::unique_ptr<ProductOperation>> products_;
  const FloatOperation floatProduct_;
  /** Weights that are floats, and that our kernels multiplied. */
  std::unordered_set<const ggml_tensor*> floatWeights_;
  /** Weights that llama.cpp multiplied at least once. */
  std::unordered_set<const ggml_tensor*> leftWeights_;
  /** Keyed by scale. */
  std::map<float, std::unique_ptr<AttentionOperation>> attentions_;
};
