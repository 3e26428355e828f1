#include "kernels/graph-rewriter.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace {

bool isHostMemory(const ggml_tensor& tensor) {
  return tensor.buffer != nullptr && ggml_backend_buffer_is_host(tensor.buffer);
}

/** Returns true for weights, which no operation writes to. */
bool areWeights(const ggml_tensor& tensor) {
  return tensor.buffer != nullptr && tensor.view_src == nullptr &&
         ggml_backend_buffer_get_usage(tensor.buffer) == GGML_BACKEND_BUFFER_USAGE_WEIGHTS;
}

/**
 * Returns true where each row is an array of floats. This must not depend on the number of rows:
 * otherwise a row's neighbours would decide whether our kernels or llama.cpp multiply it.
 */
bool hasRowsOfFloats(const ggml_tensor& tensor) {
  return tensor.type == GGML_TYPE_F32 && tensor.nb[0] == sizeof(float);
}

int rowsOf(const ggml_tensor& tensor) { return static_cast<int>(ggml_nrows(&tensor)); }

/** Returns a row by its index over all matrices of the tensor, which need not be contiguous. */
const float* rowAt(const ggml_tensor& tensor, int row) {
  const int64_t i1 = row % tensor.ne[1], matrix = row / tensor.ne[1];
  const int64_t i2 = matrix % tensor.ne[2], i3 = matrix / tensor.ne[2];
  const char* const data = static_cast<const char*>(tensor.data);
  return reinterpret_cast<const float*>(data + i1 * tensor.nb[1] + i2 * tensor.nb[2] +
                                        i3 * tensor.nb[3]);
}

/**
 * Releases the memory of mapped weights after they were packed. If they are read later, as the rows
 * of embeddings are, the pages are loaded from the file again.
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

/**
 * Returns the format of weights that are floats: whole models, or the matrices that choose the
 * experts. Our kernels multiply these too, because llama.cpp sums a lone row in a different order
 * than the same row beside others.
 */
std::optional<FloatFormat> floatFormatOf(const ggml_tensor& weights) {
  if (!ggml_is_contiguous(&weights) || ggml_n_dims(&weights) > 3) return std::nullopt;
  if (weights.type == GGML_TYPE_F32) return FloatFormat::single;
  if (weights.type == GGML_TYPE_F16) return FloatFormat::half;
  if (weights.type == GGML_TYPE_BF16) return FloatFormat::bfloat;
  return std::nullopt;
}

/**
 * Returns true for one matrix that multiplies all rows, and for one matrix for each head of the
 * inputs, as in multi-head latent attention.
 */
bool fitsHeads(const ggml_tensor& weights, const ggml_tensor& inputs) {
  return weights.ne[2] == 1 || weights.ne[2] == inputs.ne[2];
}

/** Rows of a product, `step` rows apart. */
struct Rows {
  int first, step, count;
};

/**
 * Calls `use` with the rows that the matrix of a head multiplies, in as few sets as possible. The
 * third dimension of the inputs is the head, the fourth one the sequence.
 */
template <typename Use>
void forRowsOfHead(const ggml_tensor& weights, const ggml_tensor& inputs, int head, Use&& use) {
  const auto heads = static_cast<int>(weights.ne[2]), tokens = static_cast<int>(inputs.ne[1]),
             sequences = static_cast<int>(inputs.ne[3]);
  if (heads == 1) {
    use(Rows{0, 1, rowsOf(inputs)});
  } else if (tokens == 1) {
    use(Rows{head, heads, sequences});
  } else {
    for (int sequence = 0; sequence < sequences; sequence++) {
      use(Rows{tokens * (head + heads * sequence), 1, tokens});
    }
  }
}

bool canMultiply(const ggml_tensor& node) {
  return node.op == GGML_OP_MUL_MAT && areWeights(*node.src[0]) && isHostMemory(*node.src[0]) &&
         hasRowsOfFloats(*node.src[1]) && ggml_is_contiguous(&node) &&
         fitsHeads(*node.src[0], *node.src[1]) &&
         (PackedMatrix::canPack(*node.src[0]) || floatFormatOf(*node.src[0]).has_value());
}

