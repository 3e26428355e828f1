#include <napi.h>

#if defined(__linux__)
#include <fcntl.h>
#include <linux/sockios.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <csignal>
#endif

#include <algorithm>
#include <cerrno>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "binding/read-generation.h"
#include "ggml-backend.h"
#include "grammar/closing-cache.h"
#include "grammar/fewest-tokens.h"
#include "kernels/attention.h"
#include "kernels/graph-rewriter.h"
#include "kernels/kernels.h"
#include "kernels/packed-matrix.h"
#include "loop/slot.h"
#include "sampling/sampler.h"

// Single functions of the engine for the tests; `test-addon.ts` has the types.

namespace {

/** Returns a tree of the tokens with these bytes; a token without bytes ends the text. */
std::shared_ptr<const TokenTree> readTokens(const Napi::Array& texts) {
  std::vector<std::string> tokens;
  std::vector<bool> ends;
  for (uint32_t index = 0; index < texts.Length(); index++) {
    const Napi::Uint8Array bytes = texts.Get(index).As<Napi::Uint8Array>();
    tokens.emplace_back(bytes.Data(), bytes.Data() + bytes.ElementLength());
    ends.push_back(tokens.back().empty());
  }
  return std::make_shared<TokenTree>(std::move(tokens), std::move(ends));
}

/**
 * Draws `count` tokens from the same logits. If the call does not give the tokens' bytes, all
 * tokens are empty.
 */
Napi::Value sampleTokens(const Napi::CallbackInfo& info) {
  const Napi::Float32Array logits = info[0].As<Napi::Float32Array>();
  const uint32_t count = info[2].ToNumber().Uint32Value();
  const size_t size = logits.ElementLength();
  const auto tree = info[3].IsArray()
                        ? readTokens(info[3].As<Napi::Array>())
                        : std::make_shared<const TokenTree>(std::vector<std::string>(size),
                                                            std::vector<bool>(size));
  Sampler sampler(readSampling(info[1].As<Napi::Object>()), tree);
  Napi::Int32Array tokens = Napi::Int32Array::New(info.Env(), count);
  for (uint32_t index = 0; index < count; index++) tokens[index] = sampler.sample(logits.Data(), 0);
  return tokens;
}

/** Samples at most `info[4]` tokens with the logits `info[0]`, up to the end of the text. */
Napi::Value sampleText(const Napi::CallbackInfo& info, Sampler& sampler, const TokenTree& tree) {
  const Napi::Float32Array logits = info[0].As<Napi::Float32Array>();
  const uint32_t tokensMax = info[4].ToNumber().Uint32Value();
  if (logits.ElementLength() != static_cast<size_t>(tree.size())) {
    throw Napi::Error::New(info.Env(), "Give one logit for each token.");
  }
  std::vector<int32_t> sampled;
  while (sampled.size() < tokensMax && !sampler.isAtEnd()) {
    const auto tokensLeft = static_cast<int32_t>(tokensMax - sampled.size() - 1);
    sampled.push_back(sampler.sample(logits.Data(), tokensLeft));
    if (sampled.back() < 0 || tree.ends(sampled.back())) break;
  }
  Napi::Int32Array tokens = Napi::Int32Array::New(info.Env(), sampled.size());
  std::copy(sampled.begin(), sampled.end(), tokens.Data());
  return tokens;
}

/** Samples one text of a grammar, with the same logits at each step. */
Napi::Value sampleGrammar(const Napi::CallbackInfo& info) {
  const auto tree = readTokens(info[3].As<Napi::Array>());
  const auto grammar = readGrammar(info[2]);
  const auto costs =
      info[5].ToBoolean() ? std::make_shared<ClosingCosts>(*grammar, *tree) : nullptr;
  Sampler sampler(readSampling(info[1].As<Napi::Object>()), grammar, tree, costs);
  return sampleText(info, sampler, *tree);
}

/** Samples one reply of a model with thoughts, with the same logits at each step. */
Napi::Value sampleThoughts(const Napi::CallbackInfo& info) {
  const auto tree = readTokens(info[3].As<Napi::Array>());
  const Sampling sampling = readSampling(info[1].As<Napi::Object>());
  Generation generation;
  generation.grammar = readGrammar(info[2]);
  generation.maxTokens = info[4].ToNumber();
  generation.thoughts = readThoughts(info[5]);
  generation.completesFormat = info[6].ToBoolean();
  ClosingCache closings;
  generation.prepareToClose(closings, *tree);
  Sampler sampler = generation.grammar == nullptr
                        ? Sampler(sampling, tree)
                        : Sampler(sampling, generation.grammar, tree, generation.closingCosts);
  sampler.guideThoughts(generation.thoughts.value());
  return sampleText(info, sampler, *tree);
}

/** Follows a sequence of tokens through a grammar, up to the first one that is not admitted. */
Napi::Value followGrammar(const Napi::CallbackInfo& info) {
  const Napi::Int32Array sequence = info[2].As<Napi::Int32Array>();
  GrammarMatcher matcher(readGrammar(info[0]), readTokens(info[1].As<Napi::Array>()), nullptr);
  size_t followed = 0;
  size_t framesMax = matcher.frames();
  for (; followed < sequence.ElementLength(); followed++) {
    if (!matcher.admits(sequence[followed])) break;
    matcher.accept(sequence[followed]);
    framesMax = std::max(framesMax, matcher.frames());
  }
  Napi::Object result = Napi::Object::New(info.Env());
  result.Set("followed", Napi::Number::New(info.Env(), static_cast<double>(followed)));
  result.Set("framesMax", Napi::Number::New(info.Env(), static_cast<double>(framesMax)));
  return result;
}

/** Returns a number of tokens that is enough for some text of the grammar. */
Napi::Value closingTokens(const Napi::CallbackInfo& info) {
  const auto grammar = readGrammar(info[0]);
  const ClosingCosts costs(*grammar, *readTokens(info[1].As<Napi::Array>()));
  return Napi::Number::New(info.Env(), costs.tokens(grammar->start()));
}

/** Returns a lower bound on the number of tokens of any text of the grammar. */
Napi::Value fewestTokensOf(const Napi::CallbackInfo& info) {
  const auto tokens = readTokens(info[1].As<Napi::Array>());
  return Napi::Number::New(info.Env(), fewestTokens(*readGrammar(info[0]), *tokens));
}

/** Asks a cache for the closing costs of these grammars, and counts those that it computes. */
Napi::Value countClosings(const Napi::CallbackInfo& info) {
  const Napi::Array grammars = info[0].As<Napi::Array>();
  const auto tokens = readTokens(info[1].As<Napi::Array>());
  ClosingCache cache;
  std::vector<std::shared_ptr<const ClosingCosts>> seen;
  for (uint32_t index = 0; index < grammars.Length(); index++) {
    const auto costs = cache.of(readGrammar(grammars.Get(index)), *tokens).costs;
    if (std::find(seen.begin(), seen.end(), costs) == seen.end()) seen.push_back(costs);
  }
  return Napi::Number::New(info.Env(), static_cast<double>(seen.size()));
}

ggml_tensor tensorOf(ggml_type type, void* data, std::initializer_list<int64_t> sizes) {
  ggml_tensor tensor{};
  tensor.type = type;
  tensor.data = data;
  std::fill(tensor.ne, tensor.ne + 4, 1);
  std::copy(sizes.begin(), sizes.end(), tensor.ne);
  tensor.nb[0] = ggml_type_size(type);
  tensor.nb[1] = ggml_row_size(type, tensor.ne[0]);
  for (int i = 2; i < 4; i++) tensor.nb[i] = tensor.nb[i - 1] * tensor.ne[i - 1];
  return tensor;
}

/** Throws if this processor cannot run the kernels with this name. */
const Kernels& kernelsNamed(const Napi::Value& name) {
  const Kernels* kernels = findKernels(name.ToString());
  if (kernels == nullptr) {
    throw Napi::Error::New(name.Env(), "This processor cannot run these kernels.");
  }
  return *kernels;
}

/** Throws for a type that is not packed. */
ggml_type packedTypeNamed(const Napi::Value& name) {
  for (int number = 0; number < GGML_TYPE_COUNT; number++) {
    const auto type = static_cast<ggml_type>(number);
    if (!PackedMatrix::isOfType(type)) continue;
    if (name.ToString().Utf8Value() == ggml_type_name(type)) return type;
  }
  throw Napi::Error::New(name.Env(), "This type is not packed.");
}

/** Returns a type of floats, or one that is packed. */
ggml_type typeNamed(const Napi::Value& name) {
  for (const ggml_type type : {GGML_TYPE_F32, GGML_TYPE_F16, GGML_TYPE_BF16}) {
    if (name.ToString().Utf8Value() == ggml_type_name(type)) return type;
  }
  return packedTypeNamed(name);
}

/** Returns the values of packed weights, as ggml dequantises them. */
Napi::Value dequantise(const Napi::CallbackInfo& info) {
  const ggml_type type = packedTypeNamed(info[0]);
  const Napi::Uint8Array bytes = info[1].As<Napi::Uint8Array>();
  const size_t count =
      bytes.ElementLength() / ggml_type_size(type) * static_cast<size_t>(ggml_blck_size(type));
  Napi::Float32Array values = Napi::Float32Array::New(info.Env(), count);
  const uint8_t* const blocks = bytes.Data();
  ggml_get_type_traits(type)->to_float(blocks, values.Data(), static_cast<int64_t>(count));
  return values;
}

/** Packs a matrix in the layout of a GGUF file, and multiplies rows of inputs with it. */
Napi::Value multiplyPacked(const Napi::CallbackInfo& info) {
  const Kernels& kernels = kernelsNamed(info[0]);
  Napi::Uint8Array weights = info[2].As<Napi::Uint8Array>();
  const Napi::Float32Array inputs = info[3].As<Napi::Float32Array>();
  const int columns = info[4].ToNumber().Int32Value();
  const ggml_type weightType = packedTypeNamed(info[1]);
  const auto outputs =
      static_cast<int64_t>(weights.ElementLength() / ggml_row_size(weightType, columns));
  const ggml_tensor tensor = tensorOf(weightType, weights.Data(), {columns, outputs});
  const PackedMatrix matrix(kernels, tensor);
  const int count = static_cast<int>(inputs.ElementLength()) / columns;
  QuantizedRows rows;
  rows.assign(kernels, count, columns, [&](int row) { return inputs.Data() + row * columns; });
  Napi::Float32Array products = Napi::Float32Array::New(info.Env(), outputs * count);
  matrix.multiply(rows, 0, matrix.panels(), products.Data(), outputs);
  return products;
}

/** One product in a graph of llama.cpp, with the inputs stored as [columns, streams, rows]. */
class ProductGraph {
 public:
  /** Takes the path of the libraries, a type, the weights, the inputs and their sizes. */
  explicit ProductGraph(const Napi::CallbackInfo& info) {
    const std::string librariesPath = info[1].ToString();
    if (ggml_backend_dev_count() == 0) ggml_backend_load_all_from_path(librariesPath.c_str());
    backend_.reset(ggml_backend_init_by_type(GGML_BACKEND_DEVICE_TYPE_CPU, nullptr));
    const Napi::Uint8Array bytes = info[3].As<Napi::Uint8Array>();
    const Napi::Float32Array inputs = info[4].As<Napi::Float32Array>();
    const Napi::Array sizes = info[5].As<Napi::Array>();
    const auto size = [&](uint32_t index) { return sizes.Get(index).ToNumber().Int64Value(); };
    const ggml_type type = typeNamed(info[2]);
    const auto outputs = static_cast<int64_t>(bytes.ByteLength() / ggml_row_size(type, size(0)));
    ggml_tensor* const weights = ggml_new_tensor_2d(context_.get(), type, size(0), outputs);
    weightsBuffer_.reset(ggml_backend_alloc_ctx_tensors(context_.get(), backend_.get()));
    ggml_backend_buffer_set_usage(weightsBuffer_.get(), GGML_BACKEND_BUFFER_USAGE_WEIGHTS);
    ggml_backend_tensor_set(weights, bytes.Data(), 0, bytes.ByteLength());
    ggml_tensor* const stored =
        ggml_new_tensor_3d(context_.get(), GGML_TYPE_F32, size(0), size(2), size(1));
    node_ = ggml_mul_mat(context_.get(), weights, ggml_permute(context_.get(), stored, 0, 2, 1, 3));
    graph_ = ggml_new_graph_custom(context_.get(), 8, false);
    ggml_build_forward_expand(graph_, node_);
    buffer_.reset(ggml_backend_alloc_ctx_tensors(context_.get(), backend_.get()));
    ggml_backend_tensor_set(stored, inputs.Data(), 0, inputs.ByteLength());
  }

