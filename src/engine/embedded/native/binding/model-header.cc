#include "binding/model-header.h"

#include <cmath>
#include <cstring>
#include <memory>
#include <string>

#include "gguf.h"
#include "kernels/packed-matrix.h"
#include "model/log-ring.h"

namespace {

using Header = std::unique_ptr<gguf_context, decltype(&gguf_free)>;

bool isInteger(gguf_type type) {
  switch (type) {
    case GGUF_TYPE_UINT8:
    case GGUF_TYPE_INT8:
    case GGUF_TYPE_UINT16:
    case GGUF_TYPE_INT16:
    case GGUF_TYPE_UINT32:
    case GGUF_TYPE_INT32:
    case GGUF_TYPE_UINT64:
    case GGUF_TYPE_INT64:
      return true;
    default:
      return false;
  }
}

double numberAt(gguf_type type, const void* values, size_t index) {
  switch (type) {
    case GGUF_TYPE_UINT8:
      return static_cast<const uint8_t*>(values)[index];
    case GGUF_TYPE_INT8:
      return static_cast<const int8_t*>(values)[index];
    case GGUF_TYPE_UINT16:
      return static_cast<const uint16_t*>(values)[index];
    case GGUF_TYPE_INT16:
      return static_cast<const int16_t*>(values)[index];
    case GGUF_TYPE_UINT32:
      return static_cast<const uint32_t*>(values)[index];
    case GGUF_TYPE_INT32:
      return static_cast<const int32_t*>(values)[index];
    case GGUF_TYPE_UINT64:
      return static_cast<double>(static_cast<const uint64_t*>(values)[index]);
    case GGUF_TYPE_INT64:
      return static_cast<double>(static_cast<const int64_t*>(values)[index]);
    default:
      return 0;
  }
}

/** Returns the name of the model's architecture; "" if the file has none. */
std::string architectureOf(const gguf_context* header) {
  const int64_t id = gguf_find_key(header, "general.architecture");
  if (id < 0 || gguf_get_kv_type(header, id) != GGUF_TYPE_STRING) return "";
  return gguf_get_val_str(header, id);
}

Napi::Array readIntegers(Napi::Env env, const gguf_context* header, int64_t id) {
  const bool isArray = gguf_get_kv_type(header, id) == GGUF_TYPE_ARRAY;
  const gguf_type type = isArray ? gguf_get_arr_type(header, id) : gguf_get_kv_type(header, id);
  const size_t count = isArray ? gguf_get_arr_n(header, id) : 1;
  const void* values = isArray ? gguf_get_arr_data(header, id) : gguf_get_val_data(header, id);
  Napi::Array list = Napi::Array::New(env, count);
  for (size_t index = 0; index < count; index++) list[index] = numberAt(type, values, index);
  return list;
}

bool holdsIntegers(const gguf_context* header, int64_t id) {
  const gguf_type type = gguf_get_kv_type(header, id);
  return isInteger(type == GGUF_TYPE_ARRAY ? gguf_get_arr_type(header, id) : type);
}

/** Returns the bytes by which the tensors grow in memory when our kernels pack them. */
double packedGrowthBytesOf(const gguf_context* header) {
  if (bestKernels() == nullptr) return 0;
  double growth = 0;
  for (int64_t tensor = 0; tensor < gguf_get_n_tensors(header); tensor++) {
    const ggml_type type = gguf_get_tensor_type(header, tensor);
    const auto size = static_cast<double>(gguf_get_tensor_size(header, tensor));
    const bool isExperts = std::strstr(gguf_get_tensor_name(header, tensor), "exps") != nullptr;
    if (PackedMatrix::isOfType(type) && !isExperts)
      growth += size * (PackedMatrix::sizeRatio(type) - 1);
  }
  return std::ceil(growth);
}

}  // namespace

Napi::Value readModelHeader(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const std::string path = info[0].ToString();
  takeLoggedErrors();
  const Header header(gguf_init_from_file(path.c_str(), {true, nullptr}), gguf_free);
  if (header == nullptr) {
    const std::string logged = takeLoggedErrors();
    throw Napi::Error::New(env, logged.empty() ? "llama.cpp cannot read its header" : logged);
  }
  const std::string architecture = architectureOf(header.get());
  const std::string prefix = architecture + ".";
  Napi::Object numbers = Napi::Object::New(env);
  for (int64_t id = 0; id < gguf_get_n_kv(header.get()); id++) {
    const std::string key = gguf_get_key(header.get(), id);
    if (key.rfind(prefix, 0) != 0 || !holdsIntegers(header.get(), id)) continue;
    numbers.Set(key.substr(prefix.size()), readIntegers(env, header.get(), id));
  }
  Napi::Object facts = Napi::Object::New(env);
  if (!architecture.empty()) facts.Set("architecture", architecture);
  facts.Set("numbers", numbers);
  facts.Set("packedGrowthBytes", packedGrowthBytesOf(header.get()));
  return facts;
}