bool canAttend(const ggml_tensor& node) {
  return node.op == GGML_OP_FLASH_ATTN_EXT && isHostMemory(*node.src[1]) &&
         Attention::canCompute(node);
}

/**
 * Returns true for inputs so small that llama.cpp's products are inexact: it rounds the scale of 32
 * inputs to a 16-bit float, which has few significant bits for such a small number.
 */
bool isSmall(const float* inputs, int64_t count) {
  constexpr float smallest = 1e-3f;
  return std::all_of(inputs, inputs + count,
                     [](float input) { return std::fabs(input) < smallest; });
}

/** Outputs of a product of floats that all rows multiply before the next ones. */
constexpr int64_t cachedOutputs = 16;

/** Multiplies at most Kernels::floatRows rows of a head with some consecutive outputs. */
void multiplyFloats(const Kernels& kernels, const ggml_tensor& node, int head, Rows rows,
                    int64_t begin, int64_t end) {
  const ggml_tensor &weights = *node.src[0], &input = *node.src[1];
  const auto format = static_cast<int>(*floatFormatOf(weights));
  const auto columns = static_cast<int>(weights.ne[0]);
  const int64_t outputs = weights.ne[1];
  const char* const matrix = static_cast<const char*>(weights.data) + head * weights.nb[2];
  const float* inputs[Kernels::floatRows];
  for (int index = 0; index < rows.count; index++) {
    inputs[index] = rowAt(input, rows.first + rows.step * index);
  }
  for (int64_t output = begin; output < end;) {
    // A lone row is limited by memory, which is fastest for one stream of addresses.
    const bool areSeveral = rows.count > 1 && output + kernels.floatOutputs <= end;
    const auto& multiply = areSeveral ? kernels.multiplyFloats : kernels.multiplyOneFloat;
    float* products[Kernels::floatRows];
    for (int index = 0; index < rows.count; index++) {
      products[index] =
          static_cast<float*>(node.data) + (rows.first + rows.step * index) * outputs + output;
    }
    multiply[format][rows.count - 1](matrix + output * weights.nb[1], weights.nb[1], columns,
                                     inputs, products);
    output += areSeveral ? kernels.floatOutputs : 1;
  }
}

/** Returns true for inputs that llama.cpp rounds to infinity, because the weights are 16-bit floats. */
bool overflows(ggml_type weights, const float* inputs, int64_t count) {
  constexpr float largest = 65504;
  return weights == GGML_TYPE_F16 && std::any_of(inputs, inputs + count, [](float input) {
           return std::fabs(input) > largest;
         });
}

/** Returns the `size` of a GraphRewriter::Difference. */
double differenceOf(const ggml_tensor& found, const ggml_tensor& expected) {
  const ggml_tensor* const inputs = expected.op == GGML_OP_MUL_MAT ? expected.src[1] : nullptr;
  struct Row {
    double distance, length;
  };
  // Squares of both.
  std::vector<Row> rows;
  double squares = 0;
  for (int row = 0; row < rowsOf(expected); row++) {
    if (inputs != nullptr) {
      const float* const input = rowAt(*inputs, row);
      if (isSmall(input, inputs->ne[0])) continue;
      if (overflows(expected.src[0]->type, input, inputs->ne[0])) continue;
    }
    const float *const foundRow = rowAt(found, row), *const expectedRow = rowAt(expected, row);
    double distance = 0, length = 0;
    for (int64_t column = 0; column < expected.ne[0]; column++) {
      const double difference = foundRow[column] - expectedRow[column];
      distance += difference * difference;
      length += static_cast<double>(expectedRow[column]) * expectedRow[column];
    }
    if (!std::isfinite(distance)) return INFINITY;
    squares += length;
    rows.push_back({distance, length});
  }
  double largest = 0;
  for (const auto& [distance, length] : rows) {
    if (distance == 0) continue;
    largest = std::max(largest, distance / std::max(length, squares / rows.size()));
  }
  return std::sqrt(largest);
}

}  // namespace

