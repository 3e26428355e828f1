#pragma once

#include <napi.h>

#include <cstring>
#include <vector>

/** Copies the memory of the values into an Int32Array. */
template <typename Value>
Napi::Int32Array toJsArray(Napi::Env env, const std::vector<Value>& values) {
  const size_t bytes = values.size() * sizeof(Value);
  Napi::Int32Array array = Napi::Int32Array::New(env, bytes / sizeof(int32_t));
  // An empty vector has no memory, and memcpy is undefined for a null pointer.
  if (!values.empty()) std::memcpy(array.Data(), values.data(), bytes);
  return array;
}
