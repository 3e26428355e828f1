#include "model/weight-placement.h"

#include <algorithm>
#include <map>
#include <memory>
#include <regex>

#include "gguf.h"
#include "kernels/packed-matrix.h"

namespace {

/**
 * Matches the names of matrices that llama.cpp uses only as factors of products, in every
 * architecture. Leaves out embeddings: llama.cpp reads single rows of them, and would fail an
 * assertion if they were reordered.
 */
const std::regex& productNames() {
  static const std::regex names(
      "(?:blk\\.(\\d+)\\.)?"
      "((?:output|attn_(?:q|k|v|qkv|output)|ffn_(?:gate|up|down|gate_up)(?:_exps|_shexp)?)"
      "\\.weight)");
  return names;
}

struct Matrix {
  ggml_type type;
  int64_t columns;
  int64_t outputs;
  int64_t experts;
};

/** Returns true if our kernels pack the matrix, which must be as it is in the file. */
bool isPacked(const Matrix& matrix) {
  return PackedMatrix::isOfType(matrix.type) && matrix.experts == 1;
}

/**
 * Returns true if llama.cpp sums a row of the reordered matrix in another order beside three other
 * rows than alone. That is so for Q2_K with AVX-512, except for experts, which it multiplies row by
 * row. Measured without a difference: MXFP4, and types that our kernels pack.
 */
bool losesBits(const Matrix& matrix) {
  return matrix.type == GGML_TYPE_Q2_K && matrix.experts == 1;
}

struct FreeContext {
  void operator()(ggml_context* context) const { ggml_free(context); }
};

/** Returns true if the CPU backend can multiply such a matrix in this kind of memory. */
bool supportsProduct(ggml_backend_dev_t device, ggml_backend_buffer_type_t memory,
                     const Matrix& matrix) {
  const std::unique_ptr<ggml_context, FreeContext> context(
      ggml_init({8 * ggml_tensor_overhead(), nullptr, true}));
  ggml_tensor* const weights = ggml_new_tensor_3d(context.get(), matrix.type, matrix.columns,
                                                  matrix.outputs, matrix.experts);
  const auto newInput = [&](ggml_type type, int64_t width, int64_t rows) {
    return ggml_new_tensor_3d(context.get(), type, width, rows, 1);
  };
  ggml_tensor* const product =
      matrix.experts > 1
          ? ggml_mul_mat_id(context.get(), weights, newInput(GGML_TYPE_F32, matrix.columns, 1),
                            newInput(GGML_TYPE_I32, 1, 1))
          : ggml_mul_mat(context.get(), weights, newInput(GGML_TYPE_F32, matrix.columns, 1));
  ggml_backend_buffer_t buffer = ggml_backend_buft_alloc_buffer(memory, 0);
  weights->buffer = buffer;
  const bool isSupported = ggml_backend_dev_supports_op(device, product);
  ggml_backend_buffer_free(buffer);
  return isSupported;
}

/** Returns the CPU's kinds of memory that reorder matrices, with the fastest first. */
std::vector<ggml_backend_buffer_type_t> reorderingMemories() {
  ggml_backend_dev_t device = ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU);
  if (device == nullptr) return {};
  const auto list =
      reinterpret_cast<ggml_backend_dev_get_extra_bufts_t>(ggml_backend_reg_get_proc_address(
          ggml_backend_dev_backend_reg(device), "ggml_backend_dev_get_extra_bufts"));
  if (list == nullptr) return {};
  std::vector<ggml_backend_buffer_type_t> memories;
  for (ggml_backend_buffer_type_t* memory = list(device); memory && *memory; memory++) {
    memories.push_back(*memory);
  }
  return memories;
}

bool isAmx(ggml_backend_buffer_type_t memory) {
  return ggml_backend_buft_name(memory) == std::string("AMX");
}