GraphRewriter::CustomOperation::CustomOperation(ggml_custom_op_t compute, void* data)
    : compute_(compute), data_(data) {
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

double GraphRewriter::ownShare() const {
  size_t own = 0, left = 0;
  for (const ggml_tensor* weights : leftWeights_) left += ggml_nbytes(weights);
  const auto addOwn = [&](const ggml_tensor* weights) {
    if (leftWeights_.count(weights) == 0) own += ggml_nbytes(weights);
  };
  for (const auto& [weights, product] : products_) addOwn(weights);
  for (const ggml_tensor* weights : floatWeights_) addOwn(weights);
  return own == 0 ? 0 : static_cast<double>(own) / static_cast<double>(own + left);
}

std::string GraphRewriter::leftToLlama() const {
  std::set<std::string> names;
  for (const ggml_tensor* weights : leftWeights_) {
    const char* const memory =
        ggml_backend_buft_name(ggml_backend_buffer_get_type(weights->buffer));
    names.insert(std::string(weights->name) + " in " + memory);
  }
  if (leftAttention_) names.insert("attention");
  std::string joined;
  for (const std::string& name : names) joined += (joined.empty() ? "" : ", ") + name;
  return joined;
}

bool GraphRewriter::onNode(ggml_tensor* node, bool isAsked, void* self) {
  auto& rewriter = *static_cast<GraphRewriter*>(self);
  if (rewriter.worst_) return rewriter.compare(*node, isAsked);
  if (isAsked) rewriter.rewrite(*node);
  // False: the rewriter does not need the result of the node.
  return !isAsked;
}

/**
 * Replaces the operation of a node. Nodes of a graph that llama.cpp reuses keep the operations that
 * they got the first time.
 */
void GraphRewriter::rewrite(ggml_tensor& node) {
  nodes_.fetch_add(1, std::memory_order_relaxed);
  if (const CustomOperation* own = operationFor(node)) {
    own->replace(node);
  } else {
    noteLeft(node);
  }
}

/** Asks for the nodes that our kernels support, and compares each after llama.cpp computed it. */
bool GraphRewriter::compare(ggml_tensor& node, bool isAsked) {
  if (isAsked) return canMultiply(node) || canAttend(node);
  nodes_.fetch_add(1, std::memory_order_relaxed);
  std::vector<float> outputs(ggml_nelements(&node));
  ggml_tensor copy = node;
  copy.data = outputs.data();
  operationFor(node)->compute(copy);
  const double size = differenceOf(copy, node);
  const bool isProduct = node.op == GGML_OP_MUL_MAT;
  if (size > worst_->size) worst_ = {isProduct ? node.src[0]->name : "attention", size};
  return true;
}

GraphRewriter::Difference GraphRewriter::finishComparing() {
  Difference worst = std::move(*worst_);
  worst_.reset();
  return worst;
}

const GraphRewriter::CustomOperation* GraphRewriter::operationFor(const ggml_tensor& node) {
  if (canMultiply(node)) return &productWith(*node.src[0]);
  if (canAttend(node)) return &attentionFor(node);
  return nullptr;
}

const GraphRewriter::CustomOperation& GraphRewriter::productWith(const ggml_tensor& weights) {
  if (floatFormatOf(weights).has_value()) {
    floatWeights_.insert(&weights);
    return floatProduct_.operation;
  }
  std::unique_ptr<ProductOperation>& product = products_[&weights];
  if (product == nullptr) {
    product = std::make_unique<ProductOperation>(*this, weights);
    releasePages(weights);
  }
  return product->operation;
}

const GraphRewriter::CustomOperation& GraphRewriter::attentionFor(const ggml_tensor& node) {
  float scale;
  std::memcpy(&scale, node.op_params, sizeof scale);
  std::unique_ptr<AttentionOperation>& attending = attentions_[scale];
  if (attending == nullptr) attending = std::make_unique<AttentionOperation>(kernels_, scale);
  return attending->operation;
}

/**
 * Records that llama.cpp computes this node. Ignores products of two activations, which have no
 * weights.
 */
void GraphRewriter::noteLeft(const ggml_tensor& node) {
  if (node.op == GGML_OP_FLASH_ATTN_EXT) leftAttention_ = true;
  if (node.op != GGML_OP_MUL_MAT && node.op != GGML_OP_MUL_MAT_ID) return;
  const ggml_tensor* const factor = node.src[0];
  const ggml_tensor* const weights = factor->view_src == nullptr ? factor : factor->view_src;
  if (areWeights(*weights)) leftWeights_.insert(weights);
}

GraphRewriter::ProductOperation::ProductOperation(const GraphRewriter& rewriter,
                                                  const ggml_tensor& weights)
    : rewriter(rewriter), operation(compute, this) {
  heads.reserve(weights.ne[2]);
  for (int64_t head = 0; head < weights.ne[2]; head++) {
    heads.emplace_back(rewriter.kernels_, weights, head);
  }
}

void GraphRewriter::ProductOperation::compute(ggml_tensor* node, int thread, int threads,
                                              void* data) {
  // Keeps the quantised rows of this thread's last input, which several matrices multiply in turn.
  thread_local QuantizedRows rows;
  thread_local const ggml_tensor* lastInput = nullptr;
  thread_local uint64_t rowsAt = 0;
  const auto& product = *static_cast<const ProductOperation*>(data);
  const ggml_tensor* const input = node->src[1];
  const Kernels& kernels = product.rewriter.kernels_;
  const auto columns = static_cast<int>(input->ne[0]),
             heads = static_cast<int>(product.heads.size());
  auto* const products = static_cast<float*>(node->data);
  if (heads > 1) {
    // The threads share the heads.
    lastInput = nullptr;
    for (int head = heads * thread / threads; head < heads * (thread + 1) / threads; head++) {
      const PackedMatrix& matrix = product.heads[head];
      forRowsOfHead(*node->src[0], *input, head, [&](Rows of) {
        rows.assign(kernels, of.count, columns,
                    [&](int row) { return rowAt(*input, of.first + of.step * row); });
        matrix.multiply(rows, 0, matrix.panels(), products + of.first * node->ne[0],
                        of.step * node->ne[0]);
      });
    }
    return;
  }
  const uint64_t nodes = nodes_.load(std::memory_order_relaxed);
  if (lastInput != input || rowsAt != nodes) {
    rows.assign(kernels, rowsOf(*input), columns, [&](int row) { return rowAt(*input, row); });
    lastInput = input;
    rowsAt = nodes;
  }
  const PackedMatrix& matrix = product.heads.front();
  const int panels = matrix.panels();
  const auto share = [&](int count) {
    return static_cast<int>(static_cast<int64_t>(panels) * count / threads);
  };
  matrix.multiply(rows, share(thread), share(thread + 1), products, node->ne[0]);
}

void GraphRewriter::FloatOperation::compute(ggml_tensor* node, int thread, int threads,
                                            void* data) {
  const Kernels& kernels = static_cast<const FloatOperation*>(data)->kernels;
  const ggml_tensor& weights = *node->src[0];
  const int64_t outputs = weights.ne[1], first = outputs * thread / threads,
                end = outputs * (thread + 1) / threads;
  const auto multiplyHead = [&](int head, Rows rows) {
    // All rows pass over a few outputs, whose weights stay in the cache.
    for (int64_t begin = first; begin < end; begin += cachedOutputs) {
      const int64_t blockEnd = std::min(begin + cachedOutputs, end);
      for (int row = 0; row < rows.count; row += Kernels::floatRows) {
        const int count = std::min(Kernels::floatRows, rows.count - row);
        const Rows tile = {rows.first + rows.step * row, rows.step, count};
        multiplyFloats(kernels, *node, head, tile, begin, blockEnd);
      }
    }
  };
  for (int head = 0; head < weights.ne[2]; head++) {
    forRowsOfHead(weights, *node->src[1], head, [&](Rows rows) { multiplyHead(head, rows); });
  }
}

void GraphRewriter::AttentionOperation::compute(ggml_tensor* node, int thread, int threads,
                                                void* data) {
  static_cast<const AttentionOperation*>(data)->attention.compute(*node, thread, threads);
}