  ggml_tensor* node() const { return node_; }
  void compute() { ggml_backend_graph_compute(backend_.get(), graph_); }

 private:
  struct Free {
    void operator()(ggml_backend_t backend) const { ggml_backend_free(backend); }
    void operator()(ggml_context* context) const { ggml_free(context); }
    void operator()(ggml_backend_buffer_t buffer) const { ggml_backend_buffer_free(buffer); }
  };

  std::unique_ptr<ggml_backend, Free> backend_;
  std::unique_ptr<ggml_context, Free> context_{ggml_init({64 * 1024, nullptr, true})};
  std::unique_ptr<ggml_backend_buffer, Free> weightsBuffer_;
  std::unique_ptr<ggml_backend_buffer, Free> buffer_;
  ggml_tensor* node_;
  ggml_cgraph* graph_;
};

/** Multiplies in a graph. Returns undefined if the rewriter leaves the product to llama.cpp. */
Napi::Value multiplyInGraph(const Napi::CallbackInfo& info) {
  ProductGraph graph(info);
  ggml_tensor* const node = graph.node();
  GraphRewriter rewriter(kernelsNamed(info[0]));
  GraphRewriter::onNode(node, true, &rewriter);
  if (node->op != GGML_OP_CUSTOM) return info.Env().Undefined();
  graph.compute();
  Napi::Float32Array products = Napi::Float32Array::New(info.Env(), ggml_nelements(node));
  ggml_backend_tensor_get(node, products.Data(), 0, products.ByteLength());
  return products;
}

/**
 * Compares llama.cpp's product with that of our kernels. If the last argument is true, our kernels
 * are broken: they drop half of the inputs.
 */
Napi::Value compareInGraph(const Napi::CallbackInfo& info) {
  ProductGraph graph(info);
  static const Kernels* intact;
  intact = &kernelsNamed(info[0]);
  Kernels kernels = *intact;
  if (info[6].ToBoolean()) {
    kernels.quantizeRow = [](const float* row, int blocks, int step, int8_t* quants,
                             InputBlock* inputs) {
      intact->quantizeRow(row, blocks, step, quants, inputs);
      for (int block = 0; block < blocks; block += 2) {
        inputs[block * step].scale = 0;
        inputs[block * step].scaledSum = 0;
      }
    };
  }
  GraphRewriter rewriter(kernels);
  rewriter.startComparing();
  const bool isCompared = GraphRewriter::onNode(graph.node(), true, &rewriter);
  graph.compute();
  if (isCompared) GraphRewriter::onNode(graph.node(), false, &rewriter);
  return Napi::Number::New(info.Env(), rewriter.finishComparing().size);
}

/**
 * Computes attention of one stream, one thread's share after the other. Returns undefined for a
 * shape that our kernels leave to llama.cpp.
 */
Napi::Value attend(const Napi::CallbackInfo& info) {
  const Kernels& kernels = kernelsNamed(info[0]);
  const Napi::Object inputs = info[1].As<Napi::Object>();
  const auto size = [&](const char* name) -> int64_t {
    return inputs.Get(name).ToNumber().Int64Value();
  };
  const auto data = [&](const char* name) {
    return inputs.Get(name).As<Napi::TypedArrayOf<uint8_t>>().ArrayBuffer().Data();
  };
  const int64_t rows = size("rows"), heads = size("heads"), keyHeads = size("keyHeads"),
                cells = size("cells"), width = size("width"), valueWidth = size("valueWidth");
  Napi::Float32Array outputs = Napi::Float32Array::New(info.Env(), valueWidth * heads * rows);
  ggml_tensor queries = tensorOf(GGML_TYPE_F32, data("queries"), {width, rows, heads});
  ggml_tensor keys = tensorOf(GGML_TYPE_F16, data("keys"), {width, cells, keyHeads});
  ggml_tensor values = tensorOf(GGML_TYPE_F16, data("values"), {valueWidth, cells, keyHeads});
  ggml_tensor mask = tensorOf(GGML_TYPE_F16, data("mask"), {cells, rows});
  ggml_tensor node = tensorOf(GGML_TYPE_F32, outputs.Data(), {valueWidth, heads, rows});
  ggml_tensor* const sources[] = {&queries, &keys, &values, &mask};
  std::copy(sources, sources + 4, node.src);
  if (!Attention::canCompute(node)) return info.Env().Undefined();
  const Attention attention(kernels, inputs.Get("scale").ToNumber().FloatValue());
  const int threads = static_cast<int>(size("threads"));
  for (int thread = 0; thread < threads; thread++) attention.compute(node, thread, threads);
  return outputs;
}

#if defined(__linux__)
/**
 * Tries in several ways to have the kernel signal a process, or to move it to one processor.
 * Returns the error's number for each way; 0 where the kernel did it.
 */
Napi::Value disturbProcess(const Napi::CallbackInfo& info) {
  int pid = info[0].ToNumber().Int32Value();
  f_owner_ex owner{F_OWNER_PID, pid};
  cpu_set_t processors;
  CPU_ZERO(&processors);
  CPU_SET(0, &processors);
  Napi::Object errors = Napi::Object::New(info.Env());
  const auto note = [&](const char* way, int result) {
    errors.Set(way, Napi::Number::New(info.Env(), result == 0 ? 0 : errno));
  };
  note("F_SETOWN", fcntl(STDIN_FILENO, F_SETOWN, pid));
  note("F_SETOWN_EX", fcntl(STDIN_FILENO, F_SETOWN_EX, &owner));
  note("F_SETSIG", fcntl(STDIN_FILENO, F_SETSIG, SIGKILL));
  note("FIOSETOWN", ioctl(STDIN_FILENO, FIOSETOWN, &pid));
  note("SIOCSPGRP", ioctl(STDIN_FILENO, SIOCSPGRP, &pid));
  note("sched_setaffinity", sched_setaffinity(pid, sizeof processors, &processors));
  return errors;
}
#endif

Napi::Object initialise(Napi::Env env, Napi::Object exports) {
  exports.Set("sampleTokens", Napi::Function::New(env, sampleTokens));
  exports.Set("sampleGrammar", Napi::Function::New(env, sampleGrammar));
  exports.Set("sampleThoughts", Napi::Function::New(env, sampleThoughts));
  exports.Set("followGrammar", Napi::Function::New(env, followGrammar));
  exports.Set("closingTokens", Napi::Function::New(env, closingTokens));
  exports.Set("countClosings", Napi::Function::New(env, countClosings));
  exports.Set("fewestTokens", Napi::Function::New(env, fewestTokensOf));
  exports.Set("dequantise", Napi::Function::New(env, dequantise));
  exports.Set("multiplyPacked", Napi::Function::New(env, multiplyPacked));
  exports.Set("multiplyInGraph", Napi::Function::New(env, multiplyInGraph));
  exports.Set("compareInGraph", Napi::Function::New(env, compareInGraph));
  exports.Set("attend", Napi::Function::New(env, attend));
#if defined(__linux__)
  exports.Set("disturbProcess", Napi::Function::New(env, disturbProcess));
#endif
  return exports;
}

}  // namespace

NODE_API_MODULE(pipit_engine_test, initialise)
