#include "kernels/graph-rewriter.h"

#include <cstring>

#include "gguf.h"

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace {

bool isHostMemory(const ggml_tensor& tensor) {
  return tensor.buffer != nullptr && ggml_backend_buffer_is_host(tensor.buffer);
}

/** Returns true for weights in host memory, which no operation writes to. */
bool areWeights(const ggml_tensor& tensor) {
  return isHostMemory(tensor) && tensor.view_src == nullptr &&
         ggml_backend_buffer_get_usage(tensor.buffer) == GGML_BACKEND_BUFFER_USAGE_WEIGHTS;
}

bool isPlainMatrix(const ggml_tensor& tensor) {
  return tensor.type == GGML_TYPE_F32 && tensor.nb[0] == sizeof(float) &&
         tensor.nb[1] % sizeof(float) == 0 && tensor.ne[2] == 1 && tensor.ne[3] == 1;
}

/**
 * Releases the memory of mapped weights after they were packed. A later read, such as of an
 * embedding's rows, loads the pages from the file again.
 */
void releasePages(const ggml_tensor& weights) {
#if defined(__linux__)
  const char* const kind = ggml_backend_buft_name(ggml_backend_buffer_get_type(weights.buffer));
  // llama.cpp's loader gives mapped buffers this name; any other memory would lose its contents.
  if (std::strcmp(kind, "CPU_Mapped") != 0) return;
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto begin = (reinterpret_cast<uintptr_t>(weights.data) + page - 1) / page * page;
  const auto end =
      (reinterpret_cast<uintptr_t>(weights.data) + ggml_nbytes(&weights)) / page * page;
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
#endif
}

size_t rowStride(const ggml_tensor& matrix) { return matrix.nb[1] / sizeof(float); }

}  // namespace

GraphRewriter::CustomOperation::CustomOperation(ggml_custom_op_t compute, void* data) {
  ggml_context* context = ggml_init({ggml_tensor_overhead(), nullptr, true});
  const ggml_tensor* custom = ggml_custom_4d(context, GGML_TYPE_F32, 1, 1, 1, 1, nullptr, 0,
                                             compute, GGML_N_TASKS_MAX, data);
  std::memcpy(params_, custom->op_params, sizeof params_);
  ggml_free(context);
}

void GraphRewriter::CustomOperation::replace(ggml_tensor& node) const {
  node.op = GGML_OP_CUSTOM;
  std::memcpy(node.op_params, params_, sizeof params_);
}

bool GraphRewriter::packsAllOf(const char* modelPath) {
  const std::unique_ptr<gguf_context, decltype(&gguf_free)> header(
      gguf_init_from_file(modelPath, {true, nullptr}), gguf_free);
  if (header == nullptr) return false;
  for (int64_t tensor = 0; tensor < gguf_get_n_tensors(header.get()); tensor++) {
    const ggml_type type = gguf_get_tensor_type(header.get(), tensor);
    if (ggml_is_quantized(type) && !PackedMatrix::isOfType(type)) return false;
    // Our kernels do not take matrices of experts, and llama.cpp is faster with repacked ones.
    const bool areExperts = gguf_get_tensor_ne(header.get(), tensor)[2] > 1;
    if (areExperts && type == GGML_TYPE_Q4_K) return false;
  }
  return true;
}

bool GraphRewriter::onNode(ggml_tensor* node, bool isAsked, void* self) {
  if (isAsked) static_cast<GraphRewriter*>(self)->rewrite(*node);
  // False: the rewriter does not need the result of the node.
  return !isAsked;
}

/** Nodes of a graph that llama.cpp uses again keep the operations from the first time. */
void GraphRewriter::rewrite(ggml_tensor& node) {
  nodes_++;
  if (node.op == GGML_OP_MUL_MAT) rewriteProduct(node);
  if (node.op == GGML_OP_FLASH_ATTN_EXT) rewriteAttention(node);
}

void GraphRewriter::rewriteProduct(ggml_tensor& node) {
  const ggml_tensor& weights = *node.src[0];
  if (!areWeights(weights) || !isPlainMatrix(*node.src[1]) || !isPlainMatrix(node) ||
      !PackedMatrix::canPack(weights)) {
    return;
  }
  std::unique_ptr<ProductOperation>& product = products_[&weights];
  if (product == nullptr) {
    product = std::make_unique<ProductOperation>(*this, weights);
    releasePages(weights);
  }
  product->operation.replace(node);
}

void GraphRewriter::rewriteAttention(ggml_tensor& node) {
  if (!isHostMemory(*node.src[1]) || !Attention::canCompute(node)) {
    leftAttention_ = true;
    return;
  }
  float scale;
  std::memcpy(&scale, node.op_params, sizeof scale);
  std::unique_ptr<AttentionOperation>& attending = attentions_[scale];
  if (attending == nullptr) attending = std::make_unique<AttentionOperation>(kernels_, scale);
  attending->operation.replace(node);
}

void GraphRewriter::ProductOperation::compute(ggml_tensor* node, int thread, int threads,
                                              void* data) {
  // The quantised rows of this thread's last input, because several matrices multiply the same
  // input.
  thread_local QuantizedRows rows;
  thread_local const ggml_tensor* rowsOf = nullptr;
  thread_local uint64_t rowsAt = 0;
  const auto& product = *static_cast<const ProductOperation*>(data);
  const ggml_tensor* const input = node->src[1];
  const uint64_t nodes = product.rewriter.nodes_;
  if (rowsOf != input || rowsAt != nodes) {
    rows.assign(product.rewriter.kernels_, static_cast<const float*>(input->data),
                static_cast<int>(input->ne[1]), static_cast<int>(input->ne[0]), rowStride(*input));
    rowsOf = input;
    rowsAt = nodes;
  }
  const int panels = product.matrix.panels();
  const auto share = [&](int count) {
    return static_cast<int>(static_cast<int64_t>(panels) * count / threads);
  };
  product.matrix.multiply(rows, share(thread), share(thread + 1), static_cast<float*>(node->data),
                          rowStride(*node));
}

void GraphRewriter::AttentionOperation::compute(ggml_tensor* node, int thread, int threads,
                                                void* data) {
  static_cast<const AttentionOperation*>(data)->attention.compute(*node, thread, threads);
}
