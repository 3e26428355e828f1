#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "ggml-backend.h"
#include "packed-matrix.h"

/**
 * Lets llama.cpp's graphs multiply with packed weights. Every node of a graph is shown to `onNode`
 * before the graph is computed: products with weights that can be packed become custom operations,
 * which ggml runs on its own threads like any other.
 */
class PackedProducts {
 public:
  /**
   * What a model is multiplied with, for its fingerprint: other products have other bits. Changes
   * with every change of the bits.
   */
  static const char* arithmetic();
  /**
   * Whether llama.cpp should leave the file's weights in their own order, because all that it would
   * reorder is packed here.
   */
  static bool areForAllOf(const char* modelPath);
  /** A ggml_backend_sched_eval_callback, with this object as its data. */
  static bool onNode(ggml_tensor* node, bool isAsked, void* self);

 private:
  struct Product {
    Product(const ggml_tensor& weights, const uint64_t& nodes, ggml_custom_op_t compute);
    PackedMatrix matrix;
    const uint64_t& nodes;
    int32_t operation[GGML_MAX_OP_PARAMS / sizeof(int32_t)];
  };

  void replace(ggml_tensor& node);
  static void compute(ggml_tensor* node, int thread, int threads, void* product);

  /** Seen so far: changes from graph to graph, and not while one is computed. */
  uint64_t nodes_ = 0;
  /** By the weights' tensors, which live as long as the model. */
  std::unordered_map<const ggml_tensor*, std::unique_ptr<Product>> products_;
};
