#include "packed-products.h"

#include <cstring>

#include "gguf.h"

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace {

/** Weights in memory of the processor, which nobody writes to. */
bool areWeights(const ggml_tensor& tensor) {
  return tensor.buffer != nullptr && tensor.view_src == nullptr &&
         ggml_backend_buffer_get_usage(tensor.buffer) == GGML_BACKEND_BUFFER_USAGE_WEIGHTS &&
         ggml_backend_buffer_is_host(tensor.buffer);
}

bool isPlainMatrix(const ggml_tensor& tensor) {
  return tensor.type == GGML_TYPE_F32 && tensor.nb[0] == sizeof(float) &&
         tensor.nb[1] % sizeof(float) == 0 && tensor.ne[2] == 1 && tensor.ne[3] == 1;
}

/**
 * Gives back the pages of a file that were read once, to be packed; whoever reads them again, rows of
 * an embedding, gets them from the file.
 */
void forgetPages(const ggml_tensor& weights) {
#if defined(__linux__)
  const char* const kind = ggml_backend_buft_name(ggml_backend_buffer_get_type(weights.buffer));
  // The name that llama.cpp's loader gives to what it maps; other memory would lose its contents.
  if (std::strcmp(kind, "CPU_Mapped") != 0) return;
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto begin = (reinterpret_cast<uintptr_t>(weights.data) + page - 1) / page * page;
  const auto end = (reinterpret_cast<uintptr_t>(weights.data) + ggml_nbytes(&weights)) / page * page;
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
#endif
}

size_t rowStride(const ggml_tensor& matrix) { return matrix.nb[1] / sizeof(float); }

}  // namespace

PackedProducts::Product::Product(const ggml_tensor& weights, const uint64_t& nodes,
                                 ggml_custom_op_t compute)
    : matrix(weights), nodes(nodes) {
  // What a custom operation keeps in a node is ggml's own affair, so ggml writes it.
  ggml_init_params params{ggml_tensor_overhead(), nullptr, true};
  ggml_context* context = ggml_init(params);
  const ggml_tensor* custom = ggml_custom_4d(context, GGML_TYPE_F32, 1, 1, 1, 1, nullptr, 0, compute,
                                             GGML_N_TASKS_MAX, this);
  std::memcpy(operation, custom->op_params, sizeof operation);
  ggml_free(context);
}

const char* PackedProducts::arithmetic() {
  return PackedMatrix::isSupported() ? "avx512-vnni 1" : "llama.cpp";
}

bool PackedProducts::areForAllOf(const char* modelPath) {
  if (!PackedMatrix::isSupported()) return false;
  const std::unique_ptr<gguf_context, decltype(&gguf_free)> header(
      gguf_init_from_file(modelPath, {true, nullptr}), gguf_free);
  if (header == nullptr) return false;
  for (int64_t tensor = 0; tensor < gguf_get_n_tensors(header.get()); tensor++) {
    const ggml_type type = gguf_get_tensor_type(header.get(), tensor);
    if (ggml_is_quantized(type) && !PackedMatrix::isOfType(type)) return false;
  }
  return true;
}

bool PackedProducts::onNode(ggml_tensor* node, bool isAsked, void* self) {
  auto& products = *static_cast<PackedProducts*>(self);
  if (isAsked) products.replace(*node);
  // False: no need to look at what the node becomes.
  return !isAsked;
}

void PackedProducts::replace(ggml_tensor& node) {
  nodes_++;
  // Graphs are used again, with the operations that are there already.
  if (node.op != GGML_OP_MUL_MAT) return;
  const ggml_tensor& weights = *node.src[0];
  if (!areWeights(weights) || !isPlainMatrix(*node.src[1]) || !isPlainMatrix(node) ||
      !PackedMatrix::canPack(weights)) {
    return;
  }
  std::unique_ptr<Product>& product = products_[&weights];
  if (product == nullptr) {
    product = std::make_unique<Product>(weights, nodes_, compute);
    forgetPages(weights);
  }
  node.op = GGML_OP_CUSTOM;
  std::memcpy(node.op_params, product->operation, sizeof product->operation);
}

void PackedProducts::compute(ggml_tensor* node, int thread, int threads, void* data) {
  /** Of the input that this thread saw last: several matrices are multiplied with one. */
  thread_local QuantizedRows rows;
  thread_local const ggml_tensor* rowsOf = nullptr;
  thread_local uint64_t rowsAt = 0;
  const auto& product = *static_cast<const Product*>(data);
  const ggml_tensor* const input = node->src[1];
  if (rowsOf != input || rowsAt != product.nodes) {
    rows.assign(static_cast<const float*>(input->data), static_cast<int>(input->ne[1]),
                static_cast<int>(input->ne[0]), rowStride(*input));
    rowsOf = input;
    rowsAt = product.nodes;
  }
  const int panels = product.matrix.panels();
  const auto share = [&](int count) {
    return static_cast<int>(static_cast<int64_t>(panels) * count / threads);
  };
  product.matrix.multiply(rows, share(thread), share(thread + 1), static_cast<float*>(node->data),
                          rowStride(*node));
}
