#include <napi.h>

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "binding/read-generation.h"
#include "kernels/attention.h"
#include "kernels/kernels.h"
#include "kernels/packed-matrix.h"
#include "sampling/sampler.h"

// Single functions of the engine for the tests; `test-addon.ts` has the types.

namespace {

/** Draws `count` tokens from the same logits. */
Napi::Value sampleTokens(const Napi::CallbackInfo& info) {
  const Napi::Float32Array logits = info[0].As<Napi::Float32Array>();
  const uint32_t count = info[2].ToNumber().Uint32Value();
  Sampler sampler(readSampling(info[1].As<Napi::Object>()),
                  static_cast<int>(logits.ElementLength()));
  Napi::Int32Array tokens = Napi::Int32Array::New(info.Env(), count);
  for (uint32_t index = 0; index < count; index++) tokens[index] = sampler.sample(logits.Data());
  return tokens;
}

/** Returns a tree of tokens that are given by their bytes; a token without bytes ends the text. */
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

/** Samples one text of a grammar, with the same logits for each token. */
Napi::Value sampleGrammar(const Napi::CallbackInfo& info) {
  const Napi::Float32Array logits = info[0].As<Napi::Float32Array>();
  const auto tree = readTokens(info[3].As<Napi::Array>());
  const uint32_t tokensMax = info[4].ToNumber().Uint32Value();
  if (logits.ElementLength() != static_cast<size_t>(tree->size())) {
    throw Napi::Error::New(info.Env(), "Give one logit for each token.");
  }
  Sampler sampler(readSampling(info[1].As<Napi::Object>()), readGrammar(info[2]), tree);
  std::vector<int32_t> sampled;
  while (sampled.size() < tokensMax && !sampler.isAtEnd()) {
    sampled.push_back(sampler.sample(logits.Data()));
    if (sampled.back() < 0 || tree->ends(sampled.back())) break;
  }
  Napi::Int32Array tokens = Napi::Int32Array::New(info.Env(), sampled.size());
  std::copy(sampled.begin(), sampled.end(), tokens.Data());
  return tokens;
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

/** Throws where this processor cannot run the kernels of that name. */
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

/** Packs a matrix that is given as a GGUF stores it, and multiplies rows of inputs with it. */
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
  rows.assign(kernels, inputs.Data(), count, columns, columns);
  Napi::Float32Array products = Napi::Float32Array::New(info.Env(), outputs * count);
  matrix.multiply(rows, 0, matrix.panels(), products.Data(), outputs);
  return products;
}

/** Computes attention of one stream, thread after thread; undefined where llama.cpp computes it. */
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

Napi::Object initialise(Napi::Env env, Napi::Object exports) {
  exports.Set("sampleTokens", Napi::Function::New(env, sampleTokens));
  exports.Set("sampleGrammar", Napi::Function::New(env, sampleGrammar));
  exports.Set("multiplyPacked", Napi::Function::New(env, multiplyPacked));
  exports.Set("attend", Napi::Function::New(env, attend));
  return exports;
}

}  // namespace

NODE_API_MODULE(pipit_engine_test, initialise)