/** Returns the kind of memory that reorders such a matrix; null if there is none. */
ggml_backend_buffer_type_t reorderedMemoryFor(const Matrix& matrix, bool avoidsAmx) {
  ggml_backend_dev_t device = ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU);
  for (ggml_backend_buffer_type_t memory : reorderingMemories()) {
    if (avoidsAmx && isAmx(memory)) continue;
    if (supportsProduct(device, memory, matrix)) return memory;
  }
  return nullptr;
}

/** Returns true if the model keeps a recurrent state. Reads the file up to the vocabulary. */
bool isRecurrentModel(const std::string& modelPath) {
  llama_model_params params = llama_model_default_params();
  params.vocab_only = true;
  const std::unique_ptr<llama_model, decltype(&llama_model_free)> model(
      llama_model_load_from_file(modelPath.c_str(), params), llama_model_free);
  return model != nullptr &&
         (llama_model_is_recurrent(model.get()) || llama_model_is_hybrid(model.get()));
}

bool hasGpu() {
  return ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_GPU) != nullptr ||
         ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_IGPU) != nullptr;
}

/**
 * For each name of a matrix, the numbers of the layers that have it. The numbers are joined by `|`,
 * as alternatives of a regex.
 */
using LayersOfNames = std::map<std::string, std::string>;

/** Returns one regex for all names, kept short because llama.cpp compiles it for each tensor. */
std::string patternOf(const LayersOfNames& layersOfNames) {
  std::string pattern;
  for (const auto& [name, layers] : layersOfNames) {
    pattern += pattern.empty() ? "^(" : "|";
    // The dots are not escaped, because no other name differs only there.
    pattern += layers.empty() ? name : "blk.(" + layers + ")." + name;
  }
  return pattern + ")$";
}

}  // namespace

bool WeightPlacement::mustAvoidAmx(const std::string& modelPath) {
  const std::vector<ggml_backend_buffer_type_t> memories = reorderingMemories();
  return std::any_of(memories.begin(), memories.end(), isAmx) && isRecurrentModel(modelPath);
}

WeightPlacement::WeightPlacement(const std::string& modelPath, bool avoidsAmx) {
  const std::unique_ptr<gguf_context, decltype(&gguf_free)> header(
      gguf_init_from_file(modelPath.c_str(), {true, nullptr}), gguf_free);
  if (header == nullptr) return;
  std::map<ggml_backend_buffer_type_t, LayersOfNames> reordered;
  for (int64_t tensor = 0; tensor < gguf_get_n_tensors(header.get()); tensor++) {
    const int64_t* const sizes = gguf_get_tensor_ne(header.get(), tensor);
    const Matrix matrix = {gguf_get_tensor_type(header.get(), tensor), sizes[0], sizes[1],
                           sizes[2]};
    // llama.cpp accepts an empty tensor here and names it as a fault when it loads the model.
    if (matrix.columns < 1 || matrix.outputs < 1 || matrix.experts < 1) continue;
    std::cmatch name;
    if (isPacked(matrix) || !ggml_is_quantized(matrix.type) || losesBits(matrix) ||
        !std::regex_match(gguf_get_tensor_name(header.get(), tensor), name, productNames())) {
      continue;
    }
    ggml_backend_buffer_type_t memory = reorderedMemoryFor(matrix, avoidsAmx);
    if (memory == nullptr) continue;
    std::string& layers = reordered[memory][name[2]];
    if (!layers.empty()) layers += '|';
    layers += name[1];
  }
  // An override would also move a matrix out of a GPU's memory.
  if (hasGpu()) return;
  for (const auto& [memory, names] : reordered) patterns_.push_back(patternOf(names));
  for (const auto& [memory, names] : reordered) {
    overrides_.push_back({patterns_[overrides_.size()].c_str(), memory});
  }
  overrides_.push_back({nullptr, nullptr});
}

void WeightPlacement::applyTo(llama_model_params& params) const {
  params.use_extra_bufts = false;
  if (overrides_.size() > 1) params.tensor_buft_overrides = overrides_.data();
}
